//! Rigid impact zones: the fail-safe when single contacts do not settle ([Bridson 2002] §7.4).
//!
//! Points that keep running into each other move as one rigid body for the rest of the step, with the
//! linear and angular momentum that they have together. What moves rigidly cannot run into itself.
//! Zones that meet become one, so this ends after as many rounds as there are points at the most.
//!
//! A rigid body takes part as a whole, with its mass and inertia; what a zone gives to cloth it takes from the
//! zone's heaviest body, so that momentum is kept exactly (`rigid_zone`).
//!
//! A zone with points that cannot be moved (of colliders, or pinned) takes part in their motion if that
//! is rigid; if it is not, the step has to be divided. Rigid bodies in it take part too: whatever moves or holds
//! these points takes up what is left of their momentum.

use std::collections::BTreeMap;

use glam::{DMat3, DQuat, DVec3, Vec4};

use crate::collision::bodies::Bodies;
use crate::collision::bodies::rigid::RigidEnd;
use crate::collision::detect::narrow::Impact;
use crate::collision::points::Points;
use crate::math::disjoint_sets::DisjointSets;
use crate::math::outer;

/// By how much points may be off a common rigid motion, relative to their motion and in metres.
const RIGID_WITHIN: f64 = 1e-5;

/// How often a rigid motion is fitted to what is left of it.
const MOST_FITS: usize = 8;

/// Sets of points that move together.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImpactZones {
    sets: DisjointSets,
    /// Whether a point is part of any zone.
    member: Vec<bool>,
    /// Ends of all points before any zone was made rigid.
    pub(crate) free_end: Vec<Vec4>,
    /// The same of all rigid bodies.
    pub(crate) free_rigid: Vec<RigidEnd>,
}

/// A zone cannot move rigidly, or what it has taken in meets again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stuck;

impl ImpactZones {
    /// No zones yet.
    pub fn start(&mut self, points: &Points) {
        let count = points.end.len();
        self.sets = DisjointSets::new(count);
        self.member.clear();
        self.member.resize(count, false);
        self.free_end.clone_from(&points.end);
        self.free_rigid.clone_from(&points.rigid);
    }

    /// Puts what meets into zones and moves these; the number of zones.
    pub fn take_in(
        &mut self,
        impacts: &[Impact],
        bodies: &Bodies,
        points: &mut Points,
    ) -> Result<usize, Stuck> {
        let mut grown = false;
        for impact in impacts {
            grown |= self.merge(impact.points(bodies), points);
        }
        let moved = self.move_rigidly(points);
        if grown { moved } else { Err(Stuck) }
    }

    /// Puts points into one zone; false if they were in one already. A rigid body is represented by the first of
    /// its points.
    fn merge(&mut self, members: impl Iterator<Item = u32> + Clone, points: &Points) -> bool {
        let whole = |p: u32| points.rigid_of(p).map_or(p, |body| points.rigid[body].points.start);
        let members = members.map(whole);
        let Some(first) = members.clone().next() else { return false };
        let mut changed = false;
        for p in members {
            changed |= !std::mem::replace(&mut self.member[p as usize], true);
            changed |= self.sets.join(first, p);
        }
        changed
    }

    /// Moves each zone as a rigid body; the number of zones.
    fn move_rigidly(&mut self, points: &mut Points) -> Result<usize, Stuck> {
        let mut zones: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for p in 0..self.member.len() as u32 {
            if self.member[p as usize] {
                zones.entry(self.sets.root(p)).or_default().push(p);
            }
        }
        for zone in zones.values() {
            let motion = self.motion(zone, points).ok_or(Stuck)?;
            let bodies: Vec<usize> = zone.iter().filter_map(|&p| points.rigid_of(p)).collect();
            for &p in zone {
                let i = p as usize;
                if points.end[i].w > 0.0 {
                    let start = points.start[i].truncate().as_dvec3();
                    points.end[i] = motion.apply(start).as_vec3().extend(points.end[i].w);
                    points.changed[i] = true;
                }
            }
            if !bodies.is_empty() {
                self.move_bodies(zone, &bodies, &motion, points);
            }
        }
        points.write_rigid();
        Ok(zones.len())
    }

    /// The rigid motion of a zone.
    fn motion(&self, zone: &[u32], points: &Points) -> Option<RigidMotion> {
        let held: Vec<u32> = zone.iter().copied().filter(|&p| is_held(p, points)).collect();
        let moving = |p: u32, end: &[Vec4], mass: f64| Moving {
            start: points.start[p as usize].truncate().as_dvec3(),
            end: end[p as usize].truncate().as_dvec3(),
            mass,
        };
        if held.is_empty() {
            let mass = |p: u32| 1.0 / f64::from(points.end[p as usize].w);
            let cloth = zone.iter().filter(|&&p| points.end[p as usize].w > 0.0);
            let all: Vec<Moving> = cloth.map(|&p| moving(p, &self.free_end, mass(p))).collect();
            let bodies = zone.iter().filter_map(|&p| points.rigid_of(p)).map(|body| &self.free_rigid[body]);
            return Some(RigidMotion::with_momentum_of(&all, bodies));
        }
        let held: Vec<Moving> = held.iter().map(|&p| moving(p, &points.end, 1.0)).collect();
        let motion = RigidMotion::fitted_to(&held);
        let off = |m: &Moving| (motion.apply(m.start) - m.end).length();
        // Positions of colliders are rounded to single precision.
        let rounding = |m: &Moving| 4e-7 * (m.start.length() + m.end.length());
        let fits = |m: &Moving| off(m) <= RIGID_WITHIN * (m.end - m.start).length() + rounding(m);
        held.iter().all(fits).then_some(motion)
    }
}

