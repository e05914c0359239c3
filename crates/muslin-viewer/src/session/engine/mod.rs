//! All that a session does, step by step, without a thread and without a lock.
//!
//! ```text
//! handle(Command) ─► Engine ─ advance(seconds) ─► publish() ─► Frame
//!                      └ jobs: what is opened or built anew, on a thread beside where there are threads
//! ```

mod jobs;
mod pace;
mod publish;
mod settings;
mod time;

use std::sync::Arc;

use super::open::OpenedScene;
use super::playback::Playback;
use super::stage::{Measured, Stage, StageOptions};
use super::watch::Watch;
use super::{
    Command, Doing, Picked, Sample, SaveKind, SavedFile, SessionOptions, SettingGroup, Source, Values, save,
};
use crate::draw::View;
use jobs::Job;
pub use jobs::words_of;
use pace::Pace;

/// What is open.
enum Content {
    Nothing,
    Stage(Box<Stage>),
    Playback(Box<Playback>),
}

/// The state machine of a session.
pub struct Engine {
    options: SessionOptions,
    content: Content,
    /// What is open, to be read again.
    source: Source,
    /// What a user wants the scene to be; what is built follows.
    wanted: Option<OpenedScene>,
    job: Option<Job>,
    doing: Doing,
    watch: Watch,
    is_playing: bool,
    /// Steps that were asked for one by one.
    steps_asked: u32,
    repeats: bool,
    pace: Pace,
    opened: u64,
    number: u64,
    problem: Option<String>,
    notice: Option<String>,
    measured: Measured,
    /// Steps since the last measurement, and the seconds that they took.
    unmeasured: [f64; 2],
    history: Vec<Sample>,
    settings: Arc<[SettingGroup]>,
    pointed: Option<Picked>,
    values: Values,
    view: Option<View>,
    saved: Vec<SavedFile>,
    /// Whether the first step after a world was built anew is still to come.
    is_carried: bool,
    is_dirty: bool,
}

impl Engine {
    /// Begins to open a source.
    pub fn new(source: Source, options: SessionOptions) -> Self {
        let mut engine = Self {
            is_playing: options.plays,
            options,
            content: Content::Nothing,
            source: Source::Empty,
            wanted: None,
            job: None,
            doing: Doing::Nothing,
            watch: Watch::default(),
            steps_asked: 0,
            repeats: true,
            pace: Pace::default(),
            opened: 0,
            number: 0,
            problem: None,
            notice: None,
            measured: Measured::default(),
            unmeasured: [0.0; 2],
            history: Vec::new(),
            settings: [].into(),
            pointed: None,
            values: Values::None,
            view: None,
            saved: Vec::new(),
            is_carried: false,
            is_dirty: true,
        };
        if source != Source::Empty {
            engine.open(source);
        }
        engine
    }

    /// Does what is asked for.
    pub fn handle(&mut self, command: Command) {
        self.is_dirty = true;
        let is_quiet = matches!(command, Command::Point(_) | Command::Drag { .. } | Command::View(_));
        if !is_quiet {
            self.notice = None;
        }
        if let Err(problem) = self.obey(command) {
            self.problem = Some(problem);
        }
    }

    fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Open(source) => self.open(source),
            Command::Reload => self.reload(),
            Command::Play => self.set_playing(true),
            Command::Pause => self.set_playing(false),
            Command::Step => {
                let asked = self.steps_asked;
                self.set_playing(false);
                self.steps_asked = asked.saturating_add(1);
            }
            Command::Reset => self.reset()?,
            Command::Speed(speed) => self.pace.set_speed(speed),
            Command::GoTo(time) => self.go_to(time)?,
            Command::Repeat(repeats) => self.repeats = repeats,
            Command::Fan(fan) => self.stage("a fan needs cloth to blow on")?.set_fan(fan)?,
            Command::Set { key, value } => self.set(&key, Some(&value))?,
            Command::Unset { key } => self.set(&key, None)?,
            Command::UnsetAll => self.unset_all()?,
            Command::Show(values) => self.values = values,
            Command::View(view) => self.view = Some(view),
            Command::Save(kind) => self.save(kind)?,
            Command::Dismiss => self.problem = None,
            touch => self.touch(touch)?,
        }
        Ok(())
    }

    /// What hands do. Recordings cannot be touched, and nothing is said of it.
    fn touch(&mut self, command: Command) -> Result<(), String> {
        let Content::Stage(stage) = &mut self.content else {
            self.pointed = None;
            return Ok(());
        };
        match command {
            Command::Point(ray) => self.pointed = ray.and_then(|ray| stage.pick(&ray)),
            Command::Grab { hand, ray, forward } => stage.grab(hand, &ray, forward)?,
            Command::Drag { hand, ray, away } => stage.drag(hand, &ray, away),
            Command::Turn { hand, axis, angle } => stage.turn(hand, axis, angle),
            Command::Release { hand } => stage.release(hand)?,
            Command::ReleasePinned { hand } => stage.release_pinned(hand)?,
            Command::TogglePin(ray) => stage.toggle_pin(&ray)?,
            Command::ReleasePins => stage.release_pins()?,
            _ => {}
        }
        Ok(())
    }

    fn stage(&mut self, otherwise: &str) -> Result<&mut Stage, String> {
        match &mut self.content {
            Content::Stage(stage) => Ok(stage),
            _ => Err(otherwise.to_owned()),
        }
    }

    fn set_playing(&mut self, plays: bool) {
        self.is_playing = plays;
        self.steps_asked = 0;
        self.pace.forget();
    }

    fn reset(&mut self) -> Result<(), String> {
        match &mut self.content {
            Content::Stage(stage) => stage.reset()?,
            Content::Playback(playback) => playback.go_to(0.0)?,
            Content::Nothing => {}
        }
        self.problem = None;
        self.is_carried = false;
        self.history.clear();
        self.pace.forget();
        self.measure();
        Ok(())
    }

    fn go_to(&mut self, time: f64) -> Result<(), String> {
        self.set_playing(false);
        match &mut self.content {
            Content::Stage(stage) => stage.go_to(time)?,
            Content::Playback(playback) => playback.go_to(time)?,
            Content::Nothing => {}
        }
        self.measure();
        Ok(())
    }

    fn save(&mut self, kind: SaveKind) -> Result<(), String> {
        let view = self.view;
        let wanted = self.wanted.clone();
        let stage = self.stage("there is nothing to be saved")?;
        let file = match kind {
            SaveKind::Scene => {
                save::scene(wanted.as_ref().unwrap_or(&stage.opened), view.or(stage.view), stage.origin)?
            }
            SaveKind::Glb => save::glb(stage)?,
            SaveKind::Obj => save::obj(stage)?,
        };
        self.saved.push(file);
        Ok(())
    }

    /// Files that were made since the last call.
    pub fn take_saved(&mut self) -> Vec<SavedFile> {
        std::mem::take(&mut self.saved)
    }

    /// Whether something can have changed since the last frame.
    pub fn is_dirty(&self) -> bool {
        self.is_dirty
    }

    /// Says what went wrong within, and stands still.
    pub fn fail(&mut self, problem: String) {
        self.set_playing(false);
        self.problem = Some(problem);
        self.is_dirty = true;
    }

    fn stage_options(&self) -> StageOptions {
        let SessionOptions { threads, rewind_bytes, rewind_seconds, gpu, .. } = self.options.clone();
        StageOptions { threads, gpu, rewind_bytes, rewind_seconds }
    }
}
