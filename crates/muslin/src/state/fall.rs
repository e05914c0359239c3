//! How particles move in a substep, and with which velocity they arrive.

use glam::Vec4;

use super::Traveller;

/// How particles move in a substep if nothing holds them.
#[derive(Clone, Copy)]
pub(crate) struct Fall {
    /// Seconds.
    pub dt: f32,
    /// By gravity, m/s.
    pub gained: Vec4,
    /// By that, metres.
    pub moved: Vec4,
}

impl Fall {
    /// For particles that somebody else has moved.
    pub fn unknown(dt: f64) -> Self {
        Self { dt: dt as f32, gained: Vec4::NAN, moved: Vec4::NAN }
    }

    /// The way of a free particle, with what rounding took from its place before.
    #[inline]
    pub fn way(&self, velocity: Vec4, remainder: Vec4) -> Vec4 {
        velocity * self.dt + self.moved + remainder
    }

    /// The velocity with which a particle arrives, and what rounding took from its place.
    ///
    /// On paper the velocity is (x − x₀)/Δt. But the last digit of x over a short step is a speed: a centimetre per second
    /// at 10 m and 0.1 ms, all of gravity's share of the step. So the velocity is changed by what the step corrected, which is
    /// nothing where nothing happened.
    #[inline]
    pub fn arrival(
        &self,
        point: Vec4,
        previous: Vec4,
        traveller: Option<&Traveller>,
        velocity: Vec4,
        remainder: Vec4,
    ) -> (Vec4, Vec4) {
        if point.w == 0.0 || self.gained.is_nan() {
            return (((point - previous) / self.dt).with_w(0.0), Vec4::ZERO);
        }
        let way = self.way(velocity, remainder);
        let (corrected, remainder) = match traveller {
            Some(traveller) => {
                let come = traveller.way + (traveller.start - previous);
                (come - way, come - (point - previous))
            }
            None => {
                let aim = previous + way;
                (point - aim, way - (aim - previous))
            }
        };
        ((velocity + self.gained + corrected / self.dt).with_w(0.0), remainder.with_w(0.0))
    }
}
