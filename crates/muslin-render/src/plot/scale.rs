//! From values to pixels, and which values to name on an axis.

/// The largest value that has a place of its own on an axis.
const LARGEST: f64 = 1e300;

/// Maps a range of values to a range of pixels, linearly or by logarithm.
pub(super) struct Scale {
    /// Least and greatest value (their logarithms if logarithmic).
    range: [f64; 2],
    pixels: [f64; 2],
    logarithmic: bool,
}

impl Scale {
    /// Covers all values with a small margin. Values at or below zero do not count on a
    /// logarithmic scale.
    pub fn new(values: impl Iterator<Item = f64>, logarithmic: bool, pixels: [f64; 2]) -> Self {
        let usable = values.filter(|v| v.is_finite() && (!logarithmic || *v > 0.0));
        let transformed = usable.map(|v| if logarithmic { v.log10() } else { v });
        let (low, high) = transformed.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        // Beyond this the difference of two values would not be finite.
        let (low, high) = (low.max(-LARGEST), high.min(LARGEST));
        let margin = if high > low { 0.04 * (high - low) } else { 0.5f64.max(0.1 * high.abs()) };
        Self { range: [low - margin, high + margin], pixels, logarithmic }
    }

    /// The pixel of a value; values beyond the range go to its end.
    pub fn place(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.max(f64::MIN_POSITIVE).log10() } else { value };
        let share = (value - self.range[0]) / (self.range[1] - self.range[0]);
        self.pixels[0] + share.clamp(0.0, 1.0) * (self.pixels[1] - self.pixels[0])
    }

    /// Round values within the range, about six of them.
    pub fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.range;
        if !self.logarithmic {
            let step = round_step((high - low) / 6.0);
            let first = (low / step).ceil() as i64;
            return (first..).map(|i| i as f64 * step).take_while(|&v| v <= high).collect();
        }
        let decades = (low.floor() as i32)..=(high.ceil() as i32);
        let digits: &[f64] = if high - low > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let all = decades.flat_map(|d| digits.iter().map(move |digit| digit * 10f64.powi(d)));
        all.filter(|v| (low..=high).contains(&v.log10())).collect()
    }

    /// A tick in words.
    pub fn name(&self, tick: f64) -> String {
        let size = tick.abs();
        if size != 0.0 && !(1e-6..1e7).contains(&size) {
            return format!("{tick:.3e}").replace("000e", "e").replace(".e", "e");
        }
        let rounded = (tick * 1e9).round() / 1e9;
        format!("{rounded}")
    }
}

/// The next 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|d| d * power >= step * 0.999);
    digit.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_range() {
        let linear = Scale::new([0.0, 10.0].into_iter(), false, [0.0, 100.0]);
        assert_eq!(linear.ticks(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        let logarithmic = Scale::new([0.15, 8.0].into_iter(), true, [0.0, 100.0]);
        let names: Vec<String> = logarithmic.ticks().iter().map(|&t| logarithmic.name(t)).collect();
        assert_eq!(names, ["0.2", "0.5", "1", "2", "5"]);
        let names = [0.0, 2e-9, 1.25e8, 250.0].map(|v| linear.name(v));
        assert_eq!(names, ["0", "2e-9", "1.250e8", "250"]);
    }

    #[test]
    fn places_keep_order_and_a_single_value_has_a_place() {
        let scale = Scale::new([1.0, 1000.0].into_iter(), true, [100.0, 0.0]);
        assert!(scale.place(1.0) > scale.place(10.0) && scale.place(10.0) > scale.place(1000.0));
        let one = Scale::new([3.0].into_iter(), false, [0.0, 100.0]);
        assert!((one.place(3.0) - 50.0).abs() < 1e-9);
        assert!(Scale::new(std::iter::empty(), true, [0.0, 1.0]).place(1.0).is_finite());
    }
}
