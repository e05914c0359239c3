//! Brings a scene to rest on a GPU and times its steps: by the wall clock, over many steps that are queued
//! before anything waits, as a program that draws would do it.

use std::collections::BTreeMap;
use std::time::Instant;

use muslin::{Settings, Simulation};

use super::machine::{peak_rss_mib, reset_peak_rss};
use super::measure::{SLOW_DOWN, quantile};
use super::record::{GpuFigures, KernelRecord, Record};
use super::scenes::Scene;
use crate::failure::Failure;
use crate::gpu::{Gpu, GpuSimulation, KernelTime, Profile};
use crate::progress::Progress;

/// Timed blocks; each ends with a wait.
const BLOCKS: usize = 6;
/// Steps that do not count: a GPU that was idle needs a while to reach its clock.
const WARM_UP: std::time::Duration = std::time::Duration::from_millis(400);
const SHORTEST_BLOCK: std::time::Duration = std::time::Duration::from_millis(40);
/// The most short steps in one submission. Frames are never put together.
const TOGETHER: usize = 10;
/// A step that is at least this long is a frame, s.
const FRAME: f64 = 0.01;
/// Submissions between two waits while the cloth comes to rest.
const QUEUED: usize = 20;
/// Substeps whose kernels are timed.
const PROFILED: usize = 9;

/// A GPU and the GB/s of its plain copies.
pub struct Device {
    pub gpu: Gpu,
    pub copy_gb_per_s: f64,
}

/// Measures a scene.
pub fn measure(scene: &Scene, device: &Device, progress: &mut Progress) -> Result<Record, Failure> {
    reset_peak_rss();
    progress.stage(&format!("{}: building", scene.name));
    let together = together(scene);
    let mut simulation = build(scene, together, &device.gpu)?;
    let what = format!("{}, {} triangles", scene.name, simulation.cloth().triangles().len());
    relax(&mut simulation, scene, together, &what, progress)?;
    // How many steps are timed depends on the device; strain is that after a number that does not.
    (0..steps_per_block(scene.steps, together) / together).try_for_each(|_| simulation.step())?;
    let rest = simulation.read_back()?.strain();
    let mut put_back = simulation.report().contained;
    progress.stage(&format!("{what}: timed steps"));
    let (mut ms, in_block) = time(&mut simulation, scene.steps, together)?;
    simulation.read_back()?;
    put_back += simulation.report().contained;
    if put_back > 0 {
        let message = format!("{what}: particles went astray and were put back {put_back} times");
        return Err(Failure::run(message));
    }
    let profile = simulation.profile(PROFILED)?.unwrap_or_default();
    let (median, p95) = (quantile(&mut ms, 0.5), quantile(&mut ms, 0.95));
    let host = simulation.last_read();
    Ok(Record {
        name: scene.name.clone(),
        solver: scene.solver_name(),
        backend: "gpu",
        device: device.gpu.name().to_owned(),
        threads: 1,
        cpu_ms_per_step: None,
        triangles: host.cloth().triangles().len(),
        total_triangles: host.level_triangles().iter().sum(),
        vertices: host.cloth().vertex_count(),
        dt: scene.time_step,
        substeps: scene.substeps,
        steps: ms.len() * in_block,
        ms_per_step_median: median,
        ms_per_step_p95: p95,
        stages: stages(&profile, scene.substeps),
        strain_avg: rest.average,
        strain_max_edge: rest.max_edge,
        strain_global: rest.global,
        intersections: None,
        swing: None,
        peak_rss_mib: peak_rss_mib(),
        gpu: Some(figures(scene, host, simulation.dispatches(), median, (&profile, device.copy_gb_per_s))),
    })
}

/// How many steps go into one submission: a submission costs as much as some dispatches.
fn together(scene: &Scene) -> usize {
    let in_a_block = (scene.steps / BLOCKS).max(1);
    if scene.time_step >= FRAME { 1 } else { TOGETHER.min(in_a_block) }
}

fn steps_per_block(steps: usize, together: usize) -> usize {
    steps.div_ceil(BLOCKS * together).max(1) * together
}

