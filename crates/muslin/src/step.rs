//! One step: the stages in their order, with a time span around each.
//!
//! forces → integrate → bend, stretch, shear, in as many rounds as the solver wants → (collisions, in a
//! [`World`](crate::World)) → velocities → damping → [`StepReport`] ([Bender2013] §3; damping last, errata 16).

use std::sync::atomic::{AtomicU32, Ordering};

use glam::Vec4;

use crate::Error;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::simulation::{Bending, Simulation, StepReport};
use crate::solver::Motion;
use crate::state::{Astray, Fall, State, with_points};

impl Simulation {
    /// Advances by [`Settings::time_step`](crate::Settings), in its substeps.
    ///
    /// Particles that lose their finite position or leave all bounds are quarantined: the step is
    /// taken again with them and their neighbours held, and the report names them. If that does not
    /// help, the state stays as it was before the step and the error names a particle.
    ///
    /// What was changed since the last step (pins, material, solver) is prepared first. If that cannot be, the error says why, and
    /// nothing has changed.
    ///
    /// Nothing is collided with here; that is what a [`World`](crate::World) is for.
    pub fn step(&mut self) -> Result<StepReport, Error> {
        self.begin_step()?;
        let report = self.all_substeps()?;
        self.finish_step();
        Ok(report)
    }

    fn all_substeps(&mut self) -> Result<StepReport, Error> {
        let threads = self.threads.clone();
        let execution = Execution { threads: &threads, instructions: self.settings.instructions };
        self.recentre_if_far();
        self.save_start(execution);
        let first_try = self.substeps(execution);
        if let Some(fault) = self.take_fault() {
            self.roll_back();
            return Err(fault);
        }
        let Err(lost) = first_try else { return first_try.map_err(|lost| self.give_up(&lost)) };
        self.roll_back();
        let held = self.quarantine(&lost);
        let mut report = self.substeps(execution).map_err(|lost| self.give_up(&lost))?;
        report.quarantined = self.end_quarantine(&held);
        Ok(report)
    }

    fn substeps(&mut self, execution: Execution) -> Result<StepReport, Astray> {
        let dt = self.substep_length();
        let mut report = StepReport::default();
        for _ in 0..self.settings.substeps {
            self.predict(dt, execution, &mut report.timings)?;
            self.conclude(dt, execution, &mut report)?;
        }
        Ok(report)
    }

    /// Seconds of a substep.
    pub(crate) fn substep_length(&self) -> f64 {
        self.settings.substep_length()
    }

