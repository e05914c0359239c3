//! The volume spanned by three differences, whose zeros are the times at which the point lies in the
//! plane of the triangle, or the two edges in one plane.
//!
//! It is a cubic in time. In Bernstein form over an interval its values lie between the least and the
//! largest of four coefficients.

use glam::DVec3;

use super::relative::{ROUNDING, Relative};

/// Products of three numbers beyond this may overflow.
const LARGEST: f64 = 1e100;

/// More than products of three numbers up to [`LARGEST`] lose by underflow.
const UNDERFLOW: f64 = 1e-200;

/// The cubic over some interval of time.
#[derive(Clone, Copy)]
pub(super) struct Coplanarity {
    coefficients: [f64; 4],
    /// A value beyond this excludes contact: more than the error of the coefficients plus, with a
    /// separation, the volume that it stands for.
    threshold: f64,
}

impl Coplanarity {
    /// Over the whole motion.
    pub(super) fn new<const N: usize>(motion: &Relative<N>) -> Self {
        let [a, b, c] = [motion.start[0], motion.start[1], motion.start[2]];
        let [d, e, f] = [motion.end[0], motion.end[1], motion.end[2]];
        let (ab, bc, ca) = (a.cross(b), b.cross(c), c.cross(a));
        let (de, ef, fd) = (d.cross(e), e.cross(f), f.cross(d));
        let coefficients = [
            a.dot(bc),
            (d.dot(bc) + e.dot(ca) + f.dot(ab)) / 3.0,
            (a.dot(ef) + b.dot(fd) + c.dot(de)) / 3.0,
            d.dot(ef),
        ];
        let size = motion.magnitude;
        let mut threshold = 72.0 * ROUNDING * (size.x * size.y * size.z) + UNDERFLOW;
        if motion.separation > 0.0 {
            threshold += 1.000_001 * motion.separation * largest_area(motion);
        }
        if size.max_element() > LARGEST {
            threshold = f64::INFINITY;
        }
        Self { coefficients, threshold }
    }

    /// Whether the planes stay apart, more than the separation, during the interval.
    pub(super) fn excludes_contact(&self) -> bool {
        self.coefficients.iter().all(|c| *c > self.threshold)
            || self.coefficients.iter().all(|c| *c < -self.threshold)
    }

    /// Over the two halves of the interval (de Casteljau).
    pub(super) fn halves(&self) -> [Self; 2] {
        let mean = |x: f64, y: f64| 0.5 * (x + y);
        let [a, b, c, d] = self.coefficients;
        let (ab, bc, cd) = (mean(a, b), mean(b, c), mean(c, d));
        let (abc, bcd) = (mean(ab, bc), mean(bc, cd));
        let middle = mean(abc, bcd);
        let largest = a.abs().max(b.abs()).max(c.abs()).max(d.abs());
        let threshold = self.threshold + 4.0 * ROUNDING * largest;
        [[a, ab, abc, middle], [middle, bcd, cd, d]].map(|coefficients| Self { coefficients, threshold })
    }
}

/// A bound on the area of the parallelogram that the differences span. Volume over area is the
/// distance of the origin from the plane. The vector of area is quadratic in time and so within the
/// hull of three Bernstein coefficients.
fn largest_area<const N: usize>(motion: &Relative<N>) -> f64 {
    let sides = |r: &[DVec3; N]| (r[1] - r[0], r[2] - r[0]);
    let ((a, b), (c, d)) = (sides(&motion.start), sides(&motion.end));
    let areas = [a.cross(b), 0.5 * (a.cross(d) + c.cross(b)), c.cross(d)];
    let largest_sq = areas.iter().map(|area| area.length_squared()).fold(0.0, f64::max);
    // Sides err by 3u·M, products of two components of at most 2M then by 16u·M².
    largest_sq.sqrt() + 256.0 * ROUNDING * motion.magnitude.length_squared()
}
