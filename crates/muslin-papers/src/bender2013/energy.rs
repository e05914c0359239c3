//! The energy of an undamped swing. The paper's discussion says "no numerical damping"; its text
//! has no figure for it.

use glam::Affine3A;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::generate;
use muslin::solver::{ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation};

use super::Form;
use crate::{Error, Options, Progress, Report};
use muslin_render::plot::{Axis, Series};

const MILLISECONDS: [f64; 3] = [20.0, 5.0, 1.25];
/// What is compared: name after the label, variant, tethers, dashes in the plot.
const CASES: [(&str, Form, TetherChoice, bool); 3] = [
    ("", Form::Paper, TetherChoice::Off, true),
    (" (default)", Form::Default, TetherChoice::Off, false),
    (" (default with tethers)", Form::Default, TetherChoice::Auto, false),
];
/// The same at a step that is short for the mesh: name after the label, variant, levels.
const COARSE: [(&str, Form, usize); 4] = [
    ("", Form::Paper, LEVELS),
    (" (single level)", Form::Paper, 1),
    (" (default)", Form::Default, LEVELS),
    (" (gather)", Form::Averaged, LEVELS),
];
const LEVELS: usize = 5;
/// Triangles so large that a step of 1.25 ms is short for them.
const FEW_TRIANGLES: usize = 500;
const UNIT: &str = "M g 2.5 m";
/// About as many points as a plot can show.
const POINTS: usize = 400;

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (triangles, seconds) = if options.quick { (FEW_TRIANGLES, 2.0) } else { (20_648, 10.0) };
    let mut series = Vec::new();
    for (name, variant, tethers, dashed) in CASES {
        for (i, milliseconds) in MILLISECONDS.into_iter().enumerate() {
            progress(&format!("{milliseconds} ms{name}"));
            let swing = Swing { triangles, variant, levels: LEVELS, tethers };
            let course = course(&mut swing.simulation(1e-3 * milliseconds, options.threads)?, seconds)?;
            report.row(format!("{milliseconds} ms, highest gain{name}"), None, course.highest, UNIT);
            report.row(format!("{milliseconds} ms, loss after {seconds} s{name}"), None, -course.last, UNIT);
            if tethers == TetherChoice::Off {
                let name = format!("{}, {milliseconds} ms", super::name(variant));
                let colour = i + if dashed { 3 } else { 0 };
                series.push(Series { name, points: course.curve, dashed, colour });
            }
        }
    }
    if !options.quick {
        for (name, variant, levels) in COARSE {
            progress(&format!("1.25 ms, {FEW_TRIANGLES} triangles{name}"));
            let swing = Swing { triangles: FEW_TRIANGLES, variant, levels, tethers: TetherChoice::Off };
            let highest = course(&mut swing.simulation(1.25e-3, options.threads)?, seconds)?.highest;
            report.row(
                format!("1.25 ms, {FEW_TRIANGLES} triangles, highest gain{name}"),
                None,
                highest,
                UNIT,
            );
        }
    }
    report.note(format!(
        "5 m x 5 m, {triangles} triangles, held along one side, starting level; no damping, no bending. Kinetic and \
         gravitational energy relative to the start, in units of M g 2.5 m: a loss of 1 is all that the fall sets free \
         (more if the cloth stretches), and the cloth hangs still. Rows without a variant: 'paper'."
    ));
    report.note(
        "The paper's discussion says 'no numerical damping' and gives no figure. Steps that are short for the mesh \
         (500 triangles, 1.25 ms) make the variants with triangles on coarse levels gain energy; a single level, or \
         coarse edges only (the default), gains none: errata 9.",
    );
    let axes = [Axis::linear("seconds"), Axis::linear("energy / (M g 2.5 m)")];
    report.plot("", "Undamped swing: energy relative to the start", axes, series);
    Ok(())
}

/// Energy relative to the start, in [`UNIT`].
struct Course {
    highest: f64,
    last: f64,
    /// Seconds and energy.
    curve: Vec<[f64; 2]>,
}

fn course(simulation: &mut Simulation, seconds: f64) -> Result<Course, Error> {
    // M g times half the height of the hanging cloth.
    let unit = simulation.cloth().total_mass() * 9.81 * 2.5;
    let start = simulation.energy().total();
    let steps = (seconds / simulation.settings().time_step).round() as usize;
    let mut course = Course { highest: 0.0, last: 0.0, curve: vec![[0.0, 0.0]] };
    for step in 1..=steps {
        simulation.step()?;
        course.last = (simulation.energy().total() - start) / unit;
        course.highest = course.highest.max(course.last);
        if step % steps.div_ceil(POINTS) == 0 {
            course.curve.push([simulation.time(), course.last]);
        }
    }
    Ok(course)
}

/// A cloth held along one side, flat and level at first, so that it swings down and through.
struct Swing {
    triangles: usize,
    variant: Form,
    levels: usize,
    tethers: TetherChoice,
}

impl Swing {
    fn simulation(&self, time_step: f64, threads: usize) -> Result<Simulation, Error> {
        let level = Affine3A::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        let mesh = generate::delaunay_rectangle(5.0, 5.0, self.triangles, 3)?.transformed(level);
        let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
        let builder = Cloth::builder(mesh).material(material).pin_group("top");
        let cloth = builder.tethers(self.tethers).build()?;
        let hierarchy = HierarchyOptions { levels: self.levels, ..HierarchyOptions::default() };
        let solver = ShapeMatching { hierarchy, ..self.variant.options() };
        let solver = SolverConfig::ShapeMatching(solver);
        let settings = Settings { time_step, substeps: 1, solver, threads, ..Settings::default() };
        Ok(Simulation::new(cloth, settings)?)
    }
}
