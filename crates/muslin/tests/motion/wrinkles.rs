//! [Bender2013] figure 10: coarse levels must not iron out the wrinkles of the finest.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Keyframe, Material, PinMotion};
use muslin::hierarchy::{HierarchyOptions, Nesting};
use muslin::mesh::generate;
use muslin::solver::{ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation};

/// A cloth of 30,000 triangles without gravity whose centre is moved up and down.
fn wave(conserve_wrinkles: bool, nesting: Nesting) -> Simulation {
    let mesh = generate::delaunay_rectangle(5.0, 5.0, 30_000, 1).unwrap();
    let centre = mesh.nearest_vertex(Vec3::new(2.5, 2.5, 0.0)).unwrap();
    let place = mesh.positions[centre as usize];
    let key = |i: u32| {
        let time = f64::from(i) * 0.005;
        let lift = 0.3 * (std::f64::consts::TAU * 1.5 * time).sin();
        Keyframe { time, position: (place + Vec3::Z * lift as f32).as_dvec3() }
    };
    let motion = PinMotion::Keyframes((0..=400).map(key).collect());
    // So little bending stiffness that it only serves to measure.
    let material = Material { bending: 1e-9, damping: Damping::None, ..Material::default() };
    let cloth = Cloth::builder(mesh).material(material).pin_moving(centre, motion).build().unwrap();
    let hierarchy = HierarchyOptions { levels: 4, nesting, ..HierarchyOptions::default() };
    let solver = SolverConfig::ShapeMatching(ShapeMatching {
        hierarchy,
        conserve_wrinkles,
        ..ShapeMatching::default()
    });
    let settings =
        Settings { time_step: 0.005, substeps: 1, gravity: Vec3::ZERO, solver, ..Settings::default() };
    Simulation::new(cloth, settings).unwrap()
}

/// Curvature energy per bending stiffness after two seconds: dominated by the shortest wrinkles,
/// because hinges span single edges.
fn curvature(mut simulation: Simulation) -> f64 {
    for _ in 0..400 {
        simulation.step().unwrap();
    }
    println!("  strain {:?}", simulation.strain());
    simulation.energy().bending / 1e-9
}

#[test]
fn conservation_keeps_at_least_three_times_the_curvature() {
    for nesting in [Nesting::NonNested, Nesting::Nested] {
        let with = curvature(wave(true, nesting));
        let without = curvature(wave(false, nesting));
        println!("{nesting:?}: curvature energy with conservation {with:.1}, without {without:.1}");
        assert!(with >= 3.0 * without, "{nesting:?}: {with} with, {without} without");
    }
}
