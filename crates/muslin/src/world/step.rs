//! A step of a world: substeps of all cloths and bodies, halved where these cannot be kept apart, and undone where
//! that does not help.

use super::{World, WorldReport, substep};
use crate::Error;
use crate::collision::Unresolved;
use crate::execution::Execution;
use crate::state::{Astray, State};

/// How often a substep is halved before it counts as failed.
const MOST_HALVINGS: usize = 5;

/// Why a step was not finished.
enum Trouble {
    Astray(usize, Astray),
    Unresolved(Unresolved),
    /// The number of a rigid body.
    Body(usize),
}

impl World {
    /// Advances all cloths by their time step.
    ///
    /// As [`Simulation::step`](crate::Simulation::step), with collisions: everything that was apart before the step is apart
    /// after it. A substep in which that cannot be had is halved, up to five times; then it is an error,
    /// and all cloths are as they were before the step. With [`Response::Impulses`](crate::collision::Response)
    /// nothing of that holds.
    pub fn step(&mut self) -> Result<&WorldReport, Error> {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return self.step_on_device();
        }
        let time = self.time();
        if let Some((name, _)) = self.cloths.iter().find(|(_, cloth)| cloth.time() != time) {
            return Err(Error::UnequalSettings { cloth: name.clone(), field: "time" });
        }
        for (name, cloth) in &mut self.cloths {
            let wrap = |error| Error::InCloth { cloth: name.clone(), error: Box::new(error) };
            cloth.begin_step().map_err(wrap)?;
        }
        self.prepare()?;
        self.tie_attached();
        self.recentre();
        let threads = self.threads.clone();
        let execution = Execution { threads: &threads, instructions: self.settings.instructions };
        // Taken out, so that stages can write it; put back whatever happens, because its memory is used again.
        let mut report = std::mem::take(&mut self.report);
        report.clear(self.cloths.len());
        self.events.clear();
        let result = self.step_or_retry(execution, &mut report);
        self.report = report;
        result?;
        self.report.intersections = self.collision_settings.count_intersections.then(|| self.intersections());
        self.cloths.iter_mut().for_each(|(_, cloth)| cloth.finish_step());
        self.clock = self.time();
        self.tell_events();
        Ok(&self.report)
    }

    fn step_or_retry(&mut self, execution: Execution, report: &mut WorldReport) -> Result<(), Error> {
        let first_try = self.substeps(execution, report);
        if let Some(fault) = self.cloths.iter_mut().find_map(|(_, cloth)| cloth.take_fault()) {
            self.roll_back();
            return Err(fault);
        }
        let Err(trouble) = first_try else { return Ok(()) };
        self.roll_back();
        let (cloth, lost) = match trouble {
            Trouble::Astray(cloth, lost) => (cloth, lost),
            other => return Err(self.explain(other)),
        };
        report.clear(self.cloths.len());
        self.events.clear();
        let held = self.cloths[cloth].1.quarantine(&lost);
        match self.substeps_from_here(execution, report) {
            Ok(()) => {
                report.cloths[cloth].quarantined = self.cloths[cloth].1.end_quarantine(&held);
                Ok(())
            }
            Err(trouble) => {
                self.roll_back();
                Err(self.explain(trouble))
            }
        }
    }

    /// What to say of a step that was undone.
    fn explain(&mut self, trouble: Trouble) -> Error {
        match trouble {
            Trouble::Unresolved(unresolved) => self.unresolved(unresolved),
            Trouble::Body(body) => self.rigid.lost(body),
            Trouble::Astray(cloth, lost) => {
                let (name, simulation) = &mut self.cloths[cloth];
                let error = Box::new(simulation.give_up(&lost));
                Error::InCloth { cloth: name.clone(), error }
            }
        }
    }

    /// Cloths and bodies as they were before the step.
    fn roll_back(&mut self) {
        self.cloths.iter_mut().for_each(|(_, cloth)| cloth.roll_back());
        self.rigid.roll_back();
    }

    fn unresolved(&self, unresolved: Unresolved) -> Error {
        let [first, second] = match unresolved {
            Unresolved::Meeting(bodies) => bodies,
            Unresolved::Crowded(error) => return error,
        };
        let (step, time) =
            self.cloths.first().map_or((1, 0.0), |(_, cloth)| (cloth.next_step(), cloth.time()));
        Error::Unresolved { step, time, first, second, divisions: 1 << MOST_HALVINGS }
    }

    fn substeps(&mut self, execution: Execution, report: &mut WorldReport) -> Result<(), Trouble> {
        self.cloths.iter_mut().for_each(|(_, cloth)| cloth.save_start(execution));
        self.rigid.save_start();
        self.substeps_from_here(execution, report)
    }

    fn substeps_from_here(&mut self, execution: Execution, report: &mut WorldReport) -> Result<(), Trouble> {
        let (count, dt) = (self.settings.substeps, self.settings.substep_length());
        for _ in 0..count {
            self.substep(dt, 0, execution, report)?;
        }
        for cloth in &report.cloths {
            report.timings.add(&cloth.timings);
        }
        Ok(())
    }

    /// One substep; in two halves if bodies cannot be kept apart in it. The cloths' own coefficients
    /// stay those of the whole substep: a rare, short moment in which they are a little softer (or,
    /// by compliances, stiffer) is
    /// better than a second set of them.
    fn substep(
        &mut self,
        dt: f64,
        halvings: usize,
        execution: Execution,
        report: &mut WorldReport,
    ) -> Result<(), Trouble> {
        let times = self.times(dt);
        if let Some(collisions) = &mut self.collisions {
            let substep = substep(&self.cloths, &self.colliders, times);
            collisions.tell_solvers(&mut self.cloths, &substep, execution, &mut report.timings);
            self.keep(halvings, execution);
        }
        self.lead_attached(times[1]);
        self.advance_bodies(times, &mut report.timings);
        let momentum = self.momentum_to_keep(dt);
        for (number, (_, cloth)) in self.cloths.iter_mut().enumerate() {
            let lost = |lost| Trouble::Astray(number, lost);
            cloth.predict(dt, execution, &mut report.cloths[number].timings).map_err(lost)?;
        }
        match self.collide(dt, execution, report) {
            Ok(()) => {}
            Err(_) if halvings < MOST_HALVINGS => {
                self.bring_back(halvings, execution);
                report.collisions.divisions += 1;
                self.substep(0.5 * dt, halvings + 1, execution, report)?;
                return self.substep(0.5 * dt, halvings + 1, execution, report);
            }
            Err(unresolved) => return Err(Trouble::Unresolved(unresolved)),
        }
        for (number, (_, cloth)) in self.cloths.iter_mut().enumerate() {
            let lost = |lost| Trouble::Astray(number, lost);
            cloth.conclude(dt, execution, &mut report.cloths[number]).map_err(lost)?;
        }
        self.rigid.conclude().map_err(Trouble::Body)?;
        if let Some(momentum) = momentum {
            self.keep_momentum(&momentum, dt);
        }
        self.clock = times[1];
        Ok(())
    }

    /// The times of the start and of the end of a substep.
    fn times(&self, dt: f64) -> [f64; 2] {
        let start = self.time();
        [start, start + dt]
    }

    fn collide(&mut self, dt: f64, execution: Execution, report: &mut WorldReport) -> Result<(), Unresolved> {
        let substep = substep(&self.cloths, &self.colliders, self.times(dt));
        let Some(collisions) = &mut self.collisions else { return Ok(()) };
        let (cloths, bodies) = (&mut self.cloths, &mut self.rigid.bodies);
        let counts = collisions.resolve(cloths, bodies, &substep, execution, &mut report.timings)?;
        report.collisions.add(&counts);
        self.events.touched(collisions);
        Ok(())
    }

    fn keep(&mut self, halvings: usize, execution: Execution) {
        if self.before.len() <= halvings {
            self.before.push(Vec::new());
        }
        self.before[halvings].resize_with(self.cloths.len(), State::default);
        for (before, (_, cloth)) in self.before[halvings].iter_mut().zip(&self.cloths) {
            before.copy_start_of(&cloth.state, execution);
        }
        // Under 0 a solver keeps what it was before the whole step.
        self.cloths.iter_mut().for_each(|(_, cloth)| cloth.keep_own(halvings + 1));
        self.rigid.save(halvings);
    }

    fn bring_back(&mut self, halvings: usize, execution: Execution) {
        for (before, (_, cloth)) in self.before[halvings].iter().zip(&mut self.cloths) {
            cloth.state.copy_start_of(before, execution);
            cloth.bring_back_own(halvings + 1);
        }
        self.rigid.restore(halvings);
    }
}
