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
/// Bit 25: a held particle of the finest level is near and pulls, see [`Level::anchors`].
pub(crate) const ANCHORED: u32 = 1 << 25;

/// Columns (and rows) of the window of parents.
const WINDOW: usize = 4;
/// The window's first column (and row) relative to half the place.
const WINDOW_START: isize = -1;

/// A level of the grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    /// Columns and rows.
    pub size: [usize; 2],
    /// Texels of the finest level from one particle to the next.
    pub stride: usize,
    /// Per texel, row by row.
    pub codes: Vec<u32>,
    /// Per texel the held particle of the finest level that is near, and how far it may be; meaningful where
    /// [`ANCHORED`] says so. Empty if none is.
    pub anchors: Vec<Anchor>,
}

/// A held particle near a coarse one. Pins that are no coarse particles themselves would not exist for coarse levels,
/// and everything that these hold up would be left to the finest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub(crate) struct Anchor {
    /// A texel of the finest level.
    pub texel: u32,
    /// Metres in the chart.
    pub distance: f32,
}

impl Level {
    /// The texel of the finest level at which a particle of this one sits.
    pub fn finest_texel(&self, index: usize, finest_columns: usize) -> usize {
        let (column, row) = (index % self.size[0], index / self.size[0]);
        row * self.stride * finest_columns + column * self.stride
    }

    /// How many particles there are.
    pub fn particles(&self) -> usize {
        self.codes.iter().filter(|&&code| code & COVERED != 0).count()
    }

    fn neighbour(&self, index: usize, k: usize) -> usize {
        let [columns, rows] = NEIGHBOURS[k];
        index.wrapping_add_signed(rows * self.size[0] as isize + columns)
    }

    /// The links alone, as [`Lattice::links`].
    pub fn links(&self) -> Vec<u8> {
        self.codes.iter().map(|&code| (code & LINKS) as u8).collect()
    }
}

/// Builds at most `count` levels, finest first; stops where the next would have fewer than `least` particles along
/// the longer side. `held` are texels of the finest level.
pub(crate) fn levels(lattice: &Lattice, count: usize, least: usize, held: &[u32]) -> Vec<Level> {
    let code = |(&links, &coverage): (&u8, &f32)| {
        if coverage > 0.0 { u32::from(links) | COVERED } else { 0 }
    };
    let codes = lattice.links.iter().zip(&lattice.coverage).map(code).collect();
    let mut all = vec![Level { size: lattice.size, stride: 1, codes, anchors: Vec::new() }];
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
    let (finest, coarser) = all.split_at_mut(1);
    coarser.iter_mut().for_each(|level| anchor(level, &finest[0], lattice.spacing, held));
    all
}

/// Every second particle; two are linked if the straight way between them is.
fn halved(finer: &Level) -> Level {
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
    Level { size, stride: 2 * finer.stride, codes, anchors: Vec::new() }
}

/// Per texel of `finer` the mask of its parents: itself, the two or four around it that it is linked with, and for
/// one without such at a jagged outline the nearest that can be reached over links.
fn parents(finer: &Level, coarser: &Level) -> Vec<u32> {
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
fn ring(level: &Level, from: &[usize]) -> Vec<usize> {
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
fn window_bit(finer: &Level, coarser: &Level, place: [usize; 2], other: usize) -> Option<u32> {
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

/// Lets held particles pull on the particles of a level that are less than a spacing of the level away.
fn anchor(level: &mut Level, finest: &Level, spacing: f64, held: &[u32]) {
    let (stride, finest_columns) = (level.stride as isize, finest.size[0]);
    let mut anchors = vec![Anchor { texel: u32::MAX, distance: f32::INFINITY }; level.codes.len()];
    for &texel in held {
        let place = [texel as usize % finest_columns, texel as usize / finest_columns].map(|n| n as isize);
        let lowest = place.map(|n| n.div_euclid(stride));
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let [column, row] = [lowest[0] + dx, lowest[1] + dy].map(|n| n as usize);
            if column >= level.size[0] || row >= level.size[1] {
                continue;
            }
            let index = row * level.size[0] + column;
            let apart = [column as isize * stride - place[0], row as isize * stride - place[1]];
            let distance = spacing * f64::hypot(apart[0] as f64, apart[1] as f64);
            let nearer = (distance as f32, texel) < (anchors[index].distance, anchors[index].texel);
            if level.codes[index] & COVERED != 0 && nearer && reaches(finest, texel as usize, apart) {
                anchors[index] = Anchor { texel, distance: distance as f32 };
            }
        }
    }
    let mut any = false;
    for (code, anchor) in level.codes.iter_mut().zip(&mut anchors) {
        if anchor.distance.is_finite() && anchor.distance > 0.0 {
            *code |= ANCHORED;
            any = true;
        } else {
            *anchor = Anchor::default();
        }
    }
    if any {
        level.anchors = anchors;
    }
}

/// Whether links lead from a texel to the one that is so many columns and rows away, first along a diagonal, then
/// straight.
fn reaches(level: &Level, mut from: usize, mut apart: [isize; 2]) -> bool {
    while apart != [0, 0] {
        let step = apart.map(isize::signum);
        let k = NEIGHBOURS.iter().position(|&neighbour| neighbour == step).expect("eight neighbours are all");
        if level.codes[from] >> k & 1 == 0 {
            return false;
        }
        from = level.neighbour(from, k);
        apart = [apart[0] - step[0], apart[1] - step[1]];
    }
    true
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
