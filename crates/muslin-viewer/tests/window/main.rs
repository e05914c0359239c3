//! The window on a display of its own, driven by real input: `cargo xtask test viewer`.
//!
//! Nothing is pressed at a place that was written down: the viewer reports where its widgets and its cloth are, and every wait is for
//! what it reports.

mod display;
#[path = "../../src/app/panels/stored.rs"]
mod stored;
mod viewer;

use std::fs;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use display::SIZE;
use viewer::{Viewer, scene, seen};

/// One window at a time: each of them takes all processors.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How far two places are from each other.
fn apart(a: &serde_json::Value, b: &serde_json::Value) -> f64 {
    let off = |axis: usize| a[axis].as_f64().unwrap_or(0.0) - b[axis].as_f64().unwrap_or(0.0);
    (off(0).powi(2) + off(1).powi(2) + off(2).powi(2)).sqrt()
}

/// How many colours a part of a picture has, in steps of 16.
fn colors(picture: &[u8]) -> usize {
    let colors: std::collections::HashSet<[u8; 3]> =
        picture.chunks(4).map(|pixel| [pixel[0] / 16, pixel[1] / 16, pixel[2] / 16]).collect();
    colors.len()
}

#[test]
fn a_scene_plays_pauses_steps_and_goes_back() {
    let _alone = alone();
    let viewer = Viewer::open("plays", &["hanging"]);
    viewer.wait("motion", |state| state["time"].as_f64() > Some(0.2) && state["title"] == "hanging");
    viewer.press("space");
    let still = viewer.wait("pause", |state| state["is_playing"] == false);
    viewer.press("period");
    let step = viewer.wait("step", |state| state["time"].as_f64() > still["time"].as_f64());
    assert_ne!(step["sheets"][0]["hash"], still["sheets"][0]["hash"]);
    viewer.press("Left");
    viewer.wait("rewinding", |state| state["time"].as_f64() < still["time"].as_f64());
    viewer.click("Reset");
    viewer.wait("start", |state| state["time"] == 0.0 && state["is_playing"] == false);
    viewer.click("Play");
    viewer.wait("motion again", |state| state["time"].as_f64() > Some(0.1));
    viewer.press("t");
    viewer.wait("dark", |state| state["is_dark"] == true);
    assert!(colors(&viewer.display.picture()) > 40, "the picture is blank");
    viewer.close();
}

#[test]
fn cloth_is_dragged_let_go_and_pinned() {
    let _alone = alone();
    let viewer = Viewer::open("drags", &["hanging"]);
    let state = viewer.wait("cloth", |state| state["time"].as_f64() > Some(0.3) && state["pins"] == 2);
    // Taken hold of while it stands still: nobody knows where swinging cloth is when a press arrives.
    let pull = || {
        viewer.press("space");
        let still = viewer.wait("pause", |state| state["is_playing"] == false);
        let at = seen(&still, [0.5, 0.6]);
        viewer.point(at);
        viewer.display.input(&["mousedown", "1"]);
        let held = viewer.wait("hold", |state| state["held"].as_array().is_some_and(|held| held.len() == 1));
        viewer.press("space");
        for part in 1..=6 {
            viewer.point([at[0] + 20 * part, at[1] - 12 * part]);
        }
        let start = held["held"][0]["place"].clone();
        viewer.wait("pull", |state| apart(&state["held"][0]["place"], &start) > 0.05);
    };
    pull();
    viewer.display.input(&["mouseup", "1"]);
    viewer.wait("nothing held", |state| state["held"].as_array().is_some_and(Vec::is_empty));
    assert_eq!(viewer.state()["pins"], state["pins"]);
    pull();
    viewer.display.input(&["keydown", "Shift_L", "mouseup", "1", "keyup", "Shift_L"]);
    viewer.wait("a pin", |state| state["pins"] == 3);
    viewer.press("u");
    viewer.wait("no pin", |state| state["pins"] == 2);
    viewer.press("space");
    viewer.wait("pause", |state| state["is_playing"] == false);
    let at = seen(&viewer.state(), [0.5, 0.5]);
    viewer.point(at);
    viewer.wait("pointer", |state| state["pointed"]["kind"] == "Cloth");
    viewer.press("p");
    viewer.wait("a pin by key", |state| state["pins"] == 3);
    viewer.close();
}

