//! Contacts: two features that must not come closer, and how they are kept apart.
//!
//! A contact is a linear condition on four points: with the weights w (point minus triangle, or edge
//! minus edge) and a normal n, n · Σ wᵢ xᵢ ≥ gap at the end of the step. It is met by a push along n
//! in proportion to inverse masses, which keeps linear momentum. Friction acts on the same four points
//! against the motion along the surface during the step, at most μ times the push ([Bridson 2002] §7.1,
//! errata 1: one combined impulse).
//!
//! Points of a rigid body have no masses of their own: what a contact does to them it does to the body, and where
//! they are follows from where the body is (`rigid_side`).
//!
//! Contacts are solved by projected Gauss-Seidel with accumulated pushes: a push may be taken back in
//! part when another contact has done its work, but never turns into a pull. Those of points alone are solved
//! in `packs`, by the same formulas; those with rigid bodies here, one after the other.

use glam::{DVec3, Vec4};

use super::rigid_side::RigidSide;
use crate::collision::bodies::surface::Between;
use crate::collision::detect::pairs::Pair;
use crate::collision::points::{NOWHERE, Points};

/// Corrections below this, in metres, are not made: they would only be looked after again and again.
pub(super) const SMALLEST_CHANGE: f64 = 1e-7;

/// A point with at least this weight counts as lying on what its feature lies on.
const SUPPORTED: f64 = 0.5;

/// Two features, by their four points and the numbers of their bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    pub points: [u32; 4],
    pub bodies: [u16; 2],
}

impl From<&Pair> for Features {
    fn from(pair: &Pair) -> Self {
        Self { points: pair.points, bodies: pair.bodies }
    }
}

/// Two features that touch, or will.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    pub(super) points: [u32; 4],
    /// Of the first and of the second feature.
    bodies: [u16; 2],
    /// Σ wᵢ xᵢ is the vector from the second feature to the first; 0 for points of a rigid body.
    pub(super) weights: [f64; 4],
    /// From the second feature to the first, of length one.
    pub(super) normal: DVec3,
    /// What the distance along the normal has to be at the end of the step, metres.
    pub(super) distance: f64,
    /// How much of it makes up for a gap that was too small, metres.
    recovery: f64,
    /// While sliding, at rest.
    pub(super) friction: [f64; 2],
    /// The vector between the features at the start, and how far the second feature's surface moves along itself
    /// during the step beyond what its points do (a sphere that turns), metres.
    pub(super) still: DVec3,
    /// If one of the features is of a rigid body.
    pub(super) rigid: Option<Box<RigidSide>>,
    /// Σ wᵢ² / mᵢ, and what the rigid body adds.
    pub(super) compliance: f64,
    /// Pushes so far, kg·m.
    pub(super) push: f64,
    pub(super) drag: DVec3,
    /// Pushes and drags before the cloth's freedom last changed, kg·m.
    earlier: (f64, DVec3),
}

/// Two features that were pushed apart.
pub(crate) struct Pushed {
    /// Of the first and of the second feature.
    pub bodies: [u16; 2],
    /// On the first feature, from the origin, metres.
    pub place: DVec3,
    /// From the second feature to the first, of length one.
    pub normal: DVec3,
    /// N·s.
    pub impulse: f64,
}

/// A push of cloth on a rigid body.
pub(crate) struct Hold<'a> {
    pub side: &'a RigidSide,
    /// From the cloth towards the body, of length one.
    pub outward: DVec3,
    /// kg·m.
    pub push: f64,
    pub drag: DVec3,
    /// The part that the cloth cannot take, from 0 to 1.
    pub held: f64,
    /// Σ wᵢ² / mᵢ of the cloth, if nothing held it, 1/kg.
    pub of_cloth: f64,
    pub points: [u32; 4],
    /// Weights of the cloth's points, not negative.
    pub weights: [f64; 4],
}

