//! The 255 colours that serve a frame best.
//!
//! Colours in → palette, and the entry for a pixel. Boxes of colours are split at their mean along
//! the axis of the greatest variance, the box with the greatest error first.

/// One entry of 256 is left for "transparent".
const MOST: usize = 255;
/// Entries are looked up by the upper seven bits of each channel.
const CELLS: usize = 1 << 21;
const EMPTY: u8 = 255;
/// How much an error in a channel is seen.
const WEIGHTS: [f32; 3] = [3.0, 5.0, 2.0];
/// More dithering than this, in steps of a byte, shows as grain and does not compress.
const MOST_DITHER: f32 = 3.0;

fn cell([r, g, b]: [u8; 3]) -> usize {
    usize::from(r >> 1) << 14 | usize::from(g >> 1) << 7 | usize::from(b >> 1)
}

/// Pixels of the same colour.
#[derive(Clone, Copy)]
struct Bin {
    color: [f32; 3],
    count: f32,
}

/// A set of bins that share an entry of the palette.
struct Group {
    bins: Vec<Bin>,
    mean: [f32; 3],
    /// Weighted squared error per channel, summed over pixels.
    error: [f32; 3],
    /// Pixels.
    count: f32,
}

impl Group {
    fn new(bins: Vec<Bin>) -> Self {
        let count: f32 = bins.iter().map(|b| b.count).sum();
        let sum = |k: usize| bins.iter().map(|b| b.count * b.color[k]).sum::<f32>();
        let mean = [sum(0), sum(1), sum(2)].map(|s| s / count.max(1.0));
        let error = |k: usize| {
            let squares = bins.iter().map(|b| b.count * (b.color[k] - mean[k]).powi(2));
            WEIGHTS[k] * squares.sum::<f32>()
        };
        let error = [error(0), error(1), error(2)];
        Self { bins, mean, error, count }
    }

    fn total_error(&self) -> f32 {
        self.error.iter().sum()
    }

    /// How much it needs to be split. Between the sum of its errors and their mean: a small patch
    /// of background that reappears must match what is around it.
    fn urgency(&self) -> f32 {
        self.total_error() / self.count.max(1.0).sqrt()
    }

    /// Two groups, split at the mean of the channel with the greatest error.
    fn split(self) -> Result<[Self; 2], Self> {
        let channel = (0..3).max_by(|&a, &b| self.error[a].total_cmp(&self.error[b])).unwrap_or(0);
        let at = self.mean[channel];
        let (low, high): (Vec<Bin>, Vec<Bin>) = self.bins.iter().partition(|b| b.color[channel] < at);
        if low.is_empty() || high.is_empty() {
            return Err(self);
        }
        Ok([Self::new(low), Self::new(high)])
    }
}

/// At most 255 colours.
pub(super) struct Palette {
    colors: Vec<[u8; 3]>,
    /// How far dithering moves a colour, in steps of a byte.
    dither: f32,
}

impl Palette {
    /// The palette for these pixels.
    pub fn new(pixels: impl Iterator<Item = [u8; 3]>) -> Self {
        let bins = histogram(pixels);
        let pixels: f32 = bins.iter().map(|b| b.count).sum();
        let mut groups = if bins.is_empty() { Vec::new() } else { vec![Group::new(bins)] };
        while groups.len() < MOST {
            let errors = groups.iter().enumerate().map(|(i, g)| (i, g.urgency()));
            let Some((worst, error)) = errors.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            if error <= 0.0 {
                break;
            }
            match groups.swap_remove(worst).split() {
                Ok(halves) => groups.extend(halves),
                Err(whole) => {
                    groups.push(Group { error: [0.0; 3], ..whole });
                }
            }
        }
        let error: f32 = groups.iter().map(Group::total_error).sum();
        let spread = (error / (pixels.max(1.0) * WEIGHTS.iter().sum::<f32>())).sqrt();
        let colors = groups.iter().map(|g| g.mean.map(|v| (v + 0.5) as u8)).collect();
        // A uniform error of ±d has the deviation d / √3.
        Self { colors, dither: (1.7 * spread).min(MOST_DITHER) }
    }

    /// Red, green, blue of each entry.
    pub fn bytes(&self) -> Vec<u8> {
        self.colors.as_flattened().to_vec()
    }

    /// Something that finds the entries of pixels.
    pub fn mapper(&self) -> Mapper<'_> {
        Mapper { palette: self, nearest: vec![EMPTY; CELLS] }
    }

    fn nearest(&self, color: [u8; 3]) -> u8 {
        let distance = |entry: &[u8; 3]| -> f32 {
            (0..3).map(|k| WEIGHTS[k] * (f32::from(entry[k]) - f32::from(color[k])).powi(2)).sum()
        };
        let all = self.colors.iter().map(distance).enumerate();
        all.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i as u8)
    }
}

fn histogram(pixels: impl Iterator<Item = [u8; 3]>) -> Vec<Bin> {
    let mut pixels: Vec<[u8; 3]> = pixels.collect();
    pixels.sort_unstable();
    let bin = |same: &[[u8; 3]]| Bin { color: same[0].map(f32::from), count: same.len() as f32 };
    pixels.chunk_by(|a, b| a == b).map(bin).collect()
}

/// Finds palette entries, and remembers them.
pub(super) struct Mapper<'p> {
    palette: &'p Palette,
    /// The entry for each cell, once it was asked for.
    nearest: Vec<u8>,
}

impl Mapper<'_> {
    /// The entry for a pixel. Dithering depends on the place only, so that it stands still.
    pub fn index(&mut self, color: [u8; 3], [x, y]: [u32; 2]) -> u8 {
        let shift = self.palette.dither * threshold(x, y);
        let color = color.map(|v| (f32::from(v) + shift + 0.5).clamp(0.0, 255.0) as u8);
        let slot = &mut self.nearest[cell(color)];
        if *slot == EMPTY {
            // The same for the whole cell, so that the answer does not depend on who asked first.
            *slot = self.palette.nearest(color.map(|v| v & !1));
        }
        *slot
    }
}

/// Bayer's 4 × 4 matrix, from −1 to 1: neighbours differ as much as possible.
fn threshold(x: u32, y: u32) -> f32 {
    const MATRIX: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    f32::from(MATRIX[y as usize & 3][x as usize & 3]) / 7.5 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_exactly() {
        let colors = [[10, 20, 30], [200, 100, 0], [255, 255, 255], [0, 0, 0]];
        let palette = Palette::new(colors.iter().copied().cycle().take(100));
        let mut map = palette.mapper();
        for color in colors {
            assert_eq!(palette.colors[usize::from(map.index(color, [3, 1]))], color);
        }
    }

    #[test]
    fn a_gradient_is_met_within_a_few_steps_and_nothing_is_fine() {
        let gradient = || (0..=255u8).flat_map(|i| [[i, 0, 0], [i, i, 0], [40, i, 255 - i]]);
        let palette = Palette::new(gradient());
        assert_eq!(palette.colors.len(), MOST);
        let mut map = palette.mapper();
        for (i, color) in gradient().enumerate() {
            let entry = palette.colors[usize::from(map.index(color, [i as u32, 0]))];
            for k in 0..3 {
                assert!(entry[k].abs_diff(color[k]) <= 10, "{color:?} became {entry:?}");
            }
        }
        assert_eq!(Palette::new(std::iter::empty()).bytes().len(), 0);
    }
}
