//! The volume of closed cloth (Müller et al. 2006 §4.4): a balloon keeps a multiple of what it holds at rest.
//!
//! Input: points, the pressure p. Output: moved points.
//!
//!   C = V − p V0,  V = ⅙ Σ_triangles x_a · (x_b × x_c)
//!
//! The gradient of a vertex v is ⅙ Σ x_b × x_c over its triangles (v, b, c), and since every neighbour is once a b and
//! once a c, it is also ⅙ Σ (x_b − x_v) × (x_c − x_v): a third of the areas around, as a vector, without the loss of
//! digits far from the origin. V is of degree three, so 3V = Σ x_v · g_v; the g_v sum to zero, so the origin may be
//! anywhere, and is taken on the surface. One pass over the vertices thus gives C and all gradients. C is not linear:
//! a projection is one step of Newton's method. Each connected part of a cloth has a volume of its own.
//!
//! Sums are taken by blocks of a fixed size in f64, and the blocks are added in their order: the same bits for any
//! number of threads.

use glam::{DVec3, Vec3, Vec4};

use crate::Error;
use crate::cloth::Cloth;
use crate::execution::Execution;

/// Vertices per block of a sum.
const BLOCK: usize = 1024;

/// A connected part of the cloth.
#[derive(Clone, Debug)]
struct Part {
    vertices: Vec<u32>,
    /// m³.
    rest_volume: f64,
    /// Per block Σ (x − origin) · g and Σ w |g|².
    sums: Vec<[f64; 2]>,
}

/// Keeps the volume of closed cloth.
#[derive(Clone, Debug)]
pub(crate) struct VolumeKeeper {
    parts: Vec<Part>,
    gradients: Vec<Vec3>,
}

impl VolumeKeeper {
    /// Prepares a cloth, which must be closed.
    pub fn new(cloth: &Cloth) -> Result<Self, Error> {
        check_closed(cloth)?;
        let (labels, count) = cloth.topology.components();
        let mut parts: Vec<Part> =
            (0..count).map(|_| Part { vertices: Vec::new(), rest_volume: 0.0, sums: Vec::new() }).collect();
        for (v, &label) in labels.iter().enumerate() {
            parts[label as usize].vertices.push(v as u32);
        }
        for &[a, b, c] in &cloth.mesh.triangles {
            let part = &mut parts[labels[a as usize] as usize];
            let origin = cloth.rest[part.vertices[0] as usize];
            let [a, b, c] = [a, b, c].map(|v| cloth.rest[v as usize] - origin);
            part.rest_volume += a.dot(b.cross(c)) / 6.0;
        }
        for part in &mut parts {
            part.sums = vec![[0.0; 2]; part.vertices.len().div_ceil(BLOCK)];
            let size = part.vertices.iter().map(|&v| cloth.rest[v as usize]);
            let first = cloth.rest[part.vertices[0] as usize];
            let extent = size.fold(0.0f64, |largest, place| largest.max(place.distance(first)));
            if part.rest_volume.abs() < 1e-6 * extent.powi(3) {
                return Err(Error::NotClosed { problem: "its rest shape holds no volume".into() });
            }
        }
        Ok(Self { parts, gradients: vec![Vec3::ZERO; labels.len()] })
    }

    /// The volume at rest of all parts, m³.
    #[cfg(test)]
    fn rest_volume(&self) -> f64 {
        self.parts.iter().map(|part| part.rest_volume).sum()
    }

    /// One projection of every part's volume to `pressure` times that at rest.
    pub fn hold(&mut self, pressure: f32, cloth: &Cloth, points: &mut [Vec4], execution: Execution) {
        let seen: &[Vec4] = points;
        let around = &cloth.topology.vertex_triangles;
        execution.for_each_chunk(&mut self.gradients, |first, chunk| {
            for (offset, gradient) in chunk.iter_mut().enumerate() {
                let v = first + offset;
                let corner = |&t: &u32| {
                    let [a, b, c] = cloth.mesh.triangles[t as usize];
                    let (b, c) = match v as u32 {
                        v if v == a => (b, c),
                        v if v == b => (c, a),
                        _ => (a, b),
                    };
                    let [b, c] = [b, c].map(|u| (seen[u as usize] - seen[v]).truncate());
                    b.cross(c)
                };
                *gradient = around.row(v).iter().map(corner).sum::<Vec3>() / 6.0;
            }
        });
        for part in &mut self.parts {
            let step = part.step(pressure, &self.gradients, points, execution);
            for &v in &part.vertices {
                let point = &mut points[v as usize];
                *point += (self.gradients[v as usize] * (step * point.w)).extend(0.0);
            }
        }
    }
}

impl Part {
    /// λ = −C/Σ w |g|².
    fn step(&mut self, pressure: f32, gradients: &[Vec3], points: &[Vec4], execution: Execution) -> f32 {
        let Self { vertices, rest_volume, sums } = self;
        let place = |v: u32| points[v as usize].truncate().as_dvec3();
        let origin: DVec3 = place(vertices[0]);
        execution.for_each_chunk(sums, |first, chunk| {
            for (offset, sum) in chunk.iter_mut().enumerate() {
                let start = (first + offset) * BLOCK;
                let block = &vertices[start..vertices.len().min(start + BLOCK)];
                *sum = block.iter().fold([0.0; 2], |[volume, mobility], &v| {
                    let gradient = gradients[v as usize].as_dvec3();
                    let w = f64::from(points[v as usize].w);
                    [volume + (place(v) - origin).dot(gradient), mobility + w * gradient.length_squared()]
                });
            }
        });
        let [triple, mobility] = sums.iter().fold([0.0; 2], |[a, b], sum| [a + sum[0], b + sum[1]]);
        let error = triple / 3.0 - f64::from(pressure) * *rest_volume;
        // Everything held, or collapsed to a point.
        if mobility > 0.0 { (-error / mobility) as f32 } else { 0.0 }
    }
}

/// Every edge must have two triangles that run through it in opposite directions.
fn check_closed(cloth: &Cloth) -> Result<(), Error> {
    let topology = &cloth.topology;
    let open = (0..topology.edges.len()).filter(|&e| topology.edge_triangles.row(e).len() != 2).count();
    if open > 0 {
        let problem = format!("{open} of its {} edges do not have two triangles", topology.edges.len());
        return Err(Error::NotClosed { problem });
    }
    let along = |t: u32, [a, b]: [u32; 2]| {
        let corners = cloth.mesh.triangles[t as usize];
        (0..3).any(|k| corners[k] == a && corners[(k + 1) % 3] == b)
    };
    let turned = topology.hinges.iter().any(|hinge| {
        let [first, second] = hinge.triangles;
        along(first, hinge.edge) == along(second, hinge.edge)
    });
    match turned || topology.hinges.len() < topology.edges.len() {
        true => Err(Error::NotClosed {
            problem: "its triangles do not agree which side is outside; repairing the mesh turns them".into(),
        }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests;
