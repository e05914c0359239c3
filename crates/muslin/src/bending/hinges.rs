//! Hinges: pairs of triangles over an edge, with what bending needs to know about their rest shape.
//!
//! Input: rest positions, masses, stiffness, step. Output: weights and compliances, in f64.

use glam::{DMat3, DVec3};

use crate::mesh::Hinge;
use crate::solver::resistance::brought_to_bear;

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

    /// What a hinge of means has of the stiffness, so that a bend of the finest surface costs no more than it should.
    ///
    /// A mean of points of a bent surface is off it, by half the curvature times the variance of the points. Where neighbours
    /// have different variances, most so beside particles that are held, which are no means, that reads as a bend. So with the
    /// curvature across the hinge's edge C reads the bend and what is off, and its square is so much too large.
    fn share_of_means(&self, x: [DVec3; 4], spread: [DMat3; 4]) -> f64 {
        let edge = (x[1] - x[0]).normalize_or_zero();
        let across = (x[3] - x[2]).reject_from_normalized(edge).normalize_or_zero();
        let read = |value: &dyn Fn(usize) -> f64| (0..4).map(|i| self.weights[i] * value(i)).sum::<f64>();
        let bend = read(&|i| across.dot(x[i] - x[0]).powi(2));
        let off = read(&|i| across.dot(spread[i] * across));
        let share = (bend / (bend + off)).powi(2);
        if share < 1.0 { share } else { 1.0 }
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
    /// What a hinge has of the stiffness, from 0 to 1.
    shares: Vec<f64>,
}

impl Hinges {
    /// Prepares bending of `stiffness` (N·m) for particles of `masses` (kg) and steps of `dt` (s).
    pub fn new(positions: &[DVec3], hinges: &[Hinge], stiffness: f64, masses: &[f64], dt: f64) -> Self {
        Self::of_means(positions, &vec![DMat3::ZERO; positions.len()], hinges, stiffness, masses, dt)
    }

    /// The same for particles that are means of others, whose second moments about them are `spread` (m²).
    pub fn of_means(
        positions: &[DVec3],
        spread: &[DMat3],
        hinges: &[Hinge],
        stiffness: f64,
        masses: &[f64],
        dt: f64,
    ) -> Self {
        let vertices: Vec<[u32; 4]> = hinges.iter().map(hinge_vertices).collect();
        let place = |v: u32| positions[v as usize];
        let rest: Vec<HingeRest> = vertices.iter().map(|vs| HingeRest::new(vs.map(place))).collect();
        let lengths: Vec<f64> = vertices.iter().map(|vs| place(vs[0]).distance(place(vs[1]))).collect();
        let curved = rest.iter().zip(&lengths).any(|(rest, length)| rest.rest_bend.abs() > 1e-4 * length);
        let mean_mass = masses.iter().sum::<f64>() / masses.len() as f64;
        let share = |(rest, vs): (&HingeRest, &[u32; 4])| {
            rest.share_of_means(vs.map(place), vs.map(|v| spread[v as usize]))
        };
        let shares: Vec<f64> = rest.iter().zip(&vertices).map(share).collect();
        let compliance =
            |(rest, share): (&HingeRest, &f64)| mean_mass / (share * stiffness * rest.per_area * dt * dt);
        let compliances: Vec<f64> = rest.iter().zip(&shares).map(compliance).collect();
        Self { vertices, rest, lengths, compliances, curved, shares }
    }

    /// The part of the stiffness that one pass cannot bring to bear, with the inverse masses relative to the mean, 0 for what
    /// is held: a mean over all hinges. (Held particles counted as free ones until a coarse level's were as light as fine ones.
    /// Then it seemed to bring nothing to bear, the next level brought the same again, and a strip sagged half as far as it
    /// should.)
    pub fn residual(&self, inverse_masses: &[f32]) -> f64 {
        let left = |h: usize| {
            let weights = self.vertices[h].iter().zip(self.rest[h].weights);
            let mobility: f64 = weights.map(|(&v, k)| f64::from(inverse_masses[v as usize]) * k * k).sum();
            1.0 - self.shares[h] * brought_to_bear(mobility / (mobility + self.compliances[h]))
        };
        let count = self.vertices.len();
        (0..count).map(left).sum::<f64>() / count.max(1) as f64
    }
}
