//! The four cloths of tables 1–3, and how long their updates take.
//!
//! n × n points at 1 cm (n = 4, 6, 10, 25; errata 5), 1 kg/m², held at two corners, updates of 1e-4 s.

use std::time::Instant;

use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::mesh::generate;
use muslin::solver::{RadialMatching, RadialRegions, RadialUpdate, SolverConfig};
use muslin::{Settings, Simulation};

use crate::{Error, Options, Progress, Report};

/// Points along a side.
const SIDES: [usize; 4] = [4, 6, 10, 25];

/// Metres between neighbours.
const SPACING: f32 = 0.01;

/// Seconds.
const TIME_STEP: f64 = 1e-4;

/// Strain is averaged over the last tenth of the updates, of which every this many is looked at.
const STRAIN_EVERY: usize = 10;

/// What the paper prints, seconds per update, for the four sizes.
pub(super) struct Printed {
    pub max: [f64; 4],
    pub average: [f64; 4],
    pub min: [f64; 4],
}

/// What was measured of one cloth.
struct Measured {
    triangles: usize,
    /// Seconds.
    max: f64,
    average: f64,
    min: f64,
    /// Per cent: mean over the edges, and of the worst one.
    strain_average: f64,
    strain_largest: f64,
}

pub(super) fn run(
    regions: RadialRegions,
    printed: &Printed,
    options: &Options,
    progress: Progress,
    report: &mut Report,
) -> Result<(), Error> {
    let updates = if options.quick { 200 } else { 50_000 };
    for (update, suffix) in [(RadialUpdate::Impulses, ""), (RadialUpdate::Positions, " (positions)")] {
        for (number, side) in SIDES.into_iter().enumerate() {
            progress(&format!("{side} × {side} points{suffix}"));
            let measured = measure(simulation(side, RadialMatching { regions, update })?, updates)?;
            let paper = |values: &[f64; 4]| (update == RadialUpdate::Impulses).then_some(values[number]);
            let label = |what: &str| format!("{} triangles, {what}{suffix}", measured.triangles);
            report.row(label("max"), paper(&printed.max), measured.max, "s");
            report.row(label("average"), paper(&printed.average), measured.average, "s");
            report.row(label("min"), paper(&printed.min), measured.min, "s");
            report.row(label("average strain"), None, measured.strain_average, "%");
            report.row(label("largest edge strain"), None, measured.strain_largest, "%");
        }
    }
    report.note(format!(
        "Other hardware: the paper's figures are from an Intel i5-5200U (2.2 GHz, 2015); ours are from the machine \
         this ran on, on one thread. {updates} updates of 1e-4 s each; the maximum is that of the operating system \
         as much as ours."
    ));
    report.note(
        "α = β = 1; no bending, damping, tethers or collisions. Rows without a remark measure deformation at the start \
         of an update and turn it into impulses, as the paper; '(positions)' corrects predicted positions. Strain is \
         averaged over the last tenth of the updates; the paper prints none.",
    );
    Ok(())
}

fn simulation(side: usize, radial: RadialMatching) -> Result<Simulation, Error> {
    let cells = side - 1;
    let length = cells as f32 * SPACING;
    let mesh = generate::grid(cells, cells, length, length)?;
    let top = &mesh.groups["top"];
    let pins = [top[0], top[cells]];
    let material = Material { density: 1.0, bending: 0.0, damping: Damping::None, ..Material::default() };
    let builder = Cloth::builder(mesh).material(material).pin_all(pins);
    let cloth = builder.tethers(TetherChoice::Off).build()?;
    let solver = SolverConfig::RadialMatching(radial);
    let settings = Settings { time_step: TIME_STEP, substeps: 1, solver, threads: 1, ..Settings::default() };
    Ok(Simulation::new(cloth, settings)?)
}

fn measure(mut simulation: Simulation, updates: usize) -> Result<Measured, Error> {
    let (mut max, mut min, mut sum) = (0.0f64, f64::MAX, 0.0);
    let (mut average, mut largest, mut looks) = (0.0, 0.0f64, 0);
    for update in 0..updates {
        let start = Instant::now();
        simulation.step()?;
        let time = start.elapsed().as_secs_f64();
        (max, min, sum) = (max.max(time), min.min(time), sum + time);
        if update >= updates - updates / 10 && update % STRAIN_EVERY == 0 {
            let strain = simulation.strain();
            (average, largest, looks) = (average + strain.average, largest.max(strain.max_edge), looks + 1);
        }
    }
    Ok(Measured {
        triangles: simulation.cloth().triangles().len(),
        max,
        average: sum / updates as f64,
        min,
        strain_average: 100.0 * average / f64::from(looks.max(1)),
        strain_largest: 100.0 * largest,
    })
}
