//! 2D regions: shape matching on triangles ([Bender2013] §4.1, and eq. 16–18 for wrinkles).
//!
//! Input: three points with inverse masses, the flat rest shape. Output: what to add to them.
//!
//! In closed form, without cross products or eigenvectors (errata 3, 5, 13):
//! - The rest triangle lies in the plane with x1 at the origin: Q2 = (l, 0), Q3 = (d, h).
//! - Gram-Schmidt of (x2 − x1, x3 − x1) gives the frame P = (a_x, a_y) of eq. 6–7, in which the
//!   current triangle is P2 = (L, 0), P3 = (D, H). So Ā (eq. 10) maps Q2 to P2 and Q3 to P3.
//! - With mass fractions µ_i, the region's centre of mass stays where it is if vertex 1 gets
//!   −(µ2 c2 + µ3 c3) and the others that plus c2 and c3, where c_i = P^T (Ā' − Ā) Q_i is how the
//!   edge vectors change when Ā' is the goal.

use glam::{DVec3, Vec3, Vec4};

use crate::math::lanes::Real;
use crate::math::vec3::V3;

/// Stands for the inverse mass of a fixed particle where a ratio of masses is needed.
const NEARLY_FIXED: f32 = 1e-6;

/// Guards divisions; far below any squared length in metres that could matter.
pub(super) const TINY: f32 = 1e-30;

/// A frame is degenerate if an edge or the height has shrunk to this fraction of the rest length.
const COLLAPSED: f32 = 1e-5;

/// How far rest frames are tilted at the most, radians.
const LARGEST_TILT: f64 = 0.05;

/// The flat rest shape of a triangle: corner 1 at the origin, corner 2 at (l, 0), corner 3 at (d, h).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RestTriangle<R> {
    pub l: R,
    pub d: R,
    pub h: R,
}

impl RestTriangle<f32> {
    /// Lays three corners flat.
    pub fn new([a, b, c]: [DVec3; 3]) -> Self {
        let (ab, ac) = (b - a, c - a);
        let l = ab.length();
        let d = ac.dot(ab) / l;
        let h = ab.cross(ac).length() / l;
        Self { l: l as f32, d: d as f32, h: h as f32 }
    }
}

/// What the region may do about its deformation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal<R> {
    /// The rotated rest shape (eq. 12), approached by the fraction α.
    Rigid { alpha: R },
    /// Only what is stretched is undone, compression stays (eq. 16–18), approached by α.
    OnlyStretched { alpha: R },
}

/// The current triangle in its own plane: its frame, and corners 2 at (length, 0), 3 at
/// (along, height).
pub(crate) struct Flat<R> {
    pub ax: V3<R>,
    pub ay: V3<R>,
    pub length: R,
    pub along: R,
    pub height: R,
}

/// Gram-Schmidt of the two edge vectors from corner 1.
#[inline(always)]
pub(crate) fn flatten<R: Real>(e2: V3<R>, e3: V3<R>) -> Flat<R> {
    let length = e2.dot(e2).sqrt();
    let ax = e2 * (R::splat(1.0) / length.max(R::splat(TINY)));
    let along = e3.dot(ax);
    let up = e3 - ax * along;
    let height = up.dot(up).sqrt();
    let ay = up * (R::splat(1.0) / height.max(R::splat(TINY)));
    Flat { ax, ay, length, along, height }
}

/// Whether the triangle (any of eight) has lost its frame: an edge or height of no length.
#[inline(always)]
pub(crate) fn is_collapsed<R: Real>(flat: &Flat<R>, rest: RestTriangle<R>) -> bool {
    let collapsed = R::splat(COLLAPSED);
    flat.length.any_lt(rest.l * collapsed) || flat.height.any_lt(rest.h * collapsed)
}

