//! Figure 10: a wave on cloth without gravity, with and without the conservation of fine wrinkles.
//!
//! The paper shows pictures. Here the wrinkles are measured by the curvature energy per bending
//! stiffness, E/B = ½ Σ |C|²/(A0 + A1) over hinges, which single edges dominate.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Keyframe, Material, PinMotion};
use muslin::hierarchy::{HierarchyOptions, Nesting};
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{ShapeMatching, SolverConfig, Variant};
use muslin::{Settings, Simulation};

use super::PAPER;
use crate::plot::{Axis, Plot, Series};
use crate::{Error, Options, Progress, Report};

const SIDE: f32 = 5.0;
/// Seconds; the centre moves by 0.3 m at 1.5 Hz.
const TIME_STEP: f64 = 0.005;
const STEPS: usize = 400;
/// Steps between two measurements.
const EVERY: usize = 5;
/// So little bending stiffness (N·m) that it only serves to measure.
const STIFFNESS: f32 = 1e-9;

/// What is compared: name, variant, levels, conservation.
const CASES: [(&str, Variant, usize, bool); 5] = [
    ("single level", Variant::Paper, 1, true),
    ("default, with conservation", Variant::FullApproximation, 4, true),
    ("default, without", Variant::FullApproximation, 4, false),
    ("paper, with conservation", Variant::Paper, 4, true),
    ("paper, without", Variant::Paper, 4, false),
];

pub(super) fn run(options: &Options, progress: Progress) -> Result<Report, Error> {
    let triangles = if options.quick { 2_000 } else { 30_000 };
    let mesh = generate::delaunay_rectangle(SIDE, SIDE, triangles, 1)?;
    let mut report = Report::new("bender2013-figure10", PAPER);
    let (mut energies, mut sections) = (Vec::new(), Vec::new());
    for (colour, (name, variant, levels, conserve)) in CASES.into_iter().enumerate() {
        progress(name);
        let mut simulation = wave(&mesh, variant, levels, conserve, options.threads)?;
        let mut curve = Vec::new();
        for step in 1..=STEPS {
            simulation.step()?;
            if step % EVERY == 0 {
                let curvature = simulation.energy().bending / f64::from(STIFFNESS);
                curve.push([step as f64 * TIME_STEP, curvature]);
            }
        }
        let late = &curve[curve.len() / 2..];
        let mean = late.iter().map(|point| point[1]).sum::<f64>() / late.len() as f64;
        report.row(format!("{name}, curvature energy"), None, mean, "E/B");
        report.row(format!("{name}, average strain"), None, 100.0 * simulation.strain().average, "%");
        let points = section(&mesh, &simulation.positions());
        energies.push(Series { name: name.into(), points: curve, dashed: !conserve, colour });
        sections.push(Series { name: name.into(), points, dashed: !conserve, colour });
    }
    report.note(format!(
        "{triangles} triangles, four non-nested levels, 5 ms, no gravity, no damping; the centre moves up and down by \
         0.3 m at 1.5 Hz. Curvature energy per bending stiffness, mean from 1 s to 2 s. The paper shows pictures only: \
         with conservation wrinkles like those of a finite element simulation, without it none."
    ));
    report.note(
        "A single level makes one pass per step and is softer; the stiffer cloth of several levels folds more under \
         the same motion, so it can have more curvature than the single level.",
    );
    let energy = Plot {
        title: "Wave: curvature energy".into(),
        x: Axis::linear("seconds"),
        y: Axis::logarithmic("E/B"),
        series: energies,
    };
    // Three lines are as many as can be told apart.
    sections.truncate(3);
    let section = Plot {
        title: "Wave: height along the middle line after 2 s".into(),
        x: Axis::linear("m along the cloth"),
        y: Axis::linear("height, m"),
        series: sections,
    };
    report.figures.push(("bender2013-figure10".into(), energy.svg()));
    report.figures.push(("bender2013-figure10-section".into(), section.svg()));
    Ok(report)
}

fn wave(
    mesh: &TriMesh,
    variant: Variant,
    levels: usize,
    conserve_wrinkles: bool,
    threads: usize,
) -> Result<Simulation, Error> {
    let middle = Vec3::new(0.5 * SIDE, 0.5 * SIDE, 0.0);
    // A generated mesh has vertices.
    let centre = mesh.nearest_vertex(middle).unwrap_or(0);
    let place = mesh.positions[centre as usize];
    let key = |step: usize| {
        let time = step as f64 * TIME_STEP;
        let lift = 0.3 * (std::f64::consts::TAU * 1.5 * time).sin();
        Keyframe { time, position: place + Vec3::Z * lift as f32 }
    };
    let motion = PinMotion::Keyframes((0..=STEPS).map(key).collect());
    let material = Material { bending: STIFFNESS, damping: Damping::None, ..Material::default() };
    let builder = Cloth::builder(mesh.clone()).material(material).pin_moving(centre, motion);
    let cloth = builder.tethers(muslin::cloth::TetherChoice::Off).build()?;
    let hierarchy = HierarchyOptions { levels, nesting: Nesting::NonNested, ..HierarchyOptions::default() };
    let solver = ShapeMatching { variant, hierarchy, conserve_wrinkles, ..ShapeMatching::default() };
    let solver = SolverConfig::ShapeMatching(solver);
    let gravity = Vec3::ZERO;
    let settings =
        Settings { time_step: TIME_STEP, substeps: 1, gravity, solver, threads, ..Settings::default() };
    Ok(Simulation::new(cloth, settings)?)
}

/// Height over rest x where the edges cross the middle line y = 2.5 m of the rest shape.
fn section(mesh: &TriMesh, positions: &[Vec3]) -> Vec<[f64; 2]> {
    let rest = |v: u32| mesh.positions[v as usize];
    let mut points = Vec::new();
    for &[a, b, c] in &mesh.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (low, high) = (rest(from).y - 0.5 * SIDE, rest(to).y - 0.5 * SIDE);
            // Inner edges are met from both sides; take the one that goes up.
            if low < 0.0 && high >= 0.0 {
                let share = low / (low - high);
                let x = rest(from).x + share * (rest(to).x - rest(from).x);
                let (z_from, z_to) = (positions[from as usize].z, positions[to as usize].z);
                points.push([f64::from(x), f64::from(z_from + share * (z_to - z_from))]);
            }
        }
    }
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    points
}
