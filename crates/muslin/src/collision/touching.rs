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

/// Particles within this many gaps touch. What rests is at one gap, give or take what a step's push leaves.
const TOUCHING: f64 = 1.1;

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
    }
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
        let place = point.as_dvec3();
        if let Some(normal) = self.normal {
            let height = normal.dot(place - self.points[0].as_dvec3());
            return if height < within { normal.as_vec3() } else { Vec3::ZERO };
        }
        let first = body.points.start;
        let (mut nearest, mut normal) = (within * within, DVec3::ZERO);
        let query = MovingBox::still(Aabb::of_points([point]).inflate(within as f32));
        self.tree.visit(&query, |primitive| {
            let corners = body.primitives[primitive as usize].corners;
            let corners = corners.map(|p| self.points[(p - first) as usize].as_dvec3());
            let closest = closest_in_triangle(place, corners);
            if closest.distance_sq < nearest {
                let [u, v, w] = closest.weights;
                nearest = closest.distance_sq;
                normal = place - (corners[0] * u + corners[1] * v + corners[2] * w);
            }
        });
        normal.normalize_or_zero().as_vec3()
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
