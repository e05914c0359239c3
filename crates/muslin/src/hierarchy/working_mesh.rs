//! The mesh while vertices are being collapsed: connectivity, what each vertex may do, and the
//! collapse itself.
//!
//! Positions never change (a half-edge collapse moves nothing), so they are borrowed.

use glam::DVec3;

use super::fans::{Fans, is_proper};

/// A vertex with more triangles than this is not looked at more closely: collapsing it would
/// break the valence limit anyway.
const LARGEST_STAR: usize = 64;

/// What the triangles around a vertex look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Star {
    /// A closed ring of triangles.
    Disc,
    /// An open fan: the vertex lies on the boundary.
    HalfDisc,
    /// Anything else: no triangle, several fans, an edge with three triangles or with two that
    /// disagree about the outside.
    Irregular,
}

/// The triangles around a vertex `u` as pairs (a, b): each triangle is (u, a, b).
pub(super) type Ring = Vec<[u32; 2]>;

/// A mesh that is being decimated.
pub(super) struct WorkingMesh<'a> {
    pub(super) positions: &'a [DVec3],
    /// Dead triangles are [`DEAD`].
    pub(super) triangles: Vec<[u32; 3]>,
    /// How many triangles are alive.
    pub(super) live: usize,
    fans: Fans,
    stars: Vec<Star>,
    /// Vertices that must survive.
    kept: Vec<bool>,
}

/// The corners of a triangle that is gone.
pub(super) const DEAD: [u32; 3] = [u32::MAX; 3];

impl<'a> WorkingMesh<'a> {
    /// Takes over a mesh. The vertices marked in `kept` will survive, and so will every vertex
    /// where the mesh is not manifold.
    pub(super) fn new(positions: &'a [DVec3], triangles: &[[u32; 3]], kept: &[bool]) -> Self {
        let mut mesh = Self {
            positions,
            triangles: triangles.to_vec(),
            live: triangles.len(),
            fans: Fans::new(positions.len(), triangles),
            stars: vec![Star::Irregular; positions.len()],
            kept: kept.to_vec(),
        };
        let mut ring = Ring::new();
        for vertex in 0..positions.len() as u32 {
            mesh.ring(vertex, &mut ring);
            let star = classify(&ring);
            mesh.stars[vertex as usize] = star;
            mesh.kept[vertex as usize] |= star == Star::Irregular;
        }
        for corners in triangles.iter().filter(|corners| !is_proper(corners)) {
            corners.iter().for_each(|&v| mesh.kept[v as usize] = true);
        }
        mesh
    }

    /// Whether a vertex has to survive.
    pub(super) fn is_kept(&self, vertex: u32) -> bool {
        self.kept[vertex as usize]
    }

    /// What the triangles around a vertex look like.
    pub(super) fn star(&self, vertex: u32) -> Star {
        self.stars[vertex as usize]
    }

    /// The position of a vertex in metres.
    pub(super) fn position(&self, vertex: u32) -> DVec3 {
        self.positions[vertex as usize]
    }

    /// How many neighbours a vertex has (exact for manifold vertices).
    pub(super) fn valence(&self, vertex: u32) -> usize {
        self.fans.of(vertex).len() + usize::from(self.star(vertex) == Star::HalfDisc)
    }

    /// Writes the ring of a vertex into `ring`.
    pub(super) fn ring(&self, vertex: u32, ring: &mut Ring) {
        ring.clear();
        ring.extend(self.fans.of(vertex).iter().map(|&t| {
            let [a, b, c] = self.triangles[t as usize];
            if a == vertex {
                [b, c]
            } else if b == vertex {
                [c, a]
            } else {
                [a, b]
            }
        }));
    }

    /// Whether the collapse of `removed`, whose ring is given, into its neighbour `target` keeps
    /// the topology.
    ///
    /// The star of `removed` is a disc or half a disc; the collapse fills its outline with a fan
    /// around `target`. So nothing goes wrong exactly if the edges and triangles of that fan do
    /// not exist yet, and if something is left of the component: the link condition.
    pub(super) fn keeps_topology(&self, removed: u32, ring: &[[u32; 2]], target: u32) -> bool {
        let mut opposite = [u32::MAX; 2];
        let mut dying = 0;
        for &[a, b] in ring {
            if a == target || b == target {
                if dying < 2 {
                    opposite[dying] = if a == target { b } else { a };
                }
                dying += 1;
            }
        }
        let expected = if self.star(removed) == Star::Disc { 2 } else { 1 };
        if dying != expected || opposite[0] == opposite[1] {
            return false;
        }
        let both_opposite = |a: u32, b: u32| opposite.contains(&a) && opposite.contains(&b);
        let closes_triangle = ring.iter().any(|&[a, b]| both_opposite(a, b));
        let is_ear = ring.len() == 1;
        let mut ear_has_base = false;
        for &t in self.fans.of(target) {
            let corners = self.triangles[t as usize];
            if corners.contains(&removed) {
                continue;
            }
            let mut met = 0;
            for vertex in corners.into_iter().filter(|&v| v != target) {
                if opposite.contains(&vertex) {
                    met += 1;
                } else if ring.iter().any(|pair| pair.contains(&vertex)) {
                    return false; // a second edge between `target` and `vertex`
                }
            }
            if met == 2 && closes_triangle {
                return false; // a second triangle on the same three vertices
            }
            ear_has_base |= met > 0;
        }
        !is_ear || ear_has_base
    }

