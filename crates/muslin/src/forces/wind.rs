//! Wind: drag and lift on every triangle, with gusts from a seeded noise.
//!
//! Input: positions and velocities. Output: changed velocities.

use glam::{DVec3, Vec3, Vec4};

use crate::diagnostics::energy::Momentum;
use crate::execution::Execution;
use crate::math::csr::Csr;
use crate::math::lanes::{Kernel, Lanes, Real, WIDTH, dispatch};
use crate::math::vec3::V3;
use crate::origin::split;
use crate::state::Point;
use crate::state::State;

/// Faster air is not wind, m/s.
const FASTEST: f32 = 1000.0;

/// Gusts repeat after this many gust sizes of drift.
const NOISE_PERIOD: f64 = 65_536.0;

/// Air that moves past the cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Wind {
    /// Mean velocity of the air, m/s.
    pub velocity: Vec3,
    /// Strength of gusts: the air's velocity varies by up to this fraction of the mean speed.
    pub gusts: f32,
    /// Size of a gust, metres.
    pub gust_size: f32,
    /// Seed of the gusts.
    pub seed: u32,
    /// Density of the air, kg/m³.
    pub air_density: f32,
    /// Drag coefficient: force along the relative wind.
    pub drag: f32,
    /// Lift coefficient: force across the relative wind.
    pub lift: f32,
}

impl Default for Wind {
    /// Still air at sea level: it only slows the cloth down.
    fn default() -> Self {
        Self {
            velocity: Vec3::ZERO,
            gusts: 0.0,
            gust_size: 1.0,
            seed: 0,
            air_density: 1.225,
            drag: 1.2,
            lift: 0.6,
        }
    }
}

impl Wind {
    /// Air that moves with a mean velocity and gusts of a third of its speed.
    pub fn blowing(velocity: Vec3) -> Self {
        Self { velocity, gusts: 0.33, ..Self::default() }
    }

    /// The name and value of a field that is out of range, and what it must be.
    pub(crate) fn problem(&self) -> Option<(&'static str, f32, &'static str)> {
        if let Some(&value) = self.velocity.to_array().iter().find(|v| !(-FASTEST..=FASTEST).contains(*v)) {
            return Some(("wind.velocity", value, "at most 1000 m/s"));
        }
        if !(self.gust_size.is_finite() && self.gust_size >= 1e-3) {
            return Some(("wind.gust_size", self.gust_size, "at least 1 mm"));
        }
        let fields = [
            ("wind.gusts", self.gusts),
            ("wind.air_density", self.air_density),
            ("wind.drag", self.drag),
            ("wind.lift", self.lift),
        ];
        let wrong = fields.into_iter().find(|(_, value)| !(0.0..=1e6).contains(value));
        wrong.map(|(field, value)| (field, value, "between 0 and 1e6"))
    }

    /// The air's velocity at a place and time: the mean plus noise that drifts with the wind.
    pub fn velocity_at(&self, place: DVec3, time: f64) -> Vec3 {
        let (origin, position) = split(place);
        self.velocity_from(origin, position.as_vec3(), time)
    }

    /// The same at a position from an origin.
    fn velocity_from(&self, origin: DVec3, position: Vec3, time: f64) -> Vec3 {
        let speed = self.velocity.length();
        if self.gusts == 0.0 || speed == 0.0 {
            return self.velocity;
        }
        let noise = value_noise(position / self.gust_size + self.gust_phase(origin, time), self.seed);
        self.velocity + noise * (self.gusts * speed)
    }

    /// Where in the noise an origin is, in gust sizes. A gust drifts with the wind and changes meanwhile.
    pub(crate) fn gust_phase(&self, origin: DVec3, time: f64) -> Vec3 {
        let drift = Vec3::splat(0.5 * self.velocity.length()) - self.velocity;
        // Wrapped in double precision, or gusts would stand still after a day.
        let drifted = drift.as_dvec3() * (time / f64::from(self.gust_size));
        ((drifted + origin / f64::from(self.gust_size)) % NOISE_PERIOD).as_vec3()
    }
}

