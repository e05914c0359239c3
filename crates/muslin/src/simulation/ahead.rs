//! The host's copy of a cloth that moves elsewhere: on a GPU.
//!
//! The copy has the state that was last read back, and all that was asked of the cloth since. What of the state there is known
//! without reading it is [`Ahead`]: its time, and where pins are, because nothing but their motions moves these. So everything that
//! drives a cloth can be called at any time, and takes effect there with the next step; only what is told from the whole state
//! (teleports) needs it to be read back first.

use glam::{DQuat, DVec3, Vec3};

use super::Simulation;
use crate::cloth::{Cloth, PinMotion};
use crate::execution::Threads;
use crate::simulation::Settings;
use crate::solver::{Facts, SolverConfig};
use crate::state::State;
use crate::{Error, Feature};

/// When a state is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Stamp {
    pub time: f64,
    pub steps: u64,
    /// Seconds of the last substep before.
    pub last_step: f64,
}

/// What is known of the state elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    /// When it is.
    pub now: Stamp,
    /// Where pins are, by internal vertex, from the origin; NaN where that has to be read back first. Of others it means nothing.
    pub places: Vec<Vec3>,
    /// Whether the copy's state is the one there.
    pub is_read: bool,
    /// Whether the copy's state was set, and is to be sent there.
    pub is_set: bool,
    /// What can be done there.
    check: fn(&Cloth, &Settings) -> Result<(), Error>,
}

impl Simulation {
    /// Becomes the host's copy of a cloth that moves elsewhere, in the state in which it is.
    pub(crate) fn leave(&mut self, check: fn(&Cloth, &Settings) -> Result<(), Error>) {
        (self.solver, self.built) = (None, None);
        self.state.travellers.clear();
        self.threads = Threads::one();
        let ahead = Ahead {
            now: Stamp::default(),
            places: vec![Vec3::NAN; self.cloth.vertex_count()],
            is_read: true,
            is_set: true,
            check,
        };
        self.ahead = Some(Box::new(ahead));
        self.is_what_it_is_elsewhere();
    }

    /// Is simulated here again, from the state that was last read back; the solver is built before the next step. What only makes
    /// sense where regions are averaged (over-relaxation) is left out here.
    pub(crate) fn come_back(&mut self, threads: Threads) {
        self.resolve_pins();
        self.ahead = None;
        self.threads = threads;
        self.stale = true;
        if let SolverConfig::ShapeMatching(config) = &mut self.settings.solver
            && !config.averages()
        {
            config.over_relaxation = 1.0;
        }
        let pushes = std::mem::take(&mut self.forces.pushes);
        self.add_velocity(pushes.to_all);
        for (v, by, is_all) in pushes.iter() {
            let kept = if is_all { DVec3::ZERO } else { self.state.velocity(v as usize) };
            self.state.set_velocity(v as usize, kept + by.as_dvec3());
        }
    }

    /// When the cloth is that the next step moves: here or elsewhere.
    pub(crate) fn now(&self) -> Stamp {
        let State { time, steps, last_step, .. } = &self.state;
        let here = Stamp { time: *time, steps: *steps, last_step: *last_step };
        self.ahead.as_ref().map_or(here, |ahead| ahead.now)
    }

    /// Another clock counts from now on, where the copy's state is the one elsewhere.
    pub(crate) fn is_at(&mut self, time: f64) {
        self.state.time = time;
        self.ahead.iter_mut().for_each(|ahead| ahead.now.time = time);
    }

    /// Adds to the velocity of an internal vertex: here at once, elsewhere before the next step.
    pub(super) fn change_velocity(&mut self, v: usize, by: DVec3) {
        match self.ahead {
            Some(_) => self.forces.pushes.add(v, by, self.cloth.vertex_count()),
            None => self.state.set_velocity(v, self.state.velocity(v) + by),
        }
    }

