//! The points of all bodies over a step: what collisions read and move.

use glam::{DVec3, Vec3, Vec4};

use crate::collision::bodies::rigid::RigidEnd;
use crate::collision::detect::pairs::{Pair, PairKind};

/// The body that points leave which leave none.
pub(crate) const NOWHERE: u16 = u16::MAX;

/// The points of all bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Points {
    /// Metres, at the start of the step; w is the inverse mass in 1/kg (0: cannot be moved).
    pub start: Vec<Vec4>,
    /// At its end.
    pub end: Vec<Vec4>,
    /// The rest shape of cloth. Colliders have none.
    pub rest: Vec<Vec3>,
    /// How far points were moved only to make up for gaps, metres.
    pub recovered: Vec<Vec3>,
    /// Rigid bodies at the end of the step. Their points come last, with an inverse mass of 0: no point of them
    /// moves by itself.
    pub rigid: Vec<RigidEnd>,
    /// Points whose end was changed since impacts were last looked for.
    pub changed: Vec<bool>,
    /// Points of triangles that intersect at the start of the step, and around them: the number of their
    /// tangle; 0 is none. Empty if nothing intersects.
    pub tangle: Vec<u32>,
    /// Points on their way out of a closed mesh, and around them: its body; [`NOWHERE`] for others. Empty
    /// if there are none.
    pub escaping: Vec<u16>,
}

impl Points {
    pub fn inverse_mass(&self, point: u32) -> f64 {
        self.end[point as usize].w.into()
    }

    /// Moves the end of a point by an impulse-like quantity in kg·m.
    pub fn shift(&mut self, point: u32, push: DVec3) {
        let end = &mut self.end[point as usize];
        if end.w > 0.0 {
            let moved = end.truncate().as_dvec3() + push * f64::from(end.w);
            *end = moved.as_vec3().extend(end.w);
            self.changed[point as usize] = true;
        }
    }

    /// Books that a part of the motion of a point, as an impulse-like quantity in kg·m, only made up for
    /// a gap.
    pub fn recover(&mut self, point: u32, push: DVec3) {
        let inverse_mass = self.inverse_mass(point);
        self.recovered[point as usize] += (push * inverse_mass).as_vec3();
    }

    /// Whether one of some points is on its way out of a body.
    pub fn escapes(&self, points: impl IntoIterator<Item = u32>, body: u16) -> bool {
        !self.escaping.is_empty() && points.into_iter().any(|p| self.escaping[p as usize] == body)
    }

    /// Whether both features of a pair are part of the same tangle, or one is to leave the other's body.
    pub fn ignores(&self, pair: &Pair) -> bool {
        if self.tangle.is_empty() {
            return false;
        }
        if pair.bodies.iter().any(|&body| self.escapes(pair.points, body)) {
            return true;
        }
        let first = match pair.kind {
            PairKind::PointFace => 1,
            PairKind::EdgeEdge => 2,
        };
        let tangle = |p: u32| self.tangle[p as usize];
        let (a, b) = pair.points.split_at(first);
        a.iter().any(|&p| tangle(p) != 0 && b.iter().any(|&q| tangle(q) == tangle(p)))
    }

    pub fn starts(&self, points: [u32; 4]) -> [DVec3; 4] {
        points.map(|p| self.start[p as usize].truncate().as_dvec3())
    }

    pub fn ends(&self, points: [u32; 4]) -> [DVec3; 4] {
        points.map(|p| self.end[p as usize].truncate().as_dvec3())
    }
}
