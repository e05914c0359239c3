//! `cargo xtask soak`: the collision scenes of the gallery at full length, from many starts.
//!
//! Options: `--scene NAME` (all), `--runs N` (10), `--frames N` (all). Prints a table in Markdown, worst of all
//! runs; exit code 1 if anything intersects or fails.

#[path = "../tests/gallery/trial.rs"]
mod trial;

use std::process::ExitCode;

use trial::{SCENES, Trial, read};

const USAGE: &str = "usage: soak [--scene NAME] [--runs N] [--frames N]";

struct Options {
    scene: Option<String>,
    runs: u64,
    frames: usize,
}

fn options(mut arguments: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options { scene: None, runs: 10, frames: usize::MAX };
    while let Some(name) = arguments.next() {
        let value = arguments.next()?;
        match name.as_str() {
            "--scene" if SCENES.contains(&value.as_str()) => options.scene = Some(value),
            "--runs" => options.runs = value.parse().ok().filter(|runs| *runs > 0)?,
            "--frames" => options.frames = value.parse().ok().filter(|frames| *frames > 0)?,
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = options(std::env::args().skip(1)) else {
        eprintln!("{USAGE}\nscenes: {}", SCENES.join(", "));
        return ExitCode::from(2);
    };
    println!(
        "| scene | triangles | frames | runs | intersections | mean strain | edge | global | fastest m/s | rms m/s \
         | contacts | divided | ms a step | failed |"
    );
    println!("|{}", " --- |".repeat(14));
    let mut failures = Vec::new();
    for name in
        SCENES.into_iter().filter(|name| options.scene.as_deref().is_none_or(|wanted| wanted == *name))
    {
        soak(name, &options, &mut failures);
    }
    if failures.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!();
    failures.iter().for_each(|failure| println!("- {failure}"));
    ExitCode::FAILURE
}

/// One row: all runs of a scene.
fn soak(name: &str, options: &Options, failures: &mut Vec<String>) {
    let scene = match read(name) {
        Ok(scene) => scene,
        Err(error) => return failures.push(format!("{name}: {error}")),
    };
    let frames = options.frames.min(scene.time.frames as usize);
    let run = |seed| {
        eprintln!("{name}: run {seed} of {}", options.runs);
        Trial::run(&scene, frames, seed)
    };
    let trials: Vec<Trial> = (1..=options.runs).map(run).collect();
    let worst = |figure: fn(&Trial) -> f64| trials.iter().map(figure).fold(0.0, f64::max);
    let mut medians: Vec<f64> = trials.iter().map(Trial::median_milliseconds).collect();
    medians.sort_by(f64::total_cmp);
    println!(
        "| {name} | {} | {} | {} | {} | {:.4} | {:.3} | {:.4} | {:.3} | {:.4} | {} | {} | {:.2} | {} |",
        worst(|t| t.triangles as f64),
        trials.iter().map(|t| t.frames).min().unwrap_or_default(),
        trials.len(),
        trials.iter().map(Trial::intersection_count).sum::<usize>(),
        worst(|t| t.strain_average),
        worst(|t| t.strain_max_edge),
        worst(|t| t.strain_global),
        worst(|t| t.speeds[0].into()),
        worst(|t| t.speeds[1].into()),
        worst(|t| t.contacts as f64),
        worst(|t| t.divisions as f64),
        medians[medians.len() / 2],
        trials.iter().filter(|t| t.failure.is_some()).count(),
    );
    for (trial, seed) in trials.iter().zip(1..) {
        if let Some(failure) = &trial.failure {
            failures.push(format!("{name}, run {seed}: {failure}"));
        }
    }
}
