//! The GPU engine: multi-resolution shape matching in wgpu and WGSL (\[Bender2013\] §5).
//!
//! A [`GpuSimulation`] holds a cloth on a [`Gpu`]. Steps are queued, many in one command buffer, and the
//! state stays on the device until it is asked for.
//!
//! Every thread owns a vertex and only writes that one: no atomics, no order, the same bits in every run
//! on one device. Regions are averaged per vertex (Jacobi), so a pass is softer than the CPU's
//! Gauss-Seidel; the full approximation scheme over many levels, and short steps, make up for it.
//! `docs/gpu.md` has the measurements. Data flow as on the CPU: [`model`] lays the cloth out, [`buffers`]
//! hold it, [`schedule`] is the step, [`kernels`] carry it out, [`read_back`] brings the state home.

mod bandwidth;
mod buffers;
mod device;
mod fans;
mod kernels;
mod model;
mod profile;
mod read_back;
mod schedule;
mod sliced;
#[cfg(test)]
mod tests;
mod uniforms;

use glam::{Vec3, Vec4};

use self::buffers::{Buffers, NO_STATUS, Room};
use self::kernels::{Kernels, SmallSizes};
use self::model::Model;
use self::read_back::{Arrived, ReadBack};
use self::schedule::{Role, Schedule};
use self::uniforms::StepUniform;
use crate::cloth::Cloth;
use crate::simulation::{Settings, Simulation};
use crate::solver::SolverConfig;
use crate::state::Snapshot;
use crate::{Error, solver};
pub use device::{Gpu, GpuError, GpuOptions};
pub use profile::{KernelTime, Profile};

/// What happened on the GPU since the state was last read back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpuReport {
    /// How often a particle was slowed down to [`Settings::max_speed`].
    pub speed_limited: u32,
    /// How often a particle lost its finite place, or left the bounds, and was put back at rest.
    pub contained: u32,
    /// The first such particle (user's numbering).
    pub first_contained: Option<u32>,
}

/// A cloth in motion on a GPU.
///
/// ```
/// use muslin::gpu::{Gpu, GpuOptions, GpuSimulation};
/// use muslin::{Settings, cloth::Cloth, mesh::generate};
///
/// let mesh = generate::grid(30, 30, 1.0, 1.0)?;
/// let (left, right) = (mesh.groups["top"][0], mesh.groups["top"][30]);
/// let cloth = Cloth::builder(mesh).pin(left).pin(right).build()?;
///
/// let Ok(gpu) = Gpu::new(&GpuOptions::default()) else { return Ok(()) }; // no GPU here
/// let mut simulation = GpuSimulation::new(&gpu, cloth, Settings::default())?;
/// for _ in 0..120 {
///     simulation.step()?; // queued, not waited for
/// }
/// assert!(simulation.read_back()?.strain().average < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GpuSimulation {
    gpu: Gpu,
    model: Model,
    buffers: Buffers,
    kernels: Kernels,
    schedule: Schedule,
    /// Which buffer plays which role: start, one, other.
    roles: [u8; 3],
    /// Cloth, settings, and the state that was last read back.
    host: Simulation,
    report: GpuReport,
    /// Share of all velocities that a substep keeps.
    kept: f32,
    /// Of the state on the device.
    time: f64,
    steps: u64,
    on_its_way: Option<ReadBack>,
}

impl GpuSimulation {
    /// Lays a cloth out on a GPU. Needs everything that [`Simulation::new`] needs, and a cloth and
    /// settings for which there are kernels; otherwise the error says what there is none for.
    pub fn new(gpu: &Gpu, cloth: Cloth, settings: Settings) -> Result<Self, Error> {
        let model = Model::new(&cloth, &settings)?;
        let level_triangles = model.levels.iter().map(|level| level.triangles as usize).collect();
        let host = Simulation::with_solver(cloth, settings, Box::new(solver::Elsewhere { level_triangles }))?;
        let SolverConfig::ShapeMatching(config) = &host.settings().solver;
        let small = SmallSizes::of(&gpu.device.limits());
        let schedule = Schedule::new(&model, config, host.settings().wind.is_some(), small);
        let steps = host.settings().substeps as usize;
        let moving = host.cloth.pins.iter().filter(|pin| pin.motion.position(0.0).is_some()).count();
        let room = Room {
            small_levels: &schedule.small_levels,
            passes: schedule.uniforms.len(),
            steps,
            pin_places: moving * steps,
        };
        let buffers = Buffers::new(gpu, &model, &room)?;
        buffers.levels.write(gpu, &schedule.uniforms);
        let kernels = Kernels::new(gpu, &buffers, &schedule.kernels());
        gpu.check()?;
        let mut simulation = Self {
            gpu: gpu.clone(),
            model,
            buffers,
            kernels,
            schedule,
            roles: [0, 1, 2],
            time: host.time(),
            steps: host.steps(),
            host,
            report: GpuReport::default(),
            kept: 1.0,
            on_its_way: None,
        };
        simulation.upload();
        Ok(simulation)
    }

