//! A cloth on a GPU: what users hold.

use glam::Vec3;

use super::buffers::{Buffers, Room};
use super::device::Gpu;
use super::kernel::SmallSizes;
use super::model::Model;
use super::pipelines::Pipelines;
use super::read_back::ReadBack;
use super::schedule::{Role, Schedule};
use super::support::Method;
use crate::Error;
use crate::cloth::{Cloth, Curve};
use crate::simulation::{Settings, Simulation};
use crate::solver::{Facts, SolverConfig};
use crate::state::Snapshot;

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

#[cfg(not(target_arch = "wasm32"))]
impl GpuReport {
    /// What happened up to `earlier` and since.
    fn after(self, earlier: Self) -> Self {
        Self {
            speed_limited: self.speed_limited + earlier.speed_limited,
            contained: self.contained + earlier.contained,
            first_contained: earlier.first_contained.into_iter().chain(self.first_contained).min(),
        }
    }
}

/// A cloth in motion on a GPU.
///
/// It is counted from an origin near its start ([`origin`](crate::origin)); unlike a [`Simulation`] it keeps that however far
/// it goes.
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
    pub(super) gpu: Gpu,
    pub(super) model: Model,
    pub(super) buffers: Buffers,
    pub(super) pipelines: Pipelines,
    pub(super) schedule: Schedule,
    /// Which buffer plays which role: start, one, other.
    pub(super) roles: [u8; 3],
    /// Cloth, settings, and the state that was last read back.
    pub(super) host: Simulation,
    pub(super) report: GpuReport,
    /// Share of all velocities that a substep keeps.
    pub(super) kept: f32,
    /// Time of the state on the device.
    pub(super) time: f64,
    pub(super) steps: u64,
    /// Seconds of its last substep.
    pub(super) last_step: f64,
    pub(super) on_its_way: Option<ReadBack>,
    /// The last one that came, for its buffer.
    arrived: Option<ReadBack>,
}

impl GpuSimulation {
    /// Lays a cloth out on a GPU. Needs everything that [`Simulation::new`] needs, and a cloth and
    /// settings for which there are kernels; otherwise the error says what there is none for.
    pub fn new(gpu: &Gpu, cloth: Cloth, settings: Settings) -> Result<Self, Error> {
        Self::with_small_levels(gpu, cloth, settings, SmallSizes::of(&gpu.device.limits()))
    }

