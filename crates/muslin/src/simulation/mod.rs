//! The simulation: a cloth, its state, and the settings under which it moves.

#[cfg_attr(not(feature = "gpu"), allow(dead_code))] // without it nothing is anywhere else
mod ahead;
mod bending;
mod controls;
mod measures;
mod positions;
mod prepare;
#[cfg_attr(not(feature = "gpu"), allow(dead_code))] // as ahead
mod pushes;
mod readout;
mod settings;
mod shown;
mod snapshots;

use glam::{DVec3, Vec4};

use crate::Error;
use crate::cloth::Cloth;
use crate::cloth::tethers::Tethers;
use crate::damping::Damper;
use crate::diagnostics::energy::Momentum;
use crate::diagnostics::timings::Timings;
use crate::execution::Threads;
use crate::forces::wind::WindForce;
use crate::solver::{Facts, Solver, SolverConfig, SolverReport};
use crate::state::{Drift, State};
use crate::volume::VolumeKeeper;
pub(crate) use ahead::Ahead;
#[cfg(feature = "gpu")]
pub(crate) use ahead::Stamp;
pub(crate) use bending::Bending;
#[allow(unused_imports)] // worlds do
pub(crate) use controls::{Controls, Notice};
use controls::{Forces, Holds};
pub use controls::{Hold, HoldId};
pub(crate) use pushes::Pushes;
pub use settings::Settings;
pub use shown::ShownMesh;

/// What happened in a step.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
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
    /// Particles (user's numbering) that were held in this step because one of them went astray. On a GPU: the first that did
    /// since the state was read back before.
    pub quarantined: Vec<u32>,
    /// On a GPU: how often particles went astray, and were put back at rest, since the state was read back before.
    pub contained: u32,
    /// What only some solvers have to say.
    pub solver: SolverReport,
}

impl StepReport {
    /// As before a step; its memory is kept.
    pub(crate) fn clear(&mut self) {
        let mut quarantined = std::mem::take(&mut self.quarantined);
        quarantined.clear();
        *self = Self { quarantined, ..Self::default() };
    }
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
    /// What came from outside in this substep, but for gravity and pins, if anybody asks: from the air, forces and holds.
    pub(crate) air_impulse: Option<Momentum>,
    pub(crate) threads: Threads,
    /// Where pins are led to in the next substep, by internal vertex: those that something else carries.
    pub(crate) led: Vec<(u32, DVec3)>,
    /// Points of the cloth that are held softly.
    pub(crate) holds: Holds,
    /// What acts during the next step.
    pub(crate) forces: Forces,
    /// Whether what a step needs has to be prepared anew, because what it is made of has changed.
    stale: bool,
    /// What the solver was built from. Settings may say something else since.
    built: Option<SolverConfig>,
    notice: Notice,
    /// Whether particles were put where they are since the last step began: nothing is drawn between its start and its end.
    pub(crate) has_jumped: bool,
    /// What is known of the state elsewhere, in the host's copy of a cloth that a GPU moves.
    pub(crate) ahead: Option<Box<Ahead>>,
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
        let vertices = cloth.vertex_count();
        let start = cloth.start.iter().zip(prepare::relative_inverse_masses(&cloth));
        let points: Vec<Vec4> = start.map(|(place, w)| place.extend(w)).collect();
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
            led: Vec::new(),
            has_jumped: false,
            holds: Holds::default(),
            forces: Forces::default(),
            stale: false,
            built: None,
            notice: Notice::default(),
            ahead: None,
            cloth,
            settings,
        })
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
}
