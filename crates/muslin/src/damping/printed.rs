//! Damping as printed in [Bender2013] §4.4: for reproductions.
//!
//! k_d is in 1/m² and per step, so what it does depends on mesh and step, and the momentum changes (errata 15).

use glam::Vec4;

use crate::math::lanes::{Kernel, Lanes, WIDTH};
use crate::math::vec3::V3;
use crate::state::Point;

/// [Bender2013] eq. 19–20 to the letter.
pub(super) struct DampTriangles<'a> {
    pub packs: &'a [[[u32; WIDTH]; 3]],
    pub points: &'a [Vec4],
    pub velocities: &'a mut [Vec4],
    pub coefficient: f32,
}

impl Kernel for DampTriangles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for pack in self.packs {
            let (x1, w1) = Vec4::gather::<L>(self.points, &pack[0]);
            let (x2, w2) = Vec4::gather::<L>(self.points, &pack[1]);
            let (x3, w3) = Vec4::gather::<L>(self.points, &pack[2]);
            let (v1, s1) = Vec4::gather::<L>(self.velocities, &pack[0]);
            let (v2, s2) = Vec4::gather::<L>(self.velocities, &pack[1]);
            let (v3, s3) = Vec4::gather::<L>(self.velocities, &pack[2]);
            // Mass fractions from inverse masses, fixed particles very heavy.
            let heavy = L::splat(1e-6);
            let (w1, w2, w3) = (w1.max(heavy), w2.max(heavy), w3.max(heavy));
            let per_sum = L::splat(1.0) / (w2 * w3 + w1 * w3 + w1 * w2);
            let (mu1, mu2, mu3) = (w2 * w3 * per_sum, w1 * w3 * per_sum, w1 * w2 * per_sum);
            let centre = x1 * mu1 + x2 * mu2 + x3 * mu3;
            let drift = v1 * mu1 + v2 * mu2 + v3 * mu3;
            let coefficient = L::splat(self.coefficient);
            Vec4::scatter(self.velocities, &pack[0], slowed(x1 - centre, v1, drift, coefficient), s1);
            Vec4::scatter(self.velocities, &pack[1], slowed(x2 - centre, v2, drift, coefficient), s2);
            Vec4::scatter(self.velocities, &pack[2], slowed(x3 - centre, v3, drift, coefficient), s3);
        }
    }
}

/// v − k_d (r · (v − v_cm)) r.
#[inline(always)]
fn slowed<L: Lanes>(r: V3<L>, v: V3<L>, drift: V3<L>, coefficient: L) -> V3<L> {
    v - r * (coefficient * r.dot(v - drift))
}
