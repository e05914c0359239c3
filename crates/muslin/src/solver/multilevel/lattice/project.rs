//! Stencils: values of the cloth between texels ([Schmitt2013] §4.2, extrapolation as in errata 1).
//!
//! A point reads the four texels around it. Where these are not all covered, or lie on the other bank of a cut, the
//! nearest 2×2 texels that do are taken and the value is extrapolated from them.

use glam::{DVec2, Vec3, Vec4};

use super::clip::Square;
use super::walk::Walk;
use super::{Lattice, LatticeError, Stencil};
use crate::solver::multilevel::charts::{Charts, NONE};

/// How far texels may lie from where they should, in steps.
const REACH: isize = 3;

/// Places count as connected with texels if they hang together in the box around them, grown by this many steps: a
/// point on an outline is on the border of that box.
const AROUND: f64 = 1e-3;

impl Stencil {
    /// Weights of the four texels, columns first: (0, 0), (1, 0), (0, 1), (1, 1).
    pub fn weights(&self) -> [f32; 4] {
        let [x, y] = self.fractions;
        [(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y]
    }

    /// The value between the texels of a grid of so many columns.
    pub fn read(&self, columns: usize, values: &[Vec4]) -> Vec4 {
        let [x, y] = self.fractions;
        let at = self.texel as usize;
        let low = values[at] + x * (values[at + 1] - values[at]);
        let high = values[at + columns] + x * (values[at + columns + 1] - values[at + columns]);
        low + y * (high - low)
    }

    /// The place that a cloth whose particles are at `points` has there: what is read, and what is above it.
    fn place(&self, columns: usize, points: &[Vec4]) -> Vec4 {
        let read = self.read(columns, points);
        if self.lift == 0.0 {
            return read;
        }
        let at = self.texel as usize;
        let [a, b, c, d] = [at, at + 1, at + columns, at + columns + 1].map(|texel| points[texel].truncate());
        read + (self.lift * (d - a).cross(c - b).normalize_or_zero()).extend(0.0)
    }
}

/// Stencils in rows: each place is the mean of its row, which has one stencil per side of a seam.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stencils {
    pub offsets: Vec<u32>,
    pub all: Vec<Stencil>,
}

impl Stencils {
    /// No rows yet.
    pub fn new() -> Self {
        Self { offsets: vec![0], all: Vec::new() }
    }

