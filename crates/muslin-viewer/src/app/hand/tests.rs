//! Events on a picture whose left half is cloth: what they ask for, and what the camera does.

use std::sync::Arc;

use egui::{Modifiers, TouchDeviceId, TouchId, pos2, vec2};
use muslin_render::Color;

use super::*;
use crate::app::panels::made_up;
use crate::draw::{Look, Places, Sheet, Weave};
use crate::session::Bounds;

/// Seen along -z from 2 m: the picture is 2 m high at the cloth's depth.
fn view() -> View {
    View {
        eye: Vec3::new(0.0, 0.0, 2.0),
        target: Vec3::ZERO,
        up: Vec3::Y,
        fov_degrees: 2.0 * 0.5_f32.atan().to_degrees(),
    }
}

fn frame() -> Frame {
    let color = Color::rgb(200, 0, 0);
    let corners = [[-9.0, -9.0], [0.0, -9.0], [0.0, 9.0], [-9.0, 9.0]];
    let places: Vec<Vec3> = corners.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec();
    let sheet = Sheet {
        triangles: Arc::new([[0, 1, 2], [0, 2, 3]]),
        flat: Arc::new([]),
        places: Places::Host(places.into()),
        look: Look {
            front: color,
            back: color,
            weave: Weave::Plain,
            sheen: 0.0,
            gloss: 0.0,
            translucency: 0.0,
        },
        values: None,
    };
    let mut frame = made_up::frame();
    frame.scenery.sheets.push(sheet);
    frame
}

struct Table {
    hands: Hands,
    orbit: Orbit,
    frame: Frame,
    turns: bool,
    fan: bool,
}

impl Table {
    fn new() -> Self {
        Self { hands: Hands::default(), orbit: Orbit::default(), frame: frame(), turns: false, fan: false }
    }

    fn take(&mut self, events: &[Event]) -> Vec<Command> {
        let picture = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 400.0));
        let place = Place { picture, view: view(), frame: &self.frame, turns: self.turns, has_fan: self.fan };
        let commands = self.hands.take(events, &place, &mut self.orbit, &|at| picture.contains(at));
        commands.into_iter().filter(|command| !matches!(command, Command::Point(_))).collect()
    }

    fn moves_camera(&mut self) -> bool {
        self.orbit.advance(1.0)
    }
}

const CLOTH: Pos2 = pos2(200.0, 200.0);
const NOTHING: Pos2 = pos2(400.0, 200.0);

fn button(at: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) -> Event {
    Event::PointerButton { pos: at, button, pressed, modifiers }
}

fn left(at: Pos2, pressed: bool) -> Event {
    button(at, PointerButton::Primary, pressed, Modifiers::NONE)
}

fn finger(id: u64, phase: TouchPhase, at: Pos2) -> Event {
    Event::Touch { device_id: TouchDeviceId(0), id: TouchId(id), phase, pos: at, force: None }
}

#[test]
fn a_press_a_move_and_a_release_in_one_picture_are_a_drag() {
    let mut table = Table::new();
    let commands = table.take(&[
        left(CLOTH, true),
        Event::PointerMoved(CLOTH + vec2(40.0, 0.0)),
        left(CLOTH + vec2(40.0, 0.0), false),
    ]);
    let [Command::Grab { hand, ray, forward }, Command::Drag { ray: end, away, .. }, Command::Release { .. }] =
        commands.as_slice()
    else {
        panic!("{commands:?}")
    };
    assert_eq!((*hand, *forward, *away), (MOUSE, Vec3::NEG_Z, 0.0));
    let at = |ray: &Ray| ray.origin + 2.0 * ray.direction / -ray.direction.z;
    assert!((at(ray) - Vec3::new(-0.5, 0.0, 0.0)).length() < 1e-4, "{}", at(ray));
    assert!((at(end) - Vec3::new(-0.3, 0.0, 0.0)).length() < 1e-4, "{}", at(end));
    assert!(!table.moves_camera());
}

#[test]
fn shift_at_the_end_pins_the_wheel_moves_away_and_a_key_turns() {
    let mut table = Table::new();
    table.take(&[left(CLOTH, true)]);
    let wheel = Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, 2.0),
        phase: TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    };
    let commands = table.take(&[wheel]);
    assert!(matches!(commands.as_slice(), [Command::Drag { away, .. }] if *away > 0.0), "{commands:?}");
    table.turns = true;
    let commands = table.take(&[Event::PointerMoved(CLOTH + vec2(30.0, 0.0))]);
    assert!(
        matches!(commands.as_slice(), [Command::Turn { axis: Vec3::Y, angle, .. }] if *angle > 0.0),
        "{commands:?}"
    );
    let commands =
        table.take(&[button(CLOTH + vec2(30.0, 0.0), PointerButton::Primary, false, Modifiers::SHIFT)]);
    assert_eq!(commands, [Command::ReleasePinned { hand: MOUSE }]);
}

