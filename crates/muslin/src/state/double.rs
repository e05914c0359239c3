//! The state in double precision, for solvers whose result single precision cannot hold.
//!
//! An edge of 2 cm a metre from the origin is known in single precision to 3 parts in a million: the strain that
//! \[Bender2009\] calls zero is smaller. So positions and velocities have a second copy here. All stages see and
//! change the single-precision state; [`State::follow`] adds their changes to this copy, and [`State::narrow`]
//! rounds the copy back. In between, the single-precision state *is* the rounded copy, so what a stage leaves alone
//! keeps all its bits.
//!
//! Motion is that of \[Bender2009\] §3.1, exact under a constant force:
//!
//!   x(t + h) = x(t) + v(t) h + ½ g h²,  v(t + h) = v(t) + g h
//!
//! Whatever corrects positions afterwards counts as impulses at t, which change the velocity of the whole step:
//! x(t + h) = x(t) + (v + Δv) h + ½ g h², and hence v(t + h) = (x(t + h) − x(t))/h + ½ g h.

use glam::{DVec3, Vec3, Vec4};

use super::{Drawn, Drift, ExactState, State};
use crate::execution::Execution;

/// Positions and velocities in double precision, in internal order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DoubleState {
    /// Metres.
    pub positions: Vec<DVec3>,
    /// Positions at the start of the substep.
    pub start: Vec<DVec3>,
    /// m/s.
    pub velocities: Vec<DVec3>,
    /// By how much constraints moved particles in the last substep, metres.
    pub corrections: Vec<DVec3>,
    /// How far gravity alone takes a particle in this substep: ½ g h², metres.
    pub fall: DVec3,
}

impl DoubleState {
    /// Copies it in the order of `places`, in place of another copy.
    pub fn copy_into(&self, places: &[u32], exact: &mut ExactState) {
        let copy = |values: &[DVec3], to: &mut Vec<DVec3>| {
            to.clear();
            to.extend(places.iter().map(|&v| values[v as usize]));
        };
        copy(&self.positions, &mut exact.positions);
        copy(&self.velocities, &mut exact.velocities);
        copy(&self.corrections, &mut exact.corrections);
    }
}

impl State {
    /// Starts a copy in double precision, or starts it anew.
    pub fn double_anew(&mut self) {
        let widen = |values: &[Vec4]| values.iter().map(|value| value.truncate().as_dvec3()).collect();
        self.double = Some(DoubleState {
            positions: widen(&self.points),
            start: widen(&self.previous),
            velocities: widen(&self.velocities),
            corrections: vec![DVec3::ZERO; self.points.len()],
            fall: DVec3::ZERO,
        });
    }

    /// Takes the way to another origin off, and rounds anew: beside the digits that this copy has, those that single
    /// precision has gained count for nothing.
    pub fn recentre_double(&mut self, by: DVec3) {
        let Some(double) = &mut self.double else { return };
        double.positions.iter_mut().chain(&mut double.start).for_each(|place| *place -= by);
        for (v, point) in self.points.iter_mut().enumerate() {
            *point = double.positions[v].as_vec3().extend(point.w);
        }
        for (v, point) in self.previous.iter_mut().enumerate() {
            *point = double.start[v].as_vec3().extend(point.w);
        }
    }

    /// Takes over such a copy, which has been checked. A state without double precision has no use for it.
    pub fn restore_exact(&mut self, exact: &ExactState, places: &[u32]) {
        let Some(double) = &mut self.double else { return };
        for (old, &v) in places.iter().enumerate() {
            double.positions[v as usize] = exact.positions[old];
            double.velocities[v as usize] = exact.velocities[old];
            double.corrections[v as usize] = exact.corrections[old];
        }
    }

    /// Takes over what was changed in single precision.
    pub fn follow(&mut self) {
        let Some(double) = &mut self.double else { return };
        for (v, point) in self.points.iter().enumerate() {
            if point.w == 0.0 {
                // Held by something: it is where that says, without a remainder from where it was.
                double.positions[v] = point.truncate().as_dvec3();
            }
            follow(&mut double.positions[v], point.truncate());
            follow(&mut double.start[v], self.previous[v].truncate());
            follow(&mut double.velocities[v], self.velocities[v].truncate());
        }
    }

    /// Rounds to single precision.
    pub fn narrow(&mut self) {
        let Some(double) = &self.double else { return };
        for (v, point) in self.points.iter_mut().enumerate() {
            *point = double.positions[v].as_vec3().extend(point.w);
            self.velocities[v] = double.velocities[v].as_vec3().extend(0.0);
        }
    }

    /// A particle's position, as precisely as it is known.
    pub fn position(&self, v: usize) -> DVec3 {
        match &self.double {
            Some(double) => double.positions[v],
            None => self.points[v].truncate().as_dvec3(),
        }
    }

    /// A particle's velocity, as precisely as it is known.
    pub fn velocity(&self, v: usize) -> DVec3 {
        match &self.double {
            Some(double) => double.velocities[v],
            None => self.velocities[v].truncate().as_dvec3(),
        }
    }

    /// Changes a particle's velocity.
    pub fn set_velocity(&mut self, v: usize, velocity: DVec3) {
        if let Some(double) = &mut self.double {
            double.velocities[v] = velocity;
        }
        self.velocities[v] = velocity.as_vec3().extend(0.0);
    }

