//! Particles that inextensible cloth leaves no choice: those on a straight row of edges between two static particles.
//!
//! Input: a cloth. Output: for each such particle, between which static ones it lies, and where.
//!
//! The top row of cloth hanging at its upper corners is as long as the corners are apart. Without strain it is a
//! straight line for ever, and its particles are as static as the corners. Its constraints are redundant to first
//! order (§3.4.2 calls the system overdetermined): no impulse along the row holds it up, so both methods would approach
//! the line more slowly the nearer they come: measured on 10 × 10 particles, 0.1 % takes 30,000 passes, 0.01 % more
//! than 100,000. So these particles are put where they belong, as long as the static ones are that far apart.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::distance::Particle;
use crate::cloth::Cloth;
use crate::mesh::quads;

/// Relative slack below which a row counts as straight. Sums of rest lengths are that exact.
const SLACK: f64 = 1e-6;

/// Cloth with more static particles than this is held by hems, not by corners, and is not looked at.
const MOST_PINS: usize = 64;

/// A particle on a straight row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Taut {
    vertex: u32,
    /// The static particles at the ends.
    ends: [u32; 2],
    /// Where between them, from 0 to 1.
    fraction: f64,
    /// Length of the row at rest, metres.
    length: f64,
}

/// Finds the particles of straight rows.
pub(crate) fn taut(cloth: &Cloth) -> Vec<Taut> {
    let pins: Vec<u32> = cloth.pins.iter().map(|pin| pin.vertex).collect();
    let mut found: Vec<Taut> = Vec::new();
    if pins.len() < 2 || pins.len() > MOST_PINS {
        return found;
    }
    let from: Vec<Vec<f64>> = pins.iter().map(|&pin| path_lengths(cloth, pin)).collect();
    let mut taken = cloth.fixed();
    for (i, &a) in pins.iter().enumerate() {
        for (j, &b) in pins.iter().enumerate().skip(i + 1) {
            let apart = cloth.rest[a as usize].distance(cloth.rest[b as usize]);
            for vertex in 0..cloth.vertex_count() {
                let length = from[i][vertex] + from[j][vertex];
                if !taken[vertex] && length <= apart * (1.0 + SLACK) {
                    taken[vertex] = true;
                    let fraction = from[i][vertex] / length;
                    found.push(Taut { vertex: vertex as u32, ends: [a, b], fraction, length });
                }
            }
        }
    }
    found
}

impl Taut {
    /// Whether the row is straight when its ends are at the `preview` of two particles.
    pub fn is_straight(&self, particles: &[Particle]) -> bool {
        let [a, b] = self.ends.map(|end| particles[end as usize].preview.truncate());
        a.distance(b) >= self.length * (1.0 - SLACK)
    }

    /// Takes position (or velocity) from the ends, and makes the particle static for this step.
    pub fn hold(&self, particles: &mut [Particle]) {
        let [a, b] = self.ends.map(|end| particles[end as usize].preview.truncate());
        particles[self.vertex as usize].preview = a.lerp(b, self.fraction).extend(0.0);
    }
}

/// Lengths of the shortest paths along constraints (Dijkstra).
fn path_lengths(cloth: &Cloth, from: u32) -> Vec<f64> {
    let diagonals = quads::Diagonals::new(&cloth.topology, &cloth.mesh.quads);
    let mut lengths = vec![f64::INFINITY; cloth.vertex_count()];
    lengths[from as usize] = 0.0;
    // Positive numbers are in the order of their bits.
    let mut queue = BinaryHeap::from([Reverse((0u64, from))]);
    while let Some(Reverse((bits, vertex))) = queue.pop() {
        let length = f64::from_bits(bits);
        if length > lengths[vertex as usize] {
            continue;
        }
        let edges = cloth.topology.vertex_edges.row(vertex as usize);
        for &edge in edges.iter().filter(|&&edge| !diagonals.is_diagonal[edge as usize]) {
            let [a, b] = cloth.topology.edges[edge as usize];
            let next = if a == vertex { b } else { a };
            let through = length + cloth.rest[a as usize].distance(cloth.rest[b as usize]);
            if through < lengths[next as usize] {
                lengths[next as usize] = through;
                queue.push(Reverse((through.to_bits(), next)));
            }
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    #[test]
    fn the_row_between_two_corners_is_found_and_nothing_else() {
        let mesh = generate::grid(5, 4, 1.0, 1.0).unwrap();
        for (pins, count) in [(&[0u32, 5][..], 4), (&[0, 29], 0), (&[0], 0), (&[0, 5, 24], 4 + 3)] {
            let mut builder = Cloth::builder(mesh.clone());
            for &pin in pins {
                builder = builder.pin(pin);
            }
            let cloth = builder.build().unwrap();
            let found = taut(&cloth);
            assert_eq!(found.len(), count, "{pins:?}");
            for particle in found {
                let [a, b] = particle.ends.map(|end| cloth.rest[end as usize]);
                assert!(a.lerp(b, particle.fraction).distance(cloth.rest[particle.vertex as usize]) < 1e-7);
            }
        }
    }
}
