//! 2D regions with physical stiffness: a triangle as a piece of orthotropic elastic membrane.
//!
//! Input: three points with inverse masses, the flat rest shape, the thread directions. Output:
//! moved points.
//!
//! Energy per rest area, with F the deformation, R its rotation and the strain ε = sym(Rᵀ F) − 1 in thread
//! directions (N/m):
//!
//!   W = ½ (k_weft ε11² + k_warp ε22² + 4 G ε12²) = ½ ε·S ε
//!
//! One step of implicit Euler for this triangle alone. With q_i the rest places relative to the centre of mass and
//! J = Σ m_i q_i q_iᵀ, the gradient of a corner's shape function is m_i J⁻¹ q_i. So a stress σ over the area A and a
//! step h moves the corners by −h² A R σ J⁻¹ q_i, and the strain becomes ε + sym(T J⁻¹) with T = −h² A σ. The stress
//! of that strain is the one we look for:
//!
//!   S⁻¹ T/(h² A) + sym(T J⁻¹) = −ε,  Δx_i = R T J⁻¹ q_i
//!
//! a system of three equations whose solution T = −G ε is known beforehand: six numbers per triangle. It is the
//! elastic force when h is small, takes all strain out when the stiffness is large, and contracts in the metric of the
//! masses at every size in between, whatever the triangle's shape. (A product of stress and a shape-matching factor,
//! R T (1 + J/(A k h²))⁻¹ q_i, has the same two limits, but is not self-adjoint: a single triangle magnified
//! velocities up to eight times, and curved meshes flew apart.)
//!
//! R is the rotation of F J, as in shape matching: with that of F a shift of a sliver's apex would read as a compression
//! of its long edge. A T that does not commute with Rᵀ F turns the triangle; a rigid turn by τ takes that back, so that
//! angular momentum stays.

use std::f64::consts::SQRT_2;

use glam::{DMat2, DMat3, DVec2, DVec3};

use super::triangle::{RestTriangle, flatten, mass_fractions, mass_rotation};
use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, Real, WIDTH, dispatch};
use crate::math::vec3::V3;
use crate::solver::resistance::brought_to_bear;
use crate::solver::sweep::{ForEach, Sweep};
use crate::state::Point;

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
    /// Stiffness against a pure strain along a direction at an angle to the weft with cosine `c`.
    pub fn along(self, c: f64) -> f64 {
        let (cc, ss) = (c * c, 1.0 - c * c);
        self.weft * cc * cc + self.warp * ss * ss + 4.0 * self.shear * cc * ss
    }

    /// A share of each.
    pub fn scaled(self, [weft, warp, shear]: [f64; 3]) -> Self {
        Self { weft: weft * self.weft, warp: warp * self.warp, shear: shear * self.shear }
    }

    /// The stiffness matrix's diagonal for the strains (weft, warp, √2 shear).
    fn diagonal(self) -> DVec3 {
        DVec3::new(self.weft, self.warp, 2.0 * self.shear)
    }
}

/// Eight membrane triangles.
#[derive(Clone, Debug)]
struct MembranePack {
    vertices: [[u32; WIDTH]; 3],
    l: [f32; WIDTH],
    d: [f32; WIDTH],
    h: [f32; WIDTH],
    /// G as (11, 22, 12 | 11-22, 11-12, 22-12), of the strains (ε11, ε22, 2 ε12), per unit.
    response: [[f32; WIDTH]; 6],
    /// J⁻¹ Q2 and J⁻¹ Q3, times the unit.
    lever2: [[f32; WIDTH]; 2],
    lever3: [[f32; WIDTH]; 2],
    /// The unit over the trace of J.
    turn: [f32; WIDTH],
}

