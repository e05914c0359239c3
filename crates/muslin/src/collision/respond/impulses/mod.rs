//! The simple response: impulses on what is too close at the start of a step ([Anonymous] §3.4.3, §3.4.4).
//!
//! Input: pairs of features, where their points start and where they would end. Output: ends at which features
//! within the gap no longer approach each other. Nothing is looked for between start and end, and nothing is looked
//! at again: what moves by more than the gap in a step can pass through. That is the difference from the
//! default pipeline, which keeps apart whatever starts apart.
//!
//! With weights w (Σ wᵢ xᵢ is the vector from the second feature to the first), its direction N at the start, the
//! clearance d and the gap h_t, a contact exists if d ≤ h_t. Velocities are motions during the step over Δt, so
//! with u = N · Σ wᵢ (endᵢ − startᵢ) = v_N Δt and the overlap o = h_t − d, eq. 25–28 are, with signs such that
//! nothing ever pulls (errata 4):
//!
//!   I_c: takes away u < 0 and leaves u > 0 alone                        (eq. 25)
//!   I_r: adds min(k Δt²/m · o, δ_t o − max(u, 0)), but never less than 0  (eq. 26–28)
//!
//! k/m is the surfaces' stiffness per area over the cloth's density, as in the default pipeline.
//!
//! **Distribution.** Pushing the four points by J wᵢ/mᵢ along N changes u by J Σ wᵢ²/mᵢ and the momentum by J Σ wᵢ =
//! 0. So J = wanted/Σ(wᵢ²/mᵢ): for equal masses 2I/(1 + w₁² + w₂² + w₃²) per point with I = m·wanted/2, which is
//! the scale that eq. 30 lacks.
//!
//! **Balance.** Eq. 30 divides what a point gets by the number of its collisions |R^c|, which changes the momentum
//! where points of a contact have different numbers. We divide the mass instead: a point counts in each contact
//! with m/|R^c|. Then J = wanted/Σ(wᵢ² |Rᵢ^c|/mᵢ), every point moves by J wᵢ/mᵢ, and momentum is kept. Only
//! contacts that push count. One contact alone is met exactly; many are met after some passes.
//!
//! A rigid body counts in each of its contacts with its mass over their number too; with what it can turn, the
//! compliance is a matrix (`rigid_side`).
//!
//! **Friction** is that of [Bridson 2002] §7.1: at most μ times the push, against the motion along the surface.

#[cfg(test)]
mod paper_geometry;
#[cfg(test)]
mod tests;

use glam::{DMat3, DVec3};

use super::rigid_side::RigidSide;
use crate::collision::bodies::Bodies;
use crate::collision::bodies::surface::Between;
use crate::collision::detect::narrow::gap;
use crate::collision::detect::pairs::{Listed, Pair, combine};
use crate::collision::detect::planes::{Particle, Plane};
use crate::collision::points::Points;
use crate::collision::settings::ImpulseResponse;
use crate::execution::Execution;

/// Pairs per piece of work.
const CHUNK: usize = 2048;

/// Motions below this, in metres, are not worth an impulse.
const SMALLEST_CHANGE: f64 = 1e-9;

/// Two features that start closer than their gap.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    points: [u32; 4],
    bodies: [u16; 2],
    /// 0 for points of a rigid body.
    weights: [f64; 4],
    /// If one of the features is of a rigid body.
    rigid: Option<Box<RigidSide>>,
    normal: DVec3,
    /// N · Σ wᵢ xᵢ of features that do not move against each other, metres.
    still: f64,
    /// The least motion away from each other, metres per step.
    motion: f64,
    /// While sliding, at rest.
    friction: [f64; 2],
    /// How far the second surface moves along itself beyond what its points do, metres.
    surface_motion: DVec3,
    /// How far the features are to be moved against each other in this pass.
    change: DVec3,
    /// Whether it has pushed in any pass.
    has_pushed: bool,
}

impl Contact {
    /// The contact of two features; `None` if they are far enough apart.
    fn of_pair(
        pair: &Pair,
        bodies: &Bodies,
        points: &Points,
        dt: f64,
        response: &ImpulseResponse,
    ) -> Option<Self> {
        let between = bodies.between(pair.bodies);
        let start = points.starts(pair.points);
        let weights = pair.closest(&start);
        let vector = combine(weights, &start);
        let distance = vector.length();
        let clearance = distance - between.radius;
        if clearance > between.gap || distance == 0.0 {
            return None;
        }
        let overlap = gap(bodies, points, pair) - clearance;
        let normal = vector / distance;
        let approach = normal.dot(combine(weights, &points.ends(pair.points))) - distance;
        let surface_motion = bodies.surface_motion(pair, weights, normal, points);
        let mut weights = weights;
        let rigid = RigidSide::take(pair.points, &mut weights, normal, between.radius, points).map(Box::new);
        (overlap >= 0.0).then(|| Self {
            points: pair.points,
            bodies: pair.bodies,
            weights,
            rigid,
            normal,
            still: distance,
            motion: wanted_motion(approach, overlap, spring(bodies, pair.bodies, dt), response),
            friction: between.friction,
            surface_motion,
            change: DVec3::ZERO,
            has_pushed: false,
        })
    }

