//! Constraint creation ([Kelager2010] §4.1): which vertices are bent over which.
//!
//! Input: a cloth's rest shape. Output: bends, each a base of two vertices and what lies between them: a vertex
//! (rings), or the middle of an edge (edges).

use glam::DVec3;

use crate::hierarchy::vertex_normals;
use crate::mesh::quads::Diagonals;
use crate::mesh::{Hinge, Topology, TriMesh};

/// Directions count as opposite only if the cosine between them is below this. Fig. 6 says 0, by which a right angle
/// would count or not as it is rounded.
const LARGEST_COSINE: f64 = -1e-3;

/// Three vertices of a bend, and two more that tell its sides apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RingBend {
    /// b0 and b1.
    pub base: [u32; 2],
    /// v.
    pub tip: u32,
    /// Neighbours of the tip on either side of the line from b0 to b1, the tip itself where there is none:
    /// (b1 − b0) × (second − first) points outwards.
    pub across: [u32; 2],
}

/// A rest shape to create constraints on.
pub(crate) struct RestShape<'a> {
    pub positions: &'a [DVec3],
    pub mesh: &'a TriMesh,
    pub topology: &'a Topology,
    /// Whether quads are followed where the mesh knows them.
    pub quads: bool,
}

impl RestShape<'_> {
    fn diagonals(&self) -> Diagonals {
        Diagonals::new(self.topology, if self.quads { &self.mesh.quads } else { &[] })
    }

    /// [Kelager2010] Fig. 6: for each neighbour of each vertex the one that lies most nearly opposite.
    ///
    /// `cons` of the figure is new for each vertex (errata 3). Where a neighbour has none opposite, the figure's
    /// line 14 would make a constraint of it with itself; none is made here.
    pub fn rings(&self) -> Vec<RingBend> {
        let diagonals = self.diagonals();
        let normals = vertex_normals(self.positions, &self.mesh.triangles);
        let place = |v: u32| self.positions[v as usize];
        let mut bends = Vec::new();
        for tip in 0..self.positions.len() as u32 {
            let edges = self.topology.vertex_edges.row(tip as usize).iter();
            let ring: Vec<u32> = edges
                .filter(|&&edge| !diagonals.is_diagonal[edge as usize])
                .map(|&edge| other_end(self.topology.edges[edge as usize], tip))
                .collect();
            let ways: Vec<DVec3> =
                ring.iter().map(|&v| (place(v) - place(tip)).normalize_or_zero()).collect();
            let mut chosen: Vec<Option<usize>> = vec![None; ring.len()];
            for i in 0..ring.len() {
                let mut best = (LARGEST_COSINE, None);
                for j in 0..ring.len() {
                    let cosine = ways[i].dot(ways[j]);
                    if cosine < best.0 {
                        best = (cosine, Some(j));
                    }
                }
                let Some(opposite) = best.1 else { continue };
                if chosen[opposite] != Some(i) {
                    chosen[i] = Some(opposite);
                    let base = [ring[i], ring[opposite]];
                    bends.push(RingBend { base, tip, across: self.across(base, tip, normals[tip as usize]) });
                }
            }
        }
        bends
    }

    /// The neighbours of the tip that lie farthest to either side of the line along the base.
    fn across(&self, base: [u32; 2], tip: u32, normal: DVec3) -> [u32; 2] {
        let place = |v: u32| self.positions[v as usize];
        let sideways = normal.cross(place(base[1]) - place(base[0])).normalize_or_zero();
        let mut extremes = [(-1e-3, tip), (1e-3, tip)];
        for v in self.topology.neighbours(tip).filter(|v| !base.contains(v)) {
            let reach = (place(v) - place(tip)).normalize_or_zero().dot(sideways);
            if reach < extremes[0].0 {
                extremes[0] = (reach, v);
            }
            if reach > extremes[1].0 {
                extremes[1] = (reach, v);
            }
        }
        extremes.map(|(_, v)| v)
    }

    /// The pairs of triangles over an edge, without those that are the two halves of a quad, and without triangles
    /// that lie on their own back: one vertex cannot be both tips.
    pub fn hinges(&self) -> Vec<Hinge> {
        let diagonals = self.diagonals();
        let inner = |hinge: &&Hinge| {
            let [a, b] = hinge.edge;
            let edge = self.topology.edges.binary_search(&[a.min(b), a.max(b)]);
            hinge.opposite[0] != hinge.opposite[1] && edge.is_ok_and(|edge| !diagonals.is_diagonal[edge])
        };
        self.topology.hinges.iter().filter(inner).copied().collect()
    }
}

fn other_end([a, b]: [u32; 2], from: u32) -> u32 {
    if a == from { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;
    use glam::{Affine3A, Vec3};

    fn with<T>(mesh: &TriMesh, quads: bool, work: impl FnOnce(&RestShape<'_>) -> T) -> T {
        let positions: Vec<DVec3> = mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let topology = Topology::new(positions.len(), &mesh.triangles);
        work(&RestShape { positions: &positions, mesh, topology: &topology, quads })
    }

    /// [Kelager2010] Table 1: 160 triangle bending constraints and sticks, 144 dihedral ones, however the fabric is
    /// turned.
    #[test]
    fn the_rigid_fabric_of_ten_by_ten_has_160_rings_and_144_hinges() {
        for angle in [0.0f32, 0.3, 2.0] {
            let turn = Affine3A::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), angle);
            let mesh = generate::grid(9, 9, 1.0, 1.0).unwrap().transformed(turn);
            assert_eq!(with(&mesh, true, |shape| (shape.rings().len(), shape.hinges().len())), (160, 144));
            // As triangles: the diagonals are edges, too: 8² straight ones more, and all inner edges.
            assert_eq!(
                with(&mesh, false, |shape| (shape.rings().len() > 160, shape.hinges().len())),
                (true, 225)
            );
        }
    }

    #[test]
    fn bends_are_straight_and_made_once() {
        let mesh = generate::delaunay_rectangle(1.0, 1.0, 400, 5).unwrap();
        let bends = with(&mesh, true, |shape| shape.rings());
        let place = |v: u32| mesh.positions[v as usize];
        for bend in &bends {
            let [a, b] = bend.base.map(|v| place(v) - place(bend.tip));
            assert!(a != b && a.dot(b) < 0.0);
            let [first, second] = bend.across.map(place);
            let outwards = (place(bend.base[1]) - place(bend.base[0])).cross(second - first);
            assert!(outwards.z > 0.0, "{bend:?}");
        }
        let mut seen: Vec<(u32, u32, u32)> =
            bends.iter().map(|b| (b.tip, b.base[0].min(b.base[1]), b.base[0].max(b.base[1]))).collect();
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count);
    }
}
