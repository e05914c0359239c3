//! Figure 6: time per step of the linear-system method, for the paper's five sizes and two beyond.

use muslin::solver::ImpulseMethod;
use muslin_render::plot::{Axis, Series};

use super::measured::Run;
use super::model::{self, EXACT, size};
use super::{REAL_TIME, per_cent};
use crate::{Error, Options, Progress, Report};

/// Particles along a side, steps, and what the text says in words, in times of real time.
const CASES: [(usize, u32, Option<f64>); 7] = [
    (10, 500, Some(0.25)),
    (20, 500, Some(4.0)),
    (30, 500, None),
    (40, 500, None),
    (50, 500, None),
    (100, 60, None),
    (200, 8, None),
];

/// The exponent is fitted to sizes from this on: a smaller system is mostly overhead.
const FITTED_FROM: usize = 20;

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let cases = if options.quick { &CASES[..3] } else { &CASES[..] };
    let (mut points, mut factorising) = (Vec::new(), Vec::new());
    for &(side, steps, said) in cases {
        let label = size(side);
        progress(&label);
        let mut run = Run::new(model::swinging(side, model::method(ImpulseMethod::LinearSystem, EXACT))?);
        run.steps(if options.quick { 12 } else { steps })?;
        let printed = said.map(|times| (10.0 * times * REAL_TIME).round() / 10.0).filter(|_| !options.quick);
        report.row(format!("{label}, ms per step"), printed, run.milliseconds(), "ms");
        report.row(format!("{label}, largest strain"), None, 100.0 * run.largest, "%");
        report.row(format!("{label}, global strain"), None, 100.0 * run.global(), "%");
        report.row(format!("{label}, factorisations"), None, run.factorisations(), "per step");
        report.row(format!("{label}, solutions"), None, run.passes() + run.velocity_passes(), "per step");
        report.row(format!("{label}, degenerate"), None, run.degenerate(), "per step");
        report.row(format!("{label}, unsatisfied"), None, 100.0 * run.unsatisfied(), "% of steps");
        points.push([side as f64, run.milliseconds()]);
        if let Some(time) = run.factorising() {
            report.row(format!("{label}, ms per factorisation"), None, time, "ms");
            if side >= FITTED_FROM {
                factorising.push([model::constraints(side).len() as f64, time]);
            }
        }
    }
    if factorising.len() > 1 {
        let exponent = growth_exponent(&factorising);
        report.row("growth exponent of a factorisation's time", None, exponent, "in constraints");
    }
    report.note(
        "The paper prints no numbers for this figure. Its text says: 10×10 'about four times faster than real-time', \
         20×20 'four times slower'; real time is 33.3 ms, and these stand above in ms. 100×100 (60 steps) and 200×200 (8 \
         steps: it has only begun to fall) are ours; all others are averages of 500 steps, as in the paper.",
    );
    report.note(format!(
        "Other hardware: the paper's figures are from a Core 2 Quad at 2.4 GHz (2009); ours are from the machine this ran \
         on, on one thread. The tolerance is {}. A factorisation's time is that of the whole stage, with solutions, \
         divided by the number of factorisations: the median of steps without degenerate systems. The paper's dense \
         solution grows with the third power of the number of constraints.",
        per_cent(EXACT)
    ));
    let line = [points[0][0], points[points.len() - 1][0]].map(|side| [side, REAL_TIME]).to_vec();
    let axes = [Axis::logarithmic("particles along a side"), Axis::logarithmic("time per step, ms")];
    report.plot(
        "",
        "Linear system: time per step",
        axes,
        vec![
            Series { name: "linear system".into(), points, dashed: false, colour: 0 },
            Series { name: "real time".into(), points: line, dashed: true, colour: 6 },
        ],
    );
    Ok(())
}

/// The slope of ln y over ln x, by least squares.
fn growth_exponent(points: &[[f64; 2]]) -> f64 {
    let logs: Vec<[f64; 2]> = points.iter().map(|p| p.map(f64::ln)).collect();
    let mean = |k: usize| logs.iter().map(|p| p[k]).sum::<f64>() / logs.len() as f64;
    let (x, y) = (mean(0), mean(1));
    let both: f64 = logs.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    both / logs.iter().map(|p| (p[0] - x).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_power_is_found() {
        let points = [1.0f64, 2.0, 5.0, 9.0].map(|x| [x, 3.0 * x.powf(1.5)]);
        assert!((growth_exponent(&points) - 1.5).abs() < 1e-12);
    }
}
