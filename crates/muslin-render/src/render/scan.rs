//! Which pixels a triangle covers.
//!
//! Corners are snapped to 1/256 of a pixel and compared in whole numbers, so that two triangles
//! with a common edge leave no gap and share no pixel.

const FRACTION: f64 = 256.0;
/// Beyond any coordinate in fractions: made positive by it, numbers are rounded by truncation.
/// (Without newer instructions `round` is a function call.)
const OFFSET: i64 = 1 << 40;
const BITS: u32 = 8;

/// A corner in pixels; the middle of the first pixel is (0.5, 0.5).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    pub x: f32,
    pub y: f32,
    /// Any value that varies linearly over the picture.
    pub depth: f32,
}

/// A rectangle of pixels: from `low` to before `high`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub low: [i64; 2],
    pub high: [i64; 2],
}

/// A pixel's middle counts as inside if it lies on an upper or left edge.
fn owns_its_points([dx, dy]: [i64; 2]) -> bool {
    dy < 0 || (dy == 0 && dx > 0)
}

/// The pixels whose middle is between two coordinates: from the first to before the second.
fn pixels(low: i64, high: i64, window: [i64; 2]) -> [i64; 2] {
    let half = 1 << (BITS - 1);
    let first = (low - half + (1 << BITS) - 1) >> BITS;
    let last = (high - half) >> BITS;
    [first.max(window[0]), (last + 1).min(window[1])]
}

/// Calls `visit(x, y, depth)` for every pixel of the window whose middle is in the triangle,
/// whichever way round its corners go.
#[inline(always)]
pub(super) fn scan(corners: [Corner; 3], window: &Window, mut visit: impl FnMut(usize, usize, f32)) {
    let snap = |v: f32| (f64::from(v) * FRACTION + (OFFSET as f64 + 0.5)) as i64 - OFFSET;
    let mut points = corners.map(|c| [snap(c.x), snap(c.y)]);
    let mut depths = corners.map(|c| c.depth);
    let least = |k: usize| points[0][k].min(points[1][k]).min(points[2][k]);
    let most = |k: usize| points[0][k].max(points[1][k]).max(points[2][k]);
    let [x0, x1] = pixels(least(0), most(0), [window.low[0], window.high[0]]);
    let [y0, y1] = pixels(least(1), most(1), [window.low[1], window.high[1]]);
    if x0 >= x1 || y0 >= y1 {
        return;
    }
    let cross = |a: [i64; 2], b: [i64; 2]| a[0] * b[1] - a[1] * b[0];
    let minus = |a: [i64; 2], b: [i64; 2]| [a[0] - b[0], a[1] - b[1]];
    let mut area = cross(minus(points[1], points[0]), minus(points[2], points[0]));
    if area == 0 {
        return;
    }
    if area < 0 {
        points.swap(1, 2);
        depths.swap(1, 2);
        area = -area;
    }

    let middle = |i: i64| (i << BITS) + (1 << (BITS - 1));
    let start = [middle(x0), middle(y0)];
    let edges = [1, 2, 0].map(|i| minus(points[(i + 1) % 3], points[i]));
    // Above zero inside; an edge that does not own its points needs one more.
    let mut row: [i64; 3] = std::array::from_fn(|i| {
        let from = points[(i + 1) % 3];
        cross(edges[i], minus(start, from)) - i64::from(!owns_its_points(edges[i]))
    });
    let step_x = edges.map(|e| -e[1] << BITS);
    let step_y = edges.map(|e| e[0] << BITS);

    // The depth is a plane over the picture. In thin triangles it is steep and rounding could
    // carry it beyond the corners.
    let slope = |steps: [i64; 3]| -> f64 {
        (0..3).map(|i| steps[i] as f64 * f64::from(depths[i])).sum::<f64>() / area as f64
    };
    let (slope_x, slope_y) = (slope(step_x) as f32, slope(step_y) as f32);
    let mut row_depth = slope(row) as f32;
    let (nearest, farthest) = depths.iter().fold((f32::MAX, f32::MIN), |(l, h), &d| (l.min(d), h.max(d)));

    for y in y0..y1 {
        let (mut inside, mut depth, mut entered) = (row, row_depth, false);
        for x in x0..x1 {
            if (inside[0] | inside[1] | inside[2]) >= 0 {
                entered = true;
                visit(x as usize, y as usize, depth.clamp(nearest, farthest));
            } else if entered {
                break;
            }
            inside = [inside[0] + step_x[0], inside[1] + step_x[1], inside[2] + step_x[2]];
            depth += slope_x;
        }
        row = [row[0] + step_y[0], row[1] + step_y[1], row[2] + step_y[2]];
        row_depth += slope_y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f32, y: f32) -> Corner {
        Corner { x, y, depth: 2.0 * x + 3.0 * y }
    }

    #[test]
    fn a_triangle_covers_the_pixels_whose_middle_is_inside() {
        let window = Window { low: [0, 0], high: [8, 8] };
        for order in [[0, 1, 2], [2, 1, 0]] {
            let corners = [corner(0.0, 0.0), corner(4.0, 0.0), corner(0.0, 4.0)];
            let mut seen = Vec::new();
            scan(order.map(|i| corners[i]), &window, |x, y, depth| {
                let exact = 2.0 * (x as f32 + 0.5) + 3.0 * (y as f32 + 0.5);
                assert!((depth - exact).abs() < 1e-4, "{depth} {exact}");
                seen.push((x, y));
            });
            // The diagonal runs through the middles with x + y = 3; it is no upper or left edge.
            let expected: Vec<_> =
                (0..4).flat_map(|y| (0..4).map(move |x| (x, y))).filter(|(x, y)| x + y < 3).collect();
            assert_eq!(seen, expected);
        }
    }

    #[test]
    fn a_fan_covers_every_pixel_exactly_once() {
        let window = Window { low: [0, 0], high: [20, 20] };
        let hub = corner(9.3, 8.5);
        let rim = [(0.0, 0.0), (7.0, 0.0), (20.0, 0.0), (20.0, 11.5), (20.0, 20.0), (3.5, 20.0), (0.0, 20.0)];
        let mut counts = [[0; 20]; 20];
        for i in 0..rim.len() {
            let (a, b) = (rim[i], rim[(i + 1) % rim.len()]);
            scan([hub, corner(a.0, a.1), corner(b.0, b.1)], &window, |x, y, _| counts[y][x] += 1);
        }
        assert_eq!(counts, [[1; 20]; 20]);
    }

    #[test]
    fn a_window_cuts_and_flat_triangles_cover_nothing() {
        let window = Window { low: [2, 1], high: [4, 2] };
        let mut seen = Vec::new();
        scan([corner(-90.0, -90.0), corner(99.0, 0.0), corner(0.0, 99.0)], &window, |x, y, _| {
            seen.push((x, y))
        });
        assert_eq!(seen, [(2, 1), (3, 1)]);
        scan([corner(0.0, 0.0), corner(9.0, 9.0), corner(4.0, 4.0)], &window, |_, _, _| panic!("flat"));
    }
}
