//! Under which conditions a cloth is simulated.

use glam::Vec3;

use crate::Error;
use crate::execution::{Instructions, Threads};
use crate::forces::wind::Wind;
use crate::solver::SolverConfig;
use crate::state::SHORT;

/// More threads than this are a slip of the pen.
const MOST_THREADS: usize = 1024;

/// Under which conditions a cloth is simulated.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Settings {
    /// Seconds per call of [`Simulation::step`](crate::Simulation::step).
    pub time_step: f64,
    /// Into how many steps that is divided. Ten substeps are five times stiffer than ten V-cycles.
    pub substeps: u32,
    /// m/s².
    pub gravity: Vec3,
    /// Air around the cloth; `None` is a vacuum.
    pub wind: Option<Wind>,
    /// The solver.
    pub solver: SolverConfig,
    /// Threads; 0 means one per physical core. All who ask for the same number share the same threads
    /// ([`Threads::shared`](crate::Threads::shared)). The result does not depend on it.
    pub threads: usize,
    /// No particle moves faster than this, m/s. Only collapsed or scrambled starts come near it.
    pub max_speed: f32,
    /// A particle with a coordinate beyond this, in metres from the [origin](crate::origin), counts as lost.
    pub bounds: f32,
    /// Vector instructions. The result does not depend on them.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub instructions: Instructions,
}

impl Default for Settings {
    /// 60 frames per second, three substeps each, gravity along −y, no air.
    fn default() -> Self {
        Self {
            time_step: 1.0 / 60.0,
            substeps: 3,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            wind: None,
            solver: SolverConfig::default(),
            threads: 0,
            max_speed: 200.0,
            bounds: 1e5,
            instructions: Instructions::Best,
        }
    }
}

impl Settings {
    /// Seconds of a substep.
    pub(crate) fn substep_length(&self) -> f64 {
        self.time_step / f64::from(self.substeps)
    }

    /// Whether substeps are so short that solvers need digits to spare.
    pub(crate) fn has_short_steps(&self) -> bool {
        self.substep_length() < SHORT
    }

    /// The process's threads for as many as are asked for.
    pub(crate) fn shared_threads(&self) -> Result<Threads, Error> {
        let threads = self.threads;
        Threads::shared(threads).map_err(|error| Error::Threads { threads, reason: error.to_string() })
    }

    /// Looks for values out of range.
    pub fn check(&self) -> Result<(), Error> {
        let wrong = |field, value, must_be| Err(Error::Setting { field, value, must_be });
        if !(self.time_step.is_finite() && self.time_step > 0.0) {
            return wrong("time_step", self.time_step, "finite and above 0");
        }
        if self.substeps == 0 {
            return wrong("substeps", 0.0, "at least 1");
        }
        // Shorter ones vanish in the rounding of positions, longer ones are not a simulation.
        let substep = self.substep_length();
        if !(1e-7..=1.0).contains(&substep) {
            return wrong("time_step / substeps", substep, "between 1e-7 and 1 s");
        }
        if !(self.bounds.is_finite() && self.bounds > 0.0) {
            return wrong("bounds", self.bounds.into(), "finite and above 0");
        }
        if let Some(value) = self.gravity.to_array().into_iter().find(|v| !v.is_finite()) {
            return wrong("gravity", value.into(), "finite");
        }
        if self.threads > MOST_THREADS {
            return wrong("threads", self.threads as f64, "at most 1024");
        }
        if !(self.max_speed.is_finite() && self.max_speed > 0.0) {
            return wrong("max_speed", self.max_speed.into(), "finite and above 0");
        }
        match self.wind.as_ref().and_then(Wind::problem) {
            Some((field, value, must_be)) => wrong(field, value.into(), must_be),
            None => Ok(()),
        }
    }
}
