//! Garments: rest shapes that are not flat.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material};
use muslin::mesh::{TriMesh, generate};
use muslin::{Settings, Simulation};

/// A sheet of 1 m × 1 m rolled to half a cylinder, as the rest shape.
fn rolled() -> (TriMesh, Vec<Vec3>) {
    let flat = generate::delaunay_rectangle(1.0, 1.0, 4_000, 2).unwrap();
    let radius = 1.0 / std::f32::consts::PI;
    let roll = |p: &Vec3| {
        let angle = p.x / radius;
        Vec3::new(-radius * angle.cos(), p.y, radius * angle.sin())
    };
    let positions = flat.positions.iter().map(roll).collect();
    (TriMesh { positions, ..flat.clone() }, flat.positions)
}

#[test]
fn a_rolled_sheet_without_bending_stiffness_stays_flat_when_laid_flat() {
    let (mesh, flat) = rolled();
    let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
    let cloth = Cloth::builder(mesh).material(material).start_positions(flat.clone()).build().unwrap();
    let mut simulation =
        Simulation::new(cloth, Settings { gravity: Vec3::ZERO, ..Settings::default() }).unwrap();
    for _ in 0..60 {
        simulation.step().unwrap();
    }
    let moved = simulation.positions().iter().zip(&flat).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    println!("moved by {moved} m in a second");
    // With the chords as rest lengths of coarse edges it is 10 cm.
    assert!(moved < 0.005, "coarse levels pulled the sheet by {moved} m");
}

#[test]
fn a_rolled_sheet_with_bending_stiffness_rolls_up_again() {
    let (mesh, flat) = rolled();
    let rest = mesh.positions.clone();
    let material =
        Material { bending: 1e-3, damping: Damping::Deformation { rate: 2.0 }, ..Material::default() };
    let left = mesh.groups["left"].clone();
    let cloth = Cloth::builder(mesh).material(material).start_positions(flat).build().unwrap();
    let mut simulation =
        Simulation::new(cloth, Settings { gravity: Vec3::ZERO, ..Settings::default() }).unwrap();
    let width = |positions: &[Vec3]| {
        positions.iter().map(|p| p.distance(positions[left[0] as usize])).fold(0.0, f32::max)
    };
    let before = width(&simulation.positions());
    for _ in 0..120 {
        simulation.step().unwrap();
    }
    let after = width(&simulation.positions());
    println!("from {before} towards {}: {after}", width(&rest));
    assert!(after < before - 0.05);
    assert!(simulation.strain().average < 0.02);
}
