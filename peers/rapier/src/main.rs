//! The hanging cloth in rapier3d: the scene of `muslin bench hanging`, the same figures.
//!
//! 5 m × 5 m, 101 × 101 quads, 0.2 kg/m², pinned at the two upper corners, hanging straight down from the start,
//! no collisions, 5 ms steps, one thread (rapier3d without its feature `parallel`). The springs (structural, shear
//! and bending) have 1000 Hz and critical damping.
//!
//! usage: muslin-peer-rapier [--settle STEPS] [--blocks N] [ITERATIONS:PGS …]
//!
//! ITERATIONS is `num_solver_iterations`, PGS is `additional_pgs_iterations` of the soft body (rapier's default: 4
//! and 3). Prints one JSON object per line and setting, with the keys of `muslin bench --json` and a few more.

mod measure;

use measure::{Clock, Timing, peak_rss_mib};
use rapier3d::prelude::*;

/// Edge length of the cloth in metres.
const SIZE: Real = 5.0;
/// Quads along one side: 2 · 101² = 20,402 triangles.
const QUADS: usize = 101;
/// Mass per area in kg/m².
const DENSITY: Real = 0.2;
/// Time step in seconds.
const TIME_STEP: Real = 0.005;
/// Natural frequency of the springs in hertz.
const FREQUENCY: Real = 1000.0;
/// Steps in a block of measurements.
const BLOCK: usize = 200;

/// What to run.
struct Options {
    /// Steps before the measurement.
    settle: usize,
    /// Blocks of [`BLOCK`] steps to measure.
    blocks: usize,
    /// Pairs of solver iterations and additional PGS iterations.
    settings: Vec<(usize, usize)>,
}

fn main() {
    let options = match parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!(
                "{message}\nusage: muslin-peer-rapier [--settle STEPS] [--blocks N] [ITERATIONS:PGS …]"
            );
            std::process::exit(2);
        }
    };
    for &(iterations, pgs) in &options.settings {
        println!("{}", run(iterations, pgs, &options));
    }
}

/// Reads the command line.
fn parse(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { settle: 2000, blocks: 5, settings: Vec::new() };
    while let Some(word) = words.next() {
        let number = |text: Option<&str>| {
            text.and_then(|text| text.parse::<usize>().ok()).ok_or(format!("bad argument: {word}"))
        };
        match word.as_str() {
            "--settle" => options.settle = number(words.next().as_deref())?,
            "--blocks" => options.blocks = number(words.next().as_deref())?.max(1),
            setting => {
                let (iterations, pgs) = setting.split_once(':').ok_or(format!("bad argument: {setting}"))?;
                options.settings.push((number(Some(iterations))?, number(Some(pgs))?));
            }
        }
    }
    if options.settings.is_empty() {
        options.settings = vec![(2, 0), (4, 3)];
    }
    Ok(options)
}

/// The mesh as the strain is measured on it.
struct Rest {
    /// The edges of the triangles, each once.
    edges: Vec<[u32; 2]>,
    /// Their lengths in metres.
    lengths: Vec<f64>,
    triangles: usize,
}

/// The cloth: its upper corners are the particles 0 and `QUADS`.
fn cloth(pgs: usize) -> (SoftBodyBuilder, Rest) {
    let side = QUADS + 1;
    let cell = SIZE / QUADS as Real;
    let builder = SoftBodyBuilder::cloth(Vector::ZERO, -Vector::Y * cell, Vector::X * cell, side, side);
    // Area-lumped masses, as elsewhere: rapier's own default is equal masses.
    let positions = builder.particle_positions().to_vec();
    let mut masses = vec![0.0; positions.len()];
    for triangle in &builder.surface {
        for &corner in triangle {
            masses[corner as usize] += DENSITY * cell * cell / 2.0 / 3.0;
        }
    }
    let edges = builder.surface_edges();
    let lengths =
        edges.iter().map(|&[a, b]| distance(positions[a as usize], positions[b as usize])).collect();
    let rest = Rest { edges, lengths, triangles: builder.surface.len() };
    let builder = builder
        .masses(masses)
        .pinned_particles([0, QUADS as u32])
        .softness(SpringCoefficients::new(FREQUENCY, 1.0))
        .additional_pgs_iterations(pgs)
        .no_surface_collider()
        .can_sleep(false);
    (builder, rest)
}

/// Distance of two points, in double precision.
fn distance(a: Vector, b: Vector) -> f64 {
    let square = |x: Real, y: Real| (f64::from(x) - f64::from(y)).powi(2);
    (square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z)).sqrt()
}

/// Simulates one setting and returns its line of JSON.
fn run(iterations: usize, pgs: usize, options: &Options) -> String {
    let (builder, rest) = cloth(pgs);
    let vertices = builder.particle_positions().len();
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -9.81, 0.0);
    world.integration_parameters.dt = TIME_STEP;
    world.integration_parameters.num_solver_iterations = iterations;
    let handle = world.insert_soft_body(builder);

    for _ in 0..options.settle {
        world.step();
    }
    let timing = Timing::of_blocks(options.blocks, BLOCK, &mut Clock::start(), || world.step());

    let body = &world.soft_bodies[handle];
    let strains: Vec<f64> = rest
        .edges
        .iter()
        .zip(&rest.lengths)
        .map(|(&[a, b], rest_length)| {
            let length = distance(body.particle_position(a as usize), body.particle_position(b as usize));
            (length - rest_length).abs() / rest_length
        })
        .collect();
    let average = strains.iter().sum::<f64>() / strains.len() as f64;
    let largest = strains.iter().copied().fold(0.0, f64::max);
    let lowest = body.particle_positions().map(|p| f64::from(p.y)).fold(f64::INFINITY, f64::min);
    let global = -lowest / f64::from(SIZE) - 1.0;
    let speed = body.particles().iter().map(|p| p.velocity().length()).fold(0.0, Real::max);

    format!(
        concat!(
            r#"{{"name":"hanging","solver":"rapier3d 0.36 cloth, {} iterations, {} pgs","backend":"cpu","#,
            r#""device":"cpu","threads":1,"triangles":{},"total_triangles":{},"vertices":{},"dt":{},"#,
            r#""substeps":{},"steps":{},"ms_per_step_median":{:.4},"ms_per_step_p95":{:.4},"#,
            r#""ms_per_step_cpu":{},"stages":{{}},"strain_avg":{:.6},"strain_max_edge":{:.6},"#,
            r#""strain_global":{:.6},"max_speed":{:.6},"peak_rss_mib":{}}}"#
        ),
        iterations,
        pgs,
        rest.triangles,
        rest.triangles,
        vertices,
        TIME_STEP,
        iterations,
        options.settle + options.blocks * BLOCK,
        timing.median,
        timing.p95,
        timing.cpu.map_or("null".to_owned(), |ms| format!("{ms:.4}")),
        average,
        largest,
        global,
        speed,
        peak_rss_mib().map_or("null".to_owned(), |mib| format!("{mib:.1}")),
    )
}
