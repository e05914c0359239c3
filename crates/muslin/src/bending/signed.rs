//! Triangle bending that tells the rest shape from its mirror image, which [Kelager2010] §6 leaves open.
//!
//! |d| of the plain form ([`triangle`](super::triangle), d = 2v − b0 − b1) is the same for the mirror image, which is
//! a second equilibrium. Here the height of the tip over the base takes its place. The base has a normal: with
//! u = b1 − b0 and w = q − p, p and q being neighbours of v on either side of the base,
//!
//!   N = u × w,  n = N/|N|,  s = d · n,  3C = σ0 s − 3(κ + h0)
//!
//! where σ0 is the side on which the tip is at rest and 3 h0 = |s| there. v plays no part in N. A flat rest shape has
//! the side of N, outwards, so that flat cloth bends outwards as κ grows; the plain form cannot start there. In the
//! mirror image C = −6 h0, and a projection carries the tip through the base to where it belongs.
//!
//! |d| with a sign (σ σ0 |d|, σ = sign s) would be simpler and has been tried: on the regular part of a mesh it is the
//! same. But at borders, and wherever neighbours are not quite opposite, d lies mostly in the surface. The sign of its
//! small part along the normal then decides over a large C, along a d that has nothing to do with bending: domes on a
//! disk tore themselves apart instead of popping out. The height does not look at what lies in the surface; nor
//! does it resist there, as |d| does, so that quads without diagonals (`Diagonals::None`) shear away under it.
//!
//! Gradients. d · ∂n = t · ∂N/|N| with t = d − s n, the part of d in the surface, and ∂N = ∂u × w + u × ∂w, so
//!
//!   ∂s = n · ∂d + g_u · ∂u + g_w · ∂w,  g_u = (w × t)/|N|,  g_w = (t × u)/|N|
//!
//! exactly: all five points move, and momentum is kept. Where t = 0 it is the plain form. Along a border the base has
//! no neighbour on one side, and w = q − b0; over an edge v is the middle of p and q.

use super::placement::RingBend;
use super::triangle::TriangleBend;
use crate::math::lanes::Real;
use crate::math::vec3::V3;
use crate::mesh::Hinge;
use crate::solver::constraint::{Constraint, Evaluation};
use glam::DVec3;

/// A normal whose sine between u and w is below this is left alone.
const NO_NORMAL: f32 = 1e-3;

/// s and what its gradients are made of; all zero where there is no normal.
pub(super) struct Height<R> {
    pub value: R,
    /// n.
    pub normal: V3<R>,
    /// g_u and g_w.
    pub along: V3<R>,
    pub across: V3<R>,
}

/// The height along a normal u × w.
#[inline(always)]
pub(super) fn height<R: Real>(d: V3<R>, u: V3<R>, w: V3<R>) -> Height<R> {
    let (zero, one) = (R::splat(0.0), R::splat(1.0));
    let normal = u.cross(w);
    let length_sq = normal.dot(normal);
    let least = R::splat(NO_NORMAL * NO_NORMAL) * u.dot(u) * w.dot(w);
    let per_length = one / length_sq.max(R::splat(1e-30)).sqrt();
    let per_length = least.select_lt(length_sq, per_length, zero);
    let n = normal * per_length;
    let value = d.dot(n);
    let inside = (d - n * value) * per_length;
    Height { value, normal: n, along: w.cross(inside), across: inside.cross(u) }
}

/// Σ w |g|², but no less than half of what it is for a bend along the normal (`squares` are |g|² there).
///
/// Gradients of p and q vanish with t. Where all others are held, Newton's method would divide by next to nothing and
/// throw them away. Where others can move, the floor is reached only if most of a bend is held: a projection then
/// undoes a part of the error, and the next ones the rest.
#[inline(always)]
pub(super) fn mobility<R: Real, const N: usize>(w: [R; N], gradients: &[V3<R>; N], squares: [f32; N]) -> R {
    let (mut sum, mut plain) = (R::splat(0.0), R::splat(0.0));
    for i in 0..N {
        sum = sum + w[i] * gradients[i].dot(gradients[i]);
        plain = plain + w[i] * R::splat(0.5 * squares[i]);
    }
    sum.max(plain)
}

