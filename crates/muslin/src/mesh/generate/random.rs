//! A small generator of pseudo-random numbers, the same on every machine and in every release.

/// SplitMix64 (Steele, Lea, Flood 2014): a counter with a golden-ratio step, scrambled by two
/// multiplications. Enough for jitter, and its whole state is one number.
pub(super) struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [-1, 1).
    pub(super) fn signed_unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn the_published_first_value_for_seed_zero() {
        assert_eq!(SplitMix64::new(0).next(), 0xE220_A839_7B1D_CDAF);
    }

    #[test]
    fn numbers_fill_the_interval() {
        let mut random = SplitMix64::new(7);
        let numbers: Vec<f64> = (0..10_000).map(|_| random.signed_unit()).collect();
        assert!(numbers.iter().all(|x| (-1.0..1.0).contains(x)));
        assert!(numbers.iter().sum::<f64>().abs() / 10_000.0 < 0.02);
        assert!(numbers.iter().any(|&x| x < -0.99) && numbers.iter().any(|&x| x > 0.99));
    }
}