    /// The cloth.
    pub fn cloth(&self) -> &Cloth {
        &self.host.cloth
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        self.host.settings()
    }

    /// Seconds since the start, of the state on the device.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps since the start, substeps counted one by one, of the state on the device.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The state as it was last read back, with everything that can be asked about it.
    pub fn last_read(&self) -> &Simulation {
        &self.host
    }

    /// What happened up to the state that was last read back.
    pub fn report(&self) -> GpuReport {
        self.report
    }

    /// Dispatches per substep.
    pub fn dispatches(&self) -> usize {
        self.schedule.dispatches.len()
    }

    /// Queues [`Settings::time_step`], in its substeps, as one command buffer. Does not wait.
    pub fn step(&mut self) -> Result<(), Error> {
        self.gpu.check()?;
        self.write_steps();
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        for substep in 0..self.host.settings().substeps as usize {
            for number in 0..self.schedule.dispatches.len() {
                self.dispatch(&mut pass, number, substep);
            }
            self.turn_roles();
        }
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        self.advance_clock();
        Ok(self.gpu.check()?)
    }

    /// Brings the cloth towards rest: steps after each of which all velocities are multiplied by `kept`.
    pub fn relax(&mut self, steps: usize, kept: f32) -> Result<(), Error> {
        self.kept = kept;
        let result = (0..steps).try_for_each(|_| self.step());
        self.kept = 1.0;
        result
    }

