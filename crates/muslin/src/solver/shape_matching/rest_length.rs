//! How long coarse edges are at rest.
//!
//! Input: the vertices of a level, the places where its points are when the cloth is in its rest shape, the finest surface's
//! normals there. Output: the rest length of an edge. The rest shape must be a fixed point of every level.

use glam::DVec3;

use super::restriction::Restriction;
use crate::hierarchy::Hierarchy;

/// A surface is taken to turn by no more than this between the ends of an edge, radians.
const LARGEST_TURN: f64 = 2.6;

/// A level at rest.
pub(super) struct Surface {
    /// Where the level's points are when the finest level is at rest: means of finer vertices.
    pub rest: Vec<DVec3>,
    /// Of the finest surface, of length one; zero where edges are to be chords.
    normals: Vec<DVec3>,
}

impl Surface {
    /// All levels, coarsest first.
    pub fn of_levels(
        hierarchy: &Hierarchy,
        restrictions: &[Restriction],
        normals: impl Fn(usize) -> Vec<DVec3>,
    ) -> Vec<Self> {
        let finest = hierarchy.levels.len() - 1;
        let flat = vec![DVec3::ZERO; hierarchy.levels[finest].positions.len()];
        let mut surfaces = vec![Self { rest: hierarchy.levels[finest].positions.clone(), normals: flat }];
        for (number, restriction) in restrictions.iter().enumerate().rev() {
            let rest = restriction.places(&surfaces[surfaces.len() - 1].rest);
            let normals = normals(number).into_iter().map(DVec3::normalize_or_zero).collect();
            surfaces.push(Self { rest, normals });
        }
        surfaces.reverse();
        surfaces
    }

    /// The end of an edge at a vertex of the level.
    pub fn end(&self, v: u32, vertex: DVec3) -> End {
        End { vertex, point: self.rest[v as usize], normal: self.normals[v as usize] }
    }
}

/// One end of an edge.
pub(super) struct End {
    /// On the surface, where the level's mesh has its vertex.
    vertex: DVec3,
    /// Where the level's point is at rest.
    point: DVec3,
    normal: DVec3,
}

impl End {
    /// How far the point is off its vertex along `chord` and across it, in the surface.
    fn offset(&self, chord: DVec3) -> [f64; 2] {
        let off = self.point - self.vertex;
        let along = chord.reject_from(self.normal.normalize_or(DVec3::ZERO)).normalize_or_zero();
        let along = if self.normal == DVec3::ZERO { chord.normalize_or_zero() } else { along };
        [off.dot(along), off.dot(self.normal.cross(along))]
    }
}

/// The rest length of an edge. Where only stretch is undone it is the length along the surface, with the ends' points in
/// place of the vertices; else the distance of the points.
pub(super) fn rest_length([a, b]: [End; 2], only_stretched: bool) -> f64 {
    let distance = a.point.distance(b.point);
    if !only_stretched || a.normal == DVec3::ZERO || b.normal == DVec3::ZERO {
        return distance;
    }
    let chord = b.vertex - a.vertex;
    let ([along_a, across_a], [along_b, across_b]) = (a.offset(chord), b.offset(chord));
    let laid_flat = (length_along_surface([&a, &b]) + along_b - along_a).hypot(across_b - across_a);
    laid_flat.max(distance)
}

/// The length of an edge between two ends, along the surface.
///
/// Where the rest shape is curved (a sleeve, a skirt), a coarse edge is a chord. Cloth may be laid
/// flat without being stretched, and its ends then move apart, up to the length of the arc: with
/// the chord as rest length, coarse levels would resist that and hold a sleeve round. So the rest
/// length is that of the circular arc whose normals turn as the surface's do; on flat cloth it is the
/// chord. The paper does not have this.
fn length_along_surface([a, b]: [&End; 2]) -> f64 {
    let chord = b.vertex - a.vertex;
    let length = chord.length();
    let along = chord / length;
    let mean = (a.normal + b.normal).reject_from(along).normalize_or_zero();
    let lean = |normal: DVec3| normal.dot(along).atan2(normal.dot(mean));
    let half_turn = 0.5 * (lean(b.normal) - lean(a.normal)).clamp(-LARGEST_TURN, LARGEST_TURN);
    if half_turn.abs() < 1e-6 { length } else { length * half_turn / half_turn.sin() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(vertex: DVec3, normal: DVec3) -> End {
        End { vertex, point: vertex, normal }
    }

    #[test]
    fn an_edge_over_an_arc_is_as_long_as_the_arc() {
        for (turn, bound) in [(0.01f64, 1e-6), (0.5, 0.002), (1.5, 0.02), (2.5, 0.05)] {
            let at = |angle: f64| {
                let normal = DVec3::new(angle.sin(), angle.cos(), 0.0);
                end(2.0 * normal + DVec3::Z * angle, normal)
            };
            // A helix: turning by `turn` on radius 2 while moving `turn` along the axis.
            let (straight_part, arc) = (turn, 2.0 * turn);
            let ours = length_along_surface([&at(0.3), &at(0.3 + turn)]);
            let exact = arc.hypot(straight_part);
            assert!((ours / exact - 1.0).abs() < bound, "{turn}: {ours} {exact}");
        }
        let flat = length_along_surface([&end(DVec3::ZERO, DVec3::Z), &end(DVec3::X * 0.3, DVec3::Z)]);
        assert_eq!(flat, 0.3);
        assert_eq!(length_along_surface([&end(DVec3::ZERO, DVec3::ZERO), &end(DVec3::X, DVec3::ZERO)]), 1.0);
    }
}
