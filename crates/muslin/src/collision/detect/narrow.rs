//! Narrow phase: how near the features of each pair are at the start, and which of them meet during
//! the step.
//!
//! Input: pairs. Output: contacts of features that are closer than they should be
//! ([`Narrow::measure`], discrete), and impacts ([`Narrow::impacts`], continuous). A step without
//! impacts leaves every pair of features apart, whatever moved them.

use glam::{DVec3, Vec4};

use super::ccd;
use super::pairs::{Listed, Pair, PairKind, combine};
use super::planes::PlaneImpact;
use crate::collision::CLEARANCE;
use crate::collision::bodies::Bodies;
use crate::collision::points::Points;
use crate::collision::respond::contact::Contact;
use crate::execution::Execution;

/// Pairs per piece of work.
const CHUNK: usize = 512;

/// The largest part of a missing gap that is made up for in one step ([Bridson 2002] §7.2).
const LARGEST_RECOVERY: f64 = 0.1;

/// Features within this many gaps become contacts already if they would end within one: otherwise what
/// rests at the gap would be let in by the solver in one step and pushed out over the next twenty. With 2 a drape at rest has
/// 7,500 contacts instead of 4,100, of which 3,260 push either way, and no less strain; with fewer contacts more is met
/// during a step (funnel: 1,669 impacts in all instead of 140), which costs less.
pub(crate) const LOOKAHEAD: f64 = 1.25;

/// What is apart by more than is asked for is not measured if it is more by this factor, which is more than rounding.
const FAR: f64 = 1.01;

/// A gap within one cloth is never more than this part of the features' distance at rest: neighbours
/// in a fine mesh are closer than the cloth is thick.
pub(crate) const OF_REST_DISTANCE: f64 = 0.5;

/// What meets during the step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Impact {
    /// Two features.
    Pair(PairImpact),
    /// A particle and a plane.
    Plane(PlaneImpact),
}

impl Impact {
    /// A contact that keeps the two apart.
    pub fn contact(&self, bodies: &Bodies, points: &Points) -> Option<Contact> {
        match self {
            Self::Pair(impact) => impact.contact(bodies, points),
            Self::Plane(impact) => impact.contact(bodies, points),
        }
    }

    /// What they are put in order by.
    fn name(&self) -> u128 {
        match self {
            Self::Pair(impact) => impact.pair.name(),
            Self::Plane(impact) => impact.point.into(),
        }
    }

    /// All points that take part.
    pub fn points(&self, bodies: &Bodies) -> impl Iterator<Item = u32> + Clone + use<> {
        let (pair, (particle, plane)) = match self {
            Self::Pair(impact) => (Some(impact.pair.points), (None, 0..0)),
            Self::Plane(impact) => {
                let (particle, plane) = impact.points(bodies);
                (None, (Some(particle), plane))
            }
        };
        pair.into_iter().flatten().chain(particle).chain(plane)
    }

    /// The two bodies.
    pub fn bodies(&self) -> [u16; 2] {
        match self {
            Self::Pair(impact) => impact.pair.bodies,
            Self::Plane(impact) => impact.bodies,
        }
    }
}

/// Points keep all of the gap, edges and the inner of faces this part: so what rests, rests on its points,
/// whose contacts are steady. The nearest points of edges wander, and with them cloth would jitter.
const INNER: f64 = 0.75;

/// Two features that meet during the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairImpact {
    pair: Pair,
    /// When in the step, from 0 to 1; not later than the meeting.
    time: f64,
    /// Clearance at the start of the step, metres, a little less rather than more.
    start_clearance: f32,
}

/// What came of some pairs.
#[derive(Clone, Debug, Default)]
struct Measured {
    start_clearance: Vec<f32>,
    contacts: Vec<Contact>,
    ignored: usize,
}

/// Pairs and how far apart they start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Narrow {
    /// All that the broad phase has found; in the order of their names but for those that were found after they were measured.
    pub pairs: Vec<Listed>,
    /// How many of them were measured in this step: those before this one.
    measured: usize,
    /// Where points started when pairs were last measured.
    measured_at: Vec<Vec4>,
    /// Pairs that were tested for impacts in this step: those before this one.
    tested: usize,
    /// How many of them are ignored because they started in each other.
    pub ignored: usize,
    /// How far points have moved, for pairs to be compared with: since they were measured, or during the step.
    motions: Vec<Vec4>,
    /// How far they would move during the step when pairs are measured.
    to_come: Vec<Vec4>,
    /// Memory for what threads find.
    results: Vec<Measured>,
    found: Vec<Vec<Impact>>,
}

