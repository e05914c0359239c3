//! Small scenes: a level square, and what it falls on.

use glam::Vec3;
use muslin::cloth::Cloth;
use muslin::collision::{Collider, Shape};
use muslin::mesh::{TriMesh, generate};
use muslin::{Settings, Simulation};

use crate::Noise;

/// How far [`shaken`] moves particles along each axis at most, metres: less than the thickness of any cloth.
const SHAKE: f32 = 5e-5;

/// A level square around the y axis: cells along each side, its size and height in metres.
pub fn level_square(cells: usize, size: f32, height: f32) -> TriMesh {
    let mut mesh = generate::grid(cells, cells, size, size).expect("a square of some cells");
    let (low, high) = mesh.bounds().expect("it has vertices");
    let middle = 0.5 * (low + high);
    for p in &mut mesh.positions {
        *p = Vec3::new(p.x - middle.x, height, p.y - middle.y);
    }
    mesh
}

/// Cloth that starts with every particle a little off, so that nothing is symmetric.
pub fn shaken(mesh: TriMesh, settings: Settings) -> Simulation {
    let mut noise = Noise::new(1);
    let start = mesh.positions.iter().map(|p| *p + SHAKE * noise.vector()).collect();
    let cloth = Cloth::builder(mesh).start_positions(start).build().expect("a mesh of cloth");
    Simulation::new(cloth, settings).expect("settings of a test")
}

/// Steps of 5 ms without substeps, on one thread: short enough for cloth that falls on something.
pub fn settings() -> Settings {
    Settings { time_step: 0.005, substeps: 1, threads: 1, ..Settings::default() }
}

/// A ball that stands still.
pub fn ball(center: Vec3, radius: f32) -> Collider {
    Collider::new("ball", Shape::Sphere { center, radius })
}

/// The floor at height zero.
pub fn floor() -> Collider {
    Collider::new("floor", Shape::Plane { point: Vec3::ZERO, normal: Vec3::Y })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_square_is_level_and_around_the_axis() {
        let mesh = level_square(4, 0.5, 0.25);
        let (low, high) = mesh.bounds().unwrap();
        assert_eq!((low, high), (Vec3::new(-0.25, 0.25, -0.25), Vec3::new(0.25, 0.25, 0.25)));
        let upwards = (0..mesh.triangles.len()).all(|t| {
            let [a, b, c] = mesh.corners(t);
            (b - a).cross(c - a).y.abs() > 0.0
        });
        assert!(upwards && mesh.triangles.len() == 32);
    }

    #[test]
    fn shaken_cloth_is_off_by_no_more_than_said_and_off_everywhere() {
        let mesh = level_square(4, 0.5, 0.25);
        let start = shaken(mesh.clone(), settings()).positions();
        for (from, to) in mesh.positions.iter().zip(start) {
            let off = (to - *from).abs();
            // Single precision at half a metre.
            assert!(off.max_element() <= SHAKE + 3e-8 && off.max_element() > 0.0, "{off}");
        }
    }
}
