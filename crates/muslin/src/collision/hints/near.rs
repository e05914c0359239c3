//! What colliders are near particles.
//!
//! Input: where cloths are at the start of a substep, and where colliders are then and at its end. Output, for solvers
//! that ask for it ([`Senses`](crate::solver::Senses)): of each particle the plane that bounds the nearest
//! collider there (`solver/multilevel/bounds/contact.rs` says what for).
//!
//! A collider that moves has two, at the start and at the end of the substep; the latter is where a particle would
//! be that goes on as it did. Rigid bodies have none: what a plane holds back they would not feel. Like `touching`, positions
//! and velocities alone decide.

use glam::{Vec3, Vec4};

use super::Hints;
use super::placed::{Nearest, Placed};
use crate::collision::bodies::Bodies;
use crate::collision::bodies::body::Body;
use crate::collision::bodies::surface::Between;
use crate::execution::Execution;

/// Particles of a grid keep this share of the gap that the coarse mesh keeps: folds may be a little nearer.
const KEPT: f64 = 0.5;

/// What is near a particle; all zero where nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub(crate) struct Near {
    /// Bounds the nearest collider at the end of the step: n·x ≥ d outside, with d in w.
    pub plane: Vec4,
    /// Its plane at the start.
    pub before: Vec4,
    /// While sliding (x), at rest (y).
    pub friction: Vec4,
    /// How far the collider moves there in the step.
    pub moved: Vec4,
}

/// Particles of a cloth at the start of a substep.
#[derive(Clone, Copy)]
pub(crate) struct Particles<'a> {
    /// Metres.
    pub points: &'a [Vec4],
    /// m/s.
    pub velocities: &'a [Vec4],
    /// Seconds.
    pub dt: f64,
}

impl Hints {
    /// What is near each particle of a cloth, no farther away than `reach`.
    pub fn near(
        &self,
        bodies: &Bodies,
        cloth: usize,
        particles: Particles<'_>,
        reach: f32,
        execution: Execution,
    ) -> Vec<Near> {
        let Particles { points, velocities, dt } = particles;
        let mut nearest = vec![(f64::INFINITY, Near::default()); points.len()];
        for (number, body, placed) in self.placed(bodies) {
            let between = bodies.between([cloth as u16, number]);
            execution.for_each_chunk(&mut nearest, |first, nearest| {
                let moving = points[first..].iter().zip(&velocities[first..]);
                for (nearest, (point, velocity)) in nearest.iter_mut().zip(moving) {
                    let way = [*point, point + dt as f32 * velocity].map(Vec4::truncate);
                    let found = near_to(placed, body, between, way, reach);
                    *nearest = found.filter(|found| found.0 < nearest.0).unwrap_or(*nearest);
                }
            });
        }
        nearest.into_iter().map(|(_, near)| near).collect()
    }
}

