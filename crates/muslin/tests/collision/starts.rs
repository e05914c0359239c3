//! Cloth that starts in something: found whatever it is in, and freed if that is wanted.

use glam::{Vec3, vec3};
use muslin::cloth::Cloth;
use muslin::collision::{Collider, CollisionSettings, Shape, StartPolicy};
use muslin::mesh::{TriMesh, generate};
use muslin::{Elements, Error, Settings, Simulation, World};

/// A level square around the y axis, every particle a little off.
fn level(cells: usize, size: f32, height: f32) -> TriMesh {
    let mut mesh = generate::grid(cells, cells, size, size).unwrap();
    for (i, p) in mesh.positions.iter_mut().enumerate() {
        let off = 1e-4 * ((i * i) as f32).sin();
        *p = vec3(p.x - 0.5 * size, height + off, p.y - 0.5 * size);
    }
    mesh
}

fn simulate(mesh: TriMesh, threads: usize) -> (String, Simulation) {
    let settings = Settings { time_step: 0.005, substeps: 1, threads, ..Settings::default() };
    ("cloth".into(), Simulation::new(Cloth::builder(mesh).build().unwrap(), settings).unwrap())
}

fn build(mesh: TriMesh, shape: Shape, start: StartPolicy) -> Result<World, Error> {
    let settings = CollisionSettings { start, ..CollisionSettings::default() };
    World::new(vec![simulate(mesh, 1)], vec![Collider::new("body", shape)], settings)
}

fn sphere_mesh(radius: f32) -> Shape {
    Shape::Mesh(generate::sphere(radius, 2).unwrap())
}

#[test]
fn cloth_wholly_inside_of_anything_is_refused() {
    for (what, shape) in [
        ("mesh", sphere_mesh(0.5)),
        ("box", Shape::cuboid(Vec3::ZERO, Vec3::ONE)),
        ("ball", Shape::Sphere { center: Vec3::ZERO, radius: 0.5 }),
        ("capsule", Shape::Capsule { from: Vec3::ZERO, to: Vec3::X * 0.1, radius: 0.5 }),
        ("plane", Shape::Plane { point: Vec3::Y * 0.5, normal: Vec3::Y }),
    ] {
        let cloth = level(6, 0.3, 0.1);
        let (vertices, triangles) = (cloth.positions.len(), cloth.triangles.len());
        let error = build(cloth, shape, StartPolicy::Refuse).err().expect(what);
        let Error::StartsIntersecting { found } = &error else { panic!("{what}: {error}") };
        let of_vertices = found.iter().filter(|f| matches!(f.elements, Elements::Vertex(_))).count();
        assert_eq!(found.len(), if of_vertices > 0 { vertices } else { triangles }, "{what}: {error}");
        assert!(error.to_string().contains("of 'cloth' and 'body'"), "{error}");
    }
}

/// Steps until nothing passes through anything, and on; it must stay so.
fn free(world: &mut World, most: usize, what: &str) -> usize {
    assert!(!world.intersections().is_clean(), "{what}: free from the start");
    let mut free_since = None;
    for step in 0..most {
        world.step().unwrap_or_else(|error| panic!("{what}, step {step}: {error}"));
        let report = world.report().clone();
        let clean = world.intersections().is_clean();
        match free_since {
            None if clean => free_since = Some(step),
            Some(since) => {
                assert!(clean, "{what}: free since step {since}, tangled again at {step}");
                assert_eq!((report.collisions.ignored, report.collisions.inside), (0, 0), "{what}");
            }
            None => {}
        }
    }
    let strain = world.cloths()[0].1.strain();
    println!("{what}: free after {free_since:?}, strain {:.2} %", 100.0 * strain.average);
    assert!(strain.average < 0.1, "{what}: {strain:?}");
    free_since.unwrap_or_else(|| panic!("{what}: never free, {:?}", world.intersections()))
}

#[test]
fn untangling_frees_cloth_from_closed_meshes() {
    let pole = Shape::cuboid(Vec3::ZERO, vec3(0.02, 0.6, 0.03));
    let plate = Shape::cuboid(Vec3::ZERO, vec3(2.0, 0.1, 2.0));
    let reversed = {
        let mut mesh = generate::sphere(0.3, 2).unwrap();
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        Shape::Mesh(mesh)
    };
    for (what, cloth, shape) in [
        ("wholly in a box", level(10, 0.3, 0.1), Shape::cuboid(Vec3::ZERO, vec3(0.6, 0.5, 0.6))),
        ("wholly in a sphere", level(10, 0.2, 0.05), sphere_mesh(0.3)),
        ("in a sphere turned inside out", level(10, 0.2, 0.05), reversed),
        ("across a sphere", level(20, 0.9, 0.05), sphere_mesh(0.3)),
        ("in the middle of a plate", level(10, 0.4, 0.0), plate),
        ("across a pole between its vertices", level(9, 0.5, 0.15), pole),
        ("a little in a box", level(10, 0.3, 0.249), Shape::cuboid(Vec3::ZERO, vec3(0.5, 0.5, 0.5))),
    ] {
        let mut world = build(cloth, shape, StartPolicy::Untangle).unwrap();
        free(&mut world, 250, what);
    }
}

