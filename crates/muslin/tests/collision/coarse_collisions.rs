//! Collisions on a coarser level hold as those on the finest do: what a coarse mesh proposes is never
//! relied upon.

use glam::{DQuat, DVec3, Vec3};
use muslin::collision::{Collider, ColliderMotion, CollisionSettings, Pose, Shape, StartPolicy};
use muslin::mesh::{TriMesh, generate};
use muslin::{Settings, Simulation, World};
use muslin_testing::{ball, floor, level_square, settings, shaken};

fn on_level(level: usize) -> CollisionSettings {
    CollisionSettings { level, ..CollisionSettings::default() }
}

fn simulate(mesh: TriMesh, threads: usize) -> Simulation {
    shaken(mesh, Settings { threads, ..settings() })
}

/// A strip that stands on the floor and leans a little: it falls into folds.
fn strip() -> TriMesh {
    let mut mesh = generate::grid(10, 40, 0.15, 0.6).unwrap();
    let low = mesh.positions.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
    for p in &mut mesh.positions {
        let up = p.y - low;
        *p = Vec3::new(p.x, 0.01 + up, 0.05 * up);
    }
    mesh
}

/// A ball that lies on the floor.
fn lying(radius: f32) -> Collider {
    ball(Vec3::Y * radius, radius)
}

/// Runs one cloth on a level and looks at every frame; contacts of all steps together.
fn run(mesh: TriMesh, colliders: Vec<Collider>, level: usize, steps: usize) -> (usize, World) {
    let cloths = vec![("cloth".to_owned(), simulate(mesh, 1))];
    let mut world = World::new(cloths, colliders, on_level(level)).unwrap();
    let mut contacts = 0;
    for step in 0..steps {
        world.step().unwrap_or_else(|error| panic!("level {level}, step {step}: {error}"));
        let report = world.report().clone();
        contacts += report.collisions.contacts;
        let found = world.intersections();
        assert!(found.is_clean(), "level {level}, step {step}: {found:?}");
    }
    (contacts, world)
}

#[test]
fn cloth_over_a_ball_stays_outside_on_every_level() {
    for level in 1..=4 {
        let (contacts, world) = run(level_square(24, 0.8, 0.42), vec![lying(0.2), floor()], level, 160);
        // It is on the ball for the most part of 160 steps, with a good many points.
        assert!(contacts > 1000, "level {level}: {contacts}");
        let highest = world.cloths()[0].1.positions().iter().map(|p| p.y).fold(0.0, f32::max);
        assert!((0.4..0.42).contains(&highest), "level {level}: the cloth lies at {highest} m");
    }
}

#[test]
fn folds_on_a_floor_stay_apart_on_every_level() {
    for level in 1..=4 {
        let (contacts, _) = run(strip(), vec![floor()], level, 200);
        assert!(contacts > 1000, "level {level}: {contacts}");
    }
}

#[test]
fn every_kind_of_collider_holds_on_a_coarser_level() {
    let (from, to) = (Vec3::new(-0.2, 0.3, 0.0), Vec3::new(0.2, 0.35, 0.1));
    let mut sphere = generate::sphere(0.2, 2).unwrap();
    sphere.positions.iter_mut().for_each(|p| p.y += 0.3);
    for shape in [
        Shape::Capsule { from, to, radius: 0.1 },
        Shape::cuboid(Vec3::new(0.0, 0.3, 0.0), Vec3::splat(0.3)),
        Shape::Mesh(sphere),
    ] {
        run(level_square(16, 0.8, 0.52), vec![Collider::new("body", shape), floor()], 3, 100);
    }
}

#[test]
fn nothing_tunnels_on_a_coarser_level() {
    // Half a metre per step; the ball is smaller than a coarse triangle.
    for level in [2, 4] {
        let mut body = Collider::new("ball", Shape::Sphere { center: Vec3::Y * -0.3, radius: 0.05 });
        let velocity = DVec3::new(3.0, 100.0, 1.0);
        let pose = |time: f64| Pose { time, rotation: DQuat::IDENTITY, translation: velocity * time };
        body.motion = ColliderMotion::Poses(vec![pose(0.0), pose(10.0)]);
        let (_, world) = run(level_square(12, 1.0, 0.0), vec![body], level, 20);
        let highest = world.cloths()[0].1.positions().iter().map(|p| p.y).fold(0.0, f32::max);
        // The ball is at −0.3 m + 100 m/s · 0.1 s, below cloth that it carries.
        assert!(highest > 9.7, "level {level}: the cloth reaches only {highest} m");
    }
}

#[test]
fn tangled_cloth_is_freed_on_a_coarser_level_too() {
    let lying = simulate(level_square(10, 0.5, 0.0), 1);
    let standing = {
        let mut mesh = generate::grid(10, 10, 0.4, 0.4).unwrap();
        mesh.positions.iter_mut().for_each(|p| *p += Vec3::new(-0.2, -0.03, 0.05));
        simulate(mesh, 1)
    };
    let settings = CollisionSettings { start: StartPolicy::Untangle, ..on_level(2) };
    let cloths = vec![("lying".to_owned(), lying), ("standing".to_owned(), standing)];
    let mut world = World::new(cloths, vec![], settings).unwrap();
    assert!(world.intersections().between_cloths > 0);
    let mut free = false;
    for step in 0..400 {
        world.step().unwrap();
        let clean = world.intersections().is_clean();
        assert!(clean || !free, "tangled again at step {step}");
        free |= clean;
    }
    assert!(free, "still {:?}", world.intersections());
}

#[test]
fn a_coarser_level_gives_the_same_bits_for_any_number_of_threads() {
    let hashes = [1, 2, 3, 7, 16, 33].map(|threads| {
        let cloth = |i: usize| simulate(level_square(24, 0.8, 0.51 + 0.01 * i as f32), threads);
        let cloths = (0..3).map(|i| (format!("cloth{i}"), cloth(i))).collect();
        let mut world = World::new(cloths, vec![lying(0.25), floor()], on_level(2)).unwrap();
        let mut impacts = 0;
        for _ in 0..80 {
            impacts += world.step().unwrap().collisions.impacts;
        }
        assert!(impacts > 0, "nothing met");
        world.cloths().iter().map(|(_, cloth)| cloth.state_hash()).collect::<Vec<_>>()
    });
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}
