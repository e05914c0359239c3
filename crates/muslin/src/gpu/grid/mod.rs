//! Multilevel cloth on the GPU ([Schmitt2013] §4–6): the twin of `solver/multilevel/cpu.rs`, stage by stage.
//!
//! A [`GpuGrid`] holds the particles of a grid on a [`Gpu`]. A step is one submission that also brings the coarse mesh
//! back; the particles themselves stay on the device. Every thread owns a texel (or an edge of a set of which no two
//! share a texel): no order, the same bits in every run on one device.
//!
//! As data flows: `buffers` lay the grid out, `record` writes a step down as dispatches, `kernel` says what each runs
//! and `pipelines` run it, `staging` brings the coarse mesh back.

mod buffers;
mod kernel;
mod pipelines;
#[cfg(not(target_arch = "wasm32"))]
mod profile;
mod record;
mod staging;
#[cfg(test)]
mod tests;
mod uniforms;

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use glam::{Vec3, Vec4};

use self::buffers::Buffers;
use self::pipelines::Pipelines;
use self::record::{Dispatch, Recorder, Roles};
use self::staging::Staging;
use self::uniforms::{LevelUniforms, StepUniform};
use super::device::Gpu;
use crate::Error;
use crate::solver::multilevel::grid::{
    Grid, GridModel, GridState, GridStatus, GridStep, Projected, VertexMove,
};
use crate::solver::multilevel::levels::COVERED;
use crate::solver::multilevel::stitch::Stitcher;

/// A grid in motion on a GPU.
pub(crate) struct GpuGrid {
    gpu: Gpu,
    model: Arc<GridModel>,
    buffers: Buffers,
    pipelines: Pipelines,
    recorder: Recorder,
    stitchers: Vec<Stitcher>,
    /// What the uniforms of levels are for: the seconds of a step, and whether something is near.
    told: (f32, bool),
    roles: Roles,
    /// What of a step's uniform never changes.
    uniform: StepUniform,
    /// Written in turn, so that the one before may still be read.
    stagings: [Staging; 2],
    last_staging: usize,
    /// How many of the two buffers of moves wait for the next submission.
    waiting: AtomicU8,
    /// Whether the particles have moved since the coarse mesh was last read from them.
    is_stale: bool,
    /// States under their numbers, as [`GpuGrid::state`] has them.
    kept: Vec<Option<[wgpu::Buffer; 3]>>,
}

impl GpuGrid {
    /// Lays a grid out on a GPU.
    pub fn new(gpu: &Gpu, model: Arc<GridModel>, state: &GridState) -> Result<Self, Error> {
        let stitchers = Stitcher::of_levels(&model);
        let uniforms = LevelUniforms::new(&model, &stitchers, 0.0, false);
        let seams = stitchers.iter().map(|level| [level.stitches.len(), level.texels.len()]);
        let recorder = Recorder::new(&model, uniforms.tail.count as usize, seams);
        gpu.need_for_kernels(Some(recorder.most_workgroups()))?;
        let buffers = Buffers::new(gpu, &model, &stitchers, &uniforms)?;
        let vertices = model.projection.rows();
        let stagings = [Staging::new(gpu, vertices)?, Staging::new(gpu, vertices)?];
        let pipelines = Pipelines::new(gpu);
        gpu.check()?;
        let uniform = StepUniform::of_model(&model);
        let mut grid = Self {
            gpu: gpu.clone(),
            model,
            buffers,
            pipelines,
            recorder,
            roles: Roles::FIRST,
            stitchers,
            told: (0.0, false),
            uniform,
            stagings,
            last_staging: 0,
            waiting: AtomicU8::new(0),
            is_stale: true,
            kept: Vec::new(),
        };
        grid.buffers.steps.write(gpu, &[uniform]);
        grid.write(state);
        gpu.check()?;
        Ok(grid)
    }

