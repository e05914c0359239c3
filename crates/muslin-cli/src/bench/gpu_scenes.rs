//! Scenes that are sized for GPUs, and solved as serves GPUs best.

use muslin::cloth::{BendingModel, Damping, Material, TetherChoice, TriangleBending};
use muslin::solver::{Cycle, Order, PositionBased, ShapeMatching, SolverConfig, Variant};

use super::scenes::{Scene, Tiling};

/// Irregular meshes of 100,000 triangles and more.
pub fn scaling(large: bool) -> Vec<Scene> {
    let scene = |triangles| sized(triangles, Scene::hanging("scaling", ShapeMatching::default()));
    let sizes = [100_000, 206_664, 1_000_000].into_iter().chain(large.then_some(4_000_000));
    sizes.map(scene).collect()
}

/// The printed V-cycle has no kernels; in its place is the paper's own GPU form, by itself and with bending and
/// damping. In place of the CPU's defaults are the GPU's.
pub fn table1(scenes: Vec<Scene>) -> Vec<Scene> {
    let gather = |scene: Scene| match scene.solver.variant {
        Variant::Paper => {
            let (variant, order) = (Variant::FullApproximation, Some(Order::Jacobi));
            let solver = ShapeMatching { variant, order, ..scene.solver };
            let full = Scene { solver, ..scene };
            let material = Material { bending: 0.0, damping: Damping::None, ..full.material };
            vec![Scene { name: "table1-bare".into(), material, ..full.clone() }, full]
        }
        _ => vec![for_gpu(scene)],
    };
    scenes.into_iter().flat_map(gather).collect()
}

/// What a game would do: a frame is a step, and its substeps are one submission. From a start that is exactly
/// flat, one that is not, and with tethers.
pub fn frames() -> Vec<Scene> {
    let starts = [(TetherChoice::Off, 0.0), (TetherChoice::Off, 0.01), (TetherChoice::Auto, 0.01)];
    let mut scenes = Vec::new();
    for triangles in [20_000, 206_664, 1_000_000] {
        for (tethers, ripple) in starts {
            for substeps in [1, 2, 3, 5] {
                let hanging = Scene::hanging("gpu-frames", ShapeMatching::default());
                let time_step = 1.0 / 60.0;
                scenes.push(sized(triangles, Scene { tethers, ripple, substeps, time_step, ..hanging }));
            }
        }
    }
    scenes
}

/// Ways to solve, each with 2 to 6 substeps, from a rippled start and without tethers: to compare what equal
/// strain costs.
pub fn choices() -> Vec<Scene> {
    type Change = fn(&mut ShapeMatching);
    let choices: [(&str, Change); 11] = [
        ("default", |_| {}),
        ("edge passes 1", |s| s.edge_passes = 1),
        ("edge passes 3", |s| s.edge_passes = 3),
        ("coarse passes 1", |s| s.coarse_passes = 1),
        ("coarse passes 4", |s| s.coarse_passes = 4),
        ("over-relaxation 1", |s| s.over_relaxation = 1.0),
        ("over-relaxation 3.5", |s| s.over_relaxation = 3.5),
        ("half levels, coarse passes 1", |s| (s.hierarchy.removal, s.coarse_passes) = (0.5, 1)),
        ("V-cycle", |s| s.cycle = Cycle::V),
        ("two cycles", |s| s.cycles = 2),
        ("gather", |s| (s.order, s.over_relaxation) = (Some(Order::Jacobi), 1.8)),
    ];
    let mut scenes = Vec::new();
    for (name, change) in choices {
        for substeps in [2, 3, 4, 6] {
            let hanging = Scene::hanging(&format!("gpu-choices: {name}"), ShapeMatching::default());
            let (time_step, ripple) = (1.0 / 60.0, 0.01);
            let mut scene = sized(206_664, Scene { substeps, time_step, ripple, ..hanging });
            change(&mut scene.solver);
            scenes.push(scene);
        }
    }
    scenes
}

/// Constraints by colours and averaged, with one iteration in many substeps, and with many in one; against stretch
/// alone, and with triangle bending.
pub fn position_based() -> Vec<Scene> {
    let orders = [(Order::GaussSeidel, 1.0), (Order::Jacobi, 1.0), (Order::Jacobi, 1.9)];
    let efforts = [(1, 20), (5, 1), (10, 1), (20, 1), (40, 1)];
    let triangle_bending = BendingModel::Triangle(TriangleBending::default());
    let mut scenes = Vec::new();
    for (triangles, bending_model) in
        [(20_000, BendingModel::Quadratic), (20_000, triangle_bending), (206_664, BendingModel::Quadratic)]
    {
        for (order, over_relaxation) in orders {
            for (substeps, iterations) in efforts {
                let solver = PositionBased { order, over_relaxation, iterations, ..PositionBased::default() };
                let bends = if bending_model == triangle_bending { ", bending" } else { "" };
                let name =
                    format!("position-based{bends}, factor {over_relaxation}, iterations {iterations}");
                let hanging = Scene::hanging(&name, ShapeMatching::default());
                let other = Some(SolverConfig::PositionBased(solver));
                let tiling = Tiling::Irregular { triangles };
                let material = Material { bending_model, ..hanging.material };
                scenes.push(Scene { tiling, other, substeps, material, ..hanging });
            }
        }
    }
    scenes
}

/// A scene with so many triangles, with the GPU's defaults.
pub fn sized(triangles: usize, scene: Scene) -> Scene {
    for_gpu(Scene { tiling: Tiling::Irregular { triangles }, ..scene })
}

/// A scene with the GPU's defaults.
pub fn for_gpu(scene: Scene) -> Scene {
    let solver = ShapeMatching { variant: scene.solver.variant, ..ShapeMatching::for_gpu() };
    Scene { solver, ..scene }
}
