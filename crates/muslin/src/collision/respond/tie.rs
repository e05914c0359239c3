//! Ties: points of cloth that are held to places of rigid bodies.
//!
//! Input: where a point and the place that it is tied to would end without each other. Output: a contact that draws the two together.
//! A contact is a condition on one side only, so a tie is one along the way from the point to its place, which nothing can slide on:
//! both ways along it, and both ways across. It is made anew in every substep, so a load may change its direction. As a contact a
//! tie is all that contacts with bodies are: it keeps momentum, is carried by taut cloth however heavy the body is (`support`),
//! stops bodies without throwing them (`stop`), and is solved in turn with the cloth.

use glam::DVec3;

use super::contact::{Contact, Features};
use super::rigid_side::RigidSide;
use crate::collision::points::{NOWHERE, Points};

/// No pull makes a tie slide.
const FRICTION: f64 = 1e12;

/// A point of cloth that is held to a place of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tie {
    pub point: u32,
    /// The number of the rigid body.
    pub body: usize,
    /// The place in the body's own axes, from its centre, metres.
    pub place: DVec3,
}

impl Tie {
    /// What draws the two together; `None` if they are, or nothing can move.
    pub fn contact(&self, points: &Points) -> Option<Contact> {
        let body = &points.rigid[self.body];
        let at = |x: glam::Vec4| x.truncate().as_dvec3();
        let (start, end) = (at(points.start[self.point as usize]), at(points.end[self.point as usize]));
        let missing = body.end.apply(self.place) - end;
        let normal = missing.try_normalize()?;
        // What was missing at the start already is made up for, and is no motion.
        let earlier = normal.dot(body.start.apply(self.place) - start).max(0.0);
        let side = RigidSide::at(self.body, self.place, start, normal, points);
        // No bodies: it is not told of as something that touches.
        let features = Features { points: [self.point; 4], bodies: [NOWHERE; 2] };
        Contact::with_rigid(features, normal, earlier, [FRICTION; 2], side, points)
    }
}
