//! The grid as what the cloth has beyond its own particles: saved, brought back, shown and measured.

use std::sync::Arc;

use glam::{DVec3, Vec3, Vec4};

use super::constraints::measure::threads;
use super::grid::GridState;
use super::seams::stitch::Stitcher;
use super::{GridLayout, MultilevelSolver, Pace};
use crate::Error;
use crate::diagnostics::energy::Momentum;
use crate::diagnostics::strain::Strain;
use crate::simulation::ShownMesh;
use crate::solver::{Finer, OwnState, SolverState};
use crate::state::{Carriage, State};

/// The grid of multilevel cloth, texel by texel; zero where there is no particle.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FineState {
    /// Metres.
    pub points: Vec<Vec3>,
    /// Means over the last substep, m/s.
    pub velocities: Vec<Vec3>,
    /// How much further particles would be without rounding, metres.
    pub remainders: Vec<Vec3>,
    /// How long that substep was, seconds; 0 after a start.
    pub last_step: f64,
    /// Iterations on the finest level of the next substep.
    pub iterations: u32,
}

impl FineState {
    /// Looks for what cannot be the state of a grid of so many texels.
    fn check(&self, texels: usize) -> Result<(), Error> {
        let wrong = |problem: &str| Err(Error::State { what: "snapshot.fine", problem: problem.into() });
        let all = [&self.points, &self.velocities, &self.remainders];
        if all.iter().any(|vectors| vectors.len() != texels) {
            return wrong("it is of another grid");
        }
        if !all.into_iter().flatten().all(|vector| vector.is_finite()) {
            return wrong("it is not finite");
        }
        if !(self.last_step.is_finite() && self.last_step >= 0.0) || self.iterations == 0 {
            return wrong("its last step is no step");
        }
        Ok(())
    }
}

impl OwnState for MultilevelSolver {
    fn keep(&mut self, number: usize) {
        self.grid.keep(number);
        match self.kept.get_mut(number) {
            Some(kept) => kept.clone_from(&self.pace),
            None => self.kept.resize(number + 1, self.pace.clone()),
        }
    }

    fn bring_back(&mut self, number: usize) {
        self.grid.bring_back(number);
        self.pace.clone_from(&self.kept[number]);
    }

    /// As for the cloth's own particles. (A grid on a GPU comes to the host for it: it is rare.)
    fn recentre(&mut self, by: DVec3) {
        match self.grid.read() {
            Ok(mut state) => {
                state.recentre(by);
                self.grid.write(&state);
                self.pace.taken += 1;
            }
            Err(fault) => {
                self.fault.get_or_insert(fault);
            }
        }
    }

    /// Puts the grid where the coarse mesh is, and lets it move as that does.
    fn follow(&mut self, state: &State) {
        let places: Vec<Vec3> = state.points.iter().map(|point| point.truncate()).collect();
        let velocities: Vec<Vec3> = state.velocities.iter().map(|velocity| velocity.truncate()).collect();
        let lattice = &self.model.lattice;
        let sample = |data: &[Vec3]| lattice.sample(data).iter().map(|value| value.truncate()).collect();
        let moving = GridState { velocities: sample(&velocities), ..GridState::at_rest(sample(&places)) };
        self.grid.write(&moving);
        self.pace.last_step = state.last_step;
        self.forget(state);
    }

    fn push(&mut self, state: &State) {
        self.hand_on_pushes(state);
    }

    fn carry(&mut self, by: &Carriage, state: &State) -> Result<(), Error> {
        if by.keeps_positions() {
            return Ok(());
        }
        let mut grid = self.grid.read()?;
        for (point, remainder) in grid.points.iter_mut().zip(&mut grid.remainders) {
            (*point, *remainder) = by.rounded(point.as_dvec3() + remainder.as_dvec3());
        }
        grid.velocities.iter_mut().for_each(|velocity| *velocity = by.turned(*velocity));
        self.grid.write(&grid);
        let Pace { last_step, iterations, .. } = self.pace;
        self.forget(state);
        (self.pace.last_step, self.pace.iterations) = (last_step, iterations);
        Ok(())
    }

    /// Goes back to a state of the grid; `state` is that of the coarse mesh.
    fn restore(&mut self, saved: &SolverState, state: &State) -> Result<(), Error> {
        let SolverState::Grid(fine) = saved else { return Ok(()) };
        fine.check(self.model.weights.len())?;
        let FineState { points, velocities, remainders, .. } = fine.clone();
        self.grid.write(&GridState { points, velocities, remainders });
        (self.pace.last_step, self.pace.iterations) = (fine.last_step, fine.iterations);
        self.forget(state);
        Ok(())
    }

    fn take_fault(&mut self) -> Option<Error> {
        self.fault.take()
    }
}

impl Finer for MultilevelSolver {
    fn shown_mesh(&self) -> ShownMesh<'_> {
        let fine = &self.fine;
        ShownMesh { triangles: &fine.triangles, uvs: fine.uvs.as_deref(), vertices: fine.stencils.rows() }
    }

    fn thread_stretch(&self) -> f64 {
        self.report.strain.into()
    }

    fn layout(&self) -> &GridLayout {
        &self.layout
    }

    /// Where the vertices of the fine mesh are ([Schmitt2013] §4.2), from the origin.
    fn shown_positions(&self) -> Result<Vec<Vec3>, Error> {
        let points: Vec<Vec4> = self.read()?.points.iter().map(|point| point.extend(0.0)).collect();
        Ok(self.fine.positions(self.model.lattice.size[0], &points))
    }

    /// How far the two sides of the worst stitch are apart, metres; `None` if the grid cannot be read.
    fn seam_gap(&self) -> Option<f64> {
        let points: Vec<Vec4> = self.read().ok()?.points.iter().map(|point| point.extend(0.0)).collect();
        let stitcher = Stitcher::new(self.model.lattice.size[0], &self.model.stitches[0], |_| 1.0);
        Some(stitcher.widest(&points).into())
    }

    /// About the origin, for a cloth of so many kg, which all particles share alike; `None` if the grid cannot be read.
    fn momentum(&self, mass: f64) -> Option<Momentum> {
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

    /// The strain of all edges along threads; `None` if the grid cannot be read.
    fn strain(&self, gravity: Vec3) -> Option<Strain> {
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

impl MultilevelSolver {
    /// Nothing has been done to the coarse mesh that the grid does not know.
    fn forget(&mut self, state: &State) {
        self.pace.taken += 1;
        self.pace.velocities.clone_from(&state.velocities);
        self.pace.under_way.fill(Vec3::ZERO);
    }

    /// The state of the grid after the last step: read once, however many ask for it, and still there if the device
    /// fails meanwhile.
    pub(super) fn read(&self) -> Result<Arc<FineState>, Error> {
        let Pace { taken, last_step, iterations, .. } = self.pace;
        let mut last = self.last_read.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((when, state)) = &*last
            && *when == taken
        {
            return Ok(Arc::clone(state));
        }
        let GridState { points, velocities, remainders } = self.grid.read()?;
        let state = Arc::new(FineState { points, velocities, remainders, last_step, iterations });
        *last = Some((taken, Arc::clone(&state)));
        Ok(state)
    }
}
