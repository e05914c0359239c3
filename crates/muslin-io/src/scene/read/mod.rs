//! From text to a scene.

pub(super) mod names;
mod paths;

use std::io::Read;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::camera::{self, CameraDescription};
use super::check::{self, Check};
use super::cloth::{self, ClothDescription, MOST_CLOTHS};
use super::collision::body::{self, BodyDescription, MOST_BODIES};
use super::collision::collider::{self, Collider, MOST_COLLIDERS, MOST_POSES};
use super::collision::{self, CONTACT_SCHEMA, MOST_CONTACTS};
use super::forces::{self, Forces};
use super::mesh::{MOST_BYTES, MOST_TRIANGLES};
use super::output::{self, Output};
use super::schema::check::{MOST_NAME_BYTES, check_table};
use super::schema::table::{Table, chosen, words};
use super::schema::{Key, Kind, Need, Schema, key};
use super::solver::{self, Solver};
use super::text::diagnostic::{Report, SceneError};
use super::text::source::{Source, Span, quoted};
use super::time::{self, Time};
use super::{Scene, UpAxis};
use crate::{MemoryFiles, regular};
use paths::{PathProblem, Paths};

/// The largest scene file, in bytes.
const MOST_TEXT: u64 = 16 << 20;

/// The most errors of one kind that are shown where one mistake easily makes many.
const MOST_ALIKE: usize = 3;

const AXES: [(&str, UpAxis); 2] = [("y", UpAxis::Y), ("z", UpAxis::Z)];
const CLOTHS: Kind = Kind::List { of: &Kind::Table(&cloth::SCHEMA), least: 1, most: MOST_CLOTHS };
const COLLIDERS: Kind = Kind::List { of: &Kind::Table(&collider::SCHEMA), least: 0, most: MOST_COLLIDERS };
const BODIES: Kind = Kind::List { of: &Kind::Table(&body::SCHEMA), least: 0, most: MOST_BODIES };
const CONTACTS: Kind = Kind::List { of: &Kind::Table(&CONTACT_SCHEMA), least: 0, most: MOST_CONTACTS };
const BELOW: Need = Need::Otherwise("its defaults");

const KEYS: &[Key] = &[
    key("name", "", Kind::Name, Need::Otherwise("the file's"), "The name of the scene."),
    key(
        "up",
        "",
        Kind::Word(&words(&AXES)),
        Need::Default("\"y\""),
        "The axis that points up: gravity, generated meshes and cameras follow it.",
    ),
    key("time", "", Kind::Table(&time::SCHEMA), BELOW, "How long and how finely."),
    key("forces", "", Kind::Table(&forces::SCHEMA), BELOW, "Gravity, air and wind."),
    key("solver", "", Kind::Table(&solver::SCHEMA), BELOW, "How cloth is kept together."),
    key("cloth", "", CLOTHS, Need::Required, "The pieces of cloth."),
    key("collider", "", COLLIDERS, Need::Otherwise("none"), "What cloth collides with."),
    key("body", "", BODIES, Need::Otherwise("none"), "Rigid bodies that fall into cloth."),
    key("contact", "", CONTACTS, Need::Otherwise("none"), "Own values for pairs of bodies."),
    key("collision", "", Kind::Table(&collision::SCHEMA), BELOW, "How collisions are handled."),
    key("output", "", Kind::Table(&output::SCHEMA), BELOW, "What is written."),
    key(
        "camera",
        "",
        Kind::Table(&camera::SCHEMA),
        Need::Otherwise("cloths, colliders and bodies are framed"),
        "The view.",
    ),
    key("check", "", Kind::Table(&check::SCHEMA), Need::Otherwise("nothing is checked"), "The final check."),
];

pub(super) const SCENE: Schema =
    Schema::new("the scene", "A scene: cloths, and all that they are subject to. Units are SI.", KEYS);

/// What a scene may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Whether it may read and write outside its own folder.
    pub allow_outside: bool,
    /// The meshes that it may name, in place of those in its folder.
    pub files: Option<MemoryFiles>,
}

/// What is shared by all who read a part of the scene.
pub(super) struct Context<'a> {
    pub report: Report<'a>,
    pub up: UpAxis,
    paths: Paths,
    triangles_left: u64,
    bytes_left: u64,
    poses_left: u64,
}