/// Whether a point cannot be moved at all.
fn is_held(point: u32, points: &Points) -> bool {
    points.end[point as usize].w == 0.0 && points.rigid_of(point).is_none()
}

struct Moving {
    start: DVec3,
    end: DVec3,
    mass: f64,
}

fn as_point(body: &RigidEnd) -> Moving {
    let start = body.start.center;
    Moving { start, end: start + body.momentum / body.mass, mass: body.mass }
}

/// x ↦ centre + motion + rotation (x − centre).
pub(crate) struct RigidMotion {
    center: DVec3,
    motion: DVec3,
    pub rotation: DQuat,
}

impl RigidMotion {
    pub fn apply(&self, x: DVec3) -> DVec3 {
        self.center + self.motion + self.rotation * (x - self.center)
    }

    /// The motion nearest to that of points, by any angle: what is left after a turn is fitted again.
    fn fitted_to(points: &[Moving]) -> Self {
        let mut fitted = Self::with_momentum_of(points, []);
        for _ in 0..MOST_FITS {
            let left: Vec<Moving> = points
                .iter()
                .map(|p| Moving { start: fitted.apply(p.start), end: p.end, mass: p.mass })
                .collect();
            let rest = Self::with_momentum_of(&left, []);
            // Both turn about the middle of the points, which the first one moves to that of the second.
            fitted.motion += rest.motion;
            fitted.rotation = (rest.rotation * fitted.rotation).normalize();
        }
        fitted
    }

    /// The motion with the linear and angular momentum that points and bodies have together.
    fn with_momentum_of<'a>(points: &[Moving], bodies: impl IntoIterator<Item = &'a RigidEnd>) -> Self {
        // A body is its centre, which moves by its momentum, and what it turns about it.
        let bodies: Vec<(Moving, &RigidEnd)> =
            bodies.into_iter().map(|body| (as_point(body), body)).collect();
        let all = || points.iter().chain(bodies.iter().map(|(center, _)| center));
        let mass: f64 = all().map(|p| p.mass).sum();
        let mean = |value: &dyn Fn(&Moving) -> DVec3| -> DVec3 {
            all().map(|p| value(p) * p.mass).sum::<DVec3>() / mass
        };
        let center = mean(&|p| p.start);
        let motion = mean(&|p| p.end - p.start);
        let (mut inertia, mut momentum) = (DMat3::ZERO, DVec3::ZERO);
        for (_, body) in &bodies {
            inertia += body.inverse_inertia.inverse();
            momentum += body.spin_about(body.start.center);
        }
        for p in all() {
            let r = p.start - center;
            inertia += (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer(r)) * p.mass;
            momentum += r.cross(p.end - p.start) * p.mass;
        }
        // Points on one line have no inertia about it, and no momentum either: a little inertia more
        // makes the matrix invertible and changes nothing else.
        let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        let turn = if trace > 0.0 {
            (inertia + DMat3::from_diagonal(DVec3::splat(1e-12 * trace))).inverse() * momentum
        } else {
            DVec3::ZERO
        };
        Self { center, motion, rotation: DQuat::from_scaled_axis(turn) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_keeps_its_momentum_and_its_shape() {
        let start = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.3, 0.2, 1.0)];
        // So little that a finite turn and its first order are the same.
        let moved = [DVec3::Z, DVec3::Y * 2.0, DVec3::NEG_X, DVec3::new(1.0, 0.0, -1.0)].map(|m| m * 1e-7);
        let masses = [1.0, 2.0, 0.5, 1.5];
        let points: Vec<Moving> =
            (0..4).map(|i| Moving { start: start[i], end: start[i] + moved[i], mass: masses[i] }).collect();
        let motion = RigidMotion::with_momentum_of(&points, []);
        let after: Vec<DVec3> = start.iter().map(|&x| motion.apply(x)).collect();
        let linear = |change: &dyn Fn(usize) -> DVec3| (0..4).map(|i| change(i) * masses[i]).sum::<DVec3>();
        let turning = |change: &dyn Fn(usize) -> DVec3| {
            (0..4).map(|i| start[i].cross(change(i)) * masses[i]).sum::<DVec3>()
        };
        let rigid = |i: usize| after[i] - start[i];
        assert!((linear(&rigid) - linear(&|i| moved[i])).length() < 1e-14);
        assert!((turning(&rigid) - turning(&|i| moved[i])).length() < 1e-12);
        for i in 0..4 {
            for j in 0..i {
                assert!(((after[i] - after[j]).length() - (start[i] - start[j]).length()).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_turn_by_any_angle_is_found() {
        let start = [DVec3::X, DVec3::Y * 2.0, DVec3::new(0.3, 0.2, 1.0), DVec3::NEG_Z];
        for angle in [0.01, 0.3, 1.0, 1.5] {
            let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), angle);
            let moved = |x: DVec3| turn * x + DVec3::new(0.1, -0.2, 0.3);
            let points: Vec<Moving> =
                start.iter().map(|&x| Moving { start: x, end: moved(x), mass: 1.0 }).collect();
            let fitted = RigidMotion::fitted_to(&points);
            for x in start {
                assert!((fitted.apply(x) - moved(x)).length() < 1e-9, "{angle}");
            }
        }
    }

    #[test]
    fn points_on_a_line_and_a_single_point_have_a_motion() {
        for count in 1..4 {
            let points: Vec<Moving> = (0..count)
                .map(|i| {
                    let start = DVec3::X * f64::from(i);
                    Moving { start, end: start + DVec3::Y * 0.1, mass: 1.0 }
                })
                .collect();
            let motion = RigidMotion::with_momentum_of(&points, []);
            assert!((motion.apply(DVec3::X) - DVec3::new(1.0, 0.1, 0.0)).length() < 1e-9);
        }
    }
}