    /// Collapses `removed` into `target`.
    pub(super) fn collapse(&mut self, removed: u32, target: u32) {
        for place in 0..self.fans.of(removed).len() {
            let t = self.fans.of(removed)[place];
            let corners = &mut self.triangles[t as usize];
            if corners.contains(&target) {
                let dying = std::mem::replace(corners, DEAD);
                self.live -= 1;
                dying.into_iter().filter(|&v| v != removed).for_each(|v| self.fans.remove(v, t));
            } else {
                corners.iter_mut().filter(|v| **v == removed).for_each(|v| *v = target);
                self.fans.push(target, t);
            }
        }
        self.fans.clear(removed);
    }
}

/// Walks around a vertex from triangle to triangle and tells what it finds.
fn classify(ring: &[[u32; 2]]) -> Star {
    if ring.is_empty() || ring.len() > LARGEST_STAR {
        return Star::Irregular;
    }
    // An open fan starts at the triangle whose first edge no other triangle ends in.
    let open_end = (0..ring.len()).find(|&i| ring.iter().all(|pair| pair[1] != ring[i][0]));
    let first = open_end.unwrap_or(0);
    let mut here = first;
    let mut visited = 1;
    let closed = loop {
        let mut following = (0..ring.len()).filter(|&i| ring[i][0] == ring[here][1]);
        let next = following.next();
        if following.next().is_some() || visited > ring.len() {
            return Star::Irregular;
        }
        match next {
            None => break false,
            Some(next) if next == first => break true,
            Some(next) => here = next,
        }
        visited += 1;
    };
    match (visited == ring.len(), open_end.is_some(), closed) {
        (true, false, true) => Star::Disc,
        (true, true, false) => Star::HalfDisc,
        _ => Star::Irregular,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_told_apart() {
        assert_eq!(classify(&[[1, 2], [3, 1], [2, 3]]), Star::Disc);
        assert_eq!(classify(&[[2, 3], [1, 2]]), Star::HalfDisc);
        assert_eq!(classify(&[[1, 2], [3, 4]]), Star::Irregular);
        assert_eq!(classify(&[[1, 2], [2, 3], [2, 4]]), Star::Irregular);
        assert_eq!(classify(&[[1, 2], [3, 2]]), Star::Irregular);
        assert_eq!(classify(&[[1, 2], [1, 3]]), Star::Irregular);
        assert_eq!(classify(&[]), Star::Irregular);
    }

    #[test]
    fn tetrahedron_pillow_and_lone_triangle_cannot_be_collapsed() {
        let positions = [DVec3::ZERO; 4];
        let shapes: [&[[u32; 3]]; 3] =
            [&[[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]], &[[0, 1, 2], [0, 2, 1]], &[[0, 1, 2]]];
        for triangles in shapes {
            let mesh = WorkingMesh::new(&positions, triangles, &[false; 4]);
            let mut ring = Ring::new();
            for removed in 0..3 {
                mesh.ring(removed, &mut ring);
                assert_ne!(mesh.star(removed), Star::Irregular);
                assert!((0..3).all(|target| !mesh.keeps_topology(removed, &ring, target)));
            }
        }
    }

    #[test]
    fn the_centre_of_a_fan_collapses_into_its_rim() {
        let positions = [DVec3::ZERO; 5];
        let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
        let mut mesh = WorkingMesh::new(&positions, &triangles, &[false; 5]);
        let mut ring = Ring::new();
        mesh.ring(0, &mut ring);
        assert!(mesh.keeps_topology(0, &ring, 1));
        mesh.collapse(0, 1);
        assert_eq!(mesh.live, 2);
        assert_eq!((mesh.valence(1), mesh.valence(2), mesh.valence(3)), (3, 2, 3));
    }
}
