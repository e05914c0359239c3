//! Where the time of a step goes.

use std::time::Duration;

// A page has another clock than a program; elsewhere this is the standard library's.
#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;
#[cfg(target_arch = "wasm32")]
use web_time::Instant;

/// The stages of a step, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Stage {
    /// Wind on triangles.
    Wind,
    /// Symplectic Euler, pins, and the velocities at the end.
    Integration,
    /// Long-range tethers to pins.
    Tethers,
    /// Bending.
    Bending,
    /// The volume of closed cloth.
    Volume,
    /// Edges of position-based dynamics.
    Stretch,
    /// What the coarse mesh of multilevel cloth met, sampled into its grid.
    Sampling,
    /// The grid of multilevel cloth: motion, all levels, and the projection onto the coarse mesh.
    Grid,
    /// 1D shape matching (edges), all levels.
    #[cfg_attr(feature = "serde", serde(rename = "shape_matching_1d"))]
    ShapeMatching1d,
    /// 2D shape matching (triangles), all levels.
    #[cfg_attr(feature = "serde", serde(rename = "shape_matching_2d"))]
    ShapeMatching2d,
    /// Restriction and prolongation between levels.
    Transfer,
    /// Rigid bodies without cloth.
    Bodies,
    /// Collisions: boxes, and pairs of features that come near each other.
    BroadPhase,
    /// Collisions: distances, and meetings during the step.
    NarrowPhase,
    /// Collisions: pushing and rubbing.
    CollisionResponse,
    /// Velocity damping.
    Damping,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 16] = [
        Stage::Wind,
        Stage::Integration,
        Stage::Tethers,
        Stage::Bending,
        Stage::Volume,
        Stage::Stretch,
        Stage::Sampling,
        Stage::Grid,
        Stage::ShapeMatching1d,
        Stage::ShapeMatching2d,
        Stage::Transfer,
        Stage::Bodies,
        Stage::BroadPhase,
        Stage::NarrowPhase,
        Stage::CollisionResponse,
        Stage::Damping,
    ];

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Wind => "wind",
            Stage::Integration => "integration",
            Stage::Tethers => "tethers",
            Stage::Bending => "bending",
            Stage::Volume => "volume",
            Stage::Stretch => "stretch",
            Stage::Sampling => "sampling",
            Stage::Grid => "grid",
            Stage::ShapeMatching1d => "shape_matching_1d",
            Stage::ShapeMatching2d => "shape_matching_2d",
            Stage::Transfer => "transfer",
            Stage::Bodies => "bodies",
            Stage::BroadPhase => "broad_phase",
            Stage::NarrowPhase => "narrow_phase",
            Stage::CollisionResponse => "collision_response",
            Stage::Damping => "damping",
        }
    }
}

/// Time spent per stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timings {
    spent: [Duration; Stage::ALL.len()],
}

impl Timings {
    /// Runs `work` and books its time under `stage`.
    pub fn time<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.spent[stage as usize] += start.elapsed();
        result
    }

    /// Time booked under a stage.
    pub fn get(&self, stage: Stage) -> Duration {
        self.spent[stage as usize]
    }

    /// Time of all stages together.
    pub fn total(&self) -> Duration {
        self.spent.iter().sum()
    }

    /// Adds the times of another step.
    pub fn add(&mut self, other: &Timings) {
        for (mine, theirs) in self.spent.iter_mut().zip(&other.spent) {
            *mine += *theirs;
        }
    }
}
