//! The linear-system method \[Bender2009\] §3.4.2: the impulses of all constraints at once.
//!
//! Input: particles with a preview of the step. Output: the same with a preview (or velocities) in which all
//! constraints hold to the tolerance.
//!
//! With directions n_i, constraint i leading from i1 to i2, the impulses p change the length of constraint i by
//! −(A p)_i, where ([Bender2009], the case rules for B and P)
//!
//!   A_ii = k_i1 + k_i2,  A_ij = ± k_v n_i · n_j  for a common particle v,
//!
//! plus if v is the same end of both, minus if not. A = J M⁻¹ Jᵀ is symmetric and positive definite unless constraints
//! are redundant. Its pattern is that of the mesh: the symbolic factorisation is made once. Its values are those of a
//! step: they are factorised once per step, and the factor serves for all corrections ([Bender2009]: and for
//! velocities), because one solution leaves a second-order error (errata 4).
//!
//! A correction with a factor of directions that the preview has turned away from gains less: by 1 − cos of the turn.
//! Where it gains less than [`POOR_GAIN`], the directions are taken from the preview and factorised anew: Newton's
//! method. That is the rule for cloth that hangs straight between static particles.
//!
//! Redundant constraints (errata 5: a quad or a row between two static particles that has become a line) show as a
//! factorisation that fails; then A gets a share of its diagonal added. Nearly redundant ones show as a correction
//! that makes strains larger, or moves particles farther than any row of edges could ask for ([`reach`]): where cloth is flat or
//! taut, edges have no impulse across it, and the linear solution overshoots. Such a correction is taken back, and passes of the iterative method part the particles first: they
//! take away the kinks that mislead the linear solution, which in turn carries the weight that they would carry
//! slowly. (Levenberg's and Marquardt's share of the diagonal in their place was tried and stalls.) The report counts
//! both as degenerate.

use glam::{DVec3, DVec4};

use super::ImpulseDirections;
use super::cholesky::Cholesky;
use super::distance::{Distance, Particle, apply, direction};
use super::matrix::Matrix;
use super::reach::reach;
use crate::Error;
use crate::math::largest;

/// Share of the diagonal that is added to it against rounding only.
const LEAST_SHARE: f64 = 1e-12;

/// If that is not enough for a factorisation, it is multiplied by this, again and again.
const SHARE_FACTOR: f64 = 100.0;

/// A share above this leaves every constraint to itself.
const MOST_SHARE: f64 = 100.0;

/// A correction that leaves more than this part of the largest strain calls for new directions.
const POOR_GAIN: f64 = 0.25;

/// Corrections along the directions at the start that leave more than this part of the largest strain lead nowhere.
const POOREST_GAIN: f64 = 0.9;

/// Most corrections per step.
const MOST_CORRECTIONS: u32 = 60;

/// What came of a step's corrections.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Solved {
    /// Solutions with a factor.
    pub corrections: u32,
    /// Numeric factorisations.
    pub factorisations: u32,
    /// How often constraints were found redundant.
    pub degenerate: u32,
}

/// How far a preview is from satisfying its constraints.
#[derive(Clone, Copy, Debug)]
struct Errors {
    /// The largest strain.
    worst: f64,
    /// The sum of squared strains.
    sum: f64,
}

/// The system of a cloth.
pub(crate) struct LinearSystem {
    distances: Vec<Distance>,
    matrix: Matrix,
    factor: Cholesky,
    directions: Vec<DVec3>,
    solution: Vec<f64>,
    /// The preview before a correction, to come back to.
    before: Vec<DVec4>,
    /// Σ e²/(k_a + k_b) of the right-hand side.
    work: f64,
    /// How many times as much a correction may do ([`LinearSystem::is_wild`]).
    reach: f64,
    share: f64,
    /// The directions and inverse masses that were factorised last.
    factorised: (Vec<DVec3>, Vec<f64>),
}

