//! The simulation: a cloth, its state, and the settings under which it moves.

mod bending;
mod controls;
mod measures;
mod positions;
mod settings;
mod surface;

use glam::Vec4;

use crate::Error;
use crate::cloth::Cloth;
use crate::cloth::tethers::Tethers;
use crate::damping::Damper;
use crate::diagnostics::energy::Momentum;
use crate::diagnostics::timings::Timings;
use crate::execution::Threads;
use crate::forces::wind::WindForce;
use crate::solver::multilevel::GridReport;
use crate::solver::{Facts, ImpulseReport, Motion, Solver};
use crate::state::{Drift, Snapshot, State, Traveller};
use crate::volume::VolumeKeeper;
pub(crate) use bending::Bending;
pub use settings::Settings;
pub use surface::Surface;

/// What happened in a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Seconds since the start.
    pub time: f64,
    /// Steps since the start, substeps counted one by one.
    pub steps: u64,
    /// Time per stage, summed over the substeps.
    pub timings: Timings,
    /// The highest speed of a particle, m/s.
    pub max_speed: f32,
    /// Whether a particle had to be slowed down to [`Settings::max_speed`].
    pub speed_limited: bool,
    /// Particles (user's numbering) that were held in this step because one of them went astray.
    pub quarantined: Vec<u32>,
    /// What the impulse solver did; zero for all others.
    pub impulses: ImpulseReport,
    /// What the grid of multilevel cloth did; zero for all others.
    pub grid: GridReport,
}

/// A cloth in motion.
pub struct Simulation {
    pub(crate) cloth: Cloth,
    pub(crate) settings: Settings,
    pub(crate) state: State,
    /// The state before the step, to roll back to.
    pub(crate) step_start: State,
    pub(crate) solver: Box<dyn Solver>,
    /// What never changes of the solver.
    pub(crate) facts: Facts,
    pub(crate) bending: Bending,
    pub(crate) damper: Damper,
    /// The drift of what is free, unless the solver is as printed.
    pub(crate) drift: Option<Drift>,
    pub(crate) tethers: Option<Tethers>,
    pub(crate) volume: Option<VolumeKeeper>,
    pub(crate) wind_force: WindForce,
    /// What the air gave the cloth in this substep, if anybody asks.
    pub(crate) air_impulse: Option<Momentum>,
    pub(crate) threads: Threads,
}

impl Simulation {
    /// Prepares everything that a step needs: hierarchy, regions, bending, threads.
    pub fn new(cloth: Cloth, settings: Settings) -> Result<Self, Error> {
        settings.check()?;
        let solver = settings.solver.build(&cloth, &settings)?;
        let mut simulation = Self::with_solver(cloth, settings, solver)?;
        simulation.prepare_stages()?;
        Ok(simulation)
    }

    /// A cloth at its start with a solver and nothing else that a step needs: enough where steps are
    /// taken elsewhere.
    pub(crate) fn with_solver(
        cloth: Cloth,
        settings: Settings,
        solver: Box<dyn Solver>,
    ) -> Result<Self, Error> {
        settings.check()?;
        if let Some(v) = cloth.start.iter().position(|p| p.abs().max_element() > settings.bounds) {
            let problem = format!(
                "vertex {} starts beyond the bounds of {} m",
                cloth.permutation.new_to_old[v], settings.bounds
            );
            return Err(Error::State { what: "start_positions", problem });
        }
        let fixed = cloth.fixed();
        let vertices = cloth.vertex_count();
        let mean_mass = cloth.total_mass() / vertices as f64;
        let relative = |v: usize| if fixed[v] { 0.0 } else { (mean_mass / cloth.masses[v]) as f32 };
        let points: Vec<Vec4> = (0..vertices).map(|v| cloth.start[v].extend(relative(v))).collect();
        let mut state = State {
            origin: cloth.origin(),
            previous: points.clone(),
            velocities: vec![Vec4::ZERO; vertices],
            remainders: vec![Vec4::ZERO; vertices],
            points,
            ..State::default()
        };
        let facts = solver.facts();
        if facts.motion == Motion::Exact {
            state.double_anew();
        }
        Ok(Self {
            solver,
            facts,
            step_start: state.clone(),
            state,
            bending: Bending::None,
            damper: Damper::Off,
            drift: None,
            tethers: None,
            volume: None,
            wind_force: WindForce::new(&[], &[]),
            air_impulse: None,
            threads: Threads::one(),
            cloth,
            settings,
        })
    }