/// Smooth noise of three channels, each in −1…1, from hashed lattice points.
fn value_noise(p: Vec3, seed: u32) -> Vec3 {
    // Rounded down by hand: `floor` is a library call on CPUs without SSE4.1.
    let below = |v: f32| (v as i32) - i32::from(v < (v as i32) as f32);
    let cell = p.to_array().map(below);
    let t = p - Vec3::from_array(cell.map(|v| v as f32));
    let t = t * t * (Vec3::splat(3.0) - 2.0 * t);
    let [x, y, z] = cell.map(|v| v as u32);
    // The three coordinates, scrambled, at both ends of the cell.
    let ends = |v: u32, factor: u32| [v.wrapping_mul(factor), v.wrapping_add(1).wrapping_mul(factor)];
    let (xs, ys, zs) = (ends(x, 0x9E37_79B1), ends(y, 0x85EB_CA77), ends(z, 0xC2B2_AE3D));
    let corner = |i: usize, j: usize, k: usize| {
        let mut h = u64::from(seed ^ xs[i] ^ ys[j] ^ zs[k]).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        h = (h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let channel = |shift: u32| ((h >> shift) & 0xF_FFFF) as i32 as f32;
        Vec4::new(channel(0), channel(20), channel(40), 0.0)
    };
    let along_x = |j, k| corner(0, j, k).lerp(corner(1, j, k), t.x);
    let along_y = |k| along_x(0, k).lerp(along_x(1, k), t.y);
    along_y(0).lerp(along_y(1), t.z).truncate() / 524_288.0 - Vec3::ONE
}

/// The wind on a cloth, with its scratch space.
#[derive(Clone, Debug)]
pub(crate) struct WindForce {
    /// Triangles by eight; the last pack repeats its last triangle.
    packs: Vec<[[u32; WIDTH]; 3]>,
    /// Velocity of the air relative to the cloth, per vertex; w holds the inverse mass, 1/kg.
    relative: Vec<Vec4>,
    /// Per triangle, N.
    forces: Vec<[Vec4; WIDTH]>,
}

impl WindForce {
    /// Prepares the wind for a mesh. `inverse_masses` in 1/kg.
    pub fn new(triangles: &[[u32; 3]], inverse_masses: &[f32]) -> Self {
        let pack = |chunk: &[[u32; 3]]| {
            let lane = |corner: usize, lane: usize| chunk[lane.min(chunk.len() - 1)][corner];
            std::array::from_fn(|corner| std::array::from_fn(|i| lane(corner, i)))
        };
        let packs: Vec<_> = triangles.chunks(WIDTH).map(pack).collect();
        Self {
            forces: vec![[Vec4::ZERO; WIDTH]; packs.len()],
            relative: inverse_masses.iter().map(|&w| Vec4::new(0.0, 0.0, 0.0, w)).collect(),
            packs,
        }
    }

    /// Adds the wind's push over `dt` to the velocities.
    pub fn apply(
        &mut self,
        wind: &Wind,
        vertex_triangles: &Csr,
        state: &mut State,
        dt: f32,
        execution: Execution,
    ) {
        let State { origin, points, velocities, time, .. } = state;
        let seen: &[Vec4] = velocities;
        execution.for_each_chunk(&mut self.relative, |first, chunk| {
            for (offset, relative) in chunk.iter_mut().enumerate() {
                let v = first + offset;
                let air = wind.velocity_from(*origin, points[v].truncate(), *time) - seen[v].truncate();
                *relative = air.extend(relative.w);
            }
        });
        let Self { packs, relative, forces } = self;
        execution.for_each_chunk(forces, |first, forces| {
            let packs = &packs[first..];
            dispatch(execution.instructions, PushTriangles { wind, packs, points, relative, forces, dt });
        });
        execution.for_each_chunk(velocities, |first, chunk| {
            for (offset, velocity) in chunk.iter_mut().enumerate() {
                let v = first + offset;
                let force = |&t: &u32| forces[t as usize / WIDTH][t as usize % WIDTH];
                let sum: Vec4 = vertex_triangles.row(v).iter().map(force).sum();
                *velocity += sum * (dt * relative[v].w / 3.0);
            }
        });
    }

    /// What the air has given the cloth in the last [`WindForce::apply`], over `dt` seconds and with particles where they
    /// still are. A push on a triangle is one at its middle. Only right for cloth without pins, which would take their part.
    pub fn impulse(&self, triangles: &[[u32; 3]], points: &[Vec4], dt: f64) -> Momentum {
        let mut sum = Momentum::default();
        for (t, corners) in triangles.iter().enumerate() {
            let push = self.forces[t / WIDTH][t % WIDTH].truncate().as_dvec3() * dt;
            let places: DVec3 = corners.iter().map(|&v| points[v as usize].truncate().as_dvec3()).sum();
            sum = sum + Momentum { linear: push, angular: (places / 3.0).cross(push) };
        }
        sum
    }
}

struct PushTriangles<'a> {
    wind: &'a Wind,
    packs: &'a [[[u32; WIDTH]; 3]],
    points: &'a [Vec4],
    relative: &'a [Vec4],
    forces: &'a mut [[Vec4; WIDTH]],
    dt: f32,
}

