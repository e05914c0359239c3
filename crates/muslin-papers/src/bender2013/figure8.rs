//! Figure 8 and the text after it: recovery from random positions, and from all vertices in one
//! point.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::hierarchy::{HierarchyOptions, Nesting};
use muslin::mesh::generate;
use muslin::solver::{ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation};

use super::{Form, name, suffix};
use crate::{Error, Options, Progress, Report};
use muslin_render::plot::{Axis, Series};

/// Recovered means an average strain below this.
const RECOVERED: f64 = 0.05;
/// Steps simulated from each start.
const STEPS: usize = 100;
const SIDE: f32 = 5.0;

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (triangles, starts) = if options.quick { (2_000, 2) } else { (20_000, 20) };
    let mut series = Vec::new();
    for (colour, variant) in [Form::Paper, Form::Default, Form::Averaged].into_iter().enumerate() {
        progress(&format!("{} variant", name(variant)));
        let mut simulation = free_cloth(triangles, variant, options.threads)?;
        let vertices = simulation.cloth().vertex_count();
        let suffix = suffix(variant);

        let mut slowest: Vec<f64> = Vec::new();
        for seed in 0..starts {
            let strains = strains_from(&mut simulation, &random_positions(vertices, seed))?;
            // Not recovered at all counts as slowest.
            let steps = |strains: &[f64]| steps_to_recover(strains).unwrap_or(usize::MAX);
            if slowest.is_empty() || steps(&strains) > steps(&slowest) {
                slowest = strains;
            }
        }
        let point = strains_from(&mut simulation, &vec![Vec3::ONE; vertices])?;
        for (start, strains, dashed) in [("random positions", slowest, false), ("one point", point, true)] {
            let steps = steps_to_recover(&strains).unwrap_or(STEPS);
            report.row(format!("{start}, steps to recover{suffix}"), None, steps as f64, "steps");
            if steps_to_recover(&strains).is_none() {
                let note = format!("{start}, {} variant: not recovered within {STEPS} steps.", name(variant));
                report.note(note);
            }
            let last = 100.0 * strains[STEPS - 1];
            report.row(format!("{start}, average strain after {STEPS} steps{suffix}"), None, last, "%");
            let points = strains.iter().enumerate().map(|(i, s)| [(i + 1) as f64, 100.0 * s]).collect();
            series.push(Series { name: format!("{}, {start}", name(variant)), points, dashed, colour });
        }
    }
    report.note(format!(
        "{triangles} triangles, five non-nested levels as in the paper, 5 ms, no gravity, no damping. Recovered: \
         average strain below 5 %. Random positions fill a cube of 5 m; the slowest of {starts} starts. The paper \
         says 'after a few simulation steps' and gives no number. Speeds are limited to 200 m/s."
    ));
    let axes = [Axis::linear("steps"), Axis::logarithmic("average strain, %")];
    report.plot("", "Recovery: average strain after each step", axes, series);
    Ok(())
}

fn free_cloth(triangles: usize, variant: Form, threads: usize) -> Result<Simulation, Error> {
    let mesh = generate::delaunay_rectangle(SIDE, SIDE, triangles, 1)?;
    let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
    let cloth = Cloth::builder(mesh).material(material).tethers(TetherChoice::Off).build()?;
    let hierarchy =
        HierarchyOptions { levels: 5, nesting: Nesting::NonNested, ..HierarchyOptions::default() };
    let solver = SolverConfig::ShapeMatching(ShapeMatching { hierarchy, ..variant.options() });
    let gravity = Vec3::ZERO;
    let settings =
        Settings { time_step: 0.005, substeps: 1, gravity, solver, threads, ..Settings::default() };
    Ok(Simulation::new(cloth, settings)?)
}

/// Average strain after each step.
fn strains_from(simulation: &mut Simulation, start: &[Vec3]) -> Result<Vec<f64>, Error> {
    simulation.set_state(start, &vec![Vec3::ZERO; start.len()])?;
    let mut strains = Vec::with_capacity(STEPS);
    for _ in 0..STEPS {
        simulation.step()?;
        strains.push(simulation.strain().average);
    }
    Ok(strains)
}

/// The first step after which the cloth counts as recovered.
fn steps_to_recover(strains: &[f64]) -> Option<usize> {
    strains.iter().position(|&strain| strain < RECOVERED).map(|index| index + 1)
}

/// Uniform in a cube (xorshift, so that a seed names a start for ever).
fn random_positions(count: usize, seed: u64) -> Vec<Vec3> {
    let mut state = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        SIDE * (state >> 40) as f32 / (1u64 << 24) as f32
    };
    (0..count).map(|_| Vec3::new(next(), next(), next())).collect()
}
