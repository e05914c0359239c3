//! A flag that is driven by a hand: grabbed where a cursor is, pulled, let go, and pinned somewhere else, in wind that turns.
//!
//! The loop is that of a game: frames come when they come, the world steps at its own rate, and what is shown lies between two
//! steps.
//!
//!     cargo run --release -p muslin --example flag_by_hand

use std::f64::consts::TAU;

use muslin::cloth::{Cloth, fabric};
use muslin::forces::wind::Wind;
use muslin::glam::{DVec3, Vec3};
use muslin::mesh::generate;
use muslin::{Error, Event, FixedStep, Hold, HoldId, Settings, World};

#[path = "support/picture.rs"]
mod picture;

/// What a player does with the cursor.
enum Cursor {
    Press,
    Drag(DVec3),
    Release,
}

/// Runs it, looks whether it went well, and draws where it ended.
pub fn main() -> Result<(), Error> {
    // [build]
    let mesh = generate::grid(30, 20, 1.5, 1.0)?;
    let triangles = mesh.triangles.clone();
    let silk = fabric("silk").expect("a fabric that is built in").material();
    let flag = Cloth::builder(mesh).material(silk).pin_group("left").build()?;
    let air = Settings { wind: Some(Wind::blowing(Vec3::new(6.0, 0.0, 1.0))), ..Settings::default() };
    let mut world = World::builder().settings(air).cloth("flag", flag).build()?;
    let flag = world.cloth_ids()[0];
    world.watch_strain(Some(0.2))?;
    // [build]

    let vertices = world.cloth(flag)?.cloth().vertex_count();
    let (mut positions, mut normals) = (vec![[0.0; 3]; vertices], vec![[0.0; 3]; vertices]);
    let mut clock = FixedStep::new();
    let mut held: Option<HoldId> = None;
    for frame in 0..600 {
        // [hand]
        match cursor(frame) {
            Some(Cursor::Press) => {
                // The triangle under the cursor, and where in it; here the corner of the flag's free end.
                let vertices = triangles[triangles.len() - 1];
                let weights = [0.2, 0.2, 0.6];
                let place = world.cloth(flag)?.place_in(vertices, weights)?;
                // As strong as a finger: the flag weighs 0.1 kg.
                let hold = Hold { vertices, weights, place, stiffness: 200.0 };
                held = Some(world.cloth_mut(flag)?.hold(hold)?);
            }
            Some(Cursor::Drag(place)) => {
                if let Some(hold) = held {
                    world.cloth_mut(flag)?.move_hold(hold, place)?;
                }
            }
            Some(Cursor::Release) => {
                if let Some(hold) = held.take() {
                    world.cloth_mut(flag)?.let_go(hold)?;
                }
            }
            None => {}
        }
        // [hand]
        if frame == 450 {
            // [wind]
            world.set_wind(Some(Wind::blowing(Vec3::new(2.0, 0.0, -5.0))))?;
            // [wind]
        }
        // [loop]
        for _ in 0..clock.advance(1.0 / 144.0, &world) {
            world.step()?;
            for event in world.events() {
                if let Event::StrainExceeded { cloth, strain } = event {
                    println!("{cloth} is stretched by {:.0} %", 100.0 * strain);
                }
            }
        }
        let shown = world.cloth(flag)?;
        shown.positions_between_into(clock.share(), &mut positions)?;
        shown.normals_into(&mut normals)?;
        // [loop]
    }

    let flag = world.cloth(flag)?;
    assert!(flag.strain().max_edge < 0.2, "it must not be stretched like rubber: {:?}", flag.strain());
    let blown = positions.iter().map(|p| p[2]).fold(0.0, f32::min);
    assert!(blown < -0.3, "the wind has turned: {blown} m");
    picture::draw("flag_by_hand", &[(&positions, flag.cloth().triangles())]);
    Ok(())
}

/// A player takes the free corner after half a second, leads it around for two, and lets go.
fn cursor(frame: u32) -> Option<Cursor> {
    match frame {
        72 => Some(Cursor::Press),
        73..360 => {
            let turn = TAU * f64::from(frame - 73) / 144.0;
            Some(Cursor::Drag(DVec3::new(1.1 + 0.2 * turn.cos(), 0.5, 0.5 * turn.sin())))
        }
        360 => Some(Cursor::Release),
        _ => None,
    }
}
