//! Mends what can be mended without guessing at the shape the user meant.
//!
//! Input: any [`TriMesh`]. Output: a mesh that passes [`TriMesh::check`], and a [`RepairReport`]
//! with what was done and where each old vertex went. The stages, in order: drop triangles that
//! cannot be used, weld vertices, drop degenerate and doubled triangles, drop flaps, cut non-manifold
//! places apart, orient, fill small holes, drop vertices without triangles. Every stage keeps the order of
//! what it keeps, so users still recognise their numbering; triangles that fill holes come last.

mod flaps;
mod holes;
mod orient;
mod report;
mod split;
mod weld;

use super::validate::is_degenerate;
use super::{MeshError, TriMesh};

pub use report::RepairReport;

/// What [`repair`] may do. The default does everything except cutting non-manifold places apart,
/// which opens seams, and closing, which is for bodies and not for cloth: both are the user's decision.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields, default)
)]
pub struct RepairOptions {
    /// Vertices no farther apart than this, in metres, become one; 0 welds only those at exactly
    /// the same place; `None` welds nothing.
    pub weld_tolerance: Option<f32>,
    /// Drop triangles that name a vertex twice or have no area.
    pub drop_degenerate: bool,
    /// Drop triangles over the same three vertices as an earlier one.
    pub drop_duplicates: bool,
    /// Drop vertices that no triangle names (any more).
    pub drop_isolated: bool,
    /// Turn triangles so that neighbours agree, following the majority of each piece.
    pub reorient: bool,
    /// Give each fan of triangles its own copy of a vertex, so that no edge has more than two
    /// triangles and no vertex more than one fan.
    pub split_non_manifold: bool,
    /// Drop flaps of at most 16 triangles that stand on a surface (more than two triangles at an edge), and
    /// fill holes with at most 16 edges, so that a body that is nearly closed becomes closed.
    pub close: bool,
}

impl Default for RepairOptions {
    fn default() -> Self {
        Self {
            weld_tolerance: Some(0.0),
            drop_degenerate: true,
            drop_duplicates: true,
            drop_isolated: true,
            reorient: true,
            split_non_manifold: false,
            close: false,
        }
    }
}

/// Repairs a mesh. Fails if the welding tolerance is negative or not finite, if the texture
/// coordinates do not match the triangles, or if no triangle is left.
///
/// # Limits
/// Slivers are kept: removing them changes the shape. A piece that cannot be oriented (a Möbius
/// strip) keeps one line where neighbours disagree and is named in the report. Without
/// [`split_non_manifold`](RepairOptions::split_non_manifold), triangles do not agree across
/// non-manifold edges either.
pub fn repair(mesh: &TriMesh, options: &RepairOptions) -> Result<(TriMesh, RepairReport), MeshError> {
    if let Some(tolerance) = options.weld_tolerance
        && !(tolerance >= 0.0 && tolerance.is_finite())
    {
        return Err(MeshError::InvalidTolerance(tolerance));
    }
    if let Some(uvs) = &mesh.uvs
        && uvs.len() != mesh.triangles.len()
    {
        return Err(MeshError::UvCount { uvs: uvs.len(), triangles: mesh.triangles.len() });
    }
    if mesh.positions.len() > 1 << 31 {
        return Err(MeshError::TooLarge(mesh.positions.len()));
    }

    let mut work = Workpiece::new(mesh);
    work.drop_unusable();
    if let Some(tolerance) = options.weld_tolerance {
        work.weld(tolerance);
    }
    if options.drop_degenerate {
        work.drop_degenerate();
    }
    if options.drop_duplicates {
        work.drop_duplicates();
    }
    if options.close {
        work.drop_flaps();
    }
    if options.split_non_manifold {
        work.split();
    }
    if options.reorient {
        work.orient();
    }
    if options.close {
        work.fill_holes();
    }
    work.finish(options.drop_isolated)
}

/// A mesh under repair.
struct Workpiece<'a> {
    mesh: &'a TriMesh,
    /// The triangles kept so far, over working vertices: first those of the mesh, then copies.
    triangles: Vec<[u32; 3]>,
    /// For each of them the triangle of the mesh that it was.
    origin: Vec<u32>,
    /// For each of them whether it was turned; empty if nothing was oriented.
    flipped: Vec<bool>,
    /// For each vertex of the mesh the one that it was welded to (itself if to none).
    welded_to: Vec<u32>,
    /// For each working vertex the vertex of the mesh whose position it has.
    place_of: Vec<u32>,
    /// For each corner of the last triangles, which fill holes, the corner of another that it continues.
    filled: Vec<[(u32, usize); 3]>,
    report: RepairReport,
}

