//! `muslin check MESH --intersections`: where a mesh passes through itself.

use muslin::collision::intersections::self_intersections;
use muslin::mesh::TriMesh;
use serde::Serialize;

/// How many pairs are written out.
const EXAMPLES: usize = 10;

/// Pairs of triangles of a mesh that pass through each other.
#[derive(Serialize)]
pub struct SelfIntersections {
    count: usize,
    /// The first few, as the triangles' numbers, counted from 0.
    examples: Vec<[u32; 2]>,
}

impl SelfIntersections {
    /// Finds them; `None` if the mesh is not sound enough to look.
    pub fn of(mesh: &TriMesh) -> Option<Self> {
        mesh.check().ok()?;
        let mut pairs = self_intersections(&mesh.positions, &mesh.triangles);
        let count = pairs.len();
        pairs.sort_unstable();
        pairs.truncate(EXAMPLES);
        Some(Self { count, examples: pairs })
    }

    /// A line about them.
    pub fn text(found: Option<&Self>) -> String {
        let Some(Self { count, examples }) = found else {
            return "self-intersections: not looked for, the mesh is not sound".to_owned();
        };
        let pairs: Vec<String> = examples.iter().map(|[a, b]| format!("{a} and {b}")).collect();
        match (count, examples.len() < *count) {
            (0, _) => "self-intersections: none".to_owned(),
            (_, false) => format!("self-intersections: {count}, of triangles {}", pairs.join(", ")),
            (_, true) => format!("self-intersections: {count}, of triangles {}, …", pairs.join(", ")),
        }
    }
}
