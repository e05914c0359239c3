//! The table of keys and gestures: what handles keys and the window that lists them both read it.

use egui::{InputState, Key, Modifiers};

use super::ask::{Action, PanelName, Side};

/// A key and what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortcut {
    /// The key.
    pub key: Key,
    /// How it is written.
    pub shown: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// What it does.
    pub action: Action,
    /// What it belongs to.
    pub group: &'static str,
}

const fn shortcut(
    group: &'static str,
    key: Key,
    shown: &'static str,
    action: Action,
    about: &'static str,
) -> Shortcut {
    Shortcut { key, shown, about, action, group }
}

const TIME: &str = "Time";
const CAMERA: &str = "Camera";
const TOUCH: &str = "Touch";
const SHOW: &str = "Show";

/// All keys, group by group.
pub const SHORTCUTS: &[Shortcut] = &[
    shortcut(TIME, Key::Space, "Space", Action::PlayOrPause, "play, pause"),
    shortcut(TIME, Key::Period, ".", Action::Step, "one step"),
    shortcut(TIME, Key::Home, "Home", Action::Reset, "back to the start"),
    shortcut(TIME, Key::ArrowLeft, "←", Action::Back, "half a second back"),
    shortcut(TIME, Key::ArrowRight, "→", Action::Forward, "half a second on"),
    shortcut(TIME, Key::ArrowDown, "↓", Action::Slower, "half as fast"),
    shortcut(TIME, Key::ArrowUp, "↑", Action::Faster, "twice as fast"),
    shortcut(CAMERA, Key::F, "F", Action::Frame, "everything in the picture"),
    shortcut(CAMERA, Key::Num1, "1", Action::Look(Side::Front), "from the front"),
    shortcut(CAMERA, Key::Num3, "3", Action::Look(Side::Right), "from the right"),
    shortcut(CAMERA, Key::Num7, "7", Action::Look(Side::Top), "from above"),
    shortcut(TOUCH, Key::P, "P", Action::TogglePin, "pin or release what is under the pointer"),
    shortcut(TOUCH, Key::U, "U", Action::ReleasePins, "release all pins set by hand"),
    shortcut(TOUCH, Key::W, "W", Action::Fan, "a fan blows where the pointer is"),
    shortcut(SHOW, Key::E, "E", Action::Wireframe, "edges of triangles"),
    shortcut(SHOW, Key::M, "M", Action::Marks, "marks of pins and contacts"),
    shortcut(SHOW, Key::L, "L", Action::SoftLight, "soft light"),
    shortcut(SHOW, Key::T, "T", Action::Theme, "light or dark"),
    shortcut(SHOW, Key::G, "G", Action::Toggle(PanelName::Gallery), "gallery"),
    shortcut(SHOW, Key::S, "S", Action::Toggle(PanelName::Settings), "settings"),
    shortcut(SHOW, Key::D, "D", Action::Toggle(PanelName::Graphs), "graphs"),
    shortcut(SHOW, Key::O, "O", Action::Toggle(PanelName::Opener), "open a file"),
    shortcut(SHOW, Key::C, "C", Action::SavePicture, "save the picture"),
    shortcut(SHOW, Key::Questionmark, "?", Action::Toggle(PanelName::Shortcuts), "this list"),
    shortcut(SHOW, Key::Escape, "Esc", Action::Close, "close what is in front"),
];

/// What mouse and fingers do, for the list only.
pub const GESTURES: &[(&str, &str)] = &[
    ("drag on cloth or a body", "take hold of it; let go in motion to throw it"),
    ("… and turn the wheel", "away from you and nearer"),
    ("… and Shift at the end", "pin it there"),
    ("… with R held down", "turn a body"),
    ("drag on nothing, right drag", "look around"),
    ("middle drag, Shift + right drag", "move the camera sideways"),
    ("wheel, pinch", "nearer and farther"),
    ("several fingers", "a hand each"),
    ("two fingers on nothing", "move, nearer and farther"),
    ("drop a file", "open it"),
];

/// The key that turns what is held.
pub const TURN_KEY: Key = Key::R;

/// What the keys ask for that were pressed since the last picture.
pub fn pressed(input: &InputState) -> Vec<Action> {
    let events = input.events.iter();
    let keys = events.filter_map(|event| match event {
        egui::Event::Key { key, pressed: true, repeat, modifiers, .. } => Some((*key, *repeat, *modifiers)),
        _ => None,
    });
    keys.filter_map(|(key, repeat, modifiers)| action(key, repeat, modifiers)).collect()
}

/// What a key does. Only steps through time repeat while it is held down.
fn action(key: Key, repeat: bool, modifiers: Modifiers) -> Option<Action> {
    if modifiers.command || modifiers.alt || modifiers.ctrl {
        return None;
    }
    // Keyboards without a key of its own for the question mark report the slash.
    let key = if key == Key::Slash && modifiers.shift { Key::Questionmark } else { key };
    let found = SHORTCUTS.iter().find(|shortcut| shortcut.key == key)?.action;
    let repeats = matches!(found, Action::Step | Action::Back | Action::Forward);
    (repeats || !repeat).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things_and_no_action_has_two_keys() {
        for (number, one) in SHORTCUTS.iter().enumerate() {
            assert!(one.key != TURN_KEY);
            let others = &SHORTCUTS[number + 1..];
            assert!(others.iter().all(|other| other.key != one.key && other.action != one.action), "{one:?}");
        }
    }

    #[test]
    fn keys_are_found_with_shift_and_not_with_control() {
        assert_eq!(action(Key::Space, false, Modifiers::NONE), Some(Action::PlayOrPause));
        assert_eq!(action(Key::Space, true, Modifiers::NONE), None);
        assert_eq!(action(Key::Period, true, Modifiers::NONE), Some(Action::Step));
        assert_eq!(action(Key::S, false, Modifiers::CTRL), None);
        let help = Some(Action::Toggle(PanelName::Shortcuts));
        assert_eq!(action(Key::Slash, false, Modifiers::SHIFT), help);
        assert_eq!(action(Key::Slash, false, Modifiers::NONE), None);
    }
}
