//! Held particles: the texels that pinned vertices hold.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DVec2, DVec3};

use crate::math::proximity::closest_in_triangle;
use crate::solver::multilevel::charts::{Charts, NONE};
use crate::solver::multilevel::lattice::{Lattice, Square, Walk};

/// A texel that moves with pinned vertices: its place is Σ weight·vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Held {
    pub texel: u32,
    /// Pinned ones only; some are named twice with weight 0 where fewer than three matter.
    pub vertices: [u32; 3],
    /// None negative, of sum 1.
    pub weights: [f32; 3],
}

/// How far from the pinned set texels are held, in steps: every point of the plane has a texel that near.
const NEAR: f64 = FRAC_1_SQRT_2 + 1e-6;

/// How far the nearest covered texel of a pinned vertex is looked for, in steps.
const REACH: f64 = 3.0;

/// The texels that pins hold, ascending: those near the pinned set (vertices, edges between them, triangles of three),
/// in the same patch and not across a cut; each at the nearest point of the set. A pinned vertex holds at least the
/// nearest covered texel.
pub(crate) fn held_texels(
    charts: &Charts,
    lattice: &Lattice,
    triangles: &[[u32; 3]],
    pinned: &[bool],
) -> Vec<Held> {
    let mut search = Search { walk: Walk::new(charts), lattice, triangles, best: BTreeMap::new() };
    let pinned_corners =
        |t: usize| -> Vec<usize> { (0..3).filter(|&k| pinned[triangles[t][k] as usize]).collect() };
    for t in 0..triangles.len() {
        let corners = pinned_corners(t);
        if !corners.is_empty() {
            search.hold_near(t as u32, &corners, NEAR);
        }
    }
    let firsts = charts.place_corners();
    for (&vertex, &(t, corner)) in charts.place_vertex.iter().zip(&firsts) {
        if pinned[vertex as usize] {
            search.hold_nearest(t, corner);
        }
    }
    search.best.into_values().map(|(_, held)| held).collect()
}

struct Search<'a> {
    walk: Walk<'a>,
    lattice: &'a Lattice,
    triangles: &'a [[u32; 3]],
    /// Per texel the squared distance in steps, and what holds it.
    best: BTreeMap<u32, (f64, Held)>,
}

