//! A loop of moves, steps and reads takes no memory of its own.

use muslin::cloth::Cloth;
use muslin::collision::{Collider, Shape};
use muslin::glam::{DQuat, DVec3, Vec3};
use muslin::{Settings, World, WorldState};
use muslin_testing::level_square;

/// With a collider that is led under a cloth which lies on it, a pin that is led, forces, a state that is saved, and all that is read.
#[test]
fn a_driven_loop_allocates_nothing() {
    let cloth = Cloth::builder(level_square(20, 0.8, 0.26)).pin(0).build().unwrap();
    let settings = Settings { threads: 1, ..Settings::default() };
    let mut world = World::builder().settings(settings).cloth("cloth", cloth).build().unwrap();
    let cloth = world.cloth_ids()[0];
    let ball = Shape::Sphere { center: Vec3::ZERO, radius: 0.25 };
    let ball = world.add_collider(Collider::new("ball", ball)).unwrap();
    let vertices = world.cloth(cloth).unwrap().cloth().vertex_count();
    let (mut positions, mut normals) = (vec![[0.0; 3]; vertices], vec![[0.0; 3]; vertices]);
    let mut saved = WorldState::default();
    let mut frame = |number: u32| {
        let time = f64::from(number) / 60.0;
        world.move_collider(ball, DVec3::new(0.02 * time.sin(), 0.0, 0.0), DQuat::IDENTITY).unwrap();
        let cloth_now = world.cloth_mut(cloth).unwrap();
        cloth_now.move_pin(0, DVec3::new(-0.4, 0.26 + 0.02 * time.cos(), -0.4)).unwrap();
        cloth_now.add_force(200, Vec3::new(0.0, 0.001, 0.0)).unwrap();
        world.step().unwrap();
        let shown = world.cloth(cloth).unwrap();
        shown.positions_into(&mut positions).unwrap();
        shown.positions_between_into(0.5, &mut positions).unwrap();
        shown.normals_into(&mut normals).unwrap();
        world.save_into(&mut saved);
        (world.contacts().count(), world.events().len(), world.report().collisions.contacts)
    };
    // Until it lies on the ball: arrays of contacts grow with what touches.
    for number in 0..120 {
        frame(number);
    }
    let mut touched = 0;
    let used = allocation_counter::measure(|| {
        for number in 120..180 {
            touched += frame(number).0;
        }
    });
    assert!(touched > 60 * 20, "it lies on the ball: {touched}");
    assert_eq!(used.count_total, 0, "{used:?}");
}
