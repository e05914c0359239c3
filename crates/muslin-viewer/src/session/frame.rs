//! What a session shows: all of a moment, never changed once it is published.

use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::{Fan, HandId, SettingGroup, Values};
use crate::draw::{Scenery, View};

/// A moment.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Greater in each frame that differs from the one before.
    pub number: u64,
    /// Another for each source that was opened; the same while its file is edited, so the camera stays.
    pub opened: u64,
    /// What is open.
    pub title: String,
    /// The scene's text with all changes, or nothing where there is none.
    pub text: Arc<str>,
    /// What is drawn.
    pub scenery: Scenery,
    /// Where the scenery's zero is in the world, metres.
    pub origin: DVec3,
    /// What there is to see at the start.
    pub bounds: Bounds,
    /// From where the scene wants to be seen, if it says so.
    pub view: Option<View>,
    /// Time.
    pub clock: Clock,
    /// What goes on beside that.
    pub doing: Doing,
    /// What is wrong, in words for users: of a scene with file, line and field.
    pub problem: Option<String>,
    /// What was done that may not be expected: "2 s after this were forgotten".
    pub notice: Option<String>,
    /// Figures of now.
    pub figures: Figures,
    /// Figures of the last seconds, oldest first.
    pub history: Arc<[Sample]>,
    /// Cloths, colliders and bodies.
    pub things: Arc<[Thing]>,
    /// What can be changed. The same `Arc` until something of it changes.
    pub settings: Arc<[SettingGroup]>,
    /// What hands hold.
    pub held: Vec<HeldThing>,
    /// What the pointer is over.
    pub pointed: Option<Picked>,
    /// The fan.
    pub fan: Option<Fan>,
    /// What vertices are coloured by.
    pub values: Values,
    /// What computes: "CPU, 2 threads".
    pub runs_on: String,
}

/// A ball around all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Its middle.
    pub center: Vec3,
    /// Metres; above zero.
    pub radius: f32,
}

/// Time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Seconds since the scene's start.
    pub time: f64,
    /// Whether it goes on.
    pub is_playing: bool,
    /// Seconds of the scene per second that are asked for.
    pub speed: f64,
    /// Seconds of the scene per second that there are.
    pub real_time_factor: f64,
    /// Whether the machine cannot keep up with what is asked for.
    pub is_slow: bool,
    /// Seconds of a step.
    pub step: f64,
    /// The earliest time that [`Command::GoTo`](super::Command::GoTo) reaches.
    pub first: f64,
    /// The latest.
    pub last: f64,
    /// How long the scene is meant to be; it goes on after that.
    pub length: Option<f64>,
    /// Whether this is a recording: nothing can be touched.
    pub is_recording: bool,
    /// Whether a recording begins again at its end.
    pub repeats: bool,
}

/// What goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Doing {
    /// Nothing but the clock.
    #[default]
    Nothing,
    /// Something is being opened; what was open is still shown.
    Loading(String),
    /// The world is being built anew for a change; the old one is shown.
    Rebuilding(String),
}

/// Figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Milliseconds of the last step.
    pub step_ms: f64,
    /// Where they went; stages that took nothing are left out.
    pub stages: Vec<StageTime>,
    /// Mean strain of edges, a fraction.
    pub average_strain: f64,
    /// The largest, a fraction.
    pub largest_strain: f64,
    /// Energy.
    pub energy: EnergyFigures,
    /// How many contacts pushed.
    pub contacts: usize,
    /// The highest speed, m/s.
    pub highest_speed: f32,
    /// Triangles of all cloths that are simulated.
    pub triangles: usize,
    /// Vertices of all cloths that are simulated.
    pub vertices: usize,
    /// Bytes of states to rewind to.
    pub rewind_bytes: usize,
}

/// The time of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageTime {
    /// As in reports.
    pub name: &'static str,
    /// Milliseconds.
    pub ms: f64,
}

/// Energies of all cloths, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyFigures {
    /// Of motion.
    pub kinetic: f64,
    /// Of height.
    pub gravity: f64,
    /// Of bending.
    pub bending: f64,
    /// Of stretch.
    pub stretch: f64,
}

/// What is kept of a step for graphs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Seconds since the scene's start.
    pub time: f64,
    /// Milliseconds of the step.
    pub step_ms: f64,
    /// Mean strain of edges, a fraction.
    pub average_strain: f64,
    /// The largest, a fraction.
    pub largest_strain: f64,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// All energy, J.
    pub energy: f64,
    /// How many contacts pushed.
    pub contacts: usize,
}

/// What something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThingKind {
    /// A cloth.
    Cloth,
    /// A collider.
    Collider,
    /// A rigid body.
    Body,
}

/// Something in the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    /// What it is.
    pub kind: ThingKind,
    /// As in the scene.
    pub name: String,
    /// "2,592 triangles, silk, shape matching".
    pub about: String,
}

/// What a ray met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picked {
    /// What kind of thing.
    pub kind: ThingKind,
    /// Its number among its kind.
    pub number: usize,
    /// Where.
    pub place: Vec3,
    /// Of cloth the nearest vertex.
    pub vertex: Option<u32>,
}

/// What a hand holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldThing {
    /// Whose.
    pub hand: HandId,
    /// What kind of thing.
    pub kind: ThingKind,
    /// Its number among its kind.
    pub number: usize,
    /// Where the hand is.
    pub hand_place: Vec3,
    /// Where what it holds is.
    pub place: Vec3,
}
