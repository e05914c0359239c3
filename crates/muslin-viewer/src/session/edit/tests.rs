use std::sync::Arc;

use super::super::Source;
use super::super::open::{Opened, OpenedScene, open};
use super::*;

const TEXT: &str = "\
# A napkin.
[[cloth]]
mesh.grid = { columns = 4, rows = 4 } # small
fabric = \"silk\" # shiny
material = { friction = 0.5 }

[forces.wind]
velocity = [1, 0, 0] # a draught

[[cloth]]
name = \"other\"
mesh.grid = { columns = 4, rows = 4 }
transform.translate = [2.0, 0.0, 0.0]
";

fn scene() -> OpenedScene {
    let source = Source::Text { name: "napkin".into(), text: TEXT.into() };
    match open(&source, false).unwrap() {
        Opened::Scene(scene) => *scene,
        Opened::Recording(_) => panic!("this is a scene"),
    }
}

fn found(scene: &OpenedScene, key: &str) -> Setting {
    let groups = settings(scene);
    let setting = groups.iter().flat_map(|group| &group.settings).find(|setting| setting.key == key);
    setting.unwrap_or_else(|| panic!("there is no {key}")).clone()
}

#[test]
fn settings_say_what_holds_also_where_the_text_does_not() {
    let scene = scene();
    let bending = found(&scene, "cloth.0.material.bending");
    assert_eq!(bending.value, Some(SettingValue::Number(9e-6)));
    assert!(!bending.is_given && !bending.is_changed && bending.unit == "N·m");
    let friction = found(&scene, "cloth.0.material.friction");
    assert!(friction.is_given && friction.value == Some(SettingValue::Number(0.5)));
    assert_eq!(found(&scene, "time.substeps").value, Some(SettingValue::Integer(3)));
    assert_eq!(found(&scene, "forces.gravity").value, Some(SettingValue::Vector([0.0, -9.81, 0.0])));
    assert_eq!(found(&scene, "forces.wind.velocity").value, Some(SettingValue::Vector([1.0, 0.0, 0.0])));
    assert_eq!(found(&scene, "solver.method").value, Some(SettingValue::Word("shape_matching".into())));
}

#[test]
fn comments_and_order_stay() {
    let scene = scene();
    let text = set(&scene, "cloth.0.fabric", Some(&SettingValue::Word("denim".into()))).unwrap();
    assert_eq!(text, TEXT.replace("\"silk\"", "\"denim\""));
    let text = set(&scene, "forces.wind.velocity", Some(&SettingValue::Vector([0.0, 0.5, 2.0]))).unwrap();
    assert_eq!(text, TEXT.replace("[1, 0, 0]", "[0.0, 0.5, 2.0]"));
    let text = set(&scene, "cloth.0.material.friction", None).unwrap();
    assert!(scene.with_text(&text).is_ok() && !text.contains("friction"), "{text}");
    // What is not there is made, where it belongs.
    for key in ["cloth.1.material.bending", "cloth.1.material.stretch.alpha", "collision.passes", "time.fps"]
    {
        let changed = set(&scene, key, Some(&SettingValue::Number(1.0))).unwrap();
        let changed = scene.with_text(&changed).unwrap_or_else(|error| panic!("{key}: {error}\n{changed}"));
        let setting = found(&changed, key);
        assert!(setting.is_given && setting.is_changed, "{key}\n{}", changed.text);
        let back = set(&changed, key, None).unwrap();
        assert!(!found(&changed.with_text(&back).unwrap(), key).is_changed);
    }
}

#[test]
fn another_method_takes_no_options_of_the_one_before() {
    let scene = scene();
    let text = set(&scene, "solver.levels", Some(&SettingValue::Integer(4))).unwrap();
    let scene = scene.with_text(&text).unwrap();
    let method = SettingValue::Word("position_based".into());
    let text = set(&scene, "solver.method", Some(&method)).unwrap();
    let scene = scene.with_text(&text).unwrap();
    assert_eq!(found(&scene, "solver.iterations").value, Some(SettingValue::Integer(16)));
}

#[test]
fn nonsense_is_a_sentence() {
    let scene = scene();
    for key in ["", ".", "cloth", "cloth.9.fabric", "cloth.0", "colour", "0", "cloth.0.mesh", "forces.wind"] {
        let result = set(&scene, key, Some(&SettingValue::Number(1.0)));
        let result = result.and_then(|text| scene.with_text(&text).map(drop));
        assert!(result.is_err_and(|problem| !problem.is_empty()), "{key}");
    }
    let infinite = set(&scene, "time.fps", Some(&SettingValue::Number(f64::NAN)));
    assert!(infinite.is_err());
}

#[test]
fn a_camera_is_one_that_a_scene_takes() {
    let scene = scene();
    for direction in [glam::Vec3::Y, glam::Vec3::X] {
        let camera = CameraDescription {
            eye: glam::DVec3::new(1.0, 2.0, 3.0),
            target: glam::DVec3::new(1.0, 2.0, 3.0) - direction.as_dvec3(),
            up: glam::Vec3::Y,
            fov_degrees: 40.0,
        };
        let text: Arc<str> = set_camera(&scene.text, &camera).unwrap().into();
        let with = scene.with_text(&text).unwrap();
        let read = with.scene.camera.unwrap();
        assert_eq!((read.eye, read.target, read.fov_degrees), (camera.eye, camera.target, 40.0));
    }
}
