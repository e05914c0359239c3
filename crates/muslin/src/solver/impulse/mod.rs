//! Inextensible cloth by impulses \[Bender2009\]: a cloth whose strain is a number the user sets.
//!
//! Input: a state at time t. Output: its positions at t + h, in which no edge is strained by more than the tolerance,
//! and its velocities there. In the order of a step:
//!
//! - [`springs`]: shear and bending change velocities ([`Solver::push`]),
//! - the exact motion of free particles is the preview ([`Motion::Exact`]),
//! - [`distance`] constraints correct it, one after the other ([`iterative`]) or all at once ([`linear_system`]),
//! - velocities are corrected likewise, after collisions ([`Solver::settle`]).
//!
//! All of it in double precision, because single precision rounds away strains below about 1e-5.
//!
//! Limits: edges resist compression as well as stretch, so cloth gets shorter only by folding. On a quad grid that is
//! how cloth behaves; triangles whose edges all keep their lengths can bend only along straight lines of edges, and
//! want a tolerance of a per cent or so. Contacts work in single precision: where they move particles, strains below about
//! 1e-5 are lost.

mod cholesky;
pub(crate) mod distance;
mod iterative;
mod linear_system;
mod matrix;
mod options;
mod springs;
mod taut;

use glam::{DVec3, Vec4};

use crate::Error;
use crate::cloth::Cloth;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::simulation::StepReport;
use crate::solver::shape_matching::ShapeMatchingSolver;
use crate::solver::{Motion, ShapeMatching, Solver};
use crate::state::State;
use distance::{Distance, Particle, distances};
use iterative::{Iterative, Limits};
use linear_system::LinearSystem;
pub use options::{ImpulseDirections, ImpulseMethod, ImpulseStart, Impulses, SpringDamper};
use springs::Springs;
use taut::{Taut, taut};

/// Cycles of shape matching that a step begins with. On 40 × 40 particles at 10 % one leaves 38 of 105 passes, two 22; a
/// cycle costs about as much as six passes.
const CYCLES: u32 = 2;

/// Passes between contacts.
const PASSES_PER_TURN: u32 = 5;

/// Part of the tolerance that those passes aim at: contacts take the rest.
const TOLERANCE_OF_TURN: f64 = 0.5;

/// What the impulse solver did in a step, summed over its substeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImpulseReport {
    /// Passes over all constraints, or solutions of the linear system, for positions.
    pub iterations: u32,
    /// The same for velocities.
    pub velocity_iterations: u32,
    /// Numeric factorisations of the linear system.
    pub factorisations: u32,
    /// How often constraints were found redundant, and the linear system regularised.
    pub degenerate: u32,
    /// Substeps in which strains above the tolerance were left.
    pub unsatisfied: u32,
}

/// The solver, built for one cloth.
pub(crate) struct ImpulseSolver {
    limits: Limits,
    /// Of passes where a solution of the linear system made things worse: enough to carry a push across the cloth. On
    /// 50 × 50 particles at 1/30 s and 1e-6, 200 passes without over-relaxation took twice as many factorisations, and
    /// cloth with a slack of 1 % between its corners did not get below 1 %.
    between: Limits,
    directions: ImpulseDirections,
    velocity_impulses: bool,
    springs: Springs,
    distances: Vec<Distance>,
    iterative: Iterative,
    linear_system: Option<LinearSystem>,
    taut: Vec<Taut>,
    /// Per entry of `taut` whether its row is straight in this step.
    straight: Vec<bool>,
    particles: Vec<Particle>,
    /// Inverse masses relative to the mean. Those of the state are rounded to single precision, which would show in
    /// the momentum.
    inverse_masses: Vec<f64>,
    report: ImpulseReport,
    /// Brings the preview near its end before constraints are looked at one by one.
    hierarchy: Option<ShapeMatchingSolver>,
    /// Of particles that lie on something at rest, away from it; zero of others. Empty without collisions.
    contact_normals: Vec<DVec3>,
    /// How much of the last step's corrections a step begins with.
    warm_start: f64,
    triangles: usize,
}