    /// Prepares the stages around the solver, and the threads.
    pub(crate) fn prepare_stages(&mut self) -> Result<(), Error> {
        self.facts = self.solver.facts();
        let Self { cloth, settings, state, facts, .. } = self;
        let inverse: Vec<f64> = state
            .points
            .iter()
            .zip(&cloth.masses)
            .map(|(p, m)| if p.w > 0.0 { 1.0 / m } else { 0.0 })
            .collect();
        // A solver that moves particles of its own also bends and damps these.
        let on_cloth = facts.motion != Motion::OfSolver;
        if on_cloth {
            self.bending = Bending::new(cloth, settings, &state.points, facts.rounds)?;
        }
        self.volume = cloth.pressure.is_some().then(|| VolumeKeeper::new(cloth)).transpose()?;
        if on_cloth {
            self.damper = Damper::new(cloth);
            let drift = Drift::new(&cloth.topology, &cloth.masses, &cloth.fixed());
            self.drift = drift.filter(|_| facts.keeps_momentum);
            self.tethers = cloth.tethers_under(&settings.solver).cloned();
        }
        if facts.motion == Motion::Symplectic && settings.has_short_steps() {
            state.travellers = vec![Traveller::default(); cloth.vertex_count()];
        }
        let inverse: Vec<f32> = inverse.iter().map(|&w| w as f32).collect();
        self.wind_force = WindForce::new(&cloth.mesh.triangles, &inverse);
        self.threads = Threads::shared(settings.threads)
            .map_err(|error| Error::Threads { threads: settings.threads, reason: error.to_string() })?;
        Ok(())
    }

    /// The threads that steps run on. Until [`Simulation::set_threads`] these are the process's for as many as
    /// [`Settings::threads`] asks for.
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Steps run on these threads from now on, whatever [`Settings::threads`] says. The result does not depend on it.
    pub fn set_threads(&mut self, threads: Threads) {
        self.threads = threads;
    }

    /// The cloth.
    pub fn cloth(&self) -> &Cloth {
        &self.cloth
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// The number of the step that is next, from 1. From the time, because substeps may have been divided.
    pub(crate) fn next_step(&self) -> u64 {
        (self.state.time / self.settings.time_step).round() as u64 + 1
    }

    /// Steps since the start, substeps counted one by one.
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// Triangles per level of the hierarchy, coarsest first.
    pub fn level_triangles(&self) -> Vec<usize> {
        self.facts.level_triangles.clone()
    }

    /// A copy of the state, to come back to with [`Simulation::restore`].
    pub fn snapshot(&self) -> Snapshot {
        let State { origin, time, steps, last_step, .. } = self.state;
        let exact = self.state.exact(&self.cloth.permutation.old_to_new);
        let remainders = if self.state.remainders.iter().all(|remainder| *remainder == Vec4::ZERO) {
            Vec::new()
        } else {
            self.ordered(&self.state.remainders)
        };
        // Without it, multilevel cloth can go on from its coarse mesh.
        let fine = self.solver.own_particles().and_then(|own| own.save());
        let (positions, velocities) = (self.positions_from(origin), self.velocities());
        Snapshot { origin, positions, velocities, time, steps, last_step, remainders, exact, fine }
    }

    /// Goes back to a snapshot; going on from there gives the same bits as before.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        snapshot.check()?;
        self.set_state_from(snapshot.origin, &snapshot.positions, &snapshot.velocities)?;
        if let Some(exact) = &snapshot.exact {
            self.state.restore_exact(exact, &self.cloth.permutation.old_to_new);
        }
        match (&snapshot.fine, self.solver.own_particles_mut()) {
            (Some(fine), Some(own)) => own.restore(fine, &self.state)?,
            (Some(_), None) => {
                let problem = "it is of multilevel cloth, which this is not".into();
                return Err(Error::State { what: "snapshot.fine", problem });
            }
            // The grid follows the coarse mesh.
            (None, _) => {}
        }
        for (remainder, &v) in snapshot.remainders.iter().zip(&self.cloth.permutation.old_to_new) {
            self.state.remainders[v as usize] = remainder.extend(0.0);
        }
        (self.state.time, self.state.steps) = (snapshot.time, snapshot.steps);
        self.state.last_step = snapshot.last_step;
        Ok(())
    }
}
