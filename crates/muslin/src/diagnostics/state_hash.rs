//! A fingerprint of positions and velocities: equal exactly if every bit is.

use glam::Vec3;

/// Hashes vectors bit by bit (FNV-1a, 64 bit, over 32-bit words), −0 and +0 told apart.
pub(crate) fn hash<'a>(vectors: impl Iterator<Item = &'a Vec3>) -> u64 {
    vectors.flat_map(|v| v.to_array()).fold(0xCBF2_9CE4_8422_2325, |hash, value| {
        (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_bit_changes_the_hash() {
        let a = [Vec3::new(1.0, 2.0, 3.0)];
        let b = [Vec3::new(1.0, 2.0, f32::from_bits(3.0f32.to_bits() + 1))];
        assert_ne!(hash(a.iter()), hash(b.iter()));
        assert_ne!(hash([Vec3::ZERO].iter()), hash([Vec3::new(-0.0, 0.0, 0.0)].iter()));
    }
}