impl<'a> Context<'a> {
    fn new(source: &'a Source, paths: Paths) -> Self {
        let report = Report::new(source);
        Self {
            report,
            up: UpAxis::Y,
            paths,
            triangles_left: MOST_TRIANGLES,
            bytes_left: MOST_BYTES,
            poses_left: MOST_POSES,
        }
    }

    /// The real path of a mesh file, if it exists, may be read, and is not too large.
    pub fn mesh_file(&mut self, text: &str, span: &Span) -> Option<PathBuf> {
        let (path, size) = self.accept(self.paths.existing_file(text), span)?;
        let Some(left) = self.bytes_left.checked_sub(size) else {
            let message = format!(
                "this file has {size} bytes; the limit for all mesh files of a scene is {MOST_BYTES} bytes"
            );
            self.report.error(span, message);
            return None;
        };
        self.bytes_left = left;
        Some(path)
    }

    pub fn output_folder(&mut self, text: &str, span: &Span) -> Option<PathBuf> {
        self.accept(self.paths.output_folder(text), span)
    }

    /// Counts generated triangles against the limit.
    pub fn count_triangles(&mut self, triangles: u64, span: &Span) -> Option<()> {
        let Some(left) = self.triangles_left.checked_sub(triangles) else {
            let message = format!(
                "this mesh would have {triangles} triangles; the limit for a scene is {MOST_TRIANGLES}"
            );
            self.report.error(span, message);
            return None;
        };
        self.triangles_left = left;
        Some(())
    }

    /// Counts poses of colliders against the limit.
    pub fn count_poses(&mut self, poses: u64, span: &Span) -> Option<()> {
        let Some(left) = self.poses_left.checked_sub(poses) else {
            let message = format!(
                "{poses} poses (a turn counts one per 2°) are too many; \
                 the limit for all colliders of a scene is {MOST_POSES}"
            );
            self.report.error(span, message);
            return None;
        };
        self.poses_left = left;
        Some(())
    }

    fn accept<T>(&mut self, path: Result<T, PathProblem>, span: &Span) -> Option<T> {
        path.map_err(|problem| self.report.push(span, problem.message, problem.hint)).ok()
    }
}

impl Scene {
    /// Reads a scene file. Paths in it are relative to its folder.
    pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let failed = |source| SceneError::Io { path: path.to_owned(), source };
        let mut content = Vec::new();
        regular::size(path).map_err(failed)?;
        let mut file = std::fs::File::open(path).map_err(failed)?;
        // One byte more than accepted tells whether there is more, whatever the file claims.
        file.by_ref().take(MOST_TEXT + 1).read_to_end(&mut content).map_err(failed)?;
        if content.len() as u64 > MOST_TEXT {
            let size = file.metadata().map_or(0, |metadata| metadata.len()).max(content.len() as u64);
            return Err(SceneError::TooLarge { path: path.to_owned(), size, limit: MOST_TEXT });
        }
        let file_name = path.display().to_string();
        let folder = path.parent().unwrap_or(Path::new(""));
        match String::from_utf8(content) {
            Ok(text) => Self::parse(&text, &file_name, folder, options),
            Err(error) => {
                let start = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let source = Source { file: file_name, text };
                let mut report = Report::new(&source);
                report.error(&(start..start + 3), "this is not UTF-8 text");
                Err(report.into_error())
            }
        }
    }

    /// Reads a scene from a text. `file_name` is what errors name; paths are relative to `folder`.
    pub fn parse(
        text: &str,
        file_name: &str,
        folder: &Path,
        options: &ReadOptions,
    ) -> Result<Self, SceneError> {
        // The mark that some editors put first is no part of the text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let source = Source { file: file_name.to_owned(), text: text.to_owned() };
        parse(&source, Paths::new(folder, options))
    }
}

fn parse(source: &Source, paths: Paths) -> Result<Scene, SceneError> {
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    let mut context = Context::new(source, paths);
    for error in errors.iter().take(MOST_ALIKE) {
        let span = error.span().unwrap_or(0..0);
        let (message, hint) = in_words(error.message(), source.text.get(span.clone()).unwrap_or_default());
        context.report.push(&span, message, hint);
    }
    if context.report.is_empty() {
        check_table(document.get_ref(), &(0..0), &SCENE, &mut context.report);
    }
    if !context.report.is_empty() {
        return Err(context.report.into_error());
    }
    match read_scene(&Table::new(document.get_ref(), 0..0, &SCENE), &mut context) {
        Some(scene) if context.report.is_empty() => Ok(scene),
        _ => Err(context.report.into_error()),
    }
}

