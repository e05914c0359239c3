//! The window around a session: panels, camera, mouse and keys.
//!
//! ```text
//! Session::frame ─► panels, picture (stage) ─► window
//!       ▲               │          ▲
//!       │             asks       orbit ◄─ hand ◄─ mouse, fingers
//!       └── commands ◄──┴── shortcuts ◄─ keys
//! ```
//!
//! Panels are functions from a [`Frame`] and what the window remembers (`desk`) to what is asked for (`ask`); they can be tried
//! without a session and without a device.

mod ask;
mod desk;
pub mod device;
mod doing;
mod drop;
mod film;
mod hand;
mod hit;
mod keep;
mod orbit;
mod panels;
mod report;
mod shortcuts;
mod stage;
#[cfg(test)]
mod tests;
mod trace;

use std::sync::Arc;
use std::time::Duration;

use egui::{Rect, Sense, Ui};

use self::ask::Ask;
use self::desk::Desk;
use self::drop::Inbox;
use self::film::{Camera, Shot};
use self::hand::{Hands, Place};
use self::orbit::Orbit;
use self::report::Widgets;
use self::stage::Stage;
use crate::session::{Command, Doing, Frame, Session, SessionOptions, SettingValue, Source};

/// How often the window looks whether a picture to be saved has arrived.
const WHILE_FILMING: Duration = Duration::from_millis(10);
/// How often a page lets its session look around while nothing moves; natively that has a thread of its own.
const WHILE_STILL: Duration = Duration::from_millis(100);

/// How the window starts.
#[derive(Clone, Debug)]
pub struct AppOptions {
    /// What is opened first.
    pub source: Source,
    /// How the session works.
    pub session: SessionOptions,
    /// Whether it is dark.
    pub dark: bool,
    /// `cpu`, `gpu` or `auto`: what scenes are to be simulated on, whatever they say.
    pub backend: Option<String>,
    /// Whether [`App::state`] is asked for: it costs a little in each picture.
    pub reports: bool,
    /// A file that [`App::state`] is written to after each picture.
    pub report: Option<std::path::PathBuf>,
}

/// The window's content.
#[derive(Debug)]
pub struct App {
    session: Session,
    desk: Desk,
    orbit: Orbit,
    hands: Hands,
    stage: Option<Stage>,
    camera: Camera,
    inbox: Inbox,
    options: AppOptions,
    /// The scene for which the back end was set.
    set_for: u64,
    /// Where the picture was.
    picture: Rect,
    shown: Arc<Frame>,
    pixels_per_point: f32,
    is_dark: Option<bool>,
    is_typing: bool,
}

impl App {
    /// Makes it in a context that draws with wgpu.
    pub fn new(context: &eframe::CreationContext<'_>, options: AppOptions) -> Self {
        let stage = context.wgpu_render_state.as_ref().map(Stage::new);
        let mut desk = Desk::default();
        desk.options.dark = options.dark;
        let mut session = options.session.clone();
        if let Some(stage) = &stage {
            desk.drawn_by = stage.name();
            desk.options.soft_light = !stage.is_software();
            session.gpu = stage.share();
        }
        panels::style(&context.egui_ctx);
        if options.reports {
            context.egui_ctx.add_plugin(Widgets::default());
        }
        let session = Session::open(options.source.clone(), session);
        let sleeping = context.egui_ctx.clone();
        session.wake_by(move || sleeping.request_repaint());
        Self {
            shown: session.frame(),
            session,
            desk,
            orbit: Orbit::default(),
            hands: Hands::default(),
            stage,
            camera: Camera::default(),
            inbox: Inbox::default(),
            options,
            set_for: 0,
            picture: Rect::NOTHING,
            pixels_per_point: 1.0,
            is_dark: None,
            is_typing: false,
        }
    }

    /// What is shown and where, as JSON: for tests. Widgets only if it was asked for at the start.
    pub fn state(&self, context: &egui::Context) -> serde_json::Value {
        let widgets = context.plugin_opt::<Widgets>().map(|widgets| widgets.lock().json());
        let seen = report::Seen {
            frame: &self.shown,
            desk: &self.desk,
            picture: self.picture,
            view: self.orbit.view(),
            pixels_per_point: self.pixels_per_point,
            is_typing: self.is_typing,
            drawn: self.stage.as_ref().map_or(0, Stage::pictures),
        };
        report::json(&seen, widgets.unwrap_or_default())
    }

    /// Opens something else.
    pub fn open(&self, source: Source) {
        self.session.send(Command::Open(source));
    }

    fn receive(&mut self, ui: &Ui) -> Arc<Frame> {
        let (seconds, files) = ui.input(|input| (input.stable_dt, input.raw.dropped_files.clone()));
        self.session.advance(f64::from(seconds));
        self.inbox.drop(&files, ui.ctx());
        for source in self.inbox.take() {
            match source {
                Ok(source) => self.session.send(Command::Open(source)),
                Err(error) => self.desk.said = Some(error),
            }
        }
        for file in self.session.take_saved() {
            self.desk.said = Some(keep::keep(&file));
        }
        let frame = self.session.frame();
        self.desk.trace.add(&frame);
        let shape = if self.picture.is_positive() { self.picture } else { ui.available_rect_before_wrap() };
        self.orbit.set_aspect(shape.aspect_ratio());
        self.orbit.follow(&frame);
        self.set_backend(&frame);
        self.shown = frame.clone();
        frame
    }

