//! Held particles: where they are when pins move.

use glam::{DVec3, Vec3};

use super::grid::{GridModel, GridState};
use crate::cloth::{Cloth, PinMotion};
use crate::origin::moved;

/// Held particles and what they follow.
pub(crate) struct HeldPins {
    /// Per held particle the pins it follows, with weights, and where it is beside them.
    held: Vec<([(usize, f32); 3], Vec3)>,
    /// Where each pin starts from the cloth's origin, and how it moves.
    pins: Vec<(Vec3, PinMotion)>,
    cloth_origin: DVec3,
}

impl HeldPins {
    /// The held particles of a grid at its start.
    pub fn new(cloth: &Cloth, model: &GridModel, start: &GridState) -> Self {
        let pin =
            |vertex: u32| cloth.pins.binary_search_by_key(&vertex, |pin| pin.vertex).unwrap_or_default();
        let pins: Vec<(Vec3, PinMotion)> =
            cloth.pins.iter().map(|pin| (cloth.start[pin.vertex as usize], pin.motion.clone())).collect();
        let follow = |held: &super::held::Held| {
            let followed: [(usize, f32); 3] =
                std::array::from_fn(|i| (pin(held.vertices[i]), held.weights[i]));
            let at: Vec3 = followed.iter().map(|&(pin, weight)| weight * pins[pin].0).sum();
            (followed, start.points[held.texel as usize] - at)
        };
        Self { held: model.held.iter().map(follow).collect(), pins, cloth_origin: cloth.origin() }
    }

    /// Where the held particles are at a time, from an origin.
    pub fn places(&self, origin: DVec3, time: f64) -> Vec<Vec3> {
        let by = origin - self.cloth_origin;
        let at = |(start, motion): &(Vec3, PinMotion)| {
            motion.position_from(origin, time).unwrap_or_else(|| moved(*start, by))
        };
        let pins: Vec<Vec3> = self.pins.iter().map(at).collect();
        let place = |(followed, beside): &([(usize, f32); 3], Vec3)| {
            *beside + followed.iter().map(|&(pin, weight)| weight * pins[pin]).sum::<Vec3>()
        };
        self.held.iter().map(place).collect()
    }
}
