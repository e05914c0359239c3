//! Figure 11: what levels are worth. About 100 × 100 particles at 100 steps per second with 1, 3 and 4 levels, and with all
//! that there can be, without tethers and with them.
//!
//! 97 along a side, since the held corners are particles of coarse levels then; without tethers coarse levels know of no
//! other pins.
//!
//! The paper gives neither the size of its cloth nor the number of iterations, and strain depends on both. Ours is the
//! cloth of the other items, with 20 iterations on every level; nothing is fitted to the paper's figures.

use glam::Vec3;
use muslin::cloth::TetherChoice;
use muslin::solver::multilevel::Scheme;
use muslin_render::{Bounds, Camera};

use super::draw;
use super::model::Square;
use crate::report::side_by_side;
use crate::{Error, Options, Progress, Report};

/// What is shown: levels and whether there are tethers, the paper's milliseconds and strain in per cent.
type Shown = (u32, bool, Option<f64>, Option<f64>);
const SHOWN: [Shown; 5] = [
    (1, false, Some(1.0), Some(60.0)),
    (3, false, Some(1.2), Some(16.0)),
    (4, false, Some(1.3), Some(8.0)),
    (12, false, None, None),
    (12, true, None, None),
];

/// On every level.
const ITERATIONS: u32 = 20;

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (sides, steps, measured, size): (&[usize], _, _, _) =
        if options.quick { (&[49], 60, 20, 120) } else { (&[97, 100], 300, 100, 420) };
    let start = |side: usize, levels: u32, tethered: bool| {
        let square = Square::new(side, [(side / 4).max(10); 2]).with_levels(levels, Scheme::Combined);
        let mut square = Square { time_step: 0.01, ..square }.with_iterations(ITERATIONS);
        square.solver.level_iterations = ITERATIONS;
        square.tethers = if tethered { TetherChoice::Auto } else { TetherChoice::Off };
        square.hanging(options)
    };
    report.row("iterations on every level", None, ITERATIONS.into(), "per step");
    let (mut meshes, mut bounds) = (Vec::new(), Bounds::default());
    for (&side, (levels, tethered, time, strain)) in
        sides.iter().flat_map(|side| SHOWN.map(|shown| (side, shown)))
    {
        let (time, strain) = if side == 97 { (time, strain) } else { (None, None) };
        let mut run = start(side, levels, tethered)?;
        let there_are = run.cloth().grid_layout().map_or(0, |layout| layout.level_particles.len());
        let name = if side == sides[0] { String::new() } else { format!("{side}×{side}, ") };
        let label = match (levels, tethered) {
            (..=4, _) => format!("{name}{levels} levels"),
            (_, false) => format!("{name}all {there_are} levels"),
            (_, true) => format!("{name}all {there_are} levels and tethers"),
        };
        progress(&label);
        run.steps(steps)?;
        let overall = run.strain();
        report.row(format!("{label}, time"), time, run.time(measured).solver(), "ms");
        report.row(format!("{label}, largest stretch"), strain, 100.0 * run.largest(measured), "%");
        report.row(format!("{label}, average strain"), None, 100.0 * overall.average, "%");
        report.row(format!("{label}, global strain"), None, 100.0 * overall.global.unwrap_or(f64::NAN), "%");
        let mesh = draw::chequered(run.cloth(), 0.1)?;
        if side == sides[0] {
            bounds = bounds.union(Bounds::of(&mesh.positions));
            meshes.push(mesh);
        }
    }
    // All from the same place.
    let camera = Camera::framing_from(&bounds, Vec3::new(0.25, 0.0, 1.0), Vec3::Y, 1.0);
    let pictures = meshes.into_iter().map(|mesh| draw::picture(vec![mesh], |_| camera, size));
    let pictures = pictures.collect::<Result<Vec<_>, _>>()?;
    report.note(format!(
        "{0} × {0} particles, a metre wide, held at two corners, 100 steps per second, {1:.1} s; strain of the last \
         {measured} steps. {ITERATIONS} iterations on every level. The paper gives neither size nor iterations, so its strains can only be \
         compared with each other. The pictures show 1, 3, 4 and all levels, and all with tethers. Of 97 particles along a side \
         the corners, which are held, are particles of coarse levels too; of the paper's 100 they are not, and without tethers \
         coarse levels know nothing of them.",
        sides[0],
        steps as f64 / 100.0
    ));
    report.note("Times of the paper are from a Radeon HD 7850.");
    report.picture(side_by_side(&pictures, SHOWN.len()));
    Ok(())
}
