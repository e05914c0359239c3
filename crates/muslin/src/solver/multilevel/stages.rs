//! What multilevel cloth does in each stage of a step.

use std::sync::Arc;

use glam::{Vec3, Vec4};

use super::grid::{GridStatus, GridStep, Projected, VertexMove};
use super::{GridReport, MultilevelSolver, Physics};
use crate::Error;
use crate::cloth::Cloth;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::simulation::Settings;
use crate::solver::{
    Facts, Finer, Motion, OwnState, Senses, Solver, SolverConfig, SolverReport, SolverState,
};
use crate::state::State;

/// Below this share of the strain limit iterations are saved.
const COMFORT: f32 = 0.8;

impl MultilevelSolver {
    /// What a step of `dt` seconds is told; pinned particles of the coarse mesh are where they are at its end.
    fn tell<'a>(&self, state: &State, execution: Execution<'a>) -> (Vec<Vec3>, GridStep<'a>) {
        let Physics { gravity, max_speed, bounds, bending, damping } = self.physics;
        let step = GridStep {
            dt: self.dt as f32,
            fall: gravity * (0.5 * self.dt * (self.pace.last_step + self.dt)) as f32,
            smoothing: -(-f64::from(damping) * self.dt).exp_m1() as f32,
            farthest: max_speed * self.dt as f32,
            bounds,
            bending: bending.map(|rate| (rate * self.dt * self.dt) as f32),
            held: &[],
            near: &[],
            iterations: self.pace.iterations,
            execution,
        };
        (self.pins.places(&state.points), step)
    }

    /// Takes the step; the coarse mesh's new places are in `projected`.
    fn step(&mut self, state: &State, execution: Execution) -> Result<GridStatus, Error> {
        if self.near.iter().all(|near| near.plane == Vec4::ZERO) {
            self.near.clear();
        }
        let (held, step) = self.tell(state, execution);
        let step = GridStep { held: &held, near: &self.near, ..step };
        (self.pace.last_step, self.pace.taken) = (self.dt, self.pace.taken + 1);
        if !self.options.overlap {
            self.grid.step(&step)?;
            return self.grid.projected(&mut self.projected);
        }
        // What the last step left is taken, and the grid goes on with the next while the coarse mesh collides.
        let status = self.grid.projected(&mut self.projected)?;
        let changed = self.projected.iter_mut().zip(&self.pace.under_way);
        changed.for_each(|(vertex, change)| vertex.place += *change);
        self.grid.step(&step)?;
        Ok(status)
    }

    /// As many iterations as hold the strain limit: more at once when it is exceeded, fewer by and by when it is not.
    fn adapt(&mut self, strain: f32) {
        if self.options.iterations.is_some() {
            return;
        }
        let (now, limit) = (self.pace.iterations, self.options.strain_limit);
        // Fewer would take from what undoes compression, which the limit says nothing about.
        let least = (2 * self.options.compression_passes).clamp(1, self.options.most_iterations);
        if strain > limit {
            self.pace.iterations = (now + now / 4 + 1).min(self.options.most_iterations);
        } else if strain < COMFORT * limit && now > least {
            self.pace.iterations = now - 1;
        }
    }

    /// Hands on what has been added to the coarse mesh's velocities since it was last looked at.
    pub(super) fn hand_on_pushes(&mut self, state: &State) {
        for (v, moved) in self.moves.iter_mut().enumerate() {
            let push = state.velocities[v] - self.pace.velocities[v];
            *moved = VertexMove { offset: Vec4::ZERO, push };
        }
        self.hand_on();
        self.pace.taken += 1;
        self.pace.velocities.clone_from(&state.velocities);
    }

    /// Hands on to the grid what has been done to the coarse mesh.
    fn hand_on(&mut self) {
        if let Err(fault) = self.grid.hand_on(&self.moves) {
            self.fault.get_or_insert(fault);
        }
    }
}

impl Solver for MultilevelSolver {
    fn facts(&self) -> Facts {
        // Two triangles per cell, and about as many cells as particles.
        let triangles = self.layout.level_particles.iter().rev().map(|particles| 2 * particles).collect();
        Facts { motion: Motion::OfSolver, ..Facts::new(triangles) }
    }