/// What the TOML parser says, in better words where a value is missing or text has no quotes: it takes
/// the one for the other, and "flag" for a misspelt "false".
fn in_words(message: &str, place: &str) -> (String, Option<String>) {
    let guessed = ["string values must be quoted", "invalid boolean"];
    match (guessed.iter().any(|start| message.starts_with(start)), place.trim()) {
        (false, _) => (message.to_owned(), None),
        (true, "") => ("a value is missing here".to_owned(), None),
        (true, word) if ["true", "false"].contains(&&*word.to_lowercase()) => {
            (format!("{} is not a value", quoted(word)), Some("true and false have small letters".to_owned()))
        }
        (true, word) => {
            let hint = format!("text must be in quotes: {}", quoted(word));
            (format!("{} is not a value", quoted(word)), Some(hint))
        }
    }
}

fn read_scene(table: &Table<'_>, context: &mut Context<'_>) -> Option<Scene> {
    let source = context.report.source.clone();
    let up = chosen(table, "up", &AXES).unwrap_or_default();
    context.up = up;
    let stem = Path::new(&source.file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stem = if stem.is_empty() || stem.starts_with('.') { "scene".to_owned() } else { stem };
    if table.text("name").is_none() && stem.len() > MOST_NAME_BYTES {
        let message =
            format!("the scene is called as its file, whose name is too long: {} bytes", stem.len());
        let hint = format!("add name = \"…\" with at most {MOST_NAME_BYTES} bytes: it names files");
        context.report.error_with_hint(&(0..0), message, hint);
    }
    let time = Time::read(table.table("time"));
    let solver = Solver::read(table.table("solver"), &mut context.report);
    // Every section is read before any is missed, so that all errors are reported.
    let tables = table.tables("cloth");
    let read = |(i, table): (usize, &Table<'_>)| ClothDescription::read(table, i, &solver, context);
    let cloths: Vec<_> = tables.iter().enumerate().map(read).collect();
    let collider_tables = table.tables("collider");
    let read = |(i, table): (usize, &Table<'_>)| Collider::read(table, i, context);
    let colliders: Vec<_> = collider_tables.iter().enumerate().map(read).collect();
    let body_tables = table.tables("body");
    let read = |(i, table): (usize, &Table<'_>)| BodyDescription::read(table, i, context);
    let bodies: Vec<_> = body_tables.iter().enumerate().map(read).collect();
    let output = Output::read(table.table("output"), &stem, &time, context);
    let camera = table.table("camera").map(|table| CameraDescription::read(&table, context));
    let check = Check::read(table.table("check"), &mut context.report);
    let cloths: Vec<_> = cloths.into_iter().collect::<Option<_>>()?;
    let colliders: Vec<_> = colliders.into_iter().collect::<Option<_>>()?;
    let bodies: Vec<_> = bodies.into_iter().collect::<Option<_>>()?;
    let cloth_names: Vec<&str> = cloths.iter().map(|cloth: &ClothDescription| &*cloth.name).collect();
    let collider_names: Vec<&str> = colliders.iter().map(|collider: &Collider| &*collider.name).collect();
    let body_names: Vec<&str> = bodies.iter().map(|body: &BodyDescription| &*body.name).collect();
    let named_cloths = cloth_names.iter().zip(&tables).map(|(name, table)| ("cloth", *name, table));
    let named_colliders =
        collider_names.iter().zip(&collider_tables).map(|(name, table)| ("collider", *name, table));
    let named_bodies = body_names.iter().zip(&body_tables).map(|(name, table)| ("body", *name, table));
    names::check(named_cloths.chain(named_colliders).chain(named_bodies), &mut context.report);
    let collision = collision::read(
        table.table("collision"),
        &table.tables("contact"),
        [&cloth_names, &collider_names, &body_names],
        context,
    );
    Some(Scene {
        name: table.text("name").map_or(stem, str::to_owned),
        up,
        time,
        forces: Forces::read(table.table("forces"), up, &mut context.report),
        solver,
        cloths,
        colliders,
        bodies,
        collision,
        output: output?,
        camera: match camera {
            Some(camera) => Some(camera?),
            None => None,
        },
        check,
        source,
        files: context.paths.memory().cloned(),
    })
}
