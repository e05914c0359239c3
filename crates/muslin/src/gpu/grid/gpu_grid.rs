//! A grid in motion on a GPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use glam::{Vec3, Vec4};

use super::memory::{Buffer, MOVES, STATUS_WORDS, memory};
use super::schedule::{Recorder, Roles};
use super::uniforms::{LevelUniforms, StepUniform};
use super::{Dispatch, Grids, kernels};
use crate::Error;
use crate::gpu::engine::{Engine, Family, Gpu, Staging};
use crate::solver::multilevel::grid::{
    Grid, GridModel, GridState, GridStatus, GridStep, Projected, VertexMove,
};
use crate::solver::multilevel::levels::COVERED;
use crate::solver::multilevel::seams::stitch::Stitcher;

/// A grid in motion on a GPU.
pub(crate) struct GpuGrid {
    pub(super) engine: Engine<Grids>,
    pub(super) model: Arc<GridModel>,
    pub(super) recorder: Recorder,
    stitchers: Vec<Stitcher>,
    /// What the uniforms of levels are for: the seconds of a step, and whether something is near.
    told: (f32, bool),
    pub(super) roles: Roles,
    /// Written in turn, so that the one before may still be read.
    stagings: [Staging; 2],
    last_staging: usize,
    /// How many of the two buffers of moves wait for the next submission.
    waiting: AtomicU8,
    /// Whether the particles have moved since the coarse mesh was last read from them.
    pub(super) is_stale: bool,
    /// States under their numbers, as [`GpuGrid::state`] has them.
    kept: Vec<Option<[wgpu::Buffer; 3]>>,
}

impl GpuGrid {
    /// Lays a grid out on a GPU.
    pub fn new(gpu: &Gpu, model: Arc<GridModel>, state: &GridState) -> Result<Self, Error> {
        let stitchers = Stitcher::of_levels(&model);
        let uniforms = LevelUniforms::new(&model, &stitchers, 0.0, false);
        let recorder = Recorder::new(&model, uniforms.tail.count as usize, &stitchers);
        gpu.need_for_kernels(Some(recorder.most_workgroups()))?;
        let memory = memory(gpu, &model, &stitchers, &uniforms)?;
        let staging = || Staging::new(gpu, "coarse mesh", coarse_mesh_bytes(&model) + STATUS);
        let stagings = [staging()?, staging()?];
        let constants = kernels::constants(&gpu.device.limits());
        let engine = Engine::new(gpu, memory, Grids::KERNELS.iter().copied(), &constants)?;
        let mut grid = Self {
            engine,
            model,
            recorder,
            roles: Roles::FIRST,
            stitchers,
            told: (0.0, false),
            stagings,
            last_staging: 0,
            waiting: AtomicU8::new(0),
            is_stale: true,
            kept: Vec::new(),
        };
        grid.engine.memory.write_uniforms(Buffer::Steps, &[StepUniform::of_model(&grid.model)]);
        grid.write(state);
        gpu.check()?;
        Ok(grid)
    }

    /// Writes what the kernels of a step need to know.
    pub(super) fn write_step(&mut self, step: &GridStep) {
        let memory = &self.engine.memory;
        // Only springs depend on the length of a step.
        let dt = if self.model.plans[0].springs.is_some() { step.dt } else { 0.0 };
        let is_near = !step.near.is_empty();
        if self.told != (dt, is_near) {
            LevelUniforms::new(&self.model, &self.stitchers, dt, is_near).write(memory);
            self.told = (dt, is_near);
        }
        memory.write_uniforms(Buffer::Steps, &[StepUniform::new(&self.model, step)]);
        memory.write(Buffer::Near, step.near);
        let places: Vec<Vec4> = step.held.iter().map(|place| place.extend(0.0)).collect();
        memory.write(Buffer::HeldPlaces, &places[..places.len().min(self.model.held.len())]);
    }

    /// What has been handed on and waits for the next submission; it is bound already. Dropped, it is never done.
    fn take_waiting(&self) -> Vec<Dispatch> {
        let count = self.waiting.swap(0, Ordering::Relaxed);
        (0..count).map(|moves| self.recorder.sample(self.roles, moves)).collect()
    }

    /// Hands on what waits, for whoever wants to know where the particles are.
    pub(super) fn flush(&self) {
        let waiting = self.take_waiting();
        if !waiting.is_empty() {
            self.engine.gpu.submit(self.engine.encode(waiting));
        }
    }

    /// Submits dispatches, and the copy of the coarse mesh.
    fn submit(&mut self, dispatches: &[Dispatch]) {
        let Self { engine, stagings, .. } = self;
        engine.bind(dispatches);
        let mut encoder = engine.encode(dispatches.iter().copied());
        self.last_staging = 1 - self.last_staging;
        let staging = &mut stagings[self.last_staging];
        let mesh = (&engine.memory[Buffer::Vertices], coarse_mesh_bytes(&self.model));
        staging.record(&mut encoder, &[mesh, (&engine.memory[Buffer::Status], STATUS)]);
        staging.submit(&engine.gpu, encoder);
        self.is_stale = false;
    }

    /// Submits the copy of the coarse mesh if it is not what the particles are.
    fn project_if_stale(&mut self) {
        if self.is_stale {
            self.submit(&[self.recorder.project(self.roles)]);
        }
    }