    /// Waits for the queued steps.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self) -> Result<(), Error> {
        let lost = |e: wgpu::PollError| GpuError::Lost { reason: e.to_string() };
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(lost)?;
        Ok(self.gpu.check()?)
    }

    /// Waits for the queued steps and brings the state back.
    ///
    /// If the device has failed, the error says how, and [`GpuSimulation::last_read`] still has the state
    /// before.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_back(&mut self) -> Result<&Simulation, Error> {
        self.begin_read_back()?;
        if let Some(read_back) = &self.on_its_way {
            read_back.wait(&self.gpu)?;
        }
        self.try_read_back()?;
        Ok(&self.host)
    }

    /// Queues a copy of the state as it will be after the steps queued so far. One at a time: a copy that
    /// is still on its way is given up.
    pub fn begin_read_back(&mut self) -> Result<(), Error> {
        let vertices = self.model.finest().count as usize;
        let (start, now) = (usize::from(self.roles[0]), (self.time, self.steps));
        self.on_its_way = Some(ReadBack::begin(&self.gpu, &self.buffers, start, vertices, now)?);
        Ok(())
    }

    /// The state, if the copy that was queued has arrived.
    pub fn try_read_back(&mut self) -> Result<Option<&Simulation>, Error> {
        let Some(read_back) = &self.on_its_way else { return Ok(None) };
        let Some(arrived) = read_back.take(&self.gpu) else { return Ok(None) };
        let now = (read_back.time, read_back.steps);
        self.on_its_way = None;
        self.receive(&arrived?, now);
        Ok(Some(&self.host))
    }

    /// Goes back to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.host.restore(snapshot)?;
        (self.time, self.steps) = (snapshot.time, snapshot.steps);
        self.on_its_way = None;
        self.upload();
        Ok(self.gpu.check()?)
    }

    /// Puts the particles somewhere else, at rest or with velocities. Pinned ones move too.
    pub fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) -> Result<(), Error> {
        self.host.set_state(positions, velocities)?;
        self.on_its_way = None;
        self.upload();
        Ok(self.gpu.check()?)
    }

    /// Goes on on the CPU, from the state that was last read back.
    pub fn into_simulation(self) -> Result<Simulation, Error> {
        let mut simulation = self.host;
        let dt = simulation.substep_length();
        simulation.solver = simulation.settings.solver.build(&simulation.cloth, dt)?;
        Ok(simulation)
    }

    fn dispatch(&self, pass: &mut wgpu::ComputePass, number: usize, substep: usize) {
        let dispatch = self.schedule.dispatches[number];
        let buffer = |role: Role| self.roles[role as usize];
        let offset = match dispatch.kernel.is_per_step() {
            true => self.buffers.steps.offset(substep),
            false => self.buffers.levels.offset(dispatch.uniform),
        };
        let points = [buffer(dispatch.front), buffer(dispatch.back)];
        self.kernels.dispatch(pass, dispatch.kernel, points, offset, dispatch.workgroups);
    }

    /// Where the finest level ended is where the next step starts.
    fn turn_roles(&mut self) {
        self.roles.swap(Role::Start as usize, self.schedule.end as usize);
    }

    fn advance_clock(&mut self) {
        let dt = self.host.substep_length();
        for _ in 0..self.host.settings().substeps {
            self.time += dt;
            self.steps += 1;
        }
    }

    /// Writes what the next substeps need to know: the time's wind, and the places of moving pins.
    fn write_steps(&self) {
        let settings = self.host.settings();
        let dt = self.host.substep_length();
        let (mut uniforms, mut pins) = (Vec::new(), Vec::<Vec4>::new());
        let mut time = self.time;
        for _ in 0..settings.substeps {
            let first_pin = pins.len() as u32;
            uniforms.push(StepUniform { first_pin, ..self.step_uniform(time, dt) });
            time += dt;
            let moving = self.host.cloth.pins.iter().filter_map(|pin| pin.motion.position(time));
            pins.extend(moving.map(|position| position.extend(0.0)));
        }
        self.buffers.steps.write(&self.gpu, &uniforms);
        if !pins.is_empty() {
            self.gpu.queue.write_buffer(&self.buffers.pins, 0, bytemuck::cast_slice(&pins));
        }
    }

    fn step_uniform(&self, time: f64, dt: f64) -> StepUniform {
        let settings = self.host.settings();
        let wind = settings.wind.unwrap_or_default();
        StepUniform {
            gravity: settings.gravity.to_array(),
            dt: dt as f32,
            air_velocity: wind.velocity.to_array(),
            gust_speed: wind.gusts * wind.velocity.length(),
            gust_phase: wind.gust_phase(time).to_array(),
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
    fn upload(&mut self) {
        let vertices = self.model.finest().count as usize;
        let (mut points, mut velocities) = (vec![Vec4::ZERO; vertices], vec![Vec4::ZERO; vertices]);
        for v in 0..vertices {
            let (place, point) = self.model.place(v, self.host.state.points[v].truncate());
            points[place] = point;
            velocities[place] = self.host.state.velocities[v].with_w(0.0);
        }
        // The w of a pinned particle's velocity: its place among the moving pins, from 1.
        let moving = self.host.cloth.pins.iter().filter(|pin| pin.motion.position(0.0).is_some());
        for (number, pin) in moving.enumerate() {
            velocities[self.model.places[pin.vertex as usize] as usize].w = (number + 1) as f32;
        }
        let start = &self.buffers.points[usize::from(self.roles[0])];
        self.gpu.queue.write_buffer(start, 0, bytemuck::cast_slice(&points));
        self.gpu.queue.write_buffer(&self.buffers.velocities, 0, bytemuck::cast_slice(&velocities));
    }

    fn receive(&mut self, arrived: &Arrived, (time, steps): (f64, u64)) {
        for (v, &place) in self.model.places.iter().enumerate() {
            let point = &mut self.host.state.points[v];
            *point = arrived.points[place as usize].with_w(point.w);
            self.host.state.velocities[v] = arrived.velocities[place as usize].with_w(0.0);
        }
        (self.host.state.time, self.host.state.steps) = (time, steps);
        let [limited, contained, first] = arrived.status;
        let vertex = || self.model.places.iter().position(|&place| place == first);
        let user = |v: usize| self.host.cloth.permutation.new_to_old[v];
        self.report = GpuReport {
            speed_limited: limited,
            contained,
            first_contained: if contained > 0 { vertex().map(user) } else { None },
        };
        let status = bytemuck::cast_slice(&NO_STATUS);
        self.gpu.queue.write_buffer(&self.buffers.status, 0, status);
    }
}
