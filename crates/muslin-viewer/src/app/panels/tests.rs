//! Panels with a frame that was made up: what a click or a drag asks for, and whether all of it fits.

use egui::{Key, Modifiers, Rect, Theme, Ui, accesskit::Role, pos2, vec2};
use egui_kittest::{Harness, kittest::NodeT, kittest::Queryable};

use super::{made_up, stored};
use crate::app::ask::{Action, Ask, PanelName};
use crate::app::desk::Desk;
use crate::app::shortcuts::{self, SHORTCUTS};
use crate::session::{Command, Frame, SettingValue, Values};

struct Window {
    frame: Frame,
    desk: Desk,
    asks: Vec<Ask>,
    picture: Rect,
}

fn show(ui: &mut Ui, window: &mut Window) {
    let Window { frame, desk, asks, picture } = window;
    asks.extend(ui.input(shortcuts::pressed).into_iter().map(Ask::from));
    *picture = super::around(ui, frame, desk, asks);
    ui.painter().rect_filled(*picture, 0.0, egui::Color32::from_rgb(150, 170, 190));
    super::over(ui, *picture, frame, desk, asks);
}

fn window(size: [f32; 2], change: impl FnOnce(&mut Window)) -> Harness<'static, Window> {
    let mut window =
        Window { frame: made_up::frame(), desk: Desk::default(), asks: Vec::new(), picture: Rect::NOTHING };
    change(&mut window);
    let theme = if window.desk.options.dark { Theme::Dark } else { Theme::Light };
    let builder = Harness::builder()
        .with_size(size)
        .with_theme(theme)
        .with_max_steps(20)
        .with_context_setup(super::style);
    let mut harness = builder.build_ui_state(show, window);
    harness.run_steps(3);
    harness.state_mut().asks.clear();
    harness
}

const WIDE: [f32; 2] = [1280.0, 720.0];
const PHONE: [f32; 2] = [390.0, 760.0];

/// What one click on a widget asks for.
fn asked(harness: &mut Harness<'static, Window>, name: &str) -> Vec<Ask> {
    harness.get_by_role_and_label(Role::Button, name).click();
    harness.run_steps(3);
    std::mem::take(&mut harness.state_mut().asks)
}

#[test]
fn buttons_of_the_time_line_ask_for_what_they_say() {
    let mut harness = window(WIDE, |window| window.frame.clock.is_playing = false);
    assert_eq!(asked(&mut harness, "Play"), [Command::Play.into()]);
    assert_eq!(asked(&mut harness, "Step"), [Action::Step.into()]);
    assert_eq!(asked(&mut harness, "Reset"), [Action::Reset.into()]);
    harness.state_mut().frame.clock.is_playing = true;
    harness.run_steps(2);
    assert_eq!(asked(&mut harness, "Pause"), [Command::Pause.into()]);
    assert_eq!(asked(&mut harness, "Settings"), [Action::Toggle(PanelName::Settings).into()]);
}

#[test]
fn dragging_the_time_line_goes_to_a_time() {
    let mut harness = window(WIDE, |_| {});
    let rect = harness.get_by_role_and_label(Role::Slider, "Time").rect();
    harness.drag_at(rect.center());
    harness.run_steps(2);
    harness.drop_at(rect.center());
    harness.run_steps(2);
    let asks = &harness.state().asks;
    let [Ask::Command(Command::GoTo(time)), ..] = asks.as_slice() else { panic!("{asks:?}") };
    assert!((time - 1.25).abs() < 0.05, "{time}");
    // A simulation stands still there: going on would forget what came later.
    assert!(!asks.contains(&Command::Play.into()));
}

#[test]
fn a_slider_sets_its_setting_within_its_limits_and_a_cross_gives_it_back() {
    let mut harness = window(WIDE, |_| {});
    let slider = harness.get_by_role_and_label(Role::Slider, "friction").rect();
    let at = pos2(slider.left() + 0.25 * slider.width(), slider.center().y);
    harness.drag_at(at);
    harness.run_steps(2);
    harness.drop_at(at);
    harness.run_steps(2);
    let sets = harness.state_mut().asks.split_off(0);
    let Some(Ask::Command(Command::Set { key, value: SettingValue::Number(value) })) = sets.last() else {
        panic!("{sets:?}")
    };
    assert!(key == "cloth.0.friction" && (0.05..0.5).contains(value), "{key} {value}");
    let unset = Command::Unset { key: "wind.speed".into() };
    assert_eq!(asked(&mut harness, "Reset wind"), [unset.into()]);
    assert_eq!(asked(&mut harness, "Undo all changes"), [Command::UnsetAll.into()]);
    assert!(harness.query_by_label("Reset friction").is_none(), "of what the scene says nothing");
}

