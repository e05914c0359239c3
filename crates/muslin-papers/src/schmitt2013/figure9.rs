//! Figure 9: Jacobi and Gauss-Seidel without a hierarchy. Left: iterations that hold a strain of 10 %, and the time they
//! take; right: the time of one iteration.

use muslin::solver::Multilevel;
use muslin::solver::multilevel::Scheme;
use muslin_render::plot::{Axis, Series};

use super::STRAIN_LIMIT;
use super::measured::{Run, fewest};
use super::model::Square;
use crate::{Error, Options, Progress, Report};

/// More are not tried on the CPU, and on a GPU.
const MOST: [u32; 2] = [2048, 8192];

/// A way to iterate.
struct Way {
    name: &'static str,
    scheme: Scheme,
    /// `None`: ours.
    over_relaxation: Option<f32>,
}

/// The paper averages; we go farther than the average.
const WAYS: [Way; 3] = [
    Way { name: "Jacobi", scheme: Scheme::Jacobi, over_relaxation: None },
    Way { name: "Gauss-Seidel", scheme: Scheme::GaussSeidel, over_relaxation: None },
    Way { name: "Jacobi (as printed)", scheme: Scheme::Jacobi, over_relaxation: Some(1.0) },
];

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (sides, steps, measured): (&[usize], _, _) =
        if options.quick { (&[12, 20], 60, 10) } else { (&[20, 40, 60, 80, 100], 90, 30) };
    let most = MOST[usize::from(options.gpu.is_some())];
    let mut plots: [Vec<Series>; 3] = Default::default();
    for (colour, way) in WAYS.iter().enumerate() {
        let mut points: [Vec<[f64; 2]>; 3] = Default::default();
        for &side in sides {
            let label = format!("{side}×{side}, {}", way.name);
            progress(&label);
            let start = |iterations: u32| {
                let mut square = Square::new(side, [(side / 4).max(10); 2]).with_levels(1, way.scheme);
                let ours = square.solver.over_relaxation;
                square.solver.over_relaxation = way.over_relaxation.unwrap_or(ours);
                square.with_iterations(iterations).hanging(options)
            };
            let single = single_iteration(&start)?;
            report.row(format!("{label}, one iteration"), None, 1e3 * single, "µs");
            points[2].push([side as f64, 1e3 * single]);
            let holds = |iterations: u32| start(iterations)?.holds(STRAIN_LIMIT, 0, steps);
            let Some(iterations) = fewest(most, holds)? else { continue };
            let mut run = start(iterations)?;
            run.steps(steps)?;
            rows(report, &label, &run, iterations, steps, measured);
            points[0].push([side as f64, iterations.into()]);
            points[1].push([side as f64, run.time(measured).solver()]);
        }
        for (plot, points) in plots.iter_mut().zip(points) {
            plot.push(Series {
                name: way.name.into(),
                points,
                dashed: way.over_relaxation.is_some(),
                colour,
            });
        }
    }
    notes(report, steps, measured, most);
    draw(report, plots);
    Ok(())
}

/// Milliseconds: what more iterations take more.
fn single_iteration<'a>(start: &impl Fn(u32) -> Result<Run<'a>, Error>) -> Result<f64, Error> {
    let (few, many) = (8, 72);
    let time = |iterations: u32| {
        let mut run = start(iterations)?;
        run.steps(24)?;
        Ok::<f64, Error>(run.time(20).grid)
    };
    Ok((time(many)? - time(few)?) / f64::from(many - few))
}

fn rows(report: &mut Report, label: &str, run: &Run, iterations: u32, steps: usize, measured: usize) {
    let strain = run.strain();
    report.row(format!("{label}, iterations for 10 %"), None, iterations.into(), "per step");
    report.row(format!("{label}, time"), None, run.time(measured).solver(), "ms");
    report.row(format!("{label}, largest stretch"), None, 100.0 * run.largest(steps), "%");
    report.row(format!("{label}, average strain"), None, 100.0 * strain.average, "%");
}

fn notes(report: &mut Report, steps: usize, measured: usize, most: u32) {
    report.note(format!(
        "The paper prints curves without numbers. Ours: a square of a metre hangs from two corners, {steps} steps of \
         1/60 s; the fewest iterations (to within a sixteenth) with which no thread is stretched by more than 10 % after \
         any step. Times are medians of the last {measured} steps. One iteration: the difference of 72 and 8, by 64. \
         Where {most} iterations are not enough there is a row for the single iteration only."
    ));
    report.note(format!(
        "'(as printed)': corrections are averaged; ours go {} times as far as the average. Gauss-Seidel is not \
         over-relaxed.",
        Multilevel::default().over_relaxation
    ));
}

fn draw(report: &mut Report, plots: [Vec<Series>; 3]) {
    let [iterations, times, single] = plots;
    let texts = [
        ("iterations", "Iterations that hold 10 % strain, without a hierarchy", "iterations per step"),
        ("time", "Time per step at 10 % strain, without a hierarchy", "time per step, ms"),
        ("single", "One iteration", "time, µs"),
    ];
    for (series, (name, title, label)) in [iterations, times, single].into_iter().zip(texts) {
        let axes = [Axis::linear("particles along a side"), Axis::logarithmic(label)];
        report.plot(&format!("-{name}"), title, axes, series);
    }
}
