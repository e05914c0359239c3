//! How stiff the variants are: the hanging cloth of [Bender2013] §6, at rest.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::diagnostics::strain::Strain;
use muslin::hierarchy::{HierarchyOptions, Nesting};
use muslin::mesh::generate;
use muslin::solver::{Cycle, ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation};

/// 5 m × 5 m, 20,648 triangles, 0.2 kg/m², held at two corners, 5 ms in substeps, at rest.
fn settled(solver: ShapeMatching, tethers: TetherChoice, substeps: u32) -> Strain {
    let mesh = generate::delaunay_rectangle(5.0, 5.0, 20_648, 1).unwrap();
    let corners =
        [Vec3::new(0.0, 5.0, 0.0), Vec3::new(5.0, 5.0, 0.0)].map(|p| mesh.nearest_vertex(p).unwrap());
    let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
    let cloth = Cloth::builder(mesh).material(material).pin_all(corners).tethers(tethers).build().unwrap();
    println!("{solver:?}, {tethers:?}, {substeps} substeps");
    let solver = SolverConfig::ShapeMatching(solver);
    let settings = Settings { time_step: 0.005, substeps, solver, ..Settings::default() };
    let mut simulation = Simulation::new(cloth, settings).unwrap();
    for _ in 0..1200 {
        simulation.step().unwrap();
        // Slowing down changes the way to the equilibrium, not the equilibrium.
        let slowed: Vec<Vec3> = simulation.velocities().iter().map(|v| *v * 0.98).collect();
        let positions = simulation.positions();
        simulation.set_state(&positions, &slowed).unwrap();
    }
    let strain = simulation.strain();
    println!("  {strain:?}");
    strain
}

/// The default variant with one V-cycle per step of 5 ms.
fn hanging(levels: usize, nesting: Nesting, tethers: TetherChoice) -> Strain {
    let hierarchy = HierarchyOptions { levels, nesting, ..HierarchyOptions::default() };
    settled(ShapeMatching { hierarchy, ..ShapeMatching::default() }, tethers, 1)
}

#[test]
fn five_levels() {
    let strain = hanging(5, Nesting::Nested, TetherChoice::Off);
    assert!(strain.average <= 0.011 && strain.global.unwrap() <= 0.031);
}

#[test]
fn seven_levels() {
    let strain = hanging(7, Nesting::Nested, TetherChoice::Off);
    assert!(strain.average <= 0.0075 && strain.global.unwrap() <= 0.016);
}

#[test]
fn five_levels_that_are_not_nested() {
    let strain = hanging(5, Nesting::NonNested, TetherChoice::Off);
    assert!(strain.average <= 0.02 && strain.global.unwrap() <= 0.06);
}

/// Two sawtooth cycles of half a step cost what one V-cycle costs.
#[test]
fn sawtooth_with_twice_the_substeps_is_stiffer_than_the_v_cycle() {
    let v = settled(ShapeMatching::default(), TetherChoice::Off, 1);
    let sawtooth =
        settled(ShapeMatching { cycle: Cycle::Sawtooth, ..ShapeMatching::default() }, TetherChoice::Off, 2);
    assert!(sawtooth.average < 0.6 * v.average && sawtooth.global.unwrap() < 0.6 * v.global.unwrap());
}

#[test]
fn tethers_take_the_weight() {
    let strain = hanging(5, Nesting::Nested, TetherChoice::Auto);
    assert!(strain.average < 0.002 && strain.global.unwrap() < 0.005);
}
