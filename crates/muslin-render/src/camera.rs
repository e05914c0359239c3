//! From where a scene is seen, and how to choose that from its bounds.

use glam::Vec3;

use crate::{Light, RenderError};

/// Points farther out than this are not drawn: squares of their distances would not be finite.
const FARTHEST: f32 = 1e7;

/// Whether a point can be drawn.
pub(crate) fn drawable(point: Vec3) -> bool {
    point.is_finite() && point.abs().max_element() <= FARTHEST
}

/// A box along the axes, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least coordinates; above `max` if the box is empty.
    pub min: Vec3,
    /// The greatest coordinates.
    pub max: Vec3,
}

impl Default for Bounds {
    /// The empty box.
    fn default() -> Self {
        Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY }
    }
}

impl Bounds {
    /// The box around points; those that cannot be drawn (not finite) do not count.
    pub fn of(points: &[Vec3]) -> Self {
        points
            .iter()
            .filter(|p| drawable(**p))
            .fold(Self::default(), |all, &p| Self { min: all.min.min(p), max: all.max.max(p) })
    }

    /// The box around both, such as the frames of an animation.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        !(self.min.cmple(self.max).all() && self.min.is_finite() && self.max.is_finite())
    }

    /// The middle, and half the diagonal; a box of one metre if this one is empty.
    pub(crate) fn sphere(&self) -> (Vec3, f32) {
        if self.is_empty() {
            return (Vec3::ZERO, 1.0);
        }
        (0.5 * (self.min + self.max), (0.5 * (self.max - self.min).length()).max(1e-6))
    }

    /// The corners; those of a box of no size if this one is empty.
    pub(crate) fn corners(&self) -> [Vec3; 8] {
        let (a, b) = if self.is_empty() { (Vec3::ZERO, Vec3::ZERO) } else { (self.min, self.max) };
        std::array::from_fn(|i| {
            let pick = |bit: usize, low: f32, high: f32| if i >> bit & 1 == 0 { low } else { high };
            Vec3::new(pick(0, a.x, b.x), pick(1, a.y, b.y), pick(2, a.z, b.z))
        })
    }
}

/// From where a scene is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The position of the eye, metres.
    pub eye: Vec3,
    /// What is in the middle of the picture.
    pub target: Vec3,
    /// What points upwards in the picture; need not be at right angles to the line of sight.
    pub up: Vec3,
    /// The angle between the upper and the lower edge of the picture.
    pub fov_degrees: f32,
}

impl Camera {
    /// The angle of view of automatic cameras: that of a portrait lens, which distorts little.
    const FOV_DEGREES: f32 = 28.0;
    /// Which part of half the picture the box may fill.
    const FILL: f32 = 0.88;
    /// How much farther away the camera may be for the sake of the shadow.
    const FARTHER: f32 = 1.3;
    /// How far below the box the ground is taken to be, as a part of the box's diagonal.
    const GAP: f32 = 0.08;

    /// A camera that sees all of a box from the front, a little from the right and from above, and the
    /// shadow that the default light throws from it onto a ground just below.
    /// The front is +z where y points upwards and −y where z does.
    ///
    /// For an animation, give the union of the bounds of all frames. `aspect` is width over height.
    pub fn framing(bounds: &Bounds, up: Vec3, aspect: f32) -> Self {
        let up = up.try_normalize().unwrap_or(Vec3::Y);
        let front = if up.z.abs() > 0.9 { Vec3::NEG_Y } else { Vec3::Z };
        let front = front.reject_from_normalized(up).normalize_or(up.any_orthonormal_vector());
        let side = up.cross(front);
        let toward_eye = 0.9 * front + 0.38 * side + 0.17 * up;
        Self::fitting(bounds, &Self::shadow(bounds, toward_eye, up), toward_eye, up, aspect)
    }

    /// A camera that sees all of a box from the given direction (from the box to the eye).
    pub fn framing_from(bounds: &Bounds, toward_eye: Vec3, up: Vec3, aspect: f32) -> Self {
        Self::fitting(bounds, &[], toward_eye, up, aspect)
    }

