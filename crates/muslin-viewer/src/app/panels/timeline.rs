//! Time: play and pause, a step, back to the start, slow motion, rewinding, and how fast it goes.

use egui::{RichText, Slider, Ui, accesskit::Role};

use super::icon::{self, Icon};
use super::named;
use crate::app::ask::{Action, Ask};
use crate::app::desk::Desk;
use crate::session::{Clock, Command, Frame};

/// Speeds that are offered.
const SPEEDS: [(f64, &str); 6] =
    [(0.1, "1/10"), (0.25, "1/4"), (0.5, "1/2"), (1.0, "1"), (2.0, "2"), (4.0, "4")];

/// Shows it.
pub fn show(ui: &mut Ui, frame: &Frame, desk: &mut Desk, is_narrow: bool, asks: &mut Vec<Ask>) {
    let clock = &frame.clock;
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        buttons(ui, clock, asks);
        ui.separator();
        speeds(ui, clock, asks);
        if clock.is_recording {
            let mut repeats = clock.repeats;
            if ui.checkbox(&mut repeats, "Repeat").clicked() {
                asks.push(Command::Repeat(repeats).into());
            }
        }
        if !is_narrow {
            pace(ui, clock);
            line(ui, clock, desk, asks);
        }
    });
    if is_narrow {
        ui.horizontal(|ui| line(ui, clock, desk, asks));
        ui.horizontal(|ui| pace(ui, clock));
    }
    ui.add_space(2.0);
}

fn buttons(ui: &mut Ui, clock: &Clock, asks: &mut Vec<Ask>) {
    let (shown, name) = if clock.is_playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    if icon::button(ui, shown, name, "play, pause (Space)", false).clicked() {
        asks.push(if clock.is_playing { Command::Pause } else { Command::Play }.into());
    }
    let others = [
        (Icon::Step, "Step", "one step (.)", Action::Step),
        (Icon::Start, "Reset", "back to the start (Home)", Action::Reset),
    ];
    for (shown, name, help, action) in others {
        if icon::button(ui, shown, name, help, false).clicked() {
            asks.push(action.into());
        }
    }
}

fn speeds(ui: &mut Ui, clock: &Clock, asks: &mut Vec<Ask>) {
    let known = SPEEDS.iter().find(|(speed, _)| (speed - clock.speed).abs() < 1e-6);
    let shown = known.map_or_else(|| format!("{:.2}", clock.speed), |(_, shown)| (*shown).to_owned());
    let menu = egui::ComboBox::from_id_salt("speed").width(58.0).selected_text(format!("× {shown}"));
    let response = menu.show_ui(ui, |ui| {
        for (speed, shown) in SPEEDS {
            if ui.selectable_label(speed == clock.speed, format!("× {shown}")).clicked() {
                asks.push(Command::Speed(speed).into());
            }
        }
    });
    named(response.response, Role::ComboBox, "Speed").on_hover_text("slow motion (↓ ↑)");
}

/// How fast it really goes, in words where that is too slow.
fn pace(ui: &mut Ui, clock: &Clock) {
    if !clock.is_playing {
        ui.weak("paused");
    } else if clock.is_slow {
        let text = format!("slow: {:.2} s per second", clock.real_time_factor);
        let help = "This machine cannot keep up with the scene, so time goes slower. Fewer substeps or triangles help.";
        ui.colored_label(ui.visuals().warn_fg_color, text).on_hover_text(help);
    } else {
        ui.weak(format!("{:.2} × real time", clock.real_time_factor));
    }
}

/// The slider over what can be rewound to.
fn line(ui: &mut Ui, clock: &Clock, desk: &mut Desk, asks: &mut Vec<Ask>) {
    let end = if clock.is_recording { clock.last } else { clock.last.max(clock.time) };
    let start = clock.first.min(end);
    let length = clock.length.filter(|_| clock.is_recording).map_or(String::new(), |s| format!(" / {s:.2}"));
    ui.label(RichText::new(format!("{:>6.2}{length} s", clock.time)).monospace());
    ui.spacing_mut().slider_width = (ui.available_width() - 12.0).max(60.0);
    let mut time = clock.time.clamp(start, end.max(start));
    let slider = Slider::new(&mut time, start..=end.max(start + 1e-6)).show_value(false);
    let response = ui.add_enabled(end > start, slider);
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label("Time"));
    if response.drag_started() {
        desk.was_playing = Some(clock.is_playing);
    }
    if response.changed() {
        asks.push(Command::GoTo(time).into());
    }
    // A playback goes on where it was let go; a simulation stands still there, for going on forgets what came later.
    if response.drag_stopped() && desk.was_playing.take() == Some(true) && clock.is_recording {
        asks.push(Command::Play.into());
    }
    let help =
        if clock.is_recording { "the recording" } else { "rewind: what was simulated in the last seconds" };
    response.on_hover_text(help);
}
