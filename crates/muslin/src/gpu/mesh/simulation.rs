//! A cloth on a GPU: what users hold.

use glam::Vec3;

use super::Meshes;
use super::memory::{Buffer, Room, memory};
use super::model::Model;
use super::read_back::{GpuReport, Stamp, state_bytes};
use super::recorder::Schedule;
use super::small_levels::SmallSizes;
use super::support::Method;
use crate::Error;
use crate::cloth::{Cloth, Curve};
use crate::gpu::Gpu;
use crate::gpu::engine::{Engine, Staging};
use crate::simulation::{Settings, Simulation};
use crate::solver::{Facts, SolverConfig};
use crate::state::Snapshot;

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
    pub(super) engine: Engine<Meshes>,
    pub(super) model: Model,
    pub(super) schedule: Schedule,
    /// Which of the schedule's lists comes next.
    pub(super) turn: usize,
    /// Cloth, settings, and the state that was last read back.
    pub(super) host: Simulation,
    pub(super) report: GpuReport,
    /// Share of all velocities that a substep keeps.
    pub(super) kept: f32,
    /// The state on the device.
    pub(super) now: Stamp,
    pub(super) staging: Staging,
    /// The state that is copied back just now.
    pub(super) on_its_way: Option<Stamp>,
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
            passes: &schedule.uniforms,
            steps,
            pin_places: moving * steps,
        };
        let first = &schedule.lists[0];
        gpu.need_for_kernels(first.iter().map(|dispatch| dispatch.workgroups()).max())?;
        let memory = memory(gpu, &model, &room)?;
        let kernels = first.iter().map(|dispatch| dispatch.kernel);
        let mut engine = Engine::new(gpu, memory, kernels, &small.constants())?;
        schedule.lists.iter().for_each(|list| engine.bind(list));
        gpu.check()?;
        let mut simulation = Self {
            engine,
            schedule,
            turn: 0,
            now: Stamp { time: host.time(), steps: host.steps(), last_step: host.state.last_step },
            host,
            report: GpuReport::default(),
            kept: 1.0,
            staging: Staging::new(gpu, "state", state_bytes(model.finest().count))?,
            on_its_way: None,
            model,
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
        self.now.time
    }

    /// Steps since the start, substeps counted one by one, of the state on the device.
    pub fn steps(&self) -> u64 {
        self.now.steps
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
        self.schedule.lists[0].len()
    }

    /// Queues [`Settings::time_step`], in its substeps, as one command buffer. Does not wait.
    pub fn step(&mut self) -> Result<(), Error> {
        self.engine.gpu.check()?;
        self.pins_within_bounds()?;
        self.write_kappa();
        self.write_steps();
        let substeps = self.host.settings().substeps;
        let substep = |number| self.schedule.substep(self.turn + number, number);
        let encoder = self.engine.encode((0..substeps as usize).flat_map(substep));
        self.engine.gpu.queue.submit([encoder.finish()]);
        self.advance(substeps);
        Ok(self.engine.gpu.check()?)
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
        Ok(self.engine.gpu.wait()?)
    }

    /// Goes back to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.host.restore(snapshot)?;
        self.now = Stamp { time: snapshot.time, steps: snapshot.steps, last_step: snapshot.last_step };
        self.forget_reads();
        self.upload();
        Ok(self.engine.gpu.check()?)
    }

    /// Puts the particles somewhere else, at rest or with velocities. Pinned ones move too.
    pub fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) -> Result<(), Error> {
        self.host.set_state(positions, velocities)?;
        (self.host.state.time, self.host.state.steps) = (self.now.time, self.now.steps);
        self.forget_reads();
        self.upload();
        Ok(self.engine.gpu.check()?)
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

    /// The points on the device.
    pub(super) fn points(&self) -> Buffer {
        self.schedule.starts[self.turn % 2]
    }

    /// Where the finest level ended is where the next step starts.
    pub(super) fn advance(&mut self, substeps: u32) {
        let dt = self.host.substep_length();
        self.turn += substeps as usize;
        for _ in 0..substeps {
            self.now.time += dt;
            self.now.steps += 1;
        }
        self.now.last_step = dt;
    }
}
