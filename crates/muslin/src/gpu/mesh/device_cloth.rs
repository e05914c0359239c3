//! The part of a cloth that is on a GPU. Whoever has the host's copy of it hands that over with every call.

use glam::Vec4;

use super::Meshes;
use super::layout::Layout;
use super::memory::Buffer;
use super::model::Model;
use super::read_back::{GpuReport, state_bytes};
use super::recorder::{Schedule, Told};
use super::small_levels::SmallSizes;
use super::support::check;
use super::uniforms::StepUniform;
use crate::Error;
use crate::gpu::Gpu;
use crate::gpu::engine::{Engine, Staging};
use crate::simulation::{Simulation, Stamp};

/// A cloth on a device.
pub(crate) struct DeviceCloth {
    pub(super) engine: Engine<Meshes>,
    pub(super) model: Model,
    pub(super) schedule: Schedule,
    /// Which of the schedule's lists comes next.
    pub(super) turn: usize,
    /// What happened between the last two states that were asked for.
    pub(super) report: GpuReport,
    /// What happened before a state was read that nobody had asked for.
    pub(super) earlier: GpuReport,
    /// Share of all velocities that a substep keeps.
    pub(super) kept: f32,
    pub(super) staging: Staging,
    /// The state that is copied back just now.
    pub(super) on_its_way: Option<Stamp>,
    /// Whether a state that was asked for is in the host's copy already.
    pub(super) is_there: bool,
    /// For how many substeps there is room.
    substeps: u32,
    small: SmallSizes,
    pub(super) lists: Lists,
}

/// What is written before a step, in memory that is used again.
#[derive(Default)]
pub(super) struct Lists {
    pub steps: Vec<StepUniform>,
    pub pins: Vec<Vec4>,
    pub pushes: Vec<[u32; 4]>,
    /// Of `pushes`, those by forces.
    pub forces: u32,
    /// Whether κ on the device is another than that of the material.
    pub has_kappa: bool,
    pub bytes: Vec<u8>,
}

impl DeviceCloth {
    /// Lays a cloth out in the state in which it is. What had it becomes the host's copy.
    pub fn new(gpu: &Gpu, host: &mut Simulation) -> Result<Self, Error> {
        Self::with_small_levels(gpu, host, SmallSizes::of(&gpu.device.limits()))
    }

    /// With so much room for the levels that are worked on in one dispatch.
    pub(super) fn with_small_levels(
        gpu: &Gpu,
        host: &mut Simulation,
        small: SmallSizes,
    ) -> Result<Self, Error> {
        check(host.cloth(), host.settings())?;
        host.refuse_holds()?;
        let lay_out = |cloth: &_, settings: &_| Layout::new(gpu, cloth, settings, small);
        let Layout { model, schedule, memory } = if host.is_stale() {
            host.renew(lay_out)?
        } else {
            let (layout, facts) = lay_out(host.cloth(), host.settings())?;
            host.facts = facts;
            layout
        };
        let kernels = schedule.all().map(|dispatch| dispatch.kernel);
        let mut engine = Engine::new(gpu, memory, kernels, &small.constants())?;
        schedule.lists.iter().for_each(|list| engine.bind(list));
        gpu.check()?;
        host.recentre_if_far();
        host.leave(check);
        let mut cloth = Self {
            engine,
            schedule,
            turn: 0,
            report: GpuReport::default(),
            earlier: GpuReport::default(),
            kept: 1.0,
            staging: Staging::new(gpu, "state", state_bytes(model.finest().count))?,
            on_its_way: None,
            is_there: false,
            substeps: host.settings().substeps,
            small,
            lists: Lists::default(),
            model,
        };
        cloth.upload(host);
        Ok(cloth)
    }

    /// Does what has to be done before a step can be queued, and can go wrong: lays the cloth out anew if something has changed
    /// that it is made of (the state is read back for that), and sends a state that was set.
    pub fn prepare(&mut self, host: &mut Simulation) -> Result<(), Error> {
        self.engine.gpu.check()?;
        if host.is_stale() || host.settings().substeps != self.substeps {
            self.lay_out_anew(host)?;
        } else if host.ahead.as_ref().is_some_and(|ahead| ahead.is_set) {
            self.upload(host);
        }
        host.resolve_pins();
        self.list_steps(host)
    }

    /// Queues a step that is prepared, in its substeps, as one command buffer. Does not wait.
    pub fn submit(&mut self, host: &mut Simulation) -> Result<(), Error> {
        self.write_kappa(host);
        self.write_lists();
        let (substeps, told) = (host.settings().substeps, self.told(host));
        let pushes = self.lists.pushes.len() as u32 - self.lists.forces;
        let pushes = self.schedule.pushes(self.turn, substeps as usize, pushes);
        let substep = |number| self.schedule.substep(self.turn + number, number, told);
        let dispatches = pushes.into_iter().chain((0..substeps as usize).flat_map(substep));
        let encoder = self.engine.encode(dispatches);
        self.engine.gpu.submit(encoder);
        self.advance(host, substeps);
        host.finish_step();
        Ok(self.engine.gpu.check()?)
    }

    /// What happened between the last two states that were asked for.
    pub fn report(&self) -> GpuReport {
        self.report
    }

    /// What of the schedule is wanted.
    pub(super) fn told(&self, host: &Simulation) -> Told {
        Told { wind: host.settings().wind.is_some(), forces: self.lists.forces }
    }

    /// The points on the device.
    pub(super) fn points(&self) -> Buffer {
        self.schedule.starts[self.turn % 2]
    }

    /// Where the finest level ended is where the next step starts.
    pub(super) fn advance(&mut self, host: &mut Simulation, substeps: u32) {
        let dt = host.substep_length();
        self.turn += substeps as usize;
        let Some(ahead) = &mut host.ahead else { return };
        for _ in 0..substeps {
            ahead.now.time += dt;
            ahead.now.steps += 1;
        }
        ahead.now.last_step = dt;
        (ahead.is_read, ahead.is_set) = (false, false);
        let pins = host.cloth.pins.len();
        let last = pins * (substeps as usize).saturating_sub(1);
        for (pin, place) in host.cloth.pins.iter().zip(self.lists.pins.iter().skip(last)) {
            ahead.places[pin.vertex as usize] = place.truncate();
        }
    }

    fn lay_out_anew(&mut self, host: &mut Simulation) -> Result<(), Error> {
        self.catch_up(host)?;
        host.resolve_pins();
        let Self { engine, small, .. } = self;
        let (model, schedule) = host.renew(|cloth, settings| {
            let (layout, facts) = Layout::new(&engine.gpu, cloth, settings, *small)?;
            let Layout { model, schedule, memory } = layout;
            engine.set_memory(memory, schedule.all(), &small.constants())?;
            Ok(((model, schedule), facts))
        })?;
        (self.model, self.schedule, self.turn) = (model, schedule, 0);
        self.substeps = host.settings().substeps;
        self.lists.has_kappa = false;
        self.upload(host);
        Ok(())
    }

    /// Has the host's copy be in the state in which the cloth is. In browsers, where nothing may wait, that has to be asked for.
    pub fn catch_up(&mut self, host: &mut Simulation) -> Result<(), Error> {
        if host.check_read("").is_ok() {
            self.on_its_way = None;
            return Ok(());
        }
        #[cfg(not(target_arch = "wasm32"))]
        {
            self.read_back(host)?;
            (self.earlier, self.is_there) = (self.report, true);
            Ok(())
        }
        #[cfg(target_arch = "wasm32")]
        host.check_read(
            "laying a cloth out anew (for other pins, another material, solver or number of substeps)",
        )
    }
}
