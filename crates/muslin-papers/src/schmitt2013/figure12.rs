//! Figure 12: a piece of cloth of any shape (left) and its flat shape, where triangles and grid meet (right).

use glam::Vec3;
use muslin::cloth::Cloth;
use muslin::collision::CollisionSettings;
use muslin::solver::{Multilevel, SolverConfig};
use muslin::{Settings, World};
use muslin_render::{Camera, RenderScene};

use super::measured::Run;
use super::model::simulation;
use super::{draw, shape};
use crate::report::side_by_side;
use crate::{Error, Options, Progress, Report};

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (triangles, particles, steps, size) =
        if options.quick { (500, 4000, 120, 120) } else { (2000, 60_000, 240, 640) };
    let mesh = shape::mesh(triangles)?;
    // The tips of two lobes, 18° above the horizontal.
    let held = [shape::nearest(&mesh, 0.947, 0.645), shape::nearest(&mesh, 0.053, 0.645)];
    // From flat above the floor: in a vertical plane what is above the pins would fall into itself.
    let flat = mesh.positions.iter().map(|p| Vec3::new(p.x, 0.0, -p.y)).collect();
    let cloth = Cloth::builder(mesh.clone()).start_positions(flat).pin_all(held).build()?;
    let solver = Multilevel { particles, ..Multilevel::default() };
    let settings = Settings {
        substeps: 1,
        solver: SolverConfig::Multilevel(solver),
        threads: options.threads,
        ..Settings::default()
    };
    let cloth = simulation(cloth, settings, options)?;
    let collisions = CollisionSettings { self_collisions: !options.quick, ..CollisionSettings::default() };
    let mut run = Run::new(World::new(vec![("cloth".into(), cloth)], Vec::new(), collisions)?, options)?;
    progress("hanging");
    run.steps(steps)?;
    let (time, strain) = (run.time(steps / 4), run.strain());
    let layout = run.cloth().grid_layout().cloned();
    let (found, spacing) = layout.map_or((0, 0.0), |layout| (layout.level_particles[0], layout.spacing));
    report.row("vertices", None, mesh.positions.len() as f64, "");
    report.row("particles", None, found as f64, "");
    report.row("time, without collisions", None, time.solver(), "ms");
    report.row("collisions", None, time.other, "ms");
    report.row("average strain", None, 100.0 * strain.average, "%");
    report.row("largest stretch", None, 100.0 * run.largest(steps / 4), "%");
    report.row("lost particles", None, run.contained.into(), "");
    let lines = 8;
    report.note(format!(
        "Left: the cloth after {:.0} s, held at two tips, from parallel to the floor; right: its flat shape with the triangles of the coarse mesh \
         and every {lines}th line of the grid. The paper prints no numbers.",
        steps as f64 / 60.0
    ));
    progress("pictures");
    let front = |scene: &RenderScene| Camera::framing_from(&scene.bounds(), Vec3::Z, Vec3::Y, 1.0);
    let aslant =
        |scene: &RenderScene| Camera::framing_from(&scene.bounds(), Vec3::new(0.35, 0.1, 1.0), Vec3::Y, 1.0);
    let left = draw::picture(vec![draw::chequered(run.cloth(), 0.08)?], aslant, size)?;
    let right = draw::picture(draw::chart(&mesh, lines as f32 * spacing as f32), front, size)?;
    report.picture(side_by_side(&[left, right], 2));
    Ok(())
}
