//! Where the time of a step goes on the GPU. Not in browsers: it waits.

use super::device_cloth::DeviceCloth;
use super::memory::Buffer;
use super::{Dispatch, GpuSimulation, Work};
use crate::Error;
use crate::gpu::{KernelTime, Profile};

impl GpuSimulation {
    /// Takes steps with a timestamp before and after every dispatch, each in a pass of its own: slower than
    /// [`GpuSimulation::step`], but the dispatches themselves take what they take there. `None` if the
    /// device has no timestamps, or a step more dispatches than fit into one set of them (2,048).
    pub fn profile(&mut self, steps: usize) -> Result<Option<Profile>, Error> {
        let mut samples: Vec<Vec<f64>> = vec![Vec::new(); self.dispatches()];
        for _ in 0..steps {
            let Some(times) = self.timed_step()? else { return Ok(None) };
            samples.iter_mut().zip(times).for_each(|(samples, time)| samples.push(time));
        }
        let median = |samples: &mut Vec<f64>| {
            samples.sort_by(f64::total_cmp);
            samples.get(samples.len() / 2).copied().unwrap_or(0.0)
        };
        let Self { host, device } = self;
        let dispatches = device.schedule.substep(0, 0, device.told(host));
        let times = dispatches.zip(&mut samples).map(|(dispatch, samples)| KernelTime {
            kernel: dispatch.kernel.name,
            level: dispatch.level,
            microseconds: median(samples),
            least_bytes: (dispatch.kernel.least_bytes)(&device.work(&dispatch)),
        });
        Ok(Some(times.collect()))
    }

    /// One substep; the µs of its dispatches.
    fn timed_step(&mut self) -> Result<Option<Vec<f64>>, Error> {
        let Self { host, device } = self;
        device.prepare(host)?;
        device.write_kappa(host);
        device.write_lists();
        let dispatches: Vec<Dispatch> = device.schedule.substep(device.turn, 0, device.told(host)).collect();
        let times = device.engine.time(&dispatches)?;
        if times.is_some() {
            device.advance(host, 1);
        }
        Ok(times)
    }
}

impl DeviceCloth {
    fn work(&self, dispatch: &Dispatch) -> Work {
        let range = &self.model.levels[dispatch.level];
        let (first, end) = (range.first as usize, (range.first + range.count) as usize);
        // What the level has, by whole slices.
        let stored = |offsets: &[u32]| {
            let offset = |slice: usize| u64::from(offsets[slice.min(offsets.len() - 1)]);
            offset(end.div_ceil(32)) - offset(first / 32)
        };
        let tethers = match dispatch.kernel.uniform {
            Buffer::Levels => self.schedule.uniforms[dispatch.uniform].tethers,
            _ => 0,
        };
        let lengths = &self.model.lengths;
        Work {
            items: u64::from(dispatch.items),
            vertices: u64::from(self.model.finest().count),
            stretches: u64::from(self.model.pieces.stretches),
            spokes: stored(&self.model.fans.offsets),
            means: stored(&self.model.means.offsets),
            bends: stored(&self.model.bending.offsets) + stored(&self.model.curved.offsets),
            tethers: u64::from(tethers * dispatch.items),
            lengths: [lengths.rows.values.len() as u64, u64::from(lengths.bends.count)],
            small: self.schedule.small_levels.iter().map(|level| u64::from(level.count)).sum(),
        }
    }
}
