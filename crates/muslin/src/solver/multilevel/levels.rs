//! The levels of the grid: every second texel of the next finer one ([Schmitt2013] §5.3).
//!
//! A coarse particle is one of the finest level's, so going down is copying; differences go up exactly at those and as
//! the mean of neighbours between (errata 2). What a particle must know of its surroundings is one number, its code,
//! so that the same lines serve the CPU and the GPU.

use super::lattice::{Lattice, NEIGHBOURS};

/// Bits 0…7 of a code: linked neighbours, in the order of [`NEIGHBOURS`].
pub(crate) const LINKS: u32 = 0xff;
/// Bits 8…23: the particles of the next coarser level that differences come from, in a window of 4×4 around half the
/// place, the first of them one column and one row before it.
pub(crate) const PARENTS_SHIFT: u32 = 8;
/// Bit 24: there is a particle.
pub(crate) const COVERED: u32 = 1 << 24;

/// Columns (and rows) of the window of parents.
const WINDOW: usize = 4;
/// The window's first column (and row) relative to half the place.
const WINDOW_START: isize = -1;

/// A level of the grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct GridLevel {
    /// Columns and rows.
    pub size: [usize; 2],
    /// Texels of the finest level from one particle to the next.
    pub stride: usize,
    /// Per texel, row by row.
    pub codes: Vec<u32>,
    /// Per texel how much less of the finest level a particle stands for than one inside: its inverse mass relative to that
    /// of a particle inside, 0 where there is none. Outlines are halves and quarters of it, and where a level does not reach
    /// its last row up to 1 1/2 along each axis.
    pub lightness: Vec<f32>,
    /// Per texel the distance at rest, metres, of the neighbours right, above, above right and above left; empty if all are as
    /// far as the spacing says.
    pub lengths: Vec<[f32; 4]>,
    /// Per texel (finest level) how much threads are bent at rest: |x₋ − 2x + x₊| along weft and warp, metres; empty if not.
    pub bends: Vec<[f32; 2]>,
}

impl GridLevel {
    /// The texel of the finest level at which a particle of this one sits.
    pub fn finest_texel(&self, index: usize, finest_columns: usize) -> usize {
        let (column, row) = (index % self.size[0], index / self.size[0]);
        row * self.stride * finest_columns + column * self.stride
    }

    /// How many particles there are.
    pub fn particles(&self) -> usize {
        self.codes.iter().filter(|&&code| code & COVERED != 0).count()
    }

    pub fn neighbour(&self, index: usize, k: usize) -> usize {
        let [columns, rows] = NEIGHBOURS[k];
        index.wrapping_add_signed(rows * self.size[0] as isize + columns)
    }

    /// The distance at rest of a particle and its `k`-th neighbour, which is at `other`; `None` if it is the spacing's.
    pub fn length(&self, index: usize, k: usize, other: usize) -> Option<f32> {
        const SLOTS: [usize; 8] = [0, 1, 0, 1, 2, 3, 2, 3];
        let is_stored = matches!(k, 0 | 1 | 4 | 5);
        self.lengths.get(if is_stored { index } else { other }).map(|lengths| lengths[SLOTS[k]])
    }

    /// The links alone, as [`Lattice::links`].
    pub fn links(&self) -> Vec<u8> {
        self.codes.iter().map(|&code| (code & LINKS) as u8).collect()
    }
}

/// Builds at most `count` levels, finest first; stops where the next would have fewer than `least` particles along
/// the longer side.
pub(crate) fn levels(lattice: &Lattice, count: usize, least: usize) -> Vec<GridLevel> {
    let code = |(&links, &coverage): (&u8, &f32)| {
        if coverage > 0.0 { u32::from(links) | COVERED } else { 0 }
    };
    let codes = lattice.links.iter().zip(&lattice.coverage).map(code).collect();
    let mut all = vec![GridLevel { size: lattice.size, stride: 1, codes, ..GridLevel::default() }];
    while all.len() < count {
        let finer = &all[all.len() - 1];
        if finer.size[0].max(finer.size[1]).div_ceil(2) < least {
            break;
        }
        let coarser = halved(finer);
        if coarser.particles() < 2 {
            break;
        }
        let parents = parents(finer, &coarser);
        let last = all.len() - 1;
        all[last].codes.iter_mut().zip(&parents).for_each(|(code, &mask)| *code |= mask << PARENTS_SHIFT);
        all.push(coarser);
    }
    weigh(&mut all);
    all
}

