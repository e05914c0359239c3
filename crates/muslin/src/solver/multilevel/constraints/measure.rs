//! Which particles of a grid are neighbours along threads.

use super::relax::steps;
use crate::solver::multilevel::levels::GridLevel;

/// Pairs of neighbours along threads.
pub(crate) fn threads(level: &GridLevel) -> impl Iterator<Item = (usize, usize)> {
    let steps = steps(level.size[0]);
    let of_particle = move |(index, &code): (usize, &u32)| {
        let linked = (0..2).filter(move |k| code >> k & 1 == 1);
        linked.map(move |k| (index, index.wrapping_add_signed(steps[k])))
    };
    level.codes.iter().enumerate().flat_map(of_particle)
}
