//! Hinges: pairs of triangles over an edge, with what bending needs to know about their rest shape.
//!
//! Input: rest positions, masses, stiffness, step. Output: weights and compliances, in f64.

use glam::DVec3;

use crate::mesh::Hinge;

/// Rest data of one hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HingeRest {
    /// Weights of x0, x1 (the edge) and x2, x3 (the opposite corners); they sum to zero.
    pub weights: [f64; 4],
    /// 1/(A0 + A1), 1/m².
    pub per_area: f64,
    /// Signed length of C at rest, metres: positive if the hinge folds against its normal.
    pub rest_bend: f64,
}

/// The vertices of a hinge in the order of its weights.
pub(crate) fn hinge_vertices(hinge: &Hinge) -> [u32; 4] {
    [hinge.edge[0], hinge.edge[1], hinge.opposite[0], hinge.opposite[1]]
}

impl HingeRest {
    /// Precomputes a hinge from its rest corners.
    pub fn new(x: [DVec3; 4]) -> Self {
        let [x0, x1, x2, x3] = x;
        let double_area = |a: DVec3, b: DVec3, c: DVec3| (b - a).cross(c - a).length();
        // Cotangent of the angle at `at` between the directions to `b` and `c`.
        let cot = |at: DVec3, b: DVec3, c: DVec3| (b - at).dot(c - at) / double_area(at, b, c);
        let (cot0_first, cot0_second) = (cot(x0, x1, x2), cot(x0, x1, x3));
        let (cot1_first, cot1_second) = (cot(x1, x0, x2), cot(x1, x0, x3));
        let weights = [
            cot1_first + cot1_second,
            cot0_first + cot0_second,
            -(cot0_first + cot1_first),
            -(cot0_second + cot1_second),
        ];
        let per_area = 2.0 / (double_area(x0, x1, x2) + double_area(x0, x1, x3));
        let bend = x.iter().zip(weights).map(|(&x, k)| x * k).sum::<DVec3>();
        let normal = (x1 - x0).cross(x3 - x2);
        Self { weights, per_area, rest_bend: bend.length().copysign(bend.dot(normal)) }
    }
}

/// All hinges of a mesh, for bending of one stiffness at one step size.
#[derive(Clone, Debug)]
pub(crate) struct Hinges {
    /// The edge's two vertices, then the opposite ones.
    pub vertices: Vec<[u32; 4]>,
    /// Rest data.
    pub rest: Vec<HingeRest>,
    /// Lengths of the edges at rest, metres.
    pub lengths: Vec<f64>,
    /// Mean mass over s h²: the compliance, in units of the relative inverse masses.
    pub compliances: Vec<f64>,
    /// Whether any hinge is bent at rest.
    pub curved: bool,
    /// The part of the stiffness that one pass at this step size cannot bring to bear.
    pub residual: f64,
}

impl Hinges {
    /// Prepares bending of `stiffness` (N·m) for particles of `masses` (kg) and steps of `dt` (s).
    pub fn new(positions: &[DVec3], hinges: &[Hinge], stiffness: f64, masses: &[f64], dt: f64) -> Self {
        let vertices: Vec<[u32; 4]> = hinges.iter().map(hinge_vertices).collect();
        let place = |v: u32| positions[v as usize];
        let rest: Vec<HingeRest> = vertices.iter().map(|vs| HingeRest::new(vs.map(place))).collect();
        let lengths: Vec<f64> = vertices.iter().map(|vs| place(vs[0]).distance(place(vs[1]))).collect();
        let curved = rest.iter().zip(&lengths).any(|(rest, length)| rest.rest_bend.abs() > 1e-4 * length);
        let mean_mass = masses.iter().sum::<f64>() / masses.len() as f64;
        let compliance = |rest: &HingeRest| mean_mass / (stiffness * rest.per_area * dt * dt);
        let compliances: Vec<f64> = rest.iter().map(compliance).collect();
        let taken = |h: usize| {
            let weights = vertices[h].iter().zip(rest[h].weights);
            let mobility: f64 = weights.map(|(&v, k)| mean_mass / masses[v as usize] * k * k).sum();
            mobility / (mobility + compliances[h])
        };
        let residual = (0..hinges.len()).map(taken).sum::<f64>() / hinges.len().max(1) as f64;
        Self { vertices, rest, lengths, compliances, curved, residual }
    }
}
