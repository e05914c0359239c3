//! Which texels the mesh covers, by which triangle, with which weights ([Schmitt2013] §4.1).
//!
//! Texels whose centre lies in a triangle are found triangle by triangle. Where outlines, seams or cuts run through a
//! cell (the rim), the triangles are cut by the cell as well: a cell that the mesh enters without reaching its centre
//! is covered too, by the nearest of the triangles in it, whose weights then extrapolate. The paper's geometry shader
//! enlarges triangles instead; the result is the same and this needs no case by case offsets.

use std::ops::RangeInclusive;

use glam::{DVec2, DVec3};

use super::clip::Square;
use super::walk::Walk;
use super::{Lattice, LatticeError, Sample};
use crate::math::csr::Csr;
use crate::math::proximity::closest_in_triangle;
use crate::solver::multilevel::charts::{Charts, NONE};

/// A centre this far outside a triangle (in steps) counts as inside: without it rounding could leave a centre on a
/// common side to neither.
const INSIDE: f64 = 1e-9;

/// Two triangles that both hold a centre by this much lie over each other.
const OVERLAP: f64 = 1e-6;

/// A mesh enters a cell if it covers more than this share of it. Less is rounding of an outline along the cell's
/// border: single precision puts a metre off by 1e-4 steps of half a millimetre.
pub(super) const ENTERED: f64 = 1e-4;

/// A triangle with less of a cell than this only touches it, in a corner or along a side, and connects nothing in it.
const TOUCHED: f64 = 1e-9;

/// The least coverage of a covered texel: no particle without mass.
const LEAST_COVERAGE: f64 = 0.05;

/// Extrapolating weights beyond this are not taken if a triangle within [`RINGS`] neighbours has smaller ones: a
/// sliver turns rounding and waves across it into nonsense some texels away.
const MOST_WEIGHT: f64 = 4.0;
const RINGS: usize = 3;

/// The outcome.
pub(super) struct Cover {
    /// Per texel the triangle it belongs to, or [`NONE`].
    pub owner: Vec<u32>,
    /// Per texel its number among the rim's, or [`NONE`].
    pub rim: Vec<u32>,
    pub coverage: Vec<f32>,
    /// Per rim cell the triangles in it.
    touching: Csr,
}

impl Cover {
    pub fn new(charts: &Charts, lattice: &Lattice) -> Result<Self, LatticeError> {
        let texels = lattice.size[0] * lattice.size[1];
        let (rim, rim_cells) = rim(charts, lattice);
        let mut owner = vec![NONE; texels];
        let mut parts: Vec<(u32, u32)> = Vec::new();
        let mut areas = vec![0.0; rim_cells.len()];
        for t in 0..charts.uvs.len() as u32 {
            let corners = lattice.corners(charts, t);
            for (row, columns) in rows(&corners, lattice.size) {
                for column in columns {
                    let texel = row * lattice.size[0] + column;
                    let centre = lattice.centre(texel as u32);
                    let depth = depth(&corners, centre);
                    if depth >= -INSIDE {
                        if owner[texel] == NONE {
                            owner[texel] = t;
                        } else {
                            check_overlap(charts, lattice, depth, owner[texel], t, centre)?;
                        }
                    }
                    if rim[texel] != NONE {
                        let area = Square::cell(centre).area_inside(corners);
                        if area > TOUCHED {
                            areas[rim[texel] as usize] += area;
                            parts.push((rim[texel], t));
                        }
                    }
                }
            }
        }
        let coverage = owner.iter().map(|&t| if t == NONE { 0.0 } else { 1.0 }).collect();
        let touching = Csr::from_pairs(rim_cells.len(), parts.into_iter());
        let mut cover = Self { owner, rim, coverage, touching };
        for (number, (&texel, &area)) in rim_cells.iter().zip(&areas).enumerate() {
            cover.finish_rim(charts, lattice, number, texel, area);
        }
        Ok(cover)
    }

    /// Gives a rim cell its coverage (of both banks where a cut runs through it: the other has no particle here) and, if its centre is not covered but the mesh enters it, its owner.
    fn finish_rim(&mut self, charts: &Charts, lattice: &Lattice, number: usize, texel: u32, area: f64) {
        let owner = &mut self.owner[texel as usize];
        if *owner == NONE && area > ENTERED {
            let distance = |&t: &u32| (distance_sq(charts, lattice, t, lattice.centre(texel)), t);
            let nearest = self.touching.row(number).iter().map(distance);
            *owner = nearest.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(NONE, |(_, t)| t);
        }
        let covered = if *owner == NONE { 0.0 } else { area.clamp(LEAST_COVERAGE, 1.0) };
        self.coverage[texel as usize] = covered as f32;
    }