    /// Writes what the kernels of a step need to know.
    fn tell(&mut self, step: &GridStep) {
        let queue = &self.gpu.queue;
        // Only springs depend on the length of a step.
        let dt = if self.model.plans[0].springs.is_some() { step.dt } else { 0.0 };
        let is_near = !step.near.is_empty();
        if self.told != (dt, is_near) {
            let uniforms = LevelUniforms::new(&self.model, &self.stitchers, dt, is_near);
            self.buffers.levels.write(&self.gpu, &uniforms.all);
            self.buffers.tail.write(&self.gpu, &[uniforms.tail]);
            self.told = (dt, is_near);
        }
        self.buffers.steps.write(&self.gpu, &[self.uniform.in_step(&self.model, step)]);
        if is_near {
            queue.write_buffer(&self.buffers.near, 0, bytemuck::cast_slice(step.near));
        }
        let places: Vec<Vec4> = step.held.iter().map(|place| place.extend(0.0)).collect();
        let count = places.len().min(self.model.held.len());
        if count > 0 {
            queue.write_buffer(&self.buffers.held_places, 0, bytemuck::cast_slice(&places[..count]));
        }
    }

    /// What has been handed on and waits for the next submission; it is bound already. Dropped, it is never done.
    fn take_waiting(&self) -> Vec<Dispatch> {
        let count = self.waiting.swap(0, Ordering::Relaxed);
        (0..count).map(|moves| self.recorder.sample(self.roles, moves)).collect()
    }

    /// Hands on what waits, for whoever wants to know where the particles are.
    fn flush(&self) {
        let waiting = self.take_waiting();
        if !waiting.is_empty() {
            self.gpu.queue.submit([self.encode(&waiting).finish()]);
        }
    }

    /// Records dispatches that are bound, in one pass.
    fn encode(&self, dispatches: &[Dispatch]) -> wgpu::CommandEncoder {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        let mut before = None;
        for dispatch in dispatches {
            self.pipelines.dispatch(&mut pass, &self.buffers, dispatch, before);
            before = Some(dispatch.kernel);
        }
        drop(pass);
        encoder
    }

    /// Submits dispatches, and the copy of the coarse mesh.
    fn submit(&mut self, dispatches: &[Dispatch]) {
        self.pipelines.bind(&self.gpu, &self.buffers, dispatches);
        let mut encoder = self.encode(dispatches);
        self.last_staging = 1 - self.last_staging;
        let staging = &mut self.stagings[self.last_staging];
        staging.record(&mut encoder, &self.buffers);
        let submission = self.gpu.queue.submit([encoder.finish()]);
        staging.submitted(submission);
        self.is_stale = false;
    }

    /// The buffers of the state: points, velocities, and what rounding took.
    fn state(&self) -> [&wgpu::Buffer; 3] {
        let [points, velocities] =
            [self.roles.now, self.roles.previous].map(|set| &self.buffers.points[usize::from(set)]);
        [points, velocities, &self.buffers.rests]
    }

    /// Copies buffers on the device, after what is encoded already.
    fn copy(&self, mut encoder: wgpu::CommandEncoder, from: [&wgpu::Buffer; 3], to: [&wgpu::Buffer; 3]) {
        for (from, to) in from.into_iter().zip(to) {
            encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
        }
        self.gpu.queue.submit([encoder.finish()]);
    }
}

impl Grid for GpuGrid {
    fn hand_on(&mut self, moves: &[VertexMove]) -> Result<(), Error> {
        self.gpu.check()?;
        if self.is_stale {
            // What the coarse mesh is without this, may still be asked for.
            let project = self.recorder.project(self.roles);
            self.submit(&[project]);
        }
        let mut number = self.waiting.load(Ordering::Relaxed);
        if usize::from(number) == self.buffers.moves.len() {
            self.flush();
            number = 0;
        }
        let buffer = &self.buffers.moves[usize::from(number)];
        self.gpu.queue.write_buffer(buffer, 0, bytemuck::cast_slice(moves));
        let sample = self.recorder.sample(self.roles, number);
        self.pipelines.bind(&self.gpu, &self.buffers, &[sample]);
        self.waiting.store(number + 1, Ordering::Relaxed);
        Ok(self.gpu.check()?)
    }

