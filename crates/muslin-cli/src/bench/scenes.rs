//! A scene of the benches: a cloth that hangs, or some that fall, and how it is measured.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material, Stretch, TetherChoice};
use muslin::collision::{self, Collider, CollisionSettings};
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::generate::{delaunay_rectangle, grid};
use muslin::solver::{Cycle, Order, PositionBased, ShapeMatching, SolverConfig, Variant};
use muslin::{Settings, Simulation, World};

use crate::failure::Failure;

/// How the square cloth is meshed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tiling {
    /// So many cells of two triangles along each side.
    Grid { cells: usize },
    /// Exactly so many triangles.
    Irregular { triangles: usize },
}

/// Cloths that fall on a ball instead of hanging from corners.
#[derive(Clone, Copy)]
pub struct Fall {
    /// The radius of the ball, which lies on a floor, metres.
    pub ball: f32,
    /// How many cloths, a centimetre apart.
    pub cloths: usize,
}

/// A square cloth that hangs from its two upper corners, or some that fall, and how to measure it.
#[derive(Clone)]
pub struct Scene {
    pub name: String,
    /// Whether it swings from one edge, level at first, instead of hanging or falling.
    pub swings: bool,
    /// `None`: it hangs, and nothing collides.
    pub fall: Option<Fall>,
    pub tiling: Tiling,
    /// Metres.
    pub side: f32,
    pub material: Material,
    pub tethers: TetherChoice,
    pub solver: ShapeMatching,
    /// Another method in its place.
    pub other: Option<SolverConfig>,
    /// How far the start is from flat, metres. Exactly flat cloth cannot fold, and crumples within its plane.
    pub ripple: f32,
    /// Seconds.
    pub time_step: f64,
    pub substeps: u32,
    /// Numbers of threads to measure side by side; 0 is one per core.
    pub threads: Vec<usize>,
    /// Damped steps that bring the cloth (near) to rest before the timed ones.
    pub relax: usize,
    /// Timed steps.
    pub steps: usize,
}

impl Scene {
    /// The scene in which other simulators were measured, too: 5 m, two corners held (`peers/`, `docs/performance.md`).
    pub fn hanging(name: &str, form: ShapeMatching) -> Self {
        Self {
            name: name.to_owned(),
            swings: false,
            fall: None,
            tiling: Tiling::Grid { cells: 101 },
            side: 5.0,
            material: Material {
                density: 0.2,
                stretch: Stretch::STIFF,
                bending: 0.0,
                damping: Damping::None,
                ..Material::default()
            },
            tethers: TetherChoice::Off,
            solver: ShapeMatching {
                hierarchy: HierarchyOptions { levels: 5, ..HierarchyOptions::default() },
                ..form
            },
            other: None,
            ripple: 0.0,
            time_step: 0.005,
            substeps: 1,
            threads: vec![1],
            relax: 600,
            steps: 300,
        }
    }

    /// The drape in which other simulators were measured, too (`docs/performance.md`), in motion or after some damped steps.
    pub fn drape(cells: usize, relax: usize) -> Self {
        Self {
            fall: Some(Fall { ball: 0.5, cloths: 1 }),
            tiling: Tiling::Grid { cells },
            side: 2.0,
            material: Material::default(),
            relax,
            steps: if relax > 0 { 100 } else { 400 },
            ..Self::hanging(
                if relax > 0 { "collision-drape-rest" } else { "collision-drape" },
                ShapeMatching::default(),
            )
        }
    }