    /// The contact of a particle and a plane; `None` if they are far enough apart.
    fn of_plane(
        plane: &Plane<'_>,
        particle: &Particle<'_>,
        points: &Points,
        dt: f64,
        response: &ImpulseResponse,
    ) -> Option<Self> {
        let Particle { point, bodies: pair, between } = *particle;
        let Between { gap, friction, .. } = *between;
        let [start, end] = plane.clearance(point, points);
        let (origin, normal) = plane.end;
        (start <= gap).then(|| Self {
            points: [point; 4],
            bodies: pair,
            weights: [1.0, 0.0, 0.0, 0.0],
            rigid: None,
            normal,
            still: normal.dot(origin) + start,
            motion: wanted_motion(end - start, gap - start, spring(plane.bodies, pair, dt), response),
            friction,
            surface_motion: plane.motion(point, points),
            change: DVec3::ZERO,
            has_pushed: false,
        })
    }

    /// The points that take part, with their weights.
    fn parts(&self) -> impl Iterator<Item = (u32, f64)> + use<> {
        self.points.into_iter().zip(self.weights).filter(|(_, weight)| *weight != 0.0)
    }

    /// Sets the change that is wanted in this pass: the push, and friction against the motion along the surface.
    fn measure(&mut self, points: &Points) {
        let end = combine(self.weights, &points.ends(self.points));
        let place = self.rigid.as_ref().map_or(end, |side| end + side.place(points));
        let push = self.motion - (self.normal.dot(place) - self.still);
        self.change = DVec3::ZERO;
        if push < SMALLEST_CHANGE {
            return;
        }
        let mut moved = end - combine(self.weights, &points.starts(self.points)) - self.surface_motion;
        if let Some(side) = &self.rigid {
            moved += side.moved(points);
        }
        let along = moved - self.normal * self.normal.dot(moved);
        let [sliding, resting] = self.friction;
        let size = along.length();
        let share = if size <= resting * push { 1.0 } else { sliding * push / size };
        self.change = self.normal * push - along * share;
        self.has_pushed = true;
    }

    /// The numbers of the two bodies, if it has pushed them apart.
    pub fn apart(&self) -> Option<[u16; 2]> {
        self.has_pushed.then_some(self.bodies)
    }

    fn is_active(&self) -> bool {
        self.change != DVec3::ZERO
    }
}

/// The motion away from each other, in metres per step, that features are to have which move by `approach` along
/// the normal (negative: towards each other) and overlap.
fn wanted_motion(approach: f64, overlap: f64, spring: f64, response: &ImpulseResponse) -> f64 {
    let leaving = approach.max(0.0);
    let most = f64::from(response.separation) * overlap - leaving;
    leaving + (spring * overlap).min(most).max(0.0)
}

/// How far a spring would move features apart in a step, per metre of overlap: Δt² k/m.
fn spring(bodies: &Bodies, pair: [u16; 2], dt: f64) -> f64 {
    dt * dt * bodies.between(pair).stiffness / bodies.density(pair)
}

/// One pass over all contacts: every one looks at the same ends. Returns how many pushed.
fn pass(contacts: &mut [Contact], points: &mut Points, collisions: &mut Vec<u32>) -> usize {
    collisions.clear();
    collisions.resize(points.end.len(), 0);
    contacts.iter_mut().for_each(|contact| contact.measure(points));
    let active = contacts.iter().filter(|contact| contact.is_active());
    for (point, _) in active.clone().flat_map(Contact::parts) {
        collisions[point as usize] += 1;
    }
    let mut of_bodies = vec![0.0; points.rigid.len()];
    active
        .clone()
        .filter_map(|contact| contact.rigid.as_ref())
        .for_each(|side| of_bodies[side.body()] += 1.0);
    for contact in active.clone() {
        let mobility = |(point, weight): (u32, f64)| {
            weight * weight * points.inverse_mass(point) * f64::from(collisions[point as usize])
        };
        let compliance: f64 = contact.parts().map(mobility).sum();
        if let Some(side) = &contact.rigid {
            let of_cloth = DMat3::from_diagonal(DVec3::splat(compliance));
            let all = of_cloth + side.mobility(points) * of_bodies[side.body()];
            let push = all.inverse() * contact.change;
            for (point, weight) in contact.parts() {
                points.shift(point, push * weight);
            }
            side.push(push, points);
        } else if compliance > 0.0 {
            for (point, weight) in contact.parts() {
                points.shift(point, contact.change * (weight / compliance));
            }
        }
    }
    let count = active.count();
    points.write_rigid();
    count
}

/// Contacts of all that starts too close, in the order of the pairs.
pub(crate) fn find(
    candidates: &[Listed],
    bodies: &Bodies,
    points: &Points,
    dt: f64,
    response: &ImpulseResponse,
    execution: Execution,
    contacts: &mut Vec<Contact>,
) {
    let near = |pair: &Pair| {
        let wanted = !points.ignores(pair);
        wanted.then(|| Contact::of_pair(pair, bodies, points, dt, response)).flatten()
    };
    contacts.clear();
    let work = |_, pairs: &[Listed], found: &mut Vec<Contact>| {
        found.extend(pairs.iter().filter_map(|listed| near(&listed.pair)));
    };
    let mut memory = Vec::new();
    let found = execution.for_chunks(candidates, CHUNK, &mut memory, work);
    found.iter_mut().for_each(|found| contacts.append(found));
    for plane in Plane::all(bodies, points) {
        let near = |particle: Particle<'_>| Contact::of_plane(&plane, &particle, points, dt, response);
        contacts.extend(plane.particles().filter_map(near));
    }
}

/// Solves them, and how many pushed at first.
pub(crate) fn solve(contacts: &mut [Contact], passes: u32, points: &mut Points) -> usize {
    let mut collisions = Vec::new();
    let pushed = pass(contacts, points, &mut collisions);
    for _ in 1..passes {
        if pass(contacts, points, &mut collisions) == 0 {
            break;
        }
    }
    pushed
}
