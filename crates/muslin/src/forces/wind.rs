//! Wind: drag and lift on every triangle, with gusts from a seeded noise.
//!
//! Input: positions and velocities. Output: changed velocities.

use glam::{Vec3, Vec4};
use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::math::csr::Csr;

/// Air that moves past the cloth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
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

    /// The name and value of a field that is out of range.
    pub(crate) fn problem(&self) -> Option<(&'static str, f32)> {
        if let Some(&value) = self.velocity.to_array().iter().find(|v| !v.is_finite()) {
            return Some(("wind.velocity", value));
        }
        if !(self.gust_size.is_finite() && self.gust_size > 0.0) {
            return Some(("wind.gust_size", self.gust_size));
        }
        let fields = [
            ("wind.gusts", self.gusts),
            ("wind.air_density", self.air_density),
            ("wind.drag", self.drag),
            ("wind.lift", self.lift),
        ];
        fields.into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0))
    }

    /// The air's velocity at a place and time: the mean plus noise that drifts with the wind.
    pub fn velocity_at(&self, place: Vec3, time: f64) -> Vec3 {
        let speed = self.velocity.length();
        if self.gusts == 0.0 || speed == 0.0 {
            return self.velocity;
        }
        let carried = (place - self.velocity * time as f32) / self.gust_size;
        // A gust also changes while it drifts.
        let turn = (time as f32) * 0.5 * speed / self.gust_size;
        let noise =
            |channel: u32| value_noise(carried + Vec3::splat(turn), self.seed.wrapping_add(channel * 7919));
        self.velocity + Vec3::new(noise(0), noise(1), noise(2)) * (self.gusts * speed)
    }
}

/// Smooth noise in −1…1 from hashed lattice points.
fn value_noise(p: Vec3, seed: u32) -> f32 {
    let cell = p.floor();
    let t = p - cell;
    let t = t * t * (Vec3::splat(3.0) - 2.0 * t);
    let corner = |dx: i32, dy: i32, dz: i32| {
        let [x, y, z] = [cell.x as i32 + dx, cell.y as i32 + dy, cell.z as i32 + dz].map(|v| v as u32);
        let mut h =
            seed ^ x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ z.wrapping_mul(0xC2B2_AE3D);
        h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
        h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
        h ^= h >> 15;
        h as f32 / (u32::MAX as f32) * 2.0 - 1.0
    };
    let mix = |a: f32, b: f32, s: f32| a + (b - a) * s;
    let along_x = |dy, dz| mix(corner(0, dy, dz), corner(1, dy, dz), t.x);
    let along_y = |dz| mix(along_x(0, dz), along_x(1, dz), t.y);
    mix(along_y(0), along_y(1), t.z)
}

/// The wind of a simulation with its scratch space.
#[derive(Clone, Debug)]
pub(crate) struct WindForce {
    forces: Vec<Vec3>,
}

impl WindForce {
    /// Scratch for a number of triangles.
    pub fn new(triangles: usize) -> Self {
        Self { forces: vec![Vec3::ZERO; triangles] }
    }

    /// Adds the wind's push over `dt` to the velocities. `inverse_masses` in 1/kg.
    #[expect(clippy::too_many_arguments, reason = "a stage reads most of the state")]
    pub fn apply(
        &mut self,
        wind: &Wind,
        triangles: &[[u32; 3]],
        vertex_triangles: &Csr,
        inverse_masses: &[f32],
        points: &[Vec4],
        velocities: &mut [Vec4],
        time: f64,
        dt: f32,
        execution: Execution,
    ) {
        let seen: &[Vec4] = velocities;
        execution.for_each_chunk(&mut self.forces, |first, chunk| {
            for (force, corners) in chunk.iter_mut().zip(&triangles[first..]) {
                let x = corners.map(|v| points[v as usize].truncate());
                let mean_velocity = corners.iter().map(|&v| seen[v as usize].truncate()).sum::<Vec3>() / 3.0;
                let air = wind.velocity_at((x[0] + x[1] + x[2]) / 3.0, time);
                let lightest = corners.iter().map(|&v| inverse_masses[v as usize]).fold(0.0, f32::max);
                *force = push(wind, x, air - mean_velocity, dt * lightest);
            }
        });
        let forces = &self.forces;
        execution.for_each_chunk(velocities, |first, chunk| {
            for (offset, velocity) in chunk.iter_mut().enumerate() {
                let v = first + offset;
                let sum: Vec3 = vertex_triangles.row(v).iter().map(|&t| forces[t as usize]).sum();
                *velocity += (sum * (dt * inverse_masses[v] / 3.0)).extend(0.0);
            }
        });
    }
}

/// The force of a relative wind on a triangle, N: drag along the wind, lift across it, both
/// growing with how squarely the triangle stands in the wind.
///
/// An explicit drag overshoots when cloth is light and steps are long; the force is divided by
/// one plus its own decay rate times the step, so that at most the whole relative velocity goes.
fn push(wind: &Wind, x: [Vec3; 3], relative: Vec3, dt_per_mass: f32) -> Vec3 {
    let double_area = (x[1] - x[0]).cross(x[2] - x[0]);
    let (area, speed) = (0.5 * double_area.length(), relative.length());
    if area <= 0.0 || speed <= 0.0 {
        return Vec3::ZERO;
    }
    let along = relative / speed;
    let mut normal = double_area / (2.0 * area);
    if normal.dot(along) < 0.0 {
        normal = -normal;
    }
    let facing = normal.dot(along);
    let pressure = 0.5 * wind.air_density * speed * area * facing;
    let across = normal - along * facing;
    let force = (along * wind.drag + across * wind.lift) * (pressure * speed);
    force / (1.0 + dt_per_mass * pressure * (wind.drag + wind.lift))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACING: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

    #[test]
    fn a_triangle_square_to_the_wind_feels_pure_drag() {
        let wind = Wind::default();
        let force = push(&wind, FACING, Vec3::new(0.0, 0.0, 4.0), 0.0);
        let expected = 0.5 * 1.225 * 16.0 * 0.5 * 1.2;
        assert!((force - Vec3::new(0.0, 0.0, expected)).length() < 1e-4);
        assert_eq!(push(&wind, FACING, Vec3::X * 4.0, 0.0), Vec3::ZERO);
    }

    #[test]
    fn lift_is_across_the_wind() {
        let wind = Wind { drag: 0.0, ..Wind::default() };
        let relative = Vec3::new(1.0, 0.0, 1.0);
        assert!(push(&wind, FACING, relative, 0.0).dot(relative).abs() < 1e-6);
    }

    #[test]
    fn light_cloth_never_overtakes_the_wind() {
        let force = push(&Wind::default(), FACING, Vec3::Z * 30.0, 1e4);
        assert!(force.length() * 1e4 <= 30.0);
    }

    #[test]
    fn gusts_are_bounded_smooth_and_repeatable() {
        let wind = Wind::blowing(Vec3::X * 5.0);
        for i in 0..200 {
            let place = Vec3::new(i as f32 * 0.1, 0.3, -0.2);
            let v = wind.velocity_at(place, 1.0);
            assert!((v - wind.velocity).abs().max_element() <= 0.33 * 5.0 + 1e-5);
            assert!((v - wind.velocity_at(place + Vec3::splat(1e-3), 1.0)).length() < 0.05);
            assert_eq!(v, wind.velocity_at(place, 1.0));
        }
    }
}
