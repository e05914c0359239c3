//! A fan: a round jet of air that widens and slows down on its way, and pushes cloth.
//!
//! At a distance s along its direction the jet has the radius R = r + s/5 and on its axis the speed u = v r/R: what flows through it
//! keeps its momentum. Across it falls off as e^(−(d/R)²). A vertex feels ½ ρ c A (w·n) |w·n| n, the pressure of the wind w relative
//! to it on its share A n of the cloth, less what the air would do to it without the fan, which the simulation has already.

use glam::{DVec3, Vec3};

use super::super::Fan;
use super::Stage;

/// How much the radius grows per length.
const SPREAD: f32 = 0.2;

/// kg/m³.
const AIR: f32 = 1.225;

/// Of a plate across the wind.
const DRAG: f32 = 1.2;

/// The fastest air, m/s.
const FASTEST: f32 = 60.0;

/// The air's velocity in the jet.
fn air(fan: &Fan, direction: Vec3, place: Vec3) -> Vec3 {
    let off = place - fan.place;
    let along = off.dot(direction);
    if along <= 0.0 {
        return Vec3::ZERO;
    }
    let radius = fan.radius + SPREAD * along;
    let across = (off - along * direction).length() / radius;
    direction * (fan.speed * fan.radius / radius * (-across * across).exp())
}

impl Stage {
    /// Puts a fan somewhere, or away. The error is what is wrong with it.
    pub fn set_fan(&mut self, fan: Option<Fan>) -> Result<(), String> {
        let sound = fan.is_none_or(|fan| {
            let finite = fan.place.is_finite() && fan.direction.is_finite() && fan.speed.is_finite();
            finite && fan.direction.length_squared() > 0.0 && fan.radius.is_finite() && fan.radius > 0.0
        });
        if !sound {
            return Err("a fan needs a place, a direction, a speed and a radius above 0".to_owned());
        }
        self.fan = fan.map(|fan| Fan { speed: fan.speed.clamp(-FASTEST, FASTEST), ..fan });
        Ok(())
    }

    /// Lets the fan blow during the next step.
    pub(super) fn blow(&mut self) {
        let Some(fan) = self.fan else { return };
        let direction = fan.direction.normalize_or(Vec3::Z);
        let dt = self.world.settings().time_step as f32;
        let origin = self.origin;
        for (_, cloth) in self.world.cloths_mut() {
            let places: Vec<Vec3> =
                cloth.places().into_iter().map(|p: DVec3| (p - origin).as_vec3()).collect();
            let (velocities, masses) = (cloth.velocities(), cloth.cloth().masses());
            let mut shares = vec![Vec3::ZERO; places.len()];
            for corners in cloth.cloth().triangles() {
                let [a, b, c] = corners.map(|v| places[v as usize]);
                let share = (b - a).cross(c - a) / 6.0;
                corners.iter().for_each(|&v| shares[v as usize] += share);
            }
            for (v, share) in shares.into_iter().enumerate() {
                let blows = air(&fan, direction, places[v]);
                if blows.length_squared() < 1e-4 {
                    continue;
                }
                let force = pressure(share, blows - velocities[v]) - pressure(share, -velocities[v]);
                // No faster than the air within a step, however light it is.
                let most = masses[v] as f32 * blows.length() / dt;
                // A force that is refused is no loss: that vertex stays out of the wind.
                let _ = cloth.add_force(v as u32, force.clamp_length_max(most));
            }
        }
    }
}

/// Of a wind on an area (m², along its normal).
fn pressure(share: Vec3, wind: Vec3) -> Vec3 {
    let area = share.length();
    if area <= 0.0 {
        return Vec3::ZERO;
    }
    let normal = share / area;
    let across = wind.dot(normal);
    0.5 * AIR * DRAG * area * across * across.abs() * normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jet_widens_and_slows_down_and_does_not_blow_backwards() {
        let fan = Fan { place: Vec3::ZERO, direction: Vec3::X, speed: 10.0, radius: 0.1 };
        let speed = |place| air(&fan, Vec3::X, place).x;
        assert_eq!(speed(Vec3::new(-0.1, 0.0, 0.0)), 0.0);
        assert!((speed(Vec3::new(0.5, 0.0, 0.0)) - 5.0).abs() < 1e-5);
        let near = speed(Vec3::new(0.1, 0.2, 0.0)) / speed(Vec3::new(0.1, 0.0, 0.0));
        let far = speed(Vec3::new(2.0, 0.2, 0.0)) / speed(Vec3::new(2.0, 0.0, 0.0));
        assert!(near < 0.1 && far > 0.8, "{near} {far}");
    }
}
