//! Where the time of a step goes on the GPU, by timestamps around every dispatch. Not in browsers: it waits.

use super::GpuSimulation;
use super::device::{Gpu, GpuError};
use super::kernel::Kernel;
use crate::Error;

/// The time of one dispatch of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelTime {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The level it worked on, coarsest 0.
    pub level: usize,
    /// Median over the measured steps, µs, from the start of the dispatch to its end.
    pub microseconds: f64,
    /// Bytes that it must read and write at the least: each array once, neighbours' points once per vertex.
    pub least_bytes: u64,
}

/// The times of the dispatches of a step, in order.
pub type Profile = Vec<KernelTime>;

impl GpuSimulation {
    /// Takes steps with a timestamp before and after every dispatch, each in a pass of its own: slower than
    /// [`GpuSimulation::step`], but the dispatches themselves take what they take there. `None` if the
    /// device has no timestamps, or a step more dispatches than fit into one set of them (2,048).
    pub fn profile(&mut self, steps: usize) -> Result<Option<Profile>, Error> {
        let count = self.schedule.dispatches.len();
        if !can_time(&self.gpu, count) {
            return Ok(None);
        }
        let mut samples: Vec<Vec<f64>> = vec![Vec::new(); count];
        for _ in 0..steps {
            for (samples, time) in samples.iter_mut().zip(self.timed_step()?) {
                samples.push(time);
            }
        }
        let median = |samples: &mut Vec<f64>| {
            samples.sort_by(f64::total_cmp);
            samples.get(samples.len() / 2).copied().unwrap_or(0.0)
        };
        let times = (0..count).zip(&mut samples).map(|(number, samples)| {
            let dispatch = self.schedule.dispatches[number];
            KernelTime {
                kernel: dispatch.kernel.name(),
                level: dispatch.level,
                microseconds: median(samples),
                least_bytes: self.least_bytes(number),
            }
        });
        Ok(Some(times.collect()))
    }

    /// One substep; the µs of its dispatches.
    fn timed_step(&mut self) -> Result<Vec<f64>, Error> {
        self.write_steps();
        let count = self.schedule.dispatches.len();
        let times = timed(&self.gpu, count, |pass, number| self.dispatch(pass, number, 0))?;
        self.turn_roles();
        self.advance_clock(1);
        Ok(times)
    }

    fn least_bytes(&self, number: usize) -> u64 {
        let dispatch = self.schedule.dispatches[number];
        let uniform = self.schedule.uniforms[dispatch.uniform];
        let (first, count) = (uniform.first as usize, uniform.count as usize);
        let stored = |offsets: &[u32]| {
            let slices = (first / 32, (first + count).div_ceil(32));
            u64::from(offsets[slices.1.min(offsets.len() - 1)] - offsets[slices.0.min(offsets.len() - 1)])
        };
        let spokes = stored(&self.model.fans.offsets);
        let n = count as u64;
        match dispatch.kernel {
            Kernel::Air => 64 * n,
            Kernel::Predict => 96 * n,
            Kernel::PredictInWind => 112 * n + 12 * spokes,
            Kernel::RestBend => 56 * n,
            Kernel::Bend => {
                let rows = stored(&self.model.bending.offsets) + stored(&self.model.curved.offsets);
                32 * n + 8 * rows + 8 * n * u64::from(uniform.tethers)
            }
            Kernel::Gathered => {
                let lengths = &self.model.lengths;
                32 * n + 8 * lengths.rows.values.len() as u64 + 64 * u64::from(lengths.bends.count)
            }
            Kernel::Coloured => 128 * n,
            Kernel::Edges => 32 * n + 8 * spokes,
            Kernel::Triangles => 32 * n + 12 * spokes,
            Kernel::Restrict => 48 * n + 8 * stored(&self.model.means.offsets),
            Kernel::Tail => {
                let small = &self.schedule.small_levels;
                small.iter().map(|level| u64::from(level.count) * (20 + 8 * 6)).sum()
            }
            Kernel::Prolongate => 48 * n,
            Kernel::Finish => 96 * n,
            Kernel::Momenta => 52 * n,
            Kernel::RigidMotion => 128 * u64::from(self.model.pieces.stretches),
            Kernel::Damp => 52 * n,
        }
    }
}

/// Whether so many dispatches can be timed: the device has timestamps, and enough of them fit into one set.
pub(super) fn can_time(gpu: &Gpu, dispatches: usize) -> bool {
    let has_timestamps = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
    has_timestamps && 2 * dispatches <= wgpu::QUERY_SET_MAX_QUERIES as usize
}

/// Submits dispatches, each in a pass of its own, and waits; the µs from the start of each to its end.
pub(super) fn timed(
    gpu: &Gpu,
    dispatches: usize,
    record: impl Fn(&mut wgpu::ComputePass, usize),
) -> Result<Vec<f64>, GpuError> {
    let (device, count) = (&gpu.device, dispatches as u32);
    let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
        label: Some("profile"),
        ty: wgpu::QueryType::Timestamp,
        count: 2 * count,
    });
    let size = u64::from(2 * count) * 8;
    let buffer = |usage| {
        let descriptor =
            wgpu::BufferDescriptor { label: Some("profile"), size, usage, mapped_at_creation: false };
        device.create_buffer(&descriptor)
    };
    let resolved = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
    let staging = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    let mut encoder = device.create_command_encoder(&Default::default());
    for number in 0..count {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: None,
            timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                query_set: &queries,
                beginning_of_pass_write_index: Some(2 * number),
                end_of_pass_write_index: Some(2 * number + 1),
            }),
        });
        record(&mut pass, number as usize);
    }
    encoder.resolve_query_set(&queries, 0..2 * count, &resolved, 0);
    encoder.copy_buffer_to_buffer(&resolved, 0, &staging, 0, size);
    gpu.queue.submit([encoder.finish()]);
    staging.map_async(wgpu::MapMode::Read, .., |_| {});
    let failed = |reason: String| GpuError::ReadBack { reason };
    device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| failed(e.to_string()))?;
    gpu.check()?;
    let view = staging.get_mapped_range(..).map_err(|e| failed(e.to_string()))?;
    let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&view);
    let period = f64::from(gpu.queue.get_timestamp_period()) * 1e-3;
    Ok(ticks.chunks(2).map(|pair| pair[1].saturating_sub(pair[0]) as f64 * period).collect())
}