    /// The first part of a substep: where all particles would go.
    pub(crate) fn predict(
        &mut self,
        dt: f64,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<(), Astray> {
        self.apply_half_of_forces(dt, false);
        self.apply_forces(dt as f32, execution, timings);
        if let Some(solver) = &mut self.solver {
            solver.predict(&mut self.state, dt as f32, execution, timings);
        }
        timings.time(Stage::Integration, || {
            match self.facts.motion {
                Motion::Symplectic => self.integrate(dt, execution)?,
                Motion::Exact => self.integrate_exactly(dt)?,
                Motion::OfSolver => self.state.previous.copy_from_slice(&self.state.points),
            }
            self.move_pins(self.state.time + dt);
            let fall = self.fall(dt);
            self.state.set_out(fall, execution);
            self.tighten_holds(dt, fall);
            Ok(())
        })?;
        for round in 0..self.facts.rounds {
            self.bend(round, self.state.time + dt, execution, timings);
            self.hold_volume(self.state.time + dt, execution, timings);
            self.hold_tethers(execution, timings);
            if let Some(solver) = &mut self.solver {
                solver.solve(round, &mut self.state, execution, timings);
            }
        }
        timings.time(Stage::Integration, || {
            self.state.lower(execution);
            self.find_drift(dt, execution);
        });
        Ok(())
    }

    /// How far rounding has moved what is free.
    fn find_drift(&mut self, dt: f64, execution: Execution) {
        let (motion, fall) = (self.facts.motion, self.fall(dt));
        let Some(drift) = &mut self.drift else { return };
        let drawn = &self.holds.drawn;
        match motion {
            Motion::Symplectic => {
                let State { points, previous, travellers, velocities, remainders, .. } = &self.state;
                let moved = |v: usize| {
                    let way = fall.way(velocities[v], remainders[v]);
                    let moved = match travellers.get(v) {
                        Some(traveller) => traveller.way - way,
                        None => points[v] - (previous[v] + way),
                    };
                    (points[v].w > 0.0).then(|| moved.truncate().as_dvec3())
                };
                drift.find(moved, drawn, execution);
            }
            Motion::Exact => self.state.take_back(drift, drawn, dt, execution),
            Motion::OfSolver => {}
        }
    }

    /// The second part, after collisions: velocities from where they went, damped.
    pub(crate) fn conclude(
        &mut self,
        dt: f64,
        execution: Execution,
        report: &mut StepReport,
    ) -> Result<(), Astray> {
        self.book_holds(dt);
        self.loosen_holds();
        let mut fastest = report.timings.time(Stage::Integration, || match self.facts.motion {
            Motion::Symplectic => self.update_velocities(self.fall(dt), execution),
            Motion::OfSolver => self.update_velocities(Fall::unknown(dt), execution),
            Motion::Exact => self.arrive(dt),
        })?;
        self.state.last_step = dt;
        if let Some(solver) = &mut self.solver {
            solver.settle(&mut self.state, dt, execution, &mut report.timings);
        }
        if self.facts.motion == Motion::Exact {
            // Only now: what is slowed down takes momentum with it, and settling keeps that.
            fastest = self.state.limit_speed(self.settings.max_speed.into()) as f32;
        }
        self.apply_half_of_forces(dt, true);
        report.timings.time(Stage::Damping, || {
            self.damper.apply(&self.state.points, &mut self.state.velocities, dt, execution);
        });
        self.state.follow();
        if let Some(solver) = &self.solver {
            solver.report(&mut report.solver);
        }
        self.state.time += dt;
        self.state.steps += 1;
        report.time = self.state.time;
        report.steps = self.state.steps;
        report.max_speed = report.max_speed.max(fastest);
        report.speed_limited = report.max_speed >= self.settings.max_speed;
        Ok(())
    }

    /// Wind and explicit bending change velocities before the integration; gravity is part of it.
    fn apply_forces(&mut self, dt: f32, execution: Execution, timings: &mut Timings) {
        let Self { cloth, state, .. } = self;
        if let Some(wind) = &self.settings.wind {
            timings.time(Stage::Wind, || {
                self.wind_force.apply(wind, &cloth.topology.vertex_triangles, state, dt, execution);
                if let Some(impulse) = &mut self.air_impulse {
                    *impulse =
                        *impulse + self.wind_force.impulse(&cloth.mesh.triangles, &state.points, dt.into());
                }
            });
        }
        if let Bending::Explicit(bending) = &self.bending {
            timings.time(Stage::Bending, || {
                bending.apply(&state.points, &mut state.velocities, dt, execution);
            });
        }
    }

    /// What a free particle's velocity gains by gravity, and by how much that moves it.
    fn fall(&self, dt: f64) -> Fall {
        let gained = self.state.gained(self.settings.gravity, dt);
        Fall {
            dt: dt as f32,
            gained: gained.as_vec3().extend(0.0),
            moved: (gained * dt).as_vec3().extend(0.0),
        }
    }

    /// [Bender2013] eq. 2, symplectic Euler. A particle that is lost already here is found before
    /// the solver spreads it over its neighbours.
    fn integrate(&mut self, dt: f64, execution: Execution) -> Result<(), Astray> {
        let fall = self.fall(dt);
        let state = &mut self.state;
        let (velocities, remainders) = (&state.velocities, &state.remainders);
        let farthest = AtomicU32::new(0);
        execution.for_each_chunk2(&mut state.points, &mut state.previous, |first, points, previous| {
            let mut places = Vec4::ZERO;
            for (offset, (point, previous)) in points.iter_mut().zip(previous).enumerate() {
                *previous = *point;
                if point.w > 0.0 {
                    *point += fall.way(velocities[first + offset], remainders[first + offset]);
                    places = places.max(point.abs());
                }
            }
            farthest.fetch_max(places.truncate().max_element().to_bits(), Ordering::Relaxed);
        });
        let bounds = self.settings.bounds;
        if f32::from_bits(farthest.into_inner()) <= bounds {
            return Ok(());
        }
        Astray::find(&state.points, &state.velocities, bounds).map_or(Ok(()), Err)
    }

    /// [Bender2009] §3.1 in double precision.
    fn integrate_exactly(&mut self, dt: f64) -> Result<(), Astray> {
        self.state.move_exactly(self.settings.gravity.as_dvec3(), dt);
        Astray::find(&self.state.points, &self.state.velocities, self.settings.bounds).map_or(Ok(()), Err)
    }

    /// The velocities of [Bender2009] §3.1 at the end of the step, from where particles came. No speed is known before the solver
    /// has settled them.
    fn arrive(&mut self, dt: f64) -> Result<f32, Astray> {
        self.state.arrive(self.settings.gravity.as_dvec3(), dt);
        Astray::find(&self.state.points, &self.state.velocities, self.settings.bounds).map_or(Ok(0.0), Err)
    }

    /// Puts pinned particles where they are to be at the end of the step.
    fn move_pins(&mut self, time: f64) {
        for pin in &self.cloth.pins {
            if let Some(position) = pin.motion.position_from(self.state.origin, time) {
                self.state.points[pin.vertex as usize] = position.extend(0.0);
            }
        }
        for (vertex, place) in self.led.drain(..) {
            let point = &mut self.state.points[vertex as usize];
            // Somebody may have released it.
            if point.w == 0.0 {
                *point = (place - self.state.origin).as_vec3().extend(0.0);
            }
        }
    }

    /// Constraints take part in every round; the quadratic model, whose stiffness is that of a step, in the first.
    fn bend(&mut self, round: u32, time: f64, execution: Execution, timings: &mut Timings) {
        let state = &mut self.state;
        match &mut self.bending {
            Bending::Position(bending) if round == 0 => {
                timings
                    .time(Stage::Bending, || with_points!(state, |points| bending.apply(points, execution)));
            }
            Bending::Constraints(bending) => timings.time(Stage::Bending, || {
                if let Some(kappa) = &self.cloth.kappa {
                    bending.set_kappa(kappa.at(time));
                }
                with_points!(state, |points| bending.project(round == 0, points, execution));
            }),
            _ => {}
        }
    }

    /// Closed cloth holds as much as its pressure asks for.
    fn hold_volume(&mut self, time: f64, execution: Execution, timings: &mut Timings) {
        if let (Some(volume), Some(pressure)) = (&mut self.volume, &self.cloth.pressure) {
            timings.time(Stage::Volume, || {
                self.state.lower(execution);
                volume.hold(pressure.at(time), &self.cloth, &mut self.state.points, execution);
                self.state.lift(execution);
            });
        }
    }

    fn hold_tethers(&mut self, execution: Execution, timings: &mut Timings) {
        if let Some(tethers) = &mut self.tethers {
            timings.time(Stage::Tethers, || {
                with_points!(self.state, |points| tethers.hold(points, execution));
            });
        }
    }

    /// [Bender2013] eq. 13: velocities from the change of positions, once per step (errata 14).
    /// Returns the highest speed, or the particles that got lost.
    fn update_velocities(&mut self, fall: Fall, execution: Execution) -> Result<f32, Astray> {
        let (limit, bounds) = (self.settings.max_speed, self.settings.bounds);
        self.state.lift(execution);
        let State { points, previous, travellers, velocities, remainders, .. } = &mut self.state;
        let drift = self.drift.as_ref();
        // The largest squared speed and coordinate, as bits: for positive floats the order is the
        // same, and an infinity or a NaN is larger than every number.
        let (fastest, farthest) = (AtomicU32::new(0), AtomicU32::new(0));
        execution.for_each_chunk2(velocities, remainders, |first, velocities, remainders| {
            let (mut speeds, mut places) = (0u32, 0u32);
            for (offset, (velocity, remainder)) in velocities.iter_mut().zip(remainders).enumerate() {
                let v = first + offset;
                (*velocity, *remainder) =
                    fall.arrival(points[v], previous[v], travellers.get(v), *velocity, *remainder);
                if let Some(drift) = drift {
                    let drift = drift.of_particle(v).extend(0.0);
                    *velocity -= drift / fall.dt;
                    *remainder -= drift;
                }
                let speed_sq = velocity.length_squared();
                speeds = speeds.max(speed_sq.to_bits());
                let place = points[v].with_w(0.0).abs();
                places = places.max(place.x.to_bits()).max(place.y.to_bits()).max(place.z.to_bits());
                if speed_sq > limit * limit {
                    *velocity *= limit / speed_sq.sqrt();
                }
            }
            fastest.fetch_max(speeds, Ordering::Relaxed);
            farthest.fetch_max(places, Ordering::Relaxed);
        });
        let (fastest, farthest) =
            (f32::from_bits(fastest.into_inner()), f32::from_bits(farthest.into_inner()));
        if fastest.is_finite() && farthest <= bounds {
            return Ok(fastest.sqrt());
        }
        // A speed that is too large to be squared is limited like every other.
        Astray::find(&self.state.points, &self.state.velocities, bounds).map_or(Ok(limit), Err)
    }
}
