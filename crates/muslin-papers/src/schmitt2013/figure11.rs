//! Figure 11: what levels are worth. 100 × 100 particles at 100 steps per second with 1, 3 and 4 levels, and with all
//! that there can be.
//!
//! The paper gives no number of iterations. Ours is the one with which a single level is stretched as far as the
//! paper's, by 60 %: all levels get it.

use glam::Vec3;
use muslin::solver::multilevel::Scheme;
use muslin_render::{Bounds, Camera};

use super::measured::fewest;
use super::model::Square;
use super::{PAPER, draw};
use crate::report::side_by_side;
use crate::{Error, Options, Progress, Report};

/// Levels, the paper's milliseconds and strain in per cent.
const PRINTED: [(u32, Option<f64>, Option<f64>); 4] = [
    (1, Some(1.0), Some(60.0)),
    (3, Some(1.2), Some(16.0)),
    (4, Some(1.3), Some(8.0)),
    (12, None, None),
];

const MOST: u32 = 512;

pub(super) fn run(options: &Options, progress: Progress) -> Result<Report, Error> {
    let mut report = Report::new("schmitt2013-figure11", PAPER);
    let (side, steps, measured, size) = if options.quick { (33, 60, 20, 120) } else { (100, 300, 100, 420) };
    let start = |levels: u32, iterations: u32| {
        let square = Square::new(side, [(side / 4).max(10); 2]).with_levels(levels, Scheme::Combined);
        let mut square = Square { time_step: 0.01, ..square }.with_iterations(iterations);
        square.solver.level_iterations = iterations;
        square.hanging(options)
    };
    progress("iterations");
    let settled = steps - measured;
    let found = fewest(MOST, |iterations| start(1, iterations)?.holds(0.6, settled, steps))?;
    let iterations = found.unwrap_or(MOST);
    report.row("iterations on every level", None, iterations.into(), "per step");
    let mut pictures = Vec::new();
    for (levels, time, strain) in PRINTED {
        let (time, strain) = if options.quick { (None, None) } else { (time, strain) };
        let mut run = start(levels, iterations)?;
        let there_are = run.cloth().grid_layout().map_or(0, |layout| layout.level_particles.len());
        let label = if levels > 4 { format!("all {there_are} levels") } else { format!("{levels} levels") };
        progress(&label);
        run.steps(steps)?;
        let overall = run.strain();
        report.row(format!("{label}, time"), time, run.time(measured).solver(), "ms");
        report.row(format!("{label}, largest stretch"), strain, 100.0 * run.largest(measured), "%");
        report.row(format!("{label}, average strain"), None, 100.0 * overall.average, "%");
        report.row(
            format!("{label}, global strain"),
            None,
            100.0 * overall.global.unwrap_or(f64::NAN),
            "%",
        );
        let bounds = Bounds { min: Vec3::new(0.05, -0.12, -0.1), max: Vec3::new(0.95, 1.0, 0.1) };
        let camera = Camera::framing_from(&bounds, Vec3::new(0.25, 0.0, 1.0), Vec3::Y, 1.0);
        pictures.push(draw::picture(vec![draw::chequered(run.cloth(), 0.1)?], |_| camera, size)?);
    }
    report.note(format!(
        "{side} × {side} particles, a metre wide, held at two corners (0.9 m apart), 100 steps per second, {:.1} s; strain of the last \
         {measured} steps. {iterations} iterations on every level: as many as let a single level be stretched by 60 % at \
         the most, as the paper's is. The pictures show 1, 3, 4 and all levels.",
        steps as f64 / 100.0
    ));
    report.note("Times of the paper are from a Radeon HD 7850.");
    report.pictures.push(("schmitt2013-figure11".into(), side_by_side(&pictures, 4)));
    Ok(report)
}
