//! The hanging cloth in rapier3d: the scene of `muslin bench hanging`, the same figures.
//!
//! 5 m × 5 m, 101 × 101 quads, 0.2 kg/m², pinned at the two upper corners, hanging straight down from the start,
//! no collisions, 5 ms steps, one thread (rapier3d without its feature `parallel`). Structural and shear springs
//! have 1000 Hz and critical damping; bending springs keep rapier's default of 10 Hz.
//!
//! usage: muslin-peer-rapier [--settle STEPS] [--blocks N] [--bend HZ] [--area-masses] [ITERATIONS:PGS …]
//!
//! ITERATIONS is `num_solver_iterations`, PGS is `additional_pgs_iterations` of the soft body (rapier's defaults: 4
//! and 3). Masses are equal, as rapier's own builder makes them, unless lumped by area. Prints one JSON object per
//! line and setting, with the keys of `muslin bench --json` and a few more. Strains are means over the ends of the
//! blocks, because some settings never come to rest.

mod json;
mod measure;
mod strain;

use json::JsonObject;
use measure::{Timing, peak_rss_mib};
use rapier3d::prelude::*;
use strain::{Rest, Strain};

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
/// The usage line.
const USAGE: &str =
    "usage: muslin-peer-rapier [--settle STEPS] [--blocks N] [--bend HZ] [--area-masses] [ITERATIONS:PGS …]";
/// Steps in a block of measurements.
const BLOCK: usize = 200;

/// What to run.
struct Options {
    /// Steps before the measurement.
    settle: usize,
    /// Blocks of [`BLOCK`] steps to measure.
    blocks: usize,
    /// Natural frequency of the bending springs in hertz.
    bend: usize,
    /// Whether masses are lumped by area instead of equal.
    area_masses: bool,
    /// Pairs of solver iterations and additional PGS iterations.
    settings: Vec<(usize, usize)>,
}

fn main() {
    let options = match parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!(
                "{message}
{USAGE}"
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
    let mut options = Options { settle: 2000, blocks: 5, bend: 10, area_masses: false, settings: Vec::new() };
    while let Some(word) = words.next() {
        let number = |text: Option<&str>| {
            text.and_then(|text| text.parse::<usize>().ok()).ok_or(format!("bad argument: {word}"))
        };
        match word.as_str() {
            "--settle" => options.settle = number(words.next().as_deref())?,
            "--blocks" => options.blocks = number(words.next().as_deref())?.max(1),
            "--bend" => options.bend = number(words.next().as_deref())?,
            "--area-masses" => options.area_masses = true,
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

/// The cloth: its upper corners are the particles 0 and `QUADS`.
fn cloth(pgs: usize, options: &Options) -> (SoftBodyBuilder, Rest) {
    let side = QUADS + 1;
    let cell = SIZE / QUADS as Real;
    let builder = SoftBodyBuilder::cloth(Vector::ZERO, -Vector::Y * cell, Vector::X * cell, side, side);
    let rest = Rest::new(&builder);
    let builder = if options.area_masses {
        let mut masses = vec![0.0; side * side];
        for &corner in builder.surface.iter().flatten() {
            masses[corner as usize] += DENSITY * cell * cell / 2.0 / 3.0;
        }
        builder.masses(masses)
    } else {
        builder.particle_mass(DENSITY * SIZE * SIZE / (side * side) as Real)
    };
    let material = SoftBodyMaterial {
        edge_softness: SpringCoefficients::new(FREQUENCY, 1.0),
        bend_softness: SpringCoefficients::new(options.bend as Real, 1.0),
        ..Default::default()
    };
    let builder = builder
        .pinned_particles([0, QUADS as u32])
        .material(material)
        .additional_pgs_iterations(pgs)
        .no_surface_collider()
        .can_sleep(false);
    (builder, rest)
}

/// Simulates one setting and returns its line of JSON.
fn run(iterations: usize, pgs: usize, options: &Options) -> String {
    let (builder, rest) = cloth(pgs, options);
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -9.81, 0.0);
    world.integration_parameters.dt = TIME_STEP;
    world.integration_parameters.num_solver_iterations = iterations;
    let handle = world.insert_soft_body(builder);

    for _ in 0..options.settle {
        world.step();
    }
    let mut timing = Timing::default();
    let mut strains = Vec::new();
    for _ in 0..options.blocks {
        timing.block(BLOCK, || world.step());
        strains.push(rest.strain(&world.soft_bodies[handle]));
    }
    let body = &world.soft_bodies[handle];
    let speed = body.particles().iter().map(|p| p.velocity().length()).fold(0.0, Real::max);
    let mean = |of: fn(&Strain) -> f64| strains.iter().map(of).sum::<f64>() / strains.len() as f64;
    let bend = options.bend;
    let masses = if options.area_masses { "area" } else { "equal" };

    JsonObject::default()
        .text("name", "hanging")
        .text("solver", &format!("rapier3d 0.36 cloth, {iterations} iterations, {pgs} pgs"))
        .text("backend", "cpu")
        .text("device", "cpu")
        .number("threads", 1)
        .number("triangles", rest.triangles)
        .number("total_triangles", rest.triangles)
        .number("vertices", body.particles().len())
        .number("dt", TIME_STEP)
        .number("substeps", iterations)
        .number("steps", options.settle + options.blocks * BLOCK)
        .decimal("ms_per_step_median", Some(timing.median))
        .decimal("ms_per_step_p95", Some(timing.p95))
        .decimal("ms_per_step_cpu", timing.cpu)
        .number("stages", "{}")
        .decimal("strain_avg", Some(mean(|strain| strain.average)))
        .decimal("strain_avg_min", strains.iter().map(|strain| strain.average).reduce(f64::min))
        .decimal("strain_avg_max", strains.iter().map(|strain| strain.average).reduce(f64::max))
        .decimal("strain_max_edge", Some(mean(|strain| strain.largest)))
        .decimal("strain_global", Some(mean(|strain| strain.global)))
        .decimal("max_speed", Some(f64::from(speed)))
        .decimal("peak_rss_mib", peak_rss_mib())
        .text("springs", &format!("{FREQUENCY} Hz, bending {bend} Hz, {masses} masses"))
        .finish()
}
