//! Splits long edges, because light from the sky is computed per vertex.
//!
//! Whether an edge is split depends on the edge alone, so that neighbours stay joined.

use std::collections::HashMap;

use glam::Vec3;

use super::surface::{Surface, Triangle};

/// Edges longer than this share of the scene's radius are split.
const LONGEST: f32 = 0.05;
/// Enough for one triangle as large as the scene.
const MOST_PASSES: usize = 7;
/// No more triangles than this are made of one mesh.
const MOST_TRIANGLES: usize = 300_000;

/// Splits the long edges of the triangles from `start` on. A curved surface is bent at the new
/// vertices as its normals say, a faceted one is not.
pub(super) fn refine(surface: &mut Surface, start: usize, radius: f32, curved: bool) {
    for _ in 0..MOST_PASSES {
        let mut splitter = Splitter { surface, middles: HashMap::new(), longest: LONGEST * radius, curved };
        let old: Vec<Triangle> = splitter.surface.triangles.split_off(start);
        let mut new = Vec::with_capacity(old.len());
        for triangle in &old {
            splitter.split(triangle, &mut new);
        }
        let done = new.len() == old.len() || new.len() > MOST_TRIANGLES;
        surface.triangles.append(&mut new);
        if done {
            return;
        }
    }
}

struct Splitter<'s> {
    surface: &'s mut Surface,
    middles: HashMap<(u32, u32), u32>,
    longest: f32,
    curved: bool,
}

impl Splitter<'_> {
    /// The triangle, or what it is split into.
    fn split(&mut self, triangle: &Triangle, parts: &mut Vec<Triangle>) {
        let [a, b, c] = triangle.vertices;
        let middles = [(a, b), (b, c), (c, a)].map(|(v, w)| self.middle(v, w));
        let count = middles.iter().flatten().count();
        // Corners and middles by number: 0 1 2, and 3 4 5 on the edges after them.
        let rotated = |k: usize| [k % 3, (k + 1) % 3, (k + 2) % 3];
        let pieces: Vec<[usize; 3]> = match count {
            0 => vec![[0, 1, 2]],
            1 => {
                let k = middles.iter().position(Option::is_some).unwrap_or(0);
                let [p, q, r] = rotated(k);
                vec![[p, 3 + p, r], [3 + p, q, r]]
            }
            2 => {
                // The corner between the two split edges is cut off.
                let k = middles.iter().position(Option::is_none).unwrap_or(0);
                let [p, q, r] = rotated(k);
                vec![[3 + q, r, 3 + r], [p, q, 3 + q], [p, 3 + q, 3 + r]]
            }
            _ => vec![[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]],
        };
        let [x, y, z] = triangle.coordinates;
        let coordinates = [x, y, z, 0.5 * (x + y), 0.5 * (y + z), 0.5 * (z + x)];
        let vertex = |i: usize| if i < 3 { triangle.vertices[i] } else { middles[i - 3].unwrap_or(a) };
        parts.extend(pieces.iter().map(|piece| Triangle {
            vertices: piece.map(vertex),
            mesh: triangle.mesh,
            coordinates: piece.map(|i| coordinates[i]),
        }));
    }

    /// The vertex in the middle of an edge, if the edge is long.
    fn middle(&mut self, v: u32, w: u32) -> Option<u32> {
        // The same order for both triangles, so that both compute the same bits.
        let (v, w) = (v.min(w), v.max(w));
        let [a, b] = [v, w].map(|i| self.surface.positions[i as usize]);
        if a.distance_squared(b) <= self.longest * self.longest {
            return None;
        }
        if let Some(&known) = self.middles.get(&(v, w)) {
            return Some(known);
        }
        let [n, m] = [v, w].map(|i| self.surface.normals[i as usize]);
        let bend = if self.curved { curve(b - a, n, m) } else { Vec3::ZERO };
        let number = self.surface.positions.len() as u32;
        self.surface.positions.push(0.5 * (a + b) + bend);
        self.surface.normals.push((n + m).try_normalize().unwrap_or(n));
        self.middles.insert((v, w), number);
        Some(number)
    }
}

/// How far the middle of a cubic curve lies from the middle of its chord, if the curve is at right
/// angles to the normals at its ends: an eighth of the difference of its end tangents, which are
/// the chord less its part along the normal.
fn curve(chord: Vec3, start: Vec3, end: Vec3) -> Vec3 {
    0.125 * (chord.dot(end) * end - chord.dot(start) * start)
}
