//! Which particles lie on colliders.
//!
//! Input: where cloths are at the start of a substep, and colliders at rest. Output: of each particle the direction
//! away from the collider that it touches, or zero; the solver wants to know it before there are contacts
//! (`solver/shape_matching/touching_edge.rs` says what for).
//!
//! Positions alone decide. Contacts of the last substep would do, but then a state would be more than
//! positions and velocities, and a run that is resumed would have other bits. Other cloth does not count: it
//! gives way, and so do rigid bodies. Nor do colliders that move: a dress that a walking body pinches had edges stretched by up to 62 %
//! when they did, and by 40 % without.

use glam::{DVec3, Vec3, Vec4};

use super::Collisions;
use super::body::{Body, Primitive};
use super::bvh::{Aabb, Bvh, MovingBox};
use super::collider::{Collider, ColliderMotion, Shape};
use super::proximity::closest_in_triangle;
use crate::Simulation;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::solver::Near;

/// Particles within this many gaps touch. What rests is at one gap, give or take what a step's push leaves.
const TOUCHING: f64 = 1.1;

/// Particles of a grid keep this share of the gap that the coarse mesh keeps: folds may be a little nearer.
const KEPT: f64 = 0.5;

/// A collider that does not move.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    points: Vec<Vec3>,
    /// Around its primitives, where its points are.
    tree: Bvh,
    /// If it is a plane.
    normal: Option<DVec3>,
}

impl Collisions {
    /// Tells the solvers which particles lie on colliders at rest.
    pub fn find_touching(
        &mut self,
        cloths: &mut [(String, Simulation)],
        execution: Execution,
        timings: &mut Timings,
    ) {
        if self.bodies.colliders.is_empty() {
            return;
        }
        let Self { bodies, placed, coarse, .. } = self;
        timings.time(Stage::BroadPhase, || {
            let colliders = &bodies.all[bodies.cloths..];
            if placed.is_empty() {
                let all = colliders.iter().zip(&bodies.colliders);
                placed.extend(all.map(|(body, collider)| {
                    let at_rest = collider.rigid.is_none();
                    at_rest.then(|| Placed::new(body, &collider.collider, execution)).flatten()
                }));
            }
            // After a coarser level, the gap that is kept is that level's.
            let keeping = coarse.as_ref().map_or(&*bodies, |coarse| &coarse.bodies);
            for (cloth, (_, simulation)) in cloths.iter_mut().enumerate() {
                if simulation.solver.reach().is_some() {
                    continue; // planes tell it more
                }
                let mut normals = vec![Vec4::ZERO; simulation.state.points.len()];
                for (number, (placed, body)) in placed.iter().zip(colliders).enumerate() {
                    let Some(placed) = placed else { continue };
                    let between = keeping.between([cloth as u16, (bodies.cloths + number) as u16]);
                    let within = between.radius + TOUCHING * between.gap;
                    let points = &simulation.state.points;
                    execution.for_each_chunk(&mut normals, |first, normals| {
                        for (normal, point) in normals.iter_mut().zip(&points[first..]) {
                            *normal += placed.normal_at(body, point.truncate(), within).extend(0.0);
                        }
                    });
                }
                for normal in &mut normals {
                    *normal = normal.normalize_or_zero();
                }
                simulation.solver.touch(&normals);
            }
        });
        self.find_near(cloths, execution, timings);
    }

    /// Tells solvers that ask for it what colliders at rest are near their particles.
    fn find_near(&self, cloths: &mut [(String, Simulation)], execution: Execution, timings: &mut Timings) {
        let Self { bodies, placed, .. } = self;
        let colliders = &bodies.all[bodies.cloths..];
        for (cloth, (_, simulation)) in cloths.iter_mut().enumerate() {
            let Some(reach) = simulation.solver.reach() else { continue };
            let points = &simulation.state.points;
            let near = timings.time(Stage::BroadPhase, || {
                let mut nearest = vec![(f64::INFINITY, Near::default()); points.len()];
                for (number, (placed, body)) in placed.iter().zip(colliders).enumerate() {
                    let Some(placed) = placed else { continue };
                    let between = bodies.between([cloth as u16, (bodies.cloths + number) as u16]);
                    let kept = between.radius + KEPT * between.gap;
                    let [sliding, resting] = between.friction.map(|share| share as f32);
                    execution.for_each_chunk(&mut nearest, |first, nearest| {
                        for (nearest, point) in nearest.iter_mut().zip(&points[first..]) {
                            let found = placed.nearest(body, point.truncate(), kept + f64::from(reach));
                            let Some(Nearest { place, normal, distance }) = found else { continue };
                            if distance - kept < nearest.0 {
                                let offset = normal.dot(place) + kept;
                                let plane = normal.as_vec3().extend(offset as f32);
                                let friction = Vec4::new(sliding, resting, 0.0, 0.0);
                                *nearest = (distance - kept, Near { plane, friction });
                            }
                        }
                    });
                }
                nearest.into_iter().map(|(_, near)| near).collect()
            });
            simulation.solver.near(near);
        }
    }
}

