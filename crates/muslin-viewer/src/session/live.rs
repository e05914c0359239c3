//! A session as its user sees it.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Bounds, Clock, Command, Doing, Figures, Frame, SavedFile, SessionOptions, Source, Values};
use crate::draw::Scenery;

/// A session: opened once, asked for things, and looked at.
#[derive(Debug)]
pub struct Session {
    shown: Arc<Mutex<Arc<Frame>>>,
}

impl Session {
    /// Begins to open a source. What comes of it is seen in frames.
    pub fn open(source: Source, options: SessionOptions) -> Self {
        let _ = (source, options);
        Self { shown: Arc::new(Mutex::new(Arc::new(nothing()))) }
    }

    /// Asks for something. Never waits.
    pub fn send(&self, command: Command) {
        let _ = command;
    }

    /// The latest moment. Never waits for a step.
    pub fn frame(&self) -> Arc<Frame> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets so many seconds pass where no thread does: in a page, once per picture. Elsewhere it does nothing.
    pub fn advance(&mut self, seconds: f64) {
        let _ = seconds;
    }

    /// Files that were asked for and are made since the last call.
    pub fn take_saved(&self) -> Vec<SavedFile> {
        Vec::new()
    }
}

fn nothing() -> Frame {
    Frame {
        number: 0,
        opened: 0,
        title: String::new(),
        text: "".into(),
        scenery: Scenery {
            up: glam::Vec3::Y,
            sheets: Vec::new(),
            solids: Vec::new(),
            ground: None,
            marks: Vec::new(),
        },
        origin: glam::DVec3::ZERO,
        bounds: Bounds { center: glam::Vec3::ZERO, radius: 1.0 },
        view: None,
        clock: Clock { speed: 1.0, ..Clock::default() },
        doing: Doing::Nothing,
        problem: None,
        notice: None,
        figures: Figures::default(),
        history: [].into(),
        things: [].into(),
        settings: [].into(),
        held: Vec::new(),
        pointed: None,
        fan: None,
        values: Values::None,
        runs_on: String::new(),
    }
}
