//! temporary
use glam::DVec3;
use super::proximity;
fn advance(start: &[DVec3; 4], end: &[DVec3; 4], separation: f64, vf: bool) -> Option<f64> {
    let u: [DVec3; 4] = std::array::from_fn(|i| end[i] - start[i]);
    let speed = if vf { (0..3).map(|k| (u[0] - u[k + 1]).length()).fold(0.0, f64::max) } else {
        [(0, 2), (0, 3), (1, 2), (1, 3)].iter().map(|&(a, b): &(usize, usize)| (u[a] - u[b]).length()).fold(0.0, f64::max) };
    let mut t = 0.0; let mut tol = 0.0;
    for _ in 0..1000 {
        let x: [DVec3; 4] = std::array::from_fn(|i| start[i] + u[i] * t);
        let d = if vf { let [a, b, c] = proximity::point_triangle(x[0], [x[1], x[2], x[3]]); (x[0] - x[1] * a - x[2] * b - x[3] * c).length() }
            else { let [s, r] = proximity::edge_edge([x[0], x[1]], [x[2], x[3]]); (x[0].lerp(x[1], s) - x[2].lerp(x[3], r)).length() };
        let room = d - separation;
        if t == 0.0 { tol = 1e-2 * room; } if room <= tol { return Some(t); }
        if speed == 0.0 { return None; }
        t += 0.999 * room / speed;
        if t > 1.0 { return None; }
    }
    Some(t)
}
/// a
pub fn point_triangle(start: &[DVec3; 4], end: &[DVec3; 4], separation: f64) -> Option<f64> { advance(start, end, separation, true) }
/// b
pub fn edge_edge(start: &[DVec3; 4], end: &[DVec3; 4], separation: f64) -> Option<f64> { advance(start, end, separation, false) }
