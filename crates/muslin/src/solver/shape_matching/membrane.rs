//! 2D regions with physical stiffness: a triangle as a piece of orthotropic elastic membrane.
//!
//! Input: three points with inverse masses, the flat rest shape, the thread directions. Output:
//! moved points.
//!
//! Energy per rest area, with F = R U and the strain ε = U − I in thread directions (N/m):
//!
//!   W = ½ (k_weft ε11² + k_warp ε22² + 4 G ε12²)
//!
//! Shape matching with α = 1 replaces U by I: it adds R (I − U) q_i to the points, q_i the rest
//! places relative to the centre of mass. For the elastic force over a step h the exact small-step
//! limit is h² A R T J⁻¹ q_i, with A the area, T the stress and J = Σ m_i q_i q_i^T, because the
//! gradient of a corner's shape function is m_i J⁻¹ q_i. Both are met by
//!
//!   Δx_i = R (T/k) B q_i,  B = (1 + J/(A k h²))⁻¹,  k the largest stiffness
//!
//! which is shape matching when k h² is large, the elastic force when it is small, and stable in
//! between, since no component of the strain is ever reduced by more than itself. So the result
//! converges, as steps become smaller, to the cloth with the energy W, whatever the mesh.
//!
//! R T is not the whole gradient of W where T and U do not commute: R (T + Ω) is, with the skew Ω
//! that makes (T + Ω) U symmetric. Without it sheared cloth would turn by itself.

use glam::{DMat2, DVec2, DVec3, Vec4};

use super::triangle::{Polar, RestTriangle, TINY, flatten, mass_fractions, polar};
use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, Real, WIDTH, dispatch};
use crate::math::vec3::V3;
use crate::solver::sweep::{Sweep, gather, scatter};

/// Stands in for the mass of a fixed particle, relative to its real one.
const HEAVY: f64 = 1e9;

/// Stiffness in N/m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MembraneStiffness {
    pub weft: f64,
    pub warp: f64,
    pub shear: f64,
}

impl MembraneStiffness {
    /// The largest factor between strain and stress.
    fn largest(self) -> f64 {
        self.weft.max(self.warp).max(2.0 * self.shear)
    }

    /// Stiffness against a pure strain along a direction at an angle to the weft with cosine `c`.
    pub fn along(self, c: f64) -> f64 {
        let (cc, ss) = (c * c, 1.0 - c * c);
        self.weft * cc * cc + self.warp * ss * ss + 4.0 * self.shear * cc * ss
    }

    /// A share of it.
    pub fn scaled(self, factor: f64) -> Self {
        Self { weft: factor * self.weft, warp: factor * self.warp, shear: factor * self.shear }
    }
}

/// Eight membrane triangles.
#[derive(Clone, Debug)]
struct MembranePack {
    vertices: [[u32; WIDTH]; 3],
    l: [f32; WIDTH],
    d: [f32; WIDTH],
    h: [f32; WIDTH],
    /// The weft's direction in the flat rest triangle.
    weft_x: [f32; WIDTH],
    weft_y: [f32; WIDTH],
    /// B Q2 and B Q3.
    soft2: [[f32; WIDTH]; 2],
    soft3: [[f32; WIDTH]; 2],
}

/// The membrane of a level in sweep order.
#[derive(Clone, Debug)]
pub(super) struct MembraneSweep {
    sweep: Sweep<MembranePack>,
    /// Stiffness over the largest one: weft, warp, shear.
    ratios: [f32; 3],
    /// The part of the stiffness that one pass at this step size cannot bring to bear.
    pub residual: f64,
}

impl MembraneSweep {
    /// Prepares a level. `weft` gives the thread direction per triangle in space, `masses` the
    /// particles' masses in kg; `stiffness` is this pass's share.
    pub fn new(
        positions: &[DVec3],
        triangles: &[[u32; 3]],
        weft: &[DVec3],
        masses: &[f64],
        fixed: &[bool],
        stiffness: MembraneStiffness,
        dt: f64,
    ) -> Self {
        let k = stiffness.largest();
        let rest: Vec<Rest> = triangles
            .iter()
            .zip(weft)
            .map(|(t, &weft)| {
                let mass = t.map(|v| masses[v as usize] * if fixed[v as usize] { HEAVY } else { 1.0 });
                Rest::new(t.map(|v| positions[v as usize]), mass, weft, k * dt * dt)
            })
            .collect();
        let sweep = Sweep::fine(positions.len(), triangles, |source| {
            let lanes = |value: fn(&Rest) -> f64| source.lanes(|t| value(&rest[t]) as f32);
            MembranePack {
                vertices: source.vertices(triangles),
                l: lanes(|r| r.q2.x),
                d: lanes(|r| r.q3.x),
                h: lanes(|r| r.q3.y),
                weft_x: lanes(|r| r.weft.x),
                weft_y: lanes(|r| r.weft.y),
                soft2: [lanes(|r| (r.b * r.q2).x), lanes(|r| (r.b * r.q2).y)],
                soft3: [lanes(|r| (r.b * r.q3).x), lanes(|r| (r.b * r.q3).y)],
            }
        });
        let residual =
            rest.iter().map(|r| 0.5 * (r.b.x_axis.x + r.b.y_axis.y)).sum::<f64>() / rest.len() as f64;
        let ratios = [stiffness.weft, stiffness.warp, 2.0 * stiffness.shear].map(|s| (s / k) as f32);
        Self { sweep, ratios, residual }
    }

