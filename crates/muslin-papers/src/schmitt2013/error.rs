//! §4.3: what is lost between a mesh, the grid and the mesh again.
//!
//! In per cent of the size of the data (the diagonal of the box around it): the paper says "the surface's dimension".

use glam::Vec3;
use muslin::mesh::TriMesh;
use muslin::solver::Multilevel;
use muslin::solver::multilevel::{round_trip_error, snapped};

use super::shape;
use crate::{Error, Options, Progress, Report};

/// How many times finer texels are than triangles.
const FINER: [f64; 4] = [2.0, 3.0, 4.0, 6.0];

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (triangles, frames) = if options.quick { (5000, 25) } else { (8000, 60) };
    let mesh = shape::mesh(triangles)?;
    progress("the snapshot");
    let (draped, stretch) = shape::draped(&mesh, frames)?;
    report.row("vertices", None, mesh.positions.len() as f64, "");
    report.row("snapshot, largest stretch of a triangle", Some(10.0), 100.0 * stretch, "%");
    let rolled: Vec<Vec3> = mesh.positions.iter().map(|&p| shape::rolled(p)).collect();
    let affine: Vec<Vec3> = mesh
        .positions
        .iter()
        .map(|p| Vec3::new(1.1 * p.x + 0.3 * p.y, p.y - 0.2 * p.x, 0.7 * p.x + 2.0))
        .collect();
    for finer in FINER {
        let spacing = Some(shape::edge_length(triangles) / finer);
        let solver = Multilevel { spacing, ..Multilevel::default() };
        progress(&format!("texels {finer} times finer"));
        for (name, data) in [("snapshot", &draped), ("rolled", &rolled)] {
            rows(report, &format!("{name}, {finer} times finer"), &mesh, &solver, data)?;
        }
        let error = round_trip_error(&mesh, &solver, &affine)?;
        let largest = error.border_largest.max(error.inner_largest);
        report.row(format!("affine, {finer} times finer, largest"), None, 100.0 * largest, "%");
    }
    report.note(
        "An irregular mesh with a curvy outline and two holes. Snapshot: fallen over a ball of 20 cm, simulated by shape \
         matching, not on a grid. Rolled: wound up with a radius of 12 cm, with folds across, stretched by up to 10 %. The \
         paper does not say how many times finer its texels were than its triangles; in table 1 and figure 1 it is 6.",
    );
    report.note(
        "Snapped: inner vertices on particles (where that makes no sliver), outlines as they are. What is left is at \
         the outlines. Affine: data that is linear must come back exactly, also at outlines.",
    );
    Ok(())
}

fn rows(
    report: &mut Report,
    label: &str,
    mesh: &TriMesh,
    solver: &Multilevel,
    data: &[Vec3],
) -> Result<(), Error> {
    let moved = snapped(mesh, solver)?;
    let moved_data = shape::moved_data(mesh, data, &moved);
    // What the paper says of its snapshot.
    let said = label.starts_with("snapshot");
    for (mesh, data, state, said) in [(mesh, data, "", said), (&moved, &moved_data[..], " (snapped)", false)]
    {
        let error = round_trip_error(mesh, solver, data)?;
        let mut row = |what: &str, paper: Option<f64>, error: f64| {
            report.row(format!("{label}, {what}{state}"), paper.filter(|_| said), 100.0 * error, "%");
        };
        row("average", Some(0.06), error.average);
        row("largest at borders", Some(0.5), error.border_largest);
        row("average at borders", None, error.border_average);
        row("largest inside", None, error.inner_largest);
    }
    Ok(())
}
