//! Figure 4: cloth of 40 × 40 particles that comes to rest under gravity, with four tolerances.
//!
//! The largest strain of all 3120 constraints is measured after every step: it is what the method promises. The cloth
//! swings down in still air, which takes its energy; the paper does not say how its cloth came to rest.

use glam::{Vec2, Vec3};
use muslin::cloth::Cloth;
use muslin::solver::ImpulseMethod;
use muslin_render::plot::{Axis, Series};
use muslin_render::{
    Camera, Color, Pattern, PatternKind, Picture, RenderMesh, RenderOptions, RenderScene, render,
};

use super::measured::Run;
use super::model::{self, Held, TIME_STEP, TOLERANCES};
use super::per_cent;
use crate::report::side_by_side;
use crate::{Error, Options, Progress, Report};

const SIDE: usize = 40;

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (side, steps) = if options.quick { (16, 30) } else { (SIDE, 300) };
    let printed = (!options.quick).then_some(3120.0);
    report.row("constraints", printed, model::constraints(side).len() as f64, "");
    let (mut pictures, mut series) = (Vec::new(), Vec::new());
    for (colour, tolerance) in TOLERANCES.into_iter().enumerate() {
        let name = per_cent(tolerance);
        progress(&name);
        let impulses = model::method(ImpulseMethod::Iterative, tolerance);
        let mut run = Run::new(model::still(side, Held::CornersInAir, impulses)?);
        let mut points = Vec::with_capacity(steps);
        for step in 1..=steps {
            let strain = run.step()?;
            points.push([step as f64 * TIME_STEP, 100.0 * strain]);
        }
        let average = 100.0 * run.average();
        // Tolerances are the paper's figures for the largest strain.
        let allowed = (!options.quick).then_some(100.0 * tolerance);
        report.row(format!("{name}, largest strain of all steps"), allowed, 100.0 * run.largest, "%");
        report.row(format!("{name}, average strain"), None, average, "%");
        report.row(format!("{name}, passes"), None, run.passes(), "per step");
        report.row(format!("{name}, velocity passes"), None, run.velocity_passes(), "per step");
        report.row(format!("{name}, unsatisfied"), None, 100.0 * run.unsatisfied(), "% of steps");
        let positions = run.simulation.positions();
        let lowest = positions.iter().fold(0.0, |lowest: f64, p| lowest.max(-f64::from(p.y)));
        report.row(format!("{name}, lowest particle at the end"), None, lowest, "m below the corners");
        report.row(format!("{name}, speed at the end"), None, speed(&run), "m/s");
        series.push(Series { name, points, dashed: false, colour });
        pictures.push(draw(run.simulation.cloth(), positions)?);
    }
    report.note(format!(
        "The paper's figures are the tolerances: no constraint may be strained by more, at any of {steps} steps. \
         {side} × {side} particles, a metre wide, held at two corners, from parallel to the floor, in still air, \
         {:.0} s. Drawn, as in the paper: 10 %, 1 %, and below 0.1 %, 0.01 %.",
        steps as f64 * TIME_STEP
    ));
    let axes = [Axis::linear("time, s"), Axis::logarithmic("largest strain, %")];
    report.plot("", "Largest strain of all constraints, by tolerance", axes, series);
    report.picture(side_by_side(&pictures, 2));
    Ok(())
}

/// Root mean square over the particles, m/s.
fn speed(run: &Run) -> f64 {
    let velocities = run.simulation.velocities();
    let sum: f64 = velocities.iter().map(|v| f64::from(v.length_squared())).sum();
    (sum / velocities.len() as f64).sqrt()
}

/// All are seen from the same place.
fn draw(cloth: &Cloth, positions: Vec<Vec3>) -> Result<Picture, Error> {
    let triangles = cloth.triangles().to_vec();
    let flat: Vec<Vec2> = cloth.rest_positions().iter().map(|p| Vec2::new(p.x, p.z)).collect();
    let pattern =
        Pattern::over_vertices(PatternKind::Gingham, Color::rgb(66, 112, 160), 0.1, &flat, &triangles);
    let white = Color::rgb(236, 236, 230);
    let cloth = RenderMesh::cloth(positions, triangles, white, white).with_pattern(pattern);
    let scene = RenderScene { meshes: vec![cloth], ..RenderScene::default() };
    let options = RenderOptions { width: 360, height: 360, samples: 3 };
    let camera = Camera {
        eye: Vec3::new(1.1, -0.1, 2.9),
        target: Vec3::new(0.5, -0.55, 0.0),
        up: Vec3::Y,
        fov_degrees: 30.0,
    };
    Ok(render(&scene, &camera, &options)?)
}
