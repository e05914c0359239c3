//! The grid on the CPU: the twin of `gpu/grid`, stage by stage.

use std::sync::Arc;

use glam::{Vec3, Vec4};

use super::bend::bend;
use super::cycle::Pyramid;
use super::grid::{Grid, GridModel, GridState, GridStatus, GridStep, VertexMove};
use super::levels::COVERED;
use super::measure::threads;
use super::relax::steps;
use super::stitch::Stitcher;
use crate::Error;

/// A grid in motion on the CPU.
pub(crate) struct CpuGrid {
    model: Arc<GridModel>,
    /// w: inverse mass.
    points: Vec<Vec4>,
    previous: Vec<Vec4>,
    kept: Vec<(Vec<Vec4>, Vec<Vec4>)>,
    pyramid: Pyramid,
    stitchers: Vec<Stitcher>,
    /// What passes write.
    back: Vec<Vec4>,
    status: GridStatus,
    /// The coarse mesh as the last step left it.
    projected: Vec<Vec3>,
}

impl CpuGrid {
    /// A grid at rest; `points` texel by texel.
    pub fn new(model: Arc<GridModel>, state: &GridState) -> Self {
        let mut grid = Self {
            points: vec![Vec4::ZERO; model.weights.len()],
            previous: vec![Vec4::ZERO; model.weights.len()],
            kept: Vec::new(),
            pyramid: Pyramid::new(&model.levels),
            stitchers: Stitcher::of_levels(&model),
            back: vec![Vec4::ZERO; model.weights.len()],
            status: GridStatus::default(),
            projected: vec![Vec3::ZERO; model.projection.rows()],
            model,
        };
        grid.write(state);
        grid
    }

    /// [Schmitt2013] §4.2.
    fn project(&mut self) {
        let Self { model, points, projected, .. } = self;
        for (row, place) in projected.iter_mut().enumerate() {
            *place = model.projection.read(row, model.lattice.size[0], points).truncate();
        }
    }

    /// Verlet: the last step's motion goes on, and gravity is added. `back` becomes the prediction.
    fn integrate(&mut self, step: &GridStep) {
        let (points, previous, codes) = (&self.points, &self.previous, &self.model.levels[0].codes);
        let steps = steps(self.model.lattice.size[0]);
        let motion = |index: usize| (points[index] - previous[index]).with_w(0.0);
        step.execution.for_each_chunk(&mut self.back, |first, chunk| {
            for (offset, out) in chunk.iter_mut().enumerate() {
                let index = first + offset;
                let own = points[index];
                *out = own;
                if own.w == 0.0 {
                    continue;
                }
                let mut moved = motion(index);
                if step.smoothing > 0.0 {
                    let (mut sum, mut count) = (Vec4::ZERO, 0.0);
                    for k in (0..4).filter(|k| codes[index] >> k & 1 == 1) {
                        sum += motion(index.wrapping_add_signed(steps[k]));
                        count += 1.0;
                    }
                    if count > 0.0 {
                        moved += step.smoothing * (sum / count - moved);
                    }
                }
                moved = moved * step.kept + step.fall.extend(0.0);
                let distance = moved.length();
                if distance > step.farthest {
                    moved *= step.farthest / distance;
                }
                *out += moved;
            }
        });
        for (held, place) in self.model.held.iter().zip(step.held) {
            self.back[held.texel as usize] = place.extend(0.0);
        }
        // The prediction is worked on; where the step began is what velocities come from later.
        std::mem::swap(&mut self.points, &mut self.back);
        std::mem::swap(&mut self.previous, &mut self.back);
    }

    fn bend(&mut self, step: &GridStep) {
        if step.bending == [0.0; 2] {
            return;
        }
        for _ in 0..self.model.bending_passes {
            bend(&self.model.levels[0], step.bending, &self.points, &mut self.back, step.execution);
            std::mem::swap(&mut self.points, &mut self.back);
        }
    }

    fn solve(&mut self, step: &GridStep) {
        let Self { model, pyramid, stitchers, points, previous, .. } = self;
        for _ in 0..model.cycles {
            pyramid.solve(model, stitchers, step, previous, points);
        }
    }

    /// Puts lost particles back to where they were, at rest, and measures the strain.
    fn finish(&mut self, step: &GridStep) {
        self.status = GridStatus::default();
        for (point, &before) in self.points.iter_mut().zip(&self.previous) {
            let is_lost = point.truncate().abs().max_element() > step.bounds || !point.truncate().is_finite();
            if point.w > 0.0 && is_lost {
                *point = before;
                self.status.contained += 1;
            }
        }
        let spacing = self.model.lattice.spacing as f32;
        let length = |(a, b): (usize, usize)| (self.points[b] - self.points[a]).truncate().length();
        // Between held particles nothing can be done.
        let is_free = |&(a, b): &(usize, usize)| self.points[a].w > 0.0 || self.points[b].w > 0.0;
        let longest = threads(&self.model.levels[0]).filter(is_free).map(length).fold(spacing, f32::max);
        self.status.strain = longest / spacing - 1.0;
    }
}

impl Grid for CpuGrid {
    /// An offset moves a particle, and its velocity with it; a push changes the velocity alone.
    fn hand_on(&mut self, moves: &[VertexMove]) -> Result<(), Error> {
        for sample in &self.model.lattice.samples {
            let texel = sample.texel as usize;
            if self.points[texel].w == 0.0 {
                continue;
            }
            let (mut offset, mut push) = (Vec4::ZERO, Vec4::ZERO);
            for (&vertex, &weight) in sample.vertices.iter().zip(&sample.weights) {
                offset += weight * moves[vertex as usize].offset;
                push += weight * moves[vertex as usize].push;
            }
            self.points[texel] += offset.with_w(0.0);
            self.previous[texel] -= push.with_w(0.0);
        }
        Ok(())
    }

    fn step(&mut self, step: &GridStep) -> Result<(), Error> {
        self.integrate(step);
        self.bend(step);
        self.solve(step);
        self.finish(step);
        self.project();
        Ok(())
    }

    fn projected(&mut self, vertices: &mut [Vec3]) -> Result<GridStatus, Error> {
        vertices.copy_from_slice(&self.projected);
        Ok(self.status)
    }

    fn keep(&mut self, number: usize) {
        if self.kept.len() <= number {
            self.kept.resize_with(number + 1, Default::default);
        }
        self.kept[number].0.clone_from(&self.points);
        self.kept[number].1.clone_from(&self.previous);
    }

    fn bring_back(&mut self, number: usize) {
        self.points.clone_from(&self.kept[number].0);
        self.previous.clone_from(&self.kept[number].1);
        self.project();
    }

    fn read(&self) -> Result<GridState, Error> {
        let places = |points: &[Vec4]| points.iter().map(|point| point.truncate()).collect();
        Ok(GridState { points: places(&self.points), previous: places(&self.previous) })
    }

    fn write(&mut self, state: &GridState) {
        let codes = &self.model.levels[0].codes;
        for (index, &weight) in self.model.weights.iter().enumerate() {
            let is_there = codes[index] & COVERED != 0;
            let place = |places: &[Vec3]| if is_there { places[index] } else { Vec3::ZERO };
            self.points[index] = place(&state.points).extend(weight);
            self.previous[index] = place(&state.previous).extend(weight);
        }
        self.project();
    }
}
