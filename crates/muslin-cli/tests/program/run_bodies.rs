//! Runs with rigid bodies as processes: every output, pictures, checkpoints.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::start::{folder_with_scene, muslin, stderr, stdout, text};

/// A box and a ball that fall into a sheet held at its corners.
const SCENE: &str = r#"
name = "fall"
[time]
frames = 24
substeps = 2
[[cloth]]
name = "sheet"
mesh.grid = { columns = 8, rows = 8 }
transform = { rotate = [-90.0, 0.0, 0.0], translate = [-0.5, 0.5, 0.5] }
[[cloth.pins]]
group = "corners"
[[body]]
name = "brick"
box = { size = [0.2, 0.1, 0.15] }
density = 100.0
position = [-0.1, 0.65, 0.0]
rotation = [10.0, 0.0, 20.0]
angular_velocity = [0.0, 200.0, 0.0]
[[body]]
name = "ball"
sphere = { radius = 0.08 }
density = 50.0
position = [0.15, 0.62, 0.05]
[output]
folder = "out"
formats = ["obj", "ply", "pc2", "mdd", "glb", "usd", "vtk", "npz"]
[check]
self_intersections = 0
collider_penetrations = 0
"#;

fn json(arguments: &[&str]) -> Value {
    let output = muslin(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

fn folder(name: &str, scene: &str) -> (PathBuf, String) {
    let (folder, scene) = folder_with_scene(&format!("bodies-{name}"), scene);
    (folder.join("out"), scene)
}

/// All files of a run but checkpoints, with their content.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let kept = entries.filter(|path| path.is_file() && path.extension().is_some_and(|e| e != "muslin"));
    let named = |path: PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        (name, fs::read(&path).expect("a file"))
    };
    let mut files: Vec<_> = kept.map(named).collect();
    files.sort();
    files
}

#[test]
fn every_format_has_the_bodies() {
    let (out, scene) = folder("formats", SCENE);
    let summary = json(&["run", &scene, "--json", "--plot", "--check-every-frame"]);
    assert_eq!((&summary["bodies"], &summary["worst_frame"]), (&2.into(), &Value::Null));
    let names = ["pc2", "mdd", "npz"]
        .map(|extension| ["sheet", "brick", "ball"].map(|name| format!("fall_{name}.{extension}")));
    for name in names.as_flattened() {
        assert!(out.join(name).exists(), "{name}");
    }
    for name in ["fall_brick_0023.ply", "fall_ball_0000.vtp", "fall.glb", "fall.usda", "fall_energy.svg"] {
        assert!(out.join(name).exists(), "{name}");
    }
    // The brick of the last frame is where the summary says.
    let end = &summary["body_states"][0];
    assert_eq!(end["name"], "brick");
    let position = |k: usize| end["position"][k].as_f64().expect("a number");
    assert!(position(1) < 0.6, "it has fallen: {end}");
    let mesh = muslin_io::read_mesh(out.join("fall_brick_0023.ply")).expect("a frame");
    let (low, high) = mesh.bounds().expect("vertices");
    let middle = (0.5 * (low + high)).as_dvec3();
    for k in 0..3 {
        assert!((middle[k] - position(k)).abs() < 1e-6, "{middle} {end}");
    }
    let all = muslin_io::read_mesh(out.join("fall_0023.obj")).expect("a frame");
    assert_eq!(all.groups["brick"].len(), mesh.positions.len());
    let glb = fs::read(out.join("fall.glb")).expect("a file");
    let document = gltf::Gltf::from_slice(&glb).expect("glTF").document;
    let names: Vec<_> = document.nodes().filter_map(|node| node.name().map(str::to_owned)).collect();
    assert_eq!(names, ["sheet", "brick", "ball"]);
    let animation = document.animations().next().expect("an animation");
    assert_eq!(animation.channels().count(), 1 + 2 * 2);
}

#[test]
fn a_resumed_run_has_the_same_bits_in_every_file() {
    let (whole, scene) = folder("whole", SCENE);
    json(&["run", &scene, "--json"]);
    let (parts, scene) = folder("parts", SCENE);
    json(&["run", &scene, "--json", "--frames", "9", "--checkpoint-every", "9"]);
    let summary = json(&["resume", text(&parts.join("checkpoint.muslin")), "--frames", "24", "--json"]);
    assert_eq!(summary["frames"], 24);
    let (whole, parts) = (files(&whole), files(&parts));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&whole), names(&parts));
    for ((name, a), (_, b)) in whole.iter().zip(&parts) {
        assert!(a == b, "{name}");
    }
}

#[test]
fn other_bodies_in_a_changed_file_are_noticed() {
    let text_of = SCENE.replace("box = { size = [0.2, 0.1, 0.15] }", "mesh.file = \"brick.obj\"");
    let (out, scene) = folder("changed", &text_of);
    let brick = |size: f32| {
        let mesh = muslin::mesh::generate::cuboid(glam::Vec3::splat(size), 1).expect("a box");
        muslin_io::write_mesh(out.with_file_name("brick.obj"), &mesh).expect("a mesh");
    };
    brick(0.1);
    json(&["run", &scene, "--json", "--frames", "6", "--checkpoint-every", "4"]);
    brick(0.11);
    let output = muslin(&["resume", text(&out.join("checkpoint.muslin")), "--frames", "12"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("has changed"), "{}", stderr(&output));
}

#[test]
fn pictures_show_bodies_where_they_are() {
    let start = SCENE.find("formats = [").expect("formats");
    let end = SCENE.find("[check]").expect("a check");
    let pictures = "formats = []\npictures = { every = 12, size = [64, 48], animation = \"off\" }\n";
    let camera = "[camera]\neye = [0.0, 1.2, 2.0]\ntarget = [0.0, 0.5, 0.0]\n";
    let scene_text = format!("{}{pictures}{camera}{}", &SCENE[..start], &SCENE[end..]);
    let (out, scene) = folder("pictures", &scene_text);
    json(&["run", &scene, "--json", "--frames", "13"]);
    let bare: Vec<&str> = scene_text.split("[[body]]").collect();
    let bare = format!("{}[output]{}", bare[0], bare[2].split("[output]").nth(1).expect("an output"));
    let (without, scene) = folder("pictures-without", &bare);
    json(&["run", &scene, "--json", "--frames", "13"]);
    let picture =
        |folder: &Path, frame: u32| fs::read(folder.join(format!("fall_{frame:04}.png"))).expect("a picture");
    assert!(picture(&out, 0) != picture(&without, 0), "the bodies are not in the picture");
    assert!(picture(&out, 0) != picture(&out, 12), "they move");
}

#[test]
fn check_names_bodies_and_a_gpu_refuses_them() {
    let (_, scene) = folder("check", SCENE);
    let report = json(&["check", &scene, "--json"]);
    assert_eq!(
        (&report["bodies"][0]["name"], &report["bodies"][1]["name"]),
        (&"brick".into(), &"ball".into())
    );
    assert!((report["bodies"][0]["mass"].as_f64().expect("a mass") - 0.3).abs() < 1e-6);
    let output = muslin(&["check", &scene]);
    assert!(stdout(&output).contains("brick (body, 0.300 kg)"), "{}", stdout(&output));
    let output = muslin(&["run", &scene, "--backend", "gpu"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("body: the GPU back end has no rigid bodies"), "{}", stderr(&output));
}