/// Several steps in one submission are substeps of one long step: the same commands.
fn build(scene: &Scene, together: usize, gpu: &Gpu) -> Result<GpuSimulation, Failure> {
    let cloth = scene.cloths()?.swap_remove(0);
    let settings = scene.settings();
    let settings = Settings {
        time_step: settings.time_step * together as f64,
        substeps: settings.substeps * together as u32,
        ..settings
    };
    Ok(GpuSimulation::new(gpu, cloth, settings)?)
}

/// Lets the cloth come to rest, with velocities that fall as fast as in the measurement on the CPU.
fn relax(
    simulation: &mut GpuSimulation,
    scene: &Scene,
    together: usize,
    what: &str,
    progress: &mut Progress,
) -> Result<(), Failure> {
    let kept = SLOW_DOWN.powf(1.0 / scene.substeps as f32);
    let mut left = scene.relax.div_ceil(together);
    while left > 0 {
        let queued = left.min(QUEUED);
        simulation.relax(queued, kept)?;
        simulation.wait()?;
        left -= queued;
        progress.update(|| format!("{what}: relaxing, {} of {} steps left", left * together, scene.relax));
    }
    Ok(())
}

/// Milliseconds per step of each block, after some that warm up, and the steps of a block. Blocks grow until the
/// wait at their end takes no part of their time worth mentioning.
fn time(simulation: &mut GpuSimulation, steps: usize, together: usize) -> Result<(Vec<f64>, usize), Failure> {
    let mut in_block = steps_per_block(steps, together);
    let mut ms = Vec::new();
    let first = Instant::now();
    while ms.len() < BLOCKS {
        let warm = first.elapsed() >= WARM_UP;
        let begin = Instant::now();
        for _ in 0..in_block / together {
            simulation.step()?;
        }
        simulation.wait()?;
        let elapsed = begin.elapsed();
        if warm {
            ms.push(elapsed.as_secs_f64() * 1e3 / in_block as f64);
        } else if elapsed < SHORTEST_BLOCK {
            in_block *= 2;
        }
    }
    Ok((ms, in_block))
}

/// Milliseconds of a step per kernel, over all levels.
fn stages(profile: &Profile, substeps: u32) -> BTreeMap<&'static str, f64> {
    let mut stages = BTreeMap::new();
    for time in profile {
        *stages.entry(time.kernel).or_insert(0.0) += f64::from(substeps) * time.microseconds * 1e-3;
    }
    stages
}

fn figures(
    scene: &Scene,
    host: &Simulation,
    dispatches: usize,
    ms_per_step: f64,
    (profile, copy_gb_per_s): (&Profile, f64),
) -> GpuFigures {
    let kernel = |time: &KernelTime| {
        // Bytes per µs are megabytes per second.
        let gb_per_s = match time.microseconds > 0.0 {
            true => time.least_bytes as f64 / time.microseconds * 1e-3,
            false => 0.0,
        };
        KernelRecord {
            kernel: time.kernel,
            level: time.level,
            microseconds: time.microseconds,
            least_bytes: time.least_bytes,
            gb_per_s,
            share_of_peak: gb_per_s / copy_gb_per_s,
        }
    };
    GpuFigures {
        levels: host.level_triangles().len(),
        removal: if scene.other.is_none() { scene.solver.hierarchy.removal } else { 0.0 },
        tethers: host.cloth().tether_count() > 0,
        dispatches,
        us_per_dispatch: ms_per_step * 1e3 / (dispatches as f64 * f64::from(scene.substeps)),
        kernels: profile.iter().map(kernel).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muslin::solver::ShapeMatching;

    #[test]
    fn blocks_hold_whole_submissions_and_at_least_the_steps_wanted() {
        for (steps, time_step) in [(1, 0.005), (20, 0.005), (300, 0.005), (7, 1.0 / 60.0), (300, 1.0 / 60.0)]
        {
            let scene = Scene { steps, time_step, ..Scene::hanging("test", ShapeMatching::averaged()) };
            let together = together(&scene);
            let block = steps_per_block(steps, together);
            assert!(
                block.is_multiple_of(together) && BLOCKS * block >= steps,
                "{steps}: {block}, {together}"
            );
            assert!(together == 1 || time_step < FRAME);
        }
    }
}
