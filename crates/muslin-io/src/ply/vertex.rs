//! A vertex of a PLY file.

use glam::{DVec3, Vec2};
use ply_rs_bw::ply::{Property, PropertyAccess, PropertyAccessResult};

/// What is kept of an element `vertex`.
#[derive(Default)]
pub(super) struct VertexRow {
    pub place: DVec3,
    pub uv: Vec2,
}

impl PropertyAccess for VertexRow {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        let double = match property {
            Property::Double(number) => Some(number),
            Property::Int(number) => Some(number.into()),
            Property::UInt(number) => Some(number.into()),
            _ => property.to_f32_lossy().map(f64::from),
        };
        let axis = ["x", "y", "z"].into_iter().position(|axis| axis == name);
        if let (Some(axis), Some(number)) = (axis, double) {
            self.place[axis] = number;
            return PropertyAccessResult::Set;
        }
        let slot = match name {
            name if U_NAMES.contains(&name) => &mut self.uv.x,
            name if V_NAMES.contains(&name) => &mut self.uv.y,
            _ => return PropertyAccessResult::Ignored,
        };
        match property.to_f32_lossy() {
            Some(number) => {
                *slot = number;
                PropertyAccessResult::Set
            }
            None => PropertyAccessResult::UnsupportedType,
        }
    }
}

/// The names under which programs store texture coordinates of vertices.
pub(super) const U_NAMES: [&str; 4] = ["s", "u", "texture_u", "texture_s"];
pub(super) const V_NAMES: [&str; 4] = ["t", "v", "texture_v", "texture_t"];
