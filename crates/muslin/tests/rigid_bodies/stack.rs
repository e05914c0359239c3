//! Ten boxes on top of each other.

use glam::{DVec3, Vec3};
use muslin::World;
use muslin::rigid::{RigidBody, RigidShape};

use super::{bystander, floor, world};

fn stack(count: usize) -> World {
    let boxed = |i: usize| {
        let name = format!("box {i}");
        RigidBody::new(&name, RigidShape::Box { size: Vec3::splat(0.2) })
            .at(DVec3::Y * (0.1 + 0.2 * i as f64))
    };
    world(bystander(), vec![floor(0.5)], (0..count).map(boxed).collect())
}

#[test]
fn a_stack_of_ten_stands() {
    let mut world = stack(10);
    let starts: Vec<DVec3> = world.bodies().iter().map(|body| body.state().center).collect();
    let (mut drift, mut fastest) = (0.0f64, 0.0f64);
    let now = std::time::Instant::now();
    for frame in 0..180 {
        world.step().unwrap();
        for (body, start) in world.bodies().iter().zip(&starts) {
            drift = drift.max((body.state().center - *start).length());
            fastest = fastest.max(body.velocity().length());
        }
        if frame % 30 == 0 {
            println!("{frame}: drift {:.3} mm, {:.3} mm/s", 1e3 * drift, 1e3 * fastest);
        }
    }
    for (body, start) in world.bodies().iter().zip(&starts) {
        println!("{:?} {:?}", (body.state().center - *start) * 1e3, body.velocity() * 1e3);
    }
    println!("drift {:.3} mm, {:.3} mm/s; {:.2} s", 1e3 * drift, 1e3 * fastest, now.elapsed().as_secs_f64());
    assert!(drift <= 1e-3, "{drift}");
}
