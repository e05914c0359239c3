//! Colours as people name them (sRGB bytes), as light adds (linear), and back.

use std::sync::LazyLock;

use glam::Vec3;

/// A colour as sRGB bytes: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color(pub [u8; 3]);

impl Color {
    /// A colour of its parts.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue])
    }

    /// A colour written as six hexadecimal digits, with or without `#` before them.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let number = u32::from_str_radix(digits, 16).ok()?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some(Self([red, green, blue]))
    }

    /// The amount of light in each channel, 0 to 1.
    pub(crate) fn linear(self) -> Vec3 {
        Vec3::from(self.0.map(|byte| decode(f32::from(byte) / 255.0)))
    }
}

/// The bytes of an amount of light; what is beyond white is white.
pub(crate) fn encode(light: Vec3) -> [u8; 3] {
    light.to_array().map(|v| TABLE[(v.clamp(0.0, 1.0) * (TABLE.len() - 1) as f32 + 0.5) as usize])
}

/// The curve of sRGB in steps small enough that no byte is skipped (the steepest part rises by
/// 12.92 × 255 over the whole range). A power per channel would take as long as the shadows.
static TABLE: LazyLock<[u8; 8192]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let v = i as f32 / 8191.0;
        let encoded = if v <= 0.003_130_8 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
        (encoded * 255.0 + 0.5) as u8
    })
});

fn decode(v: f32) -> f32 {
    if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_way_to_light_and_back() {
        for byte in 0..=255 {
            assert_eq!(encode(Color([byte; 3]).linear()), [byte; 3]);
        }
    }

    #[test]
    fn hexadecimal_colours_are_read_and_nonsense_is_refused() {
        assert_eq!(Color::from_hex("#ff8000"), Some(Color::rgb(255, 128, 0)));
        assert_eq!(Color::from_hex("0a0B0c"), Some(Color::rgb(10, 11, 12)));
        for wrong in ["", "#", "#12345", "+12345", "#1234567", "gg0000", "ééé"] {
            assert_eq!(Color::from_hex(wrong), None, "{wrong}");
        }
    }
}