impl Contact {
    /// `None` if nothing can move.
    pub fn new(
        features: Features,
        mut weights: [f64; 4],
        normal: DVec3,
        [distance, recovery]: [f64; 2],
        between: &Between,
        surface_motion: DVec3,
        points: &Points,
    ) -> Option<Self> {
        let Features { points: points_of, bodies } = features;
        let mut rigid =
            RigidSide::take(points_of, &mut weights, normal, between.radius, points).map(Box::new);
        let mut compliance: f64 =
            (0..4).map(|i| weights[i] * weights[i] * points.inverse_mass(points_of[i])).sum();
        if let Some(side) = &mut rigid {
            compliance = side.share(compliance, normal, points);
        }
        let still = vector(weights, points_of, &points.start) + surface_motion;
        (compliance > 0.0).then_some(Self {
            points: points_of,
            bodies,
            weights,
            normal,
            distance,
            recovery,
            friction: between.friction,
            still,
            rigid,
            compliance,
            push: 0.0,
            drag: DVec3::ZERO,
            earlier: (0.0, DVec3::ZERO),
        })
    }

    /// A contact of one point of cloth, the first feature, with a side of a rigid body; `recovery` metres of it make up for what was
    /// missing before.
    pub fn with_rigid(
        features: Features,
        normal: DVec3,
        recovery: f64,
        friction: [f64; 2],
        mut side: RigidSide,
        points: &Points,
    ) -> Option<Self> {
        let compliance = side.share(points.inverse_mass(features.points[0]), normal, points);
        (compliance > 0.0).then(|| Self {
            points: features.points,
            bodies: features.bodies,
            weights: [1.0, 0.0, 0.0, 0.0],
            normal,
            distance: 0.0,
            recovery,
            friction,
            still: points.start[features.points[0] as usize].truncate().as_dvec3(),
            rigid: Some(Box::new(side)),
            compliance,
            push: 0.0,
            drag: DVec3::ZERO,
            earlier: (0.0, DVec3::ZERO),
        })
    }

    /// The vector between the features for some positions, without what a rigid body adds.
    pub(super) fn vector(&self, positions: &[Vec4]) -> DVec3 {
        vector(self.weights, self.points, positions)
    }

    /// Corrects the end of the step.
    pub fn solve(&mut self, points: &mut Points) {
        let end = self.vector(&points.end);
        let place = self.rigid.as_ref().map_or(end, |side| end + side.place(points));
        let missing = self.distance - self.normal.dot(place);
        let push = (self.push + missing / self.compliance).max(0.0);
        if push == 0.0 && self.push == 0.0 {
            return;
        }
        let mut moved = end - self.still;
        if let Some(side) = &self.rigid {
            moved += side.moved(points);
        }
        let along = moved - self.normal * self.normal.dot(moved);
        let wanted = match &self.rigid {
            None => self.drag - along / self.compliance,
            Some(side) => self.drag - side.drag_against(along),
        };
        let size = wanted.length();
        let [sliding, resting] = self.friction;
        let drag = if size <= resting * push { wanted } else { wanted * (sliding * push / size) };
        let (more_push, more_drag) = (push - self.push, drag - self.drag);
        let change = self.normal * more_push + more_drag;
        if change.length() * self.compliance < SMALLEST_CHANGE {
            return;
        }
        (self.push, self.drag) = (push, drag);
        for i in 0..4 {
            points.shift(self.points[i], self.share(i, more_push, more_drag));
        }
        if let Some(side) = &self.rigid {
            side.push(change, points);
        }
    }

    /// What a point gets of a push along the normal and of a drag along the surface.
    fn share(&self, i: usize, push: f64, drag: DVec3) -> DVec3 {
        match &self.rigid {
            None => (self.normal * push + drag) * self.weights[i],
            Some(side) => {
                let free = side.free[i];
                free * (push * self.weights[i].abs()) + drag * (self.weights[i] * free.length_squared())
            }
        }
    }

    /// If it keeps cloth off a rigid body and pushes: takes into account where the points of the cloth can go that are
    /// pushed in a direction of length one.
    ///
    /// What was pushed until then is not taken back any more: a push that only the body has felt, taken from a particle
    /// that is free again, would move it by as many times that way as the body is heavier.
    pub fn set_freedom(&mut self, points: &Points, free_part: impl Fn(u32, DVec3) -> DVec3) {
        let pushed = self.pushed();
        let Some(side) = self.rigid.as_mut().filter(|_| pushed > 0.0) else { return };
        let (mut of_cloth, before) = (0.0, side.free);
        for i in 0..4 {
            let (point, weight) = (self.points[i], self.weights[i]);
            if weight != 0.0 {
                side.free[i] = free_part(point, self.normal * weight.signum());
                of_cloth += weight * weight * points.inverse_mass(point) * side.free[i].length_squared();
            }
        }
        if side.free != before {
            self.compliance = side.share(of_cloth, self.normal, points);
            self.earlier = (pushed, self.earlier.1 + self.drag);
            (self.push, self.drag) = (0.0, DVec3::ZERO);
        }
    }

