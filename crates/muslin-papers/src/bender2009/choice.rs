//! Which method is faster, by size and tolerance: what `method = "auto"` of the impulse solver rests on.
//!
//! Both methods take the steps of the same swing in turn, so that whatever else the machine does falls on both.

use muslin::solver::ImpulseMethod;

use super::measured::Run;
use super::model::{self, size};
use super::per_cent;
use crate::{Error, Options, Progress, Report};

const SIDES: [usize; 7] = [10, 20, 30, 40, 50, 70, 100];
const TOLERANCES: [f64; 6] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];

/// Steps of each method, fewer where all together have taken these many milliseconds.
const STEPS: u32 = 100;
const BUDGET: f64 = 6_000.0;

/// Both methods with one cloth and tolerance.
struct Pair {
    iterative: Run,
    linear: Run,
    /// Whether `auto` is the linear system.
    auto_linear: bool,
}

impl Pair {
    fn measure(side: usize, tolerance: f64, steps: u32) -> Result<Self, Error> {
        let start = |method| -> Result<Run, Error> {
            Ok(Run::new(model::swinging(side, model::method(method, tolerance))?))
        };
        let mut auto = start(ImpulseMethod::Auto)?;
        let mut pair = Self {
            iterative: start(ImpulseMethod::Iterative)?,
            linear: start(ImpulseMethod::LinearSystem)?,
            auto_linear: {
                auto.step()?;
                auto.factorisations() > 0.0
            },
        };
        for _ in 0..steps {
            let mut taken = 0.0;
            for run in [&mut pair.iterative, &mut pair.linear] {
                run.step()?;
                taken += run.milliseconds();
            }
            if taken * f64::from(pair.linear.steps) > BUDGET {
                break;
            }
        }
        Ok(pair)
    }

    /// How many times slower the linear system is.
    fn ratio(&self) -> f64 {
        self.linear.milliseconds() / self.iterative.milliseconds()
    }

    /// How many times slower `auto` is than the faster method.
    fn auto_loses(&self) -> f64 {
        let ratio = if self.auto_linear { self.ratio() } else { 1.0 / self.ratio() };
        ratio.max(1.0)
    }
}

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let sides = if options.quick { &SIDES[..1] } else { &SIDES[..] };
    let steps = if options.quick { 10 } else { STEPS };
    let mut worst = 1.0f64;
    for &side in sides {
        let mut winners = Vec::new();
        for tolerance in TOLERANCES {
            let label = format!("{}, {}", size(side), per_cent(tolerance));
            progress(&label);
            let pair = Pair::measure(side, tolerance, steps)?;
            report.row(format!("{label}, iterative"), None, pair.iterative.milliseconds(), "ms");
            report.row(format!("{label}, linear system"), None, pair.linear.milliseconds(), "ms");
            report.row(format!("{label}, linear system / iterative"), None, pair.ratio(), "times");
            report.row(format!("{label}, auto / faster"), None, pair.auto_loses(), "times");
            for (name, run) in [("iterative", &pair.iterative), ("linear system", &pair.linear)] {
                let label = format!("{label}, {name}, unsatisfied");
                report.row(label, None, 100.0 * run.unsatisfied(), "% of steps");
            }
            report.row(format!("{label}, steps"), None, pair.linear.steps.into(), "");
            worst = worst.max(pair.auto_loses());
            let winner = if pair.ratio() < 1.0 { "linear system" } else { "iterative" };
            winners.push(format!("{} {winner}", per_cent(tolerance)));
        }
        report.note(format!("Faster with {}: {}.", size(side), winners.join(", ")));
    }
    report.row("auto / faster, worst", None, worst, "times");
    report.note(format!(
        "The swing of figure 5 by both methods, whose steps are taken in turn; at most {STEPS} steps, and {:.0} s for all \
         together. One thread of the machine this ran on. 'Unsatisfied' is where 10,000 passes or 60 solutions were \
         not enough.",
        1e-3 * BUDGET
    ));
    Ok(())
}
