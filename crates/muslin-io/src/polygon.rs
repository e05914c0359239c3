//! Cuts polygons into triangles.

use glam::{DVec2, DVec3};

/// Polygons with more corners are always cut into a fan: cutting ears takes cubic time.
const MOST_EAR_CORNERS: usize = 256;

/// Cuts a polygon with at least three corners into triangles, given as positions in `corners`:
/// a fan around the first corner if that is right (it always is for convex polygons), else ear by
/// ear, so that a concave polygon does not fold over itself.
pub(crate) fn triangulate(corners: &[DVec3]) -> Vec<[usize; 3]> {
    let fan = || (2..corners.len()).map(|k| [0, k - 1, k]).collect();
    if corners.len() <= 3 || corners.len() > MOST_EAR_CORNERS {
        return fan();
    }
    let normal = (2..corners.len())
        .map(|k| (corners[k - 1] - corners[0]).cross(corners[k] - corners[0]))
        .sum::<DVec3>()
        .normalize_or_zero();
    let faces_out = |k: usize| (corners[k - 1] - corners[0]).cross(corners[k] - corners[0]).dot(normal) > 0.0;
    if normal == DVec3::ZERO || !normal.is_finite() || (2..corners.len()).all(faces_out) {
        return fan();
    }
    let (u, v) = normal.any_orthonormal_pair();
    let flat: Vec<DVec2> = corners.iter().map(|p| DVec2::new(p.dot(u), p.dot(v))).collect();
    cut_ears(&flat)
}

/// Cuts off corners whose triangle bends outwards and holds no other corner, until three are left.
fn cut_ears(points: &[DVec2]) -> Vec<[usize; 3]> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut triangles = Vec::with_capacity(points.len() - 2);
    while left.len() > 3 {
        let n = left.len();
        let ear_at = |k: usize| [left[(k + n - 1) % n], left[k], left[(k + 1) % n]];
        let is_ear = |&k: &usize| {
            let ear = ear_at(k);
            area(points, ear) > 0.0 && !left.iter().any(|p| !ear.contains(p) && holds(points, ear, *p))
        };
        // A polygon that crosses itself may have no ear; then any corner will do.
        let k = (0..n).find(is_ear).unwrap_or(0);
        triangles.push(ear_at(k));
        left.remove(k);
    }
    triangles.push([left[0], left[1], left[2]]);
    triangles
}

/// Twice the signed area of a triangle, positive if counter-clockwise.
fn area(points: &[DVec2], [a, b, c]: [usize; 3]) -> f64 {
    (points[b] - points[a]).perp_dot(points[c] - points[a])
}

/// Whether a counter-clockwise triangle holds a point, its border included.
fn holds(points: &[DVec2], [a, b, c]: [usize; 3], p: usize) -> bool {
    [[a, b, p], [b, c, p], [c, a, p]].into_iter().all(|side| area(points, side) >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(points: &[[f64; 2]]) -> Vec<DVec3> {
        points.iter().map(|&[x, y]| DVec3::new(x, y, 1.0)).collect()
    }

    #[test]
    fn convex_polygons_become_fans() {
        let square = flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(triangulate(&square), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(triangulate(&square[..3]), [[0, 1, 2]]);
    }

    #[test]
    fn concave_polygons_do_not_fold_over() {
        let arrow = flat(&[[0.0, 0.0], [2.0, -1.0], [0.5, 0.0], [2.0, 1.0]]);
        let comb = flat(&[
            [4.0, 0.0],
            [4.0, 2.0],
            [3.0, 0.5],
            [2.0, 2.0],
            [1.0, 0.5],
            [0.0, 2.0],
            [0.0, 0.0],
            [2.0, -1.0],
        ]);
        for mut polygon in [arrow, comb] {
            for _ in 0..polygon.len() {
                polygon.rotate_left(1);
                let signed =
                    |[a, b, c]: [usize; 3]| (polygon[b] - polygon[a]).cross(polygon[c] - polygon[a]).z / 2.0;
                let areas: Vec<f64> = triangulate(&polygon).into_iter().map(signed).collect();
                let whole: f64 = (2..polygon.len()).map(|k| signed([0, k - 1, k])).sum();
                assert!(areas.iter().all(|&area| area > 0.0), "{areas:?}");
                assert!((areas.iter().sum::<f64>() - whole).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn broken_polygons_still_give_the_right_count() {
        let bow_tie = flat(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.3, 0.2]]);
        assert_eq!(triangulate(&bow_tie).len(), 3);
        assert_eq!(triangulate(&[DVec3::NAN; 6]).len(), 4);
        assert_eq!(triangulate(&[DVec3::ZERO; 5]).len(), 3);
        assert_eq!(triangulate(&vec![DVec3::X; 5000]).len(), 4998);
    }
}
