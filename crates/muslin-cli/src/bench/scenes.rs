//! The scenes of the benches. Names are a contract: scripts ask for them.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, FABRICS, Material, Stretch, TetherChoice};
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::generate::{delaunay_rectangle, grid};
use muslin::solver::{Cycle, ShapeMatching, SolverConfig, Variant};
use muslin::{Settings, Simulation};

use crate::failure::Failure;

/// A bench: one or more scenes under a name.
pub struct Bench {
    pub name: &'static str,
    pub description: &'static str,
    pub scenes: fn() -> Vec<Scene>,
}

/// All benches, in the order in which they run.
pub const BENCHES: [Bench; 9] = [
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
];

/// How the square cloth is meshed.
#[derive(Clone, Copy)]
pub enum Shape {
    /// So many cells of two triangles along each side.
    Grid { cells: usize },
    /// Exactly so many triangles.
    Irregular { triangles: usize },
}

/// A square cloth that hangs from its two upper corners, and how to measure it.
pub struct Scene {
    pub name: String,
    pub shape: Shape,
    /// Metres.
    pub side: f32,
    pub material: Material,
    pub tethers: TetherChoice,
    pub variant: Variant,
    pub cycle: Cycle,
    /// The fraction of triangles removed per level.
    pub removal: f64,
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
            time_step: 0.005,
            substeps: 1,
            threads: vec![1],
            relax: 600,
            steps: 300,
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

    /// The cloth of the scene, vertical and flat.
    pub fn cloth(&self) -> Result<Cloth, Failure> {
        let mesh = match self.shape {
            Shape::Grid { cells } => grid(cells, cells, self.side, self.side),
            Shape::Irregular { triangles } => delaunay_rectangle(self.side, self.side, triangles, 1),
        };
        let mesh = mesh.map_err(Failure::run)?;
        let corners = [Vec3::new(0.0, self.side, 0.0), Vec3::new(self.side, self.side, 0.0)];
        let pins: Vec<u32> = corners.iter().filter_map(|&corner| mesh.nearest_vertex(corner)).collect();
        Ok(Cloth::builder(mesh).material(self.material).pin_all(pins).tethers(self.tethers).build()?)
    }

    /// The simulation of the scene.
    pub fn simulation(&self, cloth: Cloth, threads: usize) -> Result<Simulation, Failure> {
        let hierarchy = HierarchyOptions { levels: 5, removal: self.removal, ..HierarchyOptions::default() };
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
