//! Table 1: where the time of a step goes. A square, held at two corners, over a ball; 50,000 particles, a coarse mesh of
//! 1,296 vertices, five levels, steps of 1/60 s.

use muslin::solver::multilevel::Scheme;

use super::measured::Run;
use super::model::Square;
use crate::{Error, Options, Progress, Report};

/// The paper's milliseconds.
const SAMPLE: f64 = 0.06;
const PROJECT: f64 = 0.02;
const INTEGRATION: f64 = 0.08;
const LEVELS: [f64; 5] = [0.27, 0.31, 0.49, 0.37, 1.62];

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (side, coarse, steps, measured) = if options.quick { (60, 16, 90, 20) } else { (225, 36, 150, 60) };
    for (name, levels) in [("", LEVELS.len() as u32), (" (all levels)", u32::MAX)] {
        progress(if levels == u32::MAX { "all levels" } else { "the paper's levels" });
        let mut square = Square::new(side, [coarse; 2]);
        if levels != u32::MAX {
            square = square.with_levels(levels, Scheme::Combined);
        }
        let mut run = square.over_ball(true, false, options)?;
        run.steps(steps)?;
        rows(report, name, &mut run, measured, name.is_empty() && !options.quick)?;
    }
    report.note(format!(
        "{side} × {side} particles, {coarse} × {coarse} vertices, held at two corners, over a ball of 30 cm; medians of the \
         last {measured} of {steps} steps. Strains of these steps. With all levels there are tethers too, with the paper's \
         five there are none. The paper's times are \
         from a Radeon HD 7850 and leave out collisions, which stand apart here too."
    ));
    if options.gpu.is_none() {
        report.note(
            "On the CPU two times are taken: of sampling, and of all the grid does. Its parts are measured on a GPU \
             (--backend gpu), kernel by kernel.",
        );
    }
    Ok(())
}

fn rows(report: &mut Report, name: &str, run: &mut Run, measured: usize, same: bool) -> Result<(), Error> {
    let said = |paper: f64| same.then(|| (100.0 * paper).round() / 100.0);
    let (time, strain) = (run.time(measured), run.strain());
    let layout = run.cloth().grid_layout().cloned();
    let particles = layout.map(|layout| layout.level_particles).unwrap_or_default();
    report.row(format!("particles{name}"), same.then_some(50_000.0), particles[0] as f64, "");
    report.row(format!("levels{name}"), same.then_some(5.0), particles.len() as f64, "");
    report.row(format!("iterations on the finest level{name}"), None, run.iterations(measured), "per step");
    let levels: f64 = LEVELS.iter().sum();
    match run.tasks()? {
        Some(tasks) => {
            report.row(format!("sample{name}"), said(SAMPLE), tasks.sample, "ms");
            report.row(format!("project{name}"), said(PROJECT), tasks.project, "ms");
            report.row(format!("integration{name}"), said(INTEGRATION), tasks.integration, "ms");
            for (level, ours) in tasks.levels.iter().enumerate() {
                // What is relaxed in one go is compared with the sum.
                let one_go = level + 1 == tasks.in_one_go && level > 0;
                if level + 1 < tasks.in_one_go {
                    continue;
                }
                let levels = if one_go { 0..=level } else { level..=level };
                let paper = LEVELS.get(levels.clone()).filter(|_| same).map(|levels| levels.iter().sum());
                let which = if one_go { format!("levels 0 to {level}") } else { format!("level {level}") };
                report.row(format!("solver, {which}{name}"), paper.and_then(said), *ours, "ms");
            }
            report.row(format!("bending, contacts and strain{name}"), None, tasks.other, "ms");
            report.row(
                format!("all kernels{name}"),
                said(SAMPLE + PROJECT + INTEGRATION + levels),
                tasks.total(),
                "ms",
            );
        }
        None => {
            report.row(format!("sample{name}"), said(SAMPLE), time.sampling, "ms");
            report.row(
                format!("integration, solver and projection{name}"),
                said(PROJECT + INTEGRATION + levels),
                time.grid,
                "ms",
            );
        }
    }
    report.row(
        format!("total, without collisions{name}"),
        said(SAMPLE + PROJECT + INTEGRATION + levels),
        time.solver(),
        "ms",
    );
    report.row(format!("collisions{name}"), None, time.other, "ms");
    report.row(format!("average strain{name}"), None, 100.0 * strain.average, "%");
    report.row(format!("largest stretch{name}"), same.then_some(10.0), 100.0 * run.largest(measured), "%");
    Ok(())
}
