//! How multilevel cloth moves: what a swing gains and loses, and how it falls.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material};
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{Multilevel, SolverConfig};
use muslin::{Settings, Simulation};

/// m/s².
const GRAVITY: f64 = 9.81;
/// Particles along a side: 33, so that the finest level is one of averaged corrections, with three coarser ones.
const PARTICLES: u32 = 33 * 33;

/// A level square of so many metres at a height, its first corner over the origin.
fn level(size: f32, height: f32) -> TriMesh {
    let mut mesh = generate::grid(16, 16, size, size).unwrap();
    mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x, height, p.y));
    mesh
}

fn settings(time_step: f64, substeps: u32, particles: u32) -> Settings {
    let solver = SolverConfig::Multilevel(Multilevel { particles, ..Multilevel::default() });
    Settings { solver, time_step, substeps, threads: 1, ..Settings::default() }
}

/// What a square of two metres, held by one edge and let go level, gains at most and has lost at the end, in units of
/// M g L/2 (real masses), and its largest strain.
fn swing(substeps: u32, frames: usize) -> (f64, f64, f32) {
    let mesh = level(2.0, 0.0);
    let edge: Vec<u32> =
        (0..mesh.positions.len() as u32).filter(|&v| mesh.positions[v as usize].z == 0.0).collect();
    let undamped = Material { damping: Damping::None, ..Material::default() };
    let cloth = Cloth::builder(mesh).material(undamped).pin_all(edge).build().unwrap();
    let mut cloth = Simulation::new(cloth, settings(1.0 / 60.0, substeps, PARTICLES)).unwrap();
    let unit = cloth.cloth().total_mass() * GRAVITY;
    let (mut gain, mut energy, mut strain) = (f64::MIN, 0.0, 0.0f32);
    for _ in 0..frames {
        strain = strain.max(cloth.step().unwrap().solver.grid().unwrap().strain);
        energy = cloth.energy().total() / unit;
        gain = gain.max(energy);
    }
    (gain, -energy, strain)
}

/// With corrections that differ at both ends of a constraint 16 substeps gained 0.46, and 100 more than ten. Losses are
/// those of a step of first order, which halve with it, but for the shortest; bounds are at most a third above what was measured.
#[test]
fn a_swing_gains_nothing_and_loses_little_at_any_step() {
    for (substeps, frames, most_lost) in
        [(1, 60, 0.39), (3, 60, 0.20), (16, 60, 0.07), (64, 60, 0.02), (200, 42, 0.06)]
    {
        let (gain, loss, strain) = swing(substeps, frames);
        println!("{substeps} substeps: gain {gain:.4}, loss {loss:.4}, strain {strain:.4}");
        assert!(gain <= 0.01, "{substeps} substeps: gain {gain}");
        assert!((-0.01..=most_lost).contains(&loss), "{substeps} substeps: loss {loss}");
        assert!(strain <= 0.1, "{substeps} substeps: strain {strain}");
    }
}

/// How far a free cloth falls within a time from a height, over ½ g t².
fn fall(height: f32, step: f64, steps: u32) -> f64 {
    let cloth = Cloth::builder(level(1.0, height)).build().unwrap();
    let mut cloth = Simulation::new(cloth, settings(step, 1, 9 * 9)).unwrap();
    (0..steps).for_each(|_| drop(cloth.step().unwrap()));
    let time = step * f64::from(steps);
    let mean = |all: &[Vec3]| all.iter().map(|p| f64::from(p.y)).sum::<f64>() / all.len() as f64;
    let fallen = f64::from(height) - mean(&cloth.positions());
    // Places say no more than their last place.
    let last_place = f64::from(height.next_up() - height);
    let exact = 0.5 * GRAVITY * time * time;
    assert!(last_place < 1e-3 * exact, "{height} m, {step} s: the fall is too short to be seen");
    let speed = mean(&cloth.velocities()) / -(GRAVITY * (time - 0.5 * step));
    assert!((speed - 1.0).abs() < 0.01, "{height} m, {step} s: speed {speed}");
    fallen / exact
}

/// The difference of two places a step of 0.1 ms apart, a kilometre up, is zero or six tenths of a metre per second.
#[test]
fn free_fall_is_exact_at_any_height_and_step() {
    for height in [0.0, 5.0, 100.0, 1000.0] {
        for (step, steps, off) in [
            (0.05, 20, 1e-3),
            (1.0 / 60.0, 60, 1e-3),
            (1e-3, 500, 1e-3),
            (1e-4, 2000, 1e-3),
            (1e-5, 12_000, 1e-2),
        ] {
            let share = fall(height, step, steps);
            // A tenth of a per cent is what the issue of exact motion asks for, one per cent at 10 µs; at the top of
            // the range the last place (0.06 mm) is part of it.
            println!("{height} m, {step} s: {share}");
            assert!((share - 1.0).abs() < off, "{height} m, {step} s: {share} of the way");
        }
    }
}
