//! The window's state as JSON, for programs that test it: where widgets are, what is open, where cloth is in the window.
//!
//! Widgets are those of accesskit, with their names and rectangles in points of the window. [`json`] says what else there is; a test
//! reads it, presses at the places that it names, and waits until it says what is expected.

use egui::{FullOutput, Rect, accesskit};
use glam::{Vec2, Vec3};
use serde_json::{Value, json};

use super::desk::Desk;
use super::hit::hit;
use crate::draw::{MarkKind, Places, Ray, Scenery, Sheet, View};
use crate::session::{Doing, Frame, SettingValue, Values};

/// How many vertices of a cloth are reported with their places.
const SAMPLES: usize = 16;

/// A plugin of egui that remembers the widgets of the last picture.
#[derive(Debug, Default)]
pub struct Widgets(Value);

impl egui::Plugin for Widgets {
    fn debug_name(&self) -> &'static str {
        "widgets"
    }

    fn setup(&mut self, context: &egui::Context) {
        context.enable_accesskit();
    }

    fn output_hook(&mut self, context: &egui::Context, output: &mut FullOutput) {
        if let Some(update) = &output.platform_output.accesskit_update {
            self.0 = update.nodes.iter().filter_map(|(_, node)| widget(node)).collect();
        }
        // Who reads the screen to others may switch it off with their last window.
        context.enable_accesskit();
    }
}

impl Widgets {
    /// Name, role, value and rectangle of each.
    pub fn json(&self) -> Value {
        self.0.clone()
    }
}

fn widget(node: &accesskit::Node) -> Option<Value> {
    let bounds = node.bounds()?;
    let name = node.label().or(node.value())?;
    let value = node.value().map(str::to_owned).or(node.numeric_value().map(|value| value.to_string()));
    Some(json!({
        "name": name,
        "role": format!("{:?}", node.role()),
        "value": value,
        "is_on": node.toggled().map(|toggled| toggled == accesskit::Toggled::True),
        "is_disabled": node.is_disabled(),
        "rect": [bounds.x0, bounds.y0, bounds.x1 - bounds.x0, bounds.y1 - bounds.y0],
    }))
}

/// What a report is of.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// What is shown.
    pub frame: &'a Frame,
    /// The window's own state.
    pub desk: &'a Desk,
    /// The picture in the window, points.
    pub picture: Rect,
    /// From where it is seen.
    pub view: View,
    /// Pixels of a point.
    pub pixels_per_point: f32,
    /// Whether keys go to a field.
    pub is_typing: bool,
    /// How many pictures were drawn.
    pub drawn: u64,
}

