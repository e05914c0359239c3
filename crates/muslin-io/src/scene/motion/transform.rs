//! `transform` of a cloth or collider, and rotations in general.

use std::f64::consts::TAU;

use glam::{Affine3A, DAffine3, DQuat, DVec3, Quat, Vec3};
use muslin::mesh::TriMesh;
use muslin::origin::split;

use crate::scene::schema::table::Table;
use crate::scene::schema::{Interval, Key, Kind, Need, Schema, key};
use crate::scene::text::diagnostic::Report;

const ANGLE: Interval = Interval { least: -1e6, most: 1e6, words: "between -1e6 and 1e6" };

const ROTATE_KEYS: &[Key] = &[
    key("axis", "", Kind::VECTOR, Need::Required, "The axis; its length does not matter."),
    key("degrees", "°", Kind::Number(ANGLE), Need::Required, "The angle, by the right hand."),
];
const ROTATE_SCHEMA: Schema = Schema::new(
    "rotate",
    "A turn about an axis. In its place, `[x, y, z]` in degrees turns about the x axis, \
     then y, then z; more than a full turn is possible if the other two are 0.",
    ROTATE_KEYS,
);
pub(in crate::scene) const ROTATE: Kind = Kind::Either(&[Kind::Table(&ROTATE_SCHEMA), Kind::Vector(ANGLE)]);

const KEYS: &[Key] = &[
    key("translate", "m", Kind::VECTOR, Need::Default("[0.0, 0.0, 0.0]"), "Moves, after turning."),
    key("rotate", "°", ROTATE, Need::Default("[0.0, 0.0, 0.0]"), "Turns about the origin, after scaling."),
    key(
        "scale",
        "",
        Kind::Either(&[Kind::Number(Interval::ANY), Kind::VECTOR]),
        Need::Default("1.0"),
        "Scales, in all directions alike or along x, y and z. The rest shape of cloth is scaled too.",
    ),
];

pub(in crate::scene) const SCHEMA: Schema =
    Schema::new("transform", "Where something is put: it is scaled, turned, then moved.", KEYS);

/// A turn about an axis, by the right hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    /// The axis, of length one.
    pub axis: DVec3,
    /// The angle; more than a full turn is possible.
    pub radians: f64,
}

impl Rotation {
    /// No turn at all.
    pub const NONE: Self = Self { axis: DVec3::Y, radians: 0.0 };

    /// The rotation as a quaternion.
    pub fn quaternion(&self) -> DQuat {
        DQuat::from_axis_angle(self.axis, self.radians)
    }

    /// A full turn or more about one of the axes, which a quaternion would forget: keyframes may want it.
    fn of_full_turns(angles: [f64; 3]) -> Option<Self> {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let mut turned = axes.into_iter().zip(angles).filter(|&(_, radians)| radians != 0.0);
        let (axis, radians) = turned.next()?;
        (turned.next().is_none() && radians.abs() >= TAU).then_some(Self { axis, radians })
    }

    /// The rotation given for a key of either form; `None` if there is none, or a wrong one.
    pub(in crate::scene) fn read(table: &Table<'_>, name: &str, report: &mut Report<'_>) -> Option<Self> {
        if let Some(degrees) = table.vector_f64(name) {
            let angles = degrees.to_array().map(f64::to_radians);
            if let Some(turns) = Self::of_full_turns(angles) {
                return Some(turns);
            }
            let [x, y, z] = angles;
            let turn = DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x);
            let (axis, radians) = turn.to_axis_angle();
            // A turn too small to have an axis.
            let none = radians == 0.0 || !axis.is_normalized();
            return Some(if none { Self::NONE } else { Self { axis, radians } });
        }
        let rotate = table.table(name)?;
        let degrees = rotate.number("degrees")?;
        let Some(axis) = rotate.vector_f64("axis")?.try_normalize() else {
            report.error(&rotate.span_of("axis"), "an axis must have a length");
            return None;
        };
        Some(Self { axis, radians: degrees.to_radians() })
    }
}

/// Where something is put: it is scaled, turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Metres.
    pub translate: DVec3,
    /// About the origin.
    pub rotate: Rotation,
    /// Along x, y and z.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self { translate: DVec3::ZERO, rotate: Rotation::NONE, scale: Vec3::ONE }
    }
}

