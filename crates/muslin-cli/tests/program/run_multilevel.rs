//! Runs of multilevel cloth as processes: the fine mesh in files, summary, check, checkpoints.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::start::{folder_with_scene, muslin, stderr, text};

/// A sleeve of two panels in the wind.
const SCENE: &str = r#"
name = "sleeve"
[time]
frames = 8
[solver]
method = "multilevel"
particles = 1200
[forces]
wind = { velocity = [3.0, 0.0, 1.0] }
[[cloth]]
mesh.tube = { radius = 0.2, height = 0.5, segments = 24, rings = 8, panels = 2 }
[[cloth.pins]]
group = "top"
[output]
folder = "out"
formats = ["obj", "npz", "ply"]
"#;

fn folder(name: &str, scene: &str) -> (PathBuf, String) {
    let (folder, scene) = folder_with_scene(&format!("multilevel-{name}"), scene);
    (folder.join("out"), scene)
}

/// Runs the program, which must succeed, and reads its stdout as one JSON document.
fn json(arguments: &[&str]) -> Value {
    let output = muslin(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

#[test]
fn files_and_summary_are_of_the_fine_mesh() {
    let (out, scene) = folder("files", SCENE);
    let summary = json(&["run", &scene, "--json"]);
    let coarse = 2 * 24 * 8;
    let triangles = summary["triangles"].as_u64().expect("a number") as usize;
    assert!(triangles > 3 * coarse && triangles.is_multiple_of(coarse), "{triangles}");
    let vertices = summary["vertices"].as_u64().expect("a number") as usize;
    for file in ["sleeve_0007.obj", "sleeve_0007.ply"] {
        let mesh = muslin_io::read_mesh(out.join(file)).expect("a frame");
        assert_eq!((mesh.triangles.len(), mesh.positions.len()), (triangles, vertices), "{file}");
        assert!(mesh.uvs.is_some() || file.ends_with("ply"));
    }
    let start = muslin_io::read_mesh(out.join("sleeve_0000.obj")).expect("a frame");
    assert!(
        (start.total_area() / (0.4 * std::f64::consts::PI * 0.5) - 1.0).abs() < 0.02,
        "the sleeve's area"
    );
    let grid = &summary["grid"];
    let particles = grid["particles"].as_u64().expect("a number");
    assert!((1000..1500).contains(&particles), "{grid}");
    assert_eq!((&grid["patches"], &summary["quarantined"]), (&2.into(), &0.into()));
    let number = |key: &str| grid[key].as_f64().unwrap_or_else(|| panic!("{key}: {grid}"));
    assert!((0.015..0.03).contains(&number("spacing")), "{grid}");
    assert!(number("iterations") >= 1.0 && number("levels") >= 3.0 && number("stitches") >= 40.0, "{grid}");
    assert!(number("strain_max") > 0.0 && number("seam_gap") < 0.02, "{grid}");
}

#[test]
fn other_cloth_has_no_grid_in_its_summary() {
    let scene = SCENE.replace("method = \"multilevel\"\nparticles = 1200\n", "");
    let (_, scene) = folder("none", &scene);
    let summary = json(&["run", &scene, "--json", "--frames", "2"]);
    assert_eq!((&summary["grid"], &summary["triangles"]), (&Value::Null, &(2 * 24 * 8).into()));
}

#[test]
fn check_describes_the_grid() {
    let (_, scene) = folder("check", SCENE);
    let cloth = &json(&["check", &scene, "--json"])["cloths"][0];
    assert_eq!(cloth["triangles"], 2 * 24 * 8);
    let distortion = cloth["grid"]["distortion"]["largest"].as_f64().expect("a number");
    assert!((1e-4..5e-3).contains(&distortion), "chords in place of arcs: {distortion}");
    let shown = muslin(&["check", &scene]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("grid of cloth: ") && shown.contains("2 patches"), "{shown}");
}

#[test]
fn a_resumed_run_writes_the_same_files() {
    let arm = "[[collider]]\nname = \"arm\"\nsphere = { center = [0.0, 0.1, 0.0], radius = 0.15 }\n\
               keyframes = [{ time = 0.0 }, { time = 0.1, translate = [0.02, 0.05, 0.0], rotate = [0.0, 90.0, 0.0] }]\n\
               [output]";
    let (out, scene) = folder("resume", &SCENE.replace("[output]", arm));
    json(&["run", &scene, "--json", "--checkpoint-every", "3"]);
    let file = |name: &str| fs::read(out.join(name)).expect("a file");
    let (whole, archive) = (file("sleeve_0007.obj"), file("sleeve.npz"));
    fs::remove_file(out.join("sleeve_0007.obj")).expect("there");
    // The newest is of the last frame, the one before it of the sixth.
    let resumed = json(&["resume", text(&out.join("checkpoint.previous.muslin")), "--json"]);
    assert_eq!(resumed["frames"], 8);
    assert!(whole == file("sleeve_0007.obj") && archive == file("sleeve.npz"), "other bits");
}

#[test]
#[cfg(feature = "gpu")]
fn a_gpu_computes_the_same_cloth_with_colliders() {
    let ball =
        "[[collider]]\nname = \"ball\"\nsphere = { center = [0.0, 0.1, 0.0], radius = 0.15 }\n[output]";
    let (_, scene) = folder("gpu", &SCENE.replace("[output]", ball));
    let [on_cpu, on_gpu] =
        ["cpu", "gpu"].map(|backend| json(&["run", &scene, "--backend", backend, "--json"]));
    assert_eq!((&on_cpu["backend"], &on_gpu["backend"]), (&"cpu".into(), &"gpu".into()));
    let strain = |summary: &Value| summary["strain_avg"].as_f64().expect("a number");
    let (here, there) = (strain(&on_cpu), strain(&on_gpu));
    assert!(here > 1e-4 && (here / there - 1.0).abs() < 0.05, "{here} {there}");
}
