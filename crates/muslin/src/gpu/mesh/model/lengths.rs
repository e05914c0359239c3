//! Constraints on the length of a weighted sum of points ([`length`](crate::solver::constraint::length)), as the GPU
//! holds them: stretched edges, bent triangles, sticks.
//!
//! Input: lists of constraints, inverse masses. Output: [`Lengths`]. With C = |d| − L, d = Σ c_i x_i and n = d/|d|, a
//! projection moves x_i by −k' C s_i n, s_i = c_i w_i/Σ w_j c_j². Inverse masses do not change on the GPU, so the s_i
//! are computed once. Constraints are either gathered per vertex (Jacobi: in the sum, vertices have only the part of
//! their mass that falls to one constraint), or sorted into colours within which no two share a vertex
//! (Gauss-Seidel: a dispatch per colour).

use bytemuck::{Pod, Zeroable};

use super::sliced::Sliced;
use crate::bending::constraints::BendingList;
use crate::bending::triangle::{SCALE, TriangleBend};
use crate::math::csr::Csr;
use crate::solver::constraint::ConstraintList;

/// `Length` of length.wgsl: one constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(in crate::gpu::mesh) struct Length {
    pub vertices: [u32; 4],
    /// c_i.
    pub coefficients: [f32; 4],
    /// s_i.
    pub shares: [f32; 4],
    /// L, metres.
    pub rest: f32,
    /// k'.
    pub fraction: f32,
    /// How much L grows with κ.
    pub per_kappa: f32,
    /// 1: only what is too short is corrected.
    pub one_sided: u32,
}

/// Some of all constraints.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::gpu::mesh) struct LengthSet {
    pub first: u32,
    pub count: u32,
    /// Where the colours start, relative to `first`, and the end; empty if constraints are gathered.
    pub colours: Vec<u32>,
}

/// All constraints of a cloth.
#[derive(Default)]
pub(in crate::gpu::mesh) struct Lengths {
    pub all: Vec<Length>,
    pub bends: LengthSet,
    pub stretch: LengthSet,
    /// Per vertex: its bends and which of their vertices it is. Only where they are gathered.
    pub rows: Sliced<[u32; 2]>,
    /// κ, metres, as the material has it.
    pub kappa: f32,
}

/// Constraints before masses are known.
struct Unweighted {
    vertices: Vec<[u32; 4]>,
    coefficients: [f32; 4],
    rest: Vec<f32>,
    fractions: Vec<f32>,
    /// What bends have in common; stretch and sticks have nothing of it.
    bend: Option<TriangleBend>,
}

impl Unweighted {
    fn new<const N: usize, const K: usize>(list: ConstraintList<N, K>, coefficients: [f32; N]) -> Self {
        let four = |vertices: &[u32; N]| std::array::from_fn(|i| vertices[i.min(N - 1)]);
        Self {
            vertices: list.vertices.iter().map(four).collect(),
            coefficients: std::array::from_fn(|i| coefficients.get(i).copied().unwrap_or(0.0)),
            rest: list.rest.iter().map(|rest| rest[0]).collect(),
            fractions: list.fractions,
            bend: None,
        }
    }

    /// The places of its points that move.
    fn corners(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let coefficients = self.coefficients;
        (0..4).filter(move |&i| coefficients[i] != 0.0)
    }

    /// Σ w_i c_i², or what takes its place.
    fn mobility(&self, w: [f32; 4]) -> f32 {
        let parts: [f32; 4] = std::array::from_fn(|i| w[i] * self.coefficients[i] * self.coefficients[i]);
        let (base, tip) = (parts[0] + parts[1], parts[2] + parts[3]);
        self.bend.map_or(base + tip, |bend| bend.mobility(base, tip))
    }
}

impl Lengths {
    /// Adds bending, gathered in the order of `order` or coloured; `places` say where vertices stand and
    /// `inverse_masses` are relative.
    pub fn add_bending(
        &mut self,
        list: BendingList,
        inverse_masses: &[f32],
        places: &[u32],
        gather: Option<&[u32]>,
    ) {
        let unweighted = match list {
            BendingList::Rings(kind, list) => {
                Unweighted { bend: Some(kind), ..Unweighted::new(list, [-1.0, -1.0, 2.0]) }
            }
            BendingList::Edges(kind, list) => {
                Unweighted { bend: Some(kind), ..Unweighted::new(list, [-1.0, -1.0, 1.0, 1.0]) }
            }
            BendingList::Sticks(list) => Unweighted::new(list, [-1.0, 1.0]),
            BendingList::SignedRings(..) | BendingList::Dihedral(..) => {
                unreachable!("support.rs refuses them")
            }
        };
        self.kappa = unweighted.bend.map_or(0.0, |bend| bend.kappa);
        self.bends = self.add(&unweighted, inverse_masses, places, gather.is_some());
        let Some(order) = gather else { return };
        let corners = unweighted.corners();
        let slots = unweighted.vertices.iter().enumerate().flat_map(|(number, vertices)| {
            corners.clone().map(move |i| (vertices[i], [number as u32, i as u32]))
        });
        let rows = Csr::from_pairs(inverse_masses.len(), slots);
        let filler = [super::NONE, 0];
        self.rows.push_rows(&rows, order, filler, |[number, i]| [self.bends.first + number, i]);
    }

