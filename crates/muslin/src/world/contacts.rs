//! What touches what, to be read after a step.

use glam::{DVec3, Vec3};

use super::{ClothId, Handle, World};

/// A place at which cloth pushed something, or itself, at the end of the last substep.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Touch {
    /// The cloth.
    pub cloth: ClothId,
    /// What it touches: itself, another cloth, a collider or a rigid body.
    pub with: Handle,
    /// In the world, metres: on the cloth.
    pub place: DVec3,
    /// From what is touched towards the cloth, of length one.
    pub normal: Vec3,
    /// What the cloth was pushed by in the substep, N·s; friction is not part of it.
    pub impulse: f32,
}

impl World {
    /// The contacts that pushed in the last substep of the last step. Where impacts could only be resolved by moving parts of
    /// cloth as rigid zones there are none of these.
    pub fn contacts(&self) -> impl Iterator<Item = Touch> {
        let origin = self.origin();
        let cloths = self.cloths.len();
        let pushed = self.collisions.iter().flat_map(|collisions| collisions.pushed());
        pushed.map(move |pushed| {
            // Of two cloths, the first feature's.
            let [first, second] = pushed.bodies.map(usize::from);
            let (cloth, with, sign) =
                if first < cloths { (first, second, 1.0) } else { (second, first, -1.0) };
            Touch {
                cloth: self.cloth_ids.at(cloth),
                with: self.handle(with),
                place: origin + pushed.place,
                normal: (pushed.normal * sign).as_vec3(),
                impulse: pushed.impulse as f32,
            }
        })
    }

    /// What has a number among all that collide: cloths first, then colliders, then rigid bodies.
    pub(super) fn handle(&self, number: usize) -> Handle {
        let colliders = self.cloths.len();
        let bodies = colliders + self.colliders.len();
        match number {
            number if number < colliders => self.cloth_ids.at(number).into(),
            number if number < bodies => self.collider_ids.at(number - colliders).into(),
            number => self.body_ids.at(number - bodies).into(),
        }
    }
}
