//! Collisions on a coarser level ([Bender2013] §7 names it as future work): faster, with a larger gap.
//!
//! A coarse mesh of the hierarchy stands in for the cloth. Its vertices are particles of the cloth; where
//! they have to move so that coarse meshes stay apart, the other particles move along by their
//! barycentric weights in the coarse triangles, so each moves as its place on the coarse triangle does.
//! The coarse meshes keep 2 δ more than the gap, where δ is how far particles are from their places at the
//! start of the step, so that in quiet motion the fine meshes keep about the gap. Nothing is guaranteed:
//! δ may grow during the step and is capped at [`LARGEST_DEVIATION`], continuous detection keeps only a
//! part of the enlarged gap, and nothing keeps folds within one coarse triangle apart.
//! docs/collisions.md has the measurements.

use glam::{Vec3, Vec4};

use crate::Error;
use crate::cloth::Cloth;
use crate::hierarchy::{self, Hierarchy, HierarchyOptions};
use crate::math::csr::Csr;
use crate::mesh::TriMesh;

/// δ is at most this part of the mean coarse edge: more would make neighbours push each other away.
const LARGEST_DEVIATION: f32 = 0.25;

/// A coarse mesh that collides in place of a cloth.
#[derive(Clone, Debug)]
pub(super) struct Proxy {
    pub mesh: TriMesh,
    /// For each vertex the particle that it is.
    particles: Vec<u32>,
    /// For each particle the vertices and weights of its place.
    places: Csr<(u32, f32)>,
    largest_deviation: f32,
    /// Inverse masses in 1/kg; 0 where the particle is pinned.
    inverse_masses: Vec<f32>,
    /// Ends of the vertices before collisions, to know how far they were moved.
    loaded: Vec<Vec3>,
}

impl Proxy {
    /// The mesh `coarser` levels above that of a cloth, or as far up as there are levels.
    pub fn new(cloth: &Cloth, coarser: usize) -> Result<Self, Error> {
        let options = HierarchyOptions { levels: coarser + 1, ..HierarchyOptions::default() };
        let fixed = cloth.fixed();
        let hierarchy = hierarchy::build(&cloth.mesh, &fixed, &options)?;
        let level = &hierarchy.levels[0];
        let positions: Vec<Vec3> = level.positions.iter().map(|p| p.as_vec3()).collect();
        let mut masses = cloth.masses.clone();
        for transfer in hierarchy.transfers.iter().rev() {
            masses = transfer.coarse_masses(&masses);
        }
        let inverse = |(&mass, &fixed): (&f64, &bool)| if fixed { 0.0 } else { (1.0 / mass) as f32 };
        let edge = |t: &[u32; 3]| positions[t[0] as usize].distance(positions[t[1] as usize]);
        let mean_edge = level.triangles.iter().map(edge).sum::<f32>() / level.triangles.len().max(1) as f32;
        Ok(Self {
            particles: hierarchy.finest_vertices(0),
            places: places(&hierarchy),
            largest_deviation: LARGEST_DEVIATION * mean_edge,
            inverse_masses: masses.iter().zip(&level.fixed).map(inverse).collect(),
            loaded: vec![Vec3::ZERO; positions.len()],
            mesh: TriMesh::new(positions, level.triangles.clone()),
        })
    }

    /// Takes over where the particles start and end; how far the cloth is from the proxy, metres.
    pub fn load(&mut self, previous: &[Vec4], now: &[Vec4], start: &mut [Vec4], end: &mut [Vec4]) -> f32 {
        for (vertex, &particle) in self.particles.iter().enumerate() {
            // A particle that is held for this step is held here too.
            let held = now[particle as usize].w == 0.0;
            let inverse = if held { 0.0 } else { self.inverse_masses[vertex] };
            start[vertex] = previous[particle as usize].with_w(inverse);
            end[vertex] = now[particle as usize].with_w(inverse);
            self.loaded[vertex] = end[vertex].truncate();
        }
        let off = |particle: usize| {
            let place: Vec3 = self
                .places
                .row(particle)
                .iter()
                .map(|&(v, weight)| start[v as usize].truncate() * weight)
                .sum();
            (previous[particle].truncate() - place).length()
        };
        (0..previous.len()).map(off).fold(0.0, f32::max).min(self.largest_deviation)
    }

    /// Moves the particles along with the vertices.
    pub fn store(&self, end: &[Vec4], now: &mut [Vec4]) {
        let moved: Vec<Vec3> =
            end.iter().zip(&self.loaded).map(|(end, loaded)| end.truncate() - *loaded).collect();
        for (particle, point) in now.iter_mut().enumerate() {
            if point.w > 0.0 {
                let along: Vec3 =
                    self.places.row(particle).iter().map(|&(v, weight)| moved[v as usize] * weight).sum();
                *point += along.extend(0.0);
            }
        }
    }
}

/// For each vertex of the finest level its place on the coarsest: vertices and weights, of sum 1.
fn places(hierarchy: &Hierarchy) -> Csr<(u32, f32)> {
    let coarsest = hierarchy.levels[0].positions.len();
    let mut rows: Vec<Vec<(u32, f32)>> = (0..coarsest as u32).map(|v| vec![(v, 1.0)]).collect();
    for transfer in &hierarchy.transfers {
        let compose = |place: &hierarchy::Interpolation| {
            let mut row: Vec<(u32, f32)> = Vec::new();
            for (&vertex, &weight) in place.vertices.iter().zip(&place.weights) {
                for &(v, own) in rows[vertex as usize].iter().filter(|_| weight != 0.0) {
                    match row.iter_mut().find(|(known, _)| *known == v) {
                        Some((_, sum)) => *sum += weight * own,
                        None => row.push((v, weight * own)),
                    }
                }
            }
            row
        };
        rows = transfer.prolongation.iter().map(compose).collect();
    }
    let pairs = rows.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |&entry| (i as u32, entry)));
    Csr::from_pairs(rows.len(), pairs)
}
