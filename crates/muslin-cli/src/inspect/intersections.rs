//! `muslin check MESH --intersections`: where a mesh passes through itself.

use muslin::collision::intersections::self_intersections_among;
use muslin::mesh::TriMesh;
use serde::Serialize;

/// How many pairs are written out.
const EXAMPLES: usize = 10;

/// How many pairs of triangles whose boxes overlap are looked at: some seconds. Sound meshes have about ten per triangle.
const MOST_PAIRS: usize = 4_000_000;
const MOST_PAIRS_PER_TRIANGLE: usize = 32;

/// Pairs of triangles of a mesh that pass through each other.
#[derive(Serialize)]
pub struct SelfIntersections {
    count: usize,
    /// The first few, as the triangles' numbers, counted from 0.
    examples: Vec<[u32; 2]>,
}

impl SelfIntersections {
    /// Finds them; why not if they are not looked for.
    pub fn of(mesh: &TriMesh) -> Result<Self, String> {
        mesh.check().map_err(|_| "the mesh is not sound".to_owned())?;
        let most = MOST_PAIRS.max(MOST_PAIRS_PER_TRIANGLE * mesh.triangles.len());
        let found = self_intersections_among(&mesh.positions, &mesh.triangles, most);
        let mut pairs = found.ok_or_else(|| {
            format!("too many triangles lie at one place, more than {most} pairs of them near each other")
        })?;
        let count = pairs.len();
        pairs.sort_unstable();
        pairs.truncate(EXAMPLES);
        Ok(Self { count, examples: pairs })
    }

    /// A line about them.
    pub fn text(found: &Result<Self, String>) -> String {
        let Self { count, examples } = match found {
            Ok(found) => found,
            Err(why) => return format!("self-intersections: not looked for, {why}"),
        };
        let pairs: Vec<String> = examples.iter().map(|[a, b]| format!("{a} and {b}")).collect();
        match (count, examples.len() < *count) {
            (0, _) => "self-intersections: none".to_owned(),
            (_, false) => format!("self-intersections: {count}, of triangles {}", pairs.join(", ")),
            (_, true) => format!("self-intersections: {count}, of triangles {}, …", pairs.join(", ")),
        }
    }
}
