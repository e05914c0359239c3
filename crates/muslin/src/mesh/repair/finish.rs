//! The last stage of a repair: number what is left, carry texture coordinates and groups along.

use std::collections::BTreeMap;

use super::{MeshError, RepairReport, TriMesh, Workpiece};

/// No vertex: dropped.
const NONE: u32 = u32::MAX;

impl Workpiece<'_> {
    /// Drops vertices and builds the mesh and the maps of the report.
    pub(super) fn finish(mut self, drop_isolated: bool) -> Result<(TriMesh, RepairReport), MeshError> {
        if self.triangles.is_empty() {
            return Err(MeshError::NoTriangles);
        }
        let positions = &self.mesh.positions;
        let mut kept = vec![false; self.place_of.len()];
        for &vertex in self.triangles.iter().flatten() {
            kept[vertex as usize] = true;
        }
        if !drop_isolated {
            // A vertex that is not finite can never stay, and a welded one is gone already.
            for (v, &to) in self.welded_to.iter().enumerate() {
                kept[v] |= positions[v].is_finite() && to as usize == v;
            }
        }

        let mut new_index = vec![NONE; kept.len()];
        for (working, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
            new_index[working] = self.report.vertex_origins.len() as u32;
            self.report.vertex_origins.push(self.place_of[working]);
        }
        self.report.vertex_map = self
            .welded_to
            .iter()
            .map(|&to| Some(new_index[to as usize]).filter(|&new| new != NONE))
            .collect();
        let survives = |&(v, &to): &(usize, &u32)| to as usize != v || new_index[v] != NONE;
        self.report.dropped_vertices =
            positions.len() - self.welded_to.iter().enumerate().filter(survives).count();

        let mut mesh = TriMesh::new(
            self.report.vertex_origins.iter().map(|&v| positions[v as usize]).collect(),
            self.triangles.iter().map(|corners| corners.map(|v| new_index[v as usize])).collect(),
        );
        mesh.origin = self.mesh.origin;
        mesh.uvs = self.mesh.uvs.as_ref().map(|uvs| {
            let turned = |k: usize| self.flipped.get(k).copied().unwrap_or(false);
            let carry = |(k, &t): (usize, &u32)| {
                let [a, b, c] = uvs[t as usize];
                if turned(k) { [a, c, b] } else { [a, b, c] }
            };
            let own = self.triangles.len() - self.filled.len();
            let mut carried: Vec<_> = self.origin[..own].iter().enumerate().map(carry).collect();
            for corners in &self.filled {
                carried.push(corners.map(|(t, corner)| carried[t as usize][corner]));
            }
            carried
        });
        mesh.groups = self.carry_groups(&new_index);
        mesh.quads = carry_quads(&self.mesh.quads, &self.report.vertex_map, &mesh.triangles);
        self.report.triangle_origins = std::mem::take(&mut self.origin);
        mesh.check()?;
        Ok((mesh, self.report))
    }

    /// Groups over the new vertices: a welded vertex stands for all it was welded from, and the
    /// copies of a split one belong to the same groups, so that a pin holds all of them.
    fn carry_groups(&mut self, new_index: &[u32]) -> BTreeMap<String, Vec<u32>> {
        let vertices = self.mesh.positions.len();
        let mut copies: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for working in (vertices..self.place_of.len()).filter(|&working| new_index[working] != NONE) {
            copies.entry(self.place_of[working]).or_default().push(new_index[working]);
        }
        let mut groups = BTreeMap::new();
        for (name, members) in &self.mesh.groups {
            let mut seen = vec![false; self.report.vertex_origins.len()];
            let mut carried = Vec::with_capacity(members.len());
            for &member in members {
                let Some(&to) = self.welded_to.get(member as usize) else {
                    self.report.dropped_group_members += 1;
                    continue;
                };
                if new_index[to as usize] == NONE {
                    self.report.dropped_group_members += 1;
                    continue;
                }
                let more = copies.get(&to).into_iter().flatten().copied();
                for vertex in std::iter::once(new_index[to as usize]).chain(more) {
                    if !std::mem::replace(&mut seen[vertex as usize], true) {
                        carried.push(vertex);
                    }
                }
            }
            groups.insert(name.clone(), carried);
        }
        groups
    }
}

/// The quads over the new vertices, as far as both of their triangles are still there. Whether these were turned is
/// seen from the triangles, so that a quad goes round as they do.
fn carry_quads(quads: &[[u32; 4]], new: &[Option<u32>], triangles: &[[u32; 3]]) -> Vec<[u32; 4]> {
    let from_least = |[a, b, c]: [u32; 3]| match a.min(b).min(c) {
        least if least == a => [a, b, c],
        least if least == b => [b, c, a],
        _ => [c, a, b],
    };
    let mut known: Vec<[u32; 3]> = triangles.iter().map(|&corners| from_least(corners)).collect();
    known.sort_unstable();
    let has = |corners: [u32; 3]| known.binary_search(&from_least(corners)).is_ok();
    let whole =
        |&[a, b, c, d]: &[u32; 4]| (has([a, b, c]) && has([a, c, d])) || (has([a, b, d]) && has([b, c, d]));
    let carry = |corners: &[u32; 4]| {
        let place = |v: u32| new.get(v as usize).copied().flatten();
        let [a, b, c, d] = corners.map(place);
        let quad = [a?, b?, c?, d?];
        let [a, b, c, d] = quad;
        [quad, [a, d, c, b]].into_iter().find(whole)
    };
    quads.iter().filter_map(carry).collect()
}