    /// Takes back by how much rounding has moved what is free since [`State::move_exactly`].
    /// What was drawn somewhere is not that.
    pub fn take_back(&mut self, drift: &mut Drift, drawn: &[Drawn], dt: f64, execution: Execution) {
        self.follow();
        let (points, Some(double)) = (&self.points, &mut self.double) else { return };
        let DoubleState { positions, start, velocities, fall, .. } = double;
        let aim = |v: usize| start[v] + velocities[v] * dt + *fall;
        drift.find(|v| (points[v].w > 0.0).then(|| positions[v] - aim(v)), drawn, execution);
        positions.iter_mut().enumerate().for_each(|(v, position)| *position -= drift.of(v));
        self.narrow();
    }

    /// Moves free particles by their velocities and a constant acceleration, exactly.
    pub fn move_exactly(&mut self, acceleration: DVec3, dt: f64) {
        self.follow();
        self.previous.copy_from_slice(&self.points);
        let Some(double) = &mut self.double else { return };
        let fall = 0.5 * dt * dt * acceleration;
        double.fall = fall;
        for (v, point) in self.points.iter_mut().enumerate() {
            double.start[v] = double.positions[v];
            if point.w > 0.0 {
                double.positions[v] += double.velocities[v] * dt + fall;
                *point = double.positions[v].as_vec3().extend(point.w);
            }
        }
    }

    /// The velocities with which particles arrive.
    pub fn arrive(&mut self, acceleration: DVec3, dt: f64) {
        self.follow();
        let Some(double) = &mut self.double else { return };
        for (v, point) in self.points.iter().enumerate() {
            let mut velocity = (double.positions[v] - double.start[v]) / dt;
            if point.w > 0.0 {
                velocity += 0.5 * dt * acceleration;
            }
            double.velocities[v] = velocity;
            self.velocities[v] = velocity.as_vec3().extend(0.0);
        }
    }

    /// Slows down what is faster than `limit`; the highest speed before that.
    pub fn limit_speed(&mut self, limit: f64) -> f64 {
        let Some(double) = &mut self.double else { return 0.0 };
        let mut fastest = 0.0f64;
        for (exact, rounded) in double.velocities.iter_mut().zip(&mut self.velocities) {
            let speed = exact.length();
            fastest = fastest.max(speed);
            if speed > limit {
                *exact *= limit / speed;
                *rounded = exact.as_vec3().extend(0.0);
            }
        }
        fastest
    }
}

/// Adds the change from its own rounding to a single-precision value.
fn follow(exact: &mut DVec3, now: Vec3) {
    let rounded = exact.as_vec3();
    // Nothing but equal bits: a difference of zero would be added just as well, but this is the common case.
    if rounded != now {
        *exact += now.as_dvec3() - rounded.as_dvec3();
        if exact.as_vec3() != now {
            // The remainder is more than half of the last digit of a value that has become smaller.
            *exact = now.as_dvec3();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn falling() -> State {
        let mut state = State {
            points: vec![Vec4::new(0.1, 0.2, 0.3, 1.0), Vec4::new(1.0, 2.0, 3.0, 0.0)],
            previous: vec![Vec4::ZERO; 2],
            velocities: vec![Vec4::new(1.0, 2.0, 0.0, 0.0), Vec4::ZERO],
            ..State::default()
        };
        state.double_anew();
        state
    }

    #[test]
    fn a_throw_is_a_parabola_whatever_the_step() {
        let gravity = DVec3::new(0.0, -9.81, 0.0);
        for steps in [1, 7, 1000] {
            let mut state = falling();
            let dt = 1.0 / f64::from(steps);
            for _ in 0..steps {
                state.move_exactly(gravity, dt);
                state.arrive(gravity, dt);
            }
            let start = Vec3::new(0.1, 0.2, 0.3).as_dvec3();
            assert!((state.position(0) - (start + DVec3::new(1.0, 2.0 - 4.905, 0.0))).length() < 1e-9);
            assert!((state.velocity(0) - DVec3::new(1.0, 2.0 - 9.81, 0.0)).length() < 1e-9);
            assert_eq!((state.position(1), state.velocity(1)), (DVec3::new(1.0, 2.0, 3.0), DVec3::ZERO));
        }
    }

    #[test]
    fn only_what_is_too_fast_is_slowed_down() {
        let mut state = falling();
        state.set_velocity(1, DVec3::new(0.0, 30.0, -40.0));
        let slow = state.velocity(0);
        assert_eq!(state.limit_speed(5.0), 50.0);
        assert_eq!((state.velocity(0), state.velocity(1)), (slow, DVec3::new(0.0, 3.0, -4.0)));
        assert_eq!(state.velocities[1], Vec4::new(0.0, 3.0, -4.0, 0.0));
    }

    #[test]
    fn changes_in_single_precision_are_taken_over_and_the_rest_keeps_its_bits() {
        let mut state = falling();
        state.move_exactly(DVec3::NEG_Y, 0.1);
        let before = state.position(0);
        state.follow();
        assert_eq!(state.position(0), before);
        state.points[0].x += 0.5;
        state.follow();
        assert!((state.position(0) - before - DVec3::X * 0.5).length() < 1e-7);
        assert_eq!(state.position(0).as_vec3(), state.points[0].truncate());
    }
}
