//! The whole window without a display: real sessions, made-up input, no device.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Event, Key, PointerButton, pos2};
use egui_kittest::{Harness, kittest::Queryable};

use super::*;

#[derive(Debug)]
struct File(PathBuf);

impl egui::DroppedFile for File {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

/// Without a thread of its own the session does what time says, which tests make.
fn window(source: Source) -> Harness<'static, App> {
    let session = SessionOptions { plays: false, has_thread: false, threads: 1, ..SessionOptions::default() };
    let options = AppOptions { source, session, dark: false, backend: None, reports: false, report: None };
    let builder = Harness::builder().with_size([1280.0, 720.0]);
    builder.build_eframe(|context| App::new(context, options))
}

/// Lets pictures pass until something is so.
fn wait(harness: &mut Harness<'static, App>, what: &str, is_so: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !is_so(harness.state()) {
        harness.step();
        std::thread::sleep(Duration::from_millis(1));
        assert!(start.elapsed() < Duration::from_secs(60), "no {what}: {:?}", harness.state().shown.problem);
    }
}

fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name)
}

#[test]
fn a_file_that_is_dropped_is_opened_and_one_that_is_none_is_said() {
    let mut harness = window(Source::Empty);
    harness.step();
    harness.get_by_label("Choose a scene, or drop a file here.");
    harness.input_mut().dropped_files.push(Arc::new(File(scene("hanging.toml"))));
    wait(&mut harness, "scene", |app| app.shown.figures.triangles == 5000);
    let opened = harness.state().shown.opened;
    harness.input_mut().dropped_files.push(Arc::new(File(scene("no_such.toml"))));
    wait(&mut harness, "problem", |app| app.shown.problem.is_some());
    assert_eq!(harness.state().shown.figures.triangles, 5000, "what was open stays");
    assert_eq!(harness.state().shown.opened, opened);
    // Of several files the scene.
    let files = [scene("spot/spot.obj"), scene("sphere_drape.toml")];
    harness
        .input_mut()
        .dropped_files
        .extend(files.map(|path| Arc::new(File(path)) as egui::DroppedFileHandle));
    wait(&mut harness, "other scene", |app| app.shown.title.contains("sphere_drape"));
}

#[test]
fn keys_play_step_and_grab_reaches_the_session() {
    let mut harness = window(Source::Gallery("hanging".into()));
    wait(&mut harness, "scene", |app| app.shown.figures.triangles > 0);
    harness.key_press(Key::Period);
    wait(&mut harness, "step", |app| app.shown.clock.time > 0.0);
    harness.key_press(Key::Space);
    wait(&mut harness, "play", |app| app.shown.clock.is_playing);
    harness.key_press(Key::Space);
    wait(&mut harness, "pause", |app| !app.shown.clock.is_playing);
    let state = harness.state().state(&harness.ctx);
    let samples = state["sheets"][0]["samples"].as_array().unwrap();
    let at: [f32; 2] = samples.iter().find_map(|s| serde_json::from_value(s["at"].clone()).ok()).unwrap();
    let at = pos2(at[0], at[1]);
    let press = |pressed| Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Default::default(),
    };
    harness.event(Event::PointerMoved(at));
    harness.event(press(true));
    wait(&mut harness, "hold", |app| app.shown.held.len() == 1);
    harness.event(press(false));
    wait(&mut harness, "nothing held", |app| app.shown.held.is_empty());
    harness.key_press(Key::Home);
    wait(&mut harness, "start", |app| app.shown.clock.time == 0.0);
}

#[test]
fn each_scene_is_seen_from_where_it_wants_and_stays_there() {
    let mut harness = window(Source::Gallery("hanging".into()));
    wait(&mut harness, "scene", |app| app.shown.figures.triangles > 0);
    let first = harness.state().orbit.view();
    harness.key_press(Key::Num7);
    wait(&mut harness, "view from above", |app| app.orbit.view().forward().y < -0.99);
    harness.state().open(Source::Gallery("sphere_drape".into()));
    wait(&mut harness, "other scene", |app| app.shown.title == "sphere_drape");
    harness.step();
    assert_ne!(harness.state().orbit.view(), first);
    let up = harness.state().shown.scenery.up;
    assert_eq!(harness.state().orbit.view().up, up);
}