#[test]
fn what_rebuilds_is_set_once_when_the_slider_is_let_go() {
    let rebuilds = |window: &mut Window| {
        let mut settings = window.frame.settings.to_vec();
        settings[0].settings[1].rebuilds = true;
        window.frame.settings = settings.into();
    };
    let mut harness = window(WIDE, rebuilds);
    let slider = harness.get_by_role_and_label(Role::Slider, "friction").rect();
    harness.drag_at(slider.left_center() + vec2(10.0, 0.0));
    for step in 0..5 {
        harness.hover_at(slider.left_center() + vec2(20.0 + 8.0 * step as f32, 0.0));
        harness.run_steps(1);
    }
    assert_eq!(harness.state().asks, []);
    harness.drop_at(slider.left_center() + vec2(52.0, 0.0));
    harness.run_steps(3);
    assert_eq!(harness.state().asks.len(), 1, "{:?}", harness.state().asks);
}

#[test]
fn checkboxes_and_menus_of_settings_and_of_colours_work() {
    let mut harness = window(WIDE, |_| {});
    harness.get_by_role_and_label(Role::CheckBox, "self-collision").click();
    harness.run_steps(2);
    let off = Command::Set { key: "collision.self".into(), value: SettingValue::Flag(false) };
    assert_eq!(harness.state_mut().asks.split_off(0), [off.into()]);
    harness.get_by_role_and_label(Role::ComboBox, "fabric").click();
    harness.run_steps(3);
    harness.get_by_label("denim").click();
    harness.run_steps(3);
    let denim = Command::Set { key: "cloth.0.fabric".into(), value: SettingValue::Word("denim".into()) };
    assert_eq!(harness.state_mut().asks.split_off(0), [denim.into()]);
    harness.get_by_label("Show").click();
    harness.run_steps(3);
    harness.get_by_label("Strain").click();
    harness.run_steps(3);
    assert_eq!(harness.state_mut().asks.split_off(0), [Command::Show(Values::Strain).into()]);
}

#[test]
fn a_problem_is_shown_with_its_place_and_dismissed() {
    let text = "scene.toml:12:7: unknown field 'frabic'\n   |\n12 | frabic = \"silk\"";
    let mut harness = window(WIDE, |window| window.frame.problem = Some(text.into()));
    let shown = harness.get_by_label(text).rect();
    assert!(harness.state().picture.top() >= shown.bottom() - 1.0, "the picture is below it");
    assert_eq!(asked(&mut harness, "Dismiss"), [Command::Dismiss.into()]);
}

#[test]
fn slow_scenes_and_notices_are_said_in_words() {
    let mut harness = window(WIDE, |window| {
        window.frame.clock.is_slow = true;
        window.frame.clock.real_time_factor = 0.4;
        window.frame.notice = Some("2 s after this were forgotten".into());
        window.desk.said = Some("Saved as /tmp/x.png".into());
    });
    harness.get_by_label("slow: 0.40 s per second");
    harness.get_by_label("2 s after this were forgotten");
    harness.get_by_label("Saved as /tmp/x.png");
    harness.get_by_label("Close notice").click();
    harness.get_by_label("Close message").click();
    harness.run_steps(3);
    assert!(harness.query_by_label("2 s after this were forgotten").is_none());
    assert!(harness.query_by_label("Saved as /tmp/x.png").is_none());
}

#[test]
fn every_shortcut_is_listed_and_its_key_asks_for_its_action() {
    let mut harness = window(WIDE, |window| window.desk.shortcuts = true);
    for shortcut in SHORTCUTS {
        assert!(harness.query_all_by_label(shortcut.about).next().is_some(), "{shortcut:?}");
        harness.key_press_modifiers(Modifiers::NONE, shortcut.key);
        harness.run_steps(1);
        assert_eq!(harness.state_mut().asks.split_off(0), [Ask::Do(shortcut.action)], "{shortcut:?}");
    }
    harness.key_press_modifiers(Modifiers::CTRL, Key::S);
    harness.run_steps(1);
    assert_eq!(harness.state().asks, []);
}

