//! `[camera]`: from where pictures are taken.

use glam::{DVec3, Vec3};

use super::Context;
use super::schema::table::Table;
use super::schema::{Interval, Key, Kind, Need, Schema, key};

const FIELD_OF_VIEW: Interval = Interval { least: 1.0, most: 170.0, words: "between 1 and 170" };

const KEYS: &[Key] = &[
    key("eye", "m", Kind::VECTOR, Need::Required, "Where the camera is."),
    key("target", "m", Kind::VECTOR, Need::Required, "What it looks at."),
    key("up", "", Kind::VECTOR, Need::Otherwise("`up` of the scene"), "What is up in the picture."),
    key("fov_degrees", "°", Kind::Number(FIELD_OF_VIEW), Need::Default("35.0"), "Vertical field of view."),
];

pub(super) const SCHEMA: Schema = Schema::new(
    "[camera]",
    "From where pictures are taken. Without this table cloths, colliders and bodies are framed.",
    KEYS,
);

/// From where pictures are taken.
///
/// What a scene file says; the renderer has the camera itself. This crate knows nothing of pictures, and the renderer nothing
/// of files: who draws a scene copies the four numbers, and counts places from its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraDescription {
    /// Where the camera is, metres.
    pub eye: DVec3,
    /// What it looks at, metres.
    pub target: DVec3,
    /// What is up in the picture; not along the view.
    pub up: Vec3,
    /// Vertical field of view, degrees.
    pub fov_degrees: f32,
}

impl CameraDescription {
    pub(super) fn read(table: &Table<'_>, context: &mut Context<'_>) -> Option<Self> {
        let (eye, target) = (table.vector_f64("eye")?, table.vector_f64("target")?);
        let up = table.vector("up").unwrap_or(context.up.direction());
        let Some(view) = (target - eye).as_vec3().try_normalize() else {
            context.report.error(&table.span_of("target"), "the camera stands where it looks at");
            return None;
        };
        // The sine of the angle between the two.
        if view.cross(up.normalize_or_zero()).length() < 1e-3 {
            let message = "the camera looks along its up direction, so the picture could be turned any way";
            let name = if table.has("up") { "up" } else { "eye" };
            context.report.error_with_hint(&table.span_of(name), message, "give another up direction");
            return None;
        }
        Some(Self { eye, target, up, fov_degrees: table.real("fov_degrees").unwrap_or(35.0) })
    }
}
