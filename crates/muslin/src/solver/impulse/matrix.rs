//! The matrix A of \[Bender2009\] §3.4.2: which constraints depend on each other, and how strongly.
//!
//! Input: constraints, then their directions. Output: the lower triangle of A, column by column.

use glam::DVec3;

use super::distance::Distance;
use crate::math::csr::Csr;

/// What an element of A below the diagonal is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Coupling {
    /// The common particle.
    vertex: u32,
    /// 1 if it is the same end of both constraints, −1 if not.
    sign: f64,
}

/// The lower triangle in compressed columns; the first element of each column is the diagonal's.
pub(crate) struct Matrix {
    /// Where columns start, and the end of the last.
    pub starts: Vec<usize>,
    /// The row of each element.
    pub rows: Vec<usize>,
    /// The elements.
    pub values: Vec<f64>,
    couplings: Vec<Coupling>,
    ends: Vec<[u32; 2]>,
}

impl Matrix {
    /// Lays the pattern out. Particles that are `fixed` for ever couple nothing.
    pub fn new(distances: &[Distance], fixed: &[bool]) -> Self {
        let ends: Vec<[u32; 2]> = distances.iter().map(|distance| distance.vertices).collect();
        let incidences = ends.iter().enumerate().flat_map(|(i, &[a, b])| [(a, i as u32), (b, i as u32)]);
        let at = Csr::from_pairs(fixed.len(), incidences);
        let (mut starts, mut rows, mut couplings) = (vec![0], Vec::new(), Vec::new());
        for (j, pair) in ends.iter().enumerate() {
            // The diagonal needs no coupling; a place is kept so that the arrays run side by side.
            let mut column = vec![(j, Coupling { vertex: pair[0], sign: 0.0 })];
            for &vertex in pair.iter().filter(|&&vertex| !fixed[vertex as usize]) {
                for &i in at.row(vertex as usize).iter().filter(|&&i| i as usize > j) {
                    let same = (ends[i as usize][0] == vertex) == (pair[0] == vertex);
                    column.push((i as usize, Coupling { vertex, sign: if same { 1.0 } else { -1.0 } }));
                }
            }
            column.sort_by_key(|&(row, _)| row);
            for (row, coupling) in column {
                rows.push(row);
                couplings.push(coupling);
            }
            starts.push(rows.len());
        }
        Self { values: vec![0.0; rows.len()], starts, rows, couplings, ends }
    }

    /// Computes the elements; `share` of the diagonal is added to it.
    pub fn fill(&mut self, directions: &[DVec3], inverse_mass: impl Fn(usize) -> f64, share: f64) {
        for (j, &[a, b]) in self.ends.iter().enumerate() {
            let (first, end) = (self.starts[j], self.starts[j + 1]);
            let mobility = inverse_mass(a as usize) + inverse_mass(b as usize);
            // Two particles that are held for a while: no impulse, whatever the error.
            self.values[first] = if mobility > 0.0 { mobility * (1.0 + share) } else { 1.0 };
            for k in first + 1..end {
                let Coupling { vertex, sign } = self.couplings[k];
                let cosine = directions[self.rows[k]].dot(directions[j]);
                self.values[k] = sign * inverse_mass(vertex as usize) * cosine;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_those_of_the_case_rules() {
        // A chain of three edges, the last one turned round, and an edge apart from them.
        let pair = |a, b| Distance { vertices: [a, b], rest: 1.0 };
        let distances = [pair(0, 1), pair(1, 2), pair(3, 2), pair(4, 5)];
        let mut matrix = Matrix::new(&distances, &[true, false, false, false, false, false]);
        assert_eq!(matrix.starts, [0, 2, 4, 5, 6]);
        assert_eq!(matrix.rows, [0, 1, 1, 2, 2, 3]);
        let directions = [DVec3::X, DVec3::Y, DVec3::new(0.6, 0.8, 0.0), DVec3::Z];
        let inverse = [0.0, 2.0, 3.0, 5.0, 7.0, 11.0];
        matrix.fill(&directions, |v| inverse[v], 0.0);
        assert_eq!(matrix.values, [2.0, -0.0, 5.0, 3.0 * 0.8, 8.0, 18.0]);
        matrix.fill(&[DVec3::X; 4], |v| inverse[v], 0.5);
        assert_eq!(matrix.values, [3.0, -2.0, 7.5, 3.0, 12.0, 27.0]);
    }
}