#[test]
fn what_is_ignored_is_reported_until_it_is_free() {
    let ball = || sphere_mesh(0.3);
    let mut world = build(level(20, 0.9, 0.05), ball(), StartPolicy::Untangle).unwrap();
    let first = world.step().unwrap().collisions;
    assert!(first.ignored > 0 && first.inside > 0, "{first:?}");
    let mut world = build(level(20, 0.9, 0.05), ball(), StartPolicy::Ignore).unwrap();
    let first = world.step().unwrap().collisions;
    assert!(first.ignored > 0 && first.inside == 0, "{first:?}");
    let mut world = build(level(20, 0.9, 0.31), ball(), StartPolicy::Untangle).unwrap();
    let first = world.step().unwrap().collisions;
    assert_eq!((first.ignored, first.inside), (0, 0));
}

#[test]
fn a_cloth_in_the_place_of_another_is_found_and_parted() {
    // Exactly, and shifted by less than a cell, so that no vertices coincide.
    for shift in [Vec3::ZERO, vec3(0.013, 0.0, 0.007)] {
        let build = |start| {
            let mut shifted = level(10, 0.4, 0.0);
            shifted.positions.iter_mut().for_each(|p| *p += shift);
            let (_, second) = simulate(shifted, 1);
            let cloths = vec![simulate(level(10, 0.4, 0.0), 1), ("second".to_owned(), second)];
            World::new(cloths, vec![], CollisionSettings { start, ..CollisionSettings::default() })
        };
        assert!(matches!(build(StartPolicy::Refuse), Err(Error::StartsIntersecting { .. })));
        let mut world = build(StartPolicy::Untangle).unwrap();
        free(&mut world, 100, "in the place of another");
    }
}

#[test]
fn escaping_gives_the_same_bits_for_any_number_of_threads() {
    let hashes = [1, 2, 3, 7, 16, 33].map(|threads| {
        let settings = CollisionSettings { start: StartPolicy::Untangle, ..CollisionSettings::default() };
        let body = Collider::new("body", sphere_mesh(0.3));
        let cloth = simulate(level(20, 0.9, 0.05), threads);
        let mut world = World::new(vec![cloth], vec![body], settings).unwrap();
        (0..40).for_each(|_| assert!(world.step().is_ok()));
        world.cloths()[0].1.state_hash()
    });
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

#[test]
fn cloth_that_is_small_against_its_thickness_took_all_memory() {
    // 20,480 triangles within 4 mm, 2 mm of which are to be kept free: each is near each other.
    let tiny = simulate(generate::sphere(0.002, 5).unwrap(), 1);
    let error = World::new(vec![tiny], Vec::new(), CollisionSettings::default()).err().expect("refused");
    let Error::Crowded { first, second, edge, gap } = &error else { panic!("{error}") };
    assert_eq!((first.as_str(), second.as_str()), ("cloth", "cloth"));
    assert!((7e-5..8e-5).contains(edge) && (gap - 0.002).abs() < 1e-9, "{error}");
    let alone = CollisionSettings { self_collisions: false, ..CollisionSettings::default() };
    let tiny = simulate(generate::sphere(0.002, 5).unwrap(), 1);
    assert!(World::new(vec![tiny], Vec::new(), alone).is_ok(), "nothing is near it");
}

#[test]
fn cloth_that_is_crammed_together_during_a_run_is_an_error_and_not_the_end_of_memory() {
    let cloth = simulate(generate::sphere(0.5, 5).unwrap(), 1);
    let mut world = World::new(vec![cloth], Vec::new(), CollisionSettings::default()).unwrap();
    let crammed: Vec<Vec3> = world.cloths()[0].1.positions().iter().map(|p| 0.004 * *p).collect();
    let still = vec![Vec3::ZERO; crammed.len()];
    world.cloths_mut().for_each(|(_, cloth)| cloth.set_state(&crammed, &still).unwrap());
    let error = world.step().unwrap_err();
    assert!(matches!(error, Error::Crowded { .. }), "{error}");
    assert_eq!(world.cloths()[0].1.positions(), crammed, "the step was undone");
}
