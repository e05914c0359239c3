//! Where the time of a step goes on the GPU, by timestamps around every dispatch. Not in browsers: it waits.

use super::device::GpuError;
use super::kernel::{Dispatch, Family};
use super::pipelines::Engine;
use super::staging::Staging;

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

impl<F: Family> Engine<F> {
    /// Submits dispatches that are bound, each in a pass of its own, and waits; the µs from the start of each to its end.
    /// `None`, and nothing is done, if the device has no timestamps, or not so many in a set.
    pub fn time(&self, dispatches: &[Dispatch<F>]) -> Result<Option<Vec<f64>>, GpuError> {
        let (device, count) = (&self.gpu.device, 2 * dispatches.len() as u32);
        let has_timestamps = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        if !has_timestamps || count > wgpu::QUERY_SET_MAX_QUERIES {
            return Ok(None);
        }
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("profile"),
            ty: wgpu::QueryType::Timestamp,
            count,
        });
        let bytes = u64::from(count) * size_of::<u64>() as u64;
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let resolved = self.gpu.buffer("profile", bytes, usage);
        let mut encoder = device.create_command_encoder(&Default::default());
        for (begin, dispatch) in (0..).step_by(2).zip(dispatches) {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: None,
                timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                    query_set: &queries,
                    beginning_of_pass_write_index: Some(begin),
                    end_of_pass_write_index: Some(begin + 1),
                }),
            });
            self.record(&mut pass, dispatch, None);
        }
        encoder.resolve_query_set(&queries, 0..count, &resolved, 0);
        let ticks = Staging::read(&self.gpu, encoder, &[(&resolved, bytes)])?;
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&ticks);
        let period = f64::from(self.gpu.queue.get_timestamp_period()) * 1e-3;
        let times = ticks.chunks(2).map(|pair| pair[1].saturating_sub(pair[0]) as f64 * period);
        Ok(Some(times.collect()))
    }
}
