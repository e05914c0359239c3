//! The connected pieces of a mesh, to be summed over.
//!
//! Input: a topology. Output: vertices by piece, in stretches of a fixed size. Whoever sums over the vertices of a stretch in
//! their order, and then over stretches in theirs, gets the same bits for any number of threads.

use std::ops::Range;

use super::Topology;

/// Vertices that are summed in one go.
const STRETCH: usize = 1024;

/// Vertices by piece.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    /// Piece of each vertex.
    pub piece: Vec<u32>,
    /// How many pieces there are.
    pub count: usize,
    /// Vertices of the pieces that were asked for, piece by piece.
    pub members: Vec<u32>,
    /// Piece and range of `members` of each stretch, by piece.
    pub stretches: Vec<(usize, Range<usize>)>,
}

impl Pieces {
    /// The pieces of a mesh without a vertex that is `left_out`.
    pub fn without(topology: &Topology, left_out: impl Fn(usize) -> bool) -> Self {
        let (piece, count) = topology.components();
        let mut wanted = vec![true; count];
        for (v, &piece) in piece.iter().enumerate() {
            wanted[piece as usize] &= !left_out(v);
        }
        let mut members: Vec<u32> =
            (0..piece.len() as u32).filter(|&v| wanted[piece[v as usize] as usize]).collect();
        members.sort_by_key(|&v| piece[v as usize]);
        let (mut stretches, mut start) = (Vec::new(), 0);
        for own in members.chunk_by(|&a, &b| piece[a as usize] == piece[b as usize]) {
            let (number, end) = (piece[own[0] as usize] as usize, start + own.len());
            let starts = (start..end).step_by(STRETCH);
            stretches.extend(starts.map(|first| (number, first..end.min(first + STRETCH))));
            start = end;
        }
        Self { piece, count, members, stretches }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_divided_into_stretches_and_what_is_left_out_takes_its_piece_along() {
        let square = crate::mesh::generate::grid(40, 40, 1.0, 1.0).unwrap();
        let count = square.positions.len();
        let beside = square.triangles.iter().map(|t| t.map(|v| v + count as u32));
        let both: Vec<[u32; 3]> = square.triangles.iter().copied().chain(beside).collect();
        let topology = Topology::new(2 * count, &both);
        let all = Pieces::without(&topology, |_| false);
        assert_eq!((all.count, all.members.len()), (2, 2 * count));
        let ranges = [(0, 0..1024), (0, 1024..count), (1, count..count + 1024), (1, count + 1024..2 * count)];
        assert_eq!(all.stretches, ranges);
        let second = Pieces::without(&topology, |v| v == 7);
        assert!(second.members.iter().all(|&v| second.piece[v as usize] == 1));
        assert_eq!(second.stretches, [(1, 0..1024), (1, 1024..count)]);
    }
}
