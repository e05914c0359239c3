//! Contacts of the grid (beyond [Schmitt2013]): folds between the vertices of the coarse mesh must not sink into what
//! that lies on.
//!
//! Every vertex of the coarse mesh knows the plane that bounds the nearest collider there (n·x ≥ d outside). Sampled into
//! the grid like all else, these planes are a half-space for every particle. It is exact on planes; on a ball of radius r
//! under triangles of size e it keeps particles at most e²/2r too far out. The twin of `gpu/grid/shaders/contact.wgsl`.

use glam::Vec4;

use super::lattice::Sample;

/// What particles must stay out of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contacts<'a> {
    pub samples: &'a [Sample],
    /// Per coarse vertex n and, in w, d; zero where nothing is near. Empty where nothing is near any.
    pub planes: &'a [Vec4],
}

impl Contacts<'_> {
    /// Moves particles out. Where only some of its triangle's vertices know of a plane, a particle is moved by their
    /// share, so that nothing is torn at the end of a contact.
    pub fn push_out(self, points: &mut [Vec4]) {
        if self.planes.is_empty() {
            return;
        }
        for sample in self.samples {
            let point = &mut points[sample.texel as usize];
            let (mut normal, mut depth) = (Vec4::ZERO, 0.0);
            for (&vertex, &weight) in sample.vertices.iter().zip(&sample.weights) {
                // Extrapolating weights would turn a plane over.
                let (plane, weight) = (self.planes[vertex as usize], weight.max(0.0));
                normal += weight * plane.with_w(0.0);
                depth += weight * (plane.w - plane.truncate().dot(point.truncate()));
            }
            if depth > 0.0 && point.w > 0.0 {
                *point += normal.normalize_or_zero() * depth;
            }
        }
    }
}
