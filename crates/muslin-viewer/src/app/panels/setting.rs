//! One setting: its name, what it is, a way to change it, and back.

use egui::{
    Align, ComboBox, DragValue, Layout, Response, RichText, Slider, SliderClamping, Ui, accesskit::Role,
};

use super::icon::{self, Icon};
use super::named;
use crate::app::ask::Ask;
use crate::app::desk::Desk;
use crate::session::{Command, Setting, SettingKind, SettingValue};

/// How far a change has come.
enum Change {
    /// It goes on: a slider is being dragged.
    Goes(SettingValue),
    /// It is done.
    Done(SettingValue),
}

/// Shows it.
pub fn show(ui: &mut Ui, setting: &Setting, desk: &mut Desk, asks: &mut Vec<Ask>) {
    ui.horizontal(|ui| {
        let dot = if setting.is_changed { " •" } else { "" };
        let mut name = RichText::new(format!("{}{dot}", setting.name));
        if setting.is_changed {
            name = name.strong().color(ui.visuals().warn_fg_color);
        }
        ui.add(egui::Label::new(name).truncate()).on_hover_text(help(setting));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if setting.is_given {
                let help = "back to what holds when the scene says nothing of it";
                if icon::small(ui, Icon::Back, &format!("Reset {}", setting.name), help).clicked() {
                    desk.edited.remove(&setting.key);
                    asks.push(Command::Unset { key: setting.key.clone() }.into());
                }
            }
            if setting.rebuilds {
                ui.label(RichText::new("rebuilds").small().weak())
                    .on_hover_text("is built anew for it, which takes a moment");
            }
        });
    });
    let value = desk.edited.get(&setting.key).or(setting.value.as_ref()).cloned();
    let change = match value {
        Some(value) => editor(ui, setting, value),
        None => unset(ui, setting),
    };
    match change {
        Some(Change::Goes(value)) if setting.rebuilds => {
            desk.edited.insert(setting.key.clone(), value);
        }
        Some(Change::Goes(value) | Change::Done(value)) => {
            desk.edited.insert(setting.key.clone(), value.clone());
            asks.push(Command::Set { key: setting.key.clone(), value }.into());
        }
        None => {}
    }
    ui.label(RichText::new(&setting.help).small().weak());
    ui.add_space(4.0);
}

fn help(setting: &Setting) -> String {
    let unit = if setting.unit.is_empty() { String::new() } else { format!(" [{}]", setting.unit) };
    format!("{}{unit}\n{}", setting.help, setting.key)
}

/// What stands for no value: a button that gives it one.
fn unset(ui: &mut Ui, setting: &Setting) -> Option<Change> {
    let first = match &setting.kind {
        SettingKind::Number { soft, .. } => SettingValue::Number(0.5 * (soft[0] + soft[1])),
        SettingKind::Integer { soft, .. } => SettingValue::Integer(soft[0] + (soft[1] - soft[0]) / 2),
        SettingKind::Flag => SettingValue::Flag(true),
        SettingKind::Word(words) => SettingValue::Word(words.first().copied().unwrap_or_default().to_owned()),
        SettingKind::Vector { .. } => SettingValue::Vector([0.0; 3]),
    };
    let button = named(ui.small_button("none — set it"), Role::Button, &format!("Set {}", setting.name));
    button.clicked().then_some(Change::Done(first))
}

