//! Table 2: how the time of a step is divided among its stages.

use muslin::diagnostics::timings::Stage;

use super::Form;
use super::models::{STAGES, mesh, models, simulation, time_steps, timed_steps};
use crate::{Error, Options, Progress, Report};

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    for model in models(options) {
        progress(model.name);
        let mesh = mesh(model.triangles)?;
        let mut simulation = simulation(&mesh, Form::Paper, true, model.removal, 1)?;
        let time = time_steps(&mut simulation, timed_steps(options))?;
        let all: f64 = time.stages.iter().map(|(_, ms)| ms).sum();
        let share = |stage: Stage| {
            let spent: f64 = time.stages.iter().filter(|(s, _)| *s == stage).map(|(_, ms)| ms).sum();
            100.0 * spent / all
        };
        for ((name, stage), printed) in STAGES.into_iter().zip(model.shares) {
            report.row(format!("{}, {name}", model.name), Some(printed), share(stage), "%");
        }
        report.row(format!("{}, transfer between levels", model.name), None, share(Stage::Transfer), "%");
    }
    report.note(format!(
        "Form 'paper' on one core, medians of {} steps per stage, as per cent of the sum of all stages.",
        timed_steps(options)
    ));
    report.note(
        "The paper's five columns add up to 100, so it counts the transfer between levels under another stage; we \
         show it by itself. Its bending is an explicit force, ours a correction of positions, \
         which goes on to coarse levels where the mesh is too fine for its stiffness.",
    );
    Ok(())
}
