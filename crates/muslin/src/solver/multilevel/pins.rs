//! Held particles: where they are when pins move.

use glam::{Vec3, Vec4};

use super::grid::{GridModel, GridState};
use crate::cloth::Cloth;

/// Held particles and what they follow.
pub(crate) struct HeldPins {
    /// Per held particle the pinned vertices that it follows, with weights, and where it is beside them.
    held: Vec<([(u32, f32); 3], Vec3)>,
}

impl HeldPins {
    /// The held particles of a grid at its start.
    pub fn new(cloth: &Cloth, model: &GridModel, start: &GridState) -> Self {
        let follow = |held: &super::bounds::held::Held| {
            let followed: [(u32, f32); 3] = std::array::from_fn(|i| (held.vertices[i], held.weights[i]));
            let at: Vec3 = followed.iter().map(|&(v, weight)| weight * cloth.start[v as usize]).sum();
            (followed, start.points[held.texel as usize] - at)
        };
        Self { held: model.held.iter().map(follow).collect() }
    }

    /// Where the held particles are, when the coarse mesh is there.
    pub fn places(&self, points: &[Vec4]) -> Vec<Vec3> {
        let place = |(followed, beside): &([(u32, f32); 3], Vec3)| {
            let at = |&(v, weight): &(u32, f32)| weight * points[v as usize].truncate();
            *beside + followed.iter().map(at).sum::<Vec3>()
        };
        self.held.iter().map(place).collect()
    }
}