    /// One Gauss-Seidel sweep.
    pub fn apply(&self, points: &mut [Vec4], execution: Execution) {
        let ratios = self.ratios;
        self.sweep.run(points, execution, &|packs, points, _| {
            dispatch(execution.instructions, RelaxMembrane { packs, points, ratios });
        });
    }
}

/// Rest data of one triangle.
struct Rest {
    q2: DVec2,
    q3: DVec2,
    weft: DVec2,
    b: DMat2,
}

impl Rest {
    fn new(corners: [DVec3; 3], mass: [f64; 3], weft: DVec3, stiffness_dt_sq: f64) -> Self {
        let (e2, e3) = (corners[1] - corners[0], corners[2] - corners[0]);
        let ax = e2.normalize();
        let ay = e3.reject_from(ax).normalize();
        let flat = |v: DVec3| DVec2::new(v.dot(ax), v.dot(ay));
        let (q2, q3) = (flat(e2), flat(e3));
        let centre = (q2 * mass[1] + q3 * mass[2]) / mass.iter().sum::<f64>();
        let outer = |v: DVec2| DMat2::from_cols(v * v.x, v * v.y);
        let inertia = outer(-centre) * mass[0] + outer(q2 - centre) * mass[1] + outer(q3 - centre) * mass[2];
        let area = 0.5 * q2.x * q3.y;
        let b = (DMat2::IDENTITY + inertia * (1.0 / (area * stiffness_dt_sq))).inverse();
        Self { q2, q3, weft: flat(weft).normalize_or(DVec2::X), b }
    }
}

/// The energy W times the area of one triangle, J.
pub(crate) fn strain_energy(
    rest: [DVec3; 3],
    x: [DVec3; 3],
    weft: DVec3,
    stiffness: MembraneStiffness,
) -> f64 {
    let rest = Rest::new(rest, [1.0; 3], weft, 1.0);
    let (e2, e3) = (x[1] - x[0], x[2] - x[0]);
    let ax = e2.normalize_or(DVec3::X);
    let ay = e3.reject_from(ax).normalize_or(ax.any_orthonormal_vector());
    let now = DMat2::from_cols(DVec2::new(e2.dot(ax), 0.0), DVec2::new(e3.dot(ax), e3.dot(ay)));
    let f = now * DMat2::from_cols(rest.q2, rest.q3).inverse();
    let turn = DMat2::from_angle((f.x_axis.y - f.y_axis.x).atan2(f.x_axis.x + f.y_axis.y));
    let strain = turn.transpose() * f - DMat2::IDENTITY;
    let (t, n) = (rest.weft, rest.weft.perp());
    let (e11, e22, e12) = (t.dot(strain * t), n.dot(strain * n), t.dot(strain * n));
    let MembraneStiffness { weft, warp, shear } = stiffness;
    0.25 * rest.q2.x * rest.q3.y * (weft * e11 * e11 + warp * e22 * e22 + 4.0 * shear * e12 * e12)
}

struct RelaxMembrane<'a> {
    packs: &'a [MembranePack],
    points: &'a mut [Vec4],
    ratios: [f32; 3],
}

