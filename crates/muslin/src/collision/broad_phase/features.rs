//! From pairs of primitives to pairs of features.

use super::BroadPhase;
use crate::collision::body::Primitive;
use crate::collision::pairs::{Pair, PairKind};

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
        self.point_face(a, b, bodies, &wanted, found);
        self.point_face(b, a, [bodies[1], bodies[0]], &wanted, found);
        // Bodies without faces are colliders, which come after cloth.
        if !b.face {
            self.point_round(a, b, bodies, &wanted, found);
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

    /// Points of cloth and the point or edge of a round collider: the contact of a point is steadier than
    /// that of a face, whose nearest point wanders.
    fn point_round(
        &self,
        a: &Primitive,
        b: &Primitive,
        bodies: [u16; 2],
        wanted: impl Fn(&Pair) -> bool,
        found: &mut Vec<Pair>,
    ) {
        let round = self.primitive_box(b);
        let [from, to, _] = b.corners;
        for p in a.points() {
            let pair = Pair { points: [p, p, from, to], kind: PairKind::EdgeEdge, bodies };
            if self.point_boxes[p as usize].overlaps(&round) && wanted(&pair) {
                found.push(pair);
            }
        }
    }

    #[inline]
    fn point_face(
        &self,
        a: &Primitive,
        b: &Primitive,
        bodies: [u16; 2],
        wanted: impl Fn(&Pair) -> bool,
        found: &mut Vec<Pair>,
    ) {
        if !b.face || a.own_corners == 0 {
            return;
        }
        let face = self.primitive_box(b);
        let [x, y, z] = b.corners;
        for p in a.points() {
            let near = !b.corners.contains(&p) && self.point_boxes[p as usize].overlaps(&face);
            let pair = Pair { points: [p, x, y, z], kind: PairKind::PointFace, bodies };
            if near && wanted(&pair) {
                found.push(pair);
            }
        }
    }
}