    /// Brings an internal vertex, which is pinned now, to rest where it is.
    pub(super) fn stop(&mut self, v: usize) {
        let Some(ahead) = &mut self.ahead else { return self.state.set_velocity(v, DVec3::ZERO) };
        ahead.places[v] = if ahead.is_read { self.state.points[v].truncate() } else { Vec3::NAN };
        self.forces.pushes.stop(v, self.cloth.vertex_count());
    }

    /// Where a pinned internal vertex is in the world; not finite where that has to be read back first.
    pub(super) fn place_of_pin(&self, v: u32) -> DVec3 {
        match &self.ahead {
            Some(ahead) => self.state.origin + ahead.places[v as usize].as_dvec3(),
            None => self.place_of(v),
        }
    }

    /// Looks where pins are that could not be known before the state was read.
    pub(crate) fn resolve_pins(&mut self) {
        let Some(ahead) = &mut self.ahead else { return };
        for pin in &mut self.cloth.pins {
            let place = &mut ahead.places[pin.vertex as usize];
            if place.is_nan() {
                *place = self.state.points[pin.vertex as usize].truncate();
            }
            if let PinMotion::Keyframes(keys) = &mut pin.motion
                && let Some(first) = keys.first_mut().filter(|key| key.position.is_nan())
            {
                first.position = self.state.origin + place.as_dvec3();
            }
        }
    }

    /// The copy's state was set: it is the one elsewhere from now on.
    pub(super) fn is_what_it_is_elsewhere(&mut self) {
        let Some(ahead) = &mut self.ahead else { return };
        let State { time, steps, last_step, .. } = &self.state;
        ahead.now = Stamp { time: *time, steps: *steps, last_step: *last_step };
        (ahead.is_read, ahead.is_set) = (true, true);
        for pin in &self.cloth.pins {
            ahead.places[pin.vertex as usize] = self.state.points[pin.vertex as usize].truncate();
        }
    }

    /// Before another state is set: the clock goes on, and what was to be added to velocities is of the old one.
    pub(super) fn forget_what_it_was(&mut self) {
        let Some(ahead) = &self.ahead else { return };
        let Stamp { time, steps, last_step } = ahead.now;
        (self.state.time, self.state.steps, self.state.last_step) = (time, steps, last_step);
        self.forces.pushes.forget();
    }

    /// What was asked for turns with the cloth.
    pub(super) fn turn_pushes(&mut self, rotation: DQuat) {
        self.forces.pushes.turn(rotation);
    }

    /// Refuses what has to be told from the present state, if that is elsewhere.
    pub(crate) fn check_read(&self, what: &'static str) -> Result<(), Error> {
        match &self.ahead {
            Some(ahead) if !ahead.is_read => Err(Error::NotReadBack { what }),
            _ => Ok(()),
        }
    }

    /// Refuses what cannot be done elsewhere, if the cloth is there.
    pub(super) fn check_elsewhere(&self) -> Result<(), Error> {
        self.ahead.as_ref().map_or(Ok(()), |ahead| (ahead.check)(&self.cloth, &self.settings))
    }

    /// Refuses a cloth with holds, which only the CPU has.
    pub(crate) fn refuse_holds(&self) -> Result<(), Error> {
        let (by, what) = ("the GPU back end", "holds; pin a vertex and move it instead");
        self.holds.refuse().map_err(|_| Error::Unsupported { by, feature: Feature::Hold, what })
    }

    /// Whether what the cloth is made of has changed since it was laid out.
    pub(crate) fn is_stale(&self) -> bool {
        self.stale
    }

    /// Lays the cloth out anew elsewhere, with the masses and tethers that it has now; if that fails nothing has changed.
    pub(crate) fn renew<T>(
        &mut self,
        lay_out: impl FnOnce(&Cloth, &Settings) -> Result<(T, Facts), Error>,
    ) -> Result<T, Error> {
        let (laid_out, facts) = self.with_cloth_anew(|own| lay_out(&own.cloth, &own.settings))?;
        self.facts = facts;
        let relative = super::prepare::relative_inverse_masses(&self.cloth);
        self.state.points.iter_mut().zip(relative).for_each(|(point, w)| point.w = w);
        self.stale = false;
        Ok(laid_out)
    }
}
