//! A cloth that hangs on pins, as what carries rigid bodies.
//!
//! Input: points at the end of a step. Output: points whose edges are no longer than threads can be, and in which
//! directions a particle cannot go because its threads are taut.
//!
//! A solver's few passes carry the weight of a cloth, not that of a body of a hundred times its mass: they are as many as
//! a cloth needs, and each moves a load on by an edge or two. And not every solver can be asked for more (the grid
//! of multilevel cloth is another mesh). So what carries a body is looked after here, in the same way for every solver, and
//! only where there is a load: edges that are longer than a bound are drawn back to it, forwards and backwards over the
//! mesh, so that a load gets from the body to the pins and back in one go. What holds in a cloth, `world/exchange/carriers.rs` says.

use glam::{DVec3, Vec4};

use crate::collision::bodies::body::Body;
use crate::collision::points::Points;
use crate::math::csr::Csr;

/// How far edges under a load may be squeezed, as a fraction. A solver that gives way to a body pushes edges together where they
/// should fold: by up to 55 % under contacts alone.
const SQUEEZED: f64 = 0.12;

/// How much of what a tether is stretched a step takes back. With a tenth, a ball of 100 times the cloth's mass pulled
/// it out by up to 2.7 m; with all of it, cloth of a soft solver snapped back and threw a light ball up by 2.5 m.
const RECOVERY: f64 = 0.3;

/// A tether or an edge is taut at this part of its greatest length.
const TAUT: f64 = 1.0 - 1e-5;

/// What carries bodies in one cloth.
pub(crate) struct Carrier {
    pub pinned: Vec<u32>,
    /// For each particle the pins that it is tethered to, and how far from these it can be, metres.
    pub tethers: Option<Csr<(u32, f32)>>,
    /// Those that hold; none of cloth that stretches without end.
    pub edges: Vec<[u32; 2]>,
    /// The numbers of the edges at each particle.
    pub vertex_edges: Csr,
    /// Rest lengths of the edges, metres.
    pub rest: Vec<f64>,
    /// How far they may be stretched, as a fraction.
    pub limit: f64,
    /// Whether the cloth has a measured stiffness.
    pub is_elastic: bool,
}

impl Carrier {
    /// For each tether of a particle the way from the pin at the end of the step, and the longest that it may be: as
    /// long as the tether, or a little less than at the start if that is longer.
    fn reaches(&self, p: u32, body: &Body, points: &Points) -> impl Iterator<Item = (DVec3, f64)> {
        let first = body.points.start;
        let of_particle = self.tethers.iter().flat_map(move |tethers| tethers.row((p - first) as usize));
        of_particle.map(move |&(pin, length)| {
            let from_pin = |x: &[Vec4]| (x[p as usize] - x[(first + pin) as usize]).truncate().as_dvec3();
            let at_start = from_pin(&points.start).length();
            let length = f64::from(length);
            (from_pin(&points.end), length + (1.0 - RECOVERY) * (at_start - length).max(0.0))
        })
    }

    /// Holds the particles at the ends of their tethers.
    pub fn hold_tethers(&self, body: &Body, points: &mut Points) {
        let Some(tethers) = &self.tethers else { return };
        for p in body.points.clone() {
            for tether in 0..tethers.row((p - body.points.start) as usize).len() {
                // Anew for each: the last one may have moved the particle.
                let Some((away, longest)) = self.reaches(p, body, points).nth(tether) else { break };
                let back = away * (longest / away.length() - 1.0);
                let end = &mut points.end[p as usize];
                if end.w > 0.0 && away.length_squared() > longest * longest {
                    *end = (end.truncate().as_dvec3() + back).as_vec3().extend(end.w);
                    points.changed[p as usize] = true;
                }
            }
        }
    }

    /// The length of an edge at some positions, metres.
    fn length(&self, e: usize, first: u32, positions: &[Vec4]) -> f64 {
        let [a, b] = self.edges[e].map(|v| positions[(v + first) as usize]);
        f64::from((a - b).truncate().length())
    }