impl Impulses {
    /// Makes the constraints of a cloth.
    pub(crate) fn build(&self, cloth: &Cloth, dt: f64) -> Result<ImpulseSolver, Error> {
        self.check()?;
        let mean_mass = cloth.total_mass() / cloth.vertex_count() as f64;
        let (list, taut) = (distances(cloth), taut(cloth));
        Ok(ImpulseSolver {
            limits: Limits {
                tolerance: self.tolerance,
                iterations: self.iterations,
                factor: self.resolved_over_relaxation(cloth),
            },
            directions: match self.directions {
                ImpulseDirections::Auto if cloth.pins.is_empty() => ImpulseDirections::Auto,
                ImpulseDirections::Auto => ImpulseDirections::End,
                chosen => chosen,
            },
            between: Limits {
                tolerance: self.tolerance,
                iterations: (2.0 * options::side(cloth)).max(120.0) as u32,
                factor: options::young(cloth),
            },
            velocity_impulses: self.velocity_impulses,
            springs: Springs::new(cloth, self),
            iterative: Iterative::new(cloth.vertex_count(), &list),
            linear_system: match self.resolved_method() {
                ImpulseMethod::LinearSystem => Some(LinearSystem::new(list.clone(), &cloth.fixed())?),
                _ => None,
            },
            distances: list,
            straight: vec![false; taut.len()],
            taut,
            inverse_masses: cloth.masses.iter().map(|mass| mean_mass / mass).collect(),
            particles: vec![Particle::default(); cloth.vertex_count()],
            report: ImpulseReport::default(),
            hierarchy: match self.resolved_start(cloth) {
                ImpulseStart::Hierarchy => {
                    Some(ShapeMatching { cycles: CYCLES, ..ShapeMatching::default() }.build(cloth, dt)?)
                }
                _ => None,
            },
            warm_start: self.warm_start,
            contact_normals: Vec::new(),
            triangles: cloth.mesh.triangles.len(),
        })
    }
}

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
            ImpulseDirections::Auto if self.contact_normals.is_empty() => ImpulseDirections::Start,
            ImpulseDirections::Auto => ImpulseDirections::End,
            chosen => chosen,
        }
    }

    /// Corrects `self.particles`, whose preview is that of a step.
    fn correct(&mut self, execution: Execution) {
        let directions = self.resolved_directions();
        let Self { iterative, particles, limits, .. } = self;
        if let Some(system) = &mut self.linear_system {
            let solved = match directions {
                ImpulseDirections::Start => {
                    system.correct_along_start(particles, limits.tolerance, |particles| {
                        iterative.correct(particles, directions, *limits, execution.parallel);
                    })
                }
                _ => system.correct(particles, limits.tolerance, |particles| {
                    iterative.correct(particles, ImpulseDirections::End, self.between, execution.parallel);
                }),
            };
            self.report.iterations += solved.corrections;
            self.report.factorisations += solved.factorisations;
            self.report.degenerate += solved.degenerate;
            return;
        }
        self.report.iterations += iterative.correct(particles, directions, *limits, execution.parallel);
    }
}

impl Solver for ImpulseSolver {
    fn touch(&mut self, normals: &[Vec4]) {
        self.contact_normals.clear();
        self.contact_normals.extend(normals.iter().map(|normal| normal.truncate().as_dvec3()));
        if let Some(hierarchy) = &mut self.hierarchy {
            hierarchy.touch(normals);
        }
    }

    fn motion(&self) -> Motion {
        Motion::Exact
    }

    fn push(&mut self, state: &mut State, dt: f32, execution: Execution, timings: &mut Timings) {
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
        if let Some(hierarchy) = &mut self.hierarchy {
            hierarchy.solve(0, state, execution, timings);
        }
        timings.time(Stage::Stretch, || {
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
            self.correct(execution);
            let Some(double) = &mut state.double else { return };
            for (v, particle) in self.particles.iter().enumerate() {
                let corrected = particle.preview.truncate();
                double.corrections[v] = corrected - double.positions[v];
                double.positions[v] = corrected;
            }
            state.narrow();
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
        if !self.velocity_impulses {
            return;
        }
        timings.time(Stage::Stretch, || {
            let Some(double) = &mut state.double else { return };
            for (v, particle) in self.particles.iter_mut().enumerate() {
                particle.preview =
                    double.velocities[v].extend(free(state.points[v].w, self.inverse_masses[v]));
                particle.start = double.positions[v];
            }
            self.hold_taut();
            self.stay_out();
            let Self { iterative, particles, limits, .. } = self;
            if let Some(system) = &mut self.linear_system {
                let solved = system.settle(particles, dt, limits.tolerance);
                self.report.velocity_iterations += solved.corrections;
                self.report.factorisations += solved.factorisations;
            } else {
                self.report.velocity_iterations +=
                    iterative.settle(particles, dt, *limits, execution.parallel);
            }
            self.stay_out();
            let corrected = self.particles.iter().map(|particle| particle.preview.truncate());
            double.velocities.iter_mut().zip(corrected).for_each(|(to, from)| *to = from);
            state.narrow();
        });
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
            let tolerance = TOLERANCE_OF_TURN * self.limits.tolerance;
            let few = Limits { iterations: PASSES_PER_TURN, factor: 1.0, tolerance };
            self.report.iterations +=
                self.iterative.correct(&mut self.particles, ImpulseDirections::End, few, execution.parallel);
            for (particle, point) in self.particles.iter().zip(points) {
                *point = particle.preview.as_vec4().with_w(point.w);
            }
        });
    }

    fn strain_holds(&self, points: &[Vec4]) -> Option<bool> {
        let holds = |distance: &Distance| {
            let [a, b] = distance.vertices.map(|v| points[v as usize]);
            distance.strain(a.truncate().as_dvec3(), b.truncate().as_dvec3()) < self.limits.tolerance
                || a.w + b.w == 0.0
        };
        Some(self.distances.iter().all(holds))
    }

    fn report(&self, report: &mut StepReport) {
        report.impulses.iterations += self.report.iterations;
        report.impulses.velocity_iterations += self.report.velocity_iterations;
        report.impulses.factorisations += self.report.factorisations;
        report.impulses.degenerate += self.report.degenerate;
        report.impulses.unsatisfied += self.report.unsatisfied;
    }

    fn level_triangles(&self) -> Vec<usize> {
        vec![self.triangles]
    }
}
