//! Figure 10: a wave on cloth without gravity, with and without the conservation of fine wrinkles.
//!
//! The paper shows pictures. Here the wrinkles are measured by the curvature energy per bending
//! stiffness, E/B = ½ Σ |C|²/(A0 + A1) over hinges, which single edges dominate.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Keyframe, Material, PinMotion, TetherChoice};
use muslin::hierarchy::{HierarchyOptions, Nesting};
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation};

use super::Form;
use crate::{Error, Options, Progress, Report};
use muslin_render::plot::{Axis, Series};

const SIDE: f32 = 5.0;
/// Seconds; the centre moves by 0.3 m at 1.5 Hz.
const TIME_STEP: f64 = 0.005;
const STEPS: usize = 400;
/// Steps between two measurements.
const EVERY: usize = 5;
/// So little bending stiffness (N·m) that it only serves to measure.
const STIFFNESS: f32 = 1e-9;

/// What is compared.
struct Case {
    name: &'static str,
    variant: Form,
    levels: usize,
    /// V-cycles per step.
    cycles: u32,
    conserve_wrinkles: bool,
    /// Three lines are as many as can be told apart in the section.
    in_section: bool,
}

const fn case(name: &'static str, variant: Form, conserve_wrinkles: bool, in_section: bool) -> Case {
    Case { name, variant, levels: 4, cycles: 1, conserve_wrinkles, in_section }
}

const CASES: [Case; 6] = [
    Case { levels: 1, ..case("single level", Form::Paper, true, true) },
    Case { levels: 1, cycles: 4, ..case("single level, four passes", Form::Paper, true, false) },
    case("default, with conservation", Form::Default, true, true),
    case("default, without", Form::Default, false, true),
    case("paper, with conservation", Form::Paper, true, false),
    case("paper, without", Form::Paper, false, false),
];

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let triangles = if options.quick { 2_000 } else { 30_000 };
    let mesh = generate::delaunay_rectangle(SIDE, SIDE, triangles, 1)?;
    let (mut energies, mut sections) = (Vec::new(), Vec::new());
    for (colour, case) in CASES.iter().enumerate() {
        let name = case.name;
        progress(name);
        let mut simulation = wave(&mesh, case, options.threads)?;
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
        let dashed = !case.conserve_wrinkles;
        energies.push(Series { name: name.into(), points: curve, dashed, colour });
        if case.in_section {
            sections.push(Series { name: name.into(), points, dashed, colour });
        }
    }
    report.note(format!(
        "{triangles} triangles, four non-nested levels, 5 ms, no gravity, no damping; the centre moves up and down by \
         0.3 m at 1.5 Hz. Curvature energy per bending stiffness, mean from 1 s to 2 s. The paper shows pictures only: \
         with conservation wrinkles like those of a finite element simulation, without it none."
    ));
    report.note(
        "A single level makes one pass per step and is softer. Stiffer cloth folds more under the same motion (see the \
         single level with four passes), so several levels can have more curvature than one.",
    );
    let axes = [Axis::linear("seconds"), Axis::logarithmic("E/B")];
    report.plot("", "Wave: curvature energy", axes, energies);
    let axes = [Axis::linear("m along the cloth"), Axis::linear("height, m")];
    report.plot("-section", "Wave: height along the middle line after 2 s", axes, sections);
    Ok(())
}

fn wave(mesh: &TriMesh, case: &Case, threads: usize) -> Result<Simulation, Error> {
    let middle = Vec3::new(0.5 * SIDE, 0.5 * SIDE, 0.0);
    // A generated mesh has vertices.
    let centre = mesh.nearest_vertex(middle).unwrap_or(0);
    let place = mesh.positions[centre as usize];
    let key = |step: usize| {
        let time = step as f64 * TIME_STEP;
        let lift = 0.3 * (std::f64::consts::TAU * 1.5 * time).sin();
        Keyframe { time, position: (place + Vec3::Z * lift as f32).as_dvec3() }
    };
    let motion = PinMotion::Keyframes((0..=STEPS).map(key).collect());
    let material = Material { bending: STIFFNESS, damping: Damping::None, ..Material::default() };
    let builder = Cloth::builder(mesh.clone()).material(material).pin_moving(centre, motion);
    let cloth = builder.tethers(TetherChoice::Off).build()?;
    let Case { variant, levels, cycles, conserve_wrinkles, .. } = *case;
    let hierarchy = HierarchyOptions { levels, nesting: Nesting::NonNested, ..HierarchyOptions::default() };
    let solver = ShapeMatching { hierarchy, conserve_wrinkles, cycles, ..variant.options() };
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
