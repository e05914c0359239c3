//! Rollback, as games over a network do it: steps are taken with what is guessed of the other player, and taken again when
//! what that player really did arrives.
//!
//! Two worlds run here: one that learns of everything eight frames late and goes back each time, and one that knows. They end
//! with the same bits.
//!
//!     cargo run --release -p muslin --example rollback

use muslin::cloth::Cloth;
use muslin::collision::{Collider, Shape};
use muslin::glam::{DQuat, DVec3, Vec3};
use muslin::mesh::generate;
use muslin::{ClothId, ColliderId, Error, World, WorldState};

#[path = "support/picture.rs"]
mod picture;

/// Frames until what the other player did arrives.
const DELAY: usize = 8;

/// A curtain, and a ball that the other player moves.
fn build() -> Result<(World, ClothId, ColliderId), Error> {
    let curtain = Cloth::builder(generate::grid(24, 24, 1.2, 1.2)?).pin_group("top").build()?;
    let ball = Shape::Sphere { center: Vec3::ZERO, radius: 0.15 };
    let mut world = World::builder().cloth("curtain", curtain).build()?;
    let ball = world.add_collider(Collider::new("ball", ball))?;
    world.teleport_collider(ball, place(0), DQuat::IDENTITY)?;
    let curtain = world.cloth_ids()[0];
    Ok((world, curtain, ball))
}

/// What the other player really does.
fn place(frame: usize) -> DVec3 {
    let time = frame as f64 / 60.0;
    DVec3::new(0.6 + 0.3 * (2.0 * time).sin(), 0.5, 0.5 - 0.45 * (1.3 * time).sin())
}

/// Runs it, looks whether it went well, and draws where it ended.
pub fn main() -> Result<(), Error> {
    let (mut world, curtain, ball) = build()?;
    let (mut knows, ..) = build()?;
    // [rollback]
    // One state per frame that may still have to be taken back; their memory is used again and again.
    let mut saved: Vec<WorldState> = vec![WorldState::default(); DELAY];
    let frames = 80;
    for frame in 0..frames {
        // What arrives now is `DELAY` frames old. Back to where that was, and on again with what is known.
        if frame >= DELAY {
            let old = frame - DELAY;
            world.restore(&saved[old % DELAY])?;
            for again in old..frame {
                world.save_into(&mut saved[again % DELAY]);
                // Known up to `old`, guessed after it: the ball stays where it was seen last.
                world.move_collider(ball, place(old + 1), DQuat::IDENTITY)?;
                world.step()?;
            }
        }
        world.save_into(&mut saved[frame % DELAY]);
        let seen = if frame >= DELAY { frame - DELAY + 1 } else { 0 };
        world.move_collider(ball, place(seen), DQuat::IDENTITY)?;
        world.step()?;
    }
    // [rollback]
    for old in frames - DELAY..frames {
        // The rest arrives.
        world.restore(&saved[old % DELAY])?;
        world.move_collider(ball, place(old + 1), DQuat::IDENTITY)?;
        world.step()?;
        if old + 1 < frames {
            world.save_into(&mut saved[(old + 1) % DELAY]);
        }
    }
    for frame in 0..frames {
        knows.move_collider(ball, place(frame + 1), DQuat::IDENTITY)?;
        knows.step()?;
    }

    let [late, right] = [&world, &knows].map(|world| world.cloth(curtain).map(|cloth| cloth.state_hash()));
    assert_eq!(late?, right?, "the same bits, however late");
    let positions: Vec<[f32; 3]> = world.cloth(curtain)?.positions().iter().map(|p| p.to_array()).collect();
    let mut drawn = vec![(positions, world.cloth(curtain)?.cloth().triangles().to_vec())];
    if let Some(mesh) = world.collider(ball)?.surface_mesh(world.time()) {
        drawn.push((mesh.positions.iter().map(|p| p.to_array()).collect(), mesh.triangles));
    }
    let drawn: Vec<_> = drawn.iter().map(|(positions, triangles)| (&positions[..], &triangles[..])).collect();
    picture::draw("rollback", &drawn);
    Ok(())
}