    /// On the same back end.
    fn again(&self, cloth: &Cloth, settings: &Settings) -> Option<Result<Box<dyn Solver>, Error>> {
        let SolverConfig::Multilevel(options) = &settings.solver else { return None };
        let another = || -> Result<Box<dyn Solver>, Error> {
            let built = options.grid(cloth)?;
            let grid = self.grid.another(Arc::clone(&built.model), &built.state)?;
            Ok(Box::new(Self::new(options, cloth, settings, built, grid)))
        };
        Some(another())
    }

    fn set_gravity(&mut self, gravity: Vec3) {
        self.physics.gravity = gravity;
    }

    /// Coarse levels are levels of the grid.
    fn senses(&mut self) -> Senses<'_> {
        Senses::Near(self.reach, &mut self.near)
    }

    fn own_state(&mut self) -> Option<&mut dyn OwnState> {
        Some(self)
    }

    /// Without it, multilevel cloth can go on from its coarse mesh.
    fn save(&self) -> Option<SolverState> {
        self.read().ok().map(|state| SolverState::Grid(Arc::unwrap_or_clone(state)))
    }

    fn finer(&self) -> Option<&dyn Finer> {
        Some(self)
    }

    /// Takes a step of the grid alone with the time of each kernel measured; `None` where that cannot be.
    #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
    fn profile(&mut self, state: &State) -> Result<Option<crate::gpu::Profile>, Error> {
        let (held, step) = self.tell(state, Execution::default());
        let step = GridStep { held: &held, near: &self.near, ..step };
        self.moves.fill(VertexMove::default());
        self.pace.taken += 1;
        self.grid.profile(&self.moves, &step)
    }

    /// What forces on the coarse mesh (wind) have added to its velocities is handed on.
    fn predict(&mut self, state: &mut State, dt: f32, _: Execution, timings: &mut Timings) {
        self.dt = dt.into();
        if state.velocities != self.pace.velocities {
            timings.time(Stage::Sampling, || self.hand_on_pushes(state));
        }
    }

    fn solve(&mut self, _: u32, state: &mut State, execution: Execution, timings: &mut Timings) {
        let stepped = timings.time(Stage::Grid, || self.step(state, execution));
        match stepped {
            Ok(status) => {
                let GridStatus { strain, contained } = status;
                self.report = GridReport { iterations: self.pace.iterations, strain, contained };
                self.adapt(strain);
            }
            Err(fault) => {
                self.fault.get_or_insert(fault);
                return;
            }
        }
        for (point, projected) in state.points.iter_mut().zip(&self.projected) {
            if point.w > 0.0 {
                *point = projected.place.extend(point.w);
            }
        }
    }

    /// Particles of the coarse mesh have the grid's velocities, changed by what collisions did to it, which is handed
    /// on. (Differences of places lie on the grid of the last place, which short steps feel.)
    fn settle(&mut self, state: &mut State, dt: f64, _: Execution, timings: &mut Timings) {
        let per_second = (1.0 / dt) as f32;
        let mut any = false;
        for (v, moved) in self.moves.iter_mut().enumerate() {
            let point = state.points[v];
            let Projected { place, velocity } = self.projected[v];
            let change = if point.w > 0.0 { point.truncate() - place } else { Vec3::ZERO };
            let push = change * per_second;
            any |= change != Vec3::ZERO;
            *moved = VertexMove { offset: change.extend(0.0), push: push.extend(0.0) };
            self.pace.under_way[v] = change;
            let fits = (velocity + push).length_squared() <= self.physics.max_speed.powi(2);
            if point.w > 0.0 && fits {
                state.velocities[v] = (velocity + push).extend(0.0);
            }
        }
        self.pace.velocities.clone_from(&state.velocities);
        if any {
            timings.time(Stage::Sampling, || self.hand_on());
        }
    }

    /// Passes over the coarse mesh would know nothing of the folds between its vertices.
    fn smooth(&mut self, _: &mut Vec<Vec4>, _: Execution, _: &mut Timings) {}

    fn report(&self, report: &mut SolverReport) {
        let before = report.grid().copied().unwrap_or_default();
        *report = SolverReport::Grid(GridReport {
            iterations: self.report.iterations,
            strain: before.strain.max(self.report.strain),
            contained: before.contained + self.report.contained,
        });
    }
}
