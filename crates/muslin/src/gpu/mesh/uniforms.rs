//! The uniforms of the kernels of meshes, as Rust sees them. A test compares every offset with the shaders'.

use bytemuck::{Pod, Zeroable};

/// `Level` of pass.wgsl: one pass over a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LevelUniform {
    pub first: u32,
    pub count: u32,
    pub only_stretched: u32,
    pub padding: u32,
    pub alpha: f32,
    pub beta: f32,
    pub coarse_in_back: u32,
    pub tethers: u32,
}

/// `SmallLevel` of small_levels.wgsl: a level that fits into one workgroup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct SmallLevel {
    pub first: u32,
    pub count: u32,
    pub offset: u32,
    pub only_stretched: u32,
    pub beta: f32,
    pub down: u32,
    pub up: u32,
    pub padding: u32,
}

/// `Step` of mesh_step.wgsl: what changes from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct StepUniform {
    pub gained: [f32; 3],
    pub dt: f32,
    pub air_velocity: [f32; 3],
    pub gust_speed: f32,
    pub gust_phase: [f32; 3],
    pub per_gust_size: f32,
    pub vertices: u32,
    pub first_pin: u32,
    pub max_speed: f32,
    pub bounds: f32,
    pub damping: f32,
    pub air_density: f32,
    pub drag: f32,
    pub lift: f32,
    pub seed: u32,
    pub kept: f32,
    pub first_push: u32,
    pub pushes: u32,
}