#[test]
fn drags_on_nothing_of_recordings_and_with_the_right_button_turn_the_camera() {
    for (at, press, is_recording) in [
        (NOTHING, PointerButton::Primary, false),
        (CLOTH, PointerButton::Primary, true),
        (CLOTH, PointerButton::Secondary, false),
        (CLOTH, PointerButton::Middle, false),
    ] {
        let mut table = Table::new();
        table.frame.clock.is_recording = is_recording;
        let to = at + vec2(50.0, 20.0);
        let none = Modifiers::NONE;
        let events = [button(at, press, true, none), Event::PointerMoved(to), button(to, press, false, none)];
        assert_eq!(table.take(&events), [], "{press:?}");
        assert!(table.moves_camera(), "{press:?}");
    }
}

#[test]
fn presses_beside_the_picture_are_none_of_its_business() {
    let mut table = Table::new();
    let beside = pos2(50.0, 200.0);
    assert_eq!(table.take(&[left(beside, true), Event::PointerMoved(CLOTH), left(CLOTH, false)]), []);
    assert!(!table.moves_camera());
}

#[test]
fn fingers_have_hands_of_their_own_and_no_mouse_beside_them() {
    let mut table = Table::new();
    // As a browser tells it: a press of a mouse in one picture, press and finger in the next.
    table.take(&[left(CLOTH, true)]);
    let commands = table.take(&[left(CLOTH, true), finger(7, TouchPhase::Start, CLOTH)]);
    let [Command::Release { hand: MOUSE }, Command::Grab { hand: first, .. }] = commands.as_slice() else {
        panic!("{commands:?}")
    };
    let commands = table.take(&[finger(8, TouchPhase::Start, CLOTH + vec2(20.0, 50.0))]);
    let [Command::Grab { hand: second, .. }] = commands.as_slice() else { panic!("{commands:?}") };
    assert!(first != second && *first != MOUSE && *second != MOUSE);
    let commands = table.take(&[Event::PointerMoved(CLOTH), finger(8, TouchPhase::Move, CLOTH)]);
    assert!(matches!(commands.as_slice(), [Command::Drag { hand, .. }] if hand == second), "{commands:?}");
    let commands = table.take(&[
        left(CLOTH, false),
        finger(7, TouchPhase::End, CLOTH),
        finger(8, TouchPhase::End, CLOTH),
    ]);
    assert_eq!(commands, [Command::Release { hand: *first }, Command::Release { hand: *second }]);
    assert!(!table.hands.is_busy() && !table.moves_camera());
}

#[test]
fn two_fingers_on_nothing_zoom_and_losing_the_window_lets_go() {
    let mut table = Table::new();
    let other = NOTHING + vec2(0.0, 80.0);
    let start = table.orbit.distance();
    table.take(&[finger(1, TouchPhase::Start, NOTHING), finger(2, TouchPhase::Start, other)]);
    assert_eq!(table.take(&[finger(2, TouchPhase::Move, other + vec2(0.0, 80.0))]), []);
    while table.moves_camera() {}
    assert!((table.orbit.distance() - 0.5 * start).abs() < 1e-2 * start, "{}", table.orbit.distance());
    let mut table = Table::new();
    table.take(&[left(CLOTH, true)]);
    assert_eq!(table.take(&[Event::WindowFocused(false)]), [Command::Release { hand: MOUSE }]);
}

#[test]
fn the_fan_stands_before_what_is_looked_at_and_goes_with_the_pointer() {
    let mut table = Table::new();
    table.fan = true;
    table.frame.bounds = Bounds { center: Vec3::ZERO, radius: 0.5 };
    let commands = table.take(&[Event::PointerMoved(pos2(300.0, 200.0))]);
    let [Command::Fan(Some(fan))] = commands.as_slice() else { panic!("{commands:?}") };
    assert!((fan.place - Vec3::new(0.0, 0.0, 0.45)).length() < 1e-4, "{}", fan.place);
    assert!((fan.direction - Vec3::NEG_Z).length() < 1e-4);
    assert_eq!(table.take(&[Event::PointerGone]), [Command::Fan(None)]);
}
