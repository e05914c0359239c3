//! Figure 1: cloth over a ball. What collides is a mesh of 5,112 vertices, what folds a grid of 230,000 particles.

use glam::Vec3;
use muslin_render::{Bounds, Camera, Picture};

use super::draw;
use super::measured::Run;
use super::model::{BALL, Square, ball};
use crate::report::side_by_side;
use crate::{Error, Options, Progress, Report};

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (side, coarse, steps, measured, size) =
        if options.quick { (100, [18, 18], 40, 10, 120) } else { (481, [71, 72], 80, 20, 640) };
    let printed = |number: f64| (!options.quick).then_some(number);
    let mut run = Square::new(side, coarse).over_ball(false, true, options)?;
    progress(&format!("{steps} steps"));
    run.steps(steps)?;
    let (time, strain) = (run.time(measured), run.strain());
    let particles = run.cloth().grid_layout().map_or(0, |layout| layout.level_particles[0]);
    report.row("vertices of the coarse mesh", printed(5100.0), (coarse[0] * coarse[1]) as f64, "");
    report.row("particles", printed(230_000.0), particles as f64, "");
    report.row("vertices of the fine mesh", None, run.cloth().shown_mesh().vertices as f64, "");
    report.row("time, without collisions", None, time.solver(), "ms");
    report.row("collisions", None, time.other, "ms");
    report.row("iterations on the finest level", None, run.iterations(measured), "per step");
    report.row("average strain", None, 100.0 * strain.average, "%");
    report.row("largest stretch", printed(10.0), 100.0 * run.largest(measured), "%");
    report.row("lost particles", None, run.contained.into(), "");
    let surface = run.cloth().shown_positions()?;
    let deepest = surface.iter().map(|p| BALL - p.distance(BALL * Vec3::Y)).fold(0.0, f32::max);
    report.row("deepest point of the fine mesh in the ball", None, 1e3 * f64::from(deepest), "mm");
    let highest = surface.iter().map(|p| p.y).fold(f32::MIN, f32::max);
    report.row("highest point of the cloth", None, highest.into(), "m");
    report.note(format!(
        "A square of a metre over a ball of 30 cm, after {:.1} s; medians of the last {measured} steps. The ball reaches \
         0.6 m: a cloth whose highest point is lower has left it. The coarse mesh collides with the ball and \
         with itself. While the CPU is busy with that, a GPU may lower its clock; kernels were timed one step \
         after the other. Left: that mesh; middle: the fine one; right: the fine one from nearby.",
        steps as f64 / 60.0
    ));
    progress("pictures");
    report.picture(pictures(&run, coarse, size)?);
    // At last: it moves the grid.
    if let Some(tasks) = run.tasks()? {
        report.row("all kernels", None, tasks.total(), "ms");
    }
    Ok(())
}

fn pictures(run: &Run<'_>, coarse: [usize; 2], size: u32) -> Result<Picture, Error> {
    let cells = coarse.map(|vertices| vertices - 1);
    let bounds = Bounds { min: Vec3::new(-0.3, 0.08, -0.3), max: Vec3::new(0.3, 0.6, 0.3) };
    let toward_eye = Vec3::new(0.5, 0.45, 1.0);
    let whole = Camera::framing_from(&bounds, toward_eye, Vec3::Y, 1.0);
    let near = Camera { fov_degrees: 8.0, target: Vec3::new(0.06, 0.3, 0.3), ..whole };
    let left = draw::picture(vec![draw::coarse(run.cloth(), cells)], |_| whole, size)?;
    let with_ball = || -> Result<Vec<_>, Error> {
        Ok([draw::fine(run.cloth())?].into_iter().chain(draw::body(&ball())).collect())
    };
    let middle = draw::picture(with_ball()?, |_| whole, size)?;
    let right = draw::picture(with_ball()?, |_| near, size)?;
    Ok(side_by_side(&[left, middle, right], 3))
}
