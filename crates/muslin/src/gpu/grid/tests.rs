//! What can only be checked from within: that kernels are valid, within WebGPU's default limits, that their structures
//! are laid out as Rust's, and that the grid does what its twin on the CPU does.

mod fall;
mod life;
mod parity;
mod scenes;

use super::kernels::*;
use super::memory::{Hold, STATUS_WORDS};
use super::uniforms::{
    HOLDS_PLANES, HOLDS_TETHERS, LevelUniform, MOST_TAIL_LEVELS, StepUniform, TailUniform,
};
use super::{Grids, Kernel};
use crate::gpu::engine::tests::{check_files, check_table, layout, offsets, parse};
use crate::gpu::{Gpu, GpuOptions};
use crate::solver::Near;
use crate::solver::multilevel::bounds::tethers::Tether;
use crate::solver::multilevel::grid::VertexMove;
use crate::solver::multilevel::lattice::{Sample, Stencil};
use crate::solver::multilevel::levels::COVERED;
use crate::solver::multilevel::seams::stitch::{StitchTerm, StitchedTexel};

/// What stands before kernels on a device that has no more than every device.
fn constants() -> String {
    super::kernels::constants(&wgpu::Limits::default())
}

/// A GPU of some kind: the tests need one.
fn gpu() -> Gpu {
    Gpu::new(&GpuOptions::default()).unwrap()
}

#[test]
fn grid_kernels_are_valid_and_declare_what_they_are_bound_to() {
    check_files::<Grids>("grid");
    for threads in [256, 1024] {
        let limits = wgpu::Limits {
            max_compute_invocations_per_workgroup: threads,
            max_compute_workgroup_size_x: threads,
            ..wgpu::Limits::default()
        };
        check_table::<Grids>(&super::kernels::constants(&limits));
    }
}

#[test]
fn grid_structures_are_laid_out_as_the_shaders_see_them() {
    let of = |kernel: Kernel, name: &str| layout(&parse(kernel, &constants()), name);
    let level = offsets!(LevelUniform: columns, count, first_code, first_point, stride, finest_columns,
        coarser_columns, first_coarser_point, holds, direction, half, gauss_seidel, iterations,
        first_stitch, stitches, first_stitched, stitched, spacing, stretch_weft, stretch_warp, stretch_diagonal,
        compression, slack, over_relaxation, elastic_iterations, spring_weft, spring_warp, spring_diagonal, first_light,
        first_length);
    assert_eq!(of(&JACOBI, "Level"), level);
    let step = offsets!(StepUniform: fall, dt, smoothing, farthest, bounds, bend_weft, bend_warp, columns, texels,
        samples, held, vertices, zero, first_bend);
    assert_eq!(of(&FINISH_AND_MEASURE, "Step"), step);
    assert_eq!(of(&TAIL, "Tail"), offsets!(TailUniform: count, levels));
    let stencil = offsets!(Stencil: texel, fractions, lift);
    assert_eq!(of(&PROJECT, "Stencil"), stencil);
    // Two vectors for each, the last word of which is not read.
    let (sample, size) = offsets!(Sample: texel, vertices, weights);
    assert_eq!((sample.iter().map(|(_, offset)| *offset).collect::<Vec<_>>(), size), (vec![0, 4, 16], 32));
    assert_eq!(of(&SAMPLE, "VertexMove"), offsets!(VertexMove: offset, push));
    assert_eq!(of(&CONTACT, "Near"), offsets!(Near: plane, before, friction, moved));
    assert_eq!(of(&CONTACT, "Hold"), offsets!(Hold: tethers, plane));
    assert_eq!(of(&JACOBI, "Tether"), offsets!(Tether: texel, length));
    assert_eq!(of(&STITCH_PULL, "StitchTerm"), offsets!(StitchTerm: number, weight));
    let texel = offsets!(StitchedTexel: texel, first_term, end_term);
    assert_eq!(of(&STITCH_MOVE, "StitchedTexel"), texel);
    assert_eq!(of(&INTEGRATE, "Status").1 as usize, STATUS_WORDS * size_of::<u32>());
}

/// Constants that stand in Rust and in WGSL.
#[test]
fn bits_of_codes_are_the_same_in_shaders() {
    let source = GAUSS_SEIDEL.source(&constants());
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
