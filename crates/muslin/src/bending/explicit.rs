//! Quadratic bending as explicit forces −B Q x, as in [Bender2013] §4.4.
//!
//! Kept for reproductions. It is stable only while h² λ < 4, λ the largest eigenvalue of M⁻¹ B Q;
//! [`ExplicitBending::new`] measures λ and refuses what would blow up.

use glam::{DVec3, Vec3, Vec4};

use super::hinges::{HingeRest, hinge_vertices};
use crate::execution::Execution;
use crate::math::csr::Csr;
use crate::mesh::Hinge;

/// The largest stable step is shorter than the one asked for.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "explicit bending of {stiffness} N·m is unstable at steps of {dt} s: the longest stable step is \
     {stable_dt:.3e} s; use the position form, at least {substeps} times as many substeps, or a softer cloth"
)]
pub struct UnstableBending {
    /// N·m.
    pub stiffness: f64,
    /// The step asked for, s.
    pub dt: f64,
    /// The longest stable step, s.
    pub stable_dt: f64,
    /// Factor on the number of substeps that makes it stable.
    pub substeps: u32,
}

/// The matrix B Q with its rows over the masses: accelerations are minus its product with x.
#[derive(Clone, Debug)]
pub(crate) struct ExplicitBending {
    rows: Csr<(u32, f32)>,
}

impl ExplicitBending {
    /// Assembles the matrix and checks that steps of `dt` are stable.
    pub fn new(
        positions: &[DVec3],
        hinges: &[Hinge],
        stiffness: f64,
        inverse_masses: &[f64],
        dt: f64,
    ) -> Result<Self, UnstableBending> {
        let mut entries: Vec<(u32, u32, f64)> = Vec::with_capacity(16 * hinges.len());
        for hinge in hinges {
            let vertices = hinge_vertices(hinge);
            let rest = HingeRest::new(vertices.map(|v| positions[v as usize]));
            for i in 0..4 {
                for j in 0..4 {
                    let value = stiffness * rest.per_area * rest.weights[i] * rest.weights[j];
                    entries.push((vertices[i], vertices[j], value * inverse_masses[vertices[i] as usize]));
                }
            }
        }
        entries.sort_by_key(|&(row, column, _)| (row, column));
        entries.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        let rows = Csr::from_pairs(
            positions.len(),
            entries.iter().map(|&(row, column, v)| (row, (column, v as f32))),
        );
        let largest = largest_eigenvalue(&rows);
        // An overflow leaves an infinity or a NaN, for which no step is short enough.
        let stable_dt = if largest.is_finite() { 2.0 / largest.max(f64::MIN_POSITIVE).sqrt() } else { 0.0 };
        if dt >= stable_dt {
            let substeps = ((dt / stable_dt).ceil() as u32).saturating_add(1);
            return Err(UnstableBending { stiffness, dt, stable_dt, substeps });
        }
        Ok(Self { rows })
    }

    /// Adds the bending accelerations times `dt` to the velocities.
    pub fn apply(&self, points: &[Vec4], velocities: &mut [Vec4], dt: f32, execution: Execution) {
        execution.for_each_chunk(velocities, |first, chunk| {
            for (offset, velocity) in chunk.iter_mut().enumerate() {
                let row = self.rows.row(first + offset);
                let sum: Vec3 = row.iter().map(|&(v, value)| points[v as usize].truncate() * value).sum();
                *velocity -= (sum * dt).extend(0.0);
            }
        });
    }
}

/// Power iteration from a rough start; within a few per cent after 60 rounds, and 10 % is added.
fn largest_eigenvalue(rows: &Csr<(u32, f32)>) -> f64 {
    let mut x: Vec<f64> =
        (0..rows.rows()).map(|i| if (i * 2_654_435_761) & 64 == 0 { 1.0 } else { -1.0 }).collect();
    let mut eigenvalue = 0.0;
    for _ in 0..60 {
        let y: Vec<f64> =
            rows.iter().map(|row| row.iter().map(|&(j, v)| f64::from(v) * x[j as usize]).sum()).collect();
        let norm = y.iter().map(|v| v * v).sum::<f64>().sqrt();
        let before = x.iter().map(|v| v * v).sum::<f64>().sqrt();
        if norm == 0.0 || before == 0.0 {
            return 0.0;
        }
        eigenvalue = norm / before;
        x = y.iter().map(|v| v / norm).collect();
    }
    1.1 * eigenvalue
}
