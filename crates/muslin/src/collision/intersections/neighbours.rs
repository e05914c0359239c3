//! Triangles of one mesh that share vertices: do they meet anywhere else?
//!
//! Two triangles of the same mesh, by index and position → whether they meet besides in what they share.

use super::exact::{Corners, Point, Simplex, View, along, corners_meet, is_beside_plane, side_of_plane};

/// A triangle of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Indices of its vertices.
    pub vertices: [u32; 3],
    /// Their positions.
    pub corners: Corners,
}

impl Face {
    /// Whether two triangles of one mesh meet where they should not:
    /// - without a common vertex, anywhere;
    /// - with one, anywhere else: they pass through each other, or touch, or lie upon each other;
    /// - with two, besides their common edge: they are folded flat upon each other;
    /// - with three never: a triangle that is there twice is a defect of the mesh, not of its motion.
    ///   So is a triangle that names one vertex twice, and has only vertices of the other.
    pub fn meets(&self, other: &Self) -> bool {
        let shared = |vertex: &u32| other.vertices.contains(vertex);
        let first = (0..3).find(|&k| shared(&self.vertices[k]));
        let Some(first) = first else {
            return corners_meet(self.corners, other.corners);
        };
        let second = (0..3).find(|&k| shared(&self.vertices[k]) && self.vertices[k] != self.vertices[first]);
        let Some(second) = second else {
            let vertex = self.vertices[first];
            return meet_besides_vertex(self.corners[first], self.opposite(vertex), other.opposite(vertex));
        };
        let edge = [self.vertices[first], self.vertices[second]];
        match (self.beyond(edge), other.beyond(edge)) {
            (Some((a_vertex, a)), Some((b_vertex, b))) if a_vertex != b_vertex => {
                meet_besides_edge([self.corners[first], self.corners[second]], a, b)
            }
            _ => false,
        }
    }

    /// The two corners besides one with this vertex.
    fn opposite(&self, vertex: u32) -> [Point; 2] {
        let k = (0..3).find(|&k| self.vertices[k] == vertex).unwrap_or(0);
        [self.corners[(k + 1) % 3], self.corners[(k + 2) % 3]]
    }

    /// The corner that is not on this edge.
    fn beyond(&self, edge: [u32; 2]) -> Option<(u32, Point)> {
        let k = (0..3).find(|&k| !edge.contains(&self.vertices[k]))?;
        Some((self.vertices[k], self.corners[k]))
    }
}

/// Triangles `edge`, `a` and `edge`, `b`: do they meet besides in the edge?
fn meet_besides_edge(edge: [Point; 2], a: Point, b: Point) -> bool {
    let [from, to] = edge;
    if from == to {
        return meet_besides_vertex(from, [from, a], [from, b]);
    }
    if side_of_plane([from, to, a], b) != 0 {
        return false;
    }
    match View::onto([from, to, a]) {
        // In one plane: both on the same side of the edge? A line (b on it) only extends the edge.
        Some(view) => view.turn([from, to, a]) == view.turn([from, to, b]),
        None if View::onto([from, to, b]).is_some() => false,
        // Both are lines: do they extend the edge at the same end?
        None => {
            let [low, high] = if along(from, to).is_le() { [from, to] } else { [to, from] };
            let beyond =
                |p: Point| if along(p, low).is_lt() { -1 } else { i32::from(along(p, high).is_gt()) };
            beyond(a) * beyond(b) > 0
        }
    }
}

/// Triangles `vertex`, `a` and `vertex`, `b`: do they meet besides in the vertex?
///
/// If they meet in a point, they meet along the line from the vertex through that point, up to where
/// it leaves one of them: that is on the edge opposite to the vertex, and still in the other triangle.
fn meet_besides_vertex(vertex: Point, a: [Point; 2], b: [Point; 2]) -> bool {
    let [a_plane, b_plane] = [a, b].map(|[from, to]| [vertex, from, to]);
    if is_beside_plane(a_plane, &b) || is_beside_plane(b_plane, &a) {
        return false;
    }
    let is_flat = || b.iter().all(|&p| side_of_plane(a_plane, p) == 0);
    if let (Some(view), Some(_)) = (View::onto(a_plane), View::onto(b_plane))
        && is_flat()
    {
        return view.angles_meet(vertex, a, b);
    }
    let (a, b) = (Star::new(vertex, a), Star::new(vertex, b));
    a.pieces().any(|(a_end, a_all)| b.pieces().any(|(b_end, b_all)| a_end.meets(b_all) || b_end.meets(a_all)))
}

/// What a triangle consists of, seen from one of its vertices: the triangle itself, or, if its corners
/// are on one line, up to two segments from the vertex. Each as (its end away from the vertex, all of
/// it); the end does not hold the vertex.
struct Star([Option<(Simplex, Simplex)>; 2]);

impl Star {
    fn new(vertex: Point, [a, b]: [Point; 2]) -> Self {
        if let triangle @ Simplex::Triangle(_) = Simplex::spanned_by([vertex, a, b]) {
            return Self([Some((Simplex::between(a, b), triangle)), None]);
        }
        let segment =
            |end| (end != vertex).then(|| (Simplex::between(end, end), Simplex::between(vertex, end)));
        Self([segment(a), segment(b)])
    }

    fn pieces(&self) -> impl Iterator<Item = (Simplex, Simplex)> {
        self.0.into_iter().flatten()
    }
}
