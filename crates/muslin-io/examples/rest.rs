//! What still moves at the end of a scene, and which edges are stretched or squeezed.
//!
//! `rest SCENE [FRAMES]`: a collision scene of the gallery, and how many frames to go on after its end (0).

#[path = "../tests/gallery/trial.rs"]
#[allow(dead_code)]
mod trial;

use std::process::ExitCode;

use glam::Vec3;
use muslin::World;

/// Substeps at the end over which motion is looked at.
const WINDOW: usize = 96;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let more = arguments.get(1).map_or(Some(0), |frames| frames.parse().ok());
    let (Some(name), Some(more)) = (arguments.first(), more) else {
        eprintln!("usage: rest SCENE [FRAMES]");
        return ExitCode::from(2);
    };
    match run(name, more) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(name: &str, more: u32) -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = trial::read(name)?;
    let steps = (scene.time.frames + more) * scene.time.substeps;
    // Every substep is a step, to be looked at.
    scene.time.fps *= f64::from(scene.time.substeps);
    scene.time.substeps = 1;
    let dt = (1.0 / scene.time.fps) as f32;
    let mut world = scene.build_world()?;
    let rest = positions(&world);
    let mut places = Vec::new();
    let mut velocities = Vec::new();
    for step in 0..steps as usize {
        world.step()?;
        if step + WINDOW >= steps as usize {
            places.push(positions(&world));
            velocities.push(world.cloths().iter().flat_map(|(_, cloth)| cloth.velocities()).collect());
        }
    }
    let moved: Vec<Vec<Vec3>> = places
        .windows(2)
        .map(|pair| pair[1].iter().zip(&pair[0]).map(|(now, before)| (*now - *before) / dt).collect())
        .collect();
    println!("{name}, {steps} substeps, of the last {WINDOW}:");
    print_motion("velocities", &velocities);
    print_motion("change of places", &moved);
    print_strain(&world, &rest, &places[places.len() - 1]);
    Ok(())
}

fn positions(world: &World) -> Vec<Vec3> {
    world.cloths().iter().flat_map(|(_, cloth)| cloth.positions()).collect()
}

/// Speeds as root mean squares: all, their mean over the window, and what alternates from step to step.
fn print_motion(what: &str, velocities: &[Vec<Vec3>]) {
    let (count, particles) = (velocities.len() as f32, velocities[0].len());
    let rms = |values: &mut dyn Iterator<Item = Vec3>| {
        let (sum, number) =
            values.fold((0.0f64, 0), |(sum, n), v| (sum + f64::from(v.length_squared()), n + 1));
        (sum / f64::from(number.max(1))).sqrt()
    };
    let all = rms(&mut velocities.iter().flatten().copied());
    let mean = rms(&mut (0..particles).map(|p| velocities.iter().map(|v| v[p]).sum::<Vec3>() / count));
    // All of a motion that changes its sign in every step, and nothing of a steady one.
    let alternating = rms(&mut velocities
        .windows(3)
        .flat_map(|three| (0..particles).map(|p| 0.5 * three[1][p] - 0.25 * (three[0][p] + three[2][p]))));
    println!("  {what}: rms {all:.4} m/s, steady {mean:.4}, alternating {alternating:.4}");
}

fn print_strain(world: &World, rest: &[Vec3], now: &[Vec3]) {
    let mut strains = Vec::new();
    let mut first = 0;
    for (_, cloth) in world.cloths() {
        // Inner edges count twice; that does not matter here.
        for triangle in cloth.cloth().triangles() {
            for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                let (a, b) = (first + triangle[i] as usize, first + triangle[j] as usize);
                strains.push(100.0 * (now[a].distance(now[b]) / rest[a].distance(rest[b]) - 1.0));
            }
        }
        first += cloth.cloth().vertex_count();
    }
    strains.sort_by(f32::total_cmp);
    let last = strains.len() - 1;
    let at = |part: f64| strains[(part * last as f64) as usize];
    println!(
        "  strain of edges, %: {:.1} {:.1} {:.1} … {:.1} {:.1} {:.1} (lowest, 0.1 %, 1 % … 99 %, 99.9 %, highest)",
        at(0.0),
        at(0.001),
        at(0.01),
        at(0.99),
        at(0.999),
        at(1.0)
    );
}
