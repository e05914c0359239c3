//! What goes between host and device: the state, and what every step needs to know.

use glam::{Vec3, Vec4};

use super::device_cloth::DeviceCloth;
use super::memory::{Buffer, NO_STATUS, STATUS_WORDS};
use super::read_back::{GpuReport, STATUS};
use super::uniforms::StepUniform;
use crate::Error;
use crate::simulation::{Simulation, Stamp};
use crate::state::gained;

/// Of a push after which nothing is left of the velocity before.
const STOPS: u32 = 1 << 31;

impl DeviceCloth {
    /// Lists what the next substeps need to know: the time's wind, the places of pins, and what changes velocities.
    ///
    /// Particles that leave the bounds are put back, but a pin that is led out of them cannot be helped: an error
    /// as on the CPU.
    pub(super) fn list_steps(&mut self, host: &Simulation) -> Result<(), Error> {
        self.list_pushes(host);
        let (settings, dt) = (host.settings(), host.substep_length());
        let Some(ahead) = &host.ahead else { return Ok(()) };
        let mut lists = std::mem::take(&mut self.lists);
        let (steps, pins) = (&mut lists.steps, &mut lists.pins);
        steps.clear();
        pins.clear();
        let Stamp { mut time, mut last_step, .. } = ahead.now;
        let mut out = None;
        for number in 0..settings.substeps {
            let to_all = if number == 0 { host.forces.pushes.to_all } else { Vec3::ZERO };
            steps.push(StepUniform {
                first_pin: pins.len() as u32,
                pushes: lists.forces,
                ..self.step_uniform(host, time, [dt, last_step], to_all)
            });
            time += dt;
            last_step = dt;
            for pin in &host.cloth.pins {
                let stays = ahead.places[pin.vertex as usize];
                let place = pin.motion.position_from(host.state.origin, time).unwrap_or(stays);
                if !place.is_finite() || place.abs().max_element() > settings.bounds {
                    out = out.or(Some(pin.vertex));
                }
                pins.push(place.extend(0.0));
            }
        }
        let (first_push, all) = (lists.forces, lists.pushes.len() as u32);
        steps.push(StepUniform {
            first_push,
            pushes: all - first_push,
            ..self.step_uniform(host, time, [dt, last_step], Vec3::ZERO)
        });
        self.lists = lists;
        let step = ahead.now.steps / u64::from(settings.substeps) + 1;
        let user = |v: u32| host.cloth.permutation.new_to_old[v as usize] as usize;
        out.map_or(Ok(()), |v| Err(Error::Diverged { step, vertex: user(v) }))
    }

    /// What forces add to velocities in half a substep, then what is added once.
    fn list_pushes(&mut self, host: &Simulation) {
        let (half, places) = (0.5 * host.substep_length(), &self.model.places);
        let is_free = |v: u32| host.cloth.pins.binary_search_by_key(&v, |pin| pin.vertex).is_err();
        let entry = |v: u32, change: Vec3, stops: bool| {
            let [x, y, z] = change.to_array().map(f32::to_bits);
            [x, y, z, places[v as usize] | if stops { STOPS } else { 0 }]
        };
        let by_force = |(v, force): (u32, Vec3)| {
            entry(v, (half * force.as_dvec3() / host.cloth.masses[v as usize]).as_vec3(), false)
        };
        let pushes = &mut self.lists.pushes;
        pushes.clear();
        pushes.extend(host.forces.iter().filter(|(v, _)| is_free(*v)).map(by_force));
        self.lists.forces = pushes.len() as u32;
        // What was pushed and pinned since is stopped; nothing else of what is pinned is listed.
        let pushed = host.forces.pushes.iter().filter(|&(v, _, stops)| stops || is_free(v));
        pushes.extend(pushed.map(|(v, by, stops)| entry(v, by, stops)));
    }

    /// Sends what is listed.
    pub(super) fn write_lists(&mut self) {
        let Self { engine, lists, .. } = self;
        engine.memory.write_uniforms_by(Buffer::Steps, &lists.steps, &mut lists.bytes);
        engine.memory.write(Buffer::Pins, &lists.pins);
        engine.memory.write(Buffer::Pushes, &lists.pushes);
    }

