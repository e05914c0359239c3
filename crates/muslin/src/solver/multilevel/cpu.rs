//! The grid on the CPU: the twin of `gpu/grid`, stage by stage.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::{Vec3, Vec4};

use super::constraints::bend::bend;
use super::constraints::measure::threads;
use super::constraints::relax::steps;
use super::cycle::Pyramid;
use super::grid::{Grid, GridModel, GridState, GridStatus, GridStep, Projected, VertexMove};
use super::levels::COVERED;
use super::seams::stitch::Stitcher;
use crate::Error;

/// A grid in motion on the CPU.
pub(crate) struct CpuGrid {
    model: Arc<GridModel>,
    /// w: inverse mass.
    points: Vec<Vec4>,
    velocities: Vec<Vec4>,
    remainders: Vec<Vec4>,
    /// Where the step began.
    previous: Vec<Vec4>,
    /// How much further each particle was to go in the step than places can say, metres.
    unsaid: Vec<Vec4>,
    kept: Vec<[Vec<Vec4>; 3]>,
    pyramid: Pyramid,
    stitchers: Vec<Stitcher>,
    /// What passes write.
    back: Vec<Vec4>,
    status: GridStatus,
    /// The coarse mesh as the last step left it.
    projected: Vec<Projected>,
}

impl CpuGrid {
    /// A grid at rest; `points` texel by texel.
    pub fn new(model: Arc<GridModel>, state: &GridState) -> Self {
        let zeros = || vec![Vec4::ZERO; model.weights.len()];
        let mut grid = Self {
            points: zeros(),
            velocities: zeros(),
            remainders: zeros(),
            previous: zeros(),
            unsaid: zeros(),
            kept: Vec::new(),
            pyramid: Pyramid::new(&model.levels),
            stitchers: Stitcher::of_levels(&model),
            back: zeros(),
            status: GridStatus::default(),
            projected: vec![Projected::default(); model.projection.rows()],
            model,
        };
        grid.write(state);
        grid
    }

    /// [Schmitt2013] §4.2.
    fn project(&mut self) {
        let Self { model, points, velocities, projected, .. } = self;
        let columns = model.lattice.size[0];
        for (row, vertex) in projected.iter_mut().enumerate() {
            let velocity = model.projection.read(row, columns, velocities).truncate();
            *vertex = Projected { place: model.projection.place(row, columns, points), velocity };
        }
    }

    /// Particles go on with their velocities, and gravity is added. `points` become the prediction.
    fn integrate(&mut self, step: &GridStep) {
        let Self { model, points, velocities, remainders, unsaid, back, .. } = self;
        let (points, velocities, known) = (&*points, &*velocities, &*remainders);
        step.execution.for_each_chunk2(back, unsaid, |first, back, unsaid| {
            for (offset, (out, unsaid)) in back.iter_mut().zip(unsaid).enumerate() {
                let index = first + offset;
                let own = points[index];
                (*out, *unsaid) = (own, Vec4::ZERO);
                if own.w > 0.0 {
                    let moved = moved(model, velocities, step, index);
                    *out = own + (moved + known[index]);
                    // The difference of two near places is exact.
                    *unsaid = moved - (*out - own).with_w(0.0);
                }
            }
        });
        let unsaid = &*unsaid;
        step.execution.for_each_chunk(remainders, |first, chunk| {
            chunk.iter_mut().zip(&unsaid[first..]).for_each(|(remainder, unsaid)| *remainder += *unsaid);
        });
        for (held, place) in self.model.held.iter().zip(step.held) {
            self.back[held.texel as usize] = place.extend(0.0);
        }
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

    /// Puts lost particles back to where they were, at rest, finds velocities, and measures the strain.
    fn finish(&mut self, step: &GridStep) {
        self.status = GridStatus::default();
        for index in 0..self.points.len() {
            let point = &mut self.points[index];
            let is_lost = point.truncate().abs().max_element() > step.bounds || !point.truncate().is_finite();
            if point.w > 0.0 && is_lost {
                *point = self.previous[index];
                (self.unsaid[index], self.remainders[index]) = (Vec4::ZERO, Vec4::ZERO);
                self.status.contained += 1;
            }
        }
        let (points, previous, unsaid) = (&self.points, &self.previous, &self.unsaid);
        step.execution.for_each_chunk(&mut self.velocities, |first, chunk| {
            for (offset, velocity) in chunk.iter_mut().enumerate() {
                let index = first + offset;
                *velocity = ((points[index] - previous[index]) + unsaid[index]).with_w(0.0) / step.dt;
            }
        });
        let spacing = self.model.lattice.spacing as f32;
        let length = |(a, b): (usize, usize)| (self.points[b] - self.points[a]).truncate().length();
        // Between held particles nothing can be done.
        let is_free = |&(a, b): &(usize, usize)| self.points[a].w > 0.0 || self.points[b].w > 0.0;
        let longest = threads(&self.model.levels[0]).filter(is_free).map(length).fold(spacing, f32::max);
        self.status.strain = longest / spacing - 1.0;
    }
}

impl Grid for CpuGrid {
    fn another(&self, model: Arc<GridModel>, state: &GridState) -> Result<Box<dyn Grid>, Error> {
        Ok(Box::new(Self::new(model, state)))
    }

