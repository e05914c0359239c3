//! One step: the stages in their order, with a time span around each.
//!
//! forces → integrate → bend, stretch, shear → velocities → damping → [`StepReport`]
//! ([Bender2013] §3; damping last, errata 16).

use glam::Vec4;

use crate::Error;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::run_attended;
use crate::simulation::{Bending, Simulation, StepReport};

impl Simulation {
    /// Advances by [`Settings::time_step`](crate::Settings), in its substeps.
    ///
    /// If a position becomes non-finite, the substep is undone (velocities are then zero) and the
    /// error names the vertex.
    pub fn step(&mut self) -> Result<StepReport, Error> {
        if let Some(pool) = self.pool.clone()
            && let Some(report) = run_attended(&pool, || self.substeps())
        {
            return report;
        }
        self.substeps()
    }

    fn substeps(&mut self) -> Result<StepReport, Error> {
        let dt = self.settings.time_step / f64::from(self.settings.substeps);
        let mut timings = Timings::default();
        let mut max_speed = 0.0f32;
        for _ in 0..self.settings.substeps {
            self.apply_forces(dt as f32, &mut timings);
            timings.time(Stage::Integration, || {
                self.integrate(dt as f32);
                self.move_pins(self.state.time + dt);
            });
            self.bend(&mut timings);
            self.hold_tethers(&mut timings);
            self.solver.solve(&mut self.state.points, self.execution, &mut timings);
            max_speed =
                timings.time(Stage::Integration, || self.update_velocities(dt as f32))?.max(max_speed);
            timings.time(Stage::Damping, || {
                self.damper.apply(&self.state.points, &mut self.state.velocities, self.execution);
            });
            self.state.time += dt;
            self.state.steps += 1;
        }
        Ok(StepReport {
            time: self.state.time,
            steps: self.state.steps,
            timings,
            max_speed,
            speed_limited: max_speed >= self.settings.max_speed,
        })
    }

    /// Wind and explicit bending change velocities before the integration; gravity is part of it.
    fn apply_forces(&mut self, dt: f32, timings: &mut Timings) {
        let Self { cloth, state, .. } = self;
        if let Some(wind) = &self.settings.wind {
            timings.time(Stage::Wind, || {
                self.wind_force.apply(wind, &cloth.topology.vertex_triangles, state, dt, self.execution);
            });
        }
        if let Bending::Explicit(bending) = &self.bending {
            timings.time(Stage::Bending, || {
                bending.apply(&state.points, &mut state.velocities, dt, self.execution);
            });
        }
    }

    /// [Bender2013] eq. 2, symplectic Euler.
    fn integrate(&mut self, dt: f32) {
        let state = &mut self.state;
        let fall = self.settings.gravity.extend(0.0) * (dt * dt);
        let velocities = &state.velocities;
        self.execution.for_each_chunk2(&mut state.points, &mut state.previous, |first, points, previous| {
            for ((point, previous), &velocity) in points.iter_mut().zip(previous).zip(&velocities[first..]) {
                *previous = *point;
                if point.w > 0.0 {
                    *point += velocity * dt + fall;
                }
            }
        });
    }

    /// Puts pinned particles where they are to be at the end of the step.
    fn move_pins(&mut self, time: f64) {
        for pin in &self.cloth.pins {
            if let Some(position) = pin.motion.position(time) {
                self.state.points[pin.vertex as usize] = position.extend(0.0);
            }
        }
    }

    fn bend(&mut self, timings: &mut Timings) {
        if let Bending::Position(bending) = &self.bending {
            timings.time(Stage::Bending, || bending.apply(&mut self.state.points, self.execution));
        }
    }

    fn hold_tethers(&mut self, timings: &mut Timings) {
        if let Some(tethers) = &mut self.tethers {
            timings.time(Stage::Tethers, || tethers.hold(&mut self.state.points, self.execution));
        }
    }

    /// [Bender2013] eq. 13: velocities from the change of positions, once per step (errata 14).
    /// Returns the highest speed.
    fn update_velocities(&mut self, dt: f32) -> Result<f32, Error> {
        let limit = self.settings.max_speed;
        let state = &mut self.state;
        let (points, previous) = (&state.points, &state.previous);
        // The largest squared speed, as bits: for positive floats the order is the same, and a NaN
        // or an infinity is larger than every number.
        let fastest = std::sync::atomic::AtomicU32::new(0);
        self.execution.for_each_chunk(&mut state.velocities, |first, chunk| {
            let mut highest = 0u32;
            for (offset, velocity) in chunk.iter_mut().enumerate() {
                let v = first + offset;
                *velocity = ((points[v] - previous[v]) / dt).with_w(0.0);
                let speed_sq = velocity.length_squared();
                highest = highest.max(speed_sq.to_bits());
                if speed_sq > limit * limit {
                    *velocity *= limit / speed_sq.sqrt();
                }
            }
            fastest.fetch_max(highest, std::sync::atomic::Ordering::Relaxed);
        });
        let fastest = f32::from_bits(fastest.into_inner());
        if fastest.is_finite() {
            return Ok(fastest.sqrt());
        }
        self.undo()
    }

    /// Goes back to the positions before the step, unless all that happened is that a speed was
    /// too large to be squared.
    fn undo(&mut self) -> Result<f32, Error> {
        let state = &mut self.state;
        let Some(bad) = state.points.iter().position(|p| !p.is_finite()) else {
            for velocity in state.velocities.iter_mut().filter(|v| !v.length_squared().is_finite()) {
                *velocity = Vec4::ZERO;
            }
            return Ok(self.settings.max_speed);
        };
        state.points.copy_from_slice(&state.previous);
        state.velocities.fill(Vec4::ZERO);
        let vertex = self.cloth.permutation.new_to_old[bad] as usize;
        Err(Error::Diverged { step: state.steps + 1, vertex })
    }
}
