//! Bringing the state back, without holding up the GPU.

use glam::Vec4;

use super::GpuSimulation;
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

/// What a state is that is on its way, besides what is in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stamp {
    pub time: f64,
    pub steps: u64,
    /// Seconds of the last substep before.
    pub last_step: f64,
}

/// Bytes of the status.
pub(super) const STATUS: u64 = size_of::<[u32; STATUS_WORDS]>() as u64;

/// Bytes of a state of so many vertices: points, velocities, remainders; then the status.
pub(super) fn state_bytes(vertices: u32) -> u64 {
    3 * size_of::<Vec4>() as u64 * u64::from(vertices) + STATUS
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

impl GpuSimulation {
    /// Waits for the queued steps and brings the state back.
    ///
    /// If the device has failed, the error says how, and [`GpuSimulation::last_read`] still has the state
    /// before.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_back(&mut self) -> Result<&Simulation, Error> {
        // One may be on its way already: of this very state, or of an earlier one, whose counts stay.
        let mut earlier = GpuReport::default();
        if self.on_its_way.is_some_and(|stamp| stamp.steps != self.now.steps) {
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
        self.staging.wait(&self.engine.gpu)?;
        match self.try_read_back()? {
            Some(_) => Ok(()),
            None => Err(GpuError::ReadBack { reason: "nothing arrived".into() }.into()),
        }
    }

    /// Queues a copy of the state as it will be after the steps queued so far. One at a time: while a copy is on
    /// its way, nothing is queued.
    pub fn begin_read_back(&mut self) -> Result<(), Error> {
        if self.on_its_way.is_some() {
            return Ok(());
        }
        let gpu = &self.engine.gpu;
        gpu.check()?;
        let memory = &self.engine.memory;
        let bytes = (state_bytes(self.model.finest().count) - STATUS) / 3;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let (points, travel, status) =
            (&memory[self.points()], &memory[Buffer::Travel], &memory[Buffer::Status]);
        self.staging.record(&mut encoder, &[(points, bytes), (travel, 2 * bytes), (status, STATUS)]);
        // Counted from here on anew: steps that are queued while this is on its way belong to the next.
        encoder.copy_buffer_to_buffer(&memory[Buffer::NoStatus], 0, status, 0, STATUS);
        self.staging.submit(gpu, encoder);
        self.on_its_way = Some(self.now);
        Ok(())
    }

    /// The state, if the copy that was queued has arrived.
    pub fn try_read_back(&mut self) -> Result<Option<&Simulation>, Error> {
        let Some(stamp) = self.on_its_way else { return Ok(None) };
        let Some(arrived) = self.staging.arrived(&self.engine.gpu) else { return Ok(None) };
        self.on_its_way = None;
        self.receive(&arrived?, stamp);
        Ok(Some(&self.host))
    }

    /// What was on its way or counted was about another state.
    pub(super) fn forget_reads(&mut self) {
        self.on_its_way = None;
        self.report = GpuReport::default();
    }
}
