//! The camera: turns about a target, moves sideways, comes nearer, and does all of it smoothly.

use glam::{Quat, Vec2, Vec3};

use super::ask::Side;
use crate::draw::View;
use crate::session::{Bounds, Frame};

/// How fast the camera follows where it should be, per second.
const FOLLOWS: f32 = 14.0;
/// How near the camera comes to the poles, radians.
const POLE: f32 = 0.02;
/// Field of view where the scene says nothing, degrees.
const FOV: f32 = 40.0;

/// A camera that turns about a target.
#[derive(Clone, Debug)]
pub struct Orbit {
    now: Pose,
    goal: Pose,
    up: Vec3,
    fov_degrees: f32,
    /// Width of the picture as a share of its height, where that is less.
    narrow: f32,
    opened: Option<u64>,
    was_moved: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Pose {
    target: Vec3,
    /// From the target to the eye, of length one.
    out: Vec3,
    distance: f32,
}

impl Default for Orbit {
    fn default() -> Self {
        let pose = Pose { target: Vec3::ZERO, out: Vec3::Z, distance: 3.0 };
        Self {
            now: pose,
            goal: pose,
            up: Vec3::Y,
            fov_degrees: FOV,
            narrow: 1.0,
            opened: None,
            was_moved: false,
        }
    }
}

impl Orbit {
    /// What the camera sees now.
    pub fn view(&self) -> View {
        let Pose { target, out, distance } = self.now;
        View { eye: target + distance * out, target, up: self.up, fov_degrees: self.fov_degrees }
    }

    /// Metres from the eye to the target.
    pub fn distance(&self) -> f32 {
        self.now.distance
    }

    /// Takes notice of the picture's shape: in an upright one things are seen from farther away.
    pub fn set_aspect(&mut self, aspect: f32) {
        if aspect.is_finite() && aspect > 0.0 {
            self.narrow = aspect.clamp(0.3, 1.0);
        }
    }

    /// Goes where a scene wants to be seen from, once per scene that is opened.
    pub fn follow(&mut self, frame: &Frame) {
        if self.opened == Some(frame.opened) {
            return;
        }
        self.opened = Some(frame.opened);
        self.up = frame.scenery.up.normalize_or(Vec3::Y);
        self.fov_degrees = frame.view.map_or(FOV, |view| view.fov_degrees);
        self.goal = match frame.view {
            Some(view) => self.pose_of(&view, &frame.bounds),
            None => {
                let (front, right) = self.axes();
                let out = (front + 0.55 * right + 0.45 * self.up).normalize();
                Pose { out, ..self.around(&frame.bounds) }
            }
        };
        self.now = self.goal;
        self.was_moved = false;
    }

    /// Turns by radians across and along the picture.
    pub fn turn(&mut self, by: Vec2) {
        let out = Quat::from_axis_angle(self.up, -by.x) * self.goal.out;
        let right = self.up.cross(out).normalize_or(self.axes().1);
        let height = out.angle_between(self.up);
        let tilt = (height - by.y).clamp(POLE, std::f32::consts::PI - POLE) - height;
        self.goal.out = (Quat::from_axis_angle(right, tilt) * out).normalize();
        self.was_moved = true;
    }

    /// Moves sideways by shares of the picture's height, so that what is at the target follows the pointer.
    pub fn pan(&mut self, by: Vec2) {
        let height = 2.0 * self.goal.distance * (0.5 * self.fov_degrees.to_radians()).tan();
        let right = self.up.cross(self.goal.out).normalize_or(self.axes().1);
        let up = self.goal.out.cross(right);
        self.goal.target += height * (by.y * up - by.x * right);
        self.was_moved = true;
    }

    /// Comes nearer (below 1) or goes away (above).
    pub fn zoom(&mut self, factor: f32) {
        if factor.is_finite() {
            self.goal.distance = (self.goal.distance * factor).clamp(1e-3, 1e4);
            self.was_moved = true;
        }
    }

    /// Brings everything into the picture, seen from where it is seen.
    pub fn frame(&mut self, bounds: &Bounds) {
        self.goal = Pose { out: self.goal.out, ..self.around(bounds) };
        self.was_moved = true;
    }

