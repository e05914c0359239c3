//! What a session can be asked for.

use glam::Vec3;

use super::{SettingValue, Source};
use crate::draw::{Ray, View};

/// A pointer: a mouse, or one finger of several. Whoever sends commands gives the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandId(pub u64);

/// Something that blows from a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fan {
    /// Where it stands.
    pub place: Vec3,
    /// Where it blows to; of any length above zero.
    pub direction: Vec3,
    /// Speed of the air in front of it, m/s.
    pub speed: f32,
    /// Radius of the jet, metres; it widens on its way.
    pub radius: f32,
}

/// What vertices are coloured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Values {
    /// Nothing: the cloth's own look.
    #[default]
    None,
    /// How far triangles are stretched; 1 is 10 %.
    Strain,
    /// Speed; 1 is 3 m/s.
    Speed,
    /// The coarsest level of the hierarchy that a vertex is in; 1 is the coarsest.
    Level,
    /// How hard it is pushed by what it touches, in relation to the hardest.
    Contact,
}

/// What to make a file of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SaveKind {
    /// The scene's text with all that was changed, and the view.
    Scene,
    /// The present meshes of all cloths and solids as binary glTF.
    Glb,
    /// The present mesh of the first cloth.
    Obj,
}

/// What a session can be asked for. What makes no sense at the moment does nothing, or becomes the frame's problem.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Opens something else.
    Open(Source),
    /// Reads what is open from its file again.
    Reload,
    /// Goes on.
    Play,
    /// Stands still.
    Pause,
    /// One step, and stands still.
    Step,
    /// Back to the start; plays if it did.
    Reset,
    /// Seconds of the scene per second, 0.05 to 4.
    Speed(f64),
    /// Goes to a time within [`Clock::first`](super::Clock::first) and [`Clock::last`](super::Clock::last) and stands still. The next step
    /// from there forgets what came later.
    GoTo(f64),
    /// Whether a playback begins again at its end.
    Repeat(bool),
    /// Where the pointer is, so that what it is over lights up; `None` where it is over nothing.
    Point(Option<Ray>),
    /// Takes hold of what a ray meets first: cloth softly, colliders and bodies firmly. It is dragged in the plane through
    /// that place across `forward`.
    Grab {
        /// Whose.
        hand: HandId,
        /// From the camera through the pointer.
        ray: Ray,
        /// Where the camera looks.
        forward: Vec3,
    },
    /// Drags what a hand holds to where the ray meets the hand's plane.
    Drag {
        /// Whose.
        hand: HandId,
        /// From the camera through the pointer.
        ray: Ray,
        /// How far the plane moves away from the camera first, metres: a mouse's wheel.
        away: f32,
    },
    /// Turns a collider or body that a hand holds, by so many radians about an axis of the scenery.
    Turn {
        /// Whose.
        hand: HandId,
        /// About what; of length one.
        axis: Vec3,
        /// Radians.
        angle: f32,
    },
    /// Lets go; cloth and bodies keep the velocity that they have.
    Release {
        /// Whose.
        hand: HandId,
    },
    /// Lets go with a pin where the hand is: cloth stays held there.
    ReleasePinned {
        /// Whose.
        hand: HandId,
    },
    /// Pins the vertex nearest to where a ray meets cloth, or releases it if it is pinned.
    TogglePin(Ray),
    /// Releases all pins that were set by hand.
    ReleasePins,
    /// Puts the fan somewhere, or away.
    Fan(Option<Fan>),
    /// Changes a setting by its [key](super::Setting::key).
    Set {
        /// Which.
        key: String,
        /// To what.
        value: SettingValue,
    },
    /// Gives a setting back the value that it has when nothing is said of it.
    Unset {
        /// Which.
        key: String,
    },
    /// Undoes all changes of settings.
    UnsetAll,
    /// What vertices are coloured by.
    Show(Values),
    /// The camera, to be saved with the scene.
    View(View),
    /// Makes a file, to be taken by [`Session::take_saved`](super::Session::take_saved).
    Save(SaveKind),
    /// Takes notice of the frame's problem: it is gone.
    Dismiss,
}