impl Narrow {
    /// Measures all pairs, and appends a contact for each that is too close.
    pub fn measure(
        &mut self,
        bodies: &Bodies,
        points: &Points,
        dt: f64,
        execution: Execution,
        contacts: &mut Vec<Contact>,
    ) {
        set_to_difference(&mut self.motions, &points.start, &self.measured_at);
        set_to_difference(&mut self.to_come, &points.end, &points.start);
        let (motions, to_come) = (&self.motions, &self.to_come);
        let work = |_, pairs: &[Listed], measured: &mut Measured| {
            measured.ignored = 0;
            for Listed { pair, clearance } in pairs {
                if points.ignores(pair) {
                    measured.ignored += 1;
                    measured.start_clearance.push(f32::NEG_INFINITY);
                    continue;
                }
                let between = bodies.between(pair.bodies);
                // Most are so far apart, or would be at the end, that it does not matter how far.
                let far = FAR * largest_gap(bodies, pair);
                if f64::from(*clearance) > far {
                    let left = f64::from(*clearance) - pair.largest_motion(motions);
                    let left_at_end = || left - f64::from(pair.motion_squared_within(to_come).sqrt());
                    if left > LOOKAHEAD * far || left_at_end() > far {
                        measured.start_clearance.push(rounded_down(left));
                        continue;
                    }
                }
                let x = points.starts(pair.points);
                let weights = pair.closest(&x);
                let vector = combine(weights, &x);
                let distance = vector.length();
                measured.start_clearance.push(rounded_down(distance - between.radius));
                let contact = proximity_contact(bodies, points, pair, weights, vector, distance, dt);
                measured.contacts.extend(contact);
            }
        };
        let chunks = execution.for_chunks(&self.pairs, CHUNK, &mut self.results, work);
        (self.tested, self.ignored, self.measured) = (0, 0, self.pairs.len());
        let mut pairs = self.pairs.iter_mut();
        for chunk in chunks {
            self.ignored += chunk.ignored;
            chunk
                .start_clearance
                .drain(..)
                .zip(&mut pairs)
                .for_each(|(clearance, pair)| pair.clearance = clearance);
            contacts.append(&mut chunk.contacts);
        }
        self.measured_at.clone_from(&points.start);
    }

    /// Measures the pairs that were appended. They are not too close at the start, or they would have
    /// been found at first.
    pub fn measure_more(&mut self, bodies: &Bodies, points: &Points) {
        for Listed { pair, clearance } in &mut self.pairs[self.measured..] {
            let x = points.starts(pair.points);
            let distance = combine(pair.closest(&x), &x).length();
            *clearance = rounded_down(distance - bodies.between(pair.bodies).radius);
        }
        self.measured = self.pairs.len();
    }

    /// Appends the pairs that meet during the step, among those not tested before and those with a point that
    /// has changed since.
    pub fn impacts(
        &mut self,
        bodies: &Bodies,
        points: &Points,
        execution: Execution,
        impacts: &mut Vec<Impact>,
    ) {
        let tested = std::mem::replace(&mut self.tested, self.pairs.len());
        set_to_difference(&mut self.motions, &points.end, &points.start);
        let motions = &self.motions;
        let work = |first: usize, pairs: &[Listed], found: &mut Vec<Impact>| {
            for (i, &Listed { pair, clearance: start_clearance }) in pairs.iter().enumerate() {
                let clearance = f64::from(start_clearance);
                let between = bodies.between(pair.bodies);
                let free = clearance - CLEARANCE * between.gap;
                // Most do not move that far; what starts within a ball, or touches, is pushed out by its contact, if by anything.
                if free > f64::from(pair.motion_squared_within(motions).sqrt()) || clearance <= 0.0 {
                    continue;
                }
                if first + i < tested && !pair.points.iter().any(|&p| points.changed[p as usize]) {
                    continue;
                }
                if points.ignores(&pair) || pair.largest_motion(motions) < free {
                    continue;
                }
                let separation = between.radius + between.least_clearance(clearance);
                let (start, end) = (points.starts(pair.points), points.ends(pair.points));
                let time = match pair.kind {
                    PairKind::PointFace => ccd::point_triangle(&start, &end, separation),
                    PairKind::EdgeEdge => ccd::edge_edge(&start, &end, separation),
                };
                found.extend(time.map(|time| Impact::Pair(PairImpact { pair, time, start_clearance })));
            }
        };
        let found = execution.for_chunks(&self.pairs, CHUNK, &mut self.found, work);
        found.iter_mut().for_each(|found| impacts.append(found));
        impacts.sort_by_key(Impact::name);
    }
}

