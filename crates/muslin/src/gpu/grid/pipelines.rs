//! The kernels of a grid, compiled and bound.

use std::collections::HashMap;

use super::buffers::Buffers;
use super::kernel::{Kernel, tail_threads};
use super::record::Dispatch;
use crate::gpu::device::Gpu;
use crate::gpu::pipelines::Compiled;

/// The compiled kernels, and their bindings for the sets of points that came up. Those are few and come again and
/// again; all that could be are many more.
pub(super) struct Pipelines {
    kernels: HashMap<Kernel, Compiled>,
    groups: HashMap<(Kernel, [u8; 3]), wgpu::BindGroup>,
}

impl Pipelines {
    /// Compiles all kernels.
    pub fn new(gpu: &Gpu) -> Self {
        let threads = tail_threads(&gpu.device.limits());
        let compiled = |kernel: Kernel| {
            let writes = kernel.bindings().iter().map(|binding| binding.writes());
            (kernel, Compiled::new(gpu, kernel.name(), kernel.source(threads), writes))
        };
        Self { kernels: Kernel::ALL.into_iter().map(compiled).collect(), groups: HashMap::new() }
    }

    /// Binds what is not bound yet.
    pub fn bind(&mut self, gpu: &Gpu, buffers: &Buffers, dispatches: &[Dispatch]) {
        for &Dispatch { kernel, points, .. } in dispatches {
            self.groups.entry((kernel, points)).or_insert_with(|| {
                let bound = kernel.bindings().iter().map(|&binding| buffers.of(binding, points));
                self.kernels[&kernel].bind(gpu, kernel.name(), buffers.uniforms(kernel.uniform()), bound)
            });
        }
    }

    /// Records a dispatch that is bound; `before` is the kernel of the dispatch before it in this pass.
    pub fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass,
        buffers: &Buffers,
        dispatch: &Dispatch,
        before: Option<Kernel>,
    ) {
        let kernel = dispatch.kernel;
        if before != Some(kernel) {
            pass.set_pipeline(&self.kernels[&kernel].pipeline);
        }
        let offset = buffers.uniforms(kernel.uniform()).offset(dispatch.uniform);
        pass.set_bind_group(0, &self.groups[&(kernel, dispatch.points)], &[offset]);
        pass.dispatch_workgroups(dispatch.workgroups, 1, 1);
    }
}