/// Says how much of the finest level each particle stands for: as much of it as moves with it. Otherwise a level that
/// moves two particles by the same way, one inside and one at an outline, would push the cloth: a free sheet whose sides
/// are not k 2ⁿ + 1 crept off a ball towards the first texel, by half a metre in 2 s. To the last digit: what
/// twelfths leave over drives the cloth (with charts for rest shapes, stiff cloth gained up to 0.18 m/s in a step).
fn weigh(levels: &mut [GridLevel]) {
    let mut masses: Vec<f64> = levels[0].codes.iter().map(|code| f64::from(code & COVERED != 0)).collect();
    for number in 0..levels.len() {
        let level = &mut levels[number];
        let inside = (level.stride * level.stride) as f64;
        level.lightness =
            masses.iter().map(|&mass| if mass > 0.0 { inside / mass } else { 0.0 } as f32).collect();
        let Some([level, coarser]) = levels.get(number..number + 2) else { continue };
        let mut coarser_masses = vec![0.0; coarser.codes.len()];
        for (index, &mass) in masses.iter().enumerate() {
            let place = [index % level.size[0], index / level.size[0]];
            let parents = || parents_of(level.codes[index], place, coarser.size[0]);
            let share = mass / parents().count() as f64;
            parents().for_each(|parent| coarser_masses[parent] += share);
        }
        masses = coarser_masses;
    }
}

/// Every second particle; two are linked if the straight way between them is.
fn halved(finer: &GridLevel) -> GridLevel {
    let size = finer.size.map(|n| n.div_ceil(2));
    let mut codes = vec![0; size[0] * size[1]];
    for (index, code) in codes.iter_mut().enumerate() {
        let fine = 2 * (index / size[0]) * finer.size[0] + 2 * (index % size[0]);
        let own = finer.codes[fine];
        if own & COVERED == 0 {
            continue;
        }
        *code = COVERED;
        for k in 0..8 {
            if own >> k & 1 == 1 && finer.codes[finer.neighbour(fine, k)] >> k & 1 == 1 {
                *code |= 1 << k;
            }
        }
    }
    GridLevel { size, stride: 2 * finer.stride, codes, ..GridLevel::default() }
}

/// Per texel of `finer` the mask of its parents: itself, the two or four around it that it is linked with, and for
/// one without such at a jagged outline the nearest that can be reached over links.
fn parents(finer: &GridLevel, coarser: &GridLevel) -> Vec<u32> {
    let mask_of = |index: usize| {
        if finer.codes[index] & COVERED == 0 {
            return 0;
        }
        let place = [index % finer.size[0], index / finer.size[0]];
        let mut reached = vec![index];
        // Three steps along links reach everything in the window.
        for _ in 0..4 {
            let mask = reached.iter().filter_map(|&other| window_bit(finer, coarser, place, other));
            let mask = mask.fold(0, |mask, bit| mask | bit);
            if mask != 0 {
                return mask;
            }
            reached = ring(finer, &reached);
        }
        0
    };
    (0..finer.codes.len()).map(mask_of).collect()
}

/// What is linked with one of these, and these. Along threads first: the four parents of a particle in the middle of
/// a cell are as near over diagonals as the two of one on a thread are over threads.
fn ring(level: &GridLevel, from: &[usize]) -> Vec<usize> {
    let mut reached: Vec<usize> = from.to_vec();
    for &index in from {
        reached
            .extend((0..8).filter(|k| level.codes[index] >> k & 1 == 1).map(|k| level.neighbour(index, k)));
    }
    reached.sort_unstable();
    reached.dedup();
    reached
}

/// The bit of a fine texel in the window around `place`, if it is a particle of the coarser level.
fn window_bit(finer: &GridLevel, coarser: &GridLevel, place: [usize; 2], other: usize) -> Option<u32> {
    let there = [other % finer.size[0], other / finer.size[0]];
    if there.iter().any(|n| !n.is_multiple_of(2)) {
        return None;
    }
    if coarser.codes[there[1] / 2 * coarser.size[0] + there[0] / 2] & COVERED == 0 {
        return None;
    }
    let offset = |axis: usize| {
        let offset = (there[axis] / 2) as isize - (place[axis] / 2) as isize - WINDOW_START;
        usize::try_from(offset).ok().filter(|&offset| offset < WINDOW)
    };
    Some(1 << (offset(1)? * WINDOW + offset(0)?))
}

/// The particles of the coarser level that a particle's difference comes from.
pub(crate) fn parents_of(
    code: u32,
    place: [usize; 2],
    coarser_columns: usize,
) -> impl Iterator<Item = usize> {
    let mask = code >> PARENTS_SHIFT & 0xffff;
    let first = place.map(|n| (n / 2).wrapping_add_signed(WINDOW_START));
    (0..WINDOW * WINDOW).filter(move |bit| mask >> bit & 1 == 1).map(move |bit| {
        let column = first[0].wrapping_add(bit % WINDOW);
        let row = first[1].wrapping_add(bit / WINDOW);
        row * coarser_columns + column
    })
}