impl LinearSystem {
    /// Makes the pattern of A and factorises it symbolically. `fixed` particles couple nothing.
    pub fn new(distances: Vec<Distance>, fixed: &[bool]) -> Result<Self, Error> {
        let matrix = Matrix::new(&distances, fixed);
        Ok(Self {
            factor: Cholesky::new(&matrix)?,
            directions: vec![DVec3::ZERO; distances.len()],
            solution: vec![0.0; distances.len()],
            before: vec![DVec4::ZERO; fixed.len()],
            work: 0.0,
            reach: reach(fixed.len(), &distances),
            share: LEAST_SHARE,
            factorised: Default::default(),
            matrix,
            distances,
        })
    }

    /// Corrects the preview until every strain is below the tolerance.
    pub fn correct(
        &mut self,
        particles: &mut [Particle],
        tolerance: f64,
        mut smooth: impl FnMut(&mut [Particle]),
    ) -> Solved {
        let mut solved = Solved::default();
        self.first_correction(particles, &mut solved);
        let mut fresh = false;
        self.share = LEAST_SHARE;
        let mut errors = self.measure(particles);
        while errors.worst >= tolerance || errors.worst.is_nan() {
            if solved.corrections >= MOST_CORRECTIONS || !errors.worst.is_finite() {
                return solved;
            }
            if !fresh {
                self.set_end_directions(particles);
                self.factorise(particles, &mut solved);
            }
            self.keep_previews(particles);
            self.factor.solve(&mut self.solution);
            self.apply(particles);
            solved.corrections += 1;
            let is_wild = self.is_wild(particles);
            let after = self.measure(particles);
            if after.sum < errors.sum && !is_wild {
                fresh = after.worst <= POOR_GAIN * errors.worst;
                errors = after;
            } else {
                self.restore_previews(particles);
                smooth(particles);
                solved.degenerate += 1;
                fresh = false;
                errors = self.measure(particles);
            }
        }
        solved
    }

    /// Corrects the preview along the directions at the start of the step, which keeps angular momentum, with the one
    /// factor of that step. Exact for each edge by itself: what lies across its direction stays, so the part along it
    /// has to become √(l0² − across²); what edges do to each other's `across` is left to the next correction. `smooth` takes over
    /// where edges have turned too far for that, from the last preview that a correction has made better: from worse ones
    /// passes went astray, and moved particles by a fifth of the cloth.
    pub fn correct_along_start(
        &mut self,
        particles: &mut [Particle],
        tolerance: f64,
        smooth: impl FnOnce(&mut [Particle]),
    ) -> Solved {
        let mut solved = Solved::default();
        self.set_start_directions(particles);
        self.factorise_if_changed(particles, &mut solved);
        let mut last = f64::INFINITY;
        while solved.corrections < MOST_CORRECTIONS {
            let worst = self.measure_along(particles);
            let is_below = |limit: f64| worst.is_some_and(|worst| worst < limit);
            if is_below(tolerance) {
                return solved;
            }
            if !is_below(POOREST_GAIN * last) {
                if solved.corrections > 0 && !is_below(last) {
                    self.restore_previews(particles);
                }
                break;
            }
            last = worst.unwrap_or(last);
            self.keep_previews(particles);
            self.factor.solve(&mut self.solution);
            self.apply(particles);
            solved.corrections += 1;
            if self.is_wild(particles) {
                self.restore_previews(particles);
                break;
            }
        }
        solved.degenerate += 1;
        smooth(particles);
        solved
    }