#[test]
fn the_camera_turns_by_a_drag_on_nothing_and_by_keys() {
    let _alone = alone();
    let viewer = Viewer::open("camera", &["sphere_drape", "--paused"]);
    let first = viewer.wait("the scene", |state| state["title"] == "sphere_drape");
    let picture: [f64; 4] = serde_json::from_value(first["picture"].clone()).expect("a picture");
    let corner = [picture[0] as i32 + 40, picture[1] as i32 + 60];
    viewer.point(corner);
    viewer.display.input(&["mousedown", "1"]);
    viewer.point([corner[0] + 150, corner[1] + 20]);
    viewer.display.input(&["mouseup", "1"]);
    let turned = viewer.wait("a turn", |state| state["view"]["eye"] != first["view"]["eye"]);
    assert_eq!(turned["held"].as_array().map(Vec::len), Some(0));
    viewer.display.input(&["click", "--repeat", "3", "4"]);
    let distance = |state: &serde_json::Value| apart(&state["view"]["eye"], &state["view"]["target"]);
    viewer.wait("a nearer camera", |state| distance(state) < 0.8 * distance(&turned));
    viewer.press("7");
    // z is up in this scene.
    let height = |state: &serde_json::Value, of: &str| state["view"][of][2].as_f64().unwrap_or(0.0);
    viewer.wait("a view from above", |state| {
        height(state, "eye") - height(state, "target") > 0.99 * distance(state)
    });
    viewer.close();
}