impl Search<'_> {
    /// Holds all texels within `reach` of the part of a triangle that has the given corners.
    fn hold_near(&mut self, triangle: u32, corners: &[usize], reach: f64) {
        for (distance_sq, held) in self.candidates(triangle, corners, reach) {
            self.take(distance_sq, held);
        }
    }

    /// Holds the nearest texel of a place.
    fn hold_nearest(&mut self, triangle: u32, corner: usize) {
        let near = self.candidates(triangle, &[corner], REACH);
        // The first of those as near: texels ascend.
        if let Some((distance_sq, held)) = near.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
            self.take(distance_sq, held);
        }
    }

    fn take(&mut self, distance_sq: f64, held: Held) {
        let entry = self.best.entry(held.texel).or_insert((distance_sq, held));
        if distance_sq < entry.0 {
            *entry = (distance_sq, held);
        }
    }

    /// The covered, connected texels within `reach` of a triangle's part, with the squared distance, ascending.
    fn candidates(&mut self, triangle: u32, corners: &[usize], reach: f64) -> Vec<(f64, Held)> {
        let all = self.lattice.corners(self.walk.charts, triangle);
        // A part with fewer corners is a triangle that is a line or a point.
        let chosen: [usize; 3] = std::array::from_fn(|k| corners[k.min(corners.len() - 1)]);
        let part = chosen.map(|k| all[k]);
        let low = (part[0].min(part[1]).min(part[2]) - reach).ceil().max(DVec2::ZERO);
        let high = (part[0].max(part[1]).max(part[2]) + reach).floor();
        let [columns, rows] = self.lattice.size;
        let mut found = Vec::new();
        for row in low.y as usize..rows.min(high.y as usize + 1) {
            for column in low.x as usize..columns.min(high.x as usize + 1) {
                let texel = (row * columns + column) as u32;
                if self.lattice.coverage[texel as usize] == 0.0 {
                    continue;
                }
                let centre = self.lattice.centre(texel);
                let around = part.map(|p| (p - centre).extend(0.0));
                let nearest = closest_in_triangle(DVec3::ZERO, around);
                let [a, b, c] = nearest.weights;
                let point = part[0] * a + part[1] * b + part[2] * c;
                if nearest.distance_sq > reach * reach || !self.belongs(triangle, texel, point) {
                    continue;
                }
                let weights = [1.0 - b as f32 - c as f32, b as f32, c as f32].map(|w| w.max(0.0));
                let vertices = chosen.map(|k| self.triangles[triangle as usize][k]);
                found.push((nearest.distance_sq, Held { texel, vertices, weights }));
            }
        }
        found
    }

    /// Whether a texel hangs together with a point of a triangle.
    fn belongs(&mut self, triangle: u32, texel: u32, point: DVec2) -> bool {
        let owner = self.lattice.triangle_of(texel);
        let inside = Square::cell(self.lattice.centre(texel)).around(Square { low: point, high: point });
        owner != NONE && self.walk.connected(self.lattice, triangle, owner, inside.grown(1e-3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{TriMesh, generate};
    use crate::solver::multilevel::test_meshes::{charts, slit};
    use glam::Vec3;

    fn held(mesh: &TriMesh, spacing: f64, pinned: impl Fn(Vec3) -> bool) -> (Lattice, Vec<Held>) {
        let charts = charts(mesh);
        let lattice = Lattice::new(&charts, &mesh.triangles, spacing).unwrap();
        let pinned: Vec<bool> = mesh.positions.iter().map(|&p| pinned(p)).collect();
        let held = held_texels(&charts, &lattice, &mesh.triangles, &pinned);
        for one in &held {
            let sum: f32 = one.weights.iter().sum();
            assert!(one.weights.iter().all(|&w| w >= 0.0) && (sum - 1.0).abs() < 1e-6);
            assert!(one.vertices.iter().all(|&v| pinned[v as usize]));
        }
        assert!(held.is_sorted_by(|a, b| a.texel < b.texel));
        (lattice, held)
    }

    fn point(mesh: &TriMesh, held: &Held) -> Vec3 {
        (0..3).map(|k| held.weights[k] * mesh.positions[held.vertices[k] as usize]).sum()
    }

    #[test]
    fn a_pinned_side_holds_its_row_and_nothing_else() {
        let mesh = generate::grid(5, 5, 1.0, 1.0).unwrap();
        let (lattice, held) = held(&mesh, 0.02, |p| p.y == 1.0);
        let columns = lattice.size[0];
        assert_eq!(held.len(), 51);
        for (k, one) in held.iter().enumerate() {
            assert_eq!(one.texel as usize, 50 * columns + k);
            assert!(point(&mesh, one).distance(Vec3::new(0.02 * k as f32, 1.0, 0.0)) < 1e-6);
        }
    }

    #[test]
    fn a_pinned_corner_holds_one_texel_and_a_pinned_triangle_its_inside() {
        let mesh = generate::grid(5, 5, 1.0, 1.0).unwrap();
        let (_, one) = held(&mesh, 0.02, |p| p.x == 0.0 && p.y == 0.0);
        assert_eq!((one.len(), one[0].texel as usize, one[0].vertices), (1, 0, [0; 3]));
        // Three corners of the lowest left cell: the triangle between has 66 texels inside and on its sides; those a
        // step outside its long side are nearer than 1/√2 too where a diagonal passes between centres: none further.
        let (lattice, held) = held(&mesh, 0.02, |p| p.x < 0.3 && p.y < 0.3 && !(p.x < 0.1 && p.y > 0.1));
        let metres = |h: &Held| lattice.origins[0] + 0.02 * lattice.centre(h.texel);
        let inside = held.iter().filter(|h| metres(h).y <= metres(h).x + 1e-9).count();
        assert_eq!(inside, 66);
        for one in &held {
            let (texel, point) = (metres(one), point(&mesh, one).truncate().as_dvec2());
            assert!(texel.distance(point) <= 0.02 * (FRAC_1_SQRT_2 + 1e-5), "{texel} {point}");
        }
    }

    #[test]
    fn a_vertex_between_texels_holds_up_to_four_of_them() {
        let mesh = generate::grid(2, 2, 1.0, 1.0).unwrap();
        // The centre at 0.5 lies in the middle between centres 12.5 steps from the side.
        let (_, held) = held(&mesh, 0.04, |p| p.x == 0.5 && p.y == 0.5);
        assert_eq!(held.len(), 4);
    }

    #[test]
    fn pins_do_not_reach_across_a_slit() {
        let mesh = slit(8);
        let left = |p: Vec3| p.x == 0.5 && p.y < 0.5;
        let charts = charts(&mesh);
        let lattice = Lattice::new(&charts, &mesh.triangles, 0.0305).unwrap();
        // Centres 0.4 steps left and 0.6 steps right of the slit: both near. The first of the two banks only is pinned;
        // copies come last.
        let first = mesh.positions.len() - 4;
        let pinned: Vec<bool> =
            mesh.positions.iter().enumerate().map(|(v, &p)| v < first && left(p)).collect();
        let held = held_texels(&charts, &lattice, &mesh.triangles, &pinned);
        assert!(held.len() > 8);
        for one in &held {
            let x = lattice.origins[0].x + 0.0305 * lattice.centre(one.texel).x;
            assert!(x < 0.5, "{x}");
        }
    }

    #[test]
    fn every_pinned_vertex_of_an_irregular_outline_holds_something() {
        let mesh = crate::solver::multilevel::test_meshes::curvy_with_holes(500, 8);
        let charts = charts(&mesh);
        let lattice = Lattice::new(&charts, &mesh.triangles, 0.017).unwrap();
        for v in 0..mesh.positions.len() {
            let pinned: Vec<bool> = (0..mesh.positions.len()).map(|w| w == v).collect();
            let held = held_texels(&charts, &lattice, &mesh.triangles, &pinned);
            assert!((1..=4).contains(&held.len()) && held.iter().all(|one| one.vertices == [v as u32; 3]));
        }
    }
}
