//! A cloth on a GPU: what users hold.

use super::device_cloth::DeviceCloth;
use super::read_back::GpuReport;
use super::small_levels::SmallSizes;
use crate::Error;
use crate::cloth::Cloth;
use crate::gpu::Gpu;
use crate::simulation::{Settings, Simulation};

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
    /// Cloth, settings, the state that was last read back, and what was asked of the cloth since.
    pub(super) host: Simulation,
    pub(super) device: DeviceCloth,
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
        let mut host = Simulation::at_start(cloth, settings)?;
        let device = DeviceCloth::with_small_levels(gpu, &mut host, small)?;
        Ok(Self { host, device })
    }

    /// A world takes it apart.
    pub(crate) fn into_parts(self) -> (Simulation, DeviceCloth) {
        (self.host, self.device)
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
        self.host.now().time
    }

    /// Steps since the start, substeps counted one by one, of the state on the device.
    pub fn steps(&self) -> u64 {
        self.host.now().steps
    }

    /// The state as it was last read back, with everything that can be asked about it.
    pub fn last_read(&self) -> &Simulation {
        &self.host
    }

    /// What happened up to the state that was last read back.
    pub fn report(&self) -> GpuReport {
        self.device.report
    }

    /// Dispatches per substep.
    pub fn dispatches(&self) -> usize {
        self.device.schedule.substep(0, 0, self.device.told(&self.host)).count()
    }

    /// Queues [`Settings::time_step`], in its substeps, as one command buffer. Does not wait, unless the cloth has to be laid out
    /// anew (see [`GpuSimulation::pin`]).
    pub fn step(&mut self) -> Result<(), Error> {
        self.device.prepare(&mut self.host)?;
        self.device.submit(&mut self.host)
    }

    /// Brings the cloth towards rest: steps after each of which all velocities are multiplied by `kept`.
    pub fn relax(&mut self, steps: usize, kept: f32) -> Result<(), Error> {
        self.device.kept = kept;
        let result = (0..steps).try_for_each(|_| self.step());
        self.device.kept = 1.0;
        result
    }

    /// Waits for the queued steps.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self) -> Result<(), Error> {
        Ok(self.device.engine.gpu.wait()?)
    }

    /// Waits for the queued steps and brings the state back.
    ///
    /// If the device has failed, the error says how, and [`GpuSimulation::last_read`] still has the state
    /// before.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_back(&mut self) -> Result<&Simulation, Error> {
        self.device.read_back(&mut self.host)?;
        Ok(&self.host)
    }

    /// Queues a copy of the state as it will be after the steps queued so far. One at a time: while a copy is on
    /// its way, nothing is queued.
    pub fn begin_read_back(&mut self) -> Result<(), Error> {
        self.device.begin_read_back(&mut self.host)
    }

    /// The state, if the copy that was queued has arrived.
    pub fn try_read_back(&mut self) -> Result<Option<&Simulation>, Error> {
        Ok(self.device.try_read_back(&mut self.host)?.then_some(&self.host))
    }

    /// Whether the state that was last read back is the one after all steps that were queued.
    pub fn is_read_back(&self) -> bool {
        self.host.check_read("").is_ok()
    }

    /// Goes on on the CPU, from the state that was last read back. What only makes sense where regions are
    /// averaged (over-relaxation) is left out there.
    pub fn into_simulation(self) -> Result<Simulation, Error> {
        let Self { host: mut simulation, .. } = self;
        let threads = simulation.settings.shared_threads()?;
        simulation.come_back(threads);
        simulation.begin_step()?;
        Ok(simulation)
    }
}
