//! The window around a session: panels, camera, mouse and keys.

use crate::session::{Session, SessionOptions, Source};

/// How the window starts.
#[derive(Clone, Debug)]
pub struct AppOptions {
    /// What is opened first.
    pub source: Source,
    /// How the session works.
    pub session: SessionOptions,
}

/// The window's content.
#[derive(Debug)]
pub struct App {
    session: Session,
}

impl App {
    /// Makes it in a context that draws with wgpu.
    pub fn new(context: &eframe::CreationContext<'_>, options: AppOptions) -> Self {
        let _ = context;
        Self { session: Session::open(options.source, options.session) }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        ui.label(&self.session.frame().title);
    }
}
