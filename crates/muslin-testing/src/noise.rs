//! Random numbers that a seed names.

use glam::Vec3;

/// A sequence of numbers: the same for the same seed on every machine, as long as `Cargo.lock` names the same fastrand.
pub struct Noise(fastrand::Rng);

impl Noise {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// The next number, from −1 to 1.
    pub fn number(&mut self) -> f32 {
        2.0 * self.0.f32() - 1.0
    }

    /// Three numbers, each from −1 to 1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    /// A point within one of the origin, all places alike.
    pub fn in_ball(&mut self) -> Vec3 {
        loop {
            let point = self.vector();
            if point.length_squared() <= 1.0 {
                return point;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_the_interval_and_a_seed_names_them() {
        let numbers = |seed| -> Vec<f32> {
            let mut noise = Noise::new(seed);
            (0..10_000).map(|_| noise.number()).collect()
        };
        let some = numbers(7);
        assert!(some == numbers(7) && some != numbers(8));
        assert!(some.iter().all(|number| number.abs() <= 1.0));
        // The mean of 10,000 uniform numbers is 0 ± 0.0058, and none beyond 0.99 is as likely as 10⁻²².
        assert!(some.iter().sum::<f32>().abs() / 1e4 < 6.0 * 0.0058);
        assert!(some.iter().any(|&number| number < -0.99) && some.iter().any(|&number| number > 0.99));
    }

    #[test]
    fn points_in_a_ball_are_in_it_and_reach_its_rim() {
        let mut noise = Noise::new(1);
        let lengths: Vec<f32> = (0..1000).map(|_| noise.in_ball().length()).collect();
        assert!(lengths.iter().all(|&length| length <= 1.0));
        // An eighth lies in the inner half, 125 ± 10.
        let inner = lengths.iter().filter(|&&length| length < 0.5).count();
        assert!((65..=185).contains(&inner), "{inner}");
    }
}
