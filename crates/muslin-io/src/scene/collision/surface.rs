//! What surfaces feel like: keys that materials, colliders, bodies and contacts share.

use muslin::collision::Surface;

use crate::scene::schema::table::Table;
use crate::scene::schema::{Interval, Key, Kind, Need, key};

pub(in crate::scene) const THICKNESS: Kind = Kind::Number(Interval { most: 1.0, ..Interval::LENGTH });
pub(in crate::scene) const FRICTION: Kind = Kind::Number(Interval { most: 100.0, ..Interval::NOT_NEGATIVE });
pub(in crate::scene) const STIFFNESS: Kind = Kind::Number(Interval { most: 1e12, ..Interval::NOT_NEGATIVE });

/// The keys of materials and colliders that are the same in both.
pub(in crate::scene) const FRICTION_KEY: Key =
    key("friction", "", FRICTION, Need::Default("0.3"), "Coefficient of friction while sliding.");
pub(in crate::scene) const STATIC_FRICTION_KEY: Key = key(
    "static_friction",
    "",
    FRICTION,
    Need::Otherwise("as `friction`"),
    "Coefficient of friction at rest; `friction` is the least.",
);

/// The keys of colliders and bodies that are the same in both.
pub(in crate::scene) const SOLID_THICKNESS_KEY: Key = key(
    "thickness",
    "m",
    THICKNESS,
    Need::Default("0.002"),
    "Cloth is kept so far away, and half its own thickness.",
);
pub(in crate::scene) const SOLID_STIFFNESS_KEY: Key = key(
    "stiffness",
    "N/m³",
    STIFFNESS,
    Need::Default("1e6"),
    "Pressure per metre by which cloth is too close.",
);

/// The surface that a table describes, and that of `base` where it does not. Its stiffness has
/// different names.
pub(in crate::scene) fn read(table: &Table<'_>, base: Surface, stiffness: &str) -> Surface {
    Surface {
        thickness: table.real("thickness").unwrap_or(base.thickness),
        friction: table.real("friction").unwrap_or(base.friction),
        static_friction: table.real("static_friction").or(base.static_friction),
        stiffness: table.real(stiffness).unwrap_or(base.stiffness),
    }
}
