//! A cape on a character that walks, turns, swings its arms, and teleports.
//!
//! The character is what a game has of one: capsules that an animation moves. The cape is attached at the shoulders and collides
//! with all of them.
//!
//!     cargo run --release -p muslin --example cape

use std::f64::consts::{PI, TAU};

use muslin::cloth::{Cloth, fabric};
use muslin::collision::{Collider, CollisionSettings, Pose, Shape};
use muslin::glam::{Affine3A, DQuat, DVec3, Quat, Vec3};
use muslin::mesh::generate;
use muslin::{Anchor, ColliderId, Error, Strength, World};

#[path = "support/picture.rs"]
mod picture;

/// A limb: its name, a capsule in the character's own coordinates, and how far it swings, about its upper end.
type Limb = (&'static str, [f32; 3], [f32; 3], f32, f64);

const LIMBS: [Limb; 6] = [
    ("torso", [0.0, 1.0, 0.0], [0.0, 1.35, 0.0], 0.16, 0.0),
    ("head", [0.0, 1.62, 0.0], [0.0, 1.72, 0.0], 0.11, 0.0),
    ("left arm", [0.24, 1.38, 0.0], [0.30, 0.85, 0.0], 0.05, 0.5),
    ("right arm", [-0.24, 1.38, 0.0], [-0.30, 0.85, 0.0], 0.05, -0.5),
    ("left leg", [0.10, 0.90, 0.0], [0.10, 0.08, 0.0], 0.08, -0.45),
    ("right leg", [-0.10, 0.90, 0.0], [-0.10, 0.08, 0.0], 0.08, 0.45),
];

/// Runs it, looks whether it went well, and draws where it ended.
pub fn main() -> Result<(), Error> {
    // [attach]
    let mut world = World::builder().collisions(CollisionSettings::default()).build()?;
    let mut limbs = Vec::new();
    for (name, from, to, radius, swing) in LIMBS {
        let shape = Shape::Capsule { from: from.into(), to: to.into(), radius };
        limbs.push((world.add_collider(Collider::new(name, shape))?, Vec3::from(from).as_dvec3(), swing));
    }
    let torso = limbs[0].0;

    // A sheet behind the back, held by five vertices at each end of its upper edge.
    let mesh = generate::grid(24, 36, 0.62, 1.0)?;
    let edge = mesh.groups["top"].clone();
    let behind = Affine3A::from_rotation_translation(Quat::IDENTITY, Vec3::new(-0.31, 0.45, -0.24));
    let cloth = Cloth::builder(mesh.transformed(behind));
    let cape =
        world.add_cloth("cape", cloth.material(fabric("cotton").expect("built in").material()).build()?)?;
    let shoulders: Vec<u32> = edge[..5].iter().chain(&edge[edge.len() - 5..]).copied().collect();
    world.attach(cape, &shoulders, Anchor::Collider(torso), Strength::Weld)?;
    // [attach]

    let mut worst = 0.0f64;
    for frame in 0..240 {
        let time = f64::from(frame) / 60.0;
        if frame == 120 {
            // [teleport]
            // Through a portal: everything at once, and nobody feels a velocity.
            let portal = (DQuat::from_rotation_y(PI), DVec3::new(50.0, 0.0, 20.0));
            for &(limb, ..) in &limbs {
                let Pose { rotation, translation, .. } = world.collider_pose(limb)?;
                world.teleport_collider(limb, portal.0 * translation + portal.1, portal.0 * rotation)?;
            }
            world.cloth_mut(cape)?.teleport(portal.0, portal.1)?;
            // [teleport]
        }
        // [walk]
        for &(limb, joint, swing) in &limbs {
            let (position, rotation) = placed(time + 1.0 / 60.0, joint, swing, frame >= 120);
            world.move_collider(limb, position, rotation)?;
        }
        world.step()?;
        // [walk]
        worst = worst.max(world.cloth(cape)?.strain().max_edge);
    }

    assert!(world.intersections().is_clean(), "{:?}", world.intersections());
    assert!(worst < 0.2, "the worst edge of all frames: {worst}");
    let time = world.time();
    let positions: Vec<[f32; 3]> = world.cloth(cape)?.positions().iter().map(|p| p.to_array()).collect();
    let mut meshes = vec![(positions, world.cloth(cape)?.cloth().triangles().to_vec())];
    for &(limb, ..) in &limbs {
        meshes.extend(mesh_of(&world, limb, time)?);
    }
    let meshes: Vec<_> =
        meshes.iter().map(|(positions, triangles)| (&positions[..], &triangles[..])).collect();
    picture::draw("cape", &meshes);
    Ok(())
}

/// Where a limb is at a time: on a walk along a circle, after the portal on another.
fn placed(time: f64, joint: DVec3, swing: f64, beyond: bool) -> (DVec3, DQuat) {
    // Faster and faster in the first second.
    let way = if time < 1.0 { 0.5 * time * time } else { time - 0.5 };
    let heading = DQuat::from_rotation_y(0.8 * way);
    let walked = DVec3::new(1.5 * (1.0 - (0.8 * way).cos()), 0.0, 1.5 * (0.8 * way).sin());
    let swung = DQuat::from_rotation_x(swing * time.min(1.0) * (TAU * 0.9 * time).sin());
    let (rotation, position) = (heading * swung, walked + heading * (joint - swung * joint));
    let portal = (DQuat::from_rotation_y(PI), DVec3::new(50.0, 0.0, 20.0));
    if beyond { (portal.0 * position + portal.1, portal.0 * rotation) } else { (position, rotation) }
}

type Drawn = (Vec<[f32; 3]>, Vec<[u32; 3]>);

fn mesh_of(world: &World, limb: ColliderId, time: f64) -> Result<Option<Drawn>, Error> {
    let mesh = world.collider(limb)?.surface_mesh(time);
    Ok(mesh.map(|mesh| {
        let places = (0..mesh.positions.len() as u32).map(|v| mesh.place(v).as_vec3().to_array());
        (places.collect(), mesh.triangles)
    }))
}
