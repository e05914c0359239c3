//! The list of what is in the scene.

use egui::{RichText, Ui};

use crate::session::{Frame, ThingKind};

/// Shows it.
pub fn show(ui: &mut Ui, frame: &Frame) {
    if frame.things.is_empty() {
        ui.weak("Nothing is open.");
    }
    for (number, thing) in frame.things.iter().enumerate() {
        let kind = frame.things[..number].iter().filter(|other| other.kind == thing.kind).count();
        let is_held = frame.held.iter().any(|held| held.kind == thing.kind && held.number == kind);
        let is_pointed = frame.pointed.is_some_and(|at| at.kind == thing.kind && at.number == kind);
        let shown = match thing.kind {
            ThingKind::Cloth => "cloth",
            ThingKind::Collider => "collider",
            ThingKind::Body => "body",
        };
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let name = RichText::new(&thing.name);
            ui.label(if is_held || is_pointed { name.strong().underline() } else { name.strong() });
            ui.weak(shown);
            if is_held {
                ui.colored_label(ui.visuals().warn_fg_color, "held");
            }
        });
        ui.label(RichText::new(&thing.about).small().weak());
    }
}