    /// Adds stretch, coloured.
    pub fn add_stretch(&mut self, list: ConstraintList<2, 1>, inverse_masses: &[f32], places: &[u32]) {
        self.stretch = self.add(&Unweighted::new(list, [-1.0, 1.0]), inverse_masses, places, false);
    }

    fn add(
        &mut self,
        list: &Unweighted,
        inverse_masses: &[f32],
        places: &[u32],
        gathered: bool,
    ) -> LengthSet {
        let mut counts = vec![1.0; inverse_masses.len()];
        if gathered {
            counts.fill(0.0);
            let moved = list.vertices.iter().flat_map(|vertices| list.corners().map(|i| vertices[i]));
            moved.for_each(|v| counts[v as usize] += 1.0);
        }
        let record = |number: usize| {
            let vertices = list.vertices[number];
            let w = vertices.map(|v| inverse_masses[v as usize]);
            let shared = std::array::from_fn(|i| w[i] * counts[vertices[i] as usize]);
            let mobility = list.mobility(shared).max(1e-20);
            Length {
                vertices: vertices.map(|v| places[v as usize]),
                coefficients: list.coefficients,
                shares: std::array::from_fn(|i| w[i] * list.coefficients[i] / mobility),
                rest: list.rest[number],
                fraction: list.fractions[number],
                per_kappa: if list.bend.is_some() { SCALE } else { 0.0 },
                one_sided: u32::from(list.bend.is_some_and(|bend| bend.inequality)),
            }
        };
        let first = self.all.len() as u32;
        let count = list.vertices.len() as u32;
        if gathered {
            self.all.extend((0..list.vertices.len()).map(record));
            return LengthSet { first, count, colours: Vec::new() };
        }
        let (order, colours) = by_colour(&list.vertices, inverse_masses.len());
        self.all.extend(order.iter().map(|&number| record(number as usize)));
        LengthSet { first, count, colours }
    }
}

/// An order of constraints in which colours stand together, and where they start. Greedy: each takes the first
/// colour that none of its vertices has yet.
fn by_colour(constraints: &[[u32; 4]], vertices: usize) -> (Vec<u32>, Vec<u32>) {
    let mut taken: Vec<Vec<u64>> = vec![Vec::new(); vertices];
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for (number, corners) in constraints.iter().enumerate() {
        let is_taken = |v: u32, colour: usize| {
            taken[v as usize].get(colour / 64).is_some_and(|bits| bits >> (colour % 64) & 1 == 1)
        };
        let colour = (0..).find(|&colour| corners.iter().all(|&v| !is_taken(v, colour))).unwrap_or(0);
        for &v in corners {
            let bits = &mut taken[v as usize];
            bits.resize(bits.len().max(colour / 64 + 1), 0);
            bits[colour / 64] |= 1 << (colour % 64);
        }
        groups.resize(groups.len().max(colour + 1), Vec::new());
        groups[colour].push(number as u32);
    }
    let mut starts = vec![0];
    starts.extend(groups.iter().scan(0, |end, group| {
        *end += group.len() as u32;
        Some(*end)
    }));
    (groups.concat(), starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_constraints_of_a_colour_share_a_vertex_and_none_is_lost() {
        let n = 40u32;
        let pair = |a: u32, b: u32| [a, b, b, b];
        let ring = (0..n).map(|v| pair(v, (v + 1) % n));
        let chords = (0..n).map(|v| [v, (v + 7) % n, (v + 13) % n, (v + 13) % n]);
        let constraints: Vec<[u32; 4]> = ring.chain(chords).collect();
        let (order, starts) = by_colour(&constraints, n as usize);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..constraints.len() as u32));
        assert_eq!(starts.last(), Some(&(constraints.len() as u32)));
        for colour in starts.windows(2) {
            let mut seen = std::collections::BTreeSet::new();
            for &number in &order[colour[0] as usize..colour[1] as usize] {
                let corners: std::collections::BTreeSet<u32> = constraints[number as usize].into();
                assert!(corners.iter().all(|v| seen.insert(*v)), "{starts:?}");
            }
        }
    }
}
