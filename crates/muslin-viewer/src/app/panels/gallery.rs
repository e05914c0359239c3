//! The scenes that come with the viewer, group by group, with a search.

use egui::{Button, RichText, ScrollArea, TextEdit, Ui, accesskit::Role};

use super::named;
use crate::app::ask::Ask;
use crate::app::desk::Desk;
use crate::session::{Command, Frame, GalleryEntry, Source, gallery};

/// Shows them.
pub fn show(ui: &mut Ui, frame: &Frame, desk: &mut Desk, asks: &mut Vec<Ask>) {
    entries(ui, gallery(), &frame.title, desk, asks);
}

fn entries(ui: &mut Ui, all: &[GalleryEntry], open: &str, desk: &mut Desk, asks: &mut Vec<Ask>) {
    ui.add_space(4.0);
    let search = TextEdit::singleline(&mut desk.search).hint_text("Search scenes");
    named(ui.add(search.desired_width(f32::INFINITY)), Role::SearchInput, "Search scenes");
    let found: Vec<_> = all.iter().filter(|entry| is_found(entry, &desk.search)).collect();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        if found.is_empty() {
            ui.weak(if all.is_empty() { "There are no scenes." } else { "No scene has all of these words." });
        }
        let mut group = "";
        for entry in found {
            if entry.group != group {
                group = entry.group;
                ui.add_space(6.0);
                ui.label(RichText::new(group).strong());
            }
            row(ui, entry, entry.name == open, asks);
        }
    });
}

fn row(ui: &mut Ui, entry: &GalleryEntry, is_open: bool, asks: &mut Vec<Ask>) {
    let name = entry.name.replace('_', " ");
    let width = ui.available_width();
    let text = egui::text::LayoutJob::default();
    let text = with_line(text, ui, &name, false);
    let text = with_line(text, ui, &format!("\n{}", entry.about), true);
    let button = Button::selectable(is_open, text).wrap().min_size(egui::vec2(width, 0.0));
    let response = named(ui.add(button), Role::Button, entry.name);
    if response.clicked() {
        asks.push(Command::Open(Source::Gallery(entry.name.to_owned())).into());
    }
}

fn with_line(mut job: egui::text::LayoutJob, ui: &Ui, line: &str, is_small: bool) -> egui::text::LayoutJob {
    let visuals = ui.visuals();
    let (style, color) = if is_small {
        (egui::TextStyle::Small, visuals.weak_text_color())
    } else {
        (egui::TextStyle::Button, visuals.text_color())
    };
    job.append(line, 0.0, egui::TextFormat::simple(style.resolve(ui.style()), color));
    job
}

/// Whether a scene has all words that are searched for, in its name, group or sentence.
fn is_found(entry: &GalleryEntry, search: &str) -> bool {
    let text = format!("{} {} {}", entry.name.replace('_', " "), entry.group, entry.about).to_lowercase();
    search.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::{Harness, kittest::Queryable};

    const SCENES: [GalleryEntry; 2] = [
        GalleryEntry { name: "napkin", about: "A napkin falls on a ball.", group: "Table" },
        GalleryEntry { name: "skirt_tube", about: "A skirt turns.", group: "Garments" },
    ];

    #[test]
    fn a_click_opens_a_scene_and_a_search_leaves_what_has_its_words() {
        let app = |ui: &mut Ui, state: &mut (Desk, Vec<Ask>)| {
            entries(ui, &SCENES, "napkin", &mut state.0, &mut state.1);
        };
        let mut harness = Harness::new_ui_state(app, (Desk::default(), Vec::new()));
        harness.get_by_label("skirt_tube").click();
        harness.run();
        let open = Command::Open(Source::Gallery("skirt_tube".into()));
        assert_eq!(harness.state().1, [Ask::Command(open)]);
        harness.state_mut().0.search = "Garment TUBE".into();
        harness.run();
        assert!(harness.query_by_label("skirt_tube").is_some());
        assert!(harness.query_by_label("napkin").is_none());
    }
}
