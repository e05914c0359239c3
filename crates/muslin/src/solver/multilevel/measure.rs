//! Figures of a grid: places of the fine mesh, strain.

#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
use glam::DVec3;
use glam::{Vec3, Vec4};

use super::MultilevelSolver;
use super::levels::Level;
use super::relax::steps;
use super::stitch::Stitcher;
use crate::Error;
use crate::diagnostics::energy::Momentum;
use crate::diagnostics::strain::Strain;

impl MultilevelSolver {
    /// Where the vertices of the fine mesh are ([Schmitt2013] §4.2), from the origin.
    pub(crate) fn fine_positions(&self) -> Result<Vec<Vec3>, Error> {
        let points: Vec<Vec4> = self.read()?.points.iter().map(|point| point.extend(0.0)).collect();
        Ok(self.fine.positions(self.model.lattice.size[0], &points))
    }

    /// How far the two sides of the worst stitch are apart, metres; `None` if the grid cannot be read.
    pub(crate) fn seam_gap(&self) -> Option<f64> {
        let points: Vec<Vec4> = self.read().ok()?.points.iter().map(|point| point.extend(0.0)).collect();
        let stitcher = Stitcher::new(self.model.lattice.size[0], &self.model.stitches[0], |_| 1.0);
        Some(stitcher.widest(&points).into())
    }

    /// Takes a step of the grid alone with the time of each kernel measured; `None` where that cannot be.
    #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
    pub(crate) fn profile(&mut self, origin: DVec3, time: f64) -> Result<Option<crate::gpu::Profile>, Error> {
        let (held, step) = self.tell(origin, time, crate::execution::Execution::default());
        let step = super::GridStep { held: &held, near: &self.near, ..step };
        self.moves.fill(super::VertexMove::default());
        self.pace.taken += 1;
        self.grid.profile(&self.moves, &step)
    }

    /// About the origin, for a cloth of so many kg, which all particles share alike; `None` if the grid cannot be read.
    pub(crate) fn momentum(&self, mass: f64) -> Option<Momentum> {
        let state = self.read().ok()?;
        let samples = &self.model.lattice.samples;
        let mut momentum = Momentum::default();
        for texel in samples.iter().map(|sample| sample.texel as usize) {
            let velocity = state.velocities[texel].as_dvec3() * (mass / samples.len() as f64);
            momentum.linear += velocity;
            momentum.angular += state.points[texel].as_dvec3().cross(velocity);
        }
        Some(momentum)
    }

    /// Of all edges along threads; `None` if the grid cannot be read.
    pub(crate) fn strain(&self, gravity: Vec3) -> Option<Strain> {
        let points = &self.read().ok()?.points;
        let level = &self.model.levels[0];
        let (mut sum, mut largest, mut count) = (0.0, 0.0f64, 0usize);
        for (a, b) in threads(level) {
            let strain = f64::from(points[a].distance(points[b])) / self.model.lattice.spacing - 1.0;
            sum += strain.abs();
            largest = largest.max(strain.abs());
            count += 1;
        }
        let down = gravity.normalize_or_zero();
        let extent = |places: &mut dyn Iterator<Item = Vec3>| {
            let along = places.map(|place| f64::from(place.dot(down)));
            let (low, high) = along.fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)));
            high - low
        };
        let rest = extent(&mut self.rest.iter().copied());
        let covered = self.model.lattice.samples.iter().map(|sample| points[sample.texel as usize]);
        let now = extent(&mut covered.into_iter());
        let size = self.rest.iter().fold(0.0f32, |size, place| size.max(place.distance(self.rest[0])));
        let global = (rest > 0.01 * f64::from(size)).then(|| now / rest - 1.0);
        Some(Strain { average: sum / count.max(1) as f64, max_edge: largest, global })
    }
}

/// Pairs of neighbours along threads.
pub(crate) fn threads(level: &Level) -> impl Iterator<Item = (usize, usize)> {
    let steps = steps(level.size[0]);
    let of_particle = move |(index, &code): (usize, &u32)| {
        let linked = (0..2).filter(move |k| code >> k & 1 == 1);
        linked.map(move |k| (index, index.wrapping_add_signed(steps[k])))
    };
    level.codes.iter().enumerate().flat_map(of_particle)
}
