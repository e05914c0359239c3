//! Table 3: average and maximum strain against the time step.

use super::hanging::{self, Hanging};
use super::{Form, name, suffix};
use crate::{Error, Options, Progress, Report};

/// Step in ms; average 2D, average 2D+1D, maximum 2D, maximum 2D+1D in per cent.
const PRINTED: [(f64, [f64; 4]); 5] = [
    (20.0, [56.41, 34.44, 142.84, 96.85]),
    (10.0, [13.55, 8.29, 39.59, 27.64]),
    (5.0, [3.39, 2.06, 11.37, 8.03]),
    (2.5, [0.85, 0.52, 3.29, 2.28]),
    (1.25, [0.21, 0.13, 1.12, 0.74]),
];

const TRIANGLES: usize = 20_648;
const LEVELS: usize = 5;
const MOST_STEPS: usize = 4_000;

/// The paper's average and maximum for a step (ms) and kind of regions, five levels.
pub(super) fn printed(milliseconds: f64, edges: bool) -> Option<(f64, f64)> {
    let (_, values) = PRINTED.iter().find(|(step, _)| *step == milliseconds)?;
    let column = usize::from(edges);
    Some((values[column], values[2 + column]))
}

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let mesh = hanging::mesh(TRIANGLES)?;
    // Without edges nothing is left on the other variants' coarse levels, so they have no 2D column.
    let mut columns = vec![(Form::Paper, false), (Form::Paper, true), (Form::Default, true)];
    if !options.quick {
        columns.push((Form::Averaged, true));
    }
    let steps = if options.quick { &PRINTED[1..3] } else { &PRINTED[..] };
    for (variant, edges) in columns {
        for &(milliseconds, _) in steps {
            let cell = Hanging { variant, edges, levels: LEVELS, time_step: 1e-3 * milliseconds };
            let label = format!("{milliseconds} ms, {}", super::regions(edges));
            progress(&format!("{label}, {} variant", name(variant)));
            let rest = cell.relax(&mesh, options.threads, MOST_STEPS)?;
            let paper = printed(milliseconds, edges).filter(|_| variant == Form::Paper);
            let suffix = suffix(variant);
            report.row(format!("{label}, average{suffix}"), paper.map(|p| p.0), rest.average, "%");
            report.row(format!("{label}, maximum{suffix}"), paper.map(|p| p.1), rest.maximum, "%");
            if let Some(remark) = rest.remark() {
                report.note(format!("{label}, {} variant: {remark}.", name(variant)));
            }
        }
    }
    if let Some((row, deviation)) = report.largest_deviation() {
        let note = format!("Farthest from the paper: {}, by {:.1} %.", row.label, 100.0 * deviation);
        report.note(note);
    }
    report.note(
        "Rows without a variant are the variant 'paper' (V-cycle as printed, Gauss-Seidel). The others have \
         edges only on their coarse levels, so they have no 2D column.",
    );
    report.note(
        "5 m x 5 m, 20,648 irregular triangles, five nested levels, one V-cycle per step, planar start, no bending, \
         no damping, no tethers. To come to rest, velocities are scaled by 0.95 after each step. A planar start stays \
         planar until a triangle collapses; its tilted rest frame then pushes the cloth out of the plane.",
    );
    Ok(())
}
