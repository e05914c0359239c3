//! Seams: what ties patches together where the charts do not (beyond [Schmitt2013], which names it as future work).
//!
//! A stitch asks two places of the grid, each read from 2×2 particles, to be one: C = Σ aᵢ xᵢ − Σ bⱼ xⱼ = 0. All
//! stitches are looked at together (λ = C/(Σ w a² + Σ w b²)), then every particle beside a seam takes the mean of what
//! its stitches ask for. The twin of `gpu/grid/shaders/stitch*.wgsl`.

use glam::Vec4;

use super::grid::GridModel;
use super::lattice::Stitch;

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
    /// What the sum of all that is asked for is divided by.
    pub share: f32,
}

/// The stitches of a level.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stitcher {
    /// Per stitch, eight each.
    pub stitches: Vec<[StitchTerm; 8]>,
    pub texels: Vec<StitchedTexel>,
    pub terms: Vec<StitchTerm>,
    /// What each stitch asks for.
    pulls: Vec<Vec4>,
}

impl Stitcher {
    /// Of each level of a grid, finest first.
    pub fn of_levels(model: &GridModel) -> Vec<Self> {
        let of_level =
            |(level, stitches): (&super::levels::Level, &Vec<Stitch>)| Self::new(level.size[0], stitches);
        model.levels.iter().zip(&model.stitches).map(of_level).collect()
    }

    /// Of a level with so many columns.
    pub fn new(columns: usize, stitches: &[Stitch]) -> Self {
        let terms = |stitch: &Stitch| {
            let mut terms = [StitchTerm::default(); 8];
            for (side, stencil) in stitch.sides.iter().enumerate() {
                let sign = if side == 0 { 1.0 } else { -1.0 };
                let texels = [0, 1, columns as u32, columns as u32 + 1].map(|step| stencil.texel + step);
                for (i, (number, weight)) in texels.into_iter().zip(stencil.weights()).enumerate() {
                    terms[4 * side + i] = StitchTerm { number, weight: sign * weight };
                }
            }
            terms
        };
        let stitches: Vec<[StitchTerm; 8]> = stitches.iter().map(terms).collect();
        let mut by_texel: Vec<(u32, StitchTerm)> = Vec::new();
        for (number, terms) in stitches.iter().enumerate() {
            let at =
                |term: &StitchTerm| (term.number, StitchTerm { number: number as u32, weight: term.weight });
            by_texel.extend(terms.iter().filter(|term| term.weight != 0.0).map(at));
        }
        by_texel.sort_by_key(|&(texel, term)| (texel, term.number));
        let mut texels: Vec<StitchedTexel> = Vec::new();
        for (place, &(texel, term)) in by_texel.iter().enumerate() {
            let place = place as u32;
            match texels.last_mut() {
                Some(last) if last.texel == texel => {
                    last.end_term = place + 1;
                    last.share += term.weight.abs();
                }
                _ => texels.push(StitchedTexel {
                    texel,
                    first_term: place,
                    end_term: place + 1,
                    share: term.weight.abs(),
                }),
            }
        }
        texels.iter_mut().for_each(|texel| texel.share = texel.share.max(1.0));
        let pulls = vec![Vec4::ZERO; stitches.len()];
        Self { stitches, texels, terms: by_texel.into_iter().map(|(_, term)| term).collect(), pulls }
    }

    /// One pass over all stitches.
    pub fn pass(&mut self, points: &mut [Vec4]) {
        for (terms, pull) in self.stitches.iter().zip(&mut self.pulls) {
            let (mut apart, mut stiffness) = (Vec4::ZERO, 0.0);
            for term in terms {
                let point = points[term.number as usize];
                apart += term.weight * point;
                stiffness += term.weight * term.weight * point.w;
            }
            *pull = if stiffness > 0.0 { (apart / stiffness).with_w(0.0) } else { Vec4::ZERO };
        }
        for texel in &self.texels {
            let point = &mut points[texel.texel as usize];
            let mut sum = Vec4::ZERO;
            for term in &self.terms[texel.first_term as usize..texel.end_term as usize] {
                sum += term.weight * self.pulls[term.number as usize];
            }
            *point -= sum * (point.w / texel.share);
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
