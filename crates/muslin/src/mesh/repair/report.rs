//! What a repair did.

use std::fmt;

/// What [`repair`](super::repair) did to a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RepairReport {
    /// Triangles dropped because they named a vertex that does not exist.
    pub dropped_out_of_range: usize,
    /// Triangles dropped because a vertex was not finite.
    pub dropped_non_finite: usize,
    /// Vertices that became one with an earlier vertex.
    pub welded_vertices: usize,
    /// Triangles dropped because they named a vertex twice or had no area.
    pub dropped_degenerate: usize,
    /// Triangles dropped because an earlier one had the same vertices.
    pub dropped_duplicates: usize,
    /// Triangles dropped because they stood as a flap on a surface.
    pub dropped_flaps: usize,
    /// Copies of vertices made to cut non-manifold places apart.
    pub split_vertices: usize,
    /// Triangles turned round.
    pub flipped_triangles: usize,
    /// One triangle (new index) of each piece that cannot be oriented.
    pub non_orientable: Vec<u32>,
    /// Holes that were filled.
    pub filled_holes: usize,
    /// Vertices dropped because they were not finite or no triangle named them any more.
    pub dropped_vertices: usize,
    /// Entries of groups dropped because their vertex did not exist or was dropped.
    pub dropped_group_members: usize,
    /// For each old vertex its new index; `None` if it was dropped. A vertex that was split maps
    /// to the first of its copies.
    pub vertex_map: Vec<Option<u32>>,
    /// For each new vertex the old one whose position it has.
    pub vertex_origins: Vec<u32>,
    /// For each new triangle the old one; for one that fills a hole an old one beside it.
    pub triangle_origins: Vec<u32>,
}

impl RepairReport {
    /// Whether anything was changed.
    pub fn changed(&self) -> bool {
        self.actions().iter().any(|&(count, _)| count > 0)
    }

    /// Each count with its words.
    fn actions(&self) -> [(usize, &'static str); 11] {
        [
            (self.dropped_out_of_range, "triangles with indices out of range dropped"),
            (self.dropped_non_finite, "triangles with vertices that are not finite dropped"),
            (self.welded_vertices, "vertices welded"),
            (self.dropped_degenerate, "degenerate triangles dropped"),
            (self.dropped_duplicates, "duplicate triangles dropped"),
            (self.dropped_flaps, "triangles of flaps dropped"),
            (self.split_vertices, "copies of vertices made at non-manifold places"),
            (self.flipped_triangles, "triangles turned round"),
            (self.filled_holes, "holes filled"),
            (self.dropped_vertices, "vertices dropped"),
            (self.dropped_group_members, "group entries dropped"),
        ]
    }
}

impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<String> = self
            .actions()
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{count} {words}"))
            .collect();
        if lines.is_empty() {
            lines.push("nothing to repair".into());
        }
        for triangle in &self.non_orientable {
            lines.push(format!("the piece with triangle {triangle} cannot be oriented"));
        }
        f.write_str(&lines.join("\n"))
    }
}
