//! Seams: what ties patches together where the charts do not (beyond [Schmitt2013], which names it as future work).
//!
//! A stitch asks two places of the grid, each read from 2×2 particles, to be one: C = Σ aᵢ xᵢ − Σ bⱼ xⱼ = 0. All
//! stitches are looked at together (λ = C/(Σ w a² + Σ w b²)); then every particle beside a seam takes its part. Neighbours
//! share particles, and would close a seam that is open everywhere alike twice; so λ is divided by how far all of them together
//! move a stitch, |a·a′| summed: then a pass is a contraction in the metric of the masses, and each stitch moves
//! its two sides alike, so that momentum is kept. (Divided by how much the busiest particle is asked for, passes can go too far:
//! with that, and coarse stitches that closed gaps, a skirt of 50 m at rest shook itself to a strain of 37 %.)
//!
//! On coarse levels the two sides of a closed seam lie apart, because there the cloth is not round but has corners. What
//! a coarse stitch asks for is therefore that its level opens nothing: C = C₀, with the gap C₀ before the level is relaxed.
//! (Without C₀ a tube of four panels jumped over its own pins. When coarse stitches also closed what the finest level had
//! open, they moved whole regions for what was wrong with single particles, and velocities of a skirt at rest grew to 55 times in
//! 600 steps instead of twice.) The twin of `gpu/grid/shaders/seams/`.

use std::collections::BTreeMap;

use glam::Vec4;

use crate::solver::multilevel::constraints::bend::beyond;
use crate::solver::multilevel::constraints::relax::rounded;
use crate::solver::multilevel::grid::GridModel;
use crate::solver::multilevel::lattice::{Stencil, Stitch};
use crate::solver::multilevel::levels::GridLevel;

/// A term of a stitch's sum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub(crate) struct StitchTerm {
    /// The texel, where it stands in a stitch; the stitch, where it stands at a texel.
    pub number: u32,
    /// Positive on one side, negative on the other.
    pub weight: f32,
}

/// A particle beside a seam.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub(crate) struct StitchedTexel {
    pub texel: u32,
    /// Its terms: from here up to those of the next.
    pub first_term: u32,
    pub end_term: u32,
}

/// The stitches of a level.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stitcher {
    /// Per stitch its eight terms.
    pub stitches: Vec<[StitchTerm; 8]>,
    /// Per stitch how far its sides are apart at rest, metres.
    pub gaps: Vec<f32>,
    pub texels: Vec<StitchedTexel>,
    /// What stitches ask of texels, weighted.
    pub terms: Vec<StitchTerm>,
    /// −C₀ per stitch.
    given: Vec<Vec4>,
    /// What each stitch asks for.
    pulls: Vec<Vec4>,
}

impl Stitcher {
    /// The stitches of each level of a grid, finest first.
    pub fn of_levels(model: &GridModel) -> Vec<Self> {
        let finest = model.lattice.size[0];
        let of_level = |(level, stitches): (&GridLevel, &Vec<Stitch>)| {
            let weight =
                |index: usize| level.lightness[index] * model.weights[level.finest_texel(index, finest)];
            Self::new(level.size[0], stitches, weight)
        };
        model.levels.iter().zip(&model.stitches).map(of_level).collect()
    }

    /// For a level with so many columns; `weight` says its particles' inverse masses.
    pub fn new(columns: usize, stitches: &[Stitch], weight: impl Fn(usize) -> f32) -> Self {
        let gaps = stitches.iter().map(|stitch| stitch.gap).collect();
        let stitches: Vec<[StitchTerm; 8]> =
            stitches.iter().map(|stitch| terms(columns, &stitch.sides)).collect();
        let mut by_texel: Vec<(u32, StitchTerm)> = Vec::new();
        for (number, terms) in stitches.iter().enumerate() {
            let at =
                |term: &StitchTerm| (term.number, StitchTerm { number: number as u32, weight: term.weight });
            by_texel.extend(terms.iter().filter(|term| term.weight != 0.0).map(at));
        }
        by_texel.sort_by_key(|&(texel, term)| (texel, term.number));
        let mut texels: Vec<StitchedTexel> = Vec::new();
        // Per stitch, by how much all stitches together open or close it at the most, if each closes itself.
        let mut moved = vec![0.0f32; stitches.len()];
        for of_texel in by_texel.chunk_by(|a, b| a.0 == b.0) {
            let first_term = texels.last().map_or(0, |last| last.end_term);
            let end_term = first_term + of_texel.len() as u32;
            texels.push(StitchedTexel { texel: of_texel[0].0, first_term, end_term });
        }
        let products = products(&by_texel, weight);
        for (&[first, _], product) in &products {
            moved[first as usize] += product.abs();
        }
        let alone = |stitch: u32| products.get(&[stitch; 2]).copied().unwrap_or_default();
        let weighted = |(_, term): (u32, StitchTerm)| {
            let (alone, all) = (alone(term.number), moved[term.number as usize]);
            StitchTerm { weight: if alone > 0.0 { term.weight * (alone / all) } else { 0.0 }, ..term }
        };
        let zero = vec![Vec4::ZERO; stitches.len()];
        Self {
            terms: by_texel.into_iter().map(weighted).collect(),
            given: zero.clone(),
            pulls: zero,
            stitches,
            gaps,
            texels,
        }
    }

