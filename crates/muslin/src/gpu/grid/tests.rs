//! What can only be checked from within: that kernels are valid, within WebGPU's default limits, that their structures
//! are laid out as Rust's, and that the grid does what its twin on the CPU does.

mod fall;
mod life;
mod parity;
mod scenes;

use std::mem::offset_of;

use super::buffers::{Hold, PackedStencil, STATUS_WORDS};
use super::kernel::{Kernel, TAIL_TEXELS};
use super::uniforms::{
    HOLDS_PLANES, HOLDS_TETHERS, LevelUniform, MOST_TAIL_LEVELS, StepUniform, TailUniform,
};
use crate::gpu::tests::{layout, offsets};
use crate::gpu::{Gpu, GpuOptions};
use crate::solver::Near;
use crate::solver::multilevel::grid::VertexMove;
use crate::solver::multilevel::levels::COVERED;
use crate::solver::multilevel::stitch::{StitchTerm, StitchedTexel};
use crate::solver::multilevel::tethers::Tether;

/// What every WebGPU device allows.
const THREADS: u32 = 256;

/// A GPU of some kind: the tests need one.
fn gpu() -> Gpu {
    Gpu::new(&GpuOptions::default()).unwrap()
}

fn parse(kernel: Kernel, threads: u32) -> naga::Module {
    let source = kernel.source(threads);
    naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|e| panic!("{}: {}", kernel.name(), e.emit_to_string(&source)))
}

#[test]
fn grid_kernels_are_valid_and_declare_what_they_are_bound_to() {
    for (kernel, threads) in
        Kernel::ALL.into_iter().flat_map(|kernel| [(kernel, THREADS), (kernel, TAIL_TEXELS / 2)])
    {
        let module = parse(kernel, threads);
        let mut validator = naga::valid::Validator::new(
            naga::valid::ValidationFlags::all(),
            naga::valid::Capabilities::empty(), // nothing beyond plain WebGPU
        );
        validator.validate(&module).unwrap_or_else(|e| panic!("{}: {e:?}", kernel.name()));
        let storage = |variable: &naga::GlobalVariable| match variable.space {
            naga::AddressSpace::Storage { access } => {
                let at = variable.binding.as_ref().unwrap().binding;
                Some((at, access.contains(naga::StorageAccess::STORE)))
            }
            _ => None,
        };
        let mut declared: Vec<(u32, bool)> =
            module.global_variables.iter().filter_map(|(_, v)| storage(v)).collect();
        declared.sort_unstable();
        let bound: Vec<(u32, bool)> =
            (1..).zip(kernel.bindings()).map(|(at, binding)| (at, binding.writes())).collect();
        assert_eq!(declared, bound, "{}", kernel.name());
        assert!(bound.len() <= 8, "{}: WebGPU guarantees 8 storage buffers", kernel.name());
    }
}

#[test]
fn grid_structures_are_laid_out_as_the_shaders_see_them() {
    let named = |(members, size): (Vec<(String, u32)>, u32)| {
        let named = members.into_iter().filter(|(name, _)| !name.starts_with("padding")).collect::<Vec<_>>();
        (named, size)
    };
    let of = |kernel: Kernel, name: &str| named(layout(&parse(kernel, THREADS), name));
    let level = offsets!(LevelUniform: columns, count, first_code, first_point, stride, finest_columns,
        coarser_columns, first_coarser_point, holds, direction, half, gauss_seidel, iterations,
        first_stitch, stitches, first_stitched, stitched, spacing, stretch_weft, stretch_warp, stretch_diagonal,
        compression, slack, over_relaxation, elastic_iterations, spring_weft, spring_warp, spring_diagonal, first_light,
        first_length);
    assert_eq!(of(Kernel::Jacobi, "Level"), (level, size_of::<LevelUniform>() as u32));
    let step = offsets!(StepUniform: fall, dt, smoothing, farthest, bounds, bend_weft, bend_warp, columns, texels,
        samples, held, vertices, zero, first_bend);
    assert_eq!(of(Kernel::Finish, "Step"), (step, size_of::<StepUniform>() as u32));
    let tail = offsets!(TailUniform: count, levels);
    assert_eq!(of(Kernel::Tail, "Tail"), (tail, size_of::<TailUniform>() as u32));
    let stencil = offsets!(PackedStencil: texel, fraction_column, fraction_row, lift);
    assert_eq!(of(Kernel::Project, "Stencil"), (stencil, size_of::<PackedStencil>() as u32));
    let moved = offsets!(VertexMove: offset, push);
    assert_eq!(of(Kernel::Sample, "VertexMove"), (moved, size_of::<VertexMove>() as u32));
    let near = offsets!(Near: plane, before, friction, moved);
    assert_eq!(of(Kernel::Contact, "Near"), (near, size_of::<Near>() as u32));
    let hold = offsets!(Hold: tethers, plane);
    assert_eq!(of(Kernel::Contact, "Hold"), (hold, size_of::<Hold>() as u32));
    let tether = offsets!(Tether: texel, length);
    assert_eq!(of(Kernel::Jacobi, "Tether"), (tether, size_of::<Tether>() as u32));
    let term = offsets!(StitchTerm: number, weight);
    assert_eq!(of(Kernel::StitchPull, "StitchTerm"), (term, size_of::<StitchTerm>() as u32));
    let texel = offsets!(StitchedTexel: texel, first_term, end_term);
    assert_eq!(of(Kernel::StitchMove, "StitchedTexel"), (texel, size_of::<StitchedTexel>() as u32));
    for kernel in [Kernel::Integrate, Kernel::Finish] {
        assert_eq!(of(kernel, "Status").1 as usize, STATUS_WORDS * size_of::<u32>());
    }
}

/// Constants that stand in Rust and in WGSL.
#[test]
fn bits_of_codes_are_the_same_in_shaders() {
    let source = Kernel::GaussSeidel.source(THREADS);
    assert!(source.contains(&format!("const COVERED = {COVERED:#x}u;")));
    assert!(source.contains(&format!("const TETHERS = {HOLDS_TETHERS}u;")));
    assert!(source.contains(&format!("const PLANES = {HOLDS_PLANES}u;")));
}

#[test]
fn the_tail_fits_into_what_every_device_has() {
    let limits = wgpu::Limits::default();
    assert!(TAIL_TEXELS * 16 <= limits.max_compute_workgroup_storage_size);
    assert!(size_of::<TailUniform>() as u64 <= limits.max_uniform_buffer_binding_size);
    // A row of texels is halved until two are left.
    let levels = (0..).map(|n| TAIL_TEXELS.div_ceil(1 << n)).take_while(|&texels| texels > 1).count();
    assert!(levels <= MOST_TAIL_LEVELS);
}