fn editor(ui: &mut Ui, setting: &Setting, value: SettingValue) -> Option<Change> {
    match (&setting.kind, value) {
        (SettingKind::Number { least, most, soft, is_logarithmic }, SettingValue::Number(mut number)) => {
            let slider = Slider::new(&mut number, soft[0]..=soft[1])
                .logarithmic(*is_logarithmic)
                .clamping(SliderClamping::Never)
                .max_decimals(6)
                .custom_formatter(|number, _| short(number));
            let response = slid(ui, setting, slider);
            change(&response, SettingValue::Number(number.clamp(*least, *most)))
        }
        (SettingKind::Integer { least, most, soft }, SettingValue::Integer(mut number)) => {
            let slider = Slider::new(&mut number, soft[0]..=soft[1]).clamping(SliderClamping::Never);
            let response = slid(ui, setting, slider);
            change(&response, SettingValue::Integer(number.clamp(*least, *most)))
        }
        (SettingKind::Flag, SettingValue::Flag(mut is_on)) => {
            let shown = if is_on { "yes" } else { "no" };
            let response = ui.checkbox(&mut is_on, shown);
            let is_done = response.changed();
            named(response, Role::CheckBox, &setting.name);
            is_done.then_some(Change::Done(SettingValue::Flag(is_on)))
        }
        (SettingKind::Word(words), SettingValue::Word(word)) => menu(ui, setting, words, &word),
        (SettingKind::Vector { least, most, soft }, SettingValue::Vector(vector)) => {
            numbers(ui, setting, vector, [*least, *most], soft[1] - soft[0])
        }
        // The session says that it is of one kind and gives another: nothing that a user could change.
        (_, value) => {
            ui.weak(format!("{value:?}"));
            None
        }
    }
}

fn slid(ui: &mut Ui, setting: &Setting, slider: Slider<'_>) -> Response {
    ui.spacing_mut().slider_width = (ui.available_width() - 96.0).clamp(60.0, 220.0);
    let slider = if setting.unit.is_empty() { slider } else { slider.suffix(format!(" {}", setting.unit)) };
    let label = setting.name.clone();
    let response = ui.add(slider);
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(label));
    response
}

/// A slider that is being dragged still changes; what is typed, or set by one click, is done.
fn change(response: &Response, value: SettingValue) -> Option<Change> {
    if response.dragged() && response.changed() {
        Some(Change::Goes(value))
    } else if response.changed() || response.drag_stopped() {
        Some(Change::Done(value))
    } else {
        None
    }
}

fn menu(ui: &mut Ui, setting: &Setting, words: &[&'static str], word: &str) -> Option<Change> {
    let mut chosen = None;
    let mut combo = ComboBox::from_id_salt("menu").selected_text(word);
    combo = combo.width((ui.available_width() - 20.0).clamp(80.0, 200.0));
    let shown = combo.show_ui(ui, |ui| {
        for other in words {
            if ui.selectable_label(*other == word, *other).clicked() {
                chosen = Some(Change::Done(SettingValue::Word((*other).to_owned())));
            }
        }
    });
    named(shown.response, Role::ComboBox, &setting.name);
    chosen
}

fn numbers(
    ui: &mut Ui,
    setting: &Setting,
    mut vector: [f64; 3],
    [least, most]: [f64; 2],
    width: f64,
) -> Option<Change> {
    let responses = ui.horizontal(|ui| {
        let responses = ["x", "y", "z"].into_iter().zip(&mut vector).map(|(axis, number)| {
            let value = DragValue::new(number).range(least..=most).speed(width / 300.0).max_decimals(4);
            let response = ui.add(value.prefix(format!("{axis} ")));
            let label = format!("{} {axis}", setting.name);
            ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(label));
            response
        });
        let responses: Vec<_> = responses.collect();
        ui.weak(setting.unit);
        responses
    });
    responses.inner.iter().find_map(|response| change(response, SettingValue::Vector(vector)))
}

/// A number with as many digits as say something: "0.003", "1.2e-6", "1500".
pub fn short(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e6).contains(&size) {
        return format!("{number:.2e}");
    }
    let decimals = (2 - size.log10().floor() as i32).clamp(0, 5) as usize;
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_have_the_digits_that_say_something() {
        let shown = [0.0, 0.5, 0.00312, 1500.0, 9.81, -12.345, 1.2e-6, 3e7].map(short);
        assert_eq!(shown, ["0", "0.5", "0.00312", "1500", "9.81", "-12.3", "1.20e-6", "3.00e7"]);
    }
}