    /// An offset moves a particle, a push changes its velocity.
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
            let (own, wanted) = (self.points[texel], offset.with_w(0.0) + self.remainders[texel]);
            self.points[texel] = own + wanted;
            self.remainders[texel] = wanted - (self.points[texel] - own).with_w(0.0);
            self.velocities[texel] += push.with_w(0.0);
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

    fn projected(&mut self, vertices: &mut [Projected]) -> Result<GridStatus, Error> {
        vertices.copy_from_slice(&self.projected);
        Ok(self.status)
    }

    fn keep(&mut self, number: usize) {
        if self.kept.len() <= number {
            self.kept.resize_with(number + 1, Default::default);
        }
        let [points, velocities, remainders] = &mut self.kept[number];
        points.clone_from(&self.points);
        velocities.clone_from(&self.velocities);
        remainders.clone_from(&self.remainders);
    }

    fn bring_back(&mut self, number: usize) {
        let [points, velocities, remainders] = &self.kept[number];
        self.points.clone_from(points);
        self.velocities.clone_from(velocities);
        self.remainders.clone_from(remainders);
        self.project();
    }

    fn read(&self) -> Result<GridState, Error> {
        let vectors = |all: &[Vec4]| all.iter().map(|vector| vector.truncate()).collect();
        let [points, velocities, remainders] =
            [&self.points, &self.velocities, &self.remainders].map(|all| vectors(all));
        Ok(GridState { points, velocities, remainders })
    }

    fn write(&mut self, state: &GridState) {
        let codes = &self.model.levels[0].codes;
        for (index, &weight) in self.model.weights.iter().enumerate() {
            let is_there = codes[index] & COVERED != 0;
            let value = |values: &[Vec3]| if is_there { values[index] } else { Vec3::ZERO };
            self.points[index] = value(&state.points).extend(weight);
            self.velocities[index] = value(&state.velocities).extend(0.0);
            self.remainders[index] = value(&state.remainders).extend(0.0);
        }
        self.project();
    }
}

/// How far a particle goes in a step: with its velocity, smoothed, and by gravity; no further than it may.
fn moved(model: &GridModel, velocities: &[Vec4], step: &GridStep, index: usize) -> Vec4 {
    let (codes, steps) = (&model.levels[0].codes, steps(model.lattice.size[0]));
    let mut velocity = velocities[index];
    if step.smoothing > 0.0 {
        let (mut sum, mut count) = (Vec4::ZERO, 0.0);
        for k in (0..4).filter(|k| codes[index] >> k & 1 == 1) {
            sum += velocities[index.wrapping_add_signed(steps[k])];
            count += 1.0;
        }
        // A quarter of each difference, at outlines too: what one end gains the other loses.
        velocity += (0.25 * step.smoothing) * (sum - count * velocity);
    }
    let moved = velocity * step.dt + step.fall.extend(0.0);
    let distance = moved.length();
    if distance > step.farthest { moved * (step.farthest / distance) } else { moved }
}