/// The changes of the three points, given their inverse masses `w`.
#[inline(always)]
pub(crate) fn triangle_correction<R: Real>(
    flat: &Flat<R>,
    w: [R; 3],
    rest: RestTriangle<R>,
    goal: Goal<R>,
) -> [V3<R>; 3] {
    let zero = R::splat(0.0);
    let (length, along, height) = (flat.length, flat.along, flat.height);
    let [mu1, mu2, mu3] = mass_fractions(w);

    let (c2, c3) = match goal {
        Goal::Rigid { alpha } => {
            let (c, s, _) = mass_rotation(rest, flat, [mu1, mu2, mu3]);
            // Goal edges R Q2 and R Q3 minus the current ones.
            let c2 = [rest.l * c - length, rest.l * s];
            let c3 = [rest.d * c - rest.h * s - along, rest.d * s + rest.h * c - height];
            ([c2[0] * alpha, c2[1] * alpha], [c3[0] * alpha, c3[1] * alpha])
        }
        Goal::OnlyStretched { alpha } => {
            let [e11, e12, e21, e22] = without_stretch(rest, length, along, height);
            let (l, d, h) = (rest.l * alpha, rest.d * alpha, rest.h * alpha);
            ([e11 * l, e21 * l], [e11 * d + e12 * h, e21 * d + e22 * h])
        }
    };

    let c2 = flat.ax * c2[0] + flat.ay * c2[1];
    let c3 = flat.ax * c3[0] + flat.ay * c3[1];
    let c1 = V3::new(zero, zero, zero) - (c2 * mu2 + c3 * mu3);
    let still = V3::new(zero, zero, zero);
    [c1.if_lt(zero, w[0], still), (c2 + c1).if_lt(zero, w[1], still), (c3 + c1).if_lt(zero, w[2], still)]
}

/// Mass fractions from inverse masses, µ_i = (1/w_i) / Σ (1/w_j). Fixed particles count
/// as infinitely heavy (errata 6).
#[inline(always)]
pub(super) fn mass_fractions<R: Real>(w: [R; 3]) -> [R; 3] {
    let fixed = R::splat(NEARLY_FIXED);
    let (w1, w2, w3) = (w[0].max(fixed), w[1].max(fixed), w[2].max(fixed));
    let (n1, n2, n3) = (w2 * w3, w1 * w3, w1 * w2);
    let per_sum = R::splat(1.0) / (n1 + n2 + n3);
    [n1 * per_sum, n2 * per_sum, n3 * per_sum]
}

/// The rotation (cosine, sine) of the current triangle against its rest shape, and how large its mass-weighted size
/// is, in parts of that at rest.
///
/// Eq. 11 with A_pq = µ2 P2 q2^T + µ3 P3 q3^T, where q_i = Q_i − (µ2 Q2 + µ3 Q3): the rotation has
/// cos ~ A11 + A22 and sin ~ A21 − A12. With 1 − µ2 = µ1 + µ3 and so on nothing cancels when a corner is pinned and
/// its µ is nearly 1.
#[inline(always)]
pub(super) fn mass_rotation<R: Real>(
    rest: RestTriangle<R>,
    flat: &Flat<R>,
    [mu1, mu2, mu3]: [R; 3],
) -> (R, R, R) {
    let (zero, tiny) = (R::splat(0.0), R::splat(TINY));
    let (length, along, height) = (flat.length, flat.along, flat.height);
    let (not2, not3) = (mu1 + mu3, mu1 + mu2);
    let (q2x, q2y) = (mu2 * (not2 * rest.l - mu3 * rest.d), zero - mu2 * mu3 * rest.h);
    let (q3x, q3y) = (mu3 * (not3 * rest.d - mu2 * rest.l), mu3 * not3 * rest.h);
    let (cos, sin) = (length * q2x + along * q3x + height * q3y, height * q3x - length * q2y - along * q3y);
    let size = (cos * cos + sin * sin).sqrt().max(tiny);
    let (c, s) = unit(cos, sin);
    (c, s, size / (rest.l * q2x + rest.d * q3x + rest.h * q3y).max(tiny))
}

/// (c, s) as a unit vector; (1, 0) if both are zero.
#[inline(always)]
fn unit<R: Real>(c: R, s: R) -> (R, R) {
    let norm = (c * c + s * s).sqrt();
    let scale = R::splat(1.0) / norm.max(R::splat(TINY));
    (R::splat(TINY).select_lt(norm, c * scale, R::splat(1.0)), s * scale)
}

/// A deformation as rotation (cosine c, sine s) times symmetric stretch.
pub(super) struct Polar<R> {
    pub c: R,
    pub s: R,
    pub u11: R,
    pub u12: R,
    pub u22: R,
}

