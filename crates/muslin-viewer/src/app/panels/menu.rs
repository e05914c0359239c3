//! The bar at the top: menus, what is open, what it runs on, and what else is shown.

use egui::{Ui, containers::menu::MenuBar};

use super::icon::{self, Icon};
use crate::app::ask::{Action, Ask, PanelName};
use crate::app::desk::Desk;
use crate::session::{Command, Frame, SaveKind, Values};

/// Names of what cloth can be coloured by.
pub const VALUES: [(Values, &str, &str); 5] = [
    (Values::None, "Fabric", "the cloth's own look"),
    (Values::Strain, "Strain", "how far triangles are stretched; the brightest is 10 %"),
    (Values::Speed, "Speed", "the brightest is 3 m/s"),
    (Values::Level, "Level", "the coarsest level of the hierarchy that a vertex is in"),
    (Values::Contact, "Contact", "how hard it is pushed by what it touches"),
];

/// Shows it.
pub fn show(ui: &mut Ui, frame: &Frame, desk: &mut Desk, is_narrow: bool, asks: &mut Vec<Ask>) {
    MenuBar::new().ui(ui, |ui| {
        panel_button(ui, desk, PanelName::Gallery, Icon::List, "Gallery", "scenes to open (G)", asks);
        ui.menu_button("File", |ui| file(ui, desk, asks));
        ui.menu_button("Show", |ui| view(ui, frame, desk, asks));
        ui.menu_button("Camera", |ui| camera(ui, asks));
        if !is_narrow {
            ui.separator();
            ui.strong(if frame.title.is_empty() { "Muslin" } else { &frame.title });
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            panel_button(
                ui,
                desk,
                PanelName::Settings,
                Icon::Settings,
                "Settings",
                "what can be changed (S)",
                asks,
            );
            panel_button(
                ui,
                desk,
                PanelName::Graphs,
                Icon::Graph,
                "Graphs",
                "times, strain, energy, contacts (D)",
                asks,
            );
            panel_button(
                ui,
                desk,
                PanelName::Shortcuts,
                Icon::Question,
                "Shortcuts",
                "keys and gestures (?)",
                asks,
            );
            let (shown, name) = if desk.options.dark { (Icon::Sun, "Light") } else { (Icon::Moon, "Dark") };
            if icon::button(ui, shown, name, "light or dark (T)", false).clicked() {
                asks.push(Action::Theme.into());
            }
            if !is_narrow {
                let runs_on = egui::RichText::new(runs_on(frame, desk)).weak().small();
                ui.add(egui::Label::new(runs_on).truncate()).on_hover_text(&desk.drawn_by);
            }
        });
    });
}

/// What simulates and what draws: in a page these differ from browser to browser.
fn runs_on(frame: &Frame, desk: &Desk) -> String {
    match (frame.runs_on.is_empty(), desk.drawn_by.split(',').next().unwrap_or_default()) {
        (true, draws) => draws.to_owned(),
        (false, "") => frame.runs_on.clone(),
        (false, draws) => format!("{} · drawn by {draws}", frame.runs_on),
    }
}

fn panel_button(
    ui: &mut Ui,
    desk: &Desk,
    panel: PanelName,
    shown: Icon,
    name: &str,
    help: &str,
    asks: &mut Vec<Ask>,
) {
    if icon::button(ui, shown, name, help, desk.is_open(panel)).clicked() {
        asks.push(Action::Toggle(panel).into());
    }
}

fn file(ui: &mut Ui, desk: &mut Desk, asks: &mut Vec<Ask>) {
    let mut item = |ui: &mut Ui, name: &str, ask: Ask| {
        if ui.button(name).clicked() {
            asks.push(ask);
            ui.close();
        }
    };
    if desk.has_files {
        item(ui, "Open…", Action::Toggle(PanelName::Opener).into());
    }
    item(ui, "Reload", Command::Reload.into());
    ui.separator();
    item(ui, "Save picture (PNG)", Action::SavePicture.into());
    item(ui, "Save film (GIF)", Action::SaveGif.into());
    item(ui, "Save meshes (GLB)", Command::Save(SaveKind::Glb).into());
    item(ui, "Save cloth (OBJ)", Command::Save(SaveKind::Obj).into());
    item(ui, "Save scene (TOML)", Command::Save(SaveKind::Scene).into());
    ui.separator();
    ui.add(egui::Slider::new(&mut desk.film_seconds, 1.0..=10.0).suffix(" s").text("of film"));
    if desk.has_files {
        ui.separator();
        if ui.button("Quit").clicked() {
            asks.push(Action::Quit.into());
        }
    } else {
        ui.separator();
        ui.weak("Drop a scene, a mesh or a glTF\non the page to open it.");
    }
}

fn view(ui: &mut Ui, frame: &Frame, desk: &Desk, asks: &mut Vec<Ask>) {
    ui.weak("Colour by");
    for (values, name, help) in VALUES {
        if ui.radio(frame.values == values, name).on_hover_text(help).clicked() {
            asks.push(Command::Show(values).into());
        }
    }
    ui.separator();
    let toggles = [
        (desk.options.wireframe, "Wireframe", Action::Wireframe),
        (desk.options.marks, "Pins and contacts", Action::Marks),
        (desk.options.soft_light, "Soft light", Action::SoftLight),
        (desk.fan, "Fan", Action::Fan),
    ];
    for (mut is_on, name, action) in toggles {
        if ui.checkbox(&mut is_on, name).clicked() {
            asks.push(action.into());
        }
    }
}

fn camera(ui: &mut Ui, asks: &mut Vec<Ask>) {
    use crate::app::ask::Side;
    let items = [
        ("Everything  F", Action::Frame),
        ("Front  1", Action::Look(Side::Front)),
        ("Right  3", Action::Look(Side::Right)),
        ("Above  7", Action::Look(Side::Top)),
    ];
    for (name, action) in items {
        if ui.button(name).clicked() {
            asks.push(action.into());
            ui.close();
        }
    }
    ui.separator();
    if ui.button("Release pins set by hand").clicked() {
        asks.push(Action::ReleasePins.into());
        ui.close();
    }
}
