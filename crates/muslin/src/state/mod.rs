//! What changes while a cloth moves.

use glam::Vec4;

/// Positions and velocities in internal order, one 16-byte record each.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Position in metres; w holds the inverse mass relative to the mean (0: pinned).
    pub points: Vec<Vec4>,
    /// Positions at the start of the step.
    pub previous: Vec<Vec4>,
    /// m/s; w is unused.
    pub velocities: Vec<Vec4>,
    /// Seconds since the start.
    pub time: f64,
    /// Steps taken, substeps counted one by one.
    pub steps: u64,
}

/// A state to come back to; opaque, for the same cloth only.
#[derive(Clone, Debug)]
pub struct Snapshot(pub(crate) State);
