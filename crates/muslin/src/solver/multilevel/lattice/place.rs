//! The atlas: a box of texels for each patch, packed side by side.

use glam::{DVec2, dvec2};

use super::LatticeError;
use super::cover::ENTERED;
use crate::solver::multilevel::charts::Charts;

/// Empty texels between patches: stencils and neighbours of one never reach another.
const GAP: usize = 4;

/// Patches begin at multiples of this: the corner of a rectangle, where pins often are, is then a particle of the coarse
/// levels too.
const ALIGNMENT: usize = 32;

/// The largest number of texels.
const MOST_TEXELS: usize = 16_000_000;

/// Where the patches lie.
pub(super) struct Atlas {
    pub size: [usize; 2],
    pub origins: Vec<DVec2>,
}

/// Packs the patches' boxes on shelves, tallest first. Each box begins with a texel centre at the patch's lowest
/// corner, so a rectangle whose sides are multiples of the spacing has particles on its whole outline.
pub(super) fn pack(charts: &Charts, spacing: f64) -> Result<Atlas, LatticeError> {
    if !spacing.is_finite() || spacing <= 0.0 {
        return Err(LatticeError::Spacing(spacing));
    }
    let mut low = vec![DVec2::INFINITY; charts.patch_count];
    let mut high = vec![DVec2::NEG_INFINITY; charts.patch_count];
    for (corners, &patch) in charts.uvs.iter().zip(&charts.patch_of) {
        for &uv in corners {
            low[patch as usize] = low[patch as usize].min(uv);
            high[patch as usize] = high[patch as usize].max(uv);
        }
    }
    // The last cell that the patch enters; one more for its number.
    let steps = |patch: usize| ((high[patch] - low[patch]) / spacing - (0.5 + ENTERED)).ceil() + 1.0;
    let sizes: Vec<DVec2> = (0..charts.patch_count).map(|patch| steps(patch).max(DVec2::ONE)).collect();
    let too_large = |s: DVec2| LatticeError::TooLarge { spacing, columns: s.x, rows: s.y, most: MOST_TEXELS };
    if let Some(&size) = sizes.iter().find(|size| size.x * size.y > MOST_TEXELS as f64) {
        return Err(too_large(size));
    }
    let sizes: Vec<[usize; 2]> = sizes.iter().map(|size| [size.x as usize, size.y as usize]).collect();
    let (size, starts) = shelves(&sizes);
    if size[0].saturating_mul(size[1]) > MOST_TEXELS {
        return Err(too_large(dvec2(size[0] as f64, size[1] as f64)));
    }
    let origin =
        |(patch, start): (usize, &[usize; 2])| low[patch] - spacing * dvec2(start[0] as f64, start[1] as f64);
    Ok(Atlas { size, origins: starts.iter().enumerate().map(origin).collect() })
}

/// The size of the atlas and the first column and row of each box.
fn shelves(sizes: &[[usize; 2]]) -> ([usize; 2], Vec<[usize; 2]>) {
    let boxed = |size: usize| (size + GAP).next_multiple_of(ALIGNMENT);
    let area: usize = sizes.iter().map(|size| boxed(size[0]) * boxed(size[1])).sum();
    let widest = sizes.iter().map(|size| size[0]).max().unwrap_or(0);
    // About as wide as high.
    let width = widest.max((area as f64).sqrt().ceil() as usize);
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&patch| (std::cmp::Reverse(sizes[patch][1]), patch));
    let mut starts = vec![[0; 2]; sizes.len()];
    let (mut column, mut row, mut next_row, mut used) = (0, 0, 0, [0; 2]);
    for patch in order {
        let [columns, rows] = sizes[patch];
        if column > 0 && column + columns > width {
            (column, row) = (0, next_row);
        }
        starts[patch] = [column, row];
        used = [used[0].max(column + columns), used[1].max(row + rows)];
        next_row = next_row.max((row + rows + GAP).next_multiple_of(ALIGNMENT));
        column = (column + columns + GAP).next_multiple_of(ALIGNMENT);
    }
    (used, starts)
}
