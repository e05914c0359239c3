//! Distance constraints, and the impulses that satisfy one \[Bender2009\] §3.2.
//!
//! Input: a cloth, particles at the start of a step and where they would be at its end (the preview). Output: a
//! corrected preview.
//!
//! An impulse p along the unit vector n at the start of a step of h seconds, given to a and taken from b, changes
//! their velocities by k_a p n and −k_b p n (k: inverse mass, 0 if static), and the preview by
//!
//!   Δx_a = h k_a p n,  Δx_b = −h k_b p n
//!
//! so impulses need no variables of their own: the preview is corrected along n, and the velocity of the step follows
//! from where it ends ([`state::double`](crate::state)). Any number of corrections leaves such a preview: an
//! iteration that is interrupted leaves a valid state, only with more strain.
//!
//! With d = x_b − x_a, l = |d| and the error e = l − l0, the sum s = h p (k_a + k_b) changes l by −s (n·d)/l to first
//! order. The paper takes s = e (eq. 2, with n normalised: errata 1), which is Newton's step only while n and d point
//! the same way; s = e l/(n·d) is Newton's step always.
//!
//! Which n? At the *start* of the step, n = (c_b − c_a)/|c_b − c_a| at time t, the impulses act along the line between
//! the particles, so Σ c × p = 0; and because x(t+h) × v = (c + h v) × v = c × v, angular momentum is conserved to the
//! last bit, however far an iteration gets. (This is SHAKE, Ryckaert et al. 1977.) But impulses along c_b − c_a cannot
//! hold what hangs straight between two static particles: a row of horizontal edges has no vertical impulse, while its
//! preview sags. At the *end* of the step, n = d/l, there is always a correction, each preserves linear momentum, and
//! angular momentum only up to the turn of an edge within a step.

use glam::{DVec3, DVec4};

use super::ImpulseDirections;
use crate::cloth::Cloth;
use crate::mesh::quads;

/// Where n and d are farther apart than this cosine (60°), Newton's step along n is no good any more.
const SMALLEST_COSINE: f64 = 0.5;

/// Two particles and the distance they keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Distance {
    /// The particles, lower number first.
    pub vertices: [u32; 2],
    /// Metres.
    pub rest: f64,
}

impl Distance {
    /// By how much it is stretched or compressed when its particles are at these positions, relative.
    pub fn strain(&self, a: DVec3, b: DVec3) -> f64 {
        (a.distance(b) - self.rest).abs() / self.rest
    }
}

/// A particle within a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Particle {
    /// Where the step takes it; w is its inverse mass relative to the mean.
    pub preview: DVec4,
    /// Where the step begins.
    pub start: DVec3,
}

/// The edges of a cloth: of quads where the mesh knows them (without their diagonals), else of triangles. Edges
/// between two static particles are left out (errata 5).
pub(crate) fn distances(cloth: &Cloth) -> Vec<Distance> {
    let fixed = cloth.fixed();
    let diagonals = quads::Diagonals::new(&cloth.topology, &cloth.mesh.quads);
    let mut found = Vec::with_capacity(cloth.topology.edges.len());
    for (e, &[a, b]) in cloth.topology.edges.iter().enumerate() {
        if diagonals.is_diagonal[e] || (fixed[a as usize] && fixed[b as usize]) {
            continue;
        }
        let rest = cloth.rest[a as usize].distance(cloth.rest[b as usize]);
        found.push(Distance { vertices: [a, b], rest });
    }
    found
}

/// The unit vector along which impulses act, and its cosine with the preview's direction.
#[inline]
pub(crate) fn direction(
    a: &Particle,
    b: &Particle,
    d: DVec3,
    length: f64,
    along: ImpulseDirections,
) -> (DVec3, f64) {
    if along == ImpulseDirections::Start {
        let edge = b.start - a.start;
        let (cosine, span) = (edge.dot(d), edge.length());
        if cosine > SMALLEST_COSINE * span * length {
            return (edge / span, cosine / (span * length));
        }
    }
    match length > 0.0 {
        true => (d / length, 1.0),
        // Two particles in one place: any direction parts them.
        false => ((b.start - a.start).try_normalize().unwrap_or(DVec3::X), 1.0),
    }
}

/// Gives an impulse along `n` to the first particle and takes it from the second.
#[inline]
pub(crate) fn apply(particles: &mut [Particle], [i, j]: [usize; 2], n: DVec3, impulse: f64) {
    let change = (n * impulse).extend(0.0);
    let (a, b) = (particles[i].preview.w, particles[j].preview.w);
    particles[i].preview += change * a;
    particles[j].preview -= change * b;
}

/// Corrects one constraint if its strain is `tolerance` or more, by `factor` times the full correction; the strain
/// before that.
#[inline]
pub(crate) fn correct(
    particles: &mut [Particle],
    pair: [usize; 2],
    rest: f64,
    along: ImpulseDirections,
    tolerance: f64,
    factor: f64,
) -> f64 {
    let [a, b] = pair.map(|v| particles[v]);
    let d = (b.preview - a.preview).truncate();
    let length = d.length();
    let error = length - rest;
    let strain = error.abs() / rest;
    let mobility = a.preview.w + b.preview.w;
    if mobility == 0.0 {
        // Both are held for a while (quarantine): nothing can be done about it.
        return 0.0;
    }
    if strain < tolerance {
        return strain;
    }
    let (n, cosine) = direction(&a, &b, d, length, along);
    let impulse = factor * error / (cosine * mobility);
    apply(particles, pair, n, impulse);
    strain
}

/// [Bender2009] eq. 3: takes the relative velocity along a constraint, if it would strain it by `tolerance` or more
/// within a step of `dt`. Here `preview` holds velocities and `start` the positions where they act; the strain returned is
/// that within a step.
#[inline]
pub(crate) fn correct_velocity(
    particles: &mut [Particle],
    pair: [usize; 2],
    rest: f64,
    dt: f64,
    tolerance: f64,
    factor: f64,
) -> f64 {
    let [a, b] = pair.map(|v| particles[v]);
    let mobility = a.preview.w + b.preview.w;
    let Some(n) = (b.start - a.start).try_normalize() else { return 0.0 };
    if mobility == 0.0 {
        return 0.0;
    }
    let error = (b.preview - a.preview).truncate().dot(n);
    let strain = error.abs() * dt / rest;
    if strain < tolerance {
        return strain;
    }
    let impulse = factor * error / mobility;
    apply(particles, pair, n, impulse);
    strain
}
