//! Strain of the cloth against its rest state, as `muslin bench` defines it.

use rapier3d::prelude::*;

/// The rest state: the edges of the triangles and their lengths.
pub struct Rest {
    edges: Vec<[u32; 2]>,
    /// In metres.
    lengths: Vec<f64>,
    /// Vertical extent in metres.
    height: f64,
    /// Number of triangles.
    pub triangles: usize,
}

/// Strains as fractions.
pub struct Strain {
    /// Mean over the edges of |l − l0| / l0.
    pub average: f64,
    /// The largest of these.
    pub largest: f64,
    /// Lowest point below the pins over the height at rest, minus 1.
    pub global: f64,
}

impl Rest {
    /// Measures a cloth whose pins are at height zero, before it moves.
    pub fn new(cloth: &SoftBodyBuilder) -> Self {
        let edges = cloth.surface_edges();
        let positions = cloth.particle_positions();
        let lengths =
            edges.iter().map(|&[a, b]| distance(positions[a as usize], positions[b as usize])).collect();
        Self { edges, lengths, height: depth(positions.iter().copied()), triangles: cloth.surface.len() }
    }

    /// Measures the cloth as it is now.
    pub fn strain(&self, cloth: &SoftBody) -> Strain {
        let of_edge = |(&[a, b], rest): (&[u32; 2], &f64)| {
            let length = distance(cloth.particle_position(a as usize), cloth.particle_position(b as usize));
            (length - rest).abs() / rest
        };
        let edges: Vec<f64> = self.edges.iter().zip(&self.lengths).map(of_edge).collect();
        Strain {
            average: edges.iter().sum::<f64>() / edges.len() as f64,
            largest: edges.iter().copied().fold(0.0, f64::max),
            global: depth(cloth.particle_positions()) / self.height - 1.0,
        }
    }
}

/// How far the lowest point is below height zero.
fn depth(positions: impl Iterator<Item = Vector>) -> f64 {
    positions.map(|position| -f64::from(position.y)).fold(0.0, f64::max)
}

/// Distance of two points, in double precision.
fn distance(a: Vector, b: Vector) -> f64 {
    let square = |x: Real, y: Real| (f64::from(x) - f64::from(y)).powi(2);
    (square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z)).sqrt()
}
