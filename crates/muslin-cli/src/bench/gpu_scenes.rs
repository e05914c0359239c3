//! Scenes that are sized for GPUs.

use muslin::cloth::TetherChoice;
use muslin::solver::Variant;

use super::scenes::{Scene, Shape};

/// Irregular meshes of 100,000 triangles and more, with as many levels as they need.
pub fn scaling(large: bool) -> Vec<Scene> {
    let scene = |triangles| sized(triangles, Scene::hanging("scaling", Variant::FullApproximation));
    let sizes = [100_000, 206_664, 1_000_000].into_iter().chain(large.then_some(4_000_000));
    sizes.map(scene).collect()
}

/// The printed V-cycle has no kernels; its place is that of the paper's own GPU form.
pub fn table1(scenes: Vec<Scene>) -> Vec<Scene> {
    let gather = |scene: Scene| match scene.variant {
        Variant::Paper => Scene { variant: Variant::Gather, ..scene },
        _ => scene,
    };
    scenes.into_iter().map(gather).collect()
}

/// What a game would do: a frame is a step, and its substeps are one submission.
pub fn frames() -> Vec<Scene> {
    let mut scenes = Vec::new();
    for triangles in [20_000, 206_664, 1_000_000] {
        for tethers in [TetherChoice::Off, TetherChoice::Auto] {
            for substeps in 1..=3 {
                let hanging = Scene::hanging("gpu-frames", Variant::FullApproximation);
                let time_step = 1.0 / 60.0;
                scenes.push(sized(triangles, Scene { tethers, substeps, time_step, ..hanging }));
            }
        }
    }
    scenes
}

/// A scene with so many triangles, and the levels that they need.
fn sized(triangles: usize, scene: Scene) -> Scene {
    Scene { shape: Shape::Irregular { triangles }, levels: None, ..scene }
}
