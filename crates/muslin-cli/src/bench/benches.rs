//! All benches. Names are a contract: scripts ask for them.

use muslin::cloth::{Damping, FABRICS, Material, TetherChoice};
use muslin::solver::{Cycle, Multilevel, PositionBased, RadialMatching, ShapeMatching, SolverConfig};

use super::gpu_scenes::{self, for_gpu};
use super::scenes::{Fall, Scene, Tiling};
use super::swing;

/// A bench: one or more scenes under a name.
pub struct Bench {
    pub name: &'static str,
    pub description: &'static str,
    /// On the CPU.
    pub scenes: fn() -> Vec<Scene>,
    /// On a GPU; given whether the largest sizes are wanted too.
    pub gpu_scenes: fn(bool) -> Vec<Scene>,
}

/// All benches, in the order in which they run.
pub const BENCHES: [Bench; 20] = [
    Bench {
        name: "hanging",
        description: "5 m cloth of 20,402 triangles hanging from two corners, 5 ms steps, at rest",
        scenes: || vec![Scene::hanging("hanging", ShapeMatching::default())],
        gpu_scenes: |_| vec![for_gpu(Scene::hanging("hanging", ShapeMatching::default()))],
    },
    Bench {
        name: "hanging-tethered",
        description: "the same with tethers to the pins",
        scenes: || vec![tethered()],
        gpu_scenes: |_| vec![for_gpu(tethered())],
    },
    Bench {
        name: "hanging-sawtooth",
        description: "the same without tethers, levels worked on only on the way up, with one and two substeps",
        scenes: || vec![sawtooth(1), sawtooth(2)],
        gpu_scenes: |_| vec![sawtooth(1), sawtooth(2)],
    },
    Bench {
        name: "hanging-paper",
        description: "the same without tethers, with the V-cycle as printed in [Bender2013]",
        scenes: || vec![Scene::hanging("hanging-paper", ShapeMatching::paper())],
        gpu_scenes: none,
    },
    Bench {
        name: "hanging-gather",
        description: "the same without tethers, with regions averaged per vertex as on a GPU",
        scenes: || vec![Scene::hanging("hanging-gather", ShapeMatching::averaged())],
        gpu_scenes: |_| vec![Scene::hanging("hanging-gather", ShapeMatching::averaged())],
    },
    Bench {
        name: "scaling",
        description: "hanging, irregular meshes of 10,000 to 200,000 triangles, one and all threads; 100,000 to 1,000,000 on a GPU, 4,000,000 with --large",
        scenes: scaling,
        gpu_scenes: gpu_scenes::scaling,
    },
    Bench {
        name: "table1",
        description: "the three sizes of [Bender2013] table 1, bending and damping, default and printed V-cycle",
        scenes: table1,
        gpu_scenes: |_| gpu_scenes::table1(table1()),
    },
    Bench {
        name: "parity",
        description: "a small hanging cloth, regions averaged per vertex: to compare CPU and GPU",
        scenes: || vec![parity()],
        gpu_scenes: |_| vec![parity()],
    },
    Bench {
        name: "position-based",
        description: "hanging by position-based dynamics: iterations, substeps; on a GPU by colours and averaged",
        scenes: position_based,
        gpu_scenes: |_| gpu_scenes::position_based(),
    },
    Bench {
        name: "radial-matching",
        description: "hanging by radial shape matching, in 1 to 50 substeps",
        scenes: radial_matching,
        gpu_scenes: none,
    },
    Bench {
        name: "multilevel",
        description: "hanging, a mesh of 2,592 triangles with a grid of 10,000 and 40,000 particles [Schmitt2013]",
        scenes: multilevel,
        gpu_scenes: none,
    },
    Bench {
        name: "gpu-frames",
        description: "hanging, 1/60 s frames of 1 to 5 substeps, without and with tethers, 20,000 to 1,000,000 triangles (GPU only)",
        scenes: Vec::new,
        gpu_scenes: |_| gpu_scenes::frames(),
    },
    Bench {
        name: "gpu-choices",
        description: "206,664 triangles hanging, 1/60 s frames, the GPU's defaults and what else they could be (GPU only)",
        scenes: Vec::new,
        gpu_scenes: |_| gpu_scenes::choices(),
    },
    Bench {
        name: "fabrics",
        description: "1 m of each fabric hanging from two corners, 1/60 s steps in 3 substeps, at rest",
        scenes: fabrics,
        gpu_scenes: none,
    },
    Bench {
        name: "swing",
        description: "2 m cloth of 2,500 triangles swings from one edge for ten seconds, beside an exact chain: every solver",
        scenes: swing::scenes,
        gpu_scenes: |_| swing::gpu_scenes(),
    },
    Bench {
        name: "swing-5m",
        description: "the cloth of 'hanging' swings from one edge for three seconds, 5 ms steps, 1 to 10 substeps",
        scenes: swing::large_scenes,
        gpu_scenes: none,
    },
    Bench {
        name: "collision-drape",
        description: "2 m cloths of 20,402 (with one and two substeps) and 100,352 triangles fall over a ball, 5 ms steps, two seconds",
        scenes: || {
            let finer = Scene { substeps: 2, ..Scene::drape(101, 0) };
            vec![Scene::drape(101, 0), finer, Scene::drape(224, 0)]
        },
        gpu_scenes: none,
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
        gpu_scenes: none,
    },
    Bench {
        name: "collision-drape-rest",
        description: "the same after two seconds with damped motion",
        scenes: || vec![Scene::drape(101, 400), Scene::drape(224, 400)],
        gpu_scenes: none,
    },
    Bench {
        name: "collision-stack",
        description: "ten cloths of 2,048 triangles fall on a ball of 0.3 m above a floor, 5 ms steps, one second",
        scenes: || {
            let fall = Some(Fall { ball: 0.3, cloths: 10 });
            let (tiling, side, steps) = (Tiling::Grid { cells: 32 }, 1.0, 200);
            vec![Scene { name: "collision-stack".into(), tiling, side, fall, steps, ..Scene::drape(32, 0) }]
        },
        gpu_scenes: none,
    },
];

