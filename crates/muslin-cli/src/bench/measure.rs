//! Brings a scene to rest and times its steps.
//!
//! Several numbers of threads are measured in alternating blocks, so that a change of the
//! machine's speed (heat, other work) hits them all alike.

use std::time::Instant;

use glam::Vec3;
use muslin::diagnostics::timings::{Stage, Timings};
use muslin::{Simulation, StepReport};

use super::machine::{peak_rss_mib, reset_peak_rss};
use super::record::Record;
use super::scenes::Scene;
use crate::failure::Failure;
use crate::progress::Progress;

/// What velocities are multiplied by after each step that relaxes the cloth.
const SLOW_DOWN: f32 = 0.98;
/// Timed steps per block, at the least.
const BLOCK: usize = 50;
/// Untimed steps when a block begins after another configuration's: the caches are filled again, and
/// the system needs some milliseconds until it has spread woken threads over the cores.
const WARM_UP: std::time::Duration = std::time::Duration::from_millis(40);

/// A simulation with the times of its steps.
struct Run {
    simulation: Simulation,
    threads: usize,
    ms: Vec<f64>,
    timings: Vec<Timings>,
}

/// Measures a scene, once per number of threads.
pub fn measure(scene: &Scene, device: &str, progress: &mut Progress) -> Result<Vec<Record>, Failure> {
    reset_peak_rss();
    progress.stage(&format!("{}: building", scene.name));
    let mut runs = build(scene)?;
    let what = format!("{}, {} triangles", scene.name, runs[0].simulation.cloth().triangles().len());
    relax(&mut runs, scene.relax, &what, progress)?;
    progress.stage(&format!("{what}: {} timed steps", scene.steps));
    let mut done = 0;
    while done < scene.steps {
        let block = BLOCK.min(scene.steps - done);
        let several = runs.len() > 1;
        for run in &mut runs {
            let start = Instant::now();
            while several && start.elapsed() < WARM_UP {
                run.simulation.step()?;
            }
            for _ in 0..block {
                let start = Instant::now();
                let StepReport { timings, .. } = run.simulation.step()?;
                run.ms.push(start.elapsed().as_secs_f64() * 1e3);
                run.timings.push(timings);
            }
        }
        done += block;
        progress.update(|| format!("{what}: timed step {done} of {}", scene.steps));
    }
    let peak = peak_rss_mib();
    Ok(runs.into_iter().map(|run| record(scene, run, device, peak)).collect())
}

/// One simulation per number of threads.
fn build(scene: &Scene) -> Result<Vec<Run>, Failure> {
    let cloth = scene.cloth()?;
    let mut runs: Vec<Run> = Vec::new();
    for &wanted in &scene.threads {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if wanted == 0 { all } else { wanted };
        // On a single core "all" is one.
        if runs.iter().all(|run| run.threads != threads) {
            let simulation = scene.simulation(cloth.clone(), threads)?;
            runs.push(Run { simulation, threads, ms: Vec::new(), timings: Vec::new() });
        }
    }
    Ok(runs)
}

/// Lets the cloth come to rest: steps with falling velocities. All runs end in the same state,
/// because the result of a step does not depend on the number of threads.
fn relax(runs: &mut [Run], steps: usize, what: &str, progress: &mut Progress) -> Result<(), Failure> {
    let Some((last, others)) = runs.split_last_mut() else { return Ok(()) };
    for step in 0..steps {
        let simulation = &mut last.simulation;
        simulation.step()?;
        let velocities: Vec<Vec3> = simulation.velocities().iter().map(|&v| v * SLOW_DOWN).collect();
        simulation.set_state(&simulation.positions(), &velocities)?;
        progress.update(|| format!("{what}: relaxing, step {} of {steps}", step + 1));
    }
    let rest = last.simulation.snapshot();
    others.iter_mut().try_for_each(|run| run.simulation.restore(&rest))?;
    Ok(())
}

fn record(scene: &Scene, mut run: Run, device: &str, peak_rss_mib: Option<f64>) -> Record {
    let strain = run.simulation.strain();
    let stage_ms = |stage: Stage| {
        let mut ms: Vec<f64> = run.timings.iter().map(|t| t.get(stage).as_secs_f64() * 1e3).collect();
        quantile(&mut ms, 0.5)
    };
    Record {
        name: scene.name.clone(),
        solver: scene.solver(),
        backend: "cpu",
        device: device.to_owned(),
        threads: run.threads,
        triangles: run.simulation.cloth().triangles().len(),
        total_triangles: run.simulation.level_triangles().iter().sum(),
        vertices: run.simulation.cloth().vertex_count(),
        dt: scene.time_step,
        substeps: scene.substeps,
        steps: run.ms.len(),
        stages: Stage::ALL.iter().map(|&stage| (stage.name(), stage_ms(stage))).collect(),
        ms_per_step_median: quantile(&mut run.ms, 0.5),
        ms_per_step_p95: quantile(&mut run.ms, 0.95),
        strain_avg: strain.average,
        strain_max_edge: strain.max_edge,
        strain_global: strain.global,
        peak_rss_mib,
    }
}

/// The value that a fraction of the values does not exceed; 0 without values.
fn quantile(values: &mut [f64], fraction: f64) -> f64 {
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
