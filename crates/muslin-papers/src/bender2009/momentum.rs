//! §3.2: "In order to satisfy the conservation of momentum two impulses p and −p …": what a free cloth keeps of its
//! momentum over 10,000 steps.

use glam::Vec3;
use muslin::solver::ImpulseMethod;

use super::measured::Run;
use super::model::{self, EXACT, Held};
use crate::{Error, Options, Progress, Report};

const ITERATIVE: f64 = 0.001;

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (side, steps) = if options.quick { (10, 100) } else { (20, 10_000) };
    let methods = [
        ("iterative", ImpulseMethod::Iterative, ITERATIVE),
        ("linear system", ImpulseMethod::LinearSystem, EXACT),
    ];
    for (name, method, tolerance) in methods {
        progress(name);
        let mut simulation = model::still(side, Held::Free, model::method(method, tolerance))?;
        let (positions, mut noise) = (simulation.positions(), model::noise(0));
        let turning = |p: &Vec3| Vec3::new(0.1, 0.2, 0.3) + Vec3::new(0.5, -0.2, 0.4).cross(*p);
        let velocities: Vec<Vec3> = positions.iter().map(|p| turning(p) + 0.3 * noise() * Vec3::Y).collect();
        simulation.set_state(&positions, &velocities)?;
        let (start, energy) = (simulation.momentum(), simulation.energy().kinetic);
        let mut run = Run::new(simulation);
        let (mut linear, mut angular) = (0.0f64, 0.0f64);
        for _ in 0..steps {
            run.step()?;
            let now = run.simulation.momentum();
            linear = linear.max((now.linear - start.linear).length() / start.linear.length());
            angular = angular.max((now.angular - start.angular).length() / start.angular.length());
        }
        let kept = run.simulation.energy().kinetic / energy;
        report.row(format!("{name}, drift of linear momentum"), Some(0.0), linear, "of the start");
        report.row(format!("{name}, drift of angular momentum"), Some(0.0), angular, "of the start");
        report.row(format!("{name}, kinetic energy at the end"), None, kept, "of the start");
        report.row(format!("{name}, largest strain"), None, 100.0 * run.largest, "%");
        report.row(format!("{name}, unsatisfied"), None, 100.0 * run.unsatisfied(), "% of steps");
        report.row(format!("{name}, ms per step"), None, run.milliseconds(), "ms");
    }
    report.note(format!(
        "{side} × {side} particles, free, without gravity, moving, turning and waving; {steps} steps of 1/30 s; tolerance \
         0.1 % (iterative) and 0.0001 % (linear system). Drift is the largest change at any step; the paper says that \
         momentum is conserved, which is the 0 above. Energy goes into dampers."
    ));
    Ok(())
}