    /// Looks at the gaps before a coarse level is relaxed; `finest` is the finest level.
    pub fn begin(&mut self, level: &GridLevel, finest: &[Vec4], finest_columns: usize) {
        for (terms, given) in self.stitches.iter().zip(&mut self.given) {
            let there = |term: &StitchTerm| {
                term.weight * finest[level.finest_texel(term.number as usize, finest_columns)]
            };
            *given = -terms.iter().map(there).sum::<Vec4>();
        }
    }

    /// One pass over all stitches.
    pub fn pass(&mut self, points: &mut [Vec4]) {
        let all = self.stitches.iter().zip(&self.gaps).zip(&mut self.pulls).zip(&self.given);
        for (((terms, gap), pull), given) in all {
            let (mut apart, mut stiffness) = (*given, 0.0);
            for term in terms {
                let point = points[term.number as usize];
                apart += term.weight * point;
                stiffness += term.weight * term.weight * point.w;
            }
            let rounding = 2.0 * rounded(points[terms[0].number as usize]);
            let apart = beyond(apart.with_w(0.0), gap + rounding);
            *pull = if stiffness > 0.0 { (apart / stiffness).with_w(0.0) } else { Vec4::ZERO };
        }
        for texel in &self.texels {
            let point = &mut points[texel.texel as usize];
            let mut sum = Vec4::ZERO;
            for term in &self.terms[texel.first_term as usize..texel.end_term as usize] {
                sum += term.weight * self.pulls[term.number as usize];
            }
            *point -= sum * point.w;
        }
    }

    /// How far the two sides of the worst stitch are apart, metres.
    pub fn widest(&self, points: &[Vec4]) -> f32 {
        let gap = |terms: &[StitchTerm; 8]| {
            let apart: Vec4 = terms.iter().map(|term| term.weight * points[term.number as usize]).sum();
            apart.truncate().length()
        };
        self.stitches.iter().map(gap).fold(0.0, f32::max)
    }
}

/// For each pair of stitches that share particles Σ w a a′, the one's part in the other's gap.
fn products(by_texel: &[(u32, StitchTerm)], weight: impl Fn(usize) -> f32) -> BTreeMap<[u32; 2], f32> {
    let mut products = BTreeMap::new();
    for of_texel in by_texel.chunk_by(|a, b| a.0 == b.0) {
        let weight = weight(of_texel[0].0 as usize);
        for (_, a) in of_texel {
            for (_, b) in of_texel {
                *products.entry([a.number, b.number]).or_default() += weight * a.weight * b.weight;
            }
        }
    }
    products
}

/// In the middle between four free particles, the other side held, the squared weights of a stitch sum to 1/4.
const LEAST_MOVED: f32 = 0.2;

/// Whether a stitch on a level of so many columns moves its particles by about as much as its sides are apart. Where most
/// of them are held, in the corner of a pinned waistband, the others would have to go several times as far, and back; pins
/// hold both sides there.
pub(crate) fn can_move(columns: usize, stitch: &Stitch, weight: impl Fn(usize) -> f32) -> bool {
    let terms = terms(columns, &stitch.sides);
    terms.iter().map(|term| term.weight * term.weight * weight(term.number as usize)).sum::<f32>()
        >= LEAST_MOVED
}

/// The terms of a stitch on a level of so many columns: one side minus the other.
fn terms(columns: usize, sides: &[Stencil; 2]) -> [StitchTerm; 8] {
    let mut terms = [StitchTerm::default(); 8];
    for (side, stencil) in sides.iter().enumerate() {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let texels = [0, 1, columns as u32, columns as u32 + 1].map(|step| stencil.texel + step);
        for (i, (number, weight)) in texels.into_iter().zip(stencil.weights()).enumerate() {
            terms[4 * side + i] = StitchTerm { number, weight: sign * weight };
        }
    }
    terms
}
