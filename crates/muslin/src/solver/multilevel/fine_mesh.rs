//! The mesh for output and rendering: coarse triangles divided to the resolution of the lattice ([Schmitt2013] §3).

use glam::{Vec2, Vec3, Vec4};

use super::charts::Charts;
use super::constraints::rest::RestShape;
use super::lattice::{Lattice, LatticeError, Stencils, Walk};
use super::mean_edge;
use crate::mesh::reorder::Permutation;
use crate::mesh::{Topology, TriMesh};

/// A mesh whose vertices are read from the lattice. The coarse mesh's vertices come first and keep their numbers; then
/// points of edges (edge by edge, from the smaller vertex on), then points inside triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct FineMesh {
    /// Counter-clockwise like the coarse ones.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates per triangle corner, the cloth's own, if it had any.
    pub uvs: Option<Vec<[Vec2; 3]>>,
    /// A row per vertex; at a seam one stencil for each side.
    pub stencils: Stencils,
}

/// Where the points of a mesh with each side divided into `parts` are numbered.
struct Numbering<'a> {
    topology: &'a Topology,
    triangles: &'a [[u32; 3]],
    parts: usize,
    first_edge_point: usize,
    first_inner_point: usize,
}

impl FineMesh {
    /// Divides every triangle into n², with one n for all so that no cracks open: the mean side of the charts' triangles
    /// becomes as short as the spacing.
    pub fn new(
        mesh: &TriMesh,
        topology: &Topology,
        charts: &Charts,
        lattice: &Lattice,
    ) -> Result<Self, LatticeError> {
        let numbering = Numbering::new(mesh, topology, parts(charts, lattice.spacing));
        let mut stencils = stencils(&numbering, mesh.positions.len(), charts, lattice)?;
        let rest = RestShape::new(lattice, &mesh.positions);
        rest.lift(&mut stencils, &rest_places(&numbering, &mesh.positions));
        let (triangles, uvs) = (Vec::new(), mesh.uvs.as_ref().map(|_| Vec::new()));
        let mut fine = Self { triangles, uvs, stencils };
        let n = numbering.parts;
        for t in 0..mesh.triangles.len() {
            for j in 0..n {
                for i in 0..n - j {
                    let upright = [[i, j], [i + 1, j], [i, j + 1]];
                    let turned = [[i + 1, j], [i + 1, j + 1], [i, j + 1]];
                    let count = if i + j + 2 <= n { 2 } else { 1 };
                    for corners in &[upright, turned][..count] {
                        fine.triangles.push(corners.map(|at| numbering.vertex(t, at)));
                        if let (Some(all), Some(coarse)) = (&mut fine.uvs, &mesh.uvs) {
                            let [a, b, c] = coarse[t];
                            let part = |k: usize| k as f32 / n as f32;
                            all.push(corners.map(|[i, j]| a + part(i) * (b - a) + part(j) * (c - a)));
                        }
                    }
                }
            }
        }
        Ok(fine)
    }
}

impl FineMesh {
    /// The same mesh with the coarse vertices in the user's numbering.
    pub fn for_user(mut self, permutation: &Permutation) -> Self {
        let coarse = permutation.len();
        let mut stencils = Stencils::new();
        for v in 0..self.stencils.rows() {
            let internal = if v < coarse { permutation.old_to_new[v] as usize } else { v };
            stencils.all.extend(self.stencils.row(internal));
            stencils.end_row();
        }
        self.stencils = stencils;
        let user = |v: &mut u32| {
            if let Some(&old) = permutation.new_to_old.get(*v as usize) {
                *v = old;
            }
        };
        self.triangles.as_flattened_mut().iter_mut().for_each(user);
        self
    }

    /// Where its vertices are, for particles at these places.
    pub fn positions(&self, columns: usize, texels: &[Vec4]) -> Vec<Vec3> {
        (0..self.stencils.rows()).map(|v| self.stencils.place(v, columns, texels)).collect()
    }
}

/// Into how many parts each side is divided.
fn parts(charts: &Charts, spacing: f64) -> usize {
    // A mean that exceeds a multiple by rounding alone needs no further part.
    ((mean_edge(charts) / spacing - 1e-6).ceil() as usize).max(1)
}

