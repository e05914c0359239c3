//! The hierarchy of meshes, from the coarsest to the one the user gave.
//!
//! Input: a mesh, its fixed vertices, [`HierarchyOptions`]. Output: [`Hierarchy`]. The mesh need
//! not be manifold, nor in one piece; what cannot be coarsened stays as it is.

use glam::DVec3;

use super::decimate::{boundary_corners, decimate};
use super::options::{HierarchyError, HierarchyOptions, Nesting};
use super::transfer::{self, Transfer};
use crate::mesh::{Topology, TriMesh};

/// A level that would lose less than this part of its triangles is not worth its cost.
const SMALLEST_REMOVAL: f64 = 0.05;

/// One mesh of a hierarchy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Rest positions in metres.
    pub positions: Vec<DVec3>,
    /// Three vertex indices per triangle, with the orientation of the input.
    pub triangles: Vec<[u32; 3]>,
    /// For each vertex the vertex of the next finer level it came from, ascending; empty on the
    /// finest level.
    pub finer_vertex: Vec<u32>,
    /// For each vertex, whether it is fixed. Fixed vertices are on every level.
    pub fixed: Vec<bool>,
}

/// Meshes of growing resolution and what carries values between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hierarchy {
    /// Level 0 is the coarsest; the last one is the input mesh with its own numbering.
    pub levels: Vec<Level>,
    /// `transfers[l]` goes between `levels[l]` and `levels[l + 1]`.
    pub transfers: Vec<Transfer>,
    /// How many levels were asked for. There are fewer in `levels` if the mesh could not be
    /// coarsened as often.
    pub requested_levels: usize,
}

impl Hierarchy {
    /// The level that is the input mesh.
    pub fn finest(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    /// The triangles of all levels together.
    pub fn total_triangles(&self) -> usize {
        self.levels.iter().map(|level| level.triangles.len()).sum()
    }

    /// For each vertex of a level its number on the finest level.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn finest_vertices(&self, level: usize) -> Vec<u32> {
        let mut vertices: Vec<u32> = (0..self.levels[level].positions.len() as u32).collect();
        for coarser in &self.levels[level..self.levels.len() - 1] {
            vertices.iter_mut().for_each(|v| *v = coarser.finer_vertex[*v as usize]);
        }
        vertices
    }
}

/// Builds the hierarchy of a mesh. Vertices with `fixed[v]` set are on every level.
pub fn build(
    mesh: &TriMesh,
    fixed: &[bool],
    options: &HierarchyOptions,
) -> Result<Hierarchy, HierarchyError> {
    options.check()?;
    mesh.check()?;
    if fixed.len() != mesh.positions.len() {
        return Err(HierarchyError::FixedCount { fixed: fixed.len(), vertices: mesh.positions.len() });
    }
    let mut level = Level {
        positions: mesh.positions.iter().map(|p| p.as_dvec3()).collect(),
        triangles: mesh.triangles.clone(),
        finer_vertex: Vec::new(),
        fixed: fixed.to_vec(),
    };
    let mut corners = boundary_corners(&level.positions, &level.triangles);
    let mut hierarchy = Hierarchy { requested_levels: options.levels, ..Hierarchy::default() };
    // The ideal numbers of triangles are followed, so that rounding does not add up.
    let mut ideal = level.triangles.len() as f64;
    for _ in 1..options.levels {
        ideal *= 1.0 - options.removal;
        if ideal.round() < options.fewest_triangles as f64 {
            break;
        }
        let Some((coarser, transfer)) = coarsen(&level, &mut corners, ideal.round() as usize, options) else {
            break;
        };
        hierarchy.levels.push(std::mem::replace(&mut level, coarser));
        hierarchy.transfers.push(transfer);
    }
    hierarchy.levels.push(level);
    hierarchy.levels.reverse();
    hierarchy.transfers.reverse();
    Ok(hierarchy)
}

/// The next coarser level of about `target` triangles and the transfer to it, or `None` if too
/// little can be removed. `corners` marks the boundary corners, before on the fine level and
/// afterwards on the coarse one.
fn coarsen(
    fine: &Level,
    corners: &mut Vec<bool>,
    target: usize,
    options: &HierarchyOptions,
) -> Option<(Level, Transfer)> {
    let kept: Vec<bool> =
        std::iter::zip(&fine.fixed, &*corners).map(|(&fixed, &corner)| fixed || corner).collect();
    let decimation = decimate(&fine.positions, &fine.triangles, &kept, target);
    let removed = fine.triangles.len() - decimation.triangles.len();
    let enough = SMALLEST_REMOVAL.min(0.5 * options.removal) * fine.triangles.len() as f64;
    if removed == 0 || (removed as f64) < enough {
        return None;
    }
    let finer_vertex = decimation.finer_vertex;
    let on_coarse = |flags: &[bool]| finer_vertex.iter().map(|&v| flags[v as usize]).collect::<Vec<bool>>();
    let stays = on_coarse(&kept);
    *corners = on_coarse(corners);
    let mut coarse = Level {
        positions: finer_vertex.iter().map(|&v| fine.positions[v as usize]).collect(),
        triangles: decimation.triangles,
        fixed: on_coarse(&fine.fixed),
        finer_vertex,
    };
    let transfer = match options.nesting {
        Nesting::Nested => transfer::nested(fine, &coarse, &decimation.coarse_vertex),
        Nesting::NonNested => {
            let on_boundary = Topology::new(fine.positions.len(), &fine.triangles).boundary_vertices();
            transfer::non_nested(fine, &mut coarse, &decimation.coarse_vertex, &stays, &on_boundary)
        }
    };
    Some((coarse, transfer))
}