    /// The buffers of the state: points, velocities, and what rounding took.
    fn state(&self) -> [&wgpu::Buffer; 3] {
        [self.roles.now, self.roles.previous, Buffer::Rests].map(|name| &self.engine.memory[name])
    }

    /// Copies buffers on the device, after what is encoded already.
    fn copy(&self, mut encoder: wgpu::CommandEncoder, from: [&wgpu::Buffer; 3], to: [&wgpu::Buffer; 3]) {
        for (from, to) in from.into_iter().zip(to) {
            encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
        }
        self.engine.gpu.submit(encoder);
    }
}

/// Bytes of the status.
const STATUS: u64 = size_of::<[u32; STATUS_WORDS]>() as u64;

/// Bytes of the places and velocities of the coarse mesh.
fn coarse_mesh_bytes(model: &GridModel) -> u64 {
    (2 * size_of::<Vec4>() * model.projection.rows()) as u64
}

impl Grid for GpuGrid {
    fn another(&self, model: Arc<GridModel>, state: &GridState) -> Result<Box<dyn Grid>, Error> {
        Ok(Box::new(Self::new(&self.engine.gpu, model, state)?))
    }

    fn hand_on(&mut self, moves: &[VertexMove]) -> Result<(), Error> {
        self.engine.gpu.check()?;
        // What the coarse mesh is without this, may still be asked for.
        self.project_if_stale();
        let mut number = self.waiting.load(Ordering::Relaxed);
        if number == MOVES {
            self.flush();
            number = 0;
        }
        self.engine.memory.write(Buffer::Moves(number), moves);
        self.engine.bind(&[self.recorder.sample(self.roles, number)]);
        self.waiting.store(number + 1, Ordering::Relaxed);
        Ok(self.engine.gpu.check()?)
    }

    fn step(&mut self, step: &GridStep) -> Result<(), Error> {
        self.engine.gpu.check()?;
        self.write_step(step);
        let mut dispatches = self.take_waiting();
        let (of_step, roles) = self.recorder.step(step, self.roles);
        dispatches.extend(of_step);
        self.roles = roles;
        self.submit(&dispatches);
        Ok(self.engine.gpu.check()?)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn profile(
        &mut self,
        moves: &[VertexMove],
        step: &GridStep,
    ) -> Result<Option<crate::gpu::Profile>, Error> {
        self.timed_step(moves, step)
    }

    fn projected(&mut self, vertices: &mut [Projected]) -> Result<GridStatus, Error> {
        self.project_if_stale();
        let bytes = self.stagings[self.last_staging].wait_for(&self.engine.gpu)?;
        let (mesh, status) = bytes.split_at(coarse_mesh_bytes(&self.model) as usize);
        for (vertex, bytes) in vertices.iter_mut().zip(mesh.chunks_exact(2 * size_of::<Vec4>())) {
            let [place, velocity] = bytemuck::pod_read_unaligned::<[Vec4; 2]>(bytes).map(Vec4::truncate);
            *vertex = Projected { place, velocity };
        }
        let [longest, contained]: [u32; STATUS_WORDS] = bytemuck::pod_read_unaligned(status);
        let spacing = self.model.lattice.spacing as f32;
        let strain = f32::from_bits(longest).max(spacing) / spacing - 1.0;
        Ok(GridStatus { strain, contained })
    }

    fn keep(&mut self, number: usize) {
        if self.kept.len() <= number {
            self.kept.resize_with(number + 1, || None);
        }
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let make = |like: &wgpu::Buffer| self.engine.gpu.buffer("kept", like.size(), usage);
        let kept = self.kept[number].take().unwrap_or_else(|| self.state().map(make));
        let encoder = self.engine.encode(self.take_waiting());
        self.copy(encoder, self.state(), kept.each_ref());
        self.kept[number] = Some(kept);
    }

    fn bring_back(&mut self, number: usize) {
        if let Some(kept) = self.kept.get(number).and_then(Option::as_ref) {
            self.take_waiting();
            let encoder = self.engine.encode([]);
            self.copy(encoder, kept.each_ref(), self.state());
        }
        self.is_stale = true;
    }

    fn read(&self) -> Result<GridState, Error> {
        self.engine.gpu.check()?;
        let encoder = self.engine.encode(self.take_waiting());
        let state = self.state();
        let bytes = Staging::read(&self.engine.gpu, encoder, &state.map(|buffer| (buffer, buffer.size())))?;
        let all: Vec<Vec4> = bytemuck::pod_collect_to_vec(&bytes);
        let (points, others) = all.split_at(self.model.weights.len());
        let (velocities, rests) = others.split_at(self.model.weights.len());
        let vectors = |all: &[Vec4]| all.iter().map(|vector| vector.truncate()).collect();
        let remainders = rests.iter().step_by(2).map(|rest| rest.truncate()).collect();
        Ok(GridState { points: vectors(points), velocities: vectors(velocities), remainders })
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
        let Roles { now, previous, .. } = self.roles;
        for (name, values) in [(now, points), (previous, velocities), (Buffer::Rests, rests)] {
            self.engine.memory.write(name, &values);
        }
        self.is_stale = true;
    }
}
