//! The scenes of the benches. Names are a contract: scripts ask for them.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, FABRICS, Material, Stretch, TetherChoice};
use muslin::collision::{self, Collider, CollisionSettings};
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::generate::{delaunay_rectangle, grid};
use muslin::solver::{Cycle, ShapeMatching, SolverConfig, Variant};
use muslin::{Settings, Simulation, World};

use crate::failure::Failure;

/// A bench: one or more scenes under a name.
pub struct Bench {
    pub name: &'static str,
    pub description: &'static str,
    pub scenes: fn() -> Vec<Scene>,
}

/// All benches, in the order in which they run.
pub const BENCHES: [Bench; 13] = [
    Bench {
        name: "hanging",
        description: "5 m cloth of 20,402 triangles hanging from two corners, 5 ms steps, at rest",
        scenes: || vec![Scene::hanging("hanging", Variant::FullApproximation)],
    },
    Bench {
        name: "hanging-tethered",
        description: "the same with tethers to the pins",
        scenes: || {
            let hanging = Scene::hanging("hanging-tethered", Variant::FullApproximation);
            vec![Scene { tethers: TetherChoice::Auto, ..hanging }]
        },
    },
    Bench {
        name: "hanging-sawtooth",
        description: "the same without tethers, levels worked on only on the way up, with one and two substeps",
        scenes: || {
            let sawtooth = |substeps| Scene {
                cycle: Cycle::Sawtooth,
                substeps,
                ..Scene::hanging("hanging-sawtooth", Variant::FullApproximation)
            };
            vec![sawtooth(1), sawtooth(2)]
        },
    },
    Bench {
        name: "hanging-paper",
        description: "the same without tethers, with the V-cycle as printed in [Bender2013]",
        scenes: || vec![Scene::hanging("hanging-paper", Variant::Paper)],
    },
    Bench {
        name: "hanging-gather",
        description: "the same without tethers, with regions averaged per vertex as on a GPU",
        scenes: || vec![Scene::hanging("hanging-gather", Variant::Gather)],
    },
    Bench {
        name: "scaling",
        description: "hanging, irregular meshes of 10,000 to 200,000 triangles, one and all threads",
        scenes: scaling,
    },
    Bench {
        name: "table1",
        description: "the three sizes of [Bender2013] table 1, bending and damping, default and printed V-cycle",
        scenes: table1,
    },
    Bench {
        name: "parity",
        description: "a small hanging cloth, regions averaged per vertex: to compare CPU and GPU",
        scenes: || {
            let cells = 32;
            vec![Scene { shape: Shape::Grid { cells }, ..Scene::hanging("parity", Variant::Gather) }]
        },
    },
    Bench {
        name: "fabrics",
        description: "1 m of each fabric hanging from two corners, 1/60 s steps in 3 substeps, at rest",
        scenes: fabrics,
    },
    Bench {
        name: "collision-drape",
        description: "2 m cloths of 20,402 (with one and two substeps) and 100,352 triangles fall over a ball, 5 ms steps, two seconds",
        scenes: || {
            let finer = Scene { substeps: 2, ..Scene::drape(101, 0) };
            vec![Scene::drape(101, 0), finer, Scene::drape(224, 0)]
        },
    },
    Bench {
        name: "collision-drape-substeps",
        description: "the smaller one with 1 to 32 substeps: what less strain costs",
        scenes: || {
            let scene = |substeps| Scene {
                name: "collision-drape-substeps".into(),
                substeps,
                ..Scene::drape(101, 0)
            };
            [1, 2, 4, 8, 16, 32].map(scene).into()
        },
    },
    Bench {
        name: "collision-drape-rest",
        description: "the same after two seconds with damped motion",
        scenes: || vec![Scene::drape(101, 400), Scene::drape(224, 400)],
    },
    Bench {
        name: "collision-stack",
        description: "ten cloths of 2,048 triangles fall on a ball of 0.3 m above a floor, 5 ms steps, one second",
        scenes: || {
            let fall = Some(Fall { ball: 0.3, cloths: 10 });
            let (shape, side, steps) = (Shape::Grid { cells: 32 }, 1.0, 200);
            vec![Scene { name: "collision-stack".into(), shape, side, fall, steps, ..Scene::drape(32, 0) }]
        },
    },
];

