//! What bounds where particles may be, whatever level they are on: tethers and planes. The twin of
//! `gpu/grid/shaders/bounds/holding.wgsl`.

use glam::Vec4;

use super::contact::pushed_out;
use super::tethers::{TETHERS, Tether};
use crate::solver::Near;
use crate::solver::multilevel::constraints::relax::Rule;

/// What bounds particles.
#[derive(Clone, Copy)]
pub(crate) struct Holding<'a> {
    /// Per texel of the finest level; empty if there are none.
    pub tethers: &'a [[Tether; TETHERS]],
    /// What is near, per texel of the finest level; empty if nothing is.
    pub near: &'a [Near],
    pub finest: &'a [Vec4],
    /// Columns of the finest level.
    pub columns: usize,
}

impl Holding<'_> {
    /// A particle (at a texel of the finest level) brought back to where its tethers let it be, the nearest at last.
    /// One after the other: the mean of those that are taut would jump when one becomes so.
    pub fn held(&self, texel: usize, own: Vec4, rule: &Rule) -> Vec4 {
        let tethers = self.tethers.get(texel).into_iter().flatten();
        let held = tethers.rev().fold(own, |own, tether| {
            let apart = (self.finest[tether.texel as usize] - own).with_w(0.0);
            let (length, limit) = (apart.length(), tether.length * (1.0 + rule.slack));
            if length > limit { own + apart * (rule.stretch[0] * (length - limit) / length) } else { own }
        });
        self.near.get(texel).map_or(held, |near| pushed_out(near.plane, held))
    }

    /// Whether there is anything.
    pub fn is_empty(&self) -> bool {
        self.tethers.is_empty() && self.near.is_empty()
    }
}