/// The state. Lengths in the window are points; places are metres from the scenery's zero.
pub fn json(seen: &Seen<'_>, widgets: Value) -> Value {
    let Seen { frame, desk, picture, view, .. } = seen;
    let marks = |kind| frame.scenery.marks.iter().filter(|mark| mark.kind == kind).count();
    let settings = frame.settings.iter().flat_map(|group| &group.settings).map(|setting| {
        json!({ "key": setting.key, "value": setting.value.as_ref().map(value), "is_changed": setting.is_changed })
    });
    let held = frame.held.iter().map(|held| {
        json!({ "hand": held.hand.0, "kind": format!("{:?}", held.kind), "number": held.number, "place": held.place.to_array() })
    });
    json!({
        "number": frame.number,
        "opened": frame.opened,
        "title": frame.title,
        "time": frame.clock.time,
        "is_playing": frame.clock.is_playing,
        "is_slow": frame.clock.is_slow,
        "is_recording": frame.clock.is_recording,
        "real_time_factor": frame.clock.real_time_factor,
        "step_ms": frame.figures.step_ms,
        "triangles": frame.figures.triangles,
        "contacts": frame.figures.contacts,
        "doing": match &frame.doing {
            Doing::Nothing => Value::Null,
            Doing::Loading(what) => json!(format!("loading {what}")),
            Doing::Rebuilding(what) => json!(format!("rebuilding {what}")),
        },
        "problem": frame.problem,
        "notice": frame.notice,
        "said": desk.said,
        "is_filming": desk.filming.is_some(),
        "runs_on": frame.runs_on,
        "drawn_by": desk.drawn_by,
        "is_typing": seen.is_typing,
        "is_dark": desk.options.dark,
        "has_fan": frame.fan.is_some(),
        "values": values(frame.values),
        "view": { "eye": view.eye.to_array(), "target": view.target.to_array() },
        "picture": [picture.min.x, picture.min.y, picture.width(), picture.height()],
        "pixels_per_point": seen.pixels_per_point,
        "pictures_drawn": seen.drawn,
        "sheets": frame.scenery.sheets.iter().map(|sheet| of_sheet(sheet, seen)).collect::<Value>(),
        "solids": frame.scenery.solids.iter().map(|solid| {
            let middle = middle(&solid.vertices);
            let place = solid.pose.rotation * middle + solid.pose.translation;
            json!({ "place": place.to_array(), "at": in_window(place, seen) })
        }).collect::<Value>(),
        "held": held.collect::<Value>(),
        "pointed": frame.pointed.map(|at| json!({ "kind": format!("{:?}", at.kind), "number": at.number, "vertex": at.vertex })),
        "pins": marks(MarkKind::Pin),
        "settings": settings.collect::<Value>(),
        "widgets": widgets,
    })
}

fn value(value: &SettingValue) -> Value {
    match value {
        SettingValue::Number(number) => json!(number),
        SettingValue::Integer(number) => json!(number),
        SettingValue::Flag(is_on) => json!(is_on),
        SettingValue::Word(word) => json!(word),
        SettingValue::Vector(vector) => json!(vector),
    }
}

fn values(values: Values) -> &'static str {
    match values {
        Values::None => "none",
        Values::Strain => "strain",
        Values::Speed => "speed",
        Values::Level => "level",
        Values::Contact => "contact",
    }
}

/// A cloth: the mean of its vertices, a hash of all of them, and some of them with where they are in the window.
fn of_sheet(sheet: &Sheet, seen: &Seen<'_>) -> Value {
    let Places::Host(places) = &sheet.places else {
        return json!({ "vertices": null, "is_on_device": true });
    };
    let bits = places.iter().flat_map(|place| place.to_array()).map(f32::to_bits);
    let hash = bits.fold(0xcbf2_9ce4_8422_2325_u64, |hash, bits| {
        (hash ^ u64::from(bits)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let every = places.len().div_ceil(SAMPLES).max(1);
    let samples = places.iter().enumerate().skip(every / 2).step_by(every).map(|(vertex, place)| {
        let at = in_window(*place, seen).filter(|_| is_seen(*place, &seen.frame.scenery, &seen.view));
        json!({ "vertex": vertex, "place": place.to_array(), "at": at })
    });
    json!({
        "vertices": places.len(),
        "mean": middle(places).to_array(),
        "hash": format!("{hash:016x}"),
        "samples": samples.collect::<Value>(),
    })
}

fn middle(places: &[Vec3]) -> Vec3 {
    places.iter().sum::<Vec3>() / places.len().max(1) as f32
}

fn in_window(place: Vec3, seen: &Seen<'_>) -> Option<[f32; 2]> {
    let picture = seen.picture;
    let at = seen.view.project(place, picture.aspect_ratio())?;
    let is_inside = at.cmpge(Vec2::ZERO).all() && at.cmple(Vec2::ONE).all();
    is_inside.then(|| [picture.min.x + at.x * picture.width(), picture.min.y + at.y * picture.height()])
}

/// Whether nothing stands before a place.
fn is_seen(place: Vec3, scenery: &Scenery, view: &View) -> bool {
    let ray = Ray { origin: view.eye, direction: place - view.eye };
    hit(scenery, &ray).is_none_or(|distance| distance > 0.99)
}