    /// Writes the κ of the next frame, if it may change.
    pub(super) fn write_kappa(&mut self, host: &Simulation) {
        let end = host.now().time + host.settings().time_step;
        let curve = host.cloth.kappa.as_ref().map(|curve| curve.at(end));
        if curve.is_none() && !self.lists.has_kappa {
            return;
        }
        self.lists.has_kappa = curve.is_some();
        let kappa = curve.unwrap_or(self.model.lengths.kappa);
        let Self { engine, schedule, lists, .. } = self;
        schedule.bend_uniforms.iter().for_each(|&number| schedule.uniforms[number].alpha = kappa);
        engine.memory.write_uniforms_by(Buffer::Levels, &schedule.uniforms, &mut lists.bytes);
    }

    fn step_uniform(
        &self,
        host: &Simulation,
        time: f64,
        [dt, last_step]: [f64; 2],
        to_all: Vec3,
    ) -> StepUniform {
        let settings = host.settings();
        let wind = settings.wind.unwrap_or_default();
        let gained = gained(settings.gravity, last_step, dt) + to_all.as_dvec3();
        StepUniform {
            gained: gained.as_vec3().to_array(),
            dt: dt as f32,
            air_velocity: wind.velocity.to_array(),
            gust_speed: wind.gusts * wind.velocity.length(),
            gust_phase: wind.gust_phase(host.state.origin, time).to_array(),
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
            first_push: 0,
            pushes: 0,
        }
    }

    /// Sends the host's state to the device. What was on its way or counted was about another.
    pub(super) fn upload(&mut self, host: &mut Simulation) {
        let vertices = self.model.finest().count as usize;
        let (mut points, mut travel) = (vec![Vec4::ZERO; vertices], vec![Vec4::ZERO; 2 * vertices]);
        for v in 0..vertices {
            let (place, point) = self.model.place(v, host.state.points[v].truncate());
            points[place] = point;
            travel[place] = host.state.velocities[v].with_w(0.0);
            travel[vertices + place] = host.state.remainders[v];
        }
        // The w of a pinned particle's velocity: its place among the pins, from 1.
        for (number, pin) in host.cloth.pins.iter().enumerate() {
            travel[self.model.places[pin.vertex as usize] as usize].w = (number + 1) as f32;
        }
        self.engine.memory.write(self.points(), &points);
        self.engine.memory.write(Buffer::Travel, &travel);
        self.engine.memory.write(Buffer::Status, &NO_STATUS);
        self.on_its_way = None;
        if let Some(ahead) = &mut host.ahead {
            ahead.is_set = false;
        }
    }

    /// Takes the state over that was copied back, in the order of [`state_bytes`](super::read_back::state_bytes).
    pub(super) fn receive(&mut self, host: &mut Simulation, bytes: &[u8], stamp: Stamp) {
        let (vectors, status) = bytes.split_at(bytes.len() - STATUS as usize);
        let part = vectors.len() / 3;
        let vector = |number: usize, place: u32| -> Vec4 {
            let at = number * part + place as usize * size_of::<Vec4>();
            bytemuck::pod_read_unaligned(&vectors[at..at + size_of::<Vec4>()])
        };
        let (state, start) = (&mut host.state, &mut host.step_start);
        if state.steps != stamp.steps {
            // What is drawn in between is drawn between the last two states that were read.
            (start.origin, start.time) = (state.origin, state.time);
            start.points.clone_from(&state.points);
            host.has_jumped = false;
        }
        for (v, &place) in self.model.places.iter().enumerate() {
            state.points[v] = vector(0, place).with_w(state.points[v].w);
            state.velocities[v] = vector(1, place).with_w(0.0);
            state.remainders[v] = vector(2, place);
        }
        (state.time, state.steps, state.last_step) = (stamp.time, stamp.steps, stamp.last_step);
        if let Some(ahead) = &mut host.ahead {
            ahead.is_read = stamp == ahead.now;
        }
        let [limited, contained, first]: [u32; STATUS_WORDS] = bytemuck::pod_read_unaligned(status);
        let vertex = || self.model.places.iter().position(|&place| place == first);
        let user = |v: usize| host.cloth.permutation.new_to_old[v];
        let report = GpuReport {
            speed_limited: limited,
            contained,
            first_contained: if contained > 0 { vertex().map(user) } else { None },
        };
        self.report = report.after(std::mem::take(&mut self.earlier));
    }
}