#[test]
fn a_scene_file_is_read_again_when_it_is_saved_and_the_camera_stays() {
    let _alone = alone();
    let folder = std::env::temp_dir().join(format!("muslin-window-{}-scene", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("edited.toml");
    let text = fs::read_to_string(scene("hanging.toml")).expect("a scene");
    fs::write(&file, &text).expect("written");
    let viewer = Viewer::open("watches", &[file.to_str().expect("UTF-8"), "--paused"]);
    let first =
        viewer.wait("the scene", |state| state["triangles"].as_u64() > Some(0) && state["doing"].is_null());
    viewer.press("3");
    let looked = viewer.wait("another view", |state| state["view"]["eye"] != first["view"]["eye"]);
    let opened = looked["opened"].clone();
    let broken = text.replacen("mesh.delaunay", "mesh.delawney", 1);
    fs::write(&file, &broken).expect("written");
    let said = viewer.wait("problem", |state| state["problem"].is_string());
    assert!(said["problem"].as_str().is_some_and(|text| text.contains("edited")), "{}", said["problem"]);
    // A grid with another number of triangles.
    let changed = text.replace("5000", "1200");
    assert_ne!(changed, text, "the scene has no 5000 triangles any more");
    fs::write(&file, &changed).expect("written");
    let again = viewer
        .wait("other cloth", |state| state["triangles"] != first["triangles"] && state["problem"].is_null());
    assert_eq!(again["opened"], opened, "it is the same scene");
    assert_ne!(again["view"]["eye"], first["view"]["eye"], "the camera went back");
    viewer.close();
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn scenes_are_found_opened_and_stepped_by_the_gallery() {
    let _alone = alone();
    let viewer = Viewer::open("gallery", &["hanging", "--paused"]);
    for name in ["flag", "tablecloth", "cushion", "napkin", "hammock"] {
        viewer.click("Search scenes");
        viewer.wait("focus", |state| state["is_typing"] == true);
        viewer.press("ctrl+a");
        viewer.display.input(&["type", name]);
        viewer.click(name);
        viewer.wait(name, |state| state["title"] == name && state["doing"].is_null());
        let before = viewer.state();
        viewer.click("Step");
        viewer.wait("step", |state| state["time"].as_f64() > before["time"].as_f64());
        assert!(viewer.state()["problem"].is_null(), "{name}: {}", viewer.state()["problem"]);
    }
    viewer.close();
}

#[test]
fn a_setting_is_changed_by_its_slider_and_undone() {
    let _alone = alone();
    let viewer = Viewer::open("settings", &["hanging", "--paused"]);
    let changed = |state: &serde_json::Value| {
        let settings = state["settings"].as_array().into_iter().flatten();
        settings
            .filter(|setting| setting["is_changed"] == true)
            .map(|setting| setting["key"].to_string())
            .collect::<Vec<_>>()
    };
    viewer.wait("the scene", |state| state["title"] == "hanging" && state["settings"][0].is_object());
    let [x, y] = viewer.middle_of("Friction");
    viewer.point([x + 20, y]);
    let value = |state: &serde_json::Value| {
        let widgets = state["widgets"].as_array().into_iter().flatten();
        let mut sliders = widgets.filter(|widget| widget["name"] == "Friction" && widget["role"] == "Slider");
        sliders.next().map(|slider| slider["value"].to_string())
    };
    let before = value(&viewer.state());
    viewer.display.input(&["mousedown", "1"]);
    // A press and a release in one picture are nothing to a slider.
    viewer.wait("other value", |state| value(state) != before);
    viewer.point([x + 30, y]);
    viewer.display.input(&["mouseup", "1"]);
    let state = viewer.wait("change", |state| changed(state).len() == 1 && state["doing"].is_null());
    assert!(changed(&state)[0].contains("friction"), "{:?}", changed(&state));
    viewer.click("Step");
    viewer.wait("step", |state| state["time"].as_f64() > Some(0.0));
    viewer.click("Undo all changes");
    viewer.wait("no change", |state| changed(state).is_empty() && state["doing"].is_null());
    assert!(viewer.state()["problem"].is_null());
    viewer.close();
}

#[test]
fn pictures_and_scenes_are_saved_where_it_was_started() {
    let _alone = alone();
    let viewer = Viewer::open("saves", &["hanging", "--paused"]);
    viewer.wait("the scene", |state| state["title"] == "hanging" && state["doing"].is_null());
    let saved = |item: &str, file: &str| {
        viewer.click("File");
        viewer.click(item);
        viewer.wait(file, |state| state["said"].as_str().is_some_and(|said| said.ends_with(file)));
        fs::read(viewer.folder.join(file)).expect("the file")
    };
    let picture = saved("Save picture (PNG)", "hanging.png");
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 10_000, "{} bytes", picture.len());
    assert!(saved("Save meshes (GLB)", "hanging.glb").starts_with(b"glTF"));
    assert!(saved("Save cloth (OBJ)", "hanging.obj").len() > 10_000);
    assert!(
        String::from_utf8(saved("Save scene (TOML)", "hanging.toml")).is_ok_and(|text| text.contains("["))
    );
    assert!(saved("Save film (GIF)", "hanging.gif").starts_with(b"GIF89a"));
    viewer.close();
}

#[test]
fn the_window_looks_as_it_did() {
    let _alone = alone();
    let viewer = Viewer::open("looks", &["sphere_drape", "--paused"]);
    viewer.wait("the scene", |state| state["title"] == "sphere_drape" && state["doing"].is_null());
    viewer.point([640, 704]);
    let first =
        viewer.wait("the scene", |state| state["title"] == "sphere_drape" && state["pointed"].is_null());
    let mut time = first["time"].as_f64();
    for _ in 0..12 {
        viewer.press("period");
        time = viewer.wait("step", |state| state["time"].as_f64() > time)["time"].as_f64();
    }
    let picture = viewer.display.picture();
    let other = stored::differs("window", SIZE.map(|side| side as u32), &picture);
    assert_eq!(other, None);
    viewer.close();
}

#[test]
fn without_a_display_or_with_nothing_to_open_it_says_so_in_one_line() {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_muslin-viewer"));
        command.args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        let output = command.output().expect("it starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = run(&["hanging"]);
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("no display"), "{said}");
    let (code, said) = run(&["no/such/scene.toml"]);
    assert_eq!((code, said.lines().count()), (Some(2), 1), "{said}");
    assert_eq!(run(&["--size", "big"]).0, Some(2));
    assert_eq!(run(&["--help"]).0, Some(0));
}
