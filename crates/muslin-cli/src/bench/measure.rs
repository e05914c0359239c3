//! Brings a scene to rest and times its steps.
//!
//! Several numbers of threads are measured in alternating blocks, so that a change of the
//! machine's speed (heat, other work) hits them all alike.

use std::time::Instant;

use glam::Vec3;
use muslin::diagnostics::strain::Strain;
use muslin::diagnostics::timings::{Stage, Timings};
use muslin::solver::SolverState;
use muslin::state::Snapshot;
use muslin::{IntersectionReport, Simulation, World};

use super::machine::{cpu_ms, peak_rss_mib, reset_peak_rss};
use super::record::Record;
use super::scenes::Scene;
use crate::failure::Failure;
use crate::progress::Progress;

/// What velocities are multiplied by after each step that relaxes the cloth.
pub const SLOW_DOWN: f32 = 0.98;
/// Timed steps per block, at the least.
const BLOCK: usize = 50;
/// Untimed steps when a block begins after another configuration's: the caches are filled again, and
/// the system needs some milliseconds until it has spread woken threads over the cores.
const WARM_UP: std::time::Duration = std::time::Duration::from_millis(40);

/// A world with the times of its steps.
struct Run {
    world: World,
    threads: usize,
    ms: Vec<f64>,
    /// CPU time of all threads together, in all timed steps; none where the system does not tell.
    cpu_ms: Option<f64>,
    timings: Vec<Timings>,
}

/// Measures a scene, once per number of threads.
pub fn measure(scene: &Scene, device: &str, progress: &mut Progress) -> Result<Vec<Record>, Failure> {
    reset_peak_rss();
    progress.stage(&format!("{}: building", scene.name));
    let mut runs = build(scene)?;
    let what = format!("{}, {} triangles", scene.name, triangles(&runs[0].world));
    relax(&mut runs, scene.relax, &what, progress)?;
    progress.stage(&format!("{what}: {} timed steps", scene.steps));
    let mut done = 0;
    while done < scene.steps {
        let block = BLOCK.min(scene.steps - done);
        let several = runs.len() > 1;
        for run in &mut runs {
            let start = Instant::now();
            while several && start.elapsed() < WARM_UP {
                run.world.step()?;
            }
            let cpu_before = cpu_ms();
            for _ in 0..block {
                let start = Instant::now();
                run.world.step()?;
                run.ms.push(start.elapsed().as_secs_f64() * 1e3);
                run.timings.push(run.world.report().timings);
            }
            let used = cpu_ms().zip(cpu_before).map(|(after, before)| after - before);
            run.cpu_ms = run.cpu_ms.zip(used).map(|(sum, used)| sum + used);
        }
        done += block;
        progress.update(|| format!("{what}: timed step {done} of {}", scene.steps));
    }
    let peak = peak_rss_mib();
    Ok(runs.into_iter().map(|run| record(scene, run, device, peak)).collect())
}

/// One simulation per number of threads.
fn build(scene: &Scene) -> Result<Vec<Run>, Failure> {
    let cloths = scene.cloths()?;
    let mut runs: Vec<Run> = Vec::new();
    for &wanted in &scene.threads {
        let world = scene.world(&cloths, wanted)?;
        // On a single core "all" is one.
        let threads = world.threads().count();
        if runs.iter().all(|run| run.threads != threads) {
            runs.push(Run { world, threads, ms: Vec::new(), cpu_ms: Some(0.0), timings: Vec::new() });
        }
    }
    Ok(runs)
}