    /// Ends a row with the stencils added since the last.
    pub fn end_row(&mut self) {
        self.offsets.push(self.all.len() as u32);
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The stencils of a row.
    pub fn row(&self, row: usize) -> &[Stencil] {
        &self.all[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// The value of a row: the mean of its stencils; zero for an empty one.
    pub fn read(&self, row: usize, columns: usize, values: &[Vec4]) -> Vec4 {
        let stencils = self.row(row);
        let sum = stencils.iter().fold(Vec4::ZERO, |sum, stencil| sum + stencil.read(columns, values));
        sum / stencils.len().max(1) as f32
    }

    /// The place of a row, for particles at `points`.
    pub fn place(&self, row: usize, columns: usize, points: &[Vec4]) -> Vec3 {
        let stencils = self.row(row);
        let sum = stencils.iter().fold(Vec4::ZERO, |sum, stencil| sum + stencil.place(columns, points));
        (sum / stencils.len().max(1) as f32).truncate()
    }
}

/// A grid to read from: the lattice itself, or every 2^level-th texel of it.
#[derive(Clone, Copy)]
pub(crate) struct Grid<'a> {
    /// 0 for the lattice itself.
    pub level: u32,
    /// Columns and rows of this grid.
    pub size: [usize; 2],
    /// As [`Lattice::links`], of this grid.
    pub links: &'a [u8],
    /// How far texels may lie from where they should, in steps of this grid.
    pub reach: isize,
}

impl<'a> Grid<'a> {
    /// The lattice itself.
    pub fn finest(lattice: &'a Lattice) -> Self {
        Self { level: 0, size: lattice.size, links: &lattice.links, reach: REACH }
    }

    /// Whether four texels are covered and all belong together.
    fn is_whole(&self, column: usize, row: usize) -> bool {
        let columns = self.size[0];
        if column + 1 >= columns || row + 1 >= self.size[1] {
            return false;
        }
        let at = row * columns + column;
        // Bits of the neighbours right, above, and along both diagonals: see `NEIGHBOURS`.
        let [low_left, low_right, high_left] = [self.links[at], self.links[at + 1], self.links[at + columns]];
        low_left & 0b1_0011 == 0b1_0011 && low_right & 0b10_0010 == 0b10_0010 && high_left & 1 == 1
    }
}

/// The stencil for a point of a triangle (in the chart), from the nearest texels that are whole and hang together with
/// the triangle; `None` if there are none in reach.
pub(crate) fn find_stencil(
    walk: &mut Walk,
    lattice: &Lattice,
    grid: Grid,
    triangle: u32,
    point: DVec2,
) -> Option<Stencil> {
    let step = (1u32 << grid.level) as f64;
    let fine = lattice.coordinates(walk.charts.patch_of[triangle as usize], point);
    let here = fine / step;
    let base = here.floor();
    let mut at = |[right, up]: [isize; 2]| {
        let column = usize::try_from(base.x as isize + right).ok()?;
        let row = usize::try_from(base.y as isize + up).ok()?;
        let usable =
            grid.is_whole(column, row) && belongs(walk, lattice, grid.level, [column, row], triangle, fine);
        // Errata 1: f = r − o for every offset.
        let fractions = [(here.x - column as f64) as f32, (here.y - row as f64) as f32];
        usable.then_some(Stencil { texel: (row * grid.size[0] + column) as u32, fractions, lift: 0.0 })
    };
    // Nearly all points need no offset and are spared the sorting.
    at([0, 0]).or_else(|| offsets_by_distance(here - base, grid.reach).into_iter().find_map(at))
}

/// Whether a point's triangle hangs together with the 2×2 texels at (column, row) of a level.
fn belongs(
    walk: &mut Walk,
    lattice: &Lattice,
    level: u32,
    [column, row]: [usize; 2],
    triangle: u32,
    point: DVec2,
) -> bool {
    // The corner of the four that is nearest to the point; the four hang together among themselves.
    let near = |first: usize, at: f64| {
        let (low, high) = (first << level, (first + 1) << level);
        if (at - low as f64).abs() <= (at - high as f64).abs() { low } else { high }
    };
    let (column, row) = (near(column, point.x), near(row, point.y));
    let texel = (row * lattice.size[0] + column) as u32;
    let owner = lattice.triangle_of(texel);
    if owner == NONE {
        return false;
    }
    let place = Square { low: point, high: point };
    let inside = Square::cell(lattice.centre(texel)).around(place).grown(AROUND);
    walk.connected(lattice, triangle, owner, inside)
}

/// The offsets up to `reach` but zero, the smallest first; of those as small the ones nearest to the point, which leave
/// less to extrapolate.
fn offsets_by_distance(fraction: DVec2, reach: isize) -> Vec<[isize; 2]> {
    let all = (-reach..=reach).flat_map(|up| (-reach..=reach).map(move |right| [right, up]));
    let mut offsets: Vec<[isize; 2]> = all.filter(|&offset| offset != [0, 0]).collect();
    let size = |&[right, up]: &[isize; 2]| right * right + up * up;
    let away =
        |&[right, up]: &[isize; 2]| (fraction - 0.5 - DVec2::new(right as f64, up as f64)).length_squared();
    offsets.sort_by(|a, b| size(a).cmp(&size(b)).then(away(a).total_cmp(&away(b))).then(a.cmp(b)));
    offsets
}

/// A row of stencils for each of `vertices` mesh vertices: one per place that it has in the charts. A vertex without
/// triangles has none.
pub(crate) fn vertex_stencils(
    charts: &Charts,
    lattice: &Lattice,
    vertices: usize,
) -> Result<Stencils, LatticeError> {
    let mut walk = Walk::new(charts);
    let mut stencils = Stencils::new();
    let corners = charts.place_corners();
    let mut place = 0;
    for vertex in 0..vertices as u32 {
        while charts.place_vertex.get(place) == Some(&vertex) {
            let (triangle, k) = corners[place];
            let point = charts.uvs[triangle as usize][k];
            stencils.all.push(lattice.stencil(&mut walk, triangle, point)?);
            place += 1;
        }
        stencils.end_row();
    }
    Ok(stencils)
}

impl Lattice {
    /// The stencil for a point of a triangle (in the chart) on this lattice.
    pub fn stencil(&self, walk: &mut Walk, triangle: u32, point: DVec2) -> Result<Stencil, LatticeError> {
        let patch = walk.charts.patch_of[triangle as usize];
        find_stencil(walk, self, Grid::finest(self), triangle, point).ok_or(LatticeError::TooCoarse {
            spacing: self.spacing,
            patch,
            triangle,
        })
    }
}
