//! The colour scale of values: from dark violet over blue and green to light yellow, as even to the eye as numbers are.

use muslin_render::Color;

/// Lightness, chroma and hue (degrees) at both ends, in OKLCh (B. Ottosson, 2020), where distances are what eyes see.
const ENDS: [[f32; 3]; 2] = [[0.28, 0.105, 302.0], [0.91, 0.175, 102.0]];

/// The colour of a value from 0 to 1, also for legends.
pub fn value_color(value: f32) -> Color {
    let t = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
    let [lightness, chroma, hue] = [0, 1, 2].map(|i| ENDS[0][i] + t * (ENDS[1][i] - ENDS[0][i]));
    // The most chroma that fits into sRGB.
    let (mut fits, mut does_not) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = 0.5 * (fits + does_not);
        let rgb = oklch(lightness, middle * chroma, hue.to_radians());
        let is_color = rgb.iter().all(|v| (0.0..=1.0).contains(v));
        *(if is_color { &mut fits } else { &mut does_not }) = middle;
    }
    let rgb = oklch(lightness, fits * chroma, hue.to_radians());
    Color(rgb.map(|v| (255.0 * encode(v.clamp(0.0, 1.0))).round() as u8))
}

fn oklch(lightness: f32, chroma: f32, hue: f32) -> [f32; 3] {
    let (a, b) = (chroma * hue.cos(), chroma * hue.sin());
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_93 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
}

fn encode(v: f32) -> f32 {
    if v <= 0.003_130_8 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_of_values_look_equal() {
        let lightness = |c: Color| {
            let [r, g, b] = c.0.map(|byte| {
                let v = f32::from(byte) / 255.0;
                if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
            });
            let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
            let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
            let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
            0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s
        };
        for i in 0..=20 {
            let t = i as f32 / 20.0;
            let expected = ENDS[0][0] + t * (ENDS[1][0] - ENDS[0][0]);
            let found = lightness(value_color(t));
            assert!((found - expected).abs() < 0.006, "{t}: {found} instead of {expected}");
        }
        assert_eq!(value_color(f32::NAN), value_color(-1.0));
    }
}
