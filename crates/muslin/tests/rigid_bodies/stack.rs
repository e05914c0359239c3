//! Ten boxes on top of each other.

use glam::{DVec3, Vec3};
use muslin::World;
use muslin::rigid::{RigidBody, RigidShape};

use super::{bystander, floor, run, world};

fn stack(count: usize) -> World {
    let boxed = |i: usize| {
        let name = format!("box {i}");
        RigidBody::new(&name, RigidShape::Box { size: Vec3::splat(0.2) })
            .at(DVec3::Y * (0.1 + 0.2 * i as f64))
    };
    world(bystander(), vec![floor(0.5)], (0..count).map(boxed).collect())
}

/// At no time in three seconds is one of them more than a millimetre from where it was put.
#[test]
fn ten_boxes_stand_on_each_other() {
    let mut world = stack(10);
    let starts: Vec<DVec3> = world.bodies().iter().map(|body| body.center()).collect();
    let (mut drift, mut fastest) = (0.0f64, 0.0f64);
    for frame in 0..180 {
        world.step().unwrap();
        for (body, start) in world.bodies().iter().zip(&starts) {
            drift = drift.max(body.center().distance(*start));
            fastest = if frame < 120 { 0.0 } else { fastest.max(body.velocity().length()) };
        }
    }
    println!("drift {:.3} mm, in the last second up to {:.4} mm/s", 1e3 * drift, 1e3 * fastest);
    assert!(drift <= 1e-3, "{drift} m");
}

#[test]
fn a_stack_that_is_resumed_has_the_same_bits() {
    let (mut first, mut resumed) = (stack(10), stack(10));
    run(&mut first, 20);
    let snapshot = first.cloths()[0].1.snapshot();
    resumed.cloths_mut().next().unwrap().1.restore(&snapshot).unwrap();
    resumed.restore_body_states(&first.body_states()).unwrap();
    run(&mut first, 20);
    run(&mut resumed, 20);
    assert_eq!(first.body_states(), resumed.body_states());
}