/// The membrane of a level in sweep order.
#[derive(Clone, Debug)]
pub(in crate::solver::shape_matching) struct MembraneSweep {
    sweep: Sweep<MembranePack>,
    /// The parts of the stiffness (weft, warp, shear) that one pass at this step size cannot bring to bear.
    pub residual: [f64; 3],
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
        let rest: Vec<Rest> = triangles
            .iter()
            .zip(weft)
            .map(|(t, &weft)| {
                let mass = t.map(|v| masses[v as usize] * if fixed[v as usize] { HEAVY } else { 1.0 });
                Rest::new(t.map(|v| positions[v as usize]), mass, weft)
            })
            .collect();
        let responses: Vec<Response> = rest.iter().map(|rest| rest.response(stiffness, dt)).collect();
        let sweep = Sweep::fine(positions.len(), triangles, |source| {
            let lanes = |value: fn(&Rest) -> f64| source.lanes(|t| value(&rest[t]) as f32);
            let answers = |value: fn(&Response) -> f64| source.lanes(|t| value(&responses[t]) as f32);
            MembranePack {
                vertices: source.vertices(triangles),
                l: lanes(|r| r.q2.x),
                d: lanes(|r| r.q3.x),
                h: lanes(|r| r.q3.y),
                response: [
                    answers(|r| r.g.x_axis.x),
                    answers(|r| r.g.y_axis.y),
                    answers(|r| 0.5 * r.g.z_axis.z),
                    answers(|r| r.g.y_axis.x),
                    answers(|r| r.g.z_axis.x / SQRT_2),
                    answers(|r| r.g.z_axis.y / SQRT_2),
                ],
                lever2: [answers(|r| r.lever2.x), answers(|r| r.lever2.y)],
                lever3: [answers(|r| r.lever3.x), answers(|r| r.lever3.y)],
                turn: answers(|r| r.turn),
            }
        });
        let left = |response: &Response| response.taken.map(|taken| 1.0 - brought_to_bear(taken));
        let residual = responses.iter().map(left).sum::<DVec3>() / responses.len() as f64;
        Self { sweep, residual: residual.to_array() }
    }

    /// One Gauss-Seidel sweep, after what is to be done first to each point.
    pub fn apply<P: Point>(&self, first: Option<ForEach<P>>, points: &mut [P], execution: Execution) {
        self.sweep.run_after(first, points, execution, &|packs, points, _| {
            dispatch(execution.instructions, RelaxMembrane { packs, points });
        });
    }
}

/// Rest data of one triangle.
struct Rest {
    q2: DVec2,
    q3: DVec2,
    weft: DVec2,
    /// J, kg·m².
    inertia: DMat2,
    /// kg.
    mass: f64,
}

/// What a triangle does about a strain in a pass.
struct Response {
    /// G of the strains (ε11, ε22, √2 ε12) in the triangle's frame, over the unit.
    g: DMat3,
    lever2: DVec2,
    lever3: DVec2,
    turn: f64,
    /// The shares of strains along weft, along warp and in shear that a pass takes out.
    taken: DVec3,
}

impl Rest {
    fn new(corners: [DVec3; 3], mass: [f64; 3], weft: DVec3) -> Self {
        let (e2, e3) = (corners[1] - corners[0], corners[2] - corners[0]);
        let ax = e2.normalize();
        let ay = e3.reject_from(ax).normalize();
        let flat = |v: DVec3| DVec2::new(v.dot(ax), v.dot(ay));
        let (q2, q3) = (flat(e2), flat(e3));
        let total: f64 = mass.iter().sum();
        let centre = (q2 * mass[1] + q3 * mass[2]) / total;
        let outer = |v: DVec2| DMat2::from_cols(v * v.x, v * v.y);
        let inertia = outer(-centre) * mass[0] + outer(q2 - centre) * mass[1] + outer(q3 - centre) * mass[2];
        let lightest = mass.into_iter().fold(f64::INFINITY, f64::min);
        Self { q2, q3, weft: flat(weft).normalize_or(DVec2::X), inertia, mass: lightest }
    }

    fn area(&self) -> f64 {
        0.5 * self.q2.x * self.q3.y
    }

    /// G = D (1 + D W D)⁻¹ D with D = √(h² A S) and W the map T ↦ sym(T J⁻¹), solved in thread axes: safe for a
    /// stiffness of zero.
    fn response(&self, stiffness: MembraneStiffness, dt: f64) -> Response {
        let inverse = self.inertia.inverse();
        let threads = DMat2::from_cols(self.weft, self.weft.perp());
        let along = threads.transpose() * inverse * threads;
        let (a, b, c) = (along.x_axis.x, along.y_axis.y, along.y_axis.x / SQRT_2);
        // sym(T J⁻¹) of T = (t11, t22, √2 t12) and J⁻¹ = (a, √2 c; √2 c, b).
        let w = DMat3::from_cols_array(&[a, 0.0, c, 0.0, b, c, c, c, 0.5 * (a + b)]);
        let d = DMat3::from_diagonal((stiffness.diagonal() * dt * dt * self.area()).map(f64::sqrt));
        let g = d * (DMat3::IDENTITY + d * w * d).inverse() * d;
        let taken = w * g;
        let turned = rotation(self.weft);
        // Lengths of T times J⁻¹ would be far from one; the mass and the area bring both near it.
        let unit = self.mass * self.area();
        Response {
            g: turned * g * turned.transpose() * (1.0 / unit),
            lever2: inverse * self.q2 * unit,
            lever3: inverse * self.q3 * unit,
            turn: unit / (self.inertia.x_axis.x + self.inertia.y_axis.y),
            taken: DVec3::new(taken.x_axis.x, taken.y_axis.y, taken.z_axis.z),
        }
    }
}

