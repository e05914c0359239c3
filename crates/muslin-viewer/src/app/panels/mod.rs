//! The panels: a frame and the window's own state in, what is asked for out. They know no session and no device.

mod gallery;
mod graphs;
mod icon;
mod menu;
mod messages;
mod setting;
mod settings;
mod things;
mod timeline;
mod windows;

use egui::{Panel, Rect, Response, Ui, WidgetInfo, accesskit::Role};

use super::ask::Ask;
use super::desk::Desk;
use crate::session::Frame;

/// Height of a panel at the bottom of a narrow window, as a share of it.
const SHEET: f32 = 0.45;

/// Sizes of text, for all panels: the smallest is to be legible, too.
pub fn style(context: &egui::Context) {
    context.all_styles_mut(|style| {
        style.text_styles.insert(egui::TextStyle::Small, egui::FontId::proportional(11.0));
    });
}

/// Shows the panels around the picture; what is left for that is the answer.
pub fn around(ui: &mut Ui, frame: &Frame, desk: &mut Desk, asks: &mut Vec<Ask>) -> Rect {
    let window = ui.available_rect_before_wrap();
    let is_narrow = desk.arrange(window.width());
    Panel::top("menu").show(ui, |ui| menu::show(ui, frame, desk, is_narrow, asks));
    Panel::bottom("time").show(ui, |ui| timeline::show(ui, frame, desk, is_narrow, asks));
    if is_narrow {
        sheet(ui, window.height() * SHEET, frame, desk, asks);
    } else {
        if desk.gallery {
            let panel = Panel::left("gallery").default_size(230.0).size_range(180.0..=360.0);
            panel.show(ui, |ui| gallery::show(ui, frame, desk, asks));
        }
        if desk.settings {
            let panel = Panel::right("settings").default_size(300.0).size_range(250.0..=420.0);
            panel.show(ui, |ui| settings::show(ui, frame, desk, asks));
        }
        if desk.graphs {
            Panel::bottom("graphs").exact_size(170.0).show(ui, |ui| graphs::show(ui, frame, desk));
        }
    }
    if frame.problem.is_some() {
        Panel::top("problem").show(ui, |ui| messages::problem(ui, frame, asks));
    }
    ui.available_rect_before_wrap()
}

/// Shows what lies over the picture: notices, what is going on, windows.
pub fn over(ui: &Ui, picture: Rect, frame: &Frame, desk: &mut Desk, asks: &mut Vec<Ask>) {
    messages::over(ui, picture, frame, desk, asks);
    windows::show(ui, frame, desk, asks);
}

/// The one panel that is open in a narrow window.
fn sheet(ui: &mut Ui, height: f32, frame: &Frame, desk: &mut Desk, asks: &mut Vec<Ask>) {
    if !(desk.gallery || desk.settings || desk.graphs) {
        return;
    }
    Panel::bottom("sheet").exact_size(height).show(ui, |ui| {
        if desk.gallery {
            gallery::show(ui, frame, desk, asks);
        } else if desk.settings {
            settings::show(ui, frame, desk, asks);
        } else {
            graphs::show(ui, frame, desk);
        }
    });
}

/// Gives a widget a name.
fn named(response: Response, role: Role, name: &str) -> Response {
    response.widget_info(|| WidgetInfo::labeled(role, true, name));
    response
}

#[cfg(test)]
pub(super) mod made_up;
#[cfg(test)]
mod stored;
#[cfg(test)]
mod tests;
