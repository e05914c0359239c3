//! Windows in front of everything: the keys, and the path of a file to open.

use egui::{Align2, Grid, Key, RichText, ScrollArea, TextEdit, Ui, Window, accesskit::Role, vec2};

use super::named;
use crate::app::ask::Ask;
use crate::app::desk::Desk;
use crate::app::shortcuts::{GESTURES, SHORTCUTS};
use crate::session::{Command, Frame, Source};

/// Shows those that are open.
pub fn show(ui: &Ui, frame: &Frame, desk: &mut Desk, asks: &mut Vec<Ask>) {
    shortcuts(ui, frame, desk);
    opener(ui, desk, asks);
}

fn shortcuts(ui: &Ui, frame: &Frame, desk: &mut Desk) {
    let size = ui.ctx().content_rect().size();
    let mut is_open = desk.shortcuts;
    let window = Window::new("Shortcuts").open(&mut is_open).collapsible(false).resizable(false);
    window.anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0)).show(ui.ctx(), |ui| {
        ui.set_max_width((size.x - 40.0).min(640.0));
        let height = size.y - 120.0;
        ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
            if size.x > 700.0 {
                ui.columns(2, |columns| {
                    keys(&mut columns[0]);
                    gestures(&mut columns[1], frame, &desk.drawn_by);
                });
            } else {
                gestures(ui, frame, &desk.drawn_by);
                keys(ui);
            }
        });
    });
    desk.shortcuts = is_open;
}

fn keys(ui: &mut Ui) {
    let mut group = "";
    for shortcut in SHORTCUTS {
        if shortcut.group != group {
            group = shortcut.group;
            ui.add_space(6.0);
            ui.strong(group);
        }
        ui.horizontal(|ui| {
            let key = RichText::new(format!("{:<6}", shortcut.shown)).monospace().strong();
            ui.label(key);
            ui.label(shortcut.about);
        });
    }
}

fn gestures(ui: &mut Ui, frame: &Frame, drawn_by: &str) {
    ui.add_space(6.0);
    ui.strong("Mouse and fingers");
    Grid::new("gestures").num_columns(1).show(ui, |ui| {
        for (gesture, about) in GESTURES {
            ui.vertical(|ui| {
                ui.label(RichText::new(*gesture).strong());
                ui.label(*about);
            });
            ui.end_row();
        }
    });
    ui.add_space(6.0);
    ui.strong("Runs on");
    ui.label(format!("simulated by: {}", frame.runs_on));
    ui.label(format!("drawn by: {drawn_by}"));
}

fn opener(ui: &Ui, desk: &mut Desk, asks: &mut Vec<Ask>) {
    let mut is_open = desk.opener && desk.has_files;
    let mut is_done = false;
    let window = Window::new("Open").open(&mut is_open).collapsible(false).resizable(false);
    window.anchor(Align2::CENTER_CENTER, vec2(0.0, -60.0)).show(ui.ctx(), |ui| {
        ui.label("A scene, a mesh, a clip, or the folder of a run. Or drop it on the window.");
        let edit = TextEdit::singleline(&mut desk.path).hint_text("scenes/napkin.toml").desired_width(420.0);
        let response = named(ui.add(edit), Role::TextInput, "Path");
        let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if !response.has_focus() && !is_entered && desk.path.is_empty() {
            response.request_focus();
        }
        let is_clicked =
            ui.add_enabled(!desk.path.trim().is_empty(), egui::Button::new("Open file")).clicked();
        is_done = (is_clicked || is_entered) && !desk.path.trim().is_empty();
    });
    if is_done {
        asks.push(Command::Open(Source::Path(desk.path.trim().into())).into());
        desk.path.clear();
    }
    desk.opener = is_open && !is_done;
}
