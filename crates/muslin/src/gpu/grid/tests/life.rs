//! What happens to a grid besides steps: it is kept and brought back, loses particles, and its device.

use std::sync::Arc;

use glam::Vec3;

use super::gpu;
use super::scenes::{SPACING, Scene};
use crate::Error;
use crate::gpu::GpuError;
use crate::gpu::grid::gpu_grid::GpuGrid;
use crate::solver::Order;
use crate::solver::multilevel::cpu::CpuGrid;
use crate::solver::multilevel::grid::{Grid, GridState, Projected};

fn step(grid: &mut dyn Grid, scene: &Scene, numbers: std::ops::Range<usize>) {
    numbers.for_each(|number| scene.step(number, grid).unwrap());
}

fn projected(grid: &mut dyn Grid, scene: &Scene) -> Vec<Projected> {
    let mut vertices = vec![Projected::default(); scene.model.projection.rows()];
    grid.projected(&mut vertices).unwrap();
    vertices
}

/// Everything at once.
fn scene() -> Scene {
    let mut scene = Scene::sewn().relaxed_by(Order::GaussSeidel, 2);
    (scene.has_moves, scene.smoothing, scene.bending) = (true, 0.1, [0.3; 2]);
    scene
}

#[test]
fn two_runs_give_the_same_bits() {
    let (gpu, scene) = (gpu(), scene());
    let run = || {
        let mut grid = GpuGrid::new(&gpu, Arc::new(scene.model.clone()), &scene.state).unwrap();
        step(&mut grid, &scene, 0..10);
        (grid.read().unwrap(), projected(&mut grid, &scene))
    };
    let first = run();
    assert!(first == run());
    assert!(first.0.points != scene.state.points);
}

#[test]
fn what_is_kept_comes_back() {
    let scene = scene();
    let mut grid = GpuGrid::new(&gpu(), Arc::new(scene.model.clone()), &scene.state).unwrap();
    assert!(grid.read().unwrap() == scene.state);
    step(&mut grid, &scene, 0..3);
    grid.keep(1);
    let (kept, vertices) = (grid.read().unwrap(), projected(&mut grid, &scene));
    step(&mut grid, &scene, 3..8);
    let (later, later_vertices) = (grid.read().unwrap(), projected(&mut grid, &scene));
    assert!(later != kept && later_vertices != vertices);
    grid.keep(0);
    grid.bring_back(1);
    assert!(grid.read().unwrap() == kept && projected(&mut grid, &scene) == vertices);
    // What goes on from there is the same, too.
    step(&mut grid, &scene, 3..8);
    assert!(grid.read().unwrap() == later && projected(&mut grid, &scene) == later_vertices);
    step(&mut grid, &scene, 8..9);
    grid.bring_back(0);
    assert!(grid.read().unwrap() == later);
}

#[test]
fn a_coarse_mesh_can_be_read_before_the_first_step_and_after_a_change() {
    let scene = scene();
    let mut grid = GpuGrid::new(&gpu(), Arc::new(scene.model.clone()), &scene.state).unwrap();
    let mut twin = CpuGrid::new(Arc::new(scene.model.clone()), &scene.state);
    let near = |a: Vec<Projected>, b: Vec<Projected>| {
        a.iter().zip(&b).all(|(a, b)| {
            let apart = a.place.distance(b.place).max(a.velocity.distance(b.velocity) / 60.0);
            apart < 1e-3 * SPACING
        })
    };
    assert!(near(projected(&mut grid, &scene), projected(&mut twin, &scene)));
    let points = scene.state.points.iter().map(|place| *place + Vec3::Y).collect();
    let remainders = vec![Vec3::splat(1e-9); scene.state.points.len()];
    let state = GridState { points, remainders, ..scene.state.clone() };
    grid.write(&state);
    twin.write(&state);
    assert!(near(projected(&mut grid, &scene), projected(&mut twin, &scene)));
    // Texels without a particle stay zero.
    assert!(grid.read().unwrap() == twin.read().unwrap());
}

