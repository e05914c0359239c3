//! Figure 6: time per step against the number of triangles.

use super::models::{mesh, simulation, time_steps, timed_steps};
use super::{Form, name, regions, suffix};
use crate::{Error, Options, Progress, Report};
use muslin_render::plot::{Axis, Series};

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let columns = [(Form::Paper, false), (Form::Paper, true), (Form::Default, true)];
    let mut series: Vec<Series> = (0..).zip(columns).map(|(colour, column)| empty(column, colour)).collect();
    let thousands: Vec<usize> = if options.quick { vec![2, 4] } else { (1..=10).map(|i| 10 * i).collect() };
    for thousand in thousands {
        let triangles = 1000 * thousand;
        progress(&format!("{triangles} triangles"));
        let mesh = mesh(triangles)?;
        for ((variant, edges), line) in columns.into_iter().zip(&mut series) {
            let mut simulation = simulation(&mesh, variant, edges, 0.5, 1)?;
            let time = time_steps(&mut simulation, timed_steps(options))?.step;
            let label = format!("{triangles} triangles, {}{}", regions(edges), suffix(variant));
            report.row(label, None, time, "ms");
            line.points.push([triangles as f64 / 1e3, time]);
        }
    }
    for line in &series {
        if let [first, .., last] = line.points[..] {
            report.note(format!(
                "{}: {:.0} ns per triangle of the finest mesh at {} triangles, {:.0} at {}; linear means the same.",
                line.name,
                1e3 * first[1] / first[0],
                1e3 * first[0],
                1e3 * last[1] / last[0],
                1e3 * last[0]
            ));
        }
    }
    report.note(
        "The paper prints no numbers for this figure. One core, five nested levels, bending and damping on, medians.",
    );
    let axes = [Axis::linear("thousand triangles"), Axis::linear("ms per step")];
    report.plot("", "Time per step, one core", axes, series);
    Ok(())
}

fn empty((variant, edges): (Form, bool), colour: usize) -> Series {
    let name = format!("{}, {}", name(variant), regions(edges));
    Series { name, points: Vec::new(), dashed: false, colour }
}
