//! Cuts triangles at the near plane and far outside the picture.
//!
//! Behind the eye a projection is meaningless; far outside, whole numbers would overflow.

use glam::Vec3;

/// How far outside the picture triangles are cut, in half pictures.
const GUARD: f32 = 6.0;

/// A triangle has three corners, and each of the five planes adds one at most.
const MOST: usize = 8;

/// What is left of a triangle: a polygon of the first `len` corners.
pub(super) struct Polygon {
    corners: [Vec3; MOST],
    len: usize,
}

impl Polygon {
    fn push(&mut self, corner: Vec3) {
        if self.len < MOST {
            self.corners[self.len] = corner;
            self.len += 1;
        }
    }

    /// The polygon as triangles around its first corner.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        let corners = &self.corners[..self.len];
        corners.windows(2).skip(1).map(move |pair| [corners[0], pair[0], pair[1]])
    }
}

/// Distances to the planes; all are at least zero inside.
fn distances(p: Vec3, near: f32) -> [f32; 5] {
    let reach = GUARD * p.z;
    [p.z - near, reach - p.x, reach + p.x, reach - p.y, reach + p.y]
}

/// Cuts a projected triangle.
pub(super) fn clip(triangle: [Vec3; 3], near: f32) -> Polygon {
    let mut polygon = Polygon { corners: [Vec3::ZERO; MOST], len: 3 };
    polygon.corners[..3].copy_from_slice(&triangle);
    let inside = triangle.iter().all(|&p| distances(p, near).iter().all(|&d| d >= 0.0));
    if inside {
        return polygon;
    }
    for plane in 0..5 {
        let mut kept = Polygon { corners: [Vec3::ZERO; MOST], len: 0 };
        for i in 0..polygon.len {
            let (a, b) = (polygon.corners[i], polygon.corners[(i + 1) % polygon.len]);
            let (da, db) = (distances(a, near)[plane], distances(b, near)[plane]);
            if da >= 0.0 {
                kept.push(a);
            }
            if (da >= 0.0) != (db >= 0.0) {
                kept.push(a.lerp(b, da / (da - db)));
            }
        }
        polygon = kept;
    }
    polygon
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_inside_and_nothing_is_left_of_the_rest() {
        let triangle = [Vec3::new(0.0, 0.0, -1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(900.0, 1.0, 1.0)];
        let cut: Vec<[Vec3; 3]> = clip(triangle, 0.1).triangles().collect();
        assert!(!cut.is_empty());
        for corner in cut.iter().flatten() {
            assert!(distances(*corner, 0.1).iter().all(|&d| d >= -1e-4), "{corner}");
        }
        let behind = triangle.map(|p| p - 5.0 * Vec3::Z);
        assert_eq!(clip(behind, 0.1).triangles().count(), 0);
        let whole = [Vec3::Z, Vec3::Z + Vec3::X, Vec3::Z + Vec3::Y];
        assert_eq!(clip(whole, 0.1).triangles().collect::<Vec<_>>(), [whole]);
    }
}