/// Takes (t11, t22, √2 t12) from the axes `x` and its perpendicular to the frame in which `x` is given.
fn rotation(x: DVec2) -> DMat3 {
    let (c, s) = (x.x, x.y);
    DMat3::from_cols(
        DVec3::new(c * c, s * s, SQRT_2 * c * s),
        DVec3::new(s * s, c * c, -SQRT_2 * c * s),
        DVec3::new(-SQRT_2 * c * s, SQRT_2 * c * s, c * c - s * s),
    )
}

/// The energy W times the area of one triangle, J.
pub(crate) fn strain_energy(
    rest: [DVec3; 3],
    x: [DVec3; 3],
    weft: DVec3,
    stiffness: MembraneStiffness,
) -> f64 {
    let rest = Rest::new(rest, [1.0; 3], weft);
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

struct RelaxMembrane<'a, P> {
    packs: &'a [MembranePack],
    points: &'a mut [P],
}

impl<P: Point> Kernel for RelaxMembrane<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for pack in self.packs {
            let (a, w1) = P::gather::<L>(self.points, &pack.vertices[0]);
            let (b, w2) = P::gather::<L>(self.points, &pack.vertices[1]);
            let (c, w3) = P::gather::<L>(self.points, &pack.vertices[2]);
            let [x1, x2, x3] = P::seen([a, b, c]);
            let triangle = Membrane {
                rest: RestTriangle { l: L::load(&pack.l), d: L::load(&pack.d), h: L::load(&pack.h) },
                response: [0, 1, 2, 3, 4, 5].map(|k| L::load(&pack.response[k])),
                lever2: [L::load(&pack.lever2[0]), L::load(&pack.lever2[1])],
                lever3: [L::load(&pack.lever3[0]), L::load(&pack.lever3[1])],
                turn: L::load(&pack.turn),
            };
            let [c1, c2, c3] = triangle.correction([x1, x2, x3], [w1, w2, w3]);
            P::scatter(self.points, &pack.vertices[0], P::moved(a, c1), w1);
            P::scatter(self.points, &pack.vertices[1], P::moved(b, c2), w2);
            P::scatter(self.points, &pack.vertices[2], P::moved(c, c3), w3);
        }
    }
}

/// One triangle's rest data, or eight's.
struct Membrane<R> {
    rest: RestTriangle<R>,
    response: [R; 6],
    lever2: [R; 2],
    lever3: [R; 2],
    turn: R,
}

impl<R: Real> Membrane<R> {
    /// What to add to the three points of inverse masses `w`.
    #[inline(always)]
    fn correction(&self, x: [V3<R>; 3], w: [R; 3]) -> [V3<R>; 3] {
        let (zero, one) = (R::splat(0.0), R::splat(1.0));
        let rest = self.rest;
        let flat = flatten(x[1] - x[0], x[2] - x[0]);
        let mu = mass_fractions(w);
        let (c, s, stretch) = mass_rotation(rest, &flat, mu);
        // Rᵀ F, with F upper triangular; 1 − c is s²/(1 + c) where c is near one, but the difference of c a11 from 1 is
        // wanted, which is as exact as a11 is.
        let a11 = flat.length / rest.l;
        let a12 = (flat.along - a11 * rest.d) / rest.h;
        let a22 = flat.height / rest.h;
        let (f11, f12, f21, f22) = (c * a11, c * a12 + s * a22, zero - s * a11, c * a22 - s * a12);
        let (e11, e22, shear) = (one - f11, one - f22, zero - (f12 + f21));
        let [g11, g22, g12, across, turn11, turn22] = self.response;
        let t11 = g11 * e11 + across * e22 + turn11 * shear;
        let t22 = across * e11 + g22 * e22 + turn22 * shear;
        let t12 = turn11 * e11 + turn22 * e22 + g12 * shear;
        // τ = ((T Fᵀ R)₁₂ − (T Fᵀ R)₂₁)/tr(J Rᵀ F).
        let skew = (t11 * f21 + t12 * f22) - (t12 * f11 + t22 * f12);
        let tau = skew * self.turn / stretch;
        let change = |[p, q]: [R; 2], [turn_x, turn_y]: [R; 2]| {
            let (u, v) = (t11 * p + t12 * q - tau * turn_x, t12 * p + t22 * q + tau * turn_y);
            flat.ax * (c * u - s * v) + flat.ay * (s * u + c * v)
        };
        let c2 = change(self.lever2, [zero, rest.l]);
        let c3 = change(self.lever3, [rest.h, rest.d]);
        let still = V3::new(zero, zero, zero);
        let c1 = still - (c2 * mu[1] + c3 * mu[2]);
        [c1.if_lt(zero, w[0], still), (c2 + c1).if_lt(zero, w[1], still), (c3 + c1).if_lt(zero, w[2], still)]
    }
}

#[cfg(test)]
#[path = "membrane_tests.rs"]
mod tests;