    /// The paper's solution: along the directions at the start of the step, for errors to first order, n·d − l0. The
    /// factor is that with which the velocities of the last step were corrected, unless something has moved since. It is not
    /// taken back where it is wild: what is held cannot be thrown away, and the passes in its place cost energy (a swing of triangles
    /// lost 0.1 to 0.9 M g L/2 in a second by that, in 16 substeps and more, instead of 0.04 and less).
    fn first_correction(&mut self, particles: &mut [Particle], solved: &mut Solved) {
        self.set_start_directions(particles);
        for ((error, &n), distance) in self.solution.iter_mut().zip(&self.directions).zip(&self.distances) {
            let [a, b] = distance.vertices.map(|v| &particles[v as usize]);
            *error = (b.preview - a.preview).truncate().dot(n) - distance.rest;
        }
        self.factorise_if_changed(particles, solved);
        self.factor.solve(&mut self.solution);
        self.apply(particles);
        solved.corrections += 1;
    }

    fn factorise_if_changed(&mut self, particles: &[Particle], solved: &mut Solved) {
        let masses = particles.iter().map(|particle| particle.preview.w);
        if self.directions != self.factorised.0 || !masses.eq(self.factorised.1.iter().copied()) {
            self.share = LEAST_SHARE;
            self.factorise(particles, solved);
        }
    }

    fn keep_previews(&mut self, particles: &[Particle]) {
        self.before.iter_mut().zip(particles).for_each(|(to, from)| *to = from.preview);
    }

    fn restore_previews(&self, particles: &mut [Particle]) {
        particles.iter_mut().zip(&self.before).for_each(|(to, &from)| to.preview = from);
    }

    fn raise_share(&mut self, solved: &mut Solved) {
        self.share = (self.share * SHARE_FACTOR).min(MOST_SHARE);
        solved.degenerate += 1;
    }

    /// Corrects velocities, held in the place of the preview, at the positions `start`, until they strain no constraint
    /// by `tolerance` within `dt`. There always are such velocities, so redundant constraints do no harm.
    pub fn settle(&mut self, particles: &mut [Particle], dt: f64, tolerance: f64) -> Solved {
        let mut solved = Solved::default();
        let mut last = f64::INFINITY;
        loop {
            let worst = self.measure_velocities(particles, dt);
            if worst < tolerance || solved.corrections == MOST_CORRECTIONS || worst >= last || worst.is_nan()
            {
                return solved;
            }
            self.factorise_if_changed(particles, &mut solved);
            self.factor.solve(&mut self.solution);
            self.apply(particles);
            solved.corrections += 1;
            last = worst;
        }
    }

    /// Fills the right-hand side with errors.
    fn measure(&mut self, particles: &[Particle]) -> Errors {
        let mut errors = Errors { worst: 0.0, sum: 0.0 };
        self.work = 0.0;
        for (error, distance) in self.solution.iter_mut().zip(&self.distances) {
            let [a, b] = distance.vertices.map(|v| &particles[v as usize]);
            *error = 0.0;
            if a.preview.w + b.preview.w > 0.0 {
                *error = (b.preview - a.preview).truncate().length() - distance.rest;
                self.work += *error * *error / (a.preview.w + b.preview.w);
                let strain = error.abs() / distance.rest;
                errors.worst = largest(errors.worst, strain);
                errors.sum += strain * strain;
            }
        }
        errors
    }

    /// Fills the right-hand side with what is too much along the directions, and the largest strain; `None` where no
    /// change along a direction gives an edge its length.
    fn measure_along(&mut self, particles: &[Particle]) -> Option<f64> {
        let mut worst = 0.0;
        self.work = 0.0;
        for ((error, &n), distance) in self.solution.iter_mut().zip(&self.directions).zip(&self.distances) {
            let [a, b] = distance.vertices.map(|v| &particles[v as usize]);
            *error = 0.0;
            if a.preview.w + b.preview.w > 0.0 {
                let d = (b.preview - a.preview).truncate();
                let along = d.dot(n);
                let wanted_sq = distance.rest * distance.rest - (d.length_squared() - along * along);
                if wanted_sq <= 0.0 || along <= 0.0 {
                    return None;
                }
                *error = along - wanted_sq.sqrt();
                self.work += *error * *error / (a.preview.w + b.preview.w);
                worst = largest(worst, (d.length() - distance.rest).abs() / distance.rest);
            }
        }
        Some(worst)
    }

