//! The models of tables 1 and 2 and of figure 6, and how long their steps take.
//!
//! The paper's garments are not public; square cloths with as many triangles take their place. The
//! time of a step depends on the number of regions, not on the shape.

use std::time::Instant;

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::diagnostics::timings::Stage;
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation};

use super::Form;
use crate::{Error, Options, median};

/// A model of the paper.
pub(super) struct Model {
    pub name: &'static str,
    pub triangles: usize,
    /// Triangles of all levels, as printed.
    pub total_triangles: usize,
    /// Fraction of triangles removed per level.
    pub removal: f64,
    /// Table 1, ms: one core of an X5650, and twelve.
    pub one_core: f64,
    pub all_cores: f64,
    /// Table 2, per cent, in the order of [`STAGES`].
    pub shares: [f64; 5],
}

/// The columns of table 2.
pub(super) const STAGES: [(&str, Stage); 5] = [
    ("integration", Stage::Integration),
    ("bending", Stage::Bending),
    ("damping", Stage::Damping),
    ("shape matching 2D", Stage::ShapeMatching2d),
    ("shape matching 1D", Stage::ShapeMatching1d),
];

const MODELS: [Model; 3] = [
    Model {
        name: "Dancing Woody",
        triangles: 32_467,
        total_triangles: 62_888,
        removal: 0.5,
        one_core: 61.81,
        all_cores: 11.63,
        shares: [1.4, 13.5, 5.8, 52.9, 26.4],
    },
    Model {
        name: "Dragon",
        triangles: 124_017,
        total_triangles: 240_275,
        removal: 0.5,
        one_core: 267.33,
        all_cores: 46.15,
        shares: [1.4, 13.3, 7.2, 53.5, 24.6],
    },
    Model {
        name: "Large cloth",
        triangles: 206_664,
        total_triangles: 630_480,
        removal: 0.25,
        one_core: 749.83,
        all_cores: 105.99,
        shares: [0.5, 9.0, 4.1, 56.6, 29.8],
    },
];

/// The models to run; the quick version takes the smallest only.
pub(super) fn models(options: &Options) -> &'static [Model] {
    if options.quick { &MODELS[..1] } else { &MODELS }
}

/// How many steps are timed.
pub(super) fn timed_steps(options: &Options) -> usize {
    if options.quick { 5 } else { 101 }
}

pub(super) fn mesh(triangles: usize) -> Result<TriMesh, Error> {
    Ok(generate::delaunay_rectangle(5.0, 5.0, triangles, 1)?)
}

/// A cloth held at two corners, with everything that the paper's step has: bending and damping.
pub(super) fn simulation(
    mesh: &TriMesh,
    variant: Form,
    edges: bool,
    removal: f64,
    threads: usize,
) -> Result<Simulation, Error> {
    let damping = match variant {
        Form::Paper => Damping::Printed { coefficient: 20.0 },
        _ => Damping::Deformation { rate: 2.0 },
    };
    let material = Material { bending: 1e-5, damping, ..Material::default() };
    let corners = [Vec3::new(0.0, 5.0, 0.0), Vec3::new(5.0, 5.0, 0.0)];
    let pins = corners.iter().filter_map(|&corner| mesh.nearest_vertex(corner));
    let builder = Cloth::builder(mesh.clone()).material(material).pin_all(pins);
    let cloth = builder.tethers(TetherChoice::Off).build()?;
    let hierarchy = HierarchyOptions { levels: 5, removal, ..HierarchyOptions::default() };
    let solver = SolverConfig::ShapeMatching(ShapeMatching { edges, hierarchy, ..variant.options() });
    let settings = Settings { time_step: 0.005, substeps: 1, solver, threads, ..Settings::default() };
    Ok(Simulation::new(cloth, settings)?)
}

/// Medians over steps, in ms: of the whole step, and of each stage.
pub(super) struct StepTime {
    pub step: f64,
    pub stages: Vec<(Stage, f64)>,
}

/// Times steps after a few to warm up.
pub(super) fn time_steps(simulation: &mut Simulation, steps: usize) -> Result<StepTime, Error> {
    for _ in 0..steps.div_ceil(10) {
        simulation.step()?;
    }
    let (mut whole, mut timings) = (Vec::new(), Vec::new());
    for _ in 0..steps {
        let start = Instant::now();
        timings.push(simulation.step()?.timings);
        whole.push(1e3 * start.elapsed().as_secs_f64());
    }
    let stage = |stage: Stage| {
        let times = timings.iter().map(|t| 1e3 * t.get(stage).as_secs_f64());
        (stage, median(times))
    };
    Ok(StepTime { step: median(whole), stages: Stage::ALL.map(stage).to_vec() })
}
