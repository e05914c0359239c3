//! The scenes that come with the viewer, group by group, with a search.

use egui::load::SizedTexture;
use egui::{
    Button, ColorImage, Id, Image, RichText, ScrollArea, TextEdit, TextureHandle, TextureOptions, Ui, Vec2,
    accesskit::Role,
};

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

/// Points that a thumbnail takes.
const THUMBNAIL: Vec2 = Vec2::new(84.0, 56.0);

fn row(ui: &mut Ui, entry: &GalleryEntry, is_open: bool, asks: &mut Vec<Ask>) {
    let name = entry.name.replace('_', " ");
    let width = ui.available_width();
    let text = egui::text::LayoutJob::default();
    let text = with_line(text, ui, &name, false);
    let text = with_line(text, ui, &format!("\n{}", entry.about), true);
    let button = match thumbnail(ui, entry) {
        Some(texture) => {
            let picture = Image::from_texture(SizedTexture::new(texture.id(), THUMBNAIL));
            Button::selectable(is_open, (picture.corner_radius(3), text))
        }
        None => Button::selectable(is_open, text),
    };
    let response = named(ui.add(button.wrap().min_size(egui::vec2(width, 0.0))), Role::Button, entry.name);
    if response.clicked() {
        asks.push(Command::Open(Source::Gallery(entry.name.to_owned())).into());
    }
}

/// A scene's small picture; sent to the device when it is first shown.
fn thumbnail(ui: &Ui, entry: &GalleryEntry) -> Option<TextureHandle> {
    let id = Id::unique(("thumbnail", entry.name));
    if let Some(known) = ui.data(|data| data.get_temp::<TextureHandle>(id)) {
        return Some(known);
    }
    let image = decoded(entry.thumbnail)?;
    let texture = ui.ctx().load_texture(entry.name, image, TextureOptions::LINEAR);
    ui.data_mut(|data| data.insert_temp(id, texture.clone()));
    Some(texture)
}

/// The picture in a PNG file of three bytes per pixel, as ours are.
fn decoded(file: &[u8]) -> Option<ColorImage> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    let size = [info.width as usize, info.height as usize];
    (info.color_type == png::ColorType::Rgb)
        .then(|| ColorImage::from_rgb(size, &pixels[..info.buffer_size()]))
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
        GalleryEntry { name: "napkin", about: "A napkin falls on a ball.", group: "Table", thumbnail: &[] },
        GalleryEntry { name: "skirt_tube", about: "A skirt turns.", group: "Garments", thumbnail: &[] },
    ];

    #[test]
    fn every_scene_has_a_small_picture_that_can_be_shown() {
        for entry in gallery() {
            let picture = decoded(entry.thumbnail);
            assert_eq!(picture.map(|picture| picture.size), Some([168, 112]), "{}", entry.name);
        }
    }

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
