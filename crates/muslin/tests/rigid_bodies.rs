//! Rigid bodies that fall into cloth: what they do to each other, and what they keep.

#![cfg(feature = "rigid-bodies")]

use glam::{Affine3A, DQuat, DVec3, Vec3};
use muslin::cloth::{Cloth, Damping, Material};
use muslin::collision::{Collider, CollisionSettings, Response, Shape};
use muslin::mesh::{TriMesh, generate};
use muslin::rigid::{Mass, RigidBody, RigidShape};
use muslin::solver::{PositionBased, RadialMatching, ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation, World};

/// One of each solver.
fn solvers() -> [(&'static str, SolverConfig); 3] {
    [
        ("shape matching", SolverConfig::ShapeMatching(ShapeMatching::default())),
        ("radial matching", SolverConfig::RadialMatching(RadialMatching::default())),
        ("position based", SolverConfig::PositionBased(PositionBased::default())),
    ]
}

/// A level square of 1 m around the origin, `cells` along each side.
fn sheet(cells: usize) -> TriMesh {
    let mut mesh = generate::grid(cells, cells, 1.0, 1.0).unwrap();
    let (low, high) = mesh.bounds().unwrap();
    for p in &mut mesh.positions {
        let place = *p - 0.5 * (low + high);
        *p = Vec3::new(place.x, 0.0, -place.y);
    }
    mesh
}

/// The same, held at its corners.
fn hammock(cells: usize, solver: SolverConfig) -> Simulation {
    let cloth = Cloth::builder(sheet(cells)).pin_group("corners").build().unwrap();
    Simulation::new(cloth, Settings { solver, threads: 1, ..Settings::default() }).unwrap()
}

fn ball(radius: f32, mass: f64, height: f64) -> RigidBody {
    let mut ball = RigidBody::new("ball", RigidShape::Sphere { radius }).at(DVec3::Y * height);
    ball.mass = Mass::Total(mass);
    ball
}

fn world(cloth: Simulation, colliders: Vec<Collider>, bodies: Vec<RigidBody>) -> World {
    World::with_bodies(vec![("cloth".into(), cloth)], colliders, bodies, CollisionSettings::default()).unwrap()
}

#[test]
#[ignore]
fn explore() {
    let only = std::env::var("SOLVER").unwrap_or_default();
    for (name, solver) in solvers() {
        if !name.contains(&only) { continue; }
        for ratio in [0.01, 1.0, 10.0, 100.0] {
            let cloth = hammock(20, solver.clone());
            let mass = cloth.cloth().total_mass() * ratio;
            let mut world = world(cloth, vec![], vec![ball(0.1, mass, 0.2)]);
            let now = std::time::Instant::now();
            let mut zones = 0; let mut div = 0; let mut imp = 0;
            for frame in 0..180 {
                let r = match world.step() { Ok(r) => r, Err(e) => { println!("{name} {ratio}: frame {frame}: {e}"); break } };
                zones += r.collisions.zones; div += r.collisions.divisions; imp += r.collisions.impacts;
                if frame % 30 == 29 {
                    let b = &world.bodies()[0];
                    let s = world.cloths()[0].1.strain();
                    println!("{name} {ratio} f{frame}: y {:.4} v {:.4} w {:.3} x {:.4} strain avg {:.4} max {:.4} contacts {} imp {imp} zones {zones} div {div} {:.1} ms clean {}", b.state().center.y, b.velocity().length(), b.angular_velocity().length(), b.state().center.x, s.average, s.max_edge, r.collisions.contacts, now.elapsed().as_secs_f64()*1e3/(frame+1) as f64, world.intersections().is_clean());
                }
            }
        }
    }
}

/// Cloth and bodies in free flight that hit each other; nothing is held.
fn collision_in_space(solver: SolverConfig, substeps: u32) -> World {
    let damping = Damping::None;
    let material = Material { bending: 1e-5, damping, ..Material::default() };
    let cloth = Cloth::builder(sheet(12)).material(material).build().unwrap();
    let settings = Settings { solver, substeps, gravity: Vec3::ZERO, threads: 1, ..Settings::default() };
    let cloth = Simulation::new(cloth, settings).unwrap();
    let mut ball = ball(0.1, 0.2, 0.15);
    (ball.velocity, ball.angular_velocity) = (DVec3::new(0.3, -1.0, 0.1), DVec3::new(2.0, 1.0, -3.0));
    let mut cuboid = RigidBody::new("box", RigidShape::Box { size: Vec3::new(0.1, 0.2, 0.3) });
    (cuboid.position, cuboid.mass) = (DVec3::new(0.3, -0.25, -0.2), Mass::Total(0.15));
    (cuboid.velocity, cuboid.angular_velocity) = (DVec3::new(-0.1, 0.9, 0.2), DVec3::new(-1.0, 2.0, 0.5));
    world(cloth, vec![], vec![ball, cuboid])
}

#[test]
#[ignore]
fn explore_momentum() {
    for (name, solver) in solvers() {
        for substeps in [3, 12] {
            let mut w = collision_in_space(solver.clone(), substeps);
            // Cloth alone, with a spin: what the solver itself leaks.
            let before = w.momentum();
            let mut last = before;
            let mut imp = 0; let mut zones = 0; let mut contacts = 0;
            for frame in 0..120 {
                let r = w.step().unwrap();
                imp += r.collisions.impacts; zones += r.collisions.zones; contacts += r.collisions.contacts;
                if frame % 12 == 11 {
                    let now = w.momentum();
                    println!("{name} {substeps} f{frame}: linear {:.2e} angular {:.2e} (step lin {:.2e} ang {:.2e}) contacts {contacts} imp {imp} zones {zones} L {:?}", (now.linear - before.linear).length(), (now.angular - before.angular).length(), (now.linear - last.linear).length(), (now.angular - last.angular).length(), now.angular.length());
                    last = now;
                }
            }
        }
    }
}
