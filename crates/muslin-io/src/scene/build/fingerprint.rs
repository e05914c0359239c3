//! Tells a scene from others: a checkpoint goes on only with what it was written for.

use std::fmt::Write;

use muslin::cloth::Cloth;
use muslin::collision::Collider;
use muslin::rigid::MovingBody;

use crate::checkpoint::{Fingerprint, fingerprint};
use crate::scene::Scene;

impl Scene {
    /// Tells its text from other texts.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(self.source.text.as_bytes())
    }

    /// Tells what was built from it, and so from the files that its text names, from what would be
    /// built if one of them had changed: meshes at rest, pins, colliders, rigid bodies.
    pub fn world_fingerprint<'a>(
        cloths: impl Iterator<Item = (&'a str, &'a Cloth)>,
        colliders: impl Iterator<Item = &'a Collider>,
        bodies: &[MovingBody],
    ) -> u64 {
        let mut hash = Fingerprint::default();
        for (name, cloth) in cloths {
            let (triangles, uvs) = (cloth.triangles(), cloth.uvs().unwrap_or_default());
            // Writing to a number cannot fail. The text of floats tells all of them apart.
            let _ = write!(hash, "{name:?}{:?}", cloth.pins());
            cloth.origin().to_array().iter().for_each(|x| hash.add(&x.to_le_bytes()));
            for position in cloth.rest_positions() {
                position.to_array().iter().for_each(|x| hash.add(&x.to_le_bytes()));
            }
            triangles.as_flattened().iter().for_each(|v| hash.add(&v.to_le_bytes()));
            for uv in uvs.as_flattened() {
                uv.to_array().iter().for_each(|x| hash.add(&x.to_le_bytes()));
            }
        }
        for collider in colliders {
            let _ = write!(hash, "{collider:?}");
        }
        for body in bodies {
            let _ = write!(hash, "{:?}", body.description());
        }
        hash.0
    }
}