/// Rectangles of all widgets that can be used.
fn used(harness: &Harness<'static, Window>) -> Vec<(String, Rect)> {
    let roles = [Role::Button, Role::ComboBox, Role::Slider, Role::CheckBox, Role::SearchInput];
    let of = |role| {
        harness
            .query_all_by_role(role)
            .map(|node| (node.accesskit_node().label().unwrap_or_default(), node.rect()))
    };
    roles.into_iter().flat_map(of).collect()
}

#[test]
fn nothing_overlaps_and_nothing_is_outside() {
    let open = |desk: &mut Desk, panels: [bool; 3]| [desk.gallery, desk.settings, desk.graphs] = panels;
    for (size, panels, least) in
        [(WIDE, [true, true, true], [500.0, 300.0]), (PHONE, [false; 3], [370.0, 500.0])]
    {
        let mut harness = window(size, |_| {});
        open(&mut harness.state_mut().desk, panels);
        harness.run_steps(3);
        let picture = harness.state().picture;
        assert!(picture.width() >= least[0] && picture.height() >= least[1], "{size:?}: {picture}");
        let line = harness.get_by_label("Pause").rect().top() - 4.0;
        // What a panel scrolls goes on below its end, where it is not seen.
        let scrolls = |rect: &Rect| {
            (rect.right() <= picture.left() || rect.left() >= picture.right())
                && rect.bottom() > line
                && (rect.top() < line || rect.bottom() > size[1])
                || rect.top() > size[1]
        };
        let widgets: Vec<_> = used(&harness).into_iter().filter(|(_, rect)| !scrolls(rect)).collect();
        assert!(widgets.len() > 10, "{widgets:?}");
        let whole = Rect::from_min_size(pos2(0.0, 0.0), size.into());
        for (number, (name, rect)) in widgets.iter().enumerate() {
            assert!(whole.contains_rect(*rect), "{size:?}: {name} at {rect}");
            for (other, beside) in &widgets[number + 1..] {
                let common = rect.shrink(1.0).intersect(beside.shrink(1.0));
                assert!(!common.is_positive(), "{size:?}: {name} at {rect} and {other} at {beside}");
            }
            assert!(!rect.shrink(1.0).intersects(picture), "{size:?}: {name} at {rect} is on the picture");
        }
    }
}

#[test]
fn on_a_phone_one_panel_is_open_at_a_time_and_leaves_a_picture() {
    let mut harness = window(PHONE, |_| {});
    for panel in [PanelName::Settings, PanelName::Gallery, PanelName::Graphs] {
        harness.state_mut().desk.toggle(panel);
        harness.run_steps(3);
        let desk = &harness.state().desk;
        let open =
            [PanelName::Settings, PanelName::Gallery, PanelName::Graphs].map(|name| desk.is_open(name));
        assert_eq!(open.iter().filter(|open| **open).count(), 1);
        assert!(harness.state().picture.height() > 250.0, "{}", harness.state().picture);
    }
}

#[test]
fn panels_look_as_they_did() {
    type Change = fn(&mut Window);
    let mut others = Vec::new();
    let looks: [(&str, [f32; 2], Change); 4] = [
        ("light", WIDE, |window| window.desk.graphs = true),
        ("dark", WIDE, |window| {
            window.desk.options.dark = true;
            window.frame.problem = Some("scene.toml:12:7: unknown field 'frabic'".into());
        }),
        ("phone", PHONE, |_| {}),
        ("shortcuts", WIDE, |window| window.desk.shortcuts = true),
    ];
    for (name, size, change) in looks {
        let mut harness = window(size, change);
        let frame = harness.state().frame.clone();
        for number in 0..60 {
            let mut next = frame.clone();
            (next.number, next.clock.time) = (100 + number, 2.0 + number as f64);
            harness.state_mut().desk.trace.add(&next);
        }
        if name == "phone" {
            harness.state_mut().desk.toggle(PanelName::Settings);
        }
        harness.run_steps(3);
        let picture = harness.render().unwrap();
        let size = [picture.width(), picture.height()];
        others.extend(stored::differs(&format!("panels/{name}"), size, picture.as_raw()));
    }
    assert!(others.is_empty(), "{others:#?}");
}