    /// Where the shadows of a box's corners fall.
    fn shadow(bounds: &Bounds, toward_eye: Vec3, up: Vec3) -> [Vec3; 8] {
        let forward = -toward_eye.normalize_or(Vec3::Z);
        let light = Light::over_shoulder(up.cross(-forward).normalize_or_zero(), forward, up);
        let (center, radius) = bounds.sphere();
        let corners = bounds.corners();
        let lowest = corners.iter().map(|c| (c - center).dot(up)).fold(0.0, f32::min);
        let ground = lowest - Self::GAP * 2.0 * radius;
        corners.map(|c| c - light * (((c - center).dot(up) - ground) / light.dot(up)))
    }

    /// A camera that sees a box with a margin. Other points are in the picture too, if that makes the box
    /// not much smaller.
    fn fitting(bounds: &Bounds, others: &[Vec3], toward_eye: Vec3, up: Vec3, aspect: f32) -> Self {
        let (center, radius) = bounds.sphere();
        let backward = toward_eye.try_normalize().unwrap_or(Vec3::Z);
        let up = up.try_normalize().unwrap_or(Vec3::Y);
        let right = up.cross(backward).normalize_or(backward.any_orthonormal_vector());
        let above = backward.cross(right);
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        let tangent_y = (0.5 * Self::FOV_DEGREES).to_radians().tan();
        let tangents = [tangent_y * aspect, tangent_y];

        let corners = bounds.corners();
        let points: Vec<(Vec3, f32)> = corners
            .iter()
            .map(|&c| (c - center, Self::FILL))
            .chain(others.iter().map(|&p| (p - center, 1.0)))
            .collect();
        // With the eye at (x, d) and a point at (a, −depth) the point is in sight if
        // |a − x| ≤ (d + depth)·t, where t is less for points that keep a margin. So
        // x + d·tᵢ ≥ aᵢ − depthᵢ·tᵢ and −x + d·tⱼ ≥ −aⱼ − depthⱼ·tⱼ for all i and j: the sum of two gives
        // the least d, and x is then in the middle of what is left; the box decides.
        let reaches = |axis: Vec3, tangent: f32| {
            let reach = |(p, fill): &(Vec3, f32)| {
                let t = tangent * fill;
                [1.0, -1.0].map(|sign: f32| (sign * p.dot(axis) + p.dot(backward) * t, t))
            };
            points.iter().map(reach).collect::<Vec<_>>()
        };
        let (across, upwards) = (reaches(right, tangents[0]), reaches(above, tangents[1]));
        let least_distance = |reaches: &[[(f32, f32); 2]]| {
            let pairs = reaches.iter().flat_map(|[a, _]| reaches.iter().map(move |[_, b]| (a, b)));
            pairs.map(|(a, b)| (a.0 + b.0) / (a.1 + b.1)).fold(f32::MIN, f32::max)
        };
        let box_only = |reaches: &[[(f32, f32); 2]]| least_distance(&reaches[..corners.len()]);
        let nearest = box_only(&across).max(box_only(&upwards)).max(0.1 * radius);
        let with_others = least_distance(&across).max(least_distance(&upwards));
        let distance = with_others.clamp(nearest, Self::FARTHER * nearest);
        let middle = |reaches: &[[(f32, f32); 2]]| {
            let ends = |reaches: &[[(f32, f32); 2]]| {
                let end = |side: usize| {
                    reaches.iter().map(|r| r[side].0 - distance * r[side].1).fold(f32::MIN, f32::max)
                };
                (end(0), -end(1))
            };
            let (least, most) = ends(&reaches[..corners.len()]);
            let (low, high) = ends(reaches);
            (0.5 * (low + high)).min(most).max(least)
        };
        let (x, y) = (middle(&across), middle(&upwards));
        let target = center + x * right + y * above;
        Self { eye: target + distance * backward, target, up, fov_degrees: Self::FOV_DEGREES }
    }

    /// Looks for values that show nothing.
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        let wrong = |what| Err(RenderError::Camera(what));
        if !(drawable(self.eye) && drawable(self.target) && self.up.is_finite()) {
            return wrong("a coordinate is not finite");
        }
        if self.eye.distance(self.target) < 1e-9 {
            return wrong("eye and target are the same point");
        }
        if !(self.fov_degrees >= 0.1 && self.fov_degrees <= 170.0) {
            return wrong("the angle of view must be from 0.1 to 170 degrees");
        }
        Ok(())
    }
}
