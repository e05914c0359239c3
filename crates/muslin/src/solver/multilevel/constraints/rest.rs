//! The rest shape, as the grid has it: the cloth's mesh sampled into texels.
//!
//! A chart is not the rest shape. Where the mesh is folded, two particles on either side of the fold are nearer than their
//! places in the chart, and where the chart is distorted they may be further. Everything between the two is rest: a link
//! neither pulls nor pushes, a thread that is bent no more than at rest does not unbend, and a seam gapes as far as it did. So
//! the mesh is a fixed point of every stage, and may still be laid flat. (Before, a skirt of 24 facets in free fall
//! was strained by 0.3 to 73 %.)

use glam::{DMat3, DVec3, Vec3};

use crate::solver::multilevel::lattice::{Lattice, NEIGHBOURS, Stencil, Stencils, Stitch};
use crate::solver::multilevel::levels::GridLevel;

/// Differences of so many units in the last place of the largest coordinate are rounding.
const ROUNDING: f64 = 8.0;

/// The neighbours whose distance is stored, by their place in [`NEIGHBOURS`]; the others know it from them.
const STORED: [usize; 4] = [0, 1, 4, 5];

/// Newton's iterations for where a vertex lies between texels: cells are nearly parallelograms.
const ITERATIONS: usize = 4;

/// Places of all texels.
pub(crate) struct RestShape {
    points: Vec<DVec3>,
    columns: usize,
    /// What rounding may be, metres.
    rounding: f64,
}

impl RestShape {
    /// Samples the rest places of a mesh's vertices.
    pub fn new(lattice: &Lattice, vertices: &[Vec3]) -> Self {
        let points = lattice.sample(vertices).iter().map(|point| point.truncate().as_dvec3()).collect();
        let largest = vertices.iter().map(|place| place.abs().max_element()).fold(0.0, f32::max);
        let rounding = ROUNDING * f64::from(f32::EPSILON) * f64::from(largest);
        Self { points, columns: lattice.size[0], rounding }
    }

    /// Tells levels (finest first) how far their particles are apart at rest; nothing if all of them are as far as in the
    /// chart.
    pub fn measure(&self, levels: &mut [GridLevel], spacing: f64) {
        let lengths: Vec<Vec<[f32; 4]>> = levels.iter().map(|level| self.lengths(level)).collect();
        let is_plain = |(level, lengths): (&GridLevel, &Vec<[f32; 4]>)| {
            let straight = spacing * level.stride as f64;
            let off = |k: usize, length: f32| {
                let planned = if k < 4 { straight } else { straight * std::f64::consts::SQRT_2 };
                (f64::from(length) - planned).abs()
            };
            let linked = |index: usize, k: usize| level.codes[index] >> k & 1 == 1;
            lengths.iter().enumerate().all(|(index, lengths)| {
                let pairs = STORED.into_iter().zip(lengths).filter(|(k, _)| linked(index, *k));
                pairs.into_iter().all(|(k, &length)| off(k, length) <= self.rounding)
            })
        };
        if levels.iter().zip(&lengths).all(is_plain) {
            return;
        }
        levels.iter_mut().zip(lengths).for_each(|(level, lengths)| level.lengths = lengths);
        levels[0].bends = self.bends(&levels[0]);
    }

    fn lengths(&self, level: &GridLevel) -> Vec<[f32; 4]> {
        let place = |index: usize| self.points[level.finest_texel(index, self.columns)];
        let lengths = |index: usize| {
            STORED.map(|k| match level.codes[index] >> k & 1 {
                1 => place(level.neighbour(index, k)).distance(place(index)) as f32,
                _ => 0.0,
            })
        };
        (0..level.codes.len()).map(lengths).collect()
    }

    /// |x₋ − 2x + x₊| along weft and warp.
    fn bends(&self, level: &GridLevel) -> Vec<[f32; 2]> {
        let bend = |index: usize, axis: usize| {
            if level.codes[index] >> axis & 0b101 != 0b101 {
                return 0.0;
            }
            let [before, after] = [axis + 2, axis].map(|k| self.points[level.neighbour(index, k)]);
            (before + after - 2.0 * self.points[index]).length() as f32
        };
        (0..level.codes.len()).map(|index| [bend(index, 0), bend(index, 1)]).collect()
    }

    /// How far the two sides of a stitch of the finest level are apart.
    pub fn gap(&self, stitch: &Stitch) -> f32 {
        let [a, b] = stitch.sides.map(|side| self.read(&side, side.fractions.map(f64::from)));
        let gap = a.distance(b);
        if gap > self.rounding { gap as f32 } else { 0.0 }
    }

    /// Moves stencils so that each reads the place of its row: along the cloth, and the rest above it. A vertex on a fold is
    /// above all that is read between particles beside it.
    pub fn lift(&self, stencils: &mut Stencils, places: &[Vec3]) {
        for (row, place) in places.iter().enumerate() {
            for at in stencils.offsets[row]..stencils.offsets[row + 1] {
                let stencil = &mut stencils.all[at as usize];
                if let Some(lifted) = self.lifted(stencil, place.as_dvec3()) {
                    *stencil = lifted;
                }
            }
        }
    }

    /// `None` where nothing but rounding is missing, or a cell has no normal.
    fn lifted(&self, stencil: &Stencil, place: DVec3) -> Option<Stencil> {
        let mut fractions = stencil.fractions.map(f64::from);
        if self.read(stencil, fractions).distance(place) <= self.rounding {
            return None;
        }
        let [a, b, c, d] = self.corners(stencil);
        let normal = (d - a).cross(c - b).try_normalize()?;
        let mut lift = 0.0;
        for _ in 0..ITERATIONS {
            let [x, y] = fractions;
            let along = [(b - a) + y * (d - c - b + a), (c - a) + x * (d - c - b + a)];
            let axes = DMat3::from_cols(along[0], along[1], normal);
            let volume = along[0].length() * along[1].length();
            if axes.determinant().abs() < 0.1 * volume {
                return None;
            }
            let missing = axes.inverse() * (place - self.read(stencil, fractions));
            (fractions, lift) = ([x + missing.x, y + missing.y], missing.z);
        }
        // Rounded where it is read: what that takes away along the cloth is nothing, as fractions are of the order of one.
        let fractions = fractions.map(|fraction| fraction as f32);
        Some(Stencil { fractions, lift: lift as f32, ..*stencil })
    }

    /// The texels that a stencil reads.
    fn corners(&self, stencil: &Stencil) -> [DVec3; 4] {
        let at = stencil.texel as usize;
        [at, at + 1, at + self.columns, at + self.columns + 1].map(|texel| self.points[texel])
    }

    fn read(&self, stencil: &Stencil, [x, y]: [f64; 2]) -> DVec3 {
        let [a, b, c, d] = self.corners(stencil);
        a.lerp(b, x).lerp(c.lerp(d, x), y)
    }
}

const _: () = assert!(NEIGHBOURS[STORED[3]][0] == -1 && NEIGHBOURS[STORED[3]][1] == 1);
