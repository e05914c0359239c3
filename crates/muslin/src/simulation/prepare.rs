//! What a step needs besides the state: the solver and the stages around it.
//!
//! Input: a cloth and settings. Output: data that a step only reads, prepared once, and once more after something has changed of
//! which it is made (which vertices are pinned, the material, the solver, the step). All of it follows from the cloth and
//! the settings alone, so a cloth that was changed goes on with the same bits as one that was built so and given its state.

use glam::Vec4;

use super::{Bending, Simulation};
use crate::Error;
use crate::cloth::Cloth;
use crate::cloth::tethers::Tethers;
use crate::damping::Damper;
use crate::forces::wind::WindForce;
use crate::solver::{Facts, Motion, Solver};
use crate::state::{Drift, Traveller};
use crate::volume::VolumeKeeper;

/// The stages around a solver.
struct Stages {
    facts: Facts,
    bending: Bending,
    damper: Damper,
    drift: Option<Drift>,
    tethers: Option<Tethers>,
    volume: Option<VolumeKeeper>,
    wind_force: WindForce,
    /// Inverse masses relative to the mean; 0 for what is pinned.
    relative: Vec<f32>,
}

/// The inverse masses of a cloth's particles relative to the mean; 0 for what is pinned.
pub(super) fn relative_inverse_masses(cloth: &Cloth) -> Vec<f32> {
    let mean = cloth.total_mass() / cloth.vertex_count() as f64;
    let inverse = |(fixed, mass): (bool, &f64)| if fixed { 0.0 } else { (mean / mass) as f32 };
    cloth.fixed().into_iter().zip(&cloth.masses).map(inverse).collect()
}

impl Simulation {
    /// Prepares the stages around a solver, and the threads.
    pub(crate) fn moved_by(mut self, solver: Box<dyn Solver>) -> Result<Self, Error> {
        let stages = self.stages(&*solver)?;
        if stages.facts.motion == Motion::Exact {
            self.state.double_anew();
        }
        self.adopt(solver, stages);
        self.threads = self.settings.shared_threads()?;
        Ok(self)
    }

    /// Prepares anew what has become stale, before a step: see [`Simulation::finish_step`] for its end. If that fails nothing
    /// has changed, and the next step will fail too, unless something else is asked for.
    pub(crate) fn begin_step(&mut self) -> Result<(), Error> {
        if self.ahead.is_some() {
            let problem = "this is the host's copy of a cloth on a GPU: it is moved by what holds it".into();
            return Err(Error::State { what: "a step", problem });
        }
        self.build_if_stale()
    }

    /// Builds what has become stale of a cloth that is moved here; if that fails nothing has changed.
    pub(crate) fn build_if_stale(&mut self) -> Result<(), Error> {
        if !self.stale || self.ahead.is_some() {
            return Ok(());
        }
        let (solver, stages) = self.with_cloth_anew(Self::solver_anew)?;
        self.adopt(solver, stages);
        Ok(())
    }

    /// Makes something of the cloth with the masses and tethers that it has now; if that fails it has those that it had.
    pub(super) fn with_cloth_anew<T>(
        &mut self,
        make: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (masses, tethers) = self.cloth.anew();
        let before = (
            std::mem::replace(&mut self.cloth.masses, masses),
            std::mem::replace(&mut self.cloth.tethers, tethers),
        );
        make(self).inspect_err(|_| (self.cloth.masses, self.cloth.tethers) = before)
    }

    /// What acted during the step is over.
    pub(crate) fn finish_step(&mut self) {
        self.forces.forget();
    }

    /// Another solver on the same back end, in the state of this one.
    fn solver_anew(&mut self) -> Result<(Box<dyn Solver>, Stages), Error> {
        let Self { cloth, settings, solver: old, .. } = self;
        let old = old.as_ref();
        let again = old.and_then(|old| old.again(cloth, settings));
        let mut solver = again.unwrap_or_else(|| settings.solver.build(cloth, settings))?;
        let stages = self.stages(&*solver)?;
        if stages.facts.motion == Motion::OfSolver {
            self.holds.refuse()?;
        }
        if let Some(own) = solver.own_state() {
            // Another solver begins where the cloth is: its particles need not be those of the last.
            match self.solver.as_ref().filter(|_| self.built_as_asked()) {
                Some(old) => {
                    let problem = "the grid cannot be read from its device";
                    let lost = || Error::State { what: "multilevel cloth", problem: problem.into() };
                    own.restore(&old.save().ok_or_else(lost)?, &self.state)?;
                }
                None => own.follow(&self.state),
            }
        }
        Ok((solver, stages))
    }

    /// Whether the solver is the one that settings ask for, or one of another kind or with other options.
    pub(super) fn built_as_asked(&self) -> bool {
        self.built.as_ref() == Some(&self.settings.solver)
    }

    /// The stages around a solver.
    fn stages(&self, solver: &dyn Solver) -> Result<Stages, Error> {
        let (cloth, settings, facts) = (&self.cloth, &self.settings, solver.facts());
        let relative = relative_inverse_masses(cloth);
        let inverse = |(w, mass): (&f32, &f64)| if *w > 0.0 { (1.0 / mass) as f32 } else { 0.0 };
        let inverse: Vec<f32> = relative.iter().zip(&cloth.masses).map(inverse).collect();
        let mut stages = Stages {
            bending: Bending::None,
            damper: Damper::Off,
            drift: None,
            tethers: None,
            volume: cloth.pressure.is_some().then(|| VolumeKeeper::new(cloth)).transpose()?,
            wind_force: WindForce::new(&cloth.mesh.triangles, &inverse),
            relative,
            facts,
        };
        // A solver that moves particles of its own also bends and damps these.
        if stages.facts.motion != Motion::OfSolver {
            stages.bending = Bending::new(cloth, settings, &stages.relative, stages.facts.rounds)?;
            stages.damper = Damper::new(cloth);
            let drift = Drift::new(&cloth.topology, &cloth.masses, &cloth.fixed());
            stages.drift = drift.filter(|_| stages.facts.keeps_momentum);
            stages.tethers = cloth.tethers_under(&settings.solver).cloned();
        }
        Ok(stages)
    }

    fn adopt(&mut self, solver: Box<dyn Solver>, stages: Stages) {
        let Stages { facts, bending, damper, drift, tethers, volume, wind_force, relative } = stages;
        let symplectic = facts.motion == Motion::Symplectic;
        let travellers = if symplectic && self.settings.has_short_steps() { relative.len() } else { 0 };
        self.state.travellers = vec![Traveller::default(); travellers];
        for (points, w) in [&mut self.state.points, &mut self.state.previous].into_iter().zip([&relative; 2])
        {
            points.iter_mut().zip(w).for_each(|(point, &w)| *point = Vec4::with_w(*point, w));
        }
        self.built = Some(self.settings.solver.clone());
        self.solver = Some(solver);
        (self.facts, self.bending, self.damper) = (facts, bending, damper);
        (self.drift, self.tethers, self.volume, self.wind_force) = (drift, tethers, volume, wind_force);
        self.stale = false;
    }
}
