//! How long coarse edges are at rest.
//!
//! Input: the vertices of a level, the places where its points are when the cloth is in its rest shape, the finest surface's
//! normals there. Output: the rest length of an edge. The rest shape must be a fixed point of every level.

use glam::{DMat3, DQuat, DVec3};

use super::restriction::Restriction;
use crate::hierarchy::Hierarchy;
use crate::math::outer;

/// A surface is taken to turn by no more than this between the ends of an edge, radians.
const LARGEST_TURN: f64 = 2.6;

/// A level at rest.
pub(super) struct RestSurface {
    /// Where the level's points are when the finest level is at rest: means of finer vertices.
    pub rest: Vec<DVec3>,
    /// The second moments about these of the finest vertices that they are means of, m².
    pub spread: Vec<DMat3>,
    /// The ends of edges at the level's vertices.
    ends: Vec<End>,
}

/// The end of an edge at a vertex.
#[derive(Clone, Copy)]
struct End {
    /// On the surface, where the level's mesh has its vertex.
    vertex: DVec3,
    /// Normal of the finest surface there, of length one; zero where edges are to be chords.
    normal: DVec3,
    /// From the vertex to the level's point if the surface is laid flat, in its tangent plane.
    offset: DVec3,
}

impl RestSurface {
    /// All levels, coarsest first. `normals` gives the surface's at the vertices of a level.
    pub fn of_levels(
        hierarchy: &Hierarchy,
        restrictions: &[Restriction],
        normals: impl Fn(usize) -> Vec<DVec3>,
    ) -> Vec<Self> {
        let finest = hierarchy.levels.len() - 1;
        let bare = |number: usize| -> Vec<End> {
            let positions = hierarchy.levels[number].positions.iter();
            let end = |(&vertex, normal): (&DVec3, DVec3)| End {
                vertex,
                normal: normal.normalize_or_zero(),
                offset: DVec3::ZERO,
            };
            positions.zip(normals(number)).map(end).collect()
        };
        let rest = hierarchy.levels[finest].positions.clone();
        let spread = vec![DMat3::ZERO; rest.len()];
        let mut surfaces = vec![Self { rest, spread, ends: bare(finest) }];
        for (number, restriction) in restrictions.iter().enumerate().rev() {
            let finer = &surfaces[surfaces.len() - 1];
            let rest = restriction.places(&finer.rest);
            let mut ends = bare(number);
            for (c, end) in ends.iter_mut().enumerate() {
                end.offset = restriction.mean(c, |v| end.laid_flat(&finer.ends[v]));
            }
            let about = |c: usize| restriction.mean(c, |v| finer.spread[v] + outer(finer.rest[v] - rest[c]));
            let spread = (0..rest.len()).map(about).collect();
            surfaces.push(Self { rest, spread, ends });
        }
        surfaces.reverse();
        surfaces
    }

    /// The rest length of an edge. Where only stretch is undone it is that of the cloth laid flat, as no edge may resist
    /// that; else, and at the least, the distance of its points.
    pub fn rest_length(&self, [a, b]: [u32; 2], only_stretched: bool) -> f64 {
        let distance = self.rest[a as usize].distance(self.rest[b as usize]);
        let [a, b] = [a, b].map(|v| &self.ends[v as usize]);
        if !only_stretched || a.normal == DVec3::ZERO || b.normal == DVec3::ZERO {
            return distance;
        }
        (a.laid_flat(b) - a.offset).length().max(distance)
    }
}

impl End {
    /// The way from this vertex to another one's point in this one's tangent plane, if the surface between is laid flat.
    ///
    /// Its length is that along the surface. Its direction, and the other one's offset, come over by the shortest turns of
    /// the normals; by way of the mean normal, because a chord seen from one end only is too short across the bend.
    fn laid_flat(&self, other: &Self) -> DVec3 {
        let chord = other.vertex - self.vertex;
        let turned = |from: DVec3, v: DVec3| match from != DVec3::ZERO && self.normal != DVec3::ZERO {
            true => DQuat::from_rotation_arc(from, self.normal) * v,
            false => v,
        };
        let offset = turned(other.normal, other.offset);
        if chord == DVec3::ZERO {
            return offset;
        }
        let mean = (self.normal + other.normal).normalize_or_zero();
        let direction = turned(mean, chord.reject_from_normalized(mean).normalize_or(chord.normalize()));
        direction * length_along_surface([self, other]) + offset
    }
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
        End { vertex, normal, offset: DVec3::ZERO }
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