/// A collider's planes near a point that goes this way, and how far from the last of them it ends; nothing out of reach.
fn near_to(
    placed: &Placed,
    body: &Body,
    between: &Between,
    [from, to]: [Vec3; 2],
    reach: f32,
) -> Option<(f64, Near)> {
    let kept = between.radius + KEPT * between.gap;
    let within = kept + f64::from(reach);
    let start = placed.nearest(body, from, within + placed.travel)?;
    let carried = placed.carried(&start);
    let end = placed.nearest_at_end(body, &carried, to, within)?;
    let plane = |at: &Nearest| at.normal.as_vec3().extend((at.normal.dot(at.place) + kept) as f32);
    // The place itself may be on a centre line, about which the surface turns.
    let surface = |at: &Nearest| at.place + between.radius * at.normal;
    let moved = surface(&carried) - surface(&start);
    let [sliding, resting] = between.friction.map(|share| share as f32);
    let near = Near {
        plane: plane(&end),
        before: plane(&start),
        friction: Vec4::new(sliding, resting, 0.0, 0.0),
        moved: moved.as_vec3().extend(0.0),
    };
    Some((end.distance - kept, near))
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::collision::bodies::collider::{Collider, ColliderMotion, Pose, Shape};

    /// What is near a point that goes from one place to another between times 0 and 1.
    fn near_in_a_second(collider: &Collider, way: [Vec3; 2]) -> Option<Near> {
        let (bodies, _) = Bodies::new(&[], std::slice::from_ref(collider), &[], &[], 1.0).unwrap();
        let rest = collider.shape.points();
        let moving = (collider, rest.as_slice());
        let mut placed = Placed::new(&bodies.all[0], moving, DVec3::ZERO, 0.0, Execution::default());
        placed.go(&bodies.all[0], moving, [0.0, 1.0], Execution::default());
        let radius = collider.shape.radius().into();
        let between = Between { gap: 0.0, radius, friction: [0.3; 2], stiffness: 1.0 };
        near_to(&placed, &bodies.all[0], &between, way, 0.1).map(|(_, near)| near)
    }

    fn outside(plane: Vec4, point: Vec3) -> f32 {
        plane.truncate().dot(point) - plane.w
    }

    fn ball(radius: f32, end: Pose) -> Collider {
        let motion = ColliderMotion::Poses(vec![Pose::IDENTITY, Pose { time: 1.0, ..end }]);
        Collider { motion, ..Collider::new("ball", Shape::Sphere { center: Vec3::ZERO, radius }) }
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
            let at_rest = near_in_a_second(&collider, [point; 2]).expect("in reach");
            assert_eq!((at_rest.plane, at_rest.moved), (at_rest.before, Vec4::ZERO), "{what}");
            let carry = |p: &Vec3| end.apply(p.as_dvec3()).as_vec3();
            let points = collider.shape.points();
            collider.motion = match what {
                "sequence" => {
                    let frames = vec![points.clone(), points.iter().map(carry).collect()].into();
                    ColliderMotion::Sequence { frames, fps: 1.0, start: 0.0 }
                }
                _ => ColliderMotion::Poses(vec![Pose::IDENTITY, end]),
            };
            let near = near_in_a_second(&collider, [point, carry(&point)]).expect("in reach");
            let distance = outside(at_rest.plane, point);
            assert_eq!(near.before, at_rest.plane, "{what}");
            assert!((outside(near.plane, carry(&point)) - distance).abs() < 1e-5, "{what}");
            let surface = point - distance * at_rest.plane.truncate();
            let moved = carry(&surface) - surface;
            assert!((near.moved.truncate() - moved).length() < 1e-5, "{what}: {}", near.moved);
        }
    }

    #[test]
    fn a_ball_that_turns_on_the_spot_lifts_nothing() {
        let turn = Pose { rotation: DQuat::from_rotation_z(0.5), ..Pose::IDENTITY };
        let near = near_in_a_second(&ball(0.25, turn), [Vec3::new(0.0, 0.26, 0.0); 2]).expect("in reach");
        assert!((near.plane - Vec4::new(0.0, 1.0, 0.0, 0.25)).length() < 1e-6, "{near:?}");
        assert!((near.moved.x + 0.25 * 0.5_f32.sin()).abs() < 1e-6, "{near:?}");
    }

    /// Tangent planes have no end; that of where a ball was nearest before would push.
    #[test]
    fn what_a_ball_passes_by_is_not_pushed() {
        let way = Pose { translation: DVec3::X * 0.06, ..Pose::IDENTITY };
        let point = Vec3::new(1.0, 1.0, 0.0).normalize() * 0.07;
        let near = near_in_a_second(&ball(0.04, way), [point; 2]).expect("in reach");
        let nearest = point.distance(Vec3::X * 0.06) - 0.04;
        assert!((outside(near.plane, point) - nearest).abs() < 1e-6, "{near:?}");
    }

    #[test]
    fn what_comes_from_afar_is_seen_and_what_it_comes_over_is_not_turned_inside_out() {
        let cube = Shape::cuboid(Vec3::NEG_Y * 0.5, Vec3::ONE);
        let up = Pose { time: 1.0, translation: DVec3::Y * 0.3, ..Pose::IDENTITY };
        let motion = ColliderMotion::Poses(vec![Pose::IDENTITY, up]);
        let near = near_in_a_second(&Collider { motion, ..Collider::new("box", cube) }, [Vec3::Y * 0.25; 2]);
        assert!((near.expect("in reach").plane - Vec4::new(0.0, 1.0, 0.0, 0.3)).length() < 1e-6);
        let away = Pose { translation: DVec3::NEG_Y * 0.3, ..Pose::IDENTITY };
        assert_eq!(near_in_a_second(&ball(0.25, away), [Vec3::Y * 0.3; 2]), None, "it goes away");
    }
}
