//! A coarse mesh of the hierarchy that collides in place of a cloth, or before it: see `coarse`.
//!
//! Its vertices are particles of the cloth. Where they have to move so that coarse meshes stay apart, the
//! other particles move along by their barycentric weights in the coarse triangles, so each moves as its
//! place on the coarse triangle does.

use glam::{Vec3, Vec4};

use crate::Error;
use crate::cloth::Cloth;
use crate::hierarchy::{self, Hierarchy, HierarchyOptions};
use crate::math::csr::Csr;
use crate::mesh::TriMesh;

/// A coarse mesh that collides in place of a cloth.
#[derive(Clone, Debug)]
pub(super) struct Proxy {
    pub mesh: TriMesh,
    /// For each vertex the particle that it is.
    particles: Vec<u32>,
    /// For each particle the vertices and weights of its place.
    places: Csr<(u32, f32)>,
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
        Ok(Self {
            particles: hierarchy.finest_vertices(0),
            places: places(&hierarchy),
            inverse_masses: masses.iter().zip(&level.fixed).map(inverse).collect(),
            loaded: vec![Vec3::ZERO; positions.len()],
            mesh: TriMesh::new(positions, level.triangles.clone()),
        })
    }

    /// Takes over where the particles start and end.
    pub fn load(&mut self, previous: &[Vec4], now: &[Vec4], start: &mut [Vec4], end: &mut [Vec4]) {
        for (vertex, &particle) in self.particles.iter().enumerate() {
            // A particle that is held for this step is held here too.
            let held = now[particle as usize].w == 0.0;
            let inverse = if held { 0.0 } else { self.inverse_masses[vertex] };
            start[vertex] = previous[particle as usize].with_w(inverse);
            end[vertex] = now[particle as usize].with_w(inverse);
            self.loaded[vertex] = end[vertex].truncate();
        }
    }

    /// Moves the particles along with the vertices.
    pub fn store(&self, end: &[Vec4], now: &mut [Vec4]) {
        let moved: Vec<Vec3> =
            end.iter().zip(&self.loaded).map(|(end, loaded)| end.truncate() - *loaded).collect();
        for (particle, point) in now.iter_mut().enumerate().filter(|(_, point)| point.w > 0.0) {
            *point += self.along(particle, &moved).extend(0.0);
        }
    }

    /// Adds motions of the vertices to places of all particles that can move.
    pub fn prolongate(&self, moved: &[Vec3], now: &[Vec4], places: &mut [Vec4]) {
        for (particle, place) in places.iter_mut().enumerate().filter(|(particle, _)| now[*particle].w > 0.0)
        {
            *place += self.along(particle, moved).extend(0.0);
        }
    }

    /// How far a particle moves along with the vertices.
    fn along(&self, particle: usize, moved: &[Vec3]) -> Vec3 {
        self.places.row(particle).iter().map(|&(v, weight)| moved[v as usize] * weight).sum()
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
