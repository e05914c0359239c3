//! What the impulse solver does in each stage of a step.

use glam::{DVec3, Vec4};

use super::distance::{Distance, Particle};
use super::energy_bound;
use super::iterative::Limits;
use super::{ImpulseDirections, ImpulseReport, ImpulseSolver};
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::solver::{Facts, Motion, Promise, Senses, Solver, SolverReport, StrainLimit, Touch, Weight};
use crate::state::State;

/// Passes between contacts.
const PASSES_PER_TURN: u32 = 5;

/// Part of the tolerance that those passes aim at: contacts take the rest.
const TOLERANCE_OF_TURN: f64 = 0.5;

/// The smallest strain that is asked for where contacts have moved particles: they are known in single precision only.
const SINGLE_PRECISION: f64 = 1e-5;

/// By how much a strain may change when positions are rounded: half of the last digit of two positions some metres from
/// the origin, on an edge of centimetres.
const ROUNDING: f64 = 2e-6;

/// Seconds within which velocities must not strain a constraint by the tolerance, if a substep is shorter. Within a
/// substep of 0.26 ms an edge of 5 cm may part at 2 m/s before its strain is one per cent, and what corrections of
/// positions put into velocities would stay: measured, a swing of 64 substeps gained half its energy in two seconds.
const SETTLED_WITHIN: f64 = 1.0 / 60.0;

/// The inverse mass of a particle, unless it is held.
fn free(w: f32, inverse_mass: f64) -> f64 {
    if w > 0.0 { inverse_mass } else { 0.0 }
}

impl ImpulseSolver {
    /// Puts the particles of straight rows on them.
    fn hold_taut(&mut self) {
        let straight = self.straight.iter().zip(&self.taut).filter(|&(&straight, _)| straight);
        straight.for_each(|(_, taut)| taut.hold(&mut self.particles));
    }

    /// Takes velocities, held in the place of the preview, that lead into what particles lie on.
    fn stay_out(&mut self) {
        for (particle, normal) in self.particles.iter_mut().zip(&self.contact_normals) {
            let inwards = particle.preview.truncate().dot(*normal);
            if inwards < 0.0 && particle.preview.w > 0.0 {
                particle.preview -= (*normal * inwards).extend(0.0);
            }
        }
    }

    /// Along which directions impulses of this step act.
    fn resolved_directions(&self) -> ImpulseDirections {
        match self.directions {
            // Held by something as good as static.
            ImpulseDirections::Auto if !self.weighed.is_empty() => ImpulseDirections::End,
            ImpulseDirections::Auto if self.contact_normals.is_empty() => ImpulseDirections::Start,
            ImpulseDirections::Auto => ImpulseDirections::End,
            chosen => chosen,
        }
    }

    /// Takes velocities along constraints (§3.2, eq. 3).
    fn settle_velocities(&mut self, state: &mut State, dt: f64, execution: Execution) {
        let Some(double) = &mut state.double else { return };
        for (v, particle) in self.particles.iter_mut().enumerate() {
            particle.preview = double.velocities[v].extend(free(state.points[v].w, self.inverse_masses[v]));
            particle.start = double.positions[v];
        }
        self.hold_taut();
        self.stay_out();
        let within = dt.max(SETTLED_WITHIN);
        let Self { iterative, particles, limits, .. } = self;
        if let Some(system) = &mut self.linear_system {
            let solved = system.settle(particles, within, limits.tolerance);
            self.report.velocity_iterations += solved.corrections;
            self.report.degenerate += solved.degenerate;
            self.report.factorisations += solved.factorisations;
        } else {
            self.report.velocity_iterations += iterative.settle(particles, within, *limits, execution);
        }
        self.stay_out();
        let corrected = self.particles.iter().map(|particle| particle.preview.truncate());
        double.velocities.iter_mut().zip(corrected).for_each(|(to, from)| *to = from);
        state.narrow();
    }

    /// Takes the preview of a step over from where particles are.
    fn preview(&mut self, state: &mut State) {
        state.follow();
        let Some(double) = &state.double else { return };
        for (v, particle) in self.particles.iter_mut().enumerate() {
            let mass = free(state.points[v].w, self.inverse_masses[v]);
            let ahead = if mass > 0.0 { self.warm_start * double.corrections[v] } else { DVec3::ZERO };
            particle.preview = (double.positions[v] + ahead).extend(mass);
            particle.start = double.start[v];
        }
        for (straight, taut) in self.straight.iter_mut().zip(&self.taut) {
            *straight = taut.is_straight(&self.particles);
        }
        self.hold_taut();
    }

    /// Corrects `self.particles`, whose preview is that of a step.
    fn correct(&mut self, execution: Execution) {
        let directions = self.resolved_directions();
        let Self { iterative, particles, limits, between, .. } = self;
        let iterate = |particles: &mut [Particle]| match directions {
            ImpulseDirections::Start => iterative.correct_along_start(particles, *limits, execution),
            _ => iterative.correct(particles, ImpulseDirections::End, *limits, execution),
        };
        let Some(system) = &mut self.linear_system else {
            self.report.iterations += iterate(particles);
            return;
        };
        let solved = match directions {
            ImpulseDirections::Start => {
                system.correct_along_start(particles, limits.tolerance, |particles| {
                    iterate(particles);
                })
            }
            _ => system.correct(particles, limits.tolerance, |particles| {
                iterative.correct(particles, ImpulseDirections::End, *between, execution);
            }),
        };
        self.report.iterations += solved.corrections;
        self.report.factorisations += solved.factorisations;
        self.report.degenerate += solved.degenerate;
    }
}

