//! Bringing the state back, without holding up the GPU.

use glam::Vec4;

use super::device_cloth::DeviceCloth;
use super::memory::{Buffer, STATUS_WORDS};
use crate::Error;
#[cfg(not(target_arch = "wasm32"))]
use crate::gpu::GpuError;
use crate::simulation::Simulation;

/// What happened on the GPU since the state was last read back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GpuReport {
    /// How often a particle was slowed down to [`Settings::max_speed`](crate::Settings::max_speed).
    pub speed_limited: u32,
    /// How often a particle lost its finite place, or left the bounds, and was put back at rest.
    pub contained: u32,
    /// The first such particle (user's numbering).
    pub first_contained: Option<u32>,
}

/// Bytes of the status.
pub(super) const STATUS: u64 = size_of::<[u32; STATUS_WORDS]>() as u64;

/// Bytes of a state of so many vertices: points, velocities, remainders; then the status.
pub(super) fn state_bytes(vertices: u32) -> u64 {
    3 * size_of::<Vec4>() as u64 * u64::from(vertices) + STATUS
}

impl GpuReport {
    /// What happened up to `earlier` and since.
    pub(super) fn after(self, earlier: Self) -> Self {
        Self {
            speed_limited: self.speed_limited + earlier.speed_limited,
            contained: self.contained + earlier.contained,
            first_contained: earlier.first_contained.into_iter().chain(self.first_contained).min(),
        }
    }
}

impl DeviceCloth {
    /// Waits for the queued steps and brings the state back.
    ///
    /// If the device has failed, the error says how, and the host's copy still has the state before.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_back(&mut self, host: &mut Simulation) -> Result<(), Error> {
        self.ask_for_present(host)?;
        self.wait_for_read_back()?;
        self.try_read_back(host)?;
        Ok(())
    }

    /// Asks for the state after all steps that are queued; one that is on its way and is another is taken first, so that
    /// its counts stay.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn ask_for_present(&mut self, host: &mut Simulation) -> Result<(), Error> {
        self.drop_outdated(host);
        if self.on_its_way.is_some_and(|stamp| stamp != host.now()) {
            self.wait_for_read_back()?;
            self.try_read_back(host)?;
            self.earlier = self.report;
        }
        self.begin_read_back(host)
    }

    /// Waits for what is on its way.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait_for_read_back(&self) -> Result<(), Error> {
        if self.on_its_way.is_none() {
            return Ok(());
        }
        self.staging.wait(&self.engine.gpu)?;
        match self.staging.outcome(&self.engine.gpu) {
            Some(outcome) => Ok(outcome?),
            None => Err(GpuError::ReadBack { reason: "nothing arrived".into() }.into()),
        }
    }

    /// Queues a copy of the state as it will be after the steps queued so far. One at a time: while a copy is on
    /// its way, nothing is queued.
    pub fn begin_read_back(&mut self, host: &mut Simulation) -> Result<(), Error> {
        self.drop_outdated(host);
        if self.on_its_way.is_some() {
            return Ok(());
        }
        self.engine.gpu.check()?;
        if host.ahead.as_ref().is_some_and(|ahead| ahead.is_set) {
            // It is on the device only with the next step.
            self.is_there = true;
            return Ok(());
        }
        self.is_there = false;
        let Self { engine, staging, model, schedule, turn, .. } = self;
        let (gpu, memory) = (&engine.gpu, &engine.memory);
        let bytes = (state_bytes(model.finest().count) - STATUS) / 3;
        let mut encoder = gpu.watched(|| gpu.device.create_command_encoder(&Default::default()));
        let points = &memory[schedule.starts[*turn % 2]];
        let (travel, status) = (&memory[Buffer::Travel], &memory[Buffer::Status]);
        staging.record(&mut encoder, &[(points, bytes), (travel, 2 * bytes), (status, STATUS)]);
        // Counted from here on anew: steps that are queued while this is on its way belong to the next.
        encoder.copy_buffer_to_buffer(&memory[Buffer::NoStatus], 0, status, 0, STATUS);
        staging.submit(gpu, encoder);
        self.on_its_way = Some(host.now());
        Ok(())
    }

    /// Whether [`DeviceCloth::try_read_back`] would bring a state.
    pub fn has_arrived(&mut self, host: &Simulation) -> Result<bool, Error> {
        self.drop_outdated(host);
        if self.on_its_way.is_none() {
            return Ok(self.is_there);
        }
        let outcome = self.staging.outcome(&self.engine.gpu).transpose();
        Ok(outcome.inspect_err(|_| self.on_its_way = None)?.is_some())
    }

    /// Brings the state that was asked for, if the copy that was queued has arrived.
    pub fn try_read_back(&mut self, host: &mut Simulation) -> Result<bool, Error> {
        self.drop_outdated(host);
        let Some(stamp) = self.on_its_way else { return Ok(std::mem::take(&mut self.is_there)) };
        let Some(arrived) = self.staging.arrived(&self.engine.gpu) else { return Ok(false) };
        self.on_its_way = None;
        self.receive(host, &arrived?, stamp);
        Ok(true)
    }

    /// What was on its way or counted was about another state, if one was set since.
    pub(super) fn drop_outdated(&mut self, host: &Simulation) {
        if host.ahead.as_ref().is_some_and(|ahead| ahead.is_set) {
            self.on_its_way = None;
            (self.report, self.earlier) = (GpuReport::default(), GpuReport::default());
        }
    }
}