/// Ā of eq. 10 taken apart. It maps Q2 to P2 and Q3 to P3, so it is upper triangular.
#[inline(always)]
pub(super) fn polar<R: Real>(rest: RestTriangle<R>, length: R, along: R, height: R) -> Polar<R> {
    let a11 = length / rest.l;
    let a12 = (along - a11 * rest.d) / rest.h;
    let a22 = height / rest.h;
    let (c, s) = unit(a11 + a22, R::splat(0.0) - a12);
    // The stretch is R^T Ā.
    Polar { c, s, u11: c * a11, u12: c * a12 + s * a22, u22: c * a22 - s * a12 }
}

/// Ā' − Ā of eq. 16–18 as (11, 12, 21, 22): stretch beyond rest is removed, compression stays.
///
/// With Ā = R V and principal stretches e1 ≥ e2 of V, the change is R M with
/// M = d2·I + k (V − e2·I), d_i = min(1 − e_i, 0), k = (d1 − d2)/(e1 − e2).
#[inline(always)]
fn without_stretch<R: Real>(rest: RestTriangle<R>, length: R, along: R, height: R) -> [R; 4] {
    let (zero, one, half) = (R::splat(0.0), R::splat(1.0), R::splat(0.5));
    let Polar { c, s, u11: v11, u12: v12, u22: v22 } = polar(rest, length, along, height);
    let mean = half * (v11 + v22);
    let difference = half * (v11 - v22);
    let radius = (difference * difference + v12 * v12).sqrt();
    let (e1, e2) = (mean + radius, mean - radius);
    let (d1, d2) = ((one - e1).min(zero), (one - e2).min(zero));
    let k = (d1 - d2) / (radius + radius).max(R::splat(1e-12));
    let (m11, m12, m22) = (d2 + k * (v11 - e2), k * v12, d2 + k * (v22 - e2));
    [c * m11 - s * m12, c * m12 - s * m22, s * m11 + c * m12, s * m12 + c * m22]
}

/// The frames of triangles in their rest pose: unit vectors along edge 1–2 and towards corner 3.
///
/// Each is tilted a little out of the plane, by an angle that looks random: a flat cloth whose
/// points all fall together would else unfold within its plane and stay crumpled there for ever
/// (errata 12).
pub(crate) fn pose_frames(positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<[Vec4; 2]> {
    let frame = |(number, triangle): (usize, &[u32; 3])| {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let ax = (b - a).normalize_or(DVec3::X);
        let ay = (c - a).reject_from(ax).normalize_or(ax.any_orthonormal_vector());
        let normal = ax.cross(ay);
        let tilt = |salt: usize| {
            let scrambled = (number * 2 + salt).wrapping_mul(0x9E37_79B9) >> 8;
            normal * LARGEST_TILT * ((scrambled & 0xFFFF) as f64 / 32_768.0 - 1.0)
        };
        let ax = (ax + tilt(0)).normalize();
        let ay = (ay + tilt(1)).reject_from(ax).normalize();
        [ax, ay].map(|axis| axis.as_vec3().extend(0.0))
    };
    triangles.iter().enumerate().map(frame).collect()
}

/// Gives a collapsed triangle the frame of its rest pose, as far as it has none of its own.
///
/// The paper keeps the last frame of each triangle; that is state per triangle for a case that
/// hardly ever occurs, and a model that *starts* collapsed needs the rest frame anyway.
pub(crate) fn repair_frame(flat: &mut Flat<f32>, rest: RestTriangle<f32>, pose: [Vec4; 2]) {
    let [pose_x, pose_y] = pose.map(Vec4::truncate);
    let mut x = Vec3::from(flat.ax);
    if flat.length < rest.l * COLLAPSED {
        x = pose_x;
    } else if flat.height >= rest.h * COLLAPSED {
        return;
    }
    // The part of the pose's frame that is orthogonal to a_x; one of the two always has one.
    let (first, second) = (pose_y.reject_from(x), pose_x.reject_from(x));
    let y =
        if first.length_squared() > 0.1 { first } else { second }.normalize_or(x.any_orthonormal_vector());
    (flat.ax, flat.ay) = (x.into(), y.into());
}