impl Bench {
    /// The back ends that it runs on.
    pub fn backends(&self) -> Vec<&'static str> {
        let all = [("cpu", (self.scenes)().len()), ("gpu", (self.gpu_scenes)(false).len())];
        all.into_iter().filter(|(_, scenes)| *scenes > 0).map(|(name, _)| name).collect()
    }
}

/// Not on a GPU.
fn none(_: bool) -> Vec<Scene> {
    Vec::new()
}

fn tethered() -> Scene {
    let hanging = Scene::hanging("hanging-tethered", ShapeMatching::default());
    Scene { tethers: TetherChoice::Auto, ..hanging }
}

fn sawtooth(substeps: u32) -> Scene {
    let hanging = Scene::hanging("hanging-sawtooth", ShapeMatching::default());
    let solver = ShapeMatching { cycle: Cycle::Sawtooth, ..hanging.solver };
    Scene { solver, substeps, ..hanging }
}

/// The iterations and substeps at which `docs/performance.md` has figures of the library PositionBasedDynamics.
fn position_based() -> Vec<Scene> {
    let scene = |(substeps, iterations)| {
        let solver = PositionBased { iterations, ..PositionBased::default() };
        let other = Some(SolverConfig::PositionBased(solver));
        Scene { other, substeps, ..Scene::hanging("position-based", ShapeMatching::default()) }
    };
    [(1, 5), (1, 20), (10, 1), (20, 1)].map(scene).into()
}

fn radial_matching() -> Vec<Scene> {
    let scene = |substeps| {
        let other = Some(SolverConfig::RadialMatching(RadialMatching::default()));
        Scene { other, substeps, ..Scene::hanging("radial-matching", ShapeMatching::default()) }
    };
    [1, 10, 50].map(scene).into()
}

fn multilevel() -> Vec<Scene> {
    let scene = |particles| {
        let other = Some(SolverConfig::Multilevel(Multilevel { particles, ..Multilevel::default() }));
        let hanging = Scene::hanging("multilevel", ShapeMatching::default());
        Scene { tiling: Tiling::Grid { cells: 36 }, other, ..hanging }
    };
    [10_000, 40_000].map(scene).into()
}

fn parity() -> Scene {
    Scene { tiling: Tiling::Grid { cells: 32 }, ..Scene::hanging("parity", ShapeMatching::averaged()) }
}

/// Five levels bring small meshes to rest in these steps, but not the large ones, whose strain
/// still grows. Time per step hardly depends on it.
fn scaling() -> Vec<Scene> {
    let scene = |triangles| Scene {
        tiling: Tiling::Irregular { triangles },
        threads: vec![1, 0],
        steps: 200,
        ..Scene::hanging("scaling", ShapeMatching::default())
    };
    [10_000, 20_000, 50_000, 100_000, 200_000].map(scene).into()
}

/// The paper's models are not public, their sizes are. Strains are not those at rest.
fn table1() -> Vec<Scene> {
    let sized = |triangles, form| Scene {
        tiling: Tiling::Irregular { triangles },
        material: Material {
            bending: 1e-5,
            damping: Damping::Deformation { rate: 2.0 },
            ..Material::default()
        },
        relax: 100,
        steps: 100,
        ..Scene::hanging("table1", form)
    };
    let models = [(32_467, 0.5), (124_017, 0.5), (206_664, 0.25)];
    let scene = |form: ShapeMatching| {
        models.map(|(triangles, removal)| {
            let mut scene = sized(triangles, form.clone());
            scene.solver.hierarchy.removal = removal;
            scene
        })
    };
    [ShapeMatching::default(), ShapeMatching::paper()].into_iter().flat_map(scene).collect()
}

/// Real fabrics are too soft to hang 5 m of them.
fn fabrics() -> Vec<Scene> {
    let scene = |fabric: &muslin::cloth::Fabric| Scene {
        tiling: Tiling::Grid { cells: 50 },
        side: 1.0,
        material: fabric.material(),
        time_step: 1.0 / 60.0,
        substeps: 3,
        ..Scene::hanging(&format!("fabrics-{}", fabric.name), ShapeMatching::default())
    };
    FABRICS.iter().map(scene).collect()
}
