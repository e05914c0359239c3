//! Beyond the paper: how time and strain grow with the number of particles.

use muslin_render::plot::{Axis, Series};

use super::model::Square;
use crate::{Error, Options, Progress, Report};

/// Particles along a side. With k 2ⁿ + 1 of them the held corners are particles of coarse levels too, with 480 and 1000
/// they are not, and tethers must stand for them.
const SIDES: [usize; 6] = [225, 480, 481, 1025, 1000, 2049];
/// How many of these the CPU does.
const ON_CPU: usize = 3;

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let sides: Vec<usize> = match (options.quick, options.gpu) {
        (true, _) => vec![65, 120],
        (false, None) => SIDES[..ON_CPU].to_vec(),
        (false, Some(_)) => SIDES.to_vec(),
    };
    let (coarse, steps, measured) = if options.quick { ([18, 18], 60, 20) } else { ([71, 72], 90, 30) };
    let mut points = Vec::new();
    for side in sides {
        let label = format!("{side}×{side}");
        progress(&label);
        let mut run = Square::new(side, coarse).hanging(options)?;
        run.steps(steps)?;
        let (time, strain) = (run.time(measured), run.strain());
        let particles = run.cloth().grid_layout().map_or(0, |layout| layout.level_particles[0]);
        report.row(format!("{label}, particles"), None, particles as f64, "");
        report.row(format!("{label}, time"), None, time.solver(), "ms");
        report.row(
            format!("{label}, iterations on the finest level"),
            None,
            run.iterations(measured),
            "per step",
        );
        report.row(format!("{label}, average strain"), None, 100.0 * strain.average, "%");
        report.row(format!("{label}, largest stretch"), None, 100.0 * run.largest(measured), "%");
        report.row(format!("{label}, global strain"), None, 100.0 * strain.global.unwrap_or(f64::NAN), "%");
        let share = match run.tasks()? {
            Some(tasks) => (tasks.sample + tasks.project) / tasks.total(),
            None => time.sampling / time.solver(),
        };
        report.row(format!("{label}, share of sampling"), None, 100.0 * share, "% of the time");
        points.push([particles as f64, time.solver()]);
    }
    let projection = match options.gpu {
        Some(_) => "Sampling: with the projection.",
        None => "Sampling: without the projection, whose time is not taken apart on the CPU.",
    };
    report.note(format!(
        "A square of a metre hangs from two corners in still air, with a coarse mesh of {} vertices, all levels, and as \
         many iterations as hold 10 %, up to 64; {steps} steps of 1/60 s, of which the last {measured} count. {projection} Where a side \
         has k 2ⁿ + 1 particles the held corners are particles of coarse levels too; else (480, 1000) they lie between.",
        coarse[0] * coarse[1]
    ));
    points.sort_by(|a: &[f64; 2], b| a[0].total_cmp(&b[0]));
    let axes = [Axis::logarithmic("particles"), Axis::logarithmic("time per step, ms")];
    report.plot(
        "",
        "Time per step",
        axes,
        vec![Series { name: "at 10 % strain".into(), points, dashed: false, colour: 0 }],
    );
    Ok(())
}