impl<'a> Workpiece<'a> {
    fn new(mesh: &'a TriMesh) -> Self {
        let vertices: Vec<u32> = (0..mesh.positions.len() as u32).collect();
        Self {
            mesh,
            triangles: mesh.triangles.clone(),
            origin: (0..mesh.triangles.len() as u32).collect(),
            flipped: Vec::new(),
            welded_to: vertices.clone(),
            place_of: vertices,
            filled: Vec::new(),
            report: RepairReport::default(),
        }
    }

    /// Keeps the triangles for which `keep` holds; returns how many were dropped.
    fn retain(&mut self, mut keep: impl FnMut([u32; 3]) -> bool) -> usize {
        let before = self.triangles.len();
        let kept: Vec<bool> = self.triangles.iter().map(|&corners| keep(corners)).collect();
        let mut flags = kept.iter().copied();
        self.triangles.retain(|_| flags.next().unwrap_or(false));
        let mut flags = kept.iter().copied();
        self.origin.retain(|_| flags.next().unwrap_or(false));
        before - self.triangles.len()
    }

    fn drop_unusable(&mut self) {
        let positions = &self.mesh.positions;
        self.report.dropped_out_of_range =
            self.retain(|corners| corners.iter().all(|&v| (v as usize) < positions.len()));
        self.report.dropped_non_finite =
            self.retain(|corners| corners.iter().all(|&v| positions[v as usize].is_finite()));
    }

    fn weld(&mut self, tolerance: f32) {
        self.welded_to = weld::weld(&self.mesh.positions, tolerance);
        self.report.welded_vertices = (0u32..).zip(&self.welded_to).filter(|&(v, &to)| v != to).count();
        for vertex in self.triangles.iter_mut().flatten() {
            *vertex = self.welded_to[*vertex as usize];
        }
    }

    fn drop_degenerate(&mut self) {
        let mesh = self.mesh;
        self.report.dropped_degenerate = self.retain(|corners| !is_degenerate(mesh, corners));
    }

    fn drop_duplicates(&mut self) {
        let mut sets: Vec<([u32; 3], usize)> = self.triangles.iter().copied().zip(0..).collect();
        sets.iter_mut().for_each(|(corners, _)| corners.sort_unstable());
        sets.sort_unstable();
        let mut first = vec![true; sets.len()];
        for pair in sets.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            first[pair[1].1] = false;
        }
        let mut flags = first.into_iter();
        self.report.dropped_duplicates = self.retain(|_| flags.next().unwrap_or(false));
    }

    /// Which triangles name three different vertices. Others (kept if the user wants so) have
    /// edges that lead nowhere, so the stages that follow edges leave them alone.
    fn proper(&self) -> Vec<usize> {
        let proper = |&t: &usize| {
            let [a, b, c] = self.triangles[t];
            a != b && b != c && c != a
        };
        (0..self.triangles.len()).filter(proper).collect()
    }

    fn split(&mut self) {
        let proper = self.proper();
        let mut triangles: Vec<_> = proper.iter().map(|&t| self.triangles[t]).collect();
        self.report.split_vertices = split::split(&mut triangles, &mut self.place_of);
        for (&t, corners) in proper.iter().zip(triangles) {
            self.triangles[t] = corners;
        }
    }

    fn orient(&mut self) {
        let proper = self.proper();
        let triangles: Vec<_> = proper.iter().map(|&t| self.triangles[t]).collect();
        let oriented = orient::orient(self.place_of.len(), &triangles);
        self.flipped = vec![false; self.triangles.len()];
        for (&t, _) in proper.iter().zip(oriented.flip).filter(|(_, flip)| *flip) {
            self.triangles[t].swap(1, 2);
            self.flipped[t] = true;
            self.report.flipped_triangles += 1;
        }
        let pieces = oriented.non_orientable.iter();
        self.report.non_orientable = pieces.map(|&t| proper[t as usize] as u32).collect();
    }
}

mod finish;
#[cfg(test)]
mod tests;
