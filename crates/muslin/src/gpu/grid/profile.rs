//! Where the time of a step goes on the GPU. Not in browsers: it waits.

use super::memory::Buffer;
use super::{Dispatch, GpuGrid, Work};
use crate::Error;
use crate::gpu::{KernelTime, Profile};
use crate::solver::multilevel::grid::{GridStep, VertexMove};
use crate::solver::multilevel::levels::GridLevel;

impl GpuGrid {
    /// Hands on what the coarse mesh met and takes a step, with a timestamp before and after every dispatch: the sum of
    /// the times, and of the bytes that must be read and written at the least, per kernel and level (coarsest 0), in the
    /// order of their first dispatch.
    /// `None`, and no step, if the device has no timestamps, or a step more dispatches than fit into one set of them.
    pub fn timed_step(&mut self, moves: &[VertexMove], step: &GridStep) -> Result<Option<Profile>, Error> {
        self.engine.gpu.check()?;
        self.flush();
        let (of_step, roles) = self.recorder.step(step, self.roles);
        let dispatches = [vec![self.recorder.sample(self.roles, 0)], of_step].concat();
        self.engine.memory.write(Buffer::Moves(0), moves);
        self.write_step(step);
        self.engine.bind(&dispatches);
        let Some(times) = self.engine.time(&dispatches)? else { return Ok(None) };
        (self.roles, self.is_stale) = (roles, true);
        let mut sums: Vec<KernelTime> = Vec::new();
        for (dispatch, microseconds) in dispatches.iter().zip(times) {
            let (kernel, level) = (dispatch.kernel.name, self.model.levels.len() - 1 - dispatch.level);
            let least_bytes = (dispatch.kernel.least_bytes)(&self.work(dispatch));
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

    fn work(&self, dispatch: &Dispatch) -> Work {
        let levels = &self.model.levels[dispatch.level..];
        let texels = |level: &GridLevel| level.codes.len() as u64;
        Work {
            items: u64::from(dispatch.items),
            texels: texels(&levels[0]),
            small: levels.iter().map(texels).sum(),
            stitches: self.model.stitches[dispatch.level].len() as u64,
            stencils: self.model.projection.all.len() as u64,
        }
    }
}