    /// Simulates a scene on what the command line says.
    fn set_backend(&mut self, frame: &Frame) {
        let Some(wanted) = &self.options.backend else { return };
        if frame.opened == self.set_for || frame.settings.is_empty() {
            return;
        }
        self.set_for = frame.opened;
        let value = SettingValue::Word(wanted.clone());
        let settings = frame.settings.iter().flat_map(|group| &group.settings);
        for setting in settings.filter(|setting| setting.key.rsplit('.').next() == Some("backend")) {
            if setting.value.as_ref() != Some(&value) {
                self.session.send(Command::Set { key: setting.key.clone(), value: value.clone() });
            }
        }
    }

    /// The picture, and what mouse and fingers do on it.
    fn picture(&mut self, ui: &mut Ui, rect: Rect, frame: &Frame) {
        let response = ui.allocate_rect(rect, Sense::click_and_drag());
        if response.is_pointer_button_down_on() {
            // Keys are the picture's again, not those of the widget that was used last.
            ui.memory_mut(|memory| memory.focused().inspect(|id| memory.surrender_focus(*id)));
        }
        let place = self.place(rect, frame, ui.input(|input| input.key_down(shortcuts::TURN_KEY)));
        let layer = Some(ui.layer_id());
        let inner = rect.shrink(3.0);
        let is_free = |at| inner.contains(at) && matches!(ui.ctx().layer_id_at(at), found if found == layer);
        let events = ui.input(|input| input.events.clone());
        let commands = self.hands.take(&events, &place, &mut self.orbit, &is_free);
        commands.into_iter().for_each(|command| self.session.send(command));
        self.desk.fan_speed = self.hands.fan_speed();
        if let Some(stage) = &mut self.stage {
            let size =
                [rect.width(), rect.height()].map(|side| (side * self.pixels_per_point).round() as u32);
            if size[0] > 0 && size[1] > 0 {
                let texture = stage.show(frame, self.orbit.view(), self.desk.options, size);
                let whole = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
                ui.painter_at(rect).image(texture, rect, whole, egui::Color32::WHITE);
            }
        }
    }

    fn place<'a>(&self, picture: Rect, frame: &'a Frame, turns: bool) -> Place<'a> {
        Place { picture, view: self.orbit.view(), frame, turns, has_fan: self.desk.fan }
    }

    /// Pictures and films that are being taken.
    fn film(&mut self, rect: Rect, frame: &Frame, now: f64) {
        let Some(stage) = &mut self.stage else { return };
        let size =
            [rect.width(), rect.height()].map(|side| (side * self.pixels_per_point).round().max(1.0) as u32);
        let shot = Shot { frame, view: self.orbit.view(), options: self.desk.options, size };
        for done in self.camera.tick(stage, &shot, now) {
            self.desk.said = Some(done.map_or_else(|error| error, |file| keep::keep(&file)));
        }
        self.desk.filming = self.camera.share(now);
    }

    fn repaint(&self, ui: &Ui, frame: &Frame, moves: bool) {
        // The session wakes the window; where it has no thread it has to be asked.
        let is_asked = !self.options.session.has_thread;
        let is_waiting = frame.clock.is_playing || frame.doing != Doing::Nothing || !frame.held.is_empty();
        if moves || is_asked && is_waiting {
            ui.request_repaint();
        } else if self.camera.is_busy() {
            ui.request_repaint_after(WHILE_FILMING);
        } else if is_asked {
            ui.request_repaint_after(WHILE_STILL);
        }
    }

    fn write_report(&self, ui: &Ui) {
        let Some(path) = &self.options.report else { return };
        // Written beside it first: who reads it never sees a half.
        let beside = path.with_extension("new");
        let text = self.state(ui.ctx()).to_string();
        let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
        if let Err(error) = written {
            eprintln!("muslin-viewer: {} cannot be written: {error}", path.display());
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        if self.is_dark != Some(self.desk.options.dark) {
            self.is_dark = Some(self.desk.options.dark);
            ui.ctx().set_theme(if self.desk.options.dark { egui::Theme::Dark } else { egui::Theme::Light });
        }
        self.pixels_per_point = ui.pixels_per_point();
        let frame = self.receive(ui);
        let mut asks: Vec<Ask> = Vec::new();
        let was_typing = ui.ctx().egui_wants_keyboard_input();
        let rect = panels::around(ui, &frame, &mut self.desk, &mut asks);
        // Not what is typed into a field; a click into it and the first letters can arrive together.
        self.is_typing = ui.ctx().egui_wants_keyboard_input();
        if !was_typing && !self.is_typing {
            asks.extend(ui.input(shortcuts::pressed).into_iter().map(Ask::from));
        }
        self.picture = rect;
        self.picture(ui, rect, &frame);
        panels::over(ui, rect, &frame, &mut self.desk, &mut asks);
        let now = ui.input(|input| input.time);
        asks.into_iter().for_each(|ask| self.answer(ui, ask, &frame));
        self.film(rect, &frame, now);
        let moves = self.orbit.advance(ui.input(|input| input.stable_dt));
        if let Some(view) = self.orbit.take_moved() {
            self.session.send(Command::View(view));
        }
        self.repaint(ui, &frame, moves);
        self.write_report(ui);
    }

    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }
}
