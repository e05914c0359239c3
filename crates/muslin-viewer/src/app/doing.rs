//! What the window does when it is asked: most of it is a command to the session.

use egui::Ui;

use super::App;
use super::ask::{Action, Ask};
use super::film::Shot;
use crate::session::{Command, Frame};

/// Seconds that an arrow goes through time.
const LEAP: f64 = 0.5;

impl App {
    /// Does what is asked for.
    pub(super) fn answer(&mut self, ui: &Ui, ask: Ask, frame: &Frame) {
        match ask {
            Ask::Command(command) => self.session.send(command),
            Ask::Do(action) => match command(action, frame) {
                Some(command) => self.session.send(command),
                None => self.act(ui, action, frame),
            },
        }
    }

    fn act(&mut self, ui: &Ui, action: Action, frame: &Frame) {
        let options = &mut self.desk.options;
        match action {
            Action::Frame => self.orbit.frame(&frame.bounds),
            Action::Look(side) => self.orbit.look(side),
            Action::TogglePin => {
                let place = self.place(self.picture, frame, false);
                if let Some(ray) = self.hands.ray(&place) {
                    self.session.send(Command::TogglePin(ray));
                }
            }
            Action::Fan => self.desk.fan = !self.desk.fan,
            Action::Wireframe => options.wireframe = !options.wireframe,
            Action::Marks => options.marks = !options.marks,
            Action::SoftLight => options.soft_light = !options.soft_light,
            Action::Theme => options.dark = !options.dark,
            Action::Toggle(panel) => self.desk.toggle(panel),
            Action::SavePicture => self.take_picture(frame),
            Action::SaveGif => {
                let now = ui.input(|input| input.time);
                self.camera.film(frame, now, f64::from(self.desk.film_seconds));
            }
            Action::Quit => ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close),
            Action::Close => self.close(frame),
            Action::PlayOrPause
            | Action::Step
            | Action::Reset
            | Action::Back
            | Action::Forward
            | Action::Slower
            | Action::Faster
            | Action::ReleasePins => {}
        }
    }

    fn take_picture(&mut self, frame: &Frame) {
        let (view, options) = (self.orbit.view(), self.desk.options);
        let sides = [self.picture.width(), self.picture.height()];
        let size = sides.map(|side| (side * self.pixels_per_point).round().max(1.0) as u32);
        if let Some(stage) = &mut self.stage {
            self.camera.take(stage, &Shot { frame, view, options, size });
        }
    }

    /// Closes what is in front.
    fn close(&mut self, frame: &Frame) {
        let desk = &mut self.desk;
        if desk.shortcuts || desk.opener {
            (desk.shortcuts, desk.opener) = (false, false);
        } else if frame.problem.is_some() {
            self.session.send(Command::Dismiss);
        } else {
            desk.said = None;
        }
    }
}

/// What an action asks of the session, if it is one for the session.
fn command(action: Action, frame: &Frame) -> Option<Command> {
    let clock = &frame.clock;
    let leap = |by: f64| Command::GoTo((clock.time + by).clamp(clock.first, clock.last.max(clock.first)));
    Some(match action {
        Action::PlayOrPause if clock.is_playing => Command::Pause,
        Action::PlayOrPause => Command::Play,
        Action::Step => Command::Step,
        Action::Reset => Command::Reset,
        Action::Back => leap(-LEAP),
        Action::Forward => leap(LEAP),
        Action::Slower => Command::Speed((0.5 * clock.speed).max(0.05)),
        Action::Faster => Command::Speed((2.0 * clock.speed).min(4.0)),
        Action::ReleasePins => Command::ReleasePins,
        _ => return None,
    })
}