/// What of a collider is nearest to a point.
struct Nearest {
    place: DVec3,
    /// From there to the point; of a plane its own.
    normal: DVec3,
    distance: f64,
}

impl Placed {
    /// `None` if it moves.
    fn new(body: &Body, collider: &Collider, execution: Execution) -> Option<Self> {
        if !matches!(collider.motion, ColliderMotion::Fixed) {
            return None;
        }
        let (points, first) = (collider.shape.points(), body.points.start);
        let around = |primitive: &Primitive| {
            MovingBox::still(Aabb::of_points(primitive.corners.map(|p| points[(p - first) as usize])))
        };
        let mut tree = body.bvh.clone();
        tree.refit_with(execution, |primitive| around(&body.primitives[primitive as usize]));
        let normal = match collider.shape {
            Shape::Plane { normal, .. } => Some(normal.as_dvec3()),
            _ => None,
        };
        Some(Self { points, tree, normal })
    }

    /// The direction from the nearest place of the collider to a point, if that is near enough, else zero.
    fn normal_at(&self, body: &Body, point: Vec3, within: f64) -> Vec3 {
        self.nearest(body, point, within).map_or(Vec3::ZERO, |nearest| nearest.normal.as_vec3())
    }

    /// The nearest place of the collider, if it is near enough and not the point itself.
    fn nearest(&self, body: &Body, point: Vec3, within: f64) -> Option<Nearest> {
        let point_f64 = point.as_dvec3();
        if let Some(normal) = self.normal {
            let distance = normal.dot(point_f64 - self.points[0].as_dvec3());
            let place = point_f64 - distance * normal;
            return (distance < within).then_some(Nearest { place, normal, distance });
        }
        let first = body.points.start;
        let (mut nearest_sq, mut place) = (within * within, None);
        let query = MovingBox::still(Aabb::of_points([point]).inflate(within as f32));
        self.tree.visit(&query, |primitive| {
            let corners = body.primitives[primitive as usize].corners;
            let corners = corners.map(|p| self.points[(p - first) as usize].as_dvec3());
            let closest = closest_in_triangle(point_f64, corners);
            if closest.distance_sq < nearest_sq {
                let [u, v, w] = closest.weights;
                nearest_sq = closest.distance_sq;
                place = Some(corners[0] * u + corners[1] * v + corners[2] * w);
            }
        });
        let place = place?;
        let normal = (point_f64 - place).try_normalize()?;
        Some(Nearest { place, normal, distance: nearest_sq.sqrt() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::bodies::Bodies;
    use super::super::coarse::Level;
    use super::*;

    #[test]
    fn normals_point_away_from_every_kind_of_collider() {
        let from_to = [Vec3::X, Vec3::NEG_X];
        for (what, shape, radius) in [
            ("plane", Shape::Plane { point: Vec3::ZERO, normal: Vec3::Y }, 0.0),
            ("ball", Shape::Sphere { center: Vec3::NEG_Y, radius: 1.0 }, 1.0),
            ("capsule", Shape::Capsule { from: from_to[0], to: from_to[1], radius: 0.5 }, 0.5),
            ("box", Shape::cuboid(Vec3::NEG_Y, Vec3::splat(2.0)), 0.0),
        ] {
            let top = if what == "capsule" { 0.5 } else { 0.0 };
            let collider = Collider::new(what, shape);
            let (bodies, _) = Bodies::new(&[], vec![collider.clone()], &[], &[], Level::Alone).unwrap();
            let placed = Placed::new(&bodies.all[0], &collider, Execution::default()).unwrap();
            let at = |height: f32| {
                let point = Vec3::new(0.0, top + height, 0.0);
                placed.normal_at(&bodies.all[0], point, radius + 0.002)
            };
            assert!((at(0.0019) - Vec3::Y).length() < 1e-5, "{what}: {}", at(0.0019));
            assert_eq!(at(0.0021), Vec3::ZERO, "{what}");
        }
    }
}
