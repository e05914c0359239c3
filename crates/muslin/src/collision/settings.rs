//! How collisions are handled, and what they did.

use crate::Error;
use crate::collision::bodies::surface::{PairSurface, Surface};

/// How collisions are handled.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct CollisionSettings {
    /// Whether cloth collides with itself.
    pub self_collisions: bool,
    /// Passes over the contacts. With 8 in place of 4 a stack of ten cloths took 470 rounds of continuous detection in a second in place
    /// of 623, and a tenth less time; a drape took a twentieth more.
    pub passes: u32,
    /// Rounds of continuous detection before points become rigid zones.
    pub rounds: u32,
    /// How many levels above the mesh of each cloth collisions are handled first; 0 is the mesh itself.
    /// Nothing passes through anything on any level; see docs/collisions.md for where coarser ones pay.
    pub level: usize,
    /// What to do about cloth that starts intersecting something.
    pub start: StartPolicy,
    /// What keeps bodies apart.
    pub response: Response,
    /// Whether every step counts intersections, for [`WorldReport`](crate::WorldReport). Takes time.
    pub count_intersections: bool,
    /// Own values for pairs of bodies.
    pub pairs: Vec<PairSurface>,
}

/// What keeps bodies apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Response {
    /// Contacts, continuous detection and rigid zones: what starts apart stays apart.
    #[default]
    Continuous,
    /// Impulses on what is too close at the start of a step, and nothing else \[Anonymous\]: cheaper, but what
    /// moves by more than the gap in a step, or is pressed hard, can pass through. Only on level 0.
    Impulses(ImpulseResponse),
}

/// Options of [`Response::Impulses`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct ImpulseResponse {
    /// δ_t: the largest part of an overlap that a step makes up for, from 0 to 1.
    pub separation: f32,
}

impl Default for ImpulseResponse {
    /// A tenth, as \[Bridson 2002\].
    fn default() -> Self {
        Self { separation: 0.1 }
    }
}

/// What to do about cloth that starts intersecting itself, other cloth, or a collider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum StartPolicy {
    /// An error that names the elements.
    #[default]
    Refuse,
    /// Features around intersections do not collide with each other until they are free. Balls, capsules
    /// and planes push out what is in them.
    Ignore,
    /// As `Ignore`, and what intersects is pulled apart, and what is inside of a closed mesh pushed out.
    Untangle,
}

impl Default for CollisionSettings {
    fn default() -> Self {
        Self {
            self_collisions: true,
            passes: 4,
            rounds: 12,
            level: 0,
            start: StartPolicy::Refuse,
            response: Response::Continuous,
            count_intersections: false,
            pairs: Vec::new(),
        }
    }
}

/// What collisions did in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CollisionCounts {
    /// Contacts that pushed, in the last substep.
    pub contacts: usize,
    /// Meetings found by continuous detection, all substeps and rounds together.
    pub impacts: usize,
    /// Rigid zones.
    pub zones: usize,
    /// Substeps that had to be divided.
    pub divisions: usize,
    /// Pairs of features near each other that were not kept apart because they started in each other, in the
    /// last substep.
    pub ignored: usize,
    /// Particles inside of closed meshes that are being pushed out, in the last substep; only looked for
    /// with [`StartPolicy::Untangle`].
    pub inside: usize,
    /// Substeps at whose end an edge of cloth that hangs on pins and carries a rigid body was strained by more than 20 %: the body
    /// is too heavy, or too fast, for this cloth and this number of substeps.
    pub overloaded: usize,
}

impl CollisionSettings {
    /// Looks for values out of range.
    pub fn check(&self) -> Result<(), Error> {
        let counts = [("collision.passes", self.passes), ("collision.rounds", self.rounds)];
        if let Some((field, value)) = counts.into_iter().find(|(_, count)| !(1..=10_000).contains(count)) {
            return Err(Error::Setting { field, value: value.into(), must_be: "between 1 and 10,000" });
        }
        if let Response::Impulses(ImpulseResponse { separation }) = self.response {
            if !(0.0..=1.0).contains(&separation) {
                let (field, must_be) = ("collision.separation", "between 0 and 1");
                return Err(Error::Setting { field, value: separation.into(), must_be });
            }
            if self.level > 0 {
                let (field, must_be) = ("collision.level", "0 where the response is by impulses");
                return Err(Error::Setting { field, value: self.level as f64, must_be });
            }
        }
        for pair in &self.pairs {
            // As a surface with these values: the same must hold.
            let usual = Surface::CLOTH;
            let surface = Surface {
                thickness: pair.thickness.unwrap_or(usual.thickness),
                friction: pair.friction.unwrap_or(usual.friction),
                static_friction: pair.static_friction,
                stiffness: pair.stiffness.unwrap_or(usual.stiffness),
            };
            surface.check()?;
        }
        Ok(())
    }
}

impl CollisionCounts {
    /// Adds those of a later substep.
    pub(crate) fn add(&mut self, later: &CollisionCounts) {
        self.contacts = later.contacts;
        self.ignored = later.ignored;
        self.inside = later.inside;
        self.impacts += later.impacts;
        self.zones += later.zones;
        self.divisions += later.divisions;
        self.overloaded += later.overloaded;
    }
}

/// Why a step could not be resolved.
#[derive(Clone, Debug)]
pub(crate) enum Unresolved {
    /// Two bodies, by name, cannot be kept apart in it.
    Meeting([String; 2]),
    /// [`Error::Crowded`].
    Crowded(Error),
}
