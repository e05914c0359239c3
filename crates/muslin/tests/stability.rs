//! [Bender2013] §6, stability: scrambled and collapsed cloth recovers; no step size breaks it.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::mesh::generate;
use muslin::solver::{ShapeMatching, SolverConfig, Variant};
use muslin::{Settings, Simulation};

/// Uniform numbers in 0…1 (xorshift), so that a seed names a start for ever.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn point(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// A free cloth of 5 m × 5 m, five levels, steps of 5 ms, no gravity.
fn free_cloth(triangles: usize, variant: Variant, time_step: f64, gravity: Vec3) -> Simulation {
    let mesh = generate::delaunay_rectangle(5.0, 5.0, triangles, 7).unwrap();
    let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
    let cloth = Cloth::builder(mesh).material(material).tethers(TetherChoice::Off).build().unwrap();
    let solver = SolverConfig::ShapeMatching(ShapeMatching { variant, ..ShapeMatching::default() });
    let settings = Settings { time_step, substeps: 1, gravity, solver, ..Settings::default() };
    Simulation::new(cloth, settings).unwrap()
}

/// Steps until the average strain is below 5 %, at most 100.
fn steps_to_recover(simulation: &mut Simulation, start: &[Vec3]) -> usize {
    simulation.set_state(start, &vec![Vec3::ZERO; start.len()]).unwrap();
    for step in 1..=100 {
        let report = simulation.step().unwrap();
        assert!(report.max_speed.is_finite());
        if simulation.strain().average < 0.05 {
            return step;
        }
    }
    panic!("average strain still {} after 100 steps", simulation.strain().average);
}

#[test]
fn random_positions_recover_for_a_hundred_seeds() {
    let mut simulation = free_cloth(20_000, Variant::FullApproximation, 0.005, Vec3::ZERO);
    let mut slowest = 0;
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let start: Vec<Vec3> = simulation.positions().iter().map(|_| random.point() * 5.0).collect();
        slowest = slowest.max(steps_to_recover(&mut simulation, &start));
    }
    println!("slowest recovery from random positions: {slowest} steps");
}

#[test]
fn all_vertices_in_one_point_recover() {
    for variant in [Variant::FullApproximation, Variant::Paper, Variant::Gather] {
        let mut simulation = free_cloth(20_000, variant, 0.005, Vec3::ZERO);
        let start = vec![Vec3::ONE; simulation.positions().len()];
        println!("{variant:?}: {} steps", steps_to_recover(&mut simulation, &start));
    }
}

#[test]
fn random_positions_recover_in_every_variant() {
    for variant in [Variant::Paper, Variant::Gather] {
        let mut simulation = free_cloth(20_000, variant, 0.005, Vec3::ZERO);
        let mut random = Random::new(5);
        let start: Vec<Vec3> = simulation.positions().iter().map(|_| random.point() * 5.0).collect();
        println!("{variant:?}: {} steps", steps_to_recover(&mut simulation, &start));
    }
}