    /// The covered texels with their weights.
    pub fn samples(&self, charts: &Charts, lattice: &Lattice, triangles: &[[u32; 3]]) -> Vec<Sample> {
        let mut walk = Walk::new(charts);
        let covered = self.owner.iter().enumerate().filter(|&(_, &owner)| owner != NONE);
        let sample = |(texel, &triangle): (usize, &u32)| {
            let point = chart_point(charts, lattice, triangle, texel as u32);
            let mut weights = charts.barycentric(triangle, point);
            let mut source = triangle;
            if largest(weights) > MOST_WEIGHT {
                source = stoutest(&mut walk, lattice, triangle, point);
                weights = charts.barycentric(source, point);
            }
            let [wb, wc] = [weights[1] as f32, weights[2] as f32];
            // They sum up to 1 in single precision too: a shift of the cloth shifts its samples.
            let weights = [1.0 - wb - wc, wb, wc];
            Sample { texel: texel as u32, triangle, vertices: triangles[source as usize], weights }
        };
        covered.map(sample).collect()
    }
}

/// Among the triangles around one the nearest to a point whose weights are bounded; if none is, the one with the smallest.
/// Neighbours only: the other bank of a cut is near too.
fn stoutest(walk: &mut Walk, lattice: &Lattice, triangle: u32, point: DVec2) -> u32 {
    let charts = walk.charts;
    let place = lattice.coordinates(charts.patch_of[triangle as usize], point);
    let rank = |&t: &u32| {
        let weight = largest(charts.barycentric(t, point));
        if weight <= MOST_WEIGHT { (false, distance_sq(charts, lattice, t, place)) } else { (true, weight) }
    };
    let ranked = walk.rings(&[triangle], RINGS).iter().map(|t| (rank(t), *t));
    ranked.min_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))).map_or(triangle, |(_, t)| t)
}

fn largest(weights: [f64; 3]) -> f64 {
    weights.iter().fold(0.0, |most, w| w.abs().max(most))
}

/// A texel's centre in the chart of a triangle's patch.
fn chart_point(charts: &Charts, lattice: &Lattice, triangle: u32, texel: u32) -> DVec2 {
    lattice.origins[charts.patch_of[triangle as usize] as usize] + lattice.spacing * lattice.centre(texel)
}

/// The squared distance between a triangle and a point, in steps.
fn distance_sq(charts: &Charts, lattice: &Lattice, triangle: u32, point: DVec2) -> f64 {
    let corners = lattice.corners(charts, triangle).map(|p| (p - point).extend(0.0));
    closest_in_triangle(DVec3::ZERO, corners).distance_sq
}

/// How far a point lies inside a counter-clockwise triangle: the distance to the nearest side, in steps.
fn depth(corners: &[DVec2; 3], point: DVec2) -> f64 {
    let side = |k: usize| {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        (a - point).perp_dot(b - point) / a.distance(b)
    };
    side(0).min(side(1)).min(side(2))
}

fn check_overlap(
    charts: &Charts,
    lattice: &Lattice,
    depth_of_second: f64,
    first: u32,
    second: u32,
    centre: DVec2,
) -> Result<(), LatticeError> {
    if depth_of_second > OVERLAP && depth(&lattice.corners(charts, first), centre) > OVERLAP {
        return Err(LatticeError::Overlap { patch: charts.patch_of[second as usize], first, second });
    }
    Ok(())
}

/// Numbers the cells that outlines, seams and cuts run through, in ascending order.
fn rim(charts: &Charts, lattice: &Lattice) -> (Vec<u32>, Vec<u32>) {
    let mut rim = vec![NONE; lattice.size[0] * lattice.size[1]];
    for (t, neighbours) in charts.neighbours.iter().enumerate() {
        let corners = lattice.corners(charts, t as u32);
        for k in (0..3).filter(|&k| neighbours[k] == NONE) {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            for (row, columns) in rows(&[a, b, b], lattice.size) {
                rim[row * lattice.size[0]..][columns].fill(0);
            }
        }
    }
    let cells: Vec<u32> = (0..rim.len() as u32).filter(|&texel| rim[texel as usize] != NONE).collect();
    cells.iter().enumerate().for_each(|(number, &texel)| rim[texel as usize] = number as u32);
    (rim, cells)
}

/// Row by row the columns whose cells a triangle may enter: exact but for a little at the ends.
fn rows(
    corners: &[DVec2; 3],
    size: [usize; 2],
) -> impl Iterator<Item = (usize, RangeInclusive<usize>)> + use<'_> {
    let [a, b, c] = *corners;
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let range = |low: f64, high: f64, count: usize| {
        let first = (low - 0.5 - INSIDE).ceil().max(0.0) as usize;
        first..=((high + 0.5 + INSIDE).floor().max(0.0) as usize).min(count - 1)
    };
    range(low.y, high.y, size[1]).map(move |row| {
        let band = [row as f64 - 0.5 - INSIDE, row as f64 + 0.5 + INSIDE];
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for k in 0..3 {
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            if p.y.max(q.y) < band[0] || p.y.min(q.y) > band[1] {
                continue;
            }
            for y in [p.y.clamp(band[0], band[1]), q.y.clamp(band[0], band[1])] {
                // On a level side both ends are within the band.
                let at =
                    if p.y == q.y { [p.x, q.x] } else { [p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y)); 2] };
                left = at[0].min(at[1]).min(left);
                right = at[0].max(at[1]).max(right);
            }
        }
        (row, range(left, right, size[0]))
    })
}
