//! Runs with colliders as processes: contacts, intersections, pictures, checkpoints.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;

use crate::start::{folder_with_scene, muslin, stderr};

/// A cloth that falls onto a ball which moves, above a floor.
const DRAPE: &str = r#"
name = "drape"
[time]
frames = 40
substeps = 3
[[cloth]]
name = "cloth"
mesh.delaunay = { width = 0.6, height = 0.6, triangles = 500 }
[cloth.transform]
rotate = [-90.0, 0.0, 0.0]
translate = [-0.3, 0.47, 0.3]
[[collider]]
name = "ball"
sphere = { center = [0.0, 0.3, 0.0], radius = 0.15 }
keyframes = [{ time = 0.2 }, { time = 0.5, translate = [0.05, 0.0, 0.0], rotate = [0.0, 90.0, 0.0] }]
[[collider]]
name = "floor"
plane = {}
[output]
folder = "out"
formats = ["pc2"]
[check]
self_intersections = 0
collider_penetrations = 0
"#;

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

/// A folder with the scene in it; the folder and the scene's path.
fn folder(name: &str, scene: &str) -> (PathBuf, String) {
    folder_with_scene(&format!("world-{name}"), scene)
}

#[test]
fn a_drape_ends_with_contacts_and_without_intersections() {
    let (_, scene) = folder("drape", DRAPE);
    let output = muslin(&["run", &scene, "--json", "--check-every-frame"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let summary = json(&output);
    assert_eq!((&summary["self_intersections"], &summary["collider_penetrations"]), (&0.into(), &0.into()));
    assert_eq!((&summary["worst_frame"], &summary["colliders"]), (&Value::Null, &2.into()));
    assert!(summary["contacts"].as_u64() > Some(10), "{summary}");
    for count in ["impacts", "zones", "divisions"] {
        assert!(summary[count].is_u64(), "{count}");
    }
    let output = muslin(&["run", &scene]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let line = text.lines().find(|line| line.starts_with("contact ")).expect("a line about contacts");
    assert!(line.contains("0 self-intersections, 0 penetrations of colliders"), "{line}");
}

#[test]
fn intersections_are_counted_and_fail_the_check_of_the_scene() {
    let mesh = "v 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\nv 0.5 0.5 -1\nv 0.5 0.5 1\nv 3 3 0\nf 4 5 6\n";
    let text = "name = \"crossing\"\ntime.frames = 1\ncollision.self = false\noutput.formats = []\n\
                [[cloth]]\nmesh.file = \"crossing.obj\"\n[check]\nself_intersections = 0\n";
    let (folder, scene) = folder("crossing", text);
    fs::write(folder.join("crossing.obj"), mesh).expect("a mesh");
    let output = muslin(&["run", &scene, "--json", "--check-every-frame"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let summary = json(&output);
    assert_eq!(summary["self_intersections"], 1, "{summary}");
    assert_eq!(
        (&summary["worst_frame"]["frame"], &summary["worst_frame"]["self_intersections"]),
        (&0.into(), &1.into())
    );
    assert!(
        stderr(&output).contains("there are 1 self-intersections, above the limit of 0"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn resumed_with_moving_colliders_a_run_writes_the_bytes_of_one() {
    let (whole, scene) = folder("whole", DRAPE);
    assert_eq!(muslin(&["run", &scene]).status.code(), Some(0));
    let (parts, scene) = folder("parts", DRAPE);
    let first = muslin(&["run", &scene, "--frames", "21", "--checkpoint-every", "15", "--quiet"]);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    for checkpoint in ["checkpoint.previous.muslin", "checkpoint.muslin"] {
        let path = parts.join("out").join(checkpoint);
        let second = muslin(&["resume", path.to_str().expect("UTF-8"), "--frames", "40"]);
        assert_eq!(second.status.code(), Some(0), "{}", stderr(&second));
        let [part, all] =
            [&parts, &whole].map(|folder| fs::read(folder.join("out/drape.pc2")).expect("a cache"));
        assert!(part == all, "from {checkpoint}");
    }
}

#[test]
fn a_step_in_which_bodies_cannot_be_kept_apart_ends_the_run_with_whole_files() {
    // A ceiling comes down to below the floor, with the cloth between them.
    let text = r#"
        name = "crushed"
        time = { frames = 30, substeps = 2 }
        [[cloth]]
        name = "sheet"
        mesh.grid = { columns = 6, rows = 6, width = 0.5, height = 0.5 }
        transform = { rotate = [-90.0, 0.0, 0.0], translate = [0.0, 0.1, 0.0] }
        [[collider]]
        name = "floor"
        plane = {}
        [[collider]]
        name = "ceiling"
        plane = { point = [0.0, 0.2, 0.0], normal = [0.0, -1.0, 0.0] }
        keyframes = [{ time = 0.1 }, { time = 0.4, translate = [0.0, -0.3, 0.0] }]
        [output]
        folder = "out"
        formats = ["obj", "npz"]
    "#;
    let (folder, scene) = folder("crushed", text);
    let output = muslin(&["run", &scene, "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let summary = json(&output);
    let frames = summary["frames"].as_u64().expect("a number");
    let message = format!("frame {frames}: ");
    assert!(summary["diverged"].as_str().is_some_and(|text| text.starts_with(&message)), "{summary}");
    assert!(stderr(&output).contains("could not be kept apart"), "{}", stderr(&output));
    assert!(frames > 2 && frames < 30);
    assert!(folder.join(format!("out/crushed_{:04}.obj", frames - 1)).exists());
    assert!(!folder.join(format!("out/crushed_{frames:04}.obj")).exists());
    assert!(folder.join("out/crushed.npz").exists());
}

#[test]
fn the_default_picture_is_that_of_the_last_frame_and_shows_the_colliders() {
    let text = DRAPE
        .replace("formats = [\"pc2\"]", "formats = []\npictures = { size = [64, 48], animation = \"off\" }");
    let (with, scene) = folder("picture", &text);
    for (frames, name) in [(None, "drape_0039.png"), (Some("5"), "drape_0004.png")] {
        let mut arguments = vec!["run", &*scene, "--quiet"];
        arguments.extend(frames.iter().flat_map(|frames| ["--frames", frames]));
        let output = muslin(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(with.join("out").join(name).exists(), "{name}");
    }
    let bare: String = text.replace("[[collider]]\nname = \"ball\"\nsphere = { center = [0.0, 0.3, 0.0], radius = 0.15 }\nkeyframes = [{ time = 0.2 }, { time = 0.5, translate = [0.05, 0.0, 0.0], rotate = [0.0, 90.0, 0.0] }]\n", "");
    assert!(bare.len() < text.len() && !bare.contains("sphere"));
    let (without, scene) = folder("picture-without", &bare);
    assert_eq!(muslin(&["run", &scene, "--quiet", "--frames", "1"]).status.code(), Some(0));
    assert_eq!(
        muslin(&["run", with.join("scene.toml").to_str().expect("UTF-8"), "--quiet", "--frames", "1"])
            .status
            .code(),
        Some(0)
    );
    let [a, b] =
        [with, without].map(|folder| fs::read(folder.join("out/drape_0000.png")).expect("a picture"));
    assert!(a != b, "the ball is not in the picture");
    let wrong = DRAPE.replace("formats = [\"pc2\"]", "pictures = { frames = [40] }");
    let (_, scene) = folder("picture-beyond", &wrong);
    let output = muslin(&["run", &scene]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no frame 40: the last is 39"), "{}", stderr(&output));
}

#[test]
fn check_builds_the_colliders_too() {
    let (_, scene) = folder("check", DRAPE);
    let report = json(&muslin(&["check", &scene, "--json"]));
    assert_eq!(report["colliders"], serde_json::json!(["ball", "floor"]));
    let wrong =
        DRAPE.replace("sphere = { center = [0.0, 0.3, 0.0], radius = 0.15 }", "mesh.file = \"gone.obj\"");
    let (_, scene) = folder("check-wrong", &wrong);
    let output = muslin(&["check", &scene]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("gone.obj"), "{}", stderr(&output));
}

/// A cloth that starts inside of a box.
const INSIDE: &str = r#"
name = "inside"
time = { frames = 30, substeps = 3 }
collision.start = "untangle"
output.formats = []
[[cloth]]
name = "cloth"
mesh.grid = { columns = 6, rows = 6, width = 0.2, height = 0.2 }
transform = { rotate = [-90.0, 0.0, 0.0], translate = [-0.1, 0.42, 0.1] }
[[collider]]
name = "box"
box = { center = [0.0, 0.25, 0.0], size = [2.0, 1.5, 2.0] }
"#;

#[test]
fn what_is_ignored_is_in_the_summary() {
    let (_, scene) = folder("inside", INSIDE);
    let summary =
        |frames: &str| json(&muslin(&["run", &scene, "--json", "--no-pictures", "--frames", frames]));
    let early = summary("3");
    assert_eq!((&early["inside"], &early["last_ignored_frame"]), (&49.into(), &2.into()), "{early}");
    assert!(early["ignored_pairs"].is_u64() && early["collider_penetrations"].as_u64() > Some(0), "{early}");
    let end = summary("30");
    let counts = ["inside", "ignored_pairs", "collider_penetrations"].map(|key| end[key].as_u64());
    assert_eq!(counts, [Some(0); 3], "{end}");
    assert!(end["last_ignored_frame"].as_u64() > Some(2), "{end}");
    let text = String::from_utf8(muslin(&["run", &scene, "--frames", "3"]).stdout).expect("UTF-8");
    let line = text.lines().find(|line| line.starts_with("start ")).expect("a line about the start");
    assert!(line.contains("49 particles inside of closed meshes"), "{line}");
}
