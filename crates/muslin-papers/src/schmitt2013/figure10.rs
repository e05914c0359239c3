//! Figure 10: time per step by the number of levels, with three schemes, at a strain of at most 10 %.

use muslin::solver::multilevel::Scheme;
use muslin_render::plot::{Axis, Series};

use super::STRAIN_LIMIT;
use super::measured::{Run, fewest};
use super::model::{Square, scheme_name};
use crate::{Error, Options, Progress, Report};

const SCHEMES: [Scheme; 3] = [Scheme::Jacobi, Scheme::GaussSeidel, Scheme::Combined];

/// More on every level are not tried.
const MOST: u32 = 128;

/// What the text says of 230,000 particles and six levels: ms, iterations.
fn said(side: usize, levels: u32, scheme: Scheme) -> (Option<f64>, Option<f64>) {
    match (side, levels, scheme) {
        (481, 6, Scheme::GaussSeidel) => (Some(16.6), Some(4.0)),
        (481, 6, Scheme::Combined) => (Some(6.0), Some(21.0)),
        _ => (None, None),
    }
}

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (sides, levels, steps, measured): ([usize; 2], Vec<u32>, _, _) =
        if options.quick { ([33, 49], vec![3, 4], 40, 10) } else { ([225, 481], (2..=8).collect(), 60, 20) };
    for side in sides {
        let mut series = Vec::new();
        for (colour, scheme) in SCHEMES.into_iter().enumerate() {
            let mut points = Vec::new();
            for &levels in &levels {
                let label = format!("{side}×{side}, {levels} levels, {}", scheme_name(scheme));
                progress(&label);
                let start = |iterations: u32| {
                    let mut square = Square::new(side, [(side / 6).max(10); 2]).with_levels(levels, scheme);
                    square.solver.level_iterations = iterations;
                    square.with_iterations(iterations).hanging(options)
                };
                let holds = |iterations: u32| start(iterations)?.holds(STRAIN_LIMIT, 0, steps);
                let Some(iterations) = fewest(MOST, holds)? else { continue };
                let mut run = start(iterations)?;
                run.steps(steps)?;
                rows(report, &label, &run, said(side, levels, scheme), iterations, [steps, measured]);
                points.push([levels.into(), run.time(measured).solver()]);
            }
            series.push(Series { name: scheme_name(scheme).into(), points, dashed: false, colour });
        }
        let axes = [Axis::linear("levels"), Axis::logarithmic("time per step, ms")];
        report.plot(&format!("-{side}"), &format!("{side} × {side} particles at 10 % strain"), axes, series);
    }
    report.note(format!(
        "A square of a metre hangs from two corners, {steps} steps of 1/60 s; the fewest iterations on every level \
         (to within a sixteenth) with which no thread is stretched by more than 10 % after any step; no tethers. Where {MOST} are not enough there is no row. More \
         iterations do not always stretch less: some of them undo compression, which pushes particles apart. Combined: Gauss-Seidel on \
         levels of at most 1,024 particles, Jacobi on the others; the paper's has Jacobi on the finest two. \
         Sides of k 2ⁿ + 1 particles: the held corners are particles of coarse levels too."
    ));
    report.note(format!(
        "Times are medians of the last {measured} steps; the paper's are from a Radeon HD 7850."
    ));
    Ok(())
}

fn rows(
    report: &mut Report,
    label: &str,
    run: &Run,
    (time, paper_iterations): (Option<f64>, Option<f64>),
    iterations: u32,
    [steps, measured]: [usize; 2],
) {
    report.row(format!("{label}, time"), time, run.time(measured).solver(), "ms");
    report.row(format!("{label}, iterations"), paper_iterations, iterations.into(), "per step");
    report.row(format!("{label}, largest stretch"), time.and(Some(10.0)), 100.0 * run.largest(steps), "%");
    report.row(format!("{label}, average strain"), None, 100.0 * run.strain().average, "%");
}