    /// All pushes so far, kg·m.
    fn pushed(&self) -> f64 {
        self.earlier.0 + self.push
    }

    /// Its points of cloth, if it keeps that off a rigid body.
    pub fn cloth_points(&self) -> impl Iterator<Item = u32> {
        (0..4).filter(|&i| self.rigid.is_some() && self.weights[i] != 0.0).map(|i| self.points[i])
    }

    /// If it keeps cloth off something that cannot move and pushes: the points and in which direction they cannot
    /// go.
    pub fn blocked(&self, points: &Points) -> impl Iterator<Item = (u32, DVec3)> {
        let cloth_at = |side: f64| {
            let inverse = |i: usize| {
                if self.weights[i] * side > 0.0 { points.inverse_mass(self.points[i]) } else { 0.0 }
            };
            (0..4).any(|i| inverse(i) > 0.0)
        };
        let one_sided = self.rigid.is_none() && cloth_at(1.0) != cloth_at(-1.0);
        let all = if self.is_active() && one_sided { 0..4 } else { 0..0 };
        let (points, weights, normal) = (self.points, self.weights, self.normal);
        all.filter(move |&i| weights[i].abs() >= SUPPORTED)
            .map(move |i| (points[i], -normal * weights[i].signum()))
    }

    /// Books what was moved only to make up for a gap: that is no motion, and becomes no velocity. Cloth
    /// that rests would otherwise be thrown off a little in every step.
    pub fn book_recovery(&self, points: &mut Points) {
        let push = self.pushed().min(self.recovery / self.compliance);
        if push > 0.0 {
            for i in 0..4 {
                points.recover(self.points[i], self.share(i, push, DVec3::ZERO));
            }
            if let Some(side) = &self.rigid {
                side.recover(self.normal * push, self.vector(&points.end), points);
            }
        }
    }

    /// What it has to do with a rigid body, if it has pushed one.
    pub fn hold(&self, points: &Points) -> Option<Hold<'_>> {
        let side = self.rigid.as_ref().filter(|_| self.is_active())?;
        let of_cloth = (0..4).map(|i| self.weights[i].powi(2) * points.inverse_mass(self.points[i])).sum();
        Some(Hold {
            side,
            outward: side.outward(self.normal),
            push: self.pushed(),
            drag: self.earlier.1 + self.drag,
            held: side.held(self.weights),
            of_cloth,
            points: self.points,
            weights: self.weights.map(f64::abs),
        })
    }

    /// What it has pushed, in a substep of `dt` seconds.
    pub fn pushed_apart(&self, points: &Points, dt: f64) -> Option<Pushed> {
        (self.is_active() && !self.is_tie()).then(|| {
            // The first feature, unless that is of a rigid body, whose points have no weights here.
            let on_first = self.weights.iter().any(|weight| *weight > 0.0);
            let of_side = |i: &usize| (self.weights[*i] > 0.0) == on_first && self.weights[*i] != 0.0;
            let sum: f64 = (0..4).filter(of_side).map(|i| self.weights[i]).sum();
            let place = (0..4)
                .filter(of_side)
                .map(|i| points.end[self.points[i] as usize].truncate().as_dvec3() * (self.weights[i] / sum));
            Pushed {
                bodies: self.bodies,
                place: place.sum(),
                normal: self.normal,
                impulse: self.pushed() / dt,
            }
        })
    }

    /// The numbers of the two bodies, if it has pushed them apart.
    pub fn apart(&self) -> Option<[u16; 2]> {
        (self.is_active() && !self.is_tie()).then_some(self.bodies)
    }

    /// Whether it holds together.
    fn is_tie(&self) -> bool {
        self.bodies[0] == NOWHERE
    }

    /// Whether it has pushed a rigid body.
    pub fn is_loaded(&self) -> bool {
        self.rigid.is_some() && self.is_active()
    }

    /// Whether it has pushed.
    pub fn is_active(&self) -> bool {
        self.pushed() > 0.0
    }
}

/// Σ wᵢ xᵢ.
fn vector(weights: [f64; 4], points: [u32; 4], positions: &[Vec4]) -> DVec3 {
    (0..4).map(|i| positions[points[i] as usize].truncate().as_dvec3() * weights[i]).sum()
}
