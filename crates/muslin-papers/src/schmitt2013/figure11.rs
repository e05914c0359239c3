//! Figure 11: what levels are worth. 100 × 100 particles at 100 steps per second with 1, 3 and 4 levels, and with all
//! that there can be.
//!
//! The paper gives neither the size of its cloth nor the number of iterations, and strain depends on both: in a step
//! gravity adds g h², which is less of a larger cloth. Ours takes 20 iterations on every level, and is as wide as makes a
//! single level stretch as far as the paper's, by 60 %.

use glam::Vec3;
use muslin::solver::multilevel::Scheme;
use muslin_render::{Bounds, Camera};

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

/// On every level.
const ITERATIONS: u32 = 20;

pub(super) fn run(options: &Options, progress: Progress) -> Result<Report, Error> {
    let mut report = Report::new("schmitt2013-figure11", PAPER);
    let (side, steps, measured, size) = if options.quick { (49, 60, 20, 120) } else { (100, 300, 100, 420) };
    let start = |levels: u32, width: f32| {
        let square = Square::of_width(width, side, [(side / 4).max(10); 2]).with_levels(levels, Scheme::Combined);
        let mut square = Square { time_step: 0.01, ..square }.with_iterations(ITERATIONS);
        square.solver.level_iterations = ITERATIONS;
        square.hanging(options)
    };
    progress("the width of the cloth");
    let width = narrowest(|width| {
        let mut run = start(1, width)?;
        run.steps(steps)?;
        Ok(run.largest(measured) <= 0.6)
    })?;
    report.row("width", None, width.into(), "m");
    let mut pictures = Vec::new();
    for (levels, time, strain) in PRINTED {
        let (time, strain) = if options.quick { (None, None) } else { (time, strain) };
        let mut run = start(levels, width)?;
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
        let (low, high) = (Vec3::new(0.02, -0.12, -0.05), Vec3::new(0.98, 1.0, 0.05));
        let bounds = Bounds { min: width * low, max: width * high };
        let camera = Camera::framing_from(&bounds, Vec3::new(0.25, 0.0, 1.0), Vec3::Y, 1.0);
        pictures.push(draw::picture(vec![draw::chequered(run.cloth(), 0.1 * width)?], |_| camera, size)?);
    }
    report.note(format!(
        "{side} × {side} particles, held at two corners, 100 steps per second, {:.1} s; strain of the last {measured} steps. \
         {ITERATIONS} iterations on every level, and a cloth as wide as lets a single level be stretched by 60 % at the \
         most, as the paper's is: then the other levels can be compared. The pictures show 1, 3, 4 and all levels.",
        steps as f64 / 100.0
    ));
    report.note("Times of the paper are from a Radeon HD 7850.");
    report.pictures.push(("schmitt2013-figure11".into(), side_by_side(&pictures, 4)));
    Ok(report)
}

/// The narrowest cloth for which something holds, to within a few per cent, metres.
fn narrowest(mut holds: impl FnMut(f32) -> Result<bool, Error>) -> Result<f32, Error> {
    let (mut narrow, mut wide) = (0.25f32, 64.0f32);
    for _ in 0..8 {
        let between = (narrow * wide).sqrt();
        if holds(between)? { wide = between } else { narrow = between }
    }
    Ok(wide)
}
