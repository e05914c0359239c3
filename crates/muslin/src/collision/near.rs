//! What colliders are near particles.
//!
//! Input: where cloths are at the start of a substep, and where colliders are then and at its end. Output, for solvers
//! that ask for it ([`Solver::reach`](crate::solver::Solver::reach)): of each particle the plane that bounds the nearest
//! collider there (`solver/multilevel/contact.rs` says what for).
//!
//! The plane is that at the end of the substep: it goes along with the place of the collider that is nearest at the
//! start. Rigid bodies have none: what a plane holds back they would not feel. Like `touching`, positions alone decide.

use glam::{Vec3, Vec4};

use super::Collisions;
use super::body::Body;
use super::placed::Placed;
use super::surface::Between;
use crate::Simulation;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::solver::Near;

/// Particles of a grid keep this share of the gap that the coarse mesh keeps: folds may be a little nearer.
const KEPT: f64 = 0.5;

impl Collisions {
    /// Tells solvers that ask for it what is near their particles.
    pub fn find_near(
        &self,
        cloths: &mut [(String, Simulation)],
        execution: Execution,
        timings: &mut Timings,
    ) {
        let Self { bodies, placed, .. } = self;
        if placed.is_empty() {
            return;
        }
        for (cloth, (_, simulation)) in cloths.iter_mut().enumerate() {
            let Some(reach) = simulation.solver.reach() else { continue };
            let points = &simulation.state.points;
            let near = timings.time(Stage::BroadPhase, || {
                let mut nearest = vec![(f64::INFINITY, Near::default()); points.len()];
                for (number, (placed, body)) in placed.iter().zip(&bodies.all[bodies.cloths..]).enumerate() {
                    let Some(placed) = placed else { continue };
                    let between = bodies.between([cloth as u16, (bodies.cloths + number) as u16]);
                    execution.for_each_chunk(&mut nearest, |first, nearest| {
                        for (nearest, point) in nearest.iter_mut().zip(&points[first..]) {
                            let found = near_to(placed, body, between, point.truncate(), reach);
                            *nearest = found.filter(|found| found.0 < nearest.0).unwrap_or(*nearest);
                        }
                    });
                }
                nearest.into_iter().map(|(_, near)| near).collect()
            });
            simulation.solver.near(near);
        }
    }
}

/// A collider's plane near a point, and how far from that the point is at the start; nothing out of reach.
fn near_to(placed: &Placed, body: &Body, between: &Between, point: Vec3, reach: f32) -> Option<(f64, Near)> {
    let kept = between.radius + KEPT * between.gap;
    let nearest = placed.nearest(body, point, kept + f64::from(reach))?;
    let (place, normal) = placed.carried(&nearest);
    let offset = normal.dot(place) + kept;
    // Of the surface: the place itself may be on a centre line, about which that turns.
    let moved = (place + between.radius * normal) - (nearest.place + between.radius * nearest.normal);
    let [sliding, resting] = between.friction.map(|share| share as f32);
    let near = Near {
        plane: normal.as_vec3().extend(offset as f32),
        friction: Vec4::new(sliding, resting, 0.0, 0.0),
        moved: moved.as_vec3().extend(0.0),
    };
    Some((nearest.distance - kept, near))
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::super::bodies::Bodies;
    use super::super::coarse::Level;
    use super::super::collider::{Collider, ColliderMotion, Pose, Shape};
    use super::*;

    /// What is near a point, between times 0 and 1.
    fn near_in_a_second(collider: Collider, point: Vec3) -> Near {
        let (bodies, _) = Bodies::new(&[], vec![collider.clone()], &[], &[], Level::Alone).unwrap();
        let mut placed = Placed::new(&bodies.all[0], &collider, Execution::default());
        placed.go(&bodies.all[0], &collider, [0.0, 1.0], Execution::default());
        let radius = collider.shape.radius().into();
        let between = Between { gap: 0.0, radius, friction: [0.3; 2], stiffness: 1.0 };
        near_to(&placed, &bodies.all[0], &between, point, 0.1).expect("in reach").1
    }

    #[test]
    fn planes_go_along_with_every_kind_of_collider() {
        let [from, to] = [Vec3::X, Vec3::NEG_X];
        let rotation = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.3);
        let end = Pose { time: 1.0, rotation, translation: DVec3::new(0.1, 0.2, -0.3) };
        let cube = Shape::cuboid(Vec3::NEG_Y * 0.5, Vec3::ONE);
        for (what, shape) in [
            ("plane", Shape::Plane { point: Vec3::ZERO, normal: Vec3::Y }),
            ("ball", Shape::Sphere { center: Vec3::NEG_Y, radius: 1.0 }),
            ("capsule", Shape::Capsule { from: from - Vec3::Y, to: to - Vec3::Y, radius: 1.0 }),
            ("box", cube.clone()),
            ("sequence", cube),
        ] {
            let point = Vec3::new(0.12, 0.05, 0.07);
            let mut collider = Collider::new(what, shape);
            let at_rest = near_in_a_second(collider.clone(), point);
            let carry = |p: &Vec3| end.apply(p.as_dvec3()).as_vec3();
            let points = collider.shape.points();
            collider.motion = match what {
                "sequence" => {
                    let frames = vec![points.clone(), points.iter().map(carry).collect()];
                    ColliderMotion::Sequence { frames, fps: 1.0 }
                }
                _ => ColliderMotion::Poses(vec![Pose::IDENTITY, end]),
            };
            let near = near_in_a_second(collider, point);
            let outside = |near: &Near, p: Vec3| near.plane.truncate().dot(p) - near.plane.w;
            let distance = outside(&at_rest, point);
            assert!((outside(&near, carry(&point)) - distance).abs() < 1e-5, "{what}");
            assert_eq!(at_rest.moved, Vec4::ZERO, "{what}");
            let surface = point - distance * at_rest.plane.truncate();
            let moved = carry(&surface) - surface;
            assert!((near.moved.truncate() - moved).length() < 1e-5, "{what}: {}", near.moved);
        }
    }
}