impl Kernel for PushTriangles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let third = L::splat(1.0 / 3.0);
        for (pack, forces) in self.packs.iter().zip(self.forces) {
            let (x1, _) = Vec4::gather::<L>(self.points, &pack[0]);
            let (x2, _) = Vec4::gather::<L>(self.points, &pack[1]);
            let (x3, _) = Vec4::gather::<L>(self.points, &pack[2]);
            let (r1, w1) = Vec4::gather::<L>(self.relative, &pack[0]);
            let (r2, w2) = Vec4::gather::<L>(self.relative, &pack[1]);
            let (r3, w3) = Vec4::gather::<L>(self.relative, &pack[2]);
            let double_area = (x2 - x1).cross(x3 - x1);
            let lightest = w1.max(w2).max(w3);
            let force = push(self.wind, double_area, (r1 + r2 + r3) * third, lightest * L::splat(self.dt));
            *forces = L::to_points(force.with_w(L::splat(0.0)));
        }
    }
}

/// The force of a relative wind on a triangle, N: drag along the wind, lift across it, both
/// growing with how squarely the triangle stands in the wind.
///
/// An explicit drag overshoots when cloth is light and steps are long; the force is divided by
/// one plus its own decay rate times the step, so that at most the whole relative velocity goes.
#[inline(always)]
fn push<R: Real>(wind: &Wind, double_area: V3<R>, relative: V3<R>, dt_per_mass: R) -> V3<R> {
    let (one, tiny) = (R::splat(1.0), R::splat(1e-20));
    let (drag, lift) = (R::splat(wind.drag), R::splat(wind.lift));
    let size = double_area.dot(double_area).sqrt();
    let speed = relative.dot(relative).sqrt();
    let squarely = double_area.dot(relative) / (size * speed).max(tiny);
    let facing = squarely.max(R::splat(0.0) - squarely);
    // The normal on the side to which the wind blows, times the speed.
    let towards = squarely.select_lt(R::splat(0.0), R::splat(-1.0), one);
    let normal = double_area * (towards * speed / size.max(tiny));
    let pressure = R::splat(0.25 * wind.air_density) * speed * size * facing;
    let force = relative * (drag - lift * facing) + normal * lift;
    force * (pressure / (one + dt_per_mass * pressure * (drag + lift)))
}

#[cfg(test)]
mod tests;