/// A contact of two features that start closer than the gap between their bodies, or are about to.
fn proximity_contact(
    bodies: &Bodies,
    points: &Points,
    pair: &Pair,
    weights: [f64; 4],
    vector: DVec3,
    distance: f64,
    dt: f64,
) -> Option<Contact> {
    let between = bodies.between(pair.bodies);
    let clearance = distance - between.radius;
    if clearance >= LOOKAHEAD * between.gap || distance == 0.0 {
        return None;
    }
    let gap = gap(bodies, points, pair);
    let normal = vector / distance;
    if clearance >= gap {
        // The distance, and not that along the normal: what is not among the pairs because it only turns must not depend on that.
        let end = points.ends(pair.points);
        if clearance >= LOOKAHEAD * gap || combine(pair.closest(&end), &end).length() - between.radius >= gap
        {
            return None;
        }
    }
    let wanted = recovered(bodies, pair.bodies, clearance, gap, dt);
    let wanted = [between.radius + wanted, wanted - clearance];
    let motion = bodies.surface_motion(pair, weights, normal, points);
    Contact::new(pair.into(), weights, normal, wanted, between, motion, points)
}

/// The clearance to be reached in this step by surfaces that start with some: all of the gap, or if
/// less than that was there, a little more than it was.
pub(crate) fn recovered(bodies: &Bodies, pair: [u16; 2], clearance: f64, gap: f64, dt: f64) -> f64 {
    // The spring's motion during a step, per metre, is h²·K/ρ.
    let spring = dt * dt * bodies.between(pair).stiffness / bodies.density(pair);
    clearance.min(gap) + spring.min(LARGEST_RECOVERY) * (gap - clearance).max(0.0)
}

impl PairImpact {
    /// A contact that keeps the two features apart where they would have met.
    pub fn contact(&self, bodies: &Bodies, points: &Points) -> Option<Contact> {
        let pair = &self.pair;
        let (start, end) = (points.starts(pair.points), points.ends(pair.points));
        let then: [DVec3; 4] = std::array::from_fn(|i| start[i].lerp(end[i], self.time));
        let weights = pair.closest(&then);
        let vector = combine(weights, &then);
        let normal = vector.try_normalize().or_else(|| {
            // Met exactly, by rounding: the direction at the start is still on the right side.
            combine(pair.closest(&start), &start).try_normalize()
        })?;
        let between = bodies.between(pair.bodies);
        let clearance = f64::from(self.start_clearance);
        let wanted = between.clearance_after_impact(clearance, gap(bodies, points, pair));
        let wanted = [between.radius + wanted, wanted - clearance];
        let motion = bodies.surface_motion(pair, weights, normal, points);
        Contact::new(pair.into(), weights, normal, wanted, between, motion, points)
    }
}

/// How far points have moved from some places to others; those that were not there before have not.
fn set_to_difference(motions: &mut Vec<Vec4>, to: &[Vec4], from: &[Vec4]) {
    motions.clear();
    motions.extend(to.iter().zip(from).map(|(to, from)| *to - *from));
    motions.resize(to.len(), Vec4::ZERO);
}

/// A clearance in single precision that is not larger than it is.
fn rounded_down(clearance: f64) -> f32 {
    (clearance - 1e-6 * clearance.abs()) as f32
}

/// The gap to be kept between the features of a pair.
pub(crate) fn gap(bodies: &Bodies, points: &Points, pair: &Pair) -> f64 {
    let gap = largest_gap(bodies, pair);
    if pair.bodies[0] != pair.bodies[1] {
        return gap;
    }
    let rest = pair.points.map(|p| points.rest[p as usize].as_dvec3());
    gap.min(OF_REST_DISTANCE * combine(pair.closest(&rest), &rest).length())
}

/// The same between features that are not close neighbours at rest.
fn largest_gap(bodies: &Bodies, pair: &Pair) -> f64 {
    let [cloth, other] = pair.bodies.map(|body| &bodies.all[usize::from(body)]);
    let round = cloth.side.radius + other.side.radius > 0.0;
    let of_point = match pair.kind {
        PairKind::PointFace => !round,
        PairKind::EdgeEdge => pair.points[0] == pair.points[1],
    };
    bodies.between(pair.bodies).gap * if of_point { 1.0 } else { INNER }
}
