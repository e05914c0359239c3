//! One cloth of a checkpoint: its part of the header, and its numbers after it.

use glam::DVec3;
use muslin::solver::SolverState;
use muslin::solver::multilevel::FineState;
use muslin::state::{ExactState, Snapshot};
use serde::{Deserialize, Serialize};

use super::CheckpointProblem;
use super::numbers::Data;

/// The largest number of particles of one cloth that is believed.
const MOST_PARTICLES: u64 = 1 << 31;
/// Bytes of three f32, and of three f64.
const SINGLE: u64 = 12;
const DOUBLE: u64 = 24;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClothHeader {
    pub name: String,
    particles: u64,
    /// The bits of the time in seconds: exact, which a decimal number need not be.
    time_bits: u64,
    steps: u64,
    /// The bits of the last substep's length in seconds.
    #[serde(default)]
    last_step_bits: u64,
    /// The bits of the coordinates from which positions are counted, metres. Left out if these are zero.
    #[serde(default, skip_serializing_if = "is_zero")]
    origin_bits: [u64; 3],
    /// Whether remainders of the positions follow.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    remainders: bool,
    /// Whether the state follows in double precision. Left out if not, as in checkpoints from before there was any.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    exact: bool,
    /// The grid of multilevel cloth. Left out for all other, as in checkpoints from before there was any. (Before velocities were
    /// stored it was called `fine`: such checkpoints are refused.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grid: Option<FineHeader>,
}

/// The grid of multilevel cloth.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FineHeader {
    texels: u64,
    /// The bits of the last substep's length in seconds.
    last_step_bits: u64,
    iterations: u32,
}

impl ClothHeader {
    /// Describes a state.
    pub fn new(name: &str, state: &Snapshot) -> Self {
        let grid = match &state.solver {
            Some(SolverState::Grid(fine)) => Some(FineHeader {
                texels: fine.points.len() as u64,
                last_step_bits: fine.last_step.to_bits(),
                iterations: fine.iterations,
            }),
            _ => None,
        };
        Self {
            name: name.to_owned(),
            particles: state.positions.len() as u64,
            time_bits: state.time.to_bits(),
            steps: state.steps,
            last_step_bits: state.last_step.to_bits(),
            origin_bits: state.origin.to_array().map(f64::to_bits),
            remainders: !state.remainders.is_empty(),
            exact: matches!(state.solver, Some(SolverState::Exact(_))),
            grid,
        }
    }

    /// Reads the state that it describes.
    pub fn read(&self, data: &mut Data<'_>) -> Result<Snapshot, CheckpointProblem> {
        let texels = self.grid.map_or(0, |fine| fine.texels);
        if self.particles > MOST_PARTICLES || texels > MOST_PARTICLES {
            return Err(CheckpointProblem::Damaged);
        }
        // Checked before memory is taken.
        let per_particle =
            2 * SINGLE + if self.remainders { SINGLE } else { 0 } + if self.exact { 3 * DOUBLE } else { 0 };
        if per_particle * self.particles + 3 * SINGLE * texels > data.left.len() as u64 {
            return Err(CheckpointProblem::Damaged);
        }
        let (positions, velocities) = (data.vectors(self.particles), data.vectors(self.particles));
        let remainders = if self.remainders { data.vectors(self.particles) } else { Vec::new() };
        let exact = self.exact.then(|| ExactState {
            positions: data.exact_vectors(self.particles),
            velocities: data.exact_vectors(self.particles),
            corrections: data.exact_vectors(self.particles),
        });
        let fine = self.grid.map(|fine| FineState {
            points: data.vectors(fine.texels),
            velocities: data.vectors(fine.texels),
            remainders: data.vectors(fine.texels),
            last_step: f64::from_bits(fine.last_step_bits),
            iterations: fine.iterations,
        });
        let (time, steps) = (f64::from_bits(self.time_bits), self.steps);
        let last_step = f64::from_bits(self.last_step_bits);
        let origin = DVec3::from_array(self.origin_bits.map(f64::from_bits));
        let solver = exact.map(SolverState::Exact).or(fine.map(SolverState::Grid));
        Ok(Snapshot { origin, positions, velocities, time, steps, last_step, remainders, solver })
    }
}

/// Whether an origin is zero.
pub(super) fn is_zero(bits: &[u64; 3]) -> bool {
    *bits == [0; 3]
}

/// Appends the numbers of a state.
pub(super) fn write(state: &Snapshot, bytes: &mut Vec<u8>) {
    let vectors = state.positions.iter().chain(&state.velocities).chain(&state.remainders);
    vectors.flat_map(|vector| vector.to_array()).for_each(|value| bytes.extend(value.to_le_bytes()));
    match &state.solver {
        Some(SolverState::Exact(exact)) => {
            let vectors = [&exact.positions, &exact.velocities, &exact.corrections].into_iter().flatten();
            vectors.flat_map(|vector| vector.to_array()).for_each(|value| bytes.extend(value.to_le_bytes()));
        }
        Some(SolverState::Grid(fine)) => {
            let vectors = [&fine.points, &fine.velocities, &fine.remainders].into_iter().flatten();
            vectors.flat_map(|vector| vector.to_array()).for_each(|value| bytes.extend(value.to_le_bytes()));
        }
        _ => {}
    }
}
