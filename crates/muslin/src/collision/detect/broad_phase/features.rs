//! From pairs of primitives to pairs of features.

use super::BroadPhase;
use crate::collision::bodies::body::Primitive;
use crate::collision::detect::pairs::{Pair, PairKind};

impl BroadPhase {
    /// Pairs of features of two primitives that come near each other, as far as they are wanted.
    #[inline]
    pub(super) fn features(
        &self,
        a: &Primitive,
        b: &Primitive,
        bodies: [u16; 2],
        wanted: impl Fn(&Pair) -> bool,
        found: &mut Vec<Pair>,
    ) {
        if b.face {
            let [x, y, z] = b.corners;
            let pair = |p| Pair { points: [p, x, y, z], kind: PairKind::PointFace, bodies };
            self.points_near(a, b, pair, &wanted, found);
        }
        if a.face {
            let ([x, y, z], bodies) = (a.corners, [bodies[1], bodies[0]]);
            let pair = |p| Pair { points: [p, x, y, z], kind: PairKind::PointFace, bodies };
            self.points_near(b, a, pair, &wanted, found);
        }
        if !b.face {
            // The point or edge of a round collider, which comes after cloth: the contact of a point is
            // steadier than that of a face, whose nearest point wanders.
            let [from, to, _] = b.corners;
            let pair = |p| Pair { points: [p, p, from, to], kind: PairKind::EdgeEdge, bodies };
            self.points_near(a, b, pair, &wanted, found);
        }
        let edge_box = |[p, q]: [u32; 2]| self.point_boxes[p as usize].union(self.point_boxes[q as usize]);
        if a.own_edges == 0 {
            return;
        }
        for f in b.edges() {
            let other = edge_box(f);
            for e in a.edges() {
                let shared = f.contains(&e[0]) || f.contains(&e[1]);
                if shared || !edge_box(e).overlaps(&other) {
                    continue;
                }
                let pair = Pair { points: [e[0], e[1], f[0], f[1]], kind: PairKind::EdgeEdge, bodies };
                if wanted(&pair) {
                    found.push(pair);
                }
            }
        }
    }

    /// Pairs of the points that a primitive owns and another primitive.
    #[inline]
    fn points_near(
        &self,
        a: &Primitive,
        b: &Primitive,
        pair: impl Fn(u32) -> Pair,
        wanted: impl Fn(&Pair) -> bool,
        found: &mut Vec<Pair>,
    ) {
        if a.own_corners == 0 {
            return;
        }
        let other = self.primitive_box(b);
        for p in a.points() {
            if !b.corners.contains(&p) && self.point_boxes[p as usize].overlaps(&other) {
                found.extend(Some(pair(p)).filter(&wanted));
            }
        }
    }
}
