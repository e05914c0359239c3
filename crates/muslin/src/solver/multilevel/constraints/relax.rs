//! Distance constraints on a level ([Schmitt2013] §5.1, §5.2): all at once and averaged (Jacobi), or in
//! eight independent sets, one after the other (Gauss-Seidel). The twin of
//! `gpu/grid/shaders/constraints/`.

use glam::Vec4;

use crate::execution::Execution;
use crate::solver::multilevel::bounds::holding::Holding;
use crate::solver::multilevel::levels::GridLevel;

/// The share of an averaged correction (Jacobi) along weft, warp and diagonals. Those of a particle inside, four threads and
/// four diagonals, sum to one: then a pass, over-relaxed by less than two, is a contraction in the metric of the masses,
/// since the corrections of a pair move nothing but this pair.
///
/// Both ends of a constraint take the same share, so that momentum is kept. (The mean over the constraints of each
/// particle, which differs at both ends, is not: it drove a swinging cloth to a gain of 0.46 M g L/2 at 16 substeps. A
/// share by the larger of both counts of constraints needs neighbours of neighbours, and was no better: 1.5 % strain
/// where these have 0.9 %; one eighth for all has 1.2 %.)
pub(crate) const SHARES: [f32; 3] = [1.0 / 6.0, 1.0 / 6.0, 1.0 / 12.0];

/// How constraints of a level act.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub(crate) struct Rule {
    /// Metres between neighbours along threads: rest lengths are implicit (errata 4), but where the mesh is folded.
    pub spacing: f32,
    /// Constraints along weft, warp and diagonals undo this share of a stretch, …
    pub stretch: [f32; 3],
    /// … and this share of a compression: none on coarse levels, where it would keep cloth from bending (errata 3).
    pub compression: f32,
    /// Strain that is left alone.
    pub slack: f32,
    /// Factor on averaged corrections (Jacobi only), below 2.
    pub over_relaxation: f32,
}

impl Rule {
    /// By how much two particles that are `length` metres apart are to approach each other; `kind` is 0 along the
    /// weft, 1 along the warp, 2 along a diagonal.
    fn excess(&self, length: f32, kind: usize, [shortest, longest]: [f32; 2]) -> f32 {
        debug_assert!(shortest <= longest);
        let limit = longest * (1.0 + self.slack);
        if length > limit {
            self.stretch[kind] * (length - limit)
        } else if length < shortest {
            self.compression * self.stretch[kind] * (length - shortest)
        } else {
            0.0
        }
    }

    /// Between which lengths two particles at these places are at rest; `at_rest` is their distance in the rest shape, if that
    /// is not the chart (see `rest`).
    pub fn rest_lengths(&self, kind: usize, at_rest: Option<f32>, [a, b]: [Vec4; 2]) -> [f32; 2] {
        let planned = if kind == 2 { self.spacing * std::f32::consts::SQRT_2 } else { self.spacing };
        at_rest.map_or([planned; 2], |length| {
            let rounding = rounded(a).max(rounded(b));
            [length.min(planned) - rounding, length.max(planned) + rounding]
        })
    }
}

/// What rounding may do to a distance from a particle, metres: four units in the last place of its largest coordinate, some at
/// the start and some now. Undone, it would become a velocity, and heat cloth that falls in short steps.
pub(crate) fn rounded(point: Vec4) -> f32 {
    4.0 * f32::EPSILON * point.truncate().abs().max_element()
}

/// Whether a neighbour is along the weft (0), the warp (1) or a diagonal (2).
pub(crate) const KINDS: [usize; 8] = [0, 1, 0, 1, 2, 2, 2, 2];

/// Steps from a texel's index to those of its neighbours.
pub(crate) fn steps(columns: usize) -> [isize; 8] {
    let row = columns as isize;
    [1, row, -1, -row, row + 1, row - 1, -row - 1, 1 - row]
}

/// One Jacobi iteration, from `front` to `back`, and back to where particles may be.
pub(crate) fn jacobi(
    level: &GridLevel,
    rule: &Rule,
    front: &[Vec4],
    back: &mut [Vec4],
    holding: Holding,
    execution: Execution,
) {
    let steps = steps(level.size[0]);
    execution.for_each_chunk(back, |first, chunk| {
        for (offset, out) in chunk.iter_mut().enumerate() {
            let index = first + offset;
            let (code, own) = (level.codes[index], front[index]);
            *out = own;
            if own.w == 0.0 {
                continue;
            }
            let mut sum = Vec4::ZERO;
            for k in 0..8 {
                if code >> k & 1 == 0 {
                    continue;
                }
                let at = index.wrapping_add_signed(steps[k]);
                let other = front[at];
                let apart = (other - own).with_w(0.0);
                let length = apart.length();
                let rest = rule.rest_lengths(KINDS[k], level.length(index, k, at), [own, other]);
                let excess = rule.excess(length, KINDS[k], rest);
                if excess != 0.0 && length > 0.0 {
                    sum += apart * (SHARES[KINDS[k]] * excess / length * own.w / (own.w + other.w));
                }
            }
            *out += sum * rule.over_relaxation;
            *out = holding.held(level.finest_texel(index, holding.columns), *out, rule);
        }
    });
}

/// One Gauss-Seidel iteration in place: the eight sets of Figure 8 (along rows, along columns, along either diagonal,
/// each in two halves), and before them what bounds particles asks for.
pub(crate) fn gauss_seidel(
    level: &GridLevel,
    rule: &Rule,
    points: &mut [Vec4],
    holding: Holding,
    execution: Execution,
) {
    let columns = level.size[0];
    if !holding.is_empty() {
        execution.for_each_chunk(points, |first, chunk| {
            for (offset, point) in chunk.iter_mut().enumerate() {
                let index = first + offset;
                if point.w > 0.0 {
                    *point = holding.held(level.finest_texel(index, holding.columns), *point, rule);
                }
            }
        });
    }
    let steps = steps(columns);
    for [k, half] in [[0, 0], [0, 1], [1, 0], [1, 1], [4, 0], [4, 1], [5, 0], [5, 1]] {
        // Sets of edges in rows go row by row; the others by pairs of rows, from the first or the second on.
        let by_rows = k == 0;
        let skipped = if by_rows { 0 } else { half };
        let rows = if by_rows { 1 } else { 2 };
        let first_point = skipped * columns;
        execution.for_each_rows(&mut points[first_point..], rows * columns, |before, part| {
            let (start, stride) = if by_rows { (half, 2) } else { (0, 1) };
            for (number, part) in part.chunks_mut(rows * columns).enumerate() {
                let first = first_point + before + number * rows * columns;
                for at in (start..columns).step_by(stride) {
                    if level.codes[first + at] >> k & 1 == 1 {
                        let at_rest = level.length(first + at, k, 0);
                        relax_edge(rule, (KINDS[k], at_rest), part, [at, at.wrapping_add_signed(steps[k])]);
                    }
                }
            }
        });
    }
}

/// [Schmitt2013] eq. 1 for both ends of an edge.
fn relax_edge(rule: &Rule, (kind, at_rest): (usize, Option<f32>), points: &mut [Vec4], [a, b]: [usize; 2]) {
    let (first, second) = (points[a], points[b]);
    let weights = first.w + second.w;
    let apart = (second - first).with_w(0.0);
    let length = apart.length();
    let excess = rule.excess(length, kind, rule.rest_lengths(kind, at_rest, [first, second]));
    if weights == 0.0 || excess == 0.0 || length == 0.0 {
        return;
    }
    let move_ = apart * (excess / (length * weights));
    points[a] += move_ * first.w;
    points[b] -= move_ * second.w;
}