#[test]
fn lost_particles_are_put_back_and_counted() {
    for (lost, number) in [(Vec3::NAN, 1), (Vec3::splat(f32::INFINITY), 5), (Vec3::ZERO, 0)] {
        let mut scene = Scene::square(33);
        for texel in (0..number).map(|n| 200 + 131 * n) {
            scene.state.velocities[texel] = lost;
        }
        let mut grid = GpuGrid::new(&gpu(), Arc::new(scene.model.clone()), &scene.state).unwrap();
        let mut twin = CpuGrid::new(Arc::new(scene.model.clone()), &scene.state);
        let after = |grid: &mut dyn Grid| {
            step(grid, &scene, 0..1);
            let mut vertices = vec![Projected::default(); scene.model.projection.rows()];
            let status = grid.projected(&mut vertices).unwrap();
            (status, grid.read().unwrap())
        };
        let (status, state) = after(&mut grid);
        let (twin_status, twin_state) = after(&mut twin);
        assert_eq!(status.contained, twin_status.contained);
        assert!(status.contained as usize >= number, "{status:?}");
        assert_eq!(status.contained == 0, number == 0);
        assert!((status.strain - twin_status.strain).abs() < 1e-4, "{status:?} {twin_status:?}");
        for (texel, place) in state.points.iter().enumerate() {
            let apart = place.distance(twin_state.points[texel]);
            assert!(apart < 1e-4 * SPACING, "{texel}: {apart}");
        }
        for texel in (0..number).map(|n| 200 + 131 * n) {
            assert_eq!(state.points[texel], scene.state.points[texel]);
        }
        // Everything goes on.
        step(&mut grid, &scene, 1..3);
        let mut vertices = vec![Projected::default(); scene.model.projection.rows()];
        assert_eq!(grid.projected(&mut vertices).unwrap().contained, 0);
        assert!(vertices.iter().all(|vertex| vertex.place.is_finite() && vertex.velocity.is_finite()));
    }
}

#[test]
fn a_lost_device_is_an_error() {
    let (gpu, scene) = (gpu(), Scene::square(33));
    let mut grid = GpuGrid::new(&gpu, Arc::new(scene.model.clone()), &scene.state).unwrap();
    step(&mut grid, &scene, 0..2);
    gpu.break_for_test();
    let mut try_step =
        |number: usize| scene.step(number, &mut grid).and_then(|()| grid.projected(&mut []).map(drop)).err();
    let error = (2..5).find_map(&mut try_step);
    assert!(matches!(error, Some(Error::Gpu(GpuError::Lost { .. }))), "{error:?}");
    // It stays lost, and nothing panics.
    grid.keep(0);
    grid.bring_back(0);
    let error = grid.read().err();
    assert!(matches!(error, Some(Error::Gpu(GpuError::Lost { .. }))), "{error:?}");
}

#[test]
fn a_profile_names_kernels_and_levels() {
    let (gpu, scene) = (gpu(), scene());
    let mut grid = GpuGrid::new(&gpu, Arc::new(scene.model.clone()), &scene.state).unwrap();
    let mut twin = GpuGrid::new(&gpu, Arc::new(scene.model.clone()), &scene.state).unwrap();
    let Some(times) = grid.profile(&scene.moves(0), &scene.told(&scene.held(0))).unwrap() else {
        panic!("this driver has no timestamps");
    };
    step(&mut twin, &scene, 0..1);
    assert!(grid.read().unwrap() == twin.read().unwrap());
    assert!(projected(&mut grid, &scene) == projected(&mut twin, &scene));
    let finest = scene.model.levels.len() - 1;
    let of =
        |kernel: &str, level: usize| times.iter().find(|time| (time.kernel, time.level) == (kernel, level));
    for kernel in [
        "sample",
        "integrate",
        "bend_threads",
        "start",
        "jacobi",
        "stitch_pull",
        "stitch_move",
        "finish_and_measure",
        "project",
    ] {
        let time = of(kernel, finest).unwrap_or_else(|| panic!("{kernel}: {times:?}"));
        assert!(time.microseconds > 0.0 && time.least_bytes > 0, "{time:?}");
    }
    assert!(of("tail", finest - 1).is_some(), "{times:?}");
}
