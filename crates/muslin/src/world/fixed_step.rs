//! Frames of any length on steps of one length.

use super::World;

/// How many steps a frame takes at the most: a program that cannot keep up slows down instead of falling behind for ever.
const MOST_STEPS: u32 = 8;

/// Divides the time of a program's frames into the steps of a world.
///
/// ```
/// # use muslin::{FixedStep, World, cloth::Cloth, mesh::generate};
/// # let cloth = Cloth::builder(generate::grid(10, 10, 1.0, 1.0)?).pin(0).build()?;
/// let mut world = World::builder().cloth("flag", cloth).build()?;
/// let flag = world.cloth_ids()[0];
/// let mut clock = FixedStep::new();
/// let mut shown = vec![[0.0; 3]; world.cloth(flag)?.cloth().vertex_count()];
/// for _frame in 0..10 {
///     for _ in 0..clock.advance(0.0123, &world) {
///         world.step()?;
///     }
///     // Between the last two steps, so that motion is smooth whatever the frame rate.
///     world.cloth(flag)?.positions_between_into(clock.share(), &mut shown)?;
/// }
/// # Ok::<(), muslin::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FixedStep {
    /// Seconds that have passed and are not simulated.
    left: f64,
    /// The same in steps.
    share: f32,
}

impl FixedStep {
    /// At the start.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many steps of a world belong to the next frame of so many seconds. At most eight: what is left beyond that is
    /// dropped, and the world falls behind the clock.
    pub fn advance(&mut self, seconds: f64, world: &World) -> u32 {
        let step = world.settings().time_step;
        let passed = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        self.left = (self.left + passed).min(f64::from(MOST_STEPS + 1) * step);
        let steps = ((self.left / step) as u32).min(MOST_STEPS);
        self.left = (self.left - f64::from(steps) * step).min(step);
        self.share = (self.left / step).clamp(0.0, 1.0) as f32;
        steps
    }

    /// How far the frame is between the start (0) and the end (1) of the last step, for
    /// [`Simulation::positions_between_into`](crate::Simulation::positions_between_into).
    pub fn share(&self) -> f32 {
        self.share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::Settings;

    #[test]
    fn steps_keep_up_with_the_clock_as_long_as_they_can() {
        let settings = Settings { time_step: 0.01, ..Settings::default() };
        let world = World::builder().settings(settings).build().unwrap();
        let mut clock = FixedStep::new();
        let steps: u32 = (0..300).map(|_| clock.advance(1.0 / 144.0, &world)).sum();
        // 300 / 144 s are 208.33 steps.
        assert_eq!(steps, 208);
        assert!((clock.share() - 1.0 / 3.0).abs() < 1e-4, "{}", clock.share());
        assert_eq!(clock.advance(10.0, &world), MOST_STEPS);
        assert!(clock.advance(0.0, &world) <= 1);
        assert_eq!((clock.advance(f64::NAN, &world), clock.advance(-1.0, &world)), (0, 0));
    }
}
