//! The energy of an undamped swing. The paper's discussion says "no numerical damping"; its text
//! has no figure for it.

use glam::Affine3A;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::mesh::generate;
use muslin::solver::{ShapeMatching, SolverConfig, Variant};
use muslin::{Settings, Simulation};

use super::PAPER;
use crate::plot::{Axis, Plot, Series};
use crate::{Error, Options, Progress, Report};

const MILLISECONDS: [f64; 3] = [20.0, 5.0, 1.25];
/// What is compared: name after the label, variant, tethers, dashes in the plot.
const CASES: [(&str, Variant, TetherChoice, bool); 3] = [
    ("", Variant::Paper, TetherChoice::Off, true),
    (" (default)", Variant::FullApproximation, TetherChoice::Off, false),
    (" (default with tethers)", Variant::FullApproximation, TetherChoice::Auto, false),
];
/// About as many points as a plot can show.
const POINTS: usize = 400;

pub(super) fn run(options: &Options, progress: Progress) -> Result<Report, Error> {
    let (triangles, seconds) = if options.quick { (500, 2.0) } else { (20_648, 10.0) };
    let mut report = Report::new("bender2013-energy", PAPER);
    let mut series = Vec::new();
    for (name, variant, tethers, dashed) in CASES {
        for (i, milliseconds) in MILLISECONDS.into_iter().enumerate() {
            progress(&format!("{milliseconds} ms{name}"));
            let mut simulation = swing(triangles, 1e-3 * milliseconds, variant, tethers, options.threads)?;
            // M g times half the height of the hanging cloth.
            let unit = simulation.cloth().total_mass() * 9.81 * 2.5;
            let start = simulation.energy().total();
            let steps = (seconds * 1e3 / milliseconds).round() as usize;
            let (mut highest, mut now, mut curve) = (0.0f64, 0.0, vec![[0.0, 0.0]]);
            for step in 1..=steps {
                simulation.step()?;
                now = (simulation.energy().total() - start) / unit;
                highest = highest.max(now);
                if step % steps.div_ceil(POINTS) == 0 {
                    curve.push([simulation.time(), now]);
                }
            }
            report.row(format!("{milliseconds} ms, highest gain{name}"), None, highest, "M g 2.5 m");
            report.row(format!("{milliseconds} ms, loss after {seconds} s{name}"), None, -now, "M g 2.5 m");
            if tethers == TetherChoice::Off {
                let variant = if dashed { "paper" } else { "default" };
                let colour = i + if dashed { 3 } else { 0 };
                series.push(Series {
                    name: format!("{variant}, {milliseconds} ms"),
                    points: curve,
                    dashed,
                    colour,
                });
            }
        }
    }
    report.note(format!(
        "5 m x 5 m, {triangles} triangles, held along one side, starting level; no damping, no bending. Kinetic and \
         gravitational energy relative to the start, in units of M g 2.5 m: a loss of 1 is all that the fall sets \
         free, and the cloth hangs still. Rows without a variant: 'paper'."
    ));
    let plot = Plot {
        title: "Undamped swing: energy relative to the start".into(),
        x: Axis::linear("seconds"),
        y: Axis::linear("energy / (M g 2.5 m)"),
        series,
    };
    report.figures.push(("bender2013-energy".into(), plot.svg()));
    Ok(report)
}

/// A cloth held along one side, flat and level at first, so that it swings down and through.
fn swing(
    triangles: usize,
    time_step: f64,
    variant: Variant,
    tethers: TetherChoice,
    threads: usize,
) -> Result<Simulation, Error> {
    let level = Affine3A::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let mesh = generate::delaunay_rectangle(5.0, 5.0, triangles, 3)?.transformed(level);
    let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
    let cloth = Cloth::builder(mesh).material(material).pin_group("top").tethers(tethers).build()?;
    let solver = SolverConfig::ShapeMatching(ShapeMatching { variant, ..ShapeMatching::default() });
    let settings = Settings { time_step, substeps: 1, solver, threads, ..Settings::default() };
    Ok(Simulation::new(cloth, settings)?)
}
