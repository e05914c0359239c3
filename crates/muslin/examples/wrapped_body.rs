//! A rigid body wrapped in cloth: a box on a cloth whose corners are drawn up to a bundle, carried away, and opened again.
//!
//!     cargo run --release -p muslin --features rigid-bodies --example wrapped_body

use muslin::cloth::{Cloth, fabric};
use muslin::collision::{Collider, Shape};
use muslin::glam::{DVec3, Vec3};
use muslin::mesh::generate;
use muslin::rigid::{Mass, RigidBody, RigidShape};
use muslin::{Error, Event, Handle, Settings, World};

#[path = "support/picture.rs"]
mod picture;

/// Runs it, looks whether it went well, and draws where it ended.
pub fn main() -> Result<(), Error> {
    // [build]
    let mut mesh = generate::grid(30, 30, 0.9, 0.9)?;
    for p in &mut mesh.positions {
        *p = Vec3::new(p.x - 0.45, 0.01, p.y - 0.45);
    }
    let corners = [0, 30, 930, 960];
    let denim = fabric("denim").expect("a fabric that is built in").material();
    let mut parcel = RigidBody::new("parcel", RigidShape::Box { size: Vec3::new(0.24, 0.16, 0.2) });
    parcel.mass = Mass::Total(0.4);
    let mut world = World::builder()
        .settings(Settings { substeps: 8, ..Settings::default() })
        .cloth("cloth", Cloth::builder(mesh).material(denim).build()?)
        .collider(Collider::new("floor", Shape::Plane { point: Vec3::ZERO, normal: Vec3::Y }))
        .body(parcel.at(DVec3::new(0.0, 0.1, 0.0)))
        .build()?;
    let (cloth, parcel) = (world.cloth_ids()[0], world.body_ids()[0]);
    // [build]

    let mut carried = 0.0f64;
    for frame in 0..300 {
        match frame {
            // [wrap]
            // Four fingers take the corners, ...
            30 => world.cloth_mut(cloth)?.pin_all(&corners)?,
            // ... draw them together and up, ...
            31..150 => {
                let share = f64::from(frame - 30) / 120.0;
                for (corner, start) in corners.into_iter().zip(CORNERS) {
                    let place = start.lerp(DVec3::new(0.08 * start.x, 0.75, 0.08 * start.z), share);
                    world.cloth_mut(cloth)?.move_pin(corner, place)?;
                }
            }
            // ... carry the bundle, ...
            150..210 => {
                let way = 0.5 * f64::from(frame - 149) / 60.0;
                for (corner, start) in corners.into_iter().zip(CORNERS) {
                    world
                        .cloth_mut(cloth)?
                        .move_pin(corner, DVec3::new(0.08 * start.x + way, 0.75, 0.08 * start.z))?;
                }
            }
            // ... and let go.
            210 => world.cloth_mut(cloth)?.release_all(&corners)?,
            // [wrap]
            _ => {}
        }
        world.step()?;
        for event in world.events() {
            if let Event::ContactBegan { with: Handle::Body(body), .. } = event {
                println!("frame {frame}: the cloth touches {}", world.name(*body)?);
            }
        }
        carried = carried.max(world.body(parcel)?.center().y);
    }

    assert!(carried > 0.2, "the bundle was lifted with the parcel in it: {carried} m");
    let parcel = world.body(parcel)?;
    assert!((parcel.center().x - 0.5).abs() < 0.2, "and carried half a metre: {}", parcel.center());
    assert!(world.intersections().is_clean(), "{:?}", world.intersections());
    let placed = parcel.placed_mesh();
    let body: Vec<[f32; 3]> =
        (0..placed.positions.len() as u32).map(|v| placed.place(v).as_vec3().to_array()).collect();
    let positions: Vec<[f32; 3]> = world.cloth(cloth)?.positions().iter().map(|p| p.to_array()).collect();
    picture::draw(
        "wrapped_body",
        &[(&positions, world.cloth(cloth)?.cloth().triangles()), (&body, &placed.triangles)],
    );
    Ok(())
}

/// Where the corners of the cloth lie, in their order.
const CORNERS: [DVec3; 4] = [
    DVec3::new(-0.45, 0.01, -0.45),
    DVec3::new(0.45, 0.01, -0.45),
    DVec3::new(-0.45, 0.01, 0.45),
    DVec3::new(0.45, 0.01, 0.45),
];
