//! The connected pieces of a cloth as the kernels of damping see them.

use crate::cloth::Cloth;
use crate::damping::Pieces;

/// Members of a stretch at the most: four for each thread that adds them up. There are few members, and many threads.
const STRETCH: usize = 256;

/// One array: numbers of stretches and of pieces; per vertex its piece; vertices by piece; per stretch its first
/// member, its end, and the vertex whose place and velocity others are relative to; per piece its first stretch, and
/// where the last ends.
#[derive(Default)]
pub(in crate::gpu::mesh) struct PieceTable {
    pub words: Vec<u32>,
    pub stretches: u32,
    pub pieces: u32,
}

impl PieceTable {
    /// For a cloth whose vertices stand in `places`. Others are relative to a pin where there is one: pins weigh so much
    /// that single precision has to see them near zero.
    pub fn new(cloth: &Cloth, places: &[u32]) -> Self {
        let pieces = Pieces::new(&cloth.topology);
        let mut pins = vec![None; cloth.vertex_count()];
        for (vertex, _) in cloth.fixed().iter().enumerate().filter(|(_, fixed)| **fixed) {
            pins[pieces.piece[vertex] as usize].get_or_insert(vertex as u32);
        }
        let place = |vertex: u32| places[vertex as usize];
        let mut own = vec![0; places.len()];
        for (&piece, &place) in pieces.piece.iter().zip(places) {
            own[place as usize] = piece;
        }
        let (mut stretches, mut firsts) = (Vec::new(), Vec::new());
        for (piece, range, origin) in pieces.stretches() {
            if firsts.len() == piece {
                firsts.push(stretches.len() as u32);
            }
            for first in range.clone().step_by(STRETCH) {
                let end = range.end.min(first + STRETCH);
                stretches.push([first as u32, end as u32, place(pins[piece].unwrap_or(origin))]);
            }
        }
        let counts = [stretches.len() as u32, firsts.len() as u32];
        firsts.push(counts[0]);
        let members = pieces.members.iter().map(|&vertex| place(vertex));
        let words = counts.into_iter().chain(own).chain(members);
        let words = words.chain(stretches.into_iter().flatten()).chain(firsts).collect();
        Self { words, stretches: counts[0], pieces: counts[1] }
    }
}
