//! What can be changed, group by group, and the list of things.

use egui::{CollapsingHeader, RichText, ScrollArea, Ui};

use super::{setting, things};
use crate::app::ask::Ask;
use crate::app::desk::Desk;
use crate::session::{Command, Frame, SettingGroup};

/// How many groups are open at first.
const OPEN: usize = 2;

/// Shows it.
pub fn show(ui: &mut Ui, frame: &Frame, desk: &mut Desk, asks: &mut Vec<Ask>) {
    // What was edited is shown until the session has it: then its settings lie elsewhere.
    let memory = frame.settings.as_ptr() as usize;
    if desk.edited_for != memory {
        desk.edited_for = memory;
        desk.edited.clear();
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.add_space(4.0);
        let changes = changes(&frame.settings);
        if changes > 0 {
            ui.horizontal_wrapped(|ui| {
                ui.colored_label(ui.visuals().warn_fg_color, format!("{changes} changed"));
                if ui.small_button("Undo all changes").clicked() {
                    asks.push(Command::UnsetAll.into());
                }
            });
        }
        for (number, group) in frame.settings.iter().enumerate() {
            group_of(ui, number, group, desk, asks);
        }
        CollapsingHeader::new("Things").default_open(frame.settings.is_empty()).show(ui, |ui| {
            things::show(ui, frame);
        });
        ui.add_space(8.0);
    });
}

fn changes(groups: &[SettingGroup]) -> usize {
    groups.iter().flat_map(|group| &group.settings).filter(|setting| setting.is_changed).count()
}

fn group_of(ui: &mut Ui, number: usize, group: &SettingGroup, desk: &mut Desk, asks: &mut Vec<Ask>) {
    let changed = group.settings.iter().filter(|setting| setting.is_changed).count();
    let mut title = RichText::new(&group.title).strong();
    if changed > 0 {
        title = title.color(ui.visuals().warn_fg_color);
    }
    let header = CollapsingHeader::new(title).id_salt((number, &group.title)).default_open(number < OPEN);
    header.show(ui, |ui| {
        if !group.about.is_empty() {
            ui.label(RichText::new(&group.about).small().weak());
        }
        for setting in &group.settings {
            ui.push_id(&setting.key, |ui| setting::show(ui, setting, desk, asks));
        }
    });
}
