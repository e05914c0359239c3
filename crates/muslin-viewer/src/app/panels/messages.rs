//! What is said to the user: what is wrong, what was done, what goes on.

use egui::{Align2, Area, Button, Color32, Frame as Box, Order, Rect, RichText, ScrollArea, Ui, vec2};

use super::icon::{self, Icon};
use crate::app::ask::Ask;
use crate::app::desk::Desk;
use crate::session::{Command, Doing, Frame};

/// The banner with what is wrong: as it stands in a terminal, so that file, line and field can be read.
pub fn problem(ui: &mut Ui, frame: &Frame, asks: &mut Vec<Ask>) {
    let Some(problem) = &frame.problem else { return };
    ui.horizontal_top(|ui| {
        ui.colored_label(ui.visuals().error_fg_color, RichText::new("Problem").strong());
        let close = icon::button(ui, Icon::Cross, "Dismiss", "close (Esc)", false);
        if close.clicked() {
            asks.push(Command::Dismiss.into());
        }
        ScrollArea::both().max_height(150.0).auto_shrink([false, true]).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(problem).monospace()).wrap().selectable(true));
        });
    });
}

/// What lies over the picture.
pub fn over(ui: &Ui, picture: Rect, frame: &Frame, desk: &mut Desk, asks: &mut Vec<Ask>) {
    going_on(ui, picture, frame);
    let notice = frame.notice.as_ref().filter(|notice| desk.closed_notice.as_ref() != Some(notice)).cloned();
    if notice.is_some() || desk.said.is_some() {
        bubble(ui, "notices", picture, Align2::LEFT_BOTTOM, |ui| {
            if let Some(said) = desk.said.clone()
                && line(ui, &said, "Close message")
            {
                desk.said = None;
            }
            if let Some(notice) = notice
                && line(ui, &notice, "Close notice")
            {
                desk.closed_notice = Some(notice);
            }
        });
    }
    if frame.notice.is_none() {
        desk.closed_notice = None;
    }
    if desk.fan {
        bubble(ui, "fan", picture, Align2::RIGHT_BOTTOM, |ui| {
            ui.horizontal(|ui| {
                ui.label(format!("The fan blows at {:.0} m/s where the pointer is", desk.fan_speed));
                ui.weak("wheel: stronger");
                if ui.add(Button::new("Put away").small()).clicked() {
                    asks.push(crate::app::ask::Action::Fan.into());
                }
            });
        });
    }
    if let Some(share) = desk.filming {
        bubble(ui, "film", picture, Align2::RIGHT_TOP, |ui| {
            ui.colored_label(Color32::from_rgb(220, 60, 60), format!("recording, {:.0} %", 100.0 * share));
        });
    }
}

fn going_on(ui: &Ui, picture: Rect, frame: &Frame) {
    let text = match &frame.doing {
        Doing::Loading(what) => format!("Opening {what} …"),
        Doing::Rebuilding(what) => format!("Building anew: {what} …"),
        Doing::Nothing if frame.opened == 0 && frame.problem.is_none() => {
            "Choose a scene, or drop a file here.".to_owned()
        }
        Doing::Nothing => return,
    };
    bubble(ui, "doing", picture, Align2::LEFT_TOP, |ui| {
        ui.horizontal(|ui| {
            if frame.doing != Doing::Nothing {
                ui.spinner();
            }
            ui.label(text);
        });
    });
}

/// A line with a cross; says whether that was clicked.
fn line(ui: &mut Ui, text: &str, name: &str) -> bool {
    ui.horizontal(|ui| {
        let is_closed = icon::small(ui, Icon::Cross, name, "close").clicked();
        ui.add(egui::Label::new(text).wrap());
        is_closed
    })
    .inner
}

/// A small box in a corner of the picture.
fn bubble(ui: &Ui, name: &str, picture: Rect, corner: Align2, content: impl FnOnce(&mut Ui)) {
    let inner = picture.shrink(10.0);
    Area::new(ui.scope_id().with(name))
        .order(Order::Middle)
        .fixed_pos(corner.pos_in_rect(&inner))
        .pivot(corner)
        .constrain_to(picture)
        .movable(false)
        .show(ui.ctx(), |ui| {
            ui.set_max_width((inner.width()).min(520.0));
            Box::popup(ui.style()).inner_margin(vec2(8.0, 5.0)).show(ui, content);
        });
}
