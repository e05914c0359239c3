//! Where a rigid mesh is.

use glam::{DQuat, DVec3, Vec3};

/// Where a rigid mesh is: turned about its origin, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipPose {
    /// The rotation, of length one.
    pub rotation: DQuat,
    /// Metres.
    pub translation: DVec3,
}

impl ClipPose {
    /// Neither turned nor moved.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// Points of the mesh where they are, from an origin.
    pub fn apply(&self, origin: DVec3, shape: &[Vec3]) -> Vec<Vec3> {
        let pose = self.seen_from(origin);
        shape.iter().map(|p| (pose.rotation * p.as_dvec3() + pose.translation).as_vec3()).collect()
    }

    /// The pose as seen from an origin.
    pub(super) fn seen_from(self, origin: DVec3) -> Self {
        Self { translation: self.translation - origin, ..self }
    }

    /// Its numbers, for files: rotation (x, y, z, w), then translation.
    pub fn to_array(self) -> [f64; 7] {
        let ([x, y, z, w], [a, b, c]) = (self.rotation.to_array(), self.translation.to_array());
        [x, y, z, w, a, b, c]
    }

    /// The pose with these numbers.
    pub fn from_array([x, y, z, w, a, b, c]: [f64; 7]) -> Self {
        Self { rotation: DQuat::from_xyzw(x, y, z, w), translation: DVec3::new(a, b, c) }
    }

    /// The same pose, by that of its two quaternions which is nearer to another's: a file that interpolates numbers
    /// must not go the long way round.
    pub(super) fn near(self, other: Self) -> Self {
        match self.rotation.dot(other.rotation) < 0.0 {
            true => Self { rotation: -self.rotation, ..self },
            false => self,
        }
    }

    /// Whether all is finite, and the rotation of length one.
    pub(super) fn is_sound(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.rotation.is_normalized()
    }
}
