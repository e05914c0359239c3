//! A bound on energy: what corrections do beyond resisting is taken out of velocities again.
//!
//! Input: what corrections did in a substep, and the velocities at its end. Output: velocities whose energy is no more than
//! it would be without corrections, with the same linear and angular momentum.
//!
//! A substep takes a particle from c to x = c + h v + ½ g h², and corrections take it on to x′. So the velocity just after
//! the impulses is u = (x′ − c − ½ g h²)/h, before them it is v, and because the motion under gravity is exact, the energy
//! at the end of the step differs from that at its start by Σ ½ m (u² − v²) and nothing else. Constraints do no work: u
//! must not be faster than v. Two things make it so:
//!
//! - a strain within the tolerance that is corrected in one substep becomes a velocity of strain/h. Impulses that correct
//!   velocities take that away, since corrections are along the same edges (`Solver::settle`);
//! - shape matching in front (`ImpulseStart::Hierarchy`) and solutions of a nearly singular system correct across edges
//!   too, and that no impulse along edges takes back. This is what is bounded here.
//!
//! A velocity that all particles have in common is not seen: it adds V·Σ m (u − v) to the sum, which is zero for impulses in
//! pairs.
//!
//! The bound scales velocities relative to the rigid motion of the particles that is nearest to them: that keeps both
//! momenta. Cloth that is held has no momentum of its own to keep, and all of its motion is scaled: what lifts such a
//! cloth as a whole hid in the rigid motion otherwise, and 64 substeps exploded. Rejected: scaling corrections, which
//! leaves strains above the tolerance.

use glam::{DMat3, DVec3};

use crate::diagnostics::energy::Momentum;
use crate::rigid::{RigidSystem, RigidVelocity};
use crate::state::State;

/// Less than this part of the kinetic energy is rounding.
const ROUNDING: f64 = 1e-9;

/// Σ ½ m (h u)² of the free particles, m relative to the mean; `None` where something that is held moves, which does
/// work.
pub(super) fn motion_of_step(state: &State, inverse_masses: &[f64]) -> Option<f64> {
    let double = state.double.as_ref()?;
    let mut sum = 0.0;
    for (v, point) in state.points.iter().enumerate() {
        let moved = double.positions[v] - double.start[v];
        if point.w > 0.0 {
            sum += 0.5 * (moved - double.fall).length_squared() / inverse_masses[v];
        } else if moved != DVec3::ZERO {
            return None;
        }
    }
    Some(sum)
}

/// Σ ½ m v² of the free particles.
pub(super) fn kinetic(state: &State, inverse_masses: &[f64]) -> f64 {
    let free = state.points.iter().zip(inverse_masses).enumerate().filter(|(_, (point, _))| point.w > 0.0);
    free.map(|(v, (_, inverse))| 0.5 * state.velocity(v).length_squared() / inverse).sum()
}

/// Takes `excess` (like [`kinetic`]) out of velocities, as far as there is motion that is not rigid; whether it did.
pub(super) fn remove_energy(state: &mut State, inverse_masses: &[f64], excess: f64) -> bool {
    if excess.is_nan() || excess <= ROUNDING * kinetic(state, inverse_masses) {
        return false;
    }
    let free: Vec<usize> = (0..state.points.len()).filter(|&v| state.points[v].w > 0.0).collect();
    let rigid =
        (free.len() == state.points.len()).then(|| nearest_rigid_motion(state, inverse_masses)).flatten();
    let rigid_at = |place: DVec3| rigid.as_ref().map_or(DVec3::ZERO, |motion| motion.at(place));
    let relative = |state: &State, v: usize| state.velocity(v) - rigid_at(state.position(v));
    let internal: f64 =
        free.iter().map(|&v| 0.5 * relative(state, v).length_squared() / inverse_masses[v]).sum();
    let kept = (1.0 - excess / internal).max(0.0).sqrt();
    for v in free {
        let velocity = rigid_at(state.position(v)) + kept * relative(state, v);
        state.set_velocity(v, velocity);
    }
    true
}

/// The rigid motion with the momenta of particles none of which is held.
fn nearest_rigid_motion(state: &State, inverse_masses: &[f64]) -> Option<RigidVelocity> {
    let (mut system, mut momentum) = (RigidSystem::EMPTY, Momentum::default());
    for (v, inverse_mass) in inverse_masses.iter().enumerate() {
        let (place, linear) = (state.position(v), state.velocity(v) / inverse_mass);
        system.add(1.0 / inverse_mass, place, DMat3::ZERO);
        momentum = momentum + Momentum { linear, angular: place.cross(linear) };
    }
    system.velocity_with(momentum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec4;

    #[test]
    fn the_bound_takes_the_energy_asked_for_and_no_momentum() {
        let mut state = State::default();
        let inverse: Vec<f64> = (0..9).map(|i| 1.0 / (1.0 + f64::from(i % 3))).collect();
        for i in 0..9u8 {
            let t = f32::from(i);
            state.points.push(Vec4::new(t.sin(), (2.0 * t).cos(), 0.3 * t, 1.0));
            state.velocities.push(Vec4::new((3.0 * t).cos(), 1.0 + t.sin(), (5.0 * t).sin(), 0.0));
        }
        state.previous.clone_from(&state.points);
        state.double_anew();
        let momenta = |state: &State| {
            (0..9).fold([DVec3::ZERO; 2], |[linear, angular], v| {
                let momentum = state.velocity(v) / inverse[v];
                [linear + momentum, angular + state.position(v).cross(momentum)]
            })
        };
        let (before, energy) = (momenta(&state), kinetic(&state, &inverse));
        assert!(!remove_energy(&mut state, &inverse, -1.0) && !remove_energy(&mut state, &inverse, 0.0));
        assert_eq!(momenta(&state), before);
        assert!(remove_energy(&mut state, &inverse, 2.0));
        assert!((energy - kinetic(&state, &inverse) - 2.0).abs() < 1e-9);
        for (now, then) in momenta(&state).iter().zip(before) {
            assert!(now.distance(then) < 1e-9);
        }
        // More than there is: what is left is rigid.
        assert!(remove_energy(&mut state, &inverse, 1e6));
        assert!(momenta(&state)[1].distance(before[1]) < 1e-9 && kinetic(&state, &inverse) > 0.0);
        // Held, it has no momentum of its own.
        state.points[4].w = 0.0;
        assert!(remove_energy(&mut state, &inverse, 1e6));
        assert_eq!(kinetic(&state, &inverse), 0.0);
    }
}
