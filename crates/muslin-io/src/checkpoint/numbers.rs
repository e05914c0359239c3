//! The numbers of a checkpoint, after its header.

use glam::{DQuat, DVec3, Vec3};
use muslin::rigid::BodyState;

/// Bytes of a body's state.
pub(super) const BODY_SIZE: usize = 13 * 8;

/// Its numbers in the order of the file, without its origin.
pub(super) fn body_numbers(state: &BodyState) -> impl Iterator<Item = f64> {
    let BodyState { center, rotation, velocity, angular_momentum, .. } = *state;
    let vectors = [velocity, angular_momentum].map(|vector| vector.to_array());
    center.to_array().into_iter().chain(rotation.to_array()).chain(vectors.into_iter().flatten())
}

/// The numbers after the header; zeros after their end.
pub(super) struct Data<'a> {
    pub left: &'a [u8],
}

impl Data<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, left) = self.left.split_at(N.min(self.left.len()));
        self.left = left;
        taken.try_into().unwrap_or([0; N])
    }

    pub fn vectors(&mut self, count: u64) -> Vec<Vec3> {
        (0..count)
            .map(|_| Vec3::from_array(std::array::from_fn(|_| f32::from_le_bytes(self.take()))))
            .collect()
    }

    fn doubles<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| f64::from_le_bytes(self.take()))
    }

    pub fn body(&mut self, origin: DVec3) -> BodyState {
        BodyState {
            origin,
            center: DVec3::from_array(self.doubles()),
            rotation: DQuat::from_array(self.doubles()),
            velocity: DVec3::from_array(self.doubles()),
            angular_momentum: DVec3::from_array(self.doubles()),
        }
    }

    pub fn exact_vectors(&mut self, count: u64) -> Vec<DVec3> {
        (0..count).map(|_| DVec3::from_array(self.doubles())).collect()
    }
}
