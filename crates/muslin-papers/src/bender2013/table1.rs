//! Table 1: time per step of three models, on one core and on all.

use super::models::{mesh, models, simulation, time_steps, timed_steps};
use super::{Form, name, suffix};
use crate::{Error, Options, Progress, Report};

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let cores = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    for model in models(options) {
        let mesh = mesh(model.triangles)?;
        for variant in [Form::Paper, Form::Default] {
            let suffix = suffix(variant);
            let mut times = Vec::new();
            for (threads, printed, cores) in
                [(1, model.one_core, "one core"), (cores, model.all_cores, "all cores")]
            {
                progress(&format!("{}, {} variant, {cores}", model.name, name(variant)));
                let mut simulation = simulation(&mesh, variant, true, model.removal, threads)?;
                if variant == Form::Paper && threads == 1 && times.is_empty() {
                    let total: usize = simulation.level_triangles().iter().sum();
                    let label = format!("{}, triangles on all levels", model.name);
                    report.row(label, Some(model.total_triangles as f64), total as f64, "triangles");
                }
                let time = time_steps(&mut simulation, timed_steps(options))?.step;
                let label = format!("{}, {cores}{suffix}", model.name);
                report.row(label, (variant == Form::Paper).then_some(printed), time, "ms");
                times.push(time);
            }
            let label = format!("{}, speed-up{suffix}", model.name);
            // Printed with one decimal.
            let printed = (10.0 * model.one_core / model.all_cores).round() / 10.0;
            report.row(label, (variant == Form::Paper).then_some(printed), times[0] / times[1], "times");
        }
    }
    report.note(format!(
        "Other hardware: the paper's figures are from two Intel X5650 (2.66 GHz, 2010), 12 cores in all; ours are \
         from the machine this ran on, with {cores} threads for 'all cores'. Medians of {} steps.",
        timed_steps(options)
    ));
    report.note(
        "Square cloths with as many triangles stand for the paper's garments. Bending (1e-5 N·m) and damping are on, \
         collisions and tethers off. Rows without a variant: 'paper', with damping as printed.",
    );
    Ok(())
}
