//! Where the time of a step goes on the GPU. Not in browsers: it waits.

use super::GpuGrid;
use super::kernel::Kernel;
use super::record::Dispatch;
use crate::Error;
use crate::gpu::profile::{can_time, timed};
use crate::gpu::{KernelTime, Profile};
use crate::solver::multilevel::grid::{GridStep, VertexMove};

impl GpuGrid {
    /// Hands on what the coarse mesh met and takes a step, with a timestamp before and after every dispatch: the sum of
    /// the times, and of the bytes that must be read and written at the least, per kernel and level (coarsest 0), in the
    /// order of their first dispatch.
    /// `None`, and no step, if the device has no timestamps, or a step more dispatches than fit into one set of them.
    pub fn timed_step(&mut self, moves: &[VertexMove], step: &GridStep) -> Result<Option<Profile>, Error> {
        self.gpu.check()?;
        let (step_dispatches, roles) = self.recorder.step(step, self.roles);
        let dispatches = [vec![self.recorder.sample(self.roles, 0)], step_dispatches].concat();
        if !can_time(&self.gpu, dispatches.len()) {
            return Ok(None);
        }
        self.flush();
        self.gpu.queue.write_buffer(&self.buffers.moves[0], 0, bytemuck::cast_slice(moves));
        self.tell(step);
        self.pipelines.bind(&self.gpu, &self.buffers, &dispatches);
        let times = timed(&self.gpu, dispatches.len(), |pass, number| {
            self.pipelines.dispatch(pass, &self.buffers, &dispatches[number], None);
        })?;
        (self.roles, self.is_stale) = (roles, true);
        let mut sums: Vec<KernelTime> = Vec::new();
        for (dispatch, microseconds) in dispatches.iter().zip(times) {
            let (kernel, level) = (dispatch.kernel.name(), self.model.levels.len() - 1 - dispatch.level);
            let least_bytes = self.least_bytes(dispatch);
            match sums.iter_mut().find(|sum| (sum.kernel, sum.level) == (kernel, level)) {
                Some(sum) => {
                    sum.microseconds += microseconds;
                    sum.least_bytes += least_bytes;
                }
                None => sums.push(KernelTime { kernel, level, microseconds, least_bytes }),
            }
        }
        Ok(Some(sums))
    }

    /// Every array once: a point has 16 bytes, a code 4, what bounds a particle 32.
    fn least_bytes(&self, dispatch: &Dispatch) -> u64 {
        let level = &self.model.levels[dispatch.level];
        let texels = level.codes.len() as u64;
        let small =
            || self.model.levels[dispatch.level..].iter().map(|level| level.codes.len() as u64).sum::<u64>();
        match dispatch.kernel {
            Kernel::Sample => 128 * self.model.lattice.samples.len() as u64,
            Kernel::Integrate => 116 * texels,
            Kernel::Bend | Kernel::Jacobi => 36 * texels,
            Kernel::Elastic => 52 * texels,
            Kernel::Contact => 96 * self.model.lattice.samples.len() as u64,
            // Half of the particles are in edges of a set, up to all.
            Kernel::GaussSeidel => 36 * texels,
            Kernel::Start => 72 * texels,
            Kernel::Tail => 20 * small() + 16 * texels,
            Kernel::StitchPull => 272 * self.model.stitches[dispatch.level].len() as u64,
            Kernel::StitchMove => 128 * self.model.stitches[dispatch.level].len() as u64,
            Kernel::Finish => 68 * texels,
            Kernel::Project => 172 * self.model.projection.all.len() as u64,
        }
    }
}
