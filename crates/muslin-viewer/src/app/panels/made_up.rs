//! A frame that no session made, for tests of panels.

use glam::{DVec3, Vec3};

use crate::draw::Scenery;
use crate::session::{
    Bounds, Clock, Doing, EnergyFigures, Figures, Frame, Sample, Setting, SettingGroup, SettingKind,
    SettingValue, StageTime, Thing, ThingKind, Values,
};

/// A scene that plays, with a setting of each kind.
pub fn frame() -> Frame {
    let stages = [("predict", 0.4), ("solve", 2.1), ("collide", 1.3)];
    let stages = stages.map(|(name, ms)| StageTime { name, ms }).to_vec();
    let history = (0..120).map(|step| {
        let wave = (f64::from(step) * 0.1).sin();
        Sample {
            time: f64::from(step) / 60.0,
            step_ms: 3.8 + wave,
            average_strain: 0.02 + 0.01 * wave,
            largest_strain: 0.08 + 0.05 * wave,
            kinetic: 1.0 + wave,
            energy: 4.0 + 0.3 * wave,
            contacts: (40.0 + 30.0 * wave) as usize,
        }
    });
    Frame {
        number: 7,
        opened: 1,
        title: "skirt_turning".into(),
        text: "".into(),
        scenery: scenery(),
        origin: DVec3::ZERO,
        bounds: Bounds { center: Vec3::ZERO, radius: 1.0 },
        view: None,
        clock: Clock {
            time: 2.0,
            is_playing: true,
            speed: 1.0,
            real_time_factor: 0.97,
            step: 1.0 / 60.0,
            first: 0.5,
            last: 2.0,
            length: Some(5.0),
            ..Clock::default()
        },
        doing: Doing::Nothing,
        problem: None,
        notice: None,
        figures: Figures {
            step_ms: 3.8,
            stages,
            average_strain: 0.021,
            largest_strain: 0.08,
            energy: EnergyFigures::default(),
            contacts: 64,
            highest_speed: 1.25,
            triangles: 2592,
            vertices: 1369,
            rewind_bytes: 12 << 20,
        },
        history: history.collect(),
        things: [
            thing(ThingKind::Cloth, "skirt", "2,592 triangles, cotton, shape matching"),
            thing(ThingKind::Collider, "body", "a moving mesh"),
        ]
        .into(),
        settings: settings().into(),
        held: Vec::new(),
        pointed: None,
        fan: None,
        values: Values::None,
        runs_on: "CPU, 2 threads".into(),
    }
}

fn scenery() -> Scenery {
    Scenery { up: Vec3::Y, sheets: Vec::new(), solids: Vec::new(), ground: None, marks: Vec::new() }
}

fn thing(kind: ThingKind, name: &str, about: &str) -> Thing {
    Thing { kind, name: name.into(), about: about.into() }
}

fn settings() -> Vec<SettingGroup> {
    let number = |least, most, soft| SettingKind::Number { least, most, soft, is_logarithmic: false };
    let cloth = vec![
        setting(
            "cloth.0.fabric",
            "fabric",
            "",
            SettingKind::Word(vec!["silk", "cotton", "denim"]),
            SettingValue::Word("cotton".into()),
        ),
        setting("cloth.0.friction", "friction", "", number(0.0, 2.0, [0.0, 1.0]), SettingValue::Number(0.3)),
        setting(
            "cloth.0.iterations",
            "iterations",
            "",
            SettingKind::Integer { least: 1, most: 500, soft: [1, 50] },
            SettingValue::Integer(8),
        ),
    ];
    let vector = SettingKind::Vector { least: -100.0, most: 100.0, soft: [-10.0, 10.0] };
    let mut changed =
        setting("wind.speed", "wind", "m/s", number(0.0, 60.0, [0.0, 15.0]), SettingValue::Number(4.0));
    (changed.is_changed, changed.is_given) = (true, true);
    let world = vec![
        changed,
        setting("gravity", "gravity", "m/s²", vector, SettingValue::Vector([0.0, -9.81, 0.0])),
        setting("collision.self", "self-collision", "", SettingKind::Flag, SettingValue::Flag(true)),
    ];
    let group = |title: &str, settings| SettingGroup {
        title: title.into(),
        about: "What belongs together.".into(),
        settings,
    };
    vec![group("Cloth skirt", cloth), group("World", world)]
}

fn setting(key: &str, name: &str, unit: &'static str, kind: SettingKind, value: SettingValue) -> Setting {
    Setting {
        key: key.into(),
        name: name.into(),
        unit,
        help: format!("One sentence of help for {name}."),
        kind,
        value: Some(value),
        is_given: false,
        is_changed: false,
        rebuilds: false,
    }
}