    fn step(&mut self, step: &GridStep) -> Result<(), Error> {
        self.gpu.check()?;
        self.tell(step);
        let mut dispatches = self.take_waiting();
        let (of_step, roles) = self.recorder.step(step, self.roles);
        dispatches.extend(of_step);
        self.roles = roles;
        self.submit(&dispatches);
        Ok(self.gpu.check()?)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn profile(&mut self, moves: &[VertexMove], step: &GridStep) -> Result<Option<super::Profile>, Error> {
        self.timed_step(moves, step)
    }

    fn projected(&mut self, vertices: &mut [Projected]) -> Result<GridStatus, Error> {
        if self.is_stale {
            let project = self.recorder.project(self.roles);
            self.submit(&[project]);
        }
        let [longest, contained] = self.stagings[self.last_staging].take(&self.gpu, vertices)?;
        let spacing = self.model.lattice.spacing as f32;
        let strain = f32::from_bits(longest).max(spacing) / spacing - 1.0;
        Ok(GridStatus { strain, contained })
    }

    fn keep(&mut self, number: usize) {
        if self.kept.len() <= number {
            self.kept.resize_with(number + 1, || None);
        }
        let make = |like: &wgpu::Buffer| {
            self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("kept"),
                size: like.size(),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        };
        let kept = self.kept[number].take().unwrap_or_else(|| self.state().map(make));
        let encoder = self.encode(&self.take_waiting());
        self.copy(encoder, self.state(), kept.each_ref());
        self.kept[number] = Some(kept);
    }

    fn bring_back(&mut self, number: usize) {
        if let Some(kept) = self.kept.get(number).and_then(Option::as_ref) {
            self.take_waiting();
            let encoder = self.gpu.device.create_command_encoder(&Default::default());
            self.copy(encoder, kept.each_ref(), self.state());
        }
        self.is_stale = true;
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn read(&self) -> Result<GridState, Error> {
        self.flush();
        let texels = self.model.weights.len();
        let [points, velocities, rests] =
            staging::read(&self.gpu, self.state(), [texels, texels, 2 * texels])?;
        let vectors = |all: Vec<Vec4>| all.into_iter().map(Vec4::truncate).collect();
        let remainders = rests.iter().step_by(2).map(|rest| rest.truncate()).collect();
        Ok(GridState { points: vectors(points), velocities: vectors(velocities), remainders })
    }

    #[cfg(target_arch = "wasm32")]
    fn read(&self) -> Result<GridState, Error> {
        let reason = "nothing may wait for it in a browser".into();
        Err(super::GpuError::ReadBack { reason }.into())
    }

    fn write(&mut self, state: &GridState) {
        self.take_waiting();
        let codes = &self.model.levels[0].codes;
        let value = |values: &[Vec3], index: usize| {
            if codes[index] & COVERED != 0 { values[index] } else { Vec3::ZERO }
        };
        let all = 0..codes.len();
        let weight = |index: usize| self.model.weights[index];
        let points: Vec<Vec4> =
            all.clone().map(|index| value(&state.points, index).extend(weight(index))).collect();
        let velocities: Vec<Vec4> =
            all.clone().map(|index| value(&state.velocities, index).extend(0.0)).collect();
        let rest = |index| [value(&state.remainders, index).extend(0.0), Vec4::ZERO];
        let rests: Vec<Vec4> = all.flat_map(rest).collect();
        for (values, buffer) in [points, velocities, rests].iter().zip(self.state()) {
            self.gpu.queue.write_buffer(buffer, 0, bytemuck::cast_slice(values));
        }
        self.is_stale = true;
    }
}