    /// Fills the right-hand side with relative velocities along constraints, and takes their directions there.
    fn measure_velocities(&mut self, particles: &[Particle], dt: f64) -> f64 {
        self.set_start_directions(particles);
        let mut worst = 0.0f64;
        for ((error, &n), distance) in self.solution.iter_mut().zip(&self.directions).zip(&self.distances) {
            let [a, b] = distance.vertices.map(|v| &particles[v as usize]);
            let can_move = a.preview.w + b.preview.w > 0.0;
            *error = if can_move { (b.preview - a.preview).truncate().dot(n) } else { 0.0 };
            worst = largest(worst, error.abs() * dt / distance.rest);
        }
        worst
    }

    fn set_start_directions(&mut self, particles: &[Particle]) {
        for (n, distance) in self.directions.iter_mut().zip(&self.distances) {
            let [a, b] = distance.vertices.map(|v| &particles[v as usize]);
            *n = (b.start - a.start).normalize_or_zero();
        }
    }

    fn set_end_directions(&mut self, particles: &[Particle]) {
        for (n, distance) in self.directions.iter_mut().zip(&self.distances) {
            let [a, b] = distance.vertices.map(|v| &particles[v as usize]);
            let d = (b.preview - a.preview).truncate();
            *n = direction(a, b, d, d.length(), ImpulseDirections::End).0;
        }
    }

    /// Factorises A for the present directions, with as large a share of the diagonal added as it takes.
    fn factorise(&mut self, particles: &[Particle], solved: &mut Solved) {
        loop {
            self.matrix.fill(&self.directions, |v| particles[v].preview.w, self.share);
            solved.factorisations += 1;
            if self.factor.factorise(&self.matrix) || self.share >= MOST_SHARE {
                self.factorised.0.clone_from(&self.directions);
                self.factorised.1.clear();
                self.factorised.1.extend(particles.iter().map(|particle| particle.preview.w));
                return;
            }
            self.raise_share(solved);
        }
    }

    /// Whether particles were moved farther than their constraints can ask for: the solution of a nearly singular system.
    fn is_wild(&self, particles: &[Particle]) -> bool {
        let moved = particles.iter().zip(&self.before).filter(|(particle, _)| particle.preview.w > 0.0);
        let work: f64 =
            moved.map(|(now, before)| (now.preview - *before).length_squared() / now.preview.w).sum();
        !work.is_finite() || work > self.reach * self.work
    }

    /// Gives the impulses to the particles.
    fn apply(&self, particles: &mut [Particle]) {
        for ((distance, &n), &impulse) in self.distances.iter().zip(&self.directions).zip(&self.solution) {
            apply(particles, distance.vertices.map(|v| v as usize), n, impulse);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three edges between four particles in a line, the long one as redundant as rounding lets it be: what is too short is
    /// corrected along it, and nothing is thrown across.
    #[test]
    fn a_nearly_singular_system_throws_nothing() {
        let x =
            |x: f64, y: f64| Particle { preview: DVec4::new(x, y, 0.0, 1.0), start: DVec3::new(x, y, 0.0) };
        let pair = |a, b, rest| Distance { vertices: [a, b], rest };
        let distances = vec![pair(0, 1, 1.0), pair(1, 2, 1.0), pair(0, 2, 1.98)];
        let mut system = LinearSystem::new(distances, &[false; 3]).unwrap();
        let mut particles = [x(0.0, 0.0), x(1.0, 1e-7), x(2.0, 0.0)];
        let before = particles;
        let solved = system.correct_along_start(&mut particles, 1e-3, |_| {});
        let moved = |(now, then): (&Particle, &Particle)| (now.preview - then.preview).length();
        assert!(particles.iter().zip(&before).map(moved).all(|moved| moved < 0.1), "{particles:?}");
        assert_eq!(solved.degenerate, 1);
    }
}
