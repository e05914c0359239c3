//! Quadratic bending by gathering: all hinges see the same positions, and every vertex adds up what
//! its hinges ask for. The twin of the GPU's bending.
//!
//! Jacobi's form of [`quadratic`](super::quadratic): a vertex of R hinges goes into each with the Rth
//! part of its mass, so
//!
//!   λ_h = −(C_h − T_h)/(Σ R_i w_i k_i² + compliance),  x_v += Σ_h w_v k_vh λ_h
//!
//! The denominators do not depend on positions and C is linear in them: for flat cloth, where the
//! rest bend T is zero, all of it is one constant sparse matrix. Its rows sum to zero, so it acts on
//! differences x_u − x_v. A curved rest shape adds Σ_h w_v k_vh T_h/(…).

use glam::Vec3;

use super::hinges::Hinges;
use super::quadratic::rest_bend;
use crate::execution::Execution;
use crate::math::csr::Csr;
use crate::state::Point;

/// The bending of a mesh as a matrix.
#[derive(Clone, Debug)]
pub(crate) struct GatherBending {
    /// Per vertex: (other vertex, factor of the difference to it).
    pub rows: Csr<(u32, f32)>,
    /// What a curved rest shape adds.
    pub curved: Option<CurvedRest>,
    changes: Vec<Vec3>,
    /// Vertices that move by a part of what the matrix says: they count as heavier for a while. What the others are asked for is
    /// left as it is, so momentum is kept.
    shares: Vec<(u32, f32)>,
}

/// Rest bends.
#[derive(Clone, Debug)]
pub(crate) struct CurvedRest {
    pub vertices: Vec<[u32; 4]>,
    pub weights: Vec<[f32; 4]>,
    pub bends: Vec<f32>,
    /// Below this length C has no direction, metres.
    pub edge_scales: Vec<f32>,
    /// Per vertex: (hinge, factor of its rest bend).
    pub rows: Csr<(u32, f32)>,
    targets: Vec<Vec3>,
}

impl GatherBending {
    /// Assembles the matrix; `inverse_masses` are relative to the mean, 0 for fixed particles.
    pub fn new(inverse_masses: &[f32], hinges: &Hinges) -> Self {
        let vertices = inverse_masses.len();
        let w = |v: u32| f64::from(inverse_masses[v as usize]);
        let mut counts = vec![0.0; vertices];
        hinges.vertices.iter().flatten().for_each(|&v| counts[v as usize] += 1.0);
        let denominator = |h: usize| {
            let corners = hinges.vertices[h].iter().zip(hinges.rest[h].weights);
            let mobility: f64 = corners.map(|(&v, k)| counts[v as usize] * w(v) * k * k).sum();
            mobility + hinges.compliances[h]
        };
        let mut entries: Vec<(u32, u32, f64)> = Vec::with_capacity(12 * hinges.vertices.len());
        let mut targets: Vec<(u32, (u32, f32))> = Vec::new();
        for (h, corners) in hinges.vertices.iter().enumerate() {
            let (weights, per_sum) = (hinges.rest[h].weights, 1.0 / denominator(h));
            for i in 0..4 {
                let factor = w(corners[i]) * weights[i] * per_sum;
                let others = (0..4).filter(|&j| j != i);
                entries.extend(others.map(|j| (corners[i], corners[j], -factor * weights[j])));
                targets.push((corners[i], (h as u32, factor as f32)));
            }
        }
        entries.sort_by_key(|&(row, column, _)| (row, column));
        entries.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if same { next.2 } else { 0.0 };
            same
        });
        let curved = hinges.curved.then(|| CurvedRest {
            vertices: hinges.vertices.clone(),
            weights: hinges.rest.iter().map(|rest| rest.weights.map(|k| k as f32)).collect(),
            bends: hinges.rest.iter().map(|rest| rest.rest_bend as f32).collect(),
            edge_scales: hinges.lengths.iter().map(|length| 1e-3 * *length as f32).collect(),
            rows: Csr::from_pairs(vertices, targets.iter().copied()),
            targets: vec![Vec3::ZERO; hinges.vertices.len()],
        });
        let pairs = entries.iter().map(|&(row, column, value)| (row, (column, value as f32)));
        let changes = vec![Vec3::ZERO; vertices];
        Self { rows: Csr::from_pairs(vertices, pairs), curved, changes, shares: Vec::new() }
    }

    /// No resistance at all.
    #[cfg(feature = "gpu")]
    pub fn none(vertices: usize) -> Self {
        let rows = Csr::from_pairs(vertices, std::iter::empty());
        Self { rows, curved: None, changes: Vec::new(), shares: Vec::new() }
    }

    /// From now on these vertices move by a part of what they would.
    pub fn weigh(&mut self, shares: impl Iterator<Item = (u32, f32)>) {
        self.shares.clear();
        self.shares.extend(shares);
    }

    /// One pass.
    pub fn apply<P: Point>(&mut self, points: &mut [P], execution: Execution) {
        let Self { rows, curved, changes, shares } = self;
        if let Some(curved) = curved {
            curved.aim(points, execution);
        }
        let (seen, curved): (&[P], _) = (points, &*curved);
        execution.for_each_chunk(changes, |first, chunk| {
            for (offset, change) in chunk.iter_mut().enumerate() {
                let v = first + offset;
                let difference =
                    |&(u, factor): &(u32, f32)| seen[u as usize].way_from(seen[v]).truncate() * factor;
                *change = rows.row(v).iter().map(difference).sum();
                if let Some(curved) = curved {
                    let target = |&(h, factor): &(u32, f32)| curved.targets[h as usize] * factor;
                    *change += curved.rows.row(v).iter().map(target).sum::<Vec3>();
                }
            }
        });
        shares.iter().for_each(|&(v, share)| changes[v as usize] *= share);
        execution.for_each_chunk(points, |first, chunk| {
            for (point, change) in chunk.iter_mut().zip(&changes[first..]) {
                *point = point.plus(change.extend(0.0));
            }
        });
    }
}

impl CurvedRest {
    /// Where C of every hinge should be.
    fn aim<P: Point>(&mut self, points: &[P], execution: Execution) {
        let Self { vertices, weights, bends, edge_scales, targets, .. } = self;
        execution.for_each_chunk(targets, |first, chunk| {
            for (offset, target) in chunk.iter_mut().enumerate() {
                let h = first + offset;
                let x = P::seen(vertices[h].map(|v| points[v as usize].place()));
                let [k0, k1, k2, k3] = weights[h];
                let bend = x[0] * k0 + x[1] * k1 + x[2] * k2 + x[3] * k3;
                *target = rest_bend(x, bend, bends[h], edge_scales[h]).into();
            }
        });
    }
}