    /// With so much room for the levels that are worked on in one dispatch.
    pub(super) fn with_small_levels(
        gpu: &Gpu,
        cloth: Cloth,
        settings: Settings,
        small: SmallSizes,
    ) -> Result<Self, Error> {
        settings.check()?;
        let model = Model::new(&cloth, &settings)?;
        let level_triangles = model.levels.iter().map(|level| level.triangles as usize).collect();
        let mut host = Simulation::at_start(cloth, settings)?;
        host.facts = Facts::new(level_triangles);
        host.recentre_if_far();
        let schedule =
            Schedule::new(&model, Method::of(host.settings())?, host.settings().wind.is_some(), small);
        let steps = host.settings().substeps as usize;
        let moving = host.cloth.pins.iter().filter(|pin| pin.motion.position(0.0).is_some()).count();
        let room = Room {
            small_levels: &schedule.small_levels,
            passes: schedule.uniforms.len(),
            steps,
            pin_places: moving * steps,
        };
        gpu.need_for_kernels(schedule.dispatches.iter().map(|dispatch| dispatch.workgroups).max())?;
        let buffers = Buffers::new(gpu, &model, &room)?;
        buffers.levels.write(gpu, &schedule.uniforms);
        let pipelines = Pipelines::new(gpu, &buffers, &schedule.kernels());
        gpu.check()?;
        let mut simulation = Self {
            gpu: gpu.clone(),
            model,
            buffers,
            pipelines,
            schedule,
            roles: [0, 1, 2],
            time: host.time(),
            steps: host.steps(),
            last_step: host.state.last_step,
            host,
            report: GpuReport::default(),
            kept: 1.0,
            on_its_way: None,
            arrived: None,
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
        self.pins_within_bounds()?;
        self.write_kappa();
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
        self.advance_clock(self.host.settings().substeps);
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
        let lost = |e: wgpu::PollError| super::GpuError::Lost { reason: e.to_string() };
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(lost)?;
        Ok(self.gpu.check()?)
    }

    /// Waits for the queued steps and brings the state back.
    ///
    /// If the device has failed, the error says how, and [`GpuSimulation::last_read`] still has the state
    /// before.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_back(&mut self) -> Result<&Simulation, Error> {
        // One may be on its way already: of this very state, or of an earlier one, whose counts stay.
        let mut earlier = GpuReport::default();
        if self.on_its_way.as_ref().is_some_and(|read_back| read_back.steps != self.steps) {
            self.wait_for_read_back()?;
            earlier = self.report;
        }
        self.begin_read_back()?;
        self.wait_for_read_back()?;
        self.report = self.report.after(earlier);
        Ok(&self.host)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn wait_for_read_back(&mut self) -> Result<(), Error> {
        if let Some(read_back) = &self.on_its_way {
            read_back.wait(&self.gpu)?;
        }
        match self.try_read_back()? {
            Some(_) => Ok(()),
            None => Err(super::GpuError::ReadBack { reason: "nothing arrived".into() }.into()),
        }
    }

    /// Queues a copy of the state as it will be after the steps queued so far. One at a time: while a copy is on
    /// its way, nothing is queued.
    pub fn begin_read_back(&mut self) -> Result<(), Error> {
        if self.on_its_way.is_none() {
            let vertices = self.model.finest().count as usize;
            let (start, now) = (usize::from(self.roles[0]), (self.time, self.steps, self.last_step));
            let earlier = self.arrived.take();
            self.on_its_way = Some(ReadBack::begin(&self.gpu, &self.buffers, start, vertices, now, earlier)?);
        }
        Ok(())
    }

    /// The state, if the copy that was queued has arrived.
    pub fn try_read_back(&mut self) -> Result<Option<&Simulation>, Error> {
        let Some(read_back) = &self.on_its_way else { return Ok(None) };
        let Some(arrived) = read_back.take(&self.gpu) else { return Ok(None) };
        let now = (read_back.time, read_back.steps, read_back.last_step);
        let done = self.on_its_way.take();
        let arrived = arrived?;
        self.arrived = done; // its buffer can be used again; that of one that failed may still be in use
        self.receive(&arrived, now);
        Ok(Some(&self.host))
    }

    /// Goes back to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.host.restore(snapshot)?;
        (self.time, self.steps, self.last_step) = (snapshot.time, snapshot.steps, snapshot.last_step);
        self.forget_reads();
        self.upload();
        Ok(self.gpu.check()?)
    }

    /// Puts the particles somewhere else, at rest or with velocities. Pinned ones move too.
    pub fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) -> Result<(), Error> {
        self.host.set_state(positions, velocities)?;
        (self.host.state.time, self.host.state.steps) = (self.time, self.steps);
        self.forget_reads();
        self.upload();
        Ok(self.gpu.check()?)
    }

    /// κ of triangle bending from now on, metres: a number, or a curve over time. It is taken at the end of each call
    /// of [`GpuSimulation::step`], for all its substeps.
    pub fn set_kappa(&mut self, kappa: impl Into<Curve>) -> Result<(), Error> {
        self.host.set_kappa(kappa)
    }

    /// Goes on on the CPU, from the state that was last read back. What only makes sense where regions are
    /// averaged (over-relaxation) is left out there.
    pub fn into_simulation(self) -> Result<Simulation, Error> {
        let mut simulation = self.host;
        if let SolverConfig::ShapeMatching(config) = &mut simulation.settings.solver
            && !config.averages()
        {
            config.over_relaxation = 1.0;
        }
        let solver = simulation.settings.solver.build(&simulation.cloth, &simulation.settings)?;
        simulation.moved_by(solver)
    }

    /// What was on its way or counted was about another state.
    fn forget_reads(&mut self) {
        self.on_its_way = None;
        self.report = GpuReport::default();
    }

    pub(super) fn dispatch(&self, pass: &mut wgpu::ComputePass, number: usize, substep: usize) {
        let dispatch = self.schedule.dispatches[number];
        let buffer = |role: Role| self.roles[role as usize];
        let offset = match dispatch.kernel.is_per_step() {
            true => self.buffers.steps.offset(substep),
            false => self.buffers.levels.offset(dispatch.uniform),
        };
        let points = [buffer(dispatch.front), buffer(dispatch.back)];
        self.pipelines.dispatch(pass, dispatch.kernel, points, offset, dispatch.workgroups);
    }

    /// Where the finest level ended is where the next step starts.
    pub(super) fn turn_roles(&mut self) {
        self.roles.swap(Role::Start as usize, self.schedule.end as usize);
    }

    pub(super) fn advance_clock(&mut self, substeps: u32) {
        let dt = self.host.substep_length();
        for _ in 0..substeps {
            self.time += dt;
            self.steps += 1;
        }
        self.last_step = dt;
    }
}