/// Over a vertex: b0, b1, v, p, q. Rest data: 3 h0, σ0.
impl Constraint<5, 2> for TriangleBend {
    #[inline(always)]
    fn evaluate<R: Real>(
        &self,
        [b0, b1, v, p, q]: [V3<R>; 5],
        w: [R; 5],
        [rest, side]: [R; 2],
    ) -> Evaluation<R, 5> {
        let two = R::splat(2.0);
        let height = height(v * two - b0 - b1, b1 - b0, q - p);
        let (n, along, across) = (height.normal * side, height.along * side, height.across * side);
        let none = n * R::splat(0.0);
        let gradients = [none - n - along, along - n, n * two, none - across, across];
        let mobility = mobility(w, &gradients, [1.0, 1.0, 4.0, 1.0, 1.0]);
        Evaluation { value: side * height.value - self.target(rest), gradients, mobility }
    }

    fn one_sided(&self) -> bool {
        self.inequality
    }
}

/// A bend along a border, which has a neighbour on one side only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BorderBend(pub TriangleBend);

/// b0, b1, v, q with w = q − b0. Rest data: 3 h0, σ0.
impl Constraint<4, 2> for BorderBend {
    #[inline(always)]
    fn evaluate<R: Real>(
        &self,
        [b0, b1, v, q]: [V3<R>; 4],
        w: [R; 4],
        [rest, side]: [R; 2],
    ) -> Evaluation<R, 4> {
        let two = R::splat(2.0);
        let height = height(v * two - b0 - b1, b1 - b0, q - b0);
        let (n, along, across) = (height.normal * side, height.along * side, height.across * side);
        let none = n * R::splat(0.0);
        let gradients = [none - n - along - across, along - n, n * two, across];
        let mobility = mobility(w, &gradients, [1.0, 1.0, 4.0, 1.0]);
        Evaluation { value: side * height.value - self.0.target(rest), gradients, mobility }
    }

    fn one_sided(&self) -> bool {
        self.0.inequality
    }
}

/// The vertices of signed bends over vertices, with their rest data.
#[derive(Default)]
pub(super) struct SignedRings {
    pub inner: Vec<[u32; 5]>,
    pub inner_rest: Vec<[f32; 2]>,
    pub border: Vec<[u32; 4]>,
    pub border_rest: Vec<[f32; 2]>,
}

impl SignedRings {
    /// Sorts bends by whether they have neighbours on both sides. Those that have none have no normal, and are left out.
    pub fn new(rest: &[DVec3], bends: &[RingBend]) -> Self {
        let place = |v: u32| rest[v as usize];
        let mut rings = Self::default();
        for bend in bends {
            let ([b0, b1], v, [p, q]) = (bend.base, bend.tip, bend.across);
            let d = 2.0 * place(v) - place(b0) - place(b1);
            // From the other end of the base the one neighbour is the second: (b0 − b1) × (p − b1) is N as well.
            let border = match (p == v, q == v) {
                (false, false) => {
                    rings.inner.push([b0, b1, v, p, q]);
                    rings.inner_rest.push(rest_data(d, place(b1) - place(b0), place(q) - place(p)));
                    continue;
                }
                (true, false) => [b0, b1, v, q],
                (false, true) => [b1, b0, v, p],
                (true, true) => continue,
            };
            let [b0, b1, _, q] = border.map(place);
            rings.border.push(border);
            rings.border_rest.push(rest_data(d, b1 - b0, q - b0));
        }
        rings
    }
}

/// 3 h0 and σ0 at rest.
fn rest_data(d: DVec3, u: DVec3, w: DVec3) -> [f32; 2] {
    let height = d.dot(u.cross(w).normalize_or_zero());
    // Rounding must not choose the side of what is flat.
    let flat = height.abs() < 1e-6 * u.length();
    [height.abs() as f32, if flat || height > 0.0 { 1.0 } else { -1.0 }]
}

/// Rest data of a signed bend over an edge.
pub(super) fn signed_edge_rest(rest: &[DVec3], hinge: &Hinge) -> [f32; 2] {
    let [b0, b1, p, q] = super::triangle::edge_vertices(hinge).map(|v| rest[v as usize]);
    rest_data(p + q - b0 - b1, b1 - b0, q - p)
}
