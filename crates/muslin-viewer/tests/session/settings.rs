//! Live settings.

use muslin_viewer::session::{Command, Session, Setting, SettingKind, SettingValue, Source, gallery};

use crate::common::{ask, open, open_text, places, settle, steps};
use crate::touch::HANGING;

fn found(session: &Session, key: &str) -> Setting {
    let frame = session.frame();
    let all = frame.settings.iter().flat_map(|group| &group.settings);
    all.into_iter().find(|setting| setting.key == key).unwrap_or_else(|| panic!("there is no {key}")).clone()
}

fn set(session: &mut Session, key: &str, value: SettingValue) {
    ask(session, Command::Set { key: key.into(), value });
}

#[test]
fn gravity_is_changed_at_once_and_cloth_falls_elsewhere() {
    let mut session = open_text(HANGING);
    steps(&mut session, 3);
    set(&mut session, "forces.gravity", SettingValue::Vector([0.0, 0.0, 9.81]));
    let frame = session.frame();
    assert_eq!(frame.problem, None);
    assert!(frame.text.contains("gravity = [0.0, 0.0, 9.81]"), "{}", frame.text);
    assert!(found(&session, "forces.gravity").is_changed);
    let before = frame.clock.time;
    steps(&mut session, 30);
    assert!(session.frame().clock.time > before, "it went on");
    let farthest = places(&session.frame(), 0).iter().map(|p| p.z).fold(0.0, f32::max);
    assert!(farthest > 0.2, "{farthest}");
    ask(&mut session, Command::UnsetAll);
    assert!(!found(&session, "forces.gravity").is_changed);
}

#[test]
fn a_world_that_is_built_anew_goes_on_from_where_it_was() {
    let mut session = open_text(HANGING);
    steps(&mut session, 20);
    let before = session.frame();
    set(&mut session, "solver.method", SettingValue::Word("position_based".into()));
    let after = session.frame();
    assert_eq!((after.problem.clone(), after.notice.clone()), (None, None));
    assert_eq!(after.clock.time, before.clock.time);
    assert_eq!(places(&after, 0), places(&before, 0));
    assert!(after.things[0].about.contains("position-based"), "{}", after.things[0].about);
    steps(&mut session, 5);
    let moved = places(&session.frame(), 0);
    let jump = moved.iter().zip(places(&before, 0).iter()).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(jump < 0.5, "it jumped by {jump} m");
    // The scene's mesh is another: from the start, and it says so.
    assert_eq!(session.frame().problem, None);
}

#[test]
fn what_is_refused_is_said_and_the_old_value_stays() {
    let mut session = open_text(HANGING);
    steps(&mut session, 2);
    let text = session.frame().text.clone();
    for (key, value) in [
        ("time.substeps", SettingValue::Integer(0)),
        ("cloth.0.fabric", SettingValue::Word("velvet".into())),
        ("cloth.0.material.bending", SettingValue::Number(-1.0)),
        ("cloth.0.material.bending", SettingValue::Number(f64::NAN)),
        ("colour", SettingValue::Flag(true)),
    ] {
        set(&mut session, key, value);
        let frame = session.frame();
        assert!(frame.problem.is_some(), "{key} was taken");
        assert_eq!(frame.text, text, "{key}");
        ask(&mut session, Command::Dismiss);
    }
    steps(&mut session, 1);
    assert_eq!(session.frame().problem, None);
}

#[test]
fn every_setting_explains_itself() {
    for entry in gallery() {
        let session = open(Source::Gallery(entry.name.into()));
        let frame = session.frame();
        assert!(frame.settings.len() >= 4, "{}", entry.name);
        for setting in frame.settings.iter().flat_map(|group| &group.settings) {
            assert!(setting.help.len() > 8 && !setting.name.is_empty(), "{setting:?}");
            if let (SettingKind::Number { least, most, soft, .. }, Some(SettingValue::Number(value))) =
                (&setting.kind, &setting.value)
            {
                assert!(least <= value && value <= most, "{}: {setting:?}", entry.name);
                assert!(least <= &soft[0] && soft[0] < soft[1] && &soft[1] <= most, "{setting:?}");
            }
        }
    }
}

/// The values that a setting must survive.
fn extremes(setting: &Setting) -> Vec<SettingValue> {
    match &setting.kind {
        SettingKind::Number { least, most, soft, .. } => {
            [*least, *most, soft[0], soft[1]].map(SettingValue::Number).to_vec()
        }
        SettingKind::Integer { least, most, soft } => {
            // Ten thousand substeps are no error, only slow.
            let most = if setting.key.contains("substeps") || *most > 1000 { soft[1] } else { *most };
            [*least, most, soft[0]].map(SettingValue::Integer).to_vec()
        }
        SettingKind::Flag => [false, true].map(SettingValue::Flag).to_vec(),
        SettingKind::Word(words) => words.iter().map(|word| SettingValue::Word((*word).into())).collect(),
        SettingKind::Vector { least, most, soft } => {
            [[*least; 3], [*most, 0.0, 0.0], [0.0, soft[0], soft[1]]].map(SettingValue::Vector).to_vec()
        }
    }
}

const ALL: &str = "
[time]
substeps = 2
[[cloth]]
mesh.grid = { columns = 6, rows = 6, width = 0.5, height = 0.5 }
transform.translate = [0.0, 0.3, 0.0]
material = { density = 0.2 }
[[cloth.pins]]
group = \"top\"
[[collider]]
name = \"ground\"
plane = {}
[[body]]
name = \"ball\"
sphere = { radius = 0.05 }
position = [2.0, 1.0, 0.0]
";

#[test]
fn nothing_breaks_at_the_ends_of_what_is_allowed() {
    for method in ["shape_matching", "position_based", "impulses", "multilevel", "radial_matching"] {
        let grid = if method == "multilevel" { "particles = 600\n" } else { "" };
        let mut session = open_text(&format!("[solver]\nmethod = \"{method}\"\n{grid}{ALL}"));
        let settings: Vec<Setting> =
            session.frame().settings.iter().flat_map(|group| group.settings.clone()).collect();
        for setting in &settings {
            for value in extremes(setting) {
                set(&mut session, &setting.key, value.clone());
                steps(&mut session, 1);
                settle(&mut session);
                let frame = session.frame();
                let broken = frame.problem.as_ref().is_some_and(|problem| problem.contains("should not be"));
                assert!(!broken, "{method}, {} = {value:?}: {:?}", setting.key, frame.problem);
                for sheet in 0..frame.scenery.sheets.len() {
                    let finite = places(&frame, sheet).iter().all(|p| p.is_finite());
                    assert!(finite, "{method}, {} = {value:?} leads to infinity", setting.key);
                }
            }
            ask(&mut session, Command::UnsetAll);
            ask(&mut session, Command::Reset);
            ask(&mut session, Command::Dismiss);
        }
        steps(&mut session, 2);
        assert_eq!(session.frame().problem, None, "{method}");
    }
}
