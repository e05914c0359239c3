//! Free fall of a grid in single precision, far from the origin and in short steps, on both back ends.

use std::sync::Arc;

use glam::{Vec3, vec3};

use super::gpu;
use super::scenes::{SPACING, Scene};
use crate::gpu::grid::gpu_grid::GpuGrid;
use crate::solver::multilevel::cpu::CpuGrid;
use crate::solver::multilevel::grid::{Grid, GridState, GridStep};

const GRAVITY: f64 = 9.81;
const SIDE: usize = 17;

/// A flat grid without pins, at a height.
fn flat(height: f32) -> Scene {
    let mut scene = Scene::new([SIDE, SIDE], |_, _| true, &[]);
    let place = |texel: usize| SPACING * vec3((texel % SIDE) as f32, 0.0, (texel / SIDE) as f32);
    scene.state = GridState::at_rest((0..SIDE * SIDE).map(|n| place(n) + height * Vec3::Y).collect());
    scene
}

/// How far the particles have fallen, over ½ g t²; with what rounding took from their places, or without.
fn fallen(grid: &mut dyn Grid, scene: &Scene, dt: f64, steps: u32) -> [f64; 2] {
    let mut last_step = 0.0;
    for _ in 0..steps {
        let fall = vec3(0.0, (-0.5 * GRAVITY * dt * (last_step + dt)) as f32, 0.0);
        let told = scene.told(&[]);
        grid.step(&GridStep { dt: dt as f32, fall, bounds: 1e5, farthest: 1.0, ..told }).unwrap();
        last_step = dt;
    }
    let GridState { points, remainders, .. } = grid.read().unwrap();
    let mean = |all: &[Vec3]| all.iter().map(|p| f64::from(p.y)).sum::<f64>() / all.len() as f64;
    let exact = -0.5 * GRAVITY * (dt * f64::from(steps)).powi(2);
    let down = mean(&points) - mean(&scene.state.points);
    [(down + mean(&remainders)) / exact, down / exact]
}

/// A compiler for a GPU that took sums apart would lose the remainders: at a kilometre the last place is 0.06 mm, and the
/// first step of 0.1 ms goes 0.05 µm.
#[test]
fn a_grid_falls_in_single_precision_as_it_should() {
    let gpu = gpu();
    for (height, dt, steps, off) in
        [(0.0, 0.05, 10, 1e-3), (5.0, 1e-4, 500, 1e-3), (1000.0, 1e-4, 500, 1e-3), (1000.0, 1e-5, 1000, 1e-2)]
    {
        let mut scene = flat(height);
        scene.iterations = 2;
        let mut there = GpuGrid::new(&gpu, Arc::new(scene.model.clone()), &scene.state).unwrap();
        let mut here = CpuGrid::new(Arc::new(scene.model.clone()), &scene.state);
        for (name, grid) in [("GPU", &mut there as &mut dyn Grid), ("CPU", &mut here)] {
            let [share, seen] = fallen(grid, &scene, dt, steps);
            println!("{name}, {height} m, {dt} s: {share}, {seen} without remainders");
            assert!((share - 1.0).abs() < off, "{name}, {height} m, {dt} s: {share}");
        }
    }
}
