//! How far a correction of all constraints at once may go.
//!
//! Input: constraints. Output: a factor on what their errors ask for, one by one. It depends on the longest row of edges only.

use std::collections::VecDeque;

use super::distance::Distance;
use crate::math::csr::Csr;

/// How many times the work of its errors, each corrected by itself, a correction may be: four times (twice as far) what a row of
/// edges as long as the cloth takes that is held at one end. More than that only the solution of a nearly singular system
/// asks for, and it throws particles: 0.3 m in a substep of 0.26 ms, which is 1,300 m/s.
///
/// With D the diagonal of A, the work of a correction is p·A p = e·A⁻¹ e = Σ m Δx², and that of constraints by themselves e·D⁻¹ e. A of
/// n edges between equal masses is tridiagonal (2, −1), and if one end is held, its smallest eigenvalue in parts of D is
/// 1 − cos(π/2n): the quotient of the works is at most the inverse of that, about 8 n²/π². It is largest where every edge is too long,
/// and the end has to come up by n times that.
pub(super) fn reach(vertices: usize, distances: &[Distance]) -> f64 {
    let n = f64::from(longest_way(vertices, distances));
    4.0 / (1.0 - (std::f64::consts::FRAC_PI_2 / n).cos())
}

/// Edges on the longest of all shortest ways; up to half of them may be missing, on meshes rarely more than a few.
fn longest_way(vertices: usize, distances: &[Distance]) -> u32 {
    let ends = distances.iter().flat_map(|&Distance { vertices: [a, b], .. }| [(a, b), (b, a)]);
    let neighbours = Csr::from_pairs(vertices, ends);
    let mut is_reached = vec![false; vertices];
    let mut longest = 1;
    for first in 0..vertices as u32 {
        if !is_reached[first as usize] {
            // What is farthest from anywhere lies at an end.
            let (end, _) = farthest(&neighbours, first, &mut is_reached);
            longest = longest.max(farthest(&neighbours, end, &mut vec![false; vertices]).1);
        }
    }
    longest
}

/// The particle farthest from another, and how many edges away it is.
fn farthest(neighbours: &Csr<u32>, from: u32, is_reached: &mut [bool]) -> (u32, u32) {
    let mut way = VecDeque::from([(from, 0)]);
    let mut last = (from, 0);
    is_reached[from as usize] = true;
    while let Some((vertex, edges)) = way.pop_front() {
        last = (vertex, edges);
        for &next in neighbours.row(vertex as usize) {
            if !std::mem::replace(&mut is_reached[next as usize], true) {
                way.push_back((next, edges + 1));
            }
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row, then a row apart that is half as long.
    #[test]
    fn the_longest_way_is_that_of_the_longest_piece() {
        let pair = |a, b| Distance { vertices: [a, b], rest: 1.0 };
        let distances = [pair(2, 3), pair(1, 2), pair(0, 1), pair(3, 4), pair(5, 6), pair(6, 7)];
        assert_eq!(longest_way(8, &distances), 4);
    }

    /// All edges of a row that is held at one end are too long by as much: the work of the correction that puts them right is
    /// within reach, and more than a tenth of it.
    #[test]
    fn a_row_is_within_reach() {
        let n = 30;
        let row: Vec<Distance> = (0..n).map(|a| Distance { vertices: [a, a + 1], rest: 1.0 }).collect();
        // The k-th particle has to come up by k; one edge by itself asks for 1/2 at two masses of 1.
        let work: f64 = (1..=n).map(|k| f64::from(k * k)).sum();
        let alone = 0.5 * f64::from(n);
        let reach = reach(n as usize + 1, &row);
        assert!((0.1..1.0).contains(&(work / alone / reach)), "{work} {alone} {reach}");
    }
}
