//! `[output]`: what is written, and where.

use std::path::PathBuf;

use super::Context;
use super::schema::table::{Table, chosen, words};
use super::schema::{Choice, Key, Kind, Need, Schema, key};
use super::time::Time;
use crate::clip::ClipFormat;

/// The largest width and height of a picture, and the most pictures of a list.
const MOST_PIXELS: i64 = 8192;
const MOST_PICTURES: usize = 100_000;

/// The words for the formats in scenes.
const FORMATS: [(&str, ClipFormat); 8] = [
    ("obj", ClipFormat::Obj),
    ("ply", ClipFormat::Ply),
    ("pc2", ClipFormat::Pc2),
    ("mdd", ClipFormat::Mdd),
    ("glb", ClipFormat::Glb),
    ("usd", ClipFormat::Usd),
    ("vtk", ClipFormat::Vtk),
    ("npz", ClipFormat::Npz),
];

const ANIMATIONS: [(&str, Animation); 2] = [("gif", Animation::Gif), ("off", Animation::Off)];
const SIDE: Kind = Kind::Integer(16, MOST_PIXELS);

const PICTURE_KEYS: &[Key] = &[
    key(
        "frames",
        "",
        Kind::List { of: &Kind::COUNT, least: 1, most: MOST_PICTURES },
        Need::Otherwise("the last, unless `every` is given"),
        "Frames to be drawn; 0 is the start.",
    ),
    key(
        "every",
        "",
        Kind::Integer(1, u32::MAX as i64),
        Need::Otherwise("see `frames`"),
        "Draws every n-th frame.",
    ),
    key(
        "size",
        "pixels",
        Kind::List { of: &SIDE, least: 2, most: 2 },
        Need::Default("[960, 720]"),
        "Width and height.",
    ),
    key(
        "animation",
        "",
        Kind::Word(&words(&ANIMATIONS)),
        Need::Otherwise("`\"gif\"`, of a single picture `\"off\"`"),
        "The pictures as a film, at the speed of the simulation; what follows within 0.02 s is left out.",
    ),
    key(
        "animation_every",
        "",
        Kind::Integer(1, u32::MAX as i64),
        Need::Otherwise("the frames of the pictures"),
        "Makes the film of every n-th frame instead.",
    ),
];
const PICTURES: Schema = Schema::new("output.pictures", "Pictures of chosen frames.", PICTURE_KEYS)
    .choosing(&[Choice { keys: &["frames", "every"], required: false }]);

const KEYS: &[Key] = &[
    key(
        "folder",
        "",
        Kind::Text,
        Need::Otherwise("`out/` and the name of the scene file"),
        "Where files are written.",
    ),
    key(
        "formats",
        "",
        Kind::List { of: &Kind::Word(&words(&FORMATS)), least: 0, most: FORMATS.len() },
        Need::Default("[\"obj\"]"),
        "Formats of the moving cloth.",
    ),
    key("pictures", "", Kind::Table(&PICTURES), Need::Otherwise("none"), "Pictures of chosen frames."),
];

pub(super) const SCHEMA: Schema = Schema::new("[output]", "What is written, and where.", KEYS);

/// Which frames are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureFrames {
    /// These; 0 is the start.
    List(Vec<u32>),
    /// Every n-th, the start included.
    Every(u32),
    /// The last one of the run, however long it becomes.
    Last,
}

impl PictureFrames {
    /// Whether a frame is drawn in a run of this many.
    pub fn contains(&self, frame: u32, frames: u32) -> bool {
        match self {
            Self::List(chosen) => chosen.contains(&frame),
            Self::Every(n) => frame.is_multiple_of(*n),
            Self::Last => frame + 1 == frames,
        }
    }
}

/// The pictures as a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Animation {
    /// An animated GIF.
    Gif,
    /// None.
    Off,
}

/// Pictures of chosen frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pictures {
    /// Which frames.
    pub frames: PictureFrames,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The film made of them.
    pub animation: Animation,
    /// The frames of the film, where they are not those of the pictures: every n-th, the start included.
    pub animation_every: Option<u32>,
}

/// What is written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Where files are written; may not exist yet. Relative to the current folder, not the scene's.
    pub folder: PathBuf,
    /// Formats of the moving cloth, each once.
    pub formats: Vec<ClipFormat>,
    /// Pictures, if any.
    pub pictures: Option<Pictures>,
}

impl Pictures {
    /// Whether a frame is in the film of a run of this many.
    pub fn in_animation(&self, frame: u32, frames: u32) -> bool {
        match self.animation_every {
            Some(n) => frame.is_multiple_of(n),
            None => self.frames.contains(frame, frames),
        }
    }
}

impl Output {
    /// Reads the table; `stem` names the folder if the scene does not.
    pub(super) fn read(
        table: Option<Table<'_>>,
        stem: &str,
        time: &Time,
        context: &mut Context<'_>,
    ) -> Option<Self> {
        let given = table.as_ref().and_then(|table| table.text("folder"));
        let span = table.as_ref().map_or(0..0, |table| table.span_of("folder"));
        let folder = given.map_or_else(|| format!("out/{stem}"), str::to_owned);
        let folder = context.output_folder(&folder, &span)?;
        let names = table.as_ref().and_then(|table| table.texts("formats"));
        let mut formats = Vec::new();
        for name in names.unwrap_or(vec!["obj"]) {
            let format = FORMATS.iter().find(|(word, _)| *word == name)?.1;
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        let pictures = match table.and_then(|table| table.table("pictures")) {
            Some(table) => Some(read_pictures(&table, time, context)?),
            None => None,
        };
        Some(Self { folder, formats, pictures })
    }
}

fn read_pictures(table: &Table<'_>, time: &Time, context: &mut Context<'_>) -> Option<Pictures> {
    let frames = match (table.counts::<u32>("frames"), table.count("every")) {
        (Some(frames), _) => {
            if let Some(i) = frames.iter().position(|&frame| frame >= time.frames) {
                let last = time.frames - 1;
                let message = format!("there is no frame {}: the last is {last}", frames[i]);
                context.report.error(&table.span_of_element("frames", i), message);
                return None;
            }
            PictureFrames::List(frames)
        }
        (None, Some(every)) => PictureFrames::Every(every),
        (None, None) => PictureFrames::Last,
    };
    let size = table.counts("size").and_then(|size| <[u32; 2]>::try_from(size).ok());
    let animation_every = table.count("animation_every");
    let single = match &frames {
        PictureFrames::List(frames) => frames.len() == 1,
        PictureFrames::Every(_) => false,
        PictureFrames::Last => true,
    };
    let usual = if single && animation_every.is_none() { Animation::Off } else { Animation::Gif };
    let animation = chosen(table, "animation", &ANIMATIONS).unwrap_or(usual);
    Some(Pictures { frames, size: size.unwrap_or([960, 720]), animation, animation_every })
}
