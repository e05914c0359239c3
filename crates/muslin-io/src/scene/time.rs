//! `[time]`: how long and how finely.

use super::schema::table::Table;
use super::schema::{Interval, Key, Kind, Need, Schema, key};

/// The most frames of a scene.
const MOST_FRAMES: i64 = 1_000_000;

const FRAME_RATE: Interval = Interval { least: 1e-3, most: 1e5, words: "at least 0.001" };

const KEYS: &[Key] = &[
    key("fps", "1/s", Kind::Number(FRAME_RATE), Need::Default("60.0"), "Frames per second."),
    key("frames", "", Kind::Integer(1, MOST_FRAMES), Need::Default("240"), "How many frames to simulate."),
    key("substeps", "", Kind::Integer(1, 10_000), Need::Default("3"), "Steps of the simulation per frame."),
];

pub(super) const SCHEMA: Schema = Schema::new("[time]", "How long to simulate, and how finely.", KEYS);

/// How long to simulate, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// Frames per second.
    pub fps: f64,
    /// How many frames to simulate.
    pub frames: u32,
    /// Steps of the simulation per frame.
    pub substeps: u32,
}

impl Default for Time {
    fn default() -> Self {
        Self { fps: 60.0, frames: 240, substeps: 3 }
    }
}

impl Time {
    pub(super) fn read(table: Option<Table<'_>>) -> Self {
        let default = Self::default();
        let Some(table) = table else { return default };
        Self {
            fps: table.number("fps").unwrap_or(default.fps),
            frames: table.count("frames").unwrap_or(default.frames),
            substeps: table.count("substeps").unwrap_or(default.substeps),
        }
    }
}
