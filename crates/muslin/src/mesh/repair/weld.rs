//! Which vertices are at the same place, exactly or within a tolerance.

use std::collections::HashMap;

use glam::{I64Vec3, Vec3};

use crate::mesh::validate::places;

/// For each vertex the one that stands for it, itself or one with a lower index. Vertices that
/// stand for others are farther apart than the tolerance, so welding twice changes nothing more.
/// Those that are not finite stand for themselves.
pub(super) fn weld(positions: &[Vec3], tolerance: f32) -> Vec<u32> {
    if tolerance > 0.0 { weld_near(positions, f64::from(tolerance)) } else { weld_exact(positions) }
}

fn weld_exact(positions: &[Vec3]) -> Vec<u32> {
    let mut standing_for: Vec<u32> = (0..positions.len() as u32).collect();
    for group in places(positions).chunk_by(|a, b| a.0 == b.0) {
        for &(_, vertex) in group {
            standing_for[vertex as usize] = group[0].1;
        }
    }
    standing_for
}

/// In the order of the indices, a vertex joins the lowest earlier representative within the
/// tolerance or becomes one. (Joining chains of near vertices instead could pull a whole fine
/// mesh into a point.)
fn weld_near(positions: &[Vec3], tolerance: f64) -> Vec<u32> {
    // Cells at least as large as the tolerance: whoever is near is in one of 27 cells. The second
    // bound keeps cell numbers small where the tolerance is tiny beside the coordinates.
    let finite = || positions.iter().filter(|p| p.is_finite());
    let reach = finite().fold(0.0, |reach: f64, p| reach.max(f64::from(p.abs().max_element())));
    let cell_size = tolerance.max(reach * 1e-9);
    let mut cells: HashMap<I64Vec3, Vec<u32>> = HashMap::new(); // looked up, never iterated
    let mut standing_for: Vec<u32> = (0..positions.len() as u32).collect();
    for (v, position) in positions.iter().enumerate().filter(|(_, p)| p.is_finite()) {
        let position = position.as_dvec3();
        let cell = (position / cell_size).floor().as_i64vec3();
        let near = |&r: &u32| positions[r as usize].as_dvec3().distance(position) <= tolerance;
        let representative = (0..27)
            .filter_map(|k| cells.get(&(cell + I64Vec3::new(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1))))
            .flat_map(|members| members.iter().copied().filter(near))
            .min();
        match representative {
            Some(representative) => standing_for[v] = representative,
            None => cells.entry(cell).or_default().push(v as u32),
        }
    }
    standing_for
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_vertices_join_the_first_across_cell_borders() {
        let positions: Vec<Vec3> = [0.99, 1.01, 1.04, 3.0, f32::NAN].map(|x| Vec3::X * x).to_vec();
        assert_eq!(weld(&positions, 0.03), [0, 0, 2, 3, 4]);
        assert_eq!(weld(&positions, 0.0), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_tiny_tolerance_far_from_the_origin_works() {
        let positions = [Vec3::MAX, Vec3::MIN, Vec3::MAX, Vec3::ZERO];
        assert_eq!(weld(&positions, f32::MIN_POSITIVE), [0, 1, 0, 3]);
        assert_eq!(weld(&positions, f32::MAX), [0, 1, 0, 3]);
    }
}