impl Transform {
    pub(in crate::scene) fn read(table: Option<Table<'_>>, report: &mut Report<'_>) -> Self {
        let default = Self::default();
        let Some(table) = table else { return default };
        let scale = table.vector("scale").or_else(|| table.real("scale").map(Vec3::splat));
        if let Some(scale) = scale
            && scale.abs().min_element() < 1e-9
        {
            report.error(&table.span_of("scale"), "scale must not be 0");
        }
        Self {
            translate: table.vector_f64("translate").unwrap_or(default.translate),
            rotate: Rotation::read(&table, "rotate", report).unwrap_or(default.rotate),
            scale: scale.unwrap_or(default.scale),
        }
    }

    /// Refuses to scale what is round by different factors; `instead` is a mesh that may be.
    pub(in crate::scene) fn check_round(
        &self,
        owner: &Table<'_>,
        shape: &str,
        instead: &str,
        report: &mut Report<'_>,
    ) {
        if self.uniform_scale().is_none() {
            let span = owner.table("transform").map_or(owner.span.clone(), |table| table.span_of("scale"));
            let message = format!("a {shape} can only be scaled in all directions alike");
            report.error_with_hint(&span, message, format!("give {instead}"));
        }
    }

    /// How much larger everything becomes, if that is the same in all directions; mirrored or not.
    pub fn uniform_scale(&self) -> Option<f32> {
        let [x, y, z] = self.scale.abs().to_array();
        (x == y && y == z).then_some(x)
    }

    /// The transform as a matrix.
    pub fn affine(&self) -> DAffine3 {
        let scale = self.scale.as_dvec3();
        DAffine3::from_scale_rotation_translation(scale, self.rotate.quaternion(), self.translate)
    }

    /// The transform in single precision, and how far things are to be moved beyond it: nothing near zero.
    fn near_and_far(&self) -> (Affine3A, DVec3) {
        let (far, near) = split(self.translate);
        let turn: Quat = self.rotate.quaternion().as_quat();
        (Affine3A::from_scale_rotation_translation(self.scale, turn, near.as_vec3()), far)
    }

    /// A mesh where it puts it, after it has been turned `upright`.
    pub(in crate::scene) fn place(&self, mesh: TriMesh, upright: Affine3A) -> TriMesh {
        let (near, far) = self.near_and_far();
        let origin = self.affine().matrix3 * (upright.matrix3.as_dmat3() * mesh.origin);
        TriMesh { origin: DVec3::ZERO, ..mesh }.transformed(near * upright).moved(far + origin)
    }

    /// Points where it puts them, counted from an origin near the first.
    pub(in crate::scene) fn points<const N: usize>(&self, points: [DVec3; N]) -> (DVec3, [Vec3; N]) {
        let (near, far) = self.near_and_far();
        if far == DVec3::ZERO && points.iter().all(|p| split(*p).0 == DVec3::ZERO) {
            return (DVec3::ZERO, points.map(|p| near.transform_point3(p.as_vec3())));
        }
        let places = points.map(|p| self.affine().transform_point3(p));
        let (origin, _) = split(places[0]);
        (origin, places.map(|p| (p - origin).as_vec3()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_turns_about_an_axis_are_not_forgotten() {
        let turns = |angles: [f64; 3]| Rotation::of_full_turns(angles.map(f64::to_radians));
        assert_eq!(turns([0.0, 360.0, 0.0]), Some(Rotation { axis: DVec3::Y, radians: TAU }));
        assert_eq!(turns([-720.0, 0.0, 0.0]), Some(Rotation { axis: DVec3::X, radians: -2.0 * TAU }));
        assert_eq!(turns([0.0, 359.0, 0.0]), None, "a quaternion knows");
        assert_eq!(turns([360.0, 10.0, 0.0]), None, "about no axis of its own");
        assert_eq!(turns([0.0; 3]), None);
    }

    #[test]
    fn scale_comes_before_the_turn_and_the_turn_before_the_move() {
        let quarter = Rotation { axis: DVec3::Z, radians: std::f64::consts::FRAC_PI_2 };
        let transform = Transform { translate: DVec3::X, rotate: quarter, scale: Vec3::new(2.0, 1.0, 1.0) };
        let moved = transform.affine().transform_point3(DVec3::X);
        assert!((moved - DVec3::new(1.0, 2.0, 0.0)).length() < 1e-6);
    }
}