impl Solver for ImpulseSolver {
    fn facts(&self) -> Facts {
        Facts { motion: Motion::Exact, ..Facts::new(vec![self.triangles]) }
    }

    fn weigh(&mut self, weights: &[Weight]) {
        let Self { weighed, inverse_masses, mean_mass, .. } = self;
        weighed.drain(..).for_each(|(v, w)| inverse_masses[v as usize] = w);
        for weight in weights {
            let w = &mut inverse_masses[weight.vertex as usize];
            weighed.push((weight.vertex, *w));
            *w = 1.0 / (1.0 / *w + weight.added / *mean_mass);
        }
        if let Some(hierarchy) = &mut self.hierarchy {
            hierarchy.weigh(weights);
        }
    }

    fn predict(&mut self, state: &mut State, dt: f32, execution: Execution, timings: &mut Timings) {
        self.report = ImpulseReport::default();
        timings.time(Stage::Bending, || {
            state.follow();
            if let Some(double) = &mut state.double {
                self.springs.push(&double.positions, &mut double.velocities, dt.into(), execution);
            }
            state.narrow();
        });
    }

    fn solve(&mut self, _round: u32, state: &mut State, execution: Execution, timings: &mut Timings) {
        state.follow();
        let before = energy_bound::motion_of_step(state, &self.inverse_masses);
        if let Some(hierarchy) = &mut self.hierarchy {
            hierarchy.solve(0, state, execution, timings);
        }
        timings.time(Stage::Stretch, || {
            self.preview(state);
            self.correct(execution);
            let Some(double) = &mut state.double else { return };
            for (v, particle) in self.particles.iter().enumerate() {
                let corrected = particle.preview.truncate();
                double.corrections[v] = corrected - double.positions[v];
                double.positions[v] = corrected;
            }
            state.narrow();
            let after = energy_bound::motion_of_step(state, &self.inverse_masses);
            self.excess = before.zip(after).map_or(0.0, |(before, after)| after - before);
        });
    }

    fn settle(&mut self, state: &mut State, dt: f64, execution: Execution, timings: &mut Timings) {
        // Not before: contacts may have moved particles since constraints were solved.
        let holds = |distance: &Distance| {
            let [a, b] = distance.vertices.map(|v| v as usize);
            let held = state.points[a].w + state.points[b].w == 0.0;
            held || distance.strain(state.position(a), state.position(b)) < self.limits.tolerance
        };
        self.report.unsatisfied += u32::from(!self.distances.iter().all(holds));
        let arriving = energy_bound::kinetic(state, &self.inverse_masses);
        if self.velocity_impulses {
            timings.time(Stage::Stretch, || self.settle_velocities(state, dt, execution));
        }
        let taken = arriving - energy_bound::kinetic(state, &self.inverse_masses);
        let calmed =
            energy_bound::remove_energy(state, &self.inverse_masses, self.excess / (dt * dt) - taken);
        self.report.calmed += u32::from(calmed);
    }

    /// A few passes, between contacts: the iteration that contacts are part of (§3.4.1).
    fn smooth(&mut self, points: &mut Vec<Vec4>, execution: Execution, timings: &mut Timings) {
        timings.time(Stage::Stretch, || {
            for ((particle, point), &mass) in
                self.particles.iter_mut().zip(&*points).zip(&self.inverse_masses)
            {
                particle.preview = point.truncate().as_dvec3().extend(free(point.w, mass));
            }
            self.hold_taut();
            let tolerance = TOLERANCE_OF_TURN * self.limits.tolerance.max(SINGLE_PRECISION);
            let few = Limits { iterations: PASSES_PER_TURN, factor: 1.0, tolerance };
            self.report.iterations +=
                self.iterative.correct(&mut self.particles, ImpulseDirections::End, few, execution);
            for (particle, point) in self.particles.iter().zip(points) {
                *point = particle.preview.as_vec4().with_w(point.w);
            }
        });
    }

    fn report(&self, report: &mut SolverReport) {
        let before = report.impulses().copied().unwrap_or_default();
        *report = SolverReport::Impulses(ImpulseReport {
            iterations: before.iterations + self.report.iterations,
            velocity_iterations: before.velocity_iterations + self.report.velocity_iterations,
            factorisations: before.factorisations + self.report.factorisations,
            degenerate: before.degenerate + self.report.degenerate,
            unsatisfied: before.unsatisfied + self.report.unsatisfied,
            calmed: before.calmed + self.report.calmed,
        });
    }

    fn senses(&mut self) -> Senses<'_> {
        Senses::Touch(self)
    }

    fn strain_limit(&mut self) -> StrainLimit<'_> {
        StrainLimit::Promised(self)
    }
}

impl Touch for ImpulseSolver {
    fn touch(&mut self, normals: &[Vec4]) {
        self.contact_normals.clear();
        self.contact_normals.extend(normals.iter().map(|normal| normal.truncate().as_dvec3()));
        if let Some(hierarchy) = &mut self.hierarchy {
            hierarchy.touch(normals);
        }
    }
}

impl Promise for ImpulseSolver {
    fn holds(&self, points: &[Vec4]) -> bool {
        let tolerance = self.limits.tolerance.max(SINGLE_PRECISION) - ROUNDING;
        let holds = |distance: &Distance| {
            let [a, b] = distance.vertices.map(|v| points[v as usize]);
            distance.strain(a.truncate().as_dvec3(), b.truncate().as_dvec3()) < tolerance || a.w + b.w == 0.0
        };
        self.distances.iter().all(holds)
    }
}