impl<'a> Numbering<'a> {
    fn new(mesh: &'a TriMesh, topology: &'a Topology, parts: usize) -> Self {
        let first_edge_point = mesh.positions.len();
        let first_inner_point = first_edge_point + topology.edges.len() * (parts - 1);
        Self { topology, triangles: &mesh.triangles, parts, first_edge_point, first_inner_point }
    }

    /// The vertex of triangle `t` at i steps towards its second and j steps towards its third corner.
    fn vertex(&self, t: usize, [i, j]: [usize; 2]) -> u32 {
        let n = self.parts;
        let corners = self.triangles[t];
        match (i, j) {
            (0, 0) => corners[0],
            (i, 0) if i == n => corners[1],
            (0, j) if j == n => corners[2],
            (i, 0) => self.edge_point(t, 0, i),
            (0, j) => self.edge_point(t, 2, n - j),
            (i, j) if i + j == n => self.edge_point(t, 1, j),
            (i, j) => {
                // Row j has n − 1 − j inner points, the rows before it Σ_{m<j} (n − 1 − m).
                let before = (j - 1) * (n - 1) - (j - 1) * j / 2;
                (self.first_inner_point + t * inner_points(n) + before + i - 1) as u32
            }
        }
    }

    /// The point `step` parts along side `k` of triangle `t`.
    fn edge_point(&self, t: usize, k: usize, step: usize) -> u32 {
        let edge = self.topology.triangle_edges[t][k] as usize;
        let forward = self.topology.edges[edge][0] == self.triangles[t][k];
        let step = if forward { step } else { self.parts - step };
        (self.first_edge_point + edge * (self.parts - 1) + step - 1) as u32
    }
}

fn inner_points(n: usize) -> usize {
    (n - 1) * n.saturating_sub(2) / 2
}

/// The places of all points in their order.
fn rest_places(numbering: &Numbering, vertices: &[Vec3]) -> Vec<Vec3> {
    let n = numbering.parts;
    let part = |k: usize| k as f64 / n as f64;
    let mut places = vertices.to_vec();
    for edge in &numbering.topology.edges {
        let [a, b] = edge.map(|v| vertices[v as usize].as_dvec3());
        places.extend((1..n).map(|step| a.lerp(b, part(step)).as_vec3()));
    }
    for corners in numbering.triangles {
        let [a, b, c] = corners.map(|v| vertices[v as usize].as_dvec3());
        for j in 1..n {
            places.extend((1..n - j).map(|i| (a + part(i) * (b - a) + part(j) * (c - a)).as_vec3()));
        }
    }
    places
}