/// Lets the cloth come to rest: steps with falling velocities. All runs end in the same state,
/// because the result of a step does not depend on the number of threads.
fn relax(runs: &mut [Run], steps: usize, what: &str, progress: &mut Progress) -> Result<(), Failure> {
    let Some((last, others)) = runs.split_last_mut() else { return Ok(()) };
    for step in 0..steps {
        last.world.step()?;
        for (_, cloth) in last.world.cloths_mut() {
            slow_down(cloth)?;
        }
        progress.update(|| format!("{what}: relaxing, step {} of {steps}", step + 1));
    }
    let rest: Vec<Snapshot> = last.world.cloths().iter().map(|(_, cloth)| cloth.snapshot()).collect();
    for run in others {
        for ((_, cloth), rest) in run.world.cloths_mut().zip(&rest) {
            cloth.restore(rest)?;
        }
    }
    Ok(())
}

/// Takes a part of the velocities away.
fn slow_down(cloth: &mut Simulation) -> Result<(), Failure> {
    let velocities: Vec<Vec3> = cloth.velocities().iter().map(|&v| v * SLOW_DOWN).collect();
    if cloth.grid_layout().is_none() {
        return Ok(cloth.set_state(&cloth.positions(), &velocities)?);
    }
    // A grid has velocities of its own, and set_state would take its folds away.
    let mut slower = Snapshot { velocities, ..cloth.snapshot() };
    if let Some(SolverState::Grid(fine)) = &mut slower.solver {
        fine.velocities.iter_mut().for_each(|velocity| *velocity *= SLOW_DOWN);
    }
    Ok(cloth.restore(&slower)?)
}

fn record(scene: &Scene, mut run: Run, device: &str, peak_rss_mib: Option<f64>) -> Record {
    let cloths = || run.world.cloths().iter().map(|(_, cloth)| cloth);
    // The worst cloth counts.
    let worst =
        |strain: fn(&Strain) -> f64| cloths().map(|cloth| strain(&cloth.strain())).fold(0.0, f64::max);
    let stage_ms = |stage: Stage| {
        let mut ms: Vec<f64> = run.timings.iter().map(|t| t.get(stage).as_secs_f64() * 1e3).collect();
        quantile(&mut ms, 0.5)
    };
    Record {
        name: scene.name.clone(),
        solver: scene.solver_name(),
        backend: "cpu",
        device: device.to_owned(),
        threads: run.threads,
        triangles: triangles(&run.world),
        total_triangles: cloths().flat_map(Simulation::level_triangles).sum(),
        vertices: cloths().map(|cloth| cloth.shown_mesh().vertices).sum(),
        dt: scene.time_step,
        substeps: scene.substeps,
        steps: run.ms.len(),
        stages: Stage::ALL.iter().map(|&stage| (stage.name(), stage_ms(stage))).collect(),
        ms_per_step_median: quantile(&mut run.ms, 0.5),
        ms_per_step_p95: quantile(&mut run.ms, 0.95),
        cpu_ms_per_step: run.cpu_ms.map(|sum| sum / run.ms.len().max(1) as f64),
        strain_avg: worst(|strain| strain.average),
        strain_max_edge: worst(|strain| strain.max_edge),
        strain_global: cloths().filter_map(|cloth| cloth.strain().global).reduce(f64::max),
        intersections: scene.fall.map(|_| {
            let IntersectionReport { self_intersections, between_cloths, collider_penetrations, .. } =
                run.world.intersections();
            self_intersections + between_cloths + collider_penetrations
        }),
        peak_rss_mib,
        gpu: None,
        swing: None,
    }
}

/// Triangles of all cloths together.
fn triangles(world: &World) -> usize {
    world.cloths().iter().map(|(_, cloth)| cloth.shown_mesh().triangles.len()).sum()
}

/// The value that a fraction of the values does not exceed; 0 without values.
pub fn quantile(values: &mut [f64], fraction: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let rank = (fraction * values.len() as f64).ceil() as usize;
    values.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_are_values_that_occurred() {
        let mut values: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!(quantile(&mut values, 0.5), 10.0);
        assert_eq!(quantile(&mut values, 0.95), 19.0);
        assert_eq!(quantile(&mut [7.0], 0.95), 7.0);
        assert_eq!(quantile(&mut [], 0.5), 0.0);
    }
}
