//! Bands of rows: which triangle each sample sees, and the pixels from that.

use glam::{Vec2, Vec3};

use super::clip::clip;
use super::scan::{Corner, Window, scan};
use super::shade::Shader;
use super::surface::Surface;
use super::view::View;
use crate::color::encode;

/// Rows of pixels in a band: few enough that its samples stay in the cache.
pub(super) const ROWS: usize = 8;

/// The triangle of samples that see none.
pub(super) const NOTHING: u32 = u32::MAX;
/// Samples of a pixel at the most.
const MOST: usize = 16;

/// A place in the picture and the triangle seen there.
#[derive(Clone, Copy, Default)]
pub(super) struct Sample {
    pub triangle: u32,
    pub place: Vec2,
}

/// A triangle, or a part of one, in the picture.
struct Piece {
    corners: [Corner; 3],
    triangle: u32,
}

/// The pieces that may be seen in each band.
pub(super) struct Bands<'v> {
    view: &'v View,
    pieces: Vec<Piece>,
    of_band: Vec<Vec<u32>>,
}

impl<'v> Bands<'v> {
    pub fn new(surface: &Surface, view: &'v View) -> Self {
        let projected: Vec<Vec3> = surface.positions.iter().map(|&p| view.project(p)).collect();
        let mut bands = Self { view, pieces: Vec::new(), of_band: Vec::new() };
        bands.of_band.resize_with(view.size[1].div_ceil(ROWS), Vec::new);
        for (number, triangle) in surface.triangles.iter().enumerate() {
            let corners = triangle.vertices.map(|v| projected[v as usize]);
            for part in clip(corners, view.near).triangles() {
                let corners = part.map(|p| {
                    let place = view.place(p);
                    // The inverse distance is what varies linearly over the picture.
                    Corner { x: place.x, y: place.y, depth: 1.0 / p.z }
                });
                bands.add(Piece { corners, triangle: number as u32 });
            }
        }
        bands
    }

    fn add(&mut self, piece: Piece) {
        let rows = self.view.sample_size()[1] as f32;
        let (low, high) =
            piece.corners.iter().fold((f32::MAX, f32::MIN), |(l, h), c| (l.min(c.y), h.max(c.y)));
        if !(high >= 0.0 && low <= rows) {
            return;
        }
        let height = (ROWS * self.view.samples) as f32;
        let last = self.of_band.len() - 1;
        let [from, to] = [low, high].map(|y| ((y.clamp(0.0, rows) / height) as usize).min(last));
        for band in &mut self.of_band[from..=to] {
            band.push(self.pieces.len() as u32);
        }
        self.pieces.push(piece);
    }

    /// Draws a band.
    pub fn draw(&self, band: usize, shader: &Shader, pixels: &mut [[u8; 3]]) {
        let n = self.view.samples;
        let columns = self.view.sample_size()[0];
        let top = band * ROWS * n;
        let seen = self.seen(band, top, pixels.len() * n * n);
        for (i, pixel) in pixels.iter_mut().enumerate() {
            let (x, y) = (i % self.view.size[0] * n, i / self.view.size[0] * n);
            let mut samples = [Sample::default(); MOST];
            for (k, sample) in samples[..n * n].iter_mut().enumerate() {
                let (sx, sy) = (x + k % n, y + k / n);
                let place = Vec2::new(sx as f32 + 0.5, (top + sy) as f32 + 0.5);
                *sample = Sample { triangle: seen[sy * columns + sx], place };
            }
            *pixel = encode(blend(shader, &samples[..n * n]));
        }
    }

    /// The triangle that each sample of a band sees: the nearest, and of equals the first.
    fn seen(&self, band: usize, top: usize, samples: usize) -> Vec<u32> {
        let columns = self.view.sample_size()[0];
        let mut nearest = vec![0.0f32; samples];
        let mut seen = vec![NOTHING; samples];
        let rows = [top as i64, (top + samples / columns) as i64];
        let window = Window { low: [0, rows[0]], high: [columns as i64, rows[1]] };
        for &number in &self.of_band[band] {
            let piece = &self.pieces[number as usize];
            scan(piece.corners, &window, |x, y, depth| {
                let at = (y - top) * columns + x;
                if depth > nearest[at] {
                    nearest[at] = depth;
                    seen[at] = piece.triangle;
                }
            });
        }
        seen
    }
}

/// The mean over the samples of a pixel, with one shading for all samples that see nearly the same.
fn blend(shader: &Shader, samples: &[Sample]) -> Vec3 {
    let mut sum = Vec3::ZERO;
    let mut done = [false; MOST];
    // The middle first: it stands best for what is around it.
    let middle = samples.len() / 2;
    for i in std::iter::once(middle).chain(0..samples.len()) {
        if done[i] {
            continue;
        }
        let (mut group, mut count) = ([Sample::default(); MOST], 0);
        for k in 0..samples.len() {
            if !done[k] && shader.alike(samples[i].triangle, samples[k].triangle) {
                done[k] = true;
                group[count] = samples[k];
                count += 1;
            }
        }
        let color = match samples[i].triangle {
            NOTHING => shader.behind(group[..count].iter().map(|s| s.place).sum::<Vec2>() / count as f32),
            triangle => shader.triangle(triangle, &group[..count]),
        };
        sum += count as f32 * color;
    }
    sum / samples.len() as f32
}
