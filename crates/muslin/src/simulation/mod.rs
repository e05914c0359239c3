//! The simulation: a cloth, its state, and the settings under which it moves.

mod bending;
mod controls;
mod measures;
mod positions;
mod settings;
mod shown;

use glam::Vec4;

use crate::Error;
use crate::cloth::Cloth;
use crate::cloth::tethers::Tethers;
use crate::damping::Damper;
use crate::diagnostics::energy::Momentum;
use crate::diagnostics::timings::Timings;
use crate::execution::Threads;
use crate::forces::wind::WindForce;
use crate::solver::{Facts, Motion, Solver, SolverReport, SolverState};
use crate::state::{Drift, Snapshot, State, Traveller};
use crate::volume::VolumeKeeper;
pub(crate) use bending::Bending;
pub use settings::Settings;
pub use shown::ShownMesh;

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
    /// What only some solvers have to say.
    pub solver: SolverReport,
}

/// A cloth in motion.
pub struct Simulation {
    pub(crate) cloth: Cloth,
    pub(crate) settings: Settings,
    pub(crate) state: State,
    /// The state before the step, to roll back to.
    pub(crate) step_start: State,
    /// `None` in the host's copy of a cloth that a GPU moves: nothing holds that together here.
    pub(crate) solver: Option<Box<dyn Solver>>,
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
        Self::at_start(cloth, settings)?.moved_by(solver)
    }

    /// A cloth at its start and nothing else that a step needs: enough where steps are taken elsewhere. Settings have been
    /// checked.
    pub(crate) fn at_start(cloth: Cloth, settings: Settings) -> Result<Self, Error> {
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
        let state = State {
            origin: cloth.origin(),
            previous: points.clone(),
            velocities: vec![Vec4::ZERO; vertices],
            remainders: vec![Vec4::ZERO; vertices],
            points,
            ..State::default()
        };
        Ok(Self {
            solver: None,
            facts: Facts::new(Vec::new()),
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

    /// Prepares the stages around a solver, and the threads.
    pub(crate) fn moved_by(mut self, solver: Box<dyn Solver>) -> Result<Self, Error> {
        self.facts = solver.facts();
        self.solver = Some(solver);
        if self.facts.motion == Motion::Exact {
            self.state.double_anew();
        }
        let (cloth, facts, points) = (&self.cloth, &self.facts, &self.state.points);
        // A solver that moves particles of its own also bends and damps these.
        if facts.motion != Motion::OfSolver {
            self.bending = Bending::new(cloth, &self.settings, points, facts.rounds)?;
            self.damper = Damper::new(cloth);
            let drift = Drift::new(&cloth.topology, &cloth.masses, &cloth.fixed());
            self.drift = drift.filter(|_| facts.keeps_momentum);
            self.tethers = cloth.tethers_under(&self.settings.solver).cloned();
        }
        self.volume = cloth.pressure.is_some().then(|| VolumeKeeper::new(cloth)).transpose()?;
        let inverse = |(point, mass): (&Vec4, &f64)| if point.w > 0.0 { (1.0 / mass) as f32 } else { 0.0 };
        let inverse: Vec<f32> = points.iter().zip(&cloth.masses).map(inverse).collect();
        if facts.motion == Motion::Symplectic && self.settings.has_short_steps() {
            self.state.travellers = vec![Traveller::default(); cloth.vertex_count()];
        }
        self.wind_force = WindForce::new(&cloth.mesh.triangles, &inverse);
        let threads = self.settings.threads;
        self.threads = Threads::shared(threads)
            .map_err(|error| Error::Threads { threads, reason: error.to_string() })?;
        Ok(self)
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
        let remainders = if self.state.remainders.iter().all(|remainder| *remainder == Vec4::ZERO) {
            Vec::new()
        } else {
            self.ordered(&self.state.remainders)
        };
        let exact = self.state.exact(&self.cloth.permutation.old_to_new).map(SolverState::Exact);
        let solver = exact.or_else(|| self.solver.as_ref()?.save());
        let (positions, velocities) = (self.positions_from(origin), self.velocities());
        Snapshot { origin, positions, velocities, time, steps, last_step, remainders, solver }
    }

    /// Goes back to a snapshot; going on from there gives the same bits as before.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        snapshot.check()?;
        self.set_state_from(snapshot.origin, &snapshot.positions, &snapshot.velocities)?;
        let own = self.solver.as_mut().and_then(|solver| solver.own_state());
        match (&snapshot.solver, own) {
            (Some(SolverState::Exact(exact)), _) => {
                self.state.restore_exact(exact, &self.cloth.permutation.old_to_new);
            }
            (Some(saved), Some(own)) => own.restore(saved, &self.state)?,
            (Some(SolverState::Grid(_)), None) => {
                let problem = "it is of multilevel cloth, which this is not".into();
                return Err(Error::State { what: "snapshot.fine", problem });
            }
            // A grid follows the coarse mesh.
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