    /// The solver's name in reports.
    pub fn solver_name(&self) -> &'static str {
        match &self.other {
            Some(SolverConfig::RadialMatching(_)) => return "radial_matching",
            Some(SolverConfig::PositionBased(PositionBased { order: Order::Jacobi, .. })) => {
                return "position_based/jacobi";
            }
            Some(SolverConfig::PositionBased(_)) => return "position_based/gauss_seidel",
            Some(SolverConfig::Impulses(_)) => return "impulses",
            Some(SolverConfig::Multilevel(_)) => return "multilevel",
            _ => {}
        }
        match self.solver.variant {
            Variant::Paper => "shape_matching/paper",
            // Other benches say so by their names.
            _ if self.swings && self.solver.cycle == Cycle::Sawtooth => "shape_matching/sawtooth",
            _ if self.solver.order == Some(Order::Jacobi) => "shape_matching/gather",
            _ => "shape_matching/full_approximation",
        }
    }

    /// The world of the scene.
    pub fn world(&self, cloths: &[Cloth], threads: usize) -> Result<World, Failure> {
        let mut simulations = Vec::new();
        for (number, cloth) in cloths.iter().enumerate() {
            simulations.push((format!("cloth{number}"), self.simulation(cloth.clone(), threads)?));
        }
        let collisions =
            CollisionSettings { self_collisions: self.fall.is_some(), ..CollisionSettings::default() };
        let colliders = self.fall.map_or(Vec::new(), |Fall { ball: radius, .. }| {
            let ball = collision::Shape::Sphere { center: Vec3::new(0.0, radius, 0.0), radius };
            let floor = collision::Shape::Plane { point: Vec3::ZERO, normal: Vec3::Y };
            vec![Collider::new("ball", ball), Collider::new("floor", floor)]
        });
        Ok(World::new(simulations, colliders, collisions)?)
    }

    /// The cloths of the scene: one that is vertical and flat, or level ones above the ball.
    pub fn cloths(&self) -> Result<Vec<Cloth>, Failure> {
        let mesh = match self.tiling {
            Tiling::Grid { cells } => grid(cells, cells, self.side, self.side),
            Tiling::Irregular { triangles } => delaunay_rectangle(self.side, self.side, triangles, 1),
        };
        let mesh = mesh.map_err(Failure::run)?;
        let builder = |mesh| Cloth::builder(mesh).material(self.material).tethers(self.tethers);
        let Some(Fall { ball, cloths }) = self.fall else {
            let corners = [Vec3::new(0.0, self.side, 0.0), Vec3::new(self.side, self.side, 0.0)];
            let pins: Vec<u32> = corners.iter().filter_map(|&corner| mesh.nearest_vertex(corner)).collect();
            let start = mesh.positions.iter().map(|&p| p + Vec3::Z * self.ripple * waves(p)).collect();
            return Ok(vec![builder(mesh).start_positions(start).pin_all(pins).build()?]);
        };
        let level = |number: usize| {
            let mut mesh = mesh.clone();
            for (i, p) in mesh.positions.iter_mut().enumerate() {
                // A tenth of a millimetre up and down, or a symmetric cloth would not know where to fold.
                let height = 2.0 * ball + 0.01 * (number + 1) as f32 + 1e-4 * ((i * i) as f32).sin();
                *p = Vec3::new(p.x - 0.5 * self.side, height, p.y - 0.5 * self.side);
            }
            Ok(builder(mesh).build()?)
        };
        (0..cloths).map(level).collect()
    }

    /// The simulation of a cloth.
    fn simulation(&self, cloth: Cloth, threads: usize) -> Result<Simulation, Failure> {
        Ok(Simulation::new(cloth, Settings { threads, ..self.settings() })?)
    }

    /// The conditions; one step of them is one timed step.
    pub fn settings(&self) -> Settings {
        Settings {
            time_step: self.time_step,
            substeps: self.substeps,
            solver: self.other.clone().unwrap_or(SolverConfig::ShapeMatching(self.solver.clone())),
            ..Settings::default()
        }
    }
}

/// Gentle waves with fine ones on them, between −1.3 and 1.3.
fn waves(p: Vec3) -> f32 {
    (3.0 * p.x).sin() * (2.0 * p.y).cos() + 0.3 * (17.0 * p.x + 29.0 * p.y).sin()
}
