//! Which particles lie on colliders.
//!
//! Input: where cloths and colliders are at the start of a substep. Output: of each particle the direction
//! away from the collider that it touches, or zero; the solver wants to know it before there are contacts
//! (`solver/shape_matching/touching_edge.rs` says what for).
//!
//! Positions alone decide. Contacts of the last substep would do, but then a state would be more than
//! positions and velocities, and a run that is resumed would have other bits. Other cloth does not count: it
//! gives way.

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

/// A collider at one time.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    points: Vec<Vec3>,
    /// Around its primitives, where its points are.
    tree: Bvh,
    /// If it is a plane.
    normal: Option<DVec3>,
}

impl Collisions {
    /// Tells the solvers which particles lie on colliders at a time.
    pub fn find_touching(
        &mut self,
        cloths: &mut [(String, Simulation)],
        time: f64,
        execution: Execution,
        timings: &mut Timings,
    ) {
        if self.bodies.colliders.is_empty() {
            return;
        }
        let Self { bodies, placed, coarse, .. } = self;
        timings.time(Stage::BroadPhase, || {
            let colliders = &bodies.all[bodies.cloths..];
            placed.resize_with(colliders.len(), Placed::nowhere);
            for ((placed, body), collider) in placed.iter_mut().zip(colliders).zip(&bodies.colliders) {
                placed.update(body, &collider.collider, time, execution);
            }
            // After a coarser level, the gap that is kept is that level's.
            let keeping = coarse.as_ref().map_or(&*bodies, |coarse| &coarse.bodies);
            for (cloth, (_, simulation)) in cloths.iter_mut().enumerate() {
                let mut normals = vec![Vec4::ZERO; simulation.state.points.len()];
                for (number, (placed, body)) in placed.iter().zip(colliders).enumerate() {
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
    fn nowhere() -> Self {
        Self { points: Vec::new(), tree: Bvh::default(), normal: None }
    }

    /// Moves it to where it is at a time.
    fn update(&mut self, body: &Body, collider: &Collider, time: f64, execution: Execution) {
        if matches!(collider.motion, ColliderMotion::Fixed) && !self.points.is_empty() {
            return;
        }
        let before = std::mem::take(&mut self.points);
        collider.points_at(&collider.shape.points(), time, &mut self.points);
        if let Shape::Plane { normal, .. } = collider.shape {
            self.normal = Some(collider.motion.pose(time).rotation * normal.as_dvec3());
        }
        if before != self.points {
            let first = body.points.start;
            let around = |primitive: &Primitive| {
                let corners = primitive.corners.map(|p| self.points[(p - first) as usize]);
                MovingBox::still(Aabb::of_points(corners))
            };
            if before.is_empty() {
                self.tree = body.bvh.clone();
            }
            self.tree.refit_with(execution, |primitive| around(&body.primitives[primitive as usize]));
        }
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
            let (bodies, _) = Bodies::new(&[], vec![collider.clone()], &[], Level::Alone).unwrap();
            let mut placed = Placed::nowhere();
            placed.update(&bodies.all[0], &collider, 0.0, Execution::default());
            let at = |height: f32| {
                let point = Vec3::new(0.0, top + height, 0.0);
                placed.normal_at(&bodies.all[0], point, radius + 0.002)
            };
            assert!((at(0.0019) - Vec3::Y).length() < 1e-5, "{what}: {}", at(0.0019));
            assert_eq!(at(0.0021), Vec3::ZERO, "{what}");
        }
    }
}
