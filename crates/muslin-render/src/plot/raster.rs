//! Plots as pixels: lines and dots by their distance from a pixel's middle, text by the strokes of [`font`].
//!
//! Everything that is one piece (a line, a text) first gathers its coverage, the most of its parts where they
//! overlap, and is then laid over the sheet: blended part by part, joints would be darker than the rest.

use super::font;
use super::surface::{Anchor, Stroke, Surface};
use crate::{Color, Picture};

/// Pixels of the picture per pixel of the plot, so that small text is sharp.
const SCALE: f64 = 2.0;

/// Height of a unit of the font, and the width of its strokes, in pixels of the plot.
const UNIT: f64 = 1.4;
const PEN: f64 = 1.0;

/// A dash and the gap after it.
const DASH: [f64; 2] = [6.0, 4.0];

/// A sheet of pixels.
pub(super) struct Raster {
    picture: Picture,
    /// How much of each pixel is covered by the piece being drawn; 0 elsewhere.
    coverage: Vec<f32>,
    /// Pixels that the piece has touched.
    touched: Vec<usize>,
}

impl Raster {
    /// A white sheet.
    pub fn new(size: [f64; 2]) -> Self {
        let [width, height] = size.map(|side| (side * SCALE) as u32);
        let count = width as usize * height as usize;
        let picture = Picture { width, height, pixels: vec![[255; 3]; count] };
        Self { picture, coverage: vec![0.0; count], touched: Vec::new() }
    }

    /// The finished picture.
    pub fn finish(self) -> Picture {
        self.picture
    }

    /// Covers what is within `radius` of the straight line from a to b.
    fn cover(&mut self, a: [f64; 2], b: [f64; 2], radius: f64) {
        let ([ax, ay], [bx, by]) = (a.map(|v| v * SCALE), b.map(|v| v * SCALE));
        let radius = radius * SCALE;
        let reach = |low: f64, high: f64, side: u32| {
            ((low - radius - 1.0).max(0.0) as u32, ((high + radius + 1.0).max(0.0) as u32 + 1).min(side))
        };
        let (left, right) = reach(ax.min(bx), ax.max(bx), self.picture.width);
        let (top, bottom) = reach(ay.min(by), ay.max(by), self.picture.height);
        let (dx, dy) = (bx - ax, by - ay);
        let length_sq = (dx * dx + dy * dy).max(1e-12);
        for y in top..bottom {
            for x in left..right {
                let (px, py) = (f64::from(x) + 0.5 - ax, f64::from(y) + 0.5 - ay);
                let along = ((px * dx + py * dy) / length_sq).clamp(0.0, 1.0);
                let distance = (px - along * dx).hypot(py - along * dy);
                let share = (radius + 0.5 - distance).clamp(0.0, 1.0) as f32;
                let pixel = y as usize * self.picture.width as usize + x as usize;
                if share > self.coverage[pixel] {
                    self.coverage[pixel] = share;
                    self.touched.push(pixel);
                }
            }
        }
    }

    /// Lays what was covered over the sheet.
    fn lay(&mut self, colour: &str) {
        let Color(ink) = Color::from_hex(colour).unwrap_or(Color([0; 3]));
        for pixel in self.touched.drain(..) {
            // A pixel that was touched twice is laid once: its coverage is taken away.
            let share = std::mem::take(&mut self.coverage[pixel]);
            let paper = &mut self.picture.pixels[pixel];
            for (paper, ink) in paper.iter_mut().zip(ink) {
                *paper = (f32::from(*paper) + share * (f32::from(ink) - f32::from(*paper))).round() as u8;
            }
        }
    }
}

impl Surface for Raster {
    fn line(&mut self, points: &[[f64; 2]], stroke: &Stroke) {
        let radius = 0.5 * stroke.width;
        if let [only] = points {
            self.cover(*only, *only, radius);
        }
        // How far along the present dash or gap the line is.
        let (mut done, mut gap) = (0.0, false);
        for pair in points.windows(2) {
            let ([ax, ay], [bx, by]) = (pair[0], pair[1]);
            let length = (bx - ax).hypot(by - ay);
            let at = |way: f64| [ax + (bx - ax) * way / length, ay + (by - ay) * way / length];
            let mut way = 0.0;
            while stroke.dashed && length - way > DASH[usize::from(gap)] - done {
                let next = way + DASH[usize::from(gap)] - done;
                if !gap {
                    self.cover(at(way), at(next), radius);
                }
                (way, done, gap) = (next, 0.0, !gap);
            }
            if !gap && length > 0.0 {
                self.cover(at(way), pair[1], radius);
            }
            done += length - way;
        }
        self.lay(stroke.colour);
    }

    fn dot(&mut self, at: [f64; 2], radius: f64, colour: &str) {
        self.cover(at, at, radius);
        self.lay(colour);
    }

    fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, text: &str) {
        let width = font::width(text);
        let start = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle | Anchor::MiddleUpwards => -0.5 * width,
            Anchor::End => -width,
        };
        let place = |[along, up]: [f64; 2]| {
            let (along, up) = (UNIT * (start + along), UNIT * up);
            match anchor {
                Anchor::MiddleUpwards => [x - up, y - along],
                _ => [x + along, y - up],
            }
        };
        font::strokes(text, |a, b| self.cover(place(a), place(b), 0.5 * PEN));
        self.lay("#000000");
    }
}
