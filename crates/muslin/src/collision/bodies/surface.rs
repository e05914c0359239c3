//! What surfaces feel like to each other: thickness, friction, stiffness.

use crate::cloth::MaterialError;
use crate::collision::CLEARANCE;

/// Metres. A tenth of it is kept at all times, which must be well above the rounding of positions.
const SMALLEST_THICKNESS: f32 = 1e-5;

/// The surface of a cloth or a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Surface {
    /// Metres. A cloth keeps half of it on each side; a collider keeps cloth (its middle) this far away
    /// in addition.
    pub thickness: f32,
    /// Coefficient of friction while sliding. Between two surfaces the geometric mean counts.
    pub friction: f32,
    /// Coefficient of friction at rest; `None` is the same as while sliding.
    pub static_friction: Option<f32>,
    /// N/m³: pressure per metre by which surfaces are too close. They are moved apart by at most a
    /// tenth of what is missing per step, so that nothing is flung away ([Bridson 2002] §7.2).
    pub stiffness: f32,
}

impl Surface {
    /// Cloth: 2 mm thick, friction 0.3.
    pub const CLOTH: Surface =
        Surface { thickness: 0.002, friction: 0.3, static_friction: None, stiffness: 1e6 };
    /// A body: keeps cloth 2 mm away, friction 0.3.
    pub const COLLIDER: Surface = Surface::CLOTH;

    /// Looks for values out of range.
    pub fn check(&self) -> Result<(), MaterialError> {
        let values = [
            ("surface.friction", Some(self.friction)),
            ("surface.static_friction", self.static_friction),
            ("surface.stiffness", Some(self.stiffness)),
        ];
        for (field, value) in values {
            if let Some(value) = value.filter(|value| !(value.is_finite() && *value >= 0.0)) {
                return Err(MaterialError { field, value, must_be: "finite and not negative" });
            }
        }
        if !(self.thickness.is_finite() && self.thickness >= SMALLEST_THICKNESS) {
            let (field, value) = ("surface.thickness", self.thickness);
            return Err(MaterialError { field, value, must_be: "finite and at least 0.00001" });
        }
        Ok(())
    }
}

impl Default for Surface {
    fn default() -> Self {
        Self::CLOTH
    }
}

/// Own values for one pair of bodies, in place of those that follow from their surfaces.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PairSurface {
    /// The names of two cloths, colliders or rigid bodies, at least one of them a cloth; the same name twice is a cloth
    /// with itself.
    pub between: [String; 2],
    /// Metres between the two.
    pub thickness: Option<f32>,
    /// Coefficient of friction while sliding.
    pub friction: Option<f32>,
    /// Coefficient of friction at rest.
    pub static_friction: Option<f32>,
    /// N/m³.
    pub stiffness: Option<f32>,
}

/// What holds between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Between {
    /// Metres to be kept free between the two.
    pub gap: f64,
    /// Radii of round colliders, metres: what the distance of the features has to exceed in any case.
    pub radius: f64,
    /// While sliding, at rest.
    pub friction: [f64; 2],
    /// N/m³.
    pub stiffness: f64,
}

/// What a surface adds to a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub surface: Surface,
    /// Metres of the gap: half the thickness of cloth, all of a collider's.
    pub offset: f32,
    /// Radius of a round collider, otherwise 0.
    pub radius: f32,
}

impl Between {
    pub fn new(a: &Side, b: &Side, own: Option<&PairSurface>) -> Self {
        let mean = |x: f32, y: f32| f64::from(x * y).sqrt();
        let at_rest = |side: &Side| side.surface.static_friction.unwrap_or(side.surface.friction);
        let sliding = own.and_then(|own| own.friction).map(f64::from);
        let sliding = sliding.unwrap_or(mean(a.surface.friction, b.surface.friction));
        let resting = match own {
            Some(PairSurface { static_friction: Some(value), .. }) => f64::from(*value),
            Some(PairSurface { friction: Some(value), .. }) => f64::from(*value),
            _ => mean(at_rest(a), at_rest(b)),
        };
        Self {
            gap: own.and_then(|own| own.thickness).unwrap_or(a.offset + b.offset).into(),
            radius: (a.radius + b.radius).into(),
            friction: [sliding, resting.max(sliding)],
            stiffness: own
                .and_then(|own| own.stiffness)
                .map_or(mean(a.surface.stiffness, b.surface.stiffness), f64::from),
        }
    }
}

impl Between {
    /// The clearance below which surfaces count as meeting, if they start with some, metres.
    pub fn least_clearance(&self, start: f64) -> f64 {
        (CLEARANCE * self.gap).min(0.5 * start)
    }

    /// The clearance that surfaces are to end with that would have met, if they start with some and are to
    /// keep a gap, metres.
    pub fn clearance_after_impact(&self, start: f64, gap: f64) -> f64 {
        gap.min(start.max(2.0 * CLEARANCE * self.gap))
    }
}