/// The stencils of all points in their order.
fn stencils(
    numbering: &Numbering,
    vertices: usize,
    charts: &Charts,
    lattice: &Lattice,
) -> Result<Stencils, LatticeError> {
    let n = numbering.parts;
    let topology = numbering.topology;
    let mut stencils = super::lattice::vertex_stencils(charts, lattice, vertices)?;
    let mut walk = Walk::new(charts);
    for e in 0..topology.edges.len() {
        let around = topology.edge_triangles.row(e);
        for step in 1..n {
            let mut last = None;
            for &t in around {
                // The second of two neighbours is the same side of the cloth: nothing new.
                if last.is_some_and(|last: u32| charts.neighbours[last as usize].contains(&t)) {
                    continue;
                }
                last = Some(t);
                let side = topology.triangle_edges[t as usize].iter().position(|&edge| edge == e as u32);
                let k = side.unwrap_or_default();
                let forward = topology.edges[e][0] == numbering.triangles[t as usize][k];
                let part = step as f64 / n as f64;
                let mut weights = [0.0; 3];
                weights[k] = if forward { 1.0 - part } else { part };
                weights[(k + 1) % 3] = 1.0 - weights[k];
                stencils.all.push(lattice.stencil(&mut walk, t, charts.point(t, weights))?);
            }
            stencils.end_row();
        }
    }
    for t in 0..numbering.triangles.len() as u32 {
        for j in 1..n {
            for i in 1..n - j {
                let [wb, wc] = [i, j].map(|k| k as f64 / n as f64);
                let point = charts.point(t, [1.0 - wb - wc, wb, wc]);
                stencils.all.push(lattice.stencil(&mut walk, t, point)?);
                stencils.end_row();
            }
        }
    }
    Ok(stencils)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;
    use crate::solver::multilevel::test_meshes::{charts, curvy_with_holes};

    fn fine(mesh: &TriMesh, spacing: f64) -> (FineMesh, Lattice) {
        let charts = charts(mesh);
        let lattice = Lattice::new(&charts, &mesh.triangles, spacing).unwrap();
        let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
        (FineMesh::new(mesh, &topology, &charts, &lattice).unwrap(), lattice)
    }

    #[test]
    fn a_flat_mesh_stays_the_same_surface_without_cracks() {
        let mesh = curvy_with_holes(300, 4);
        let (fine, lattice) = fine(&mesh, 0.02);
        let values = lattice.sample(&mesh.positions);
        let read = |v: usize| fine.stencils.place(v, lattice.size[0], &values);
        let positions: Vec<Vec3> = (0..fine.stencils.rows()).map(read).collect();
        for (v, p) in mesh.positions.iter().enumerate() {
            assert!(positions[v].distance(*p) < 2e-6, "coarse vertices keep their numbers");
        }
        let n_sq = fine.triangles.len() / mesh.triangles.len();
        assert!(n_sq >= 9 && fine.triangles.len() % mesh.triangles.len() == 0);
        let divided = TriMesh::new(positions, fine.triangles.clone());
        assert!((divided.total_area() / mesh.total_area() - 1.0).abs() < 1e-5);
        // Each triangle is a part of its own, equal to the others of its coarse triangle, and turned the same way.
        for (t, corners) in divided.triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|v| divided.positions[v as usize].truncate());
            let share = f64::from((b - a).perp_dot(c - a)) * 0.5 * n_sq as f64 / mesh.area(t / n_sq);
            assert!((share - 1.0).abs() < 0.02, "{share}");
            let uvs = fine.uvs.as_ref().unwrap()[t];
            assert!([a, b, c].iter().zip(uvs).all(|(p, uv)| p.distance(uv) < 3e-6));
        }
        // Vertices are shared: outline edges are n times the coarse ones, and every point is used.
        let (coarse, topology) = (
            Topology::new(mesh.positions.len(), &mesh.triangles),
            Topology::new(fine.stencils.rows(), &fine.triangles),
        );
        let outline =
            |topology: &Topology| (0..topology.edges.len()).filter(|&e| topology.is_boundary_edge(e)).count();
        assert_eq!(outline(&topology).pow(2), outline(&coarse).pow(2) * n_sq);
        assert!(topology.vertex_triangles.iter().all(|around| !around.is_empty()));
    }

    #[test]
    fn seam_points_are_one_vertex_with_a_stencil_on_each_side() {
        let mesh = generate::tube(0.2, 0.5, 24, 6).unwrap();
        let (fine, _) = fine(&mesh, 0.02);
        let topology = Topology::new(fine.stencils.rows(), &fine.triangles);
        // A tube still: two loops, and everything else closed.
        assert_eq!(topology.boundary_loops().len(), 2);
        let n = ((fine.triangles.len() / mesh.triangles.len()) as f64).sqrt() as usize;
        let double = (0..fine.stencils.rows()).filter(|&v| fine.stencils.row(v).len() == 2).count();
        assert_eq!(double, 6 * n + 1);
        assert!((0..fine.stencils.rows()).all(|v| matches!(fine.stencils.row(v).len(), 1 | 2)));
    }

    #[test]
    fn a_spacing_as_large_as_the_triangles_divides_nothing() {
        let mesh = generate::grid(10, 10, 1.0, 1.0).unwrap();
        let (fine, _) = fine(&mesh, 0.15);
        assert_eq!(fine.triangles, mesh.triangles);
        assert_eq!(fine.stencils.rows(), mesh.positions.len());
    }
}
