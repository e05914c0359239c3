//! The cloth of \[Bender2009\] §4.
//!
//! n × n particles, a metre wide, parallel to the floor at the start, held at two corners, h = 1/30 s, one thread.
//! 2n(n − 1) distance constraints, (n − 1)² + 2n(n − 2) springs (errata 3). The paper gives neither masses nor
//! stiffnesses: ours are below.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::forces::wind::Wind;
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{ImpulseMethod, ImpulseStart, Impulses, SolverConfig, SpringDamper};
use muslin::{Settings, Simulation};

use crate::Error;

/// Seconds.
pub(super) const TIME_STEP: f64 = 1.0 / 30.0;

/// The paper's models and tolerances.
pub(super) const SIDES: [usize; 5] = [10, 20, 30, 40, 50];
pub(super) const TOLERANCES: [f64; 4] = [0.1, 0.01, 0.001, 0.0001];

/// That of the linear system, which is exact in the paper.
pub(super) const EXACT: f64 = 1e-6;

/// The bending springs. A cloth of 50 × 50 weighs 80 mg per particle.
const BENDING: SpringDamper = SpringDamper { stiffness: 0.05, damping: 3e-4 };

/// Every how many-th particle is chosen at random to get another velocity, and how fast it may be along an axis, m/s.
const CHOSEN: f32 = 0.1;
const SPEED: f32 = 1.0;

/// How a cloth is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// At two corners of one side, under gravity.
    Corners,
    /// The same, in still air.
    CornersInAir,
    /// Not at all, without gravity.
    Free,
}

/// Options of a method.
pub(super) fn method(method: ImpulseMethod, tolerance: f64) -> Impulses {
    Impulses { method, tolerance, bending: BENDING, ..Impulses::default() }
}

/// The iterative method as the paper prints it: full corrections, from where particles would go.
pub(super) fn as_printed(tolerance: f64) -> Impulses {
    let (over_relaxation, start) = (Some(1.0), ImpulseStart::Preview);
    Impulses { over_relaxation, start, ..method(ImpulseMethod::Iterative, tolerance) }
}

/// `10×10`.
pub(super) fn size(side: usize) -> String {
    format!("{side}×{side}")
}

/// The square, parallel to the floor, `width` metres wide.
pub(super) fn mesh(side: usize, width: f32) -> Result<TriMesh, Error> {
    let mut mesh = generate::grid(side - 1, side - 1, width, width)?;
    mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x, 0.0, p.y));
    Ok(mesh)
}

/// Pairs of particles that keep their distance.
pub(super) fn constraints(side: usize) -> Vec<[usize; 2]> {
    let at = |column: usize, row: usize| row * side + column;
    let lines = (0..side).flat_map(|line| (1..side).map(move |next| (line, next)));
    lines
        .flat_map(|(line, next)| [[at(next - 1, line), at(next, line)], [at(line, next - 1), at(line, next)]])
        .collect()
}

/// How many springs there are: one diagonal per quad, and bending springs over every inner particle of a line.
pub(super) fn springs(side: usize) -> usize {
    (side - 1).pow(2) + 2 * side * (side - 2)
}

/// Numbers between −1 and 1 that a seed names for ever.
pub(super) fn noise(seed: u64) -> impl FnMut() -> f32 {
    let mut state = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        2.0 * (state >> 40) as f32 / (1u64 << 24) as f32 - 1.0
    }
}

/// The cloth in its start position, at rest.
pub(super) fn still(side: usize, held: Held, options: Impulses) -> Result<Simulation, Error> {
    still_of_width(side, 1.0, held, options)
}

fn still_of_width(side: usize, width: f32, held: Held, options: Impulses) -> Result<Simulation, Error> {
    let mesh = mesh(side, width)?;
    let bottom = mesh.groups["bottom"].clone();
    let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
    let mut builder = Cloth::builder(mesh).material(material).tethers(TetherChoice::Off);
    let mut settings = Settings {
        time_step: TIME_STEP,
        substeps: 1,
        solver: SolverConfig::Impulses(options),
        threads: 1,
        ..Settings::default()
    };
    match held {
        Held::Free => settings.gravity = Vec3::ZERO,
        Held::Corners | Held::CornersInAir => builder = builder.pin_all([bottom[0], bottom[side - 1]]),
    }
    if held == Held::CornersInAir {
        settings.wind = Some(Wind::default());
    }
    Ok(Simulation::new(builder.build()?, settings)?)
}

/// The cloth of the performance tests: some particles, chosen at random, have velocities.
pub(super) fn swinging(side: usize, options: Impulses) -> Result<Simulation, Error> {
    swinging_of_width(side, 1.0, options)
}

/// The same, `width` metres wide.
pub(super) fn swinging_of_width(side: usize, width: f32, options: Impulses) -> Result<Simulation, Error> {
    let mut simulation = still_of_width(side, width, Held::Corners, options)?;
    let (positions, mut noise) = (simulation.positions(), noise(0));
    let mut velocities = vec![Vec3::ZERO; positions.len()];
    for (v, velocity) in velocities.iter_mut().enumerate() {
        let change = SPEED * Vec3::new(noise(), noise(), noise());
        if 0.5 * (noise() + 1.0) < CHOSEN && v != 0 && v != side - 1 {
            *velocity = change;
        }
    }
    simulation.set_state(&positions, &velocities)?;
    Ok(simulation)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [Bender2009] §4: 180 to 4900 constraints, 241 to 7201 springs; figure 4 has 3120 constraints.
    #[test]
    fn counts_are_those_of_the_paper() {
        let counts = |side| (constraints(side).len(), springs(side));
        assert_eq!((counts(10), counts(50), counts(40).0), ((180, 241), (4900, 7201), 3120));
        for side in SIDES {
            let mesh = mesh(side, 1.0).unwrap();
            let apart = |&[a, b]: &[usize; 2]| mesh.positions[a].distance(mesh.positions[b]);
            let rest = 1.0 / (side - 1) as f32;
            assert!(constraints(side).iter().all(|pair| (apart(pair) / rest - 1.0).abs() < 1e-4));
            assert_eq!(mesh.quads.len(), (side - 1) * (side - 1));
        }
    }

    #[test]
    fn noise_fills_its_range() {
        let mut noise = noise(1);
        let values: Vec<f32> = (0..1000).map(|_| noise()).collect();
        assert!(values.iter().all(|v| (-1.0..1.0).contains(v)));
        assert!(values.iter().any(|v| *v < -0.9) && values.iter().any(|v| *v > 0.9));
        assert!((values.iter().sum::<f32>() / 1000.0).abs() < 0.1);
    }
}
