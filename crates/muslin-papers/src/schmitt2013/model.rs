//! The cloth of \[Schmitt2013\] §6: a square, held at two corners, or lying over a ball.
//!
//! A metre wide, of the default material, one substep per step. The paper gives neither size nor weight: gravity adds
//! g h² = 2.7 mm per step of 1/60 s to the length of a thread that iterations must take away again, so a larger cloth
//! would be strained less.

use std::f32::consts::TAU;

use glam::Vec3;
use muslin::cloth::{Cloth, TetherChoice};
use muslin::collision::{Collider, CollisionSettings, Shape};
use muslin::forces::wind::Wind;
use muslin::mesh::{TriMesh, generate};
use muslin::solver::multilevel::Scheme;
use muslin::solver::{Multilevel, SolverConfig};
use muslin::{Settings, Simulation, World};

use super::measured::Run;
use crate::{Error, Options};

/// Radius of the ball and the height of its centre, metres.
pub(super) const BALL: f32 = 0.3;
/// Between the ball and the cloth at the start, metres.
const GAP: f32 = 0.02;

/// A square of cloth.
#[derive(Clone, Debug)]
pub(super) struct Square {
    /// Vertices along the sides of the coarse mesh.
    pub coarse: [usize; 2],
    /// Seconds.
    pub time_step: f64,
    pub solver: Multilevel,
    /// Whether particles are tethered to held ones; the paper's are not.
    pub tethers: TetherChoice,
}

/// A simulation on the CPU or on the GPU of the options: the only place where that is decided.
pub(super) fn simulation(cloth: Cloth, settings: Settings, options: &Options) -> Result<Simulation, Error> {
    match options.gpu {
        None => Ok(Simulation::new(cloth, settings)?),
        Some(gpu) => Ok(crate::gpu::multilevel(gpu, cloth, settings)?),
    }
}

impl Square {
    /// `side` × `side` particles with so many vertices along the sides of the coarse mesh, 60 steps per second.
    pub fn new(side: usize, coarse: [usize; 2]) -> Self {
        let solver = Multilevel { spacing: Some(1.0 / (side - 1) as f64), ..Multilevel::default() };
        Self { coarse, time_step: 1.0 / 60.0, solver, tethers: TetherChoice::Auto }
    }

    /// As the paper does it: at most so many levels, however small, this scheme on them, and no tethers.
    pub fn with_levels(mut self, levels: u32, scheme: Scheme) -> Self {
        (self.solver.levels, self.solver.coarsest, self.solver.scheme) = (levels, 2, scheme);
        self.tethers = TetherChoice::Off;
        self
    }

    /// So many iterations on the finest level.
    pub fn with_iterations(mut self, iterations: u32) -> Self {
        self.solver.iterations = Some(iterations);
        self
    }

    fn mesh(&self) -> Result<TriMesh, Error> {
        let [columns, rows] = self.coarse;
        Ok(generate::grid(columns - 1, rows - 1, 1.0, 1.0)?)
    }

    fn settings(&self, options: &Options) -> Settings {
        Settings {
            time_step: self.time_step,
            substeps: 1,
            solver: SolverConfig::Multilevel(self.solver.clone()),
            threads: options.threads,
            ..Settings::default()
        }
    }

    /// Held at the two upper corners, hanging straight down at the start, in still air (so that something is handed on
    /// to the grid in every step). A wave of 2 cm keeps it from falling into its own plane.
    pub fn hanging<'a>(&self, options: &Options<'a>) -> Result<Run<'a>, Error> {
        let mesh = self.mesh()?;
        let top = &mesh.groups["top"];
        let held = [top[0], top[top.len() - 1]];
        let wave = |p: &Vec3| 0.02 * (TAU * p.x).sin() * (1.0 - p.y);
        let start = mesh.positions.iter().map(|p| Vec3::new(p.x, p.y, wave(p))).collect();
        let builder = Cloth::builder(mesh).start_positions(start).pin_all(held).tethers(self.tethers);
        let cloth = builder.build()?;
        let settings = Settings { wind: Some(Wind::default()), ..self.settings(options) };
        let cloth = simulation(cloth, settings, options)?;
        let collisions = CollisionSettings { self_collisions: false, ..CollisionSettings::default() };
        Run::new(World::new(vec![("cloth".into(), cloth)], Vec::new(), collisions)?, options)
    }

    /// Lying flat above a ball, and held at two corners if `held`.
    pub fn over_ball<'a>(
        &self,
        held: bool,
        self_collisions: bool,
        options: &Options<'a>,
    ) -> Result<Run<'a>, Error> {
        let mut mesh = self.mesh()?;
        let height = 2.0 * BALL + GAP;
        mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x - 0.5, height, 0.5 - p.y));
        let far = mesh.groups["top"].clone();
        let mut builder = Cloth::builder(mesh).tethers(self.tethers);
        if held {
            builder = builder.pin_all([far[0], far[far.len() - 1]]);
        }
        let cloth = simulation(builder.build()?, self.settings(options), options)?;
        let collisions = CollisionSettings { self_collisions, ..CollisionSettings::default() };
        Run::new(World::new(vec![("cloth".into(), cloth)], vec![ball()], collisions)?, options)
    }
}

/// What cloth is laid over: it stands on the floor.
pub(super) fn ball() -> Collider {
    Collider::new("ball", Shape::Sphere { center: BALL * Vec3::Y, radius: BALL })
}

/// `Gauss-Seidel`, as the paper writes it.
pub(super) fn scheme_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Jacobi => "Jacobi",
        Scheme::GaussSeidel => "Gauss-Seidel",
        Scheme::Combined => "combined",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_have_as_many_particles_as_the_paper_says() {
        for side in [20, 100, 225] {
            let run = Square::new(side, [10, 10]).hanging(&Options::default()).unwrap();
            let layout = run.cloth().grid_layout().unwrap();
            assert_eq!(layout.level_particles[0], side * side, "{layout:?}");
        }
    }

    #[test]
    fn levels_are_as_many_as_asked_for() {
        for levels in [1, 3, 5] {
            let square = Square::new(100, [10, 10]).with_levels(levels, Scheme::Combined);
            let run = square.hanging(&Options::default()).unwrap();
            assert_eq!(run.cloth().grid_layout().unwrap().level_particles.len(), levels as usize);
        }
    }
}