impl Kernel for RelaxMembrane<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for pack in self.packs {
            let (x1, w1) = gather::<L>(self.points, &pack.vertices[0]);
            let (x2, w2) = gather::<L>(self.points, &pack.vertices[1]);
            let (x3, w3) = gather::<L>(self.points, &pack.vertices[2]);
            let rest = RestTriangle { l: L::load(&pack.l), d: L::load(&pack.d), h: L::load(&pack.h) };
            let flat = flatten(x2 - x1, x3 - x1);
            let [e11, e12, e21, e22] = relaxation(
                rest,
                [flat.length, flat.along, flat.height],
                [L::load(&pack.weft_x), L::load(&pack.weft_y)],
                [L::splat(self.ratios[0]), L::splat(self.ratios[1]), L::splat(self.ratios[2])],
            );
            let (p, q) = (L::load(&pack.soft2[0]), L::load(&pack.soft2[1]));
            let c2 = flat.ax * (e11 * p + e12 * q) + flat.ay * (e21 * p + e22 * q);
            let (p, q) = (L::load(&pack.soft3[0]), L::load(&pack.soft3[1]));
            let c3 = flat.ax * (e11 * p + e12 * q) + flat.ay * (e21 * p + e22 * q);
            let [_, mu2, mu3] = mass_fractions([w1, w2, w3]);
            let zero = L::splat(0.0);
            let still = V3::new(zero, zero, zero);
            let c1 = still - (c2 * mu2 + c3 * mu3);
            scatter(self.points, &pack.vertices[0], x1 + c1.if_lt(zero, w1, still), w1);
            scatter(self.points, &pack.vertices[1], x2 + (c2 + c1).if_lt(zero, w2, still), w2);
            scatter(self.points, &pack.vertices[2], x3 + (c3 + c1).if_lt(zero, w3, still), w3);
        }
    }
}

/// R (T + Ω)/k as (11, 12, 21, 22), with T the stress that opposes the strain.
#[inline(always)]
fn relaxation<R: Real>(
    rest: RestTriangle<R>,
    [length, along, height]: [R; 3],
    [tx, ty]: [R; 2],
    [weft, warp, shear]: [R; 3],
) -> [R; 4] {
    let (zero, one) = (R::splat(0.0), R::splat(1.0));
    let Polar { c, s, u11, u12, u22 } = polar(rest, length, along, height);
    // I − U in thread directions, t = (tx, ty) the weft and (−ty, tx) the warp.
    let (m11, m12, m22) = (one - u11, zero - u12, one - u22);
    let (a, b) = (m11 * tx + m12 * ty, m12 * tx + m22 * ty);
    let (n11, n12) = (tx * a + ty * b, tx * b - ty * a);
    let n22 = m11 + m22 - n11;
    // Stress over the largest stiffness, and back to the triangle's frame.
    let (n11, n12, n22) = (n11 * weft, n12 * shear, n22 * warp);
    let (a, b) = (n11 * tx - n12 * ty, n12 * tx - n22 * ty);
    let (t11, t12) = (tx * a - ty * b, ty * a + tx * b);
    let t22 = n11 + n22 - t11;
    // Ω = ω (0 −1; 1 0), so that (T + Ω) U is symmetric.
    let skew = t11 * u12 + t12 * u22 - t12 * u11 - t22 * u12;
    let omega = skew / (u11 + u22).max(R::splat(TINY));
    let (s12, s21) = (t12 - omega, t12 + omega);
    [c * t11 - s * s21, c * s12 - s * t22, s * t11 + c * s21, s * s12 + c * t22]
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [DVec3; 3] = [DVec3::ZERO, DVec3::new(0.1, 0.02, 0.0), DVec3::new(0.03, 0.09, 0.0)];
    const STIFFNESS: MembraneStiffness = MembraneStiffness { weft: 30.0, warp: 100.0, shear: 7.0 };

    fn energy(x: [DVec3; 3], weft: DVec3) -> f64 {
        strain_energy(CORNERS, x, weft, STIFFNESS)
    }

    #[test]
    fn small_steps_give_the_gradient_of_the_energy() {
        let weft = DVec3::new(0.8, 0.6, 0.0);
        let masses = [0.011, 0.017, 0.013];
        let deformed =
            [DVec3::new(0.01, 0.0, 0.02), DVec3::new(0.13, 0.01, -0.01), DVec3::new(0.02, 0.12, 0.05)];
        let dt = 3e-4;
        let sweep = MembraneSweep::new(&CORNERS, &[[0, 1, 2]], &[weft], &masses, &[false; 3], STIFFNESS, dt);
        let mean = masses.iter().sum::<f64>() / 3.0;
        let start: Vec<Vec4> =
            (0..3).map(|i| deformed[i].as_vec3().extend((mean / masses[i]) as f32)).collect();
        let mut points = start.clone();
        sweep.apply(&mut points, Execution::default());
        for corner in 0..3 {
            for axis in 0..3 {
                let shifted = |by: f64| {
                    let mut x = deformed;
                    x[corner][axis] += by;
                    energy(x, weft)
                };
                let force = -(shifted(1e-6) - shifted(-1e-6)) / 2e-6;
                let expected = dt * dt * force / masses[corner];
                let change = f64::from(points[corner][axis] - start[corner][axis]);
                assert!(
                    (change - expected).abs() < 1e-8 + 0.005 * expected.abs(),
                    "{corner} {axis}: {change} {expected}"
                );
            }
        }
    }
}