/// How the square cloth is meshed.
#[derive(Clone, Copy)]
pub enum Shape {
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
pub struct Scene {
    pub name: String,
    /// `None`: it hangs, and nothing collides.
    pub fall: Option<Fall>,
    pub shape: Shape,
    /// Metres.
    pub side: f32,
    pub material: Material,
    pub tethers: TetherChoice,
    pub variant: Variant,
    pub cycle: Cycle,
    /// The fraction of triangles removed per level.
    pub removal: f64,
    /// Of the hierarchy, the mesh included.
    pub levels: usize,
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
    /// The scene of `shared/REFERENCE.md`.
    fn hanging(name: &str, variant: Variant) -> Self {
        Self {
            name: name.to_owned(),
            fall: None,
            shape: Shape::Grid { cells: 101 },
            side: 5.0,
            material: Material {
                density: 0.2,
                stretch: Stretch::STIFF,
                bending: 0.0,
                damping: Damping::None,
                ..Material::default()
            },
            tethers: TetherChoice::Off,
            variant,
            cycle: Cycle::V,
            removal: 0.5,
            levels: 5,
            time_step: 0.005,
            substeps: 1,
            threads: vec![1],
            relax: 600,
            steps: 300,
        }
    }

    /// The sphere drape of `shared/REFERENCE.md`, in motion or after some damped steps.
    fn drape(cells: usize, relax: usize) -> Self {
        Self {
            fall: Some(Fall { ball: 0.5, cloths: 1 }),
            shape: Shape::Grid { cells },
            side: 2.0,
            material: Material::default(),
            relax,
            steps: if relax > 0 { 100 } else { 400 },
            ..Self::hanging(
                if relax > 0 { "collision-drape-rest" } else { "collision-drape" },
                Variant::FullApproximation,
            )
        }
    }

    /// The solver's name in reports.
    pub fn solver(&self) -> &'static str {
        match self.variant {
            Variant::FullApproximation => "shape_matching/full_approximation",
            Variant::Paper => "shape_matching/paper",
            Variant::Gather => "shape_matching/gather",
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
        let mesh = match self.shape {
            Shape::Grid { cells } => grid(cells, cells, self.side, self.side),
            Shape::Irregular { triangles } => delaunay_rectangle(self.side, self.side, triangles, 1),
        };
        let mesh = mesh.map_err(Failure::run)?;
        let builder = |mesh| Cloth::builder(mesh).material(self.material).tethers(self.tethers);
        let Some(Fall { ball, cloths }) = self.fall else {
            let corners = [Vec3::new(0.0, self.side, 0.0), Vec3::new(self.side, self.side, 0.0)];
            let pins: Vec<u32> = corners.iter().filter_map(|&corner| mesh.nearest_vertex(corner)).collect();
            return Ok(vec![builder(mesh).pin_all(pins).build()?]);
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
        let hierarchy =
            HierarchyOptions { levels: self.levels, removal: self.removal, ..HierarchyOptions::default() };
        let (variant, cycle) = (self.variant, self.cycle);
        let solver = ShapeMatching { variant, cycle, hierarchy, ..ShapeMatching::default() };
        let settings = Settings {
            time_step: self.time_step,
            substeps: self.substeps,
            solver: SolverConfig::ShapeMatching(solver),
            threads,
            ..Settings::default()
        };
        Ok(Simulation::new(cloth, settings)?)
    }
}

/// Five levels bring small meshes to rest in these steps, but not the large ones, whose strain
/// still grows. Time per step hardly depends on it.
fn scaling() -> Vec<Scene> {
    let scene = |triangles| Scene {
        shape: Shape::Irregular { triangles },
        threads: vec![1, 0],
        steps: 200,
        ..Scene::hanging("scaling", Variant::FullApproximation)
    };
    [10_000, 20_000, 50_000, 100_000, 200_000].map(scene).into()
}

/// The paper's models are not public, their sizes are. Strains are not those at rest.
fn table1() -> Vec<Scene> {
    let models = [(32_467, 0.5), (124_017, 0.5), (206_664, 0.25)];
    let scene = |variant| {
        move |(triangles, removal)| Scene {
            shape: Shape::Irregular { triangles },
            removal,
            material: Material {
                bending: 1e-5,
                damping: Damping::Edges { rate: 2.0 },
                ..Material::default()
            },
            relax: 100,
            steps: 100,
            ..Scene::hanging("table1", variant)
        }
    };
    let variants = [Variant::FullApproximation, Variant::Paper];
    variants.into_iter().flat_map(|variant| models.map(scene(variant))).collect()
}

/// Real fabrics are too soft to hang 5 m of them.
fn fabrics() -> Vec<Scene> {
    let scene = |fabric: &muslin::cloth::Fabric| Scene {
        shape: Shape::Grid { cells: 50 },
        side: 1.0,
        material: fabric.material(),
        time_step: 1.0 / 60.0,
        substeps: 3,
        ..Scene::hanging(&format!("fabrics-{}", fabric.name), Variant::FullApproximation)
    };
    FABRICS.iter().map(scene).collect()
}
