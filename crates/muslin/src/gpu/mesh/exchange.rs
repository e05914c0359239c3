//! What goes between host and device: the state, and what every step needs to know.

use glam::Vec4;

use super::GpuSimulation;
use super::memory::{Buffer, NO_STATUS, STATUS_WORDS};
use super::read_back::{GpuReport, STATUS, Stamp};
use super::uniforms::StepUniform;
use crate::Error;
use crate::cloth::Pin;
use crate::state::gained;

impl GpuSimulation {
    /// Writes what the next substeps need to know: the time's wind, and the places of moving pins.
    pub(super) fn write_steps(&self) {
        let settings = self.host.settings();
        let dt = self.host.substep_length();
        let (mut uniforms, mut pins) = (Vec::new(), Vec::<Vec4>::new());
        let (mut time, mut last_step) = (self.now.time, self.now.last_step);
        for _ in 0..settings.substeps {
            let first_pin = pins.len() as u32;
            uniforms.push(StepUniform { first_pin, ..self.step_uniform(time, dt, last_step) });
            time += dt;
            last_step = dt;
            let from = |pin: &Pin| pin.motion.position_from(self.host.state.origin, time);
            let moving = self.host.cloth.pins.iter().filter_map(from);
            pins.extend(moving.map(|position| position.extend(0.0)));
        }
        self.engine.memory.write_uniforms(Buffer::Steps, &uniforms);
        self.engine.memory.write(Buffer::Pins, &pins);
    }

    /// Writes the κ of the next frame, if it may change.
    pub(super) fn write_kappa(&self) {
        let Some(curve) = &self.host.cloth.kappa else { return };
        let kappa = curve.at(self.now.time + self.host.settings().time_step);
        let mut uniforms = self.schedule.uniforms.clone();
        self.schedule.bend_uniforms.iter().for_each(|&number| uniforms[number].alpha = kappa);
        self.engine.memory.write_uniforms(Buffer::Levels, &uniforms);
    }

    /// Particles that leave the bounds are put back, but a pin that is led out of them cannot be helped: an error
    /// as on the CPU.
    pub(super) fn pins_within_bounds(&self) -> Result<(), Error> {
        let settings = self.host.settings();
        for substep in 1..=u64::from(settings.substeps) {
            let time = self.now.time + substep as f64 * self.host.substep_length();
            let is_out = |pin: &&Pin| {
                let place = pin.motion.position_from(self.host.state.origin, time).unwrap_or_default();
                !place.is_finite() || place.abs().max_element() > settings.bounds
            };
            if let Some(pin) = self.host.cloth.pins.iter().find(is_out) {
                let vertex = self.host.cloth.permutation.new_to_old[pin.vertex as usize] as usize;
                let step = self.now.steps / u64::from(settings.substeps) + 1;
                return Err(Error::Diverged { step, vertex });
            }
        }
        Ok(())
    }

    fn step_uniform(&self, time: f64, dt: f64, last_step: f64) -> StepUniform {
        let settings = self.host.settings();
        let wind = settings.wind.unwrap_or_default();
        StepUniform {
            gained: gained(settings.gravity, last_step, dt).as_vec3().to_array(),
            dt: dt as f32,
            air_velocity: wind.velocity.to_array(),
            gust_speed: wind.gusts * wind.velocity.length(),
            gust_phase: wind.gust_phase(self.host.state.origin, time).to_array(),
            per_gust_size: 1.0 / wind.gust_size,
            vertices: self.model.finest().count,
            first_pin: 0,
            max_speed: settings.max_speed,
            bounds: settings.bounds,
            damping: self.model.damping,
            air_density: wind.air_density,
            drag: wind.drag,
            lift: wind.lift,
            seed: wind.seed,
            kept: self.kept,
            padding: [0; 2],
        }
    }

    /// Sends the host's state to the device.
    pub(super) fn upload(&mut self) {
        let vertices = self.model.finest().count as usize;
        let (mut points, mut travel) = (vec![Vec4::ZERO; vertices], vec![Vec4::ZERO; 2 * vertices]);
        for v in 0..vertices {
            let (place, point) = self.model.place(v, self.host.state.points[v].truncate());
            points[place] = point;
            travel[place] = self.host.state.velocities[v].with_w(0.0);
            travel[vertices + place] = self.host.state.remainders[v];
        }
        // The w of a pinned particle's velocity: its place among the moving pins, from 1.
        let moving = self.host.cloth.pins.iter().filter(|pin| pin.motion.position(0.0).is_some());
        for (number, pin) in moving.enumerate() {
            travel[self.model.places[pin.vertex as usize] as usize].w = (number + 1) as f32;
        }
        self.engine.memory.write(self.points(), &points);
        self.engine.memory.write(Buffer::Travel, &travel);
        self.engine.memory.write(Buffer::Status, &NO_STATUS);
    }

    /// Takes the state over that was copied back, in the order of [`state_bytes`](super::read_back::state_bytes).
    pub(super) fn receive(&mut self, bytes: &[u8], stamp: Stamp) {
        let (vectors, status) = bytes.split_at(bytes.len() - STATUS as usize);
        let vectors: Vec<Vec4> = bytemuck::pod_collect_to_vec(vectors);
        let state = &mut self.host.state;
        for (v, &place) in self.model.places.iter().enumerate() {
            let part = |number: usize| vectors[number * vectors.len() / 3 + place as usize];
            state.points[v] = part(0).with_w(state.points[v].w);
            state.velocities[v] = part(1).with_w(0.0);
            state.remainders[v] = part(2);
        }
        (state.time, state.steps, state.last_step) = (stamp.time, stamp.steps, stamp.last_step);
        let [limited, contained, first]: [u32; STATUS_WORDS] = bytemuck::pod_read_unaligned(status);
        let vertex = || self.model.places.iter().position(|&place| place == first);
        let user = |v: usize| self.host.cloth.permutation.new_to_old[v];
        self.report = GpuReport {
            speed_limited: limited,
            contained,
            first_contained: if contained > 0 { vertex().map(user) } else { None },
        };
    }
}