    /// Looks along an axis.
    pub fn look(&mut self, side: Side) {
        let (front, right) = self.axes();
        self.goal.out = match side {
            Side::Front => front,
            Side::Right => right,
            Side::Top => (self.up + POLE * front).normalize(),
        };
        self.was_moved = true;
    }

    /// Lets time pass; says whether the camera still moves.
    pub fn advance(&mut self, seconds: f32) -> bool {
        let Pose { target, out, distance } = self.goal;
        let share = 1.0 - (-FOLLOWS * seconds.clamp(0.0, 0.1)).exp();
        let off = (self.now.target - target).length() / distance
            + self.now.out.angle_between(out)
            + (self.now.distance / distance).ln().abs();
        if off < 1e-3 {
            self.now = self.goal;
            return false;
        }
        let turn = Quat::from_rotation_arc(self.now.out, out);
        self.now.out = (Quat::IDENTITY.slerp(turn, share) * self.now.out).normalize();
        self.now.target = self.now.target.lerp(target, share);
        self.now.distance *= (distance / self.now.distance).powf(share);
        true
    }

    /// Where the camera went, once after each time that it was moved and has come to rest.
    pub fn take_moved(&mut self) -> Option<View> {
        let is_there = self.was_moved && self.now == self.goal;
        is_there.then(|| {
            self.was_moved = false;
            self.view()
        })
    }

    fn around(&self, bounds: &Bounds) -> Pose {
        let radius = bounds.radius.max(1e-3);
        let distance = 1.05 * radius / (0.5 * self.fov_degrees.to_radians()).sin() / self.narrow;
        Pose { target: bounds.center, out: self.goal.out, distance }
    }

    fn pose_of(&self, view: &View, bounds: &Bounds) -> Pose {
        let away = view.eye - view.target;
        match away.try_normalize() {
            Some(out) => Pose { target: view.target, out, distance: away.length() / self.narrow },
            None => self.around(bounds),
        }
    }

    /// To the front and to the right: as modellers have it, where z is up and where y is.
    fn axes(&self) -> (Vec3, Vec3) {
        let wanted = if self.up.z.abs() > 0.7 { Vec3::NEG_Y } else { Vec3::Z };
        let front = wanted.reject_from(self.up).normalize_or(self.up.any_orthonormal_vector());
        (front, self.up.cross(front))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(mut orbit: Orbit) -> Orbit {
        while orbit.advance(0.1) {}
        orbit
    }

    #[test]
    fn what_is_framed_fills_the_picture_from_every_side() {
        let bounds = Bounds { center: Vec3::new(1.0, 2.0, 3.0), radius: 0.7 };
        for side in [Side::Front, Side::Right, Side::Top] {
            let mut orbit = Orbit::default();
            orbit.look(side);
            orbit.frame(&bounds);
            let view = settled(orbit).view();
            let middle = view.project(bounds.center, 1.0).unwrap();
            assert!((middle - 0.5).length() < 1e-3, "{middle}");
            let right = view.forward().cross(view.up).normalize();
            let edge = view.project(bounds.center + 0.7 * right, 1.0).unwrap();
            assert!((0.85..1.0).contains(&edge.x), "{edge}");
        }
    }

    #[test]
    fn turning_does_not_pass_the_poles_and_panning_follows_the_pointer() {
        let mut orbit = Orbit::default();
        orbit.turn(Vec2::new(0.3, 9.0));
        let orbit = settled(orbit);
        assert!(orbit.now.out.angle_between(Vec3::Y) < 2.0 * POLE);
        let mut orbit = Orbit::default();
        let target = orbit.goal.target;
        orbit.pan(Vec2::new(0.25, 0.1));
        let place = settled(orbit).view().project(target, 1.0).unwrap();
        assert!((place - Vec2::new(0.75, 0.6)).length() < 1e-3, "{place}");
    }

    #[test]
    fn a_view_is_told_once_after_it_came_to_rest() {
        let mut orbit = Orbit::default();
        assert_eq!(orbit.take_moved(), None);
        orbit.zoom(0.5);
        assert_eq!(orbit.take_moved(), None);
        let mut orbit = settled(orbit);
        assert!(orbit.take_moved().is_some() && orbit.take_moved().is_none());
    }
}