    /// How short and how long an edge may be at the end of the step, metres. It may be as long as threads can be, or a
    /// little less than at the start if that is longer: cloth that was drawn out comes back little by little, and what rests on
    /// it does not tremble.
    fn bounds(&self, e: usize, first: u32, points: &Points) -> [f64; 2] {
        let [shortest, longest] = [self.rest[e] * (1.0 - SQUEEZED), self.rest[e] * (1.0 + self.limit)];
        let at_start = self.length(e, first, &points.start);
        [
            shortest - (1.0 - RECOVERY) * (shortest - at_start).max(0.0),
            longest + (1.0 - RECOVERY) * (at_start - longest).max(0.0),
        ]
    }

    /// By how much an edge is too long (or, below 0, too short) at the end of the step, metres.
    fn excess(&self, e: usize, first: u32, points: &Points) -> f64 {
        let length = self.length(e, first, &points.end);
        if (self.rest[e] * (1.0 - SQUEEZED)..=self.rest[e] * (1.0 + self.limit)).contains(&length) {
            return 0.0;
        }
        let [shortest, longest] = self.bounds(e, first, points);
        (length - longest).max(0.0) + (length - shortest).min(0.0)
    }

    /// Brings edges back that are too long or too short, forwards and backwards.
    pub fn hold_edges(&self, body: &Body, points: &mut Points) {
        let first = body.points.start;
        let mut hold = |e: usize| {
            let excess = self.excess(e, first, points);
            let [a, b] = self.edges[e].map(|v| v + first);
            let [from, to] = [points.end[a as usize], points.end[b as usize]];
            let (along, weights) = ((to - from).truncate().as_dvec3(), f64::from(from.w + to.w));
            if excess != 0.0 && weights > 0.0 {
                let change = along.normalize_or_zero() * (excess / weights);
                points.shift(a, change);
                points.shift(b, -change);
            }
        };
        (0..self.edges.len()).for_each(&mut hold);
        (0..self.edges.len()).rev().for_each(&mut hold);
    }

    /// Whether no edge is longer or shorter than it may be by more than a fraction of its length.
    pub fn holds(&self, within: f64, body: &Body, points: &Points) -> bool {
        (0..self.edges.len())
            .all(|e| self.excess(e, body.points.start, points).abs() <= within * self.rest[e])
    }

    /// The mean length of its edges, metres.
    pub fn mean_edge(&self) -> f64 {
        self.rest.iter().sum::<f64>() / self.rest.len().max(1) as f64
    }

    /// The largest strain of an edge at the end of the step, as a fraction.
    pub fn strain(&self, body: &Body, points: &Points) -> f64 {
        let strain = |e: usize| (self.length(e, body.points.start, &points.end) / self.rest[e] - 1.0).abs();
        (0..self.edges.len()).map(strain).fold(0.0, f64::max)
    }

    /// How far the pins move along a direction in the step: the fastest of them, metres.
    pub fn pins_along(&self, direction: DVec3, body: &Body, points: &Points) -> f64 {
        let moved = |&pin: &u32| {
            let p = (pin + body.points.start) as usize;
            direction.dot((points.end[p] - points.start[p]).truncate().as_dvec3())
        };
        self.pinned.iter().map(moved).fold(f64::MIN, f64::max)
    }

    /// Directions in which a particle cannot go.
    pub fn blocked(&self, p: u32, body: &Body, points: &Points, edges: bool, found: &mut Vec<(u32, DVec3)>) {
        for (away, longest) in self.reaches(p, body, points) {
            let distance = away.length();
            if distance > TAUT * longest {
                found.push((p, away / distance));
            }
        }
        let own = if edges { self.vertex_edges.row((p - body.points.start) as usize) } else { &[] };
        for &e in own {
            let e = e as usize;
            let [a, b] = self.edges[e].map(|v| v + body.points.start);
            let other = if a == p { b } else { a };
            let away = (points.end[p as usize] - points.end[other as usize]).truncate().as_dvec3();
            let distance = away.length();
            if distance > TAUT * self.bounds(e, body.points.start, points)[1] {
                found.push((p, away / distance));
            }
        }
    }
}
