//! `muslin run`, `resume` and `new` as processes: scenes, checkpoints, and what a kill leaves behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::start::{folder_with_scene, muslin, stderr};

/// A small scene: a scrap of cloth in gusts.
const SCENE: &str = r#"
name = "scrap"
[time]
frames = 12
substeps = 2
[forces.wind]
velocity = [3.0, 0.0, 1.0]
[[cloth]]
mesh.delaunay = { width = 0.5, height = 0.4, triangles = 400 }
[[cloth.pins]]
group = "left"
[output]
folder = "out"
formats = ["obj", "pc2", "npz"]
"#;

/// A folder with the scene in it.
fn folder(name: &str, scene: &str) -> (PathBuf, String) {
    folder_with_scene(&format!("run-{name}"), scene)
}

fn file(folder: &Path, end: &str) -> Vec<u8> {
    let entries = fs::read_dir(folder).expect("the folder");
    let path = entries.map(|e| e.expect("an entry").path()).find(|p| p.to_string_lossy().ends_with(end));
    fs::read(path.unwrap_or_else(|| panic!("no file *{end} in {}", folder.display()))).expect("a file")
}

#[test]
fn a_scene_runs_and_its_summary_is_one_json_document() {
    let (folder, scene) = folder("plain", SCENE);
    let output = muslin(&["run", &scene, "--json", "--plot"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(
        (&summary["frames"], &summary["steps"], &summary["quarantined"]),
        (&12.into(), &22.into(), &0.into())
    );
    for file in summary["files"].as_array().expect("files") {
        assert!(Path::new(file.as_str().expect("a path")).is_file(), "{file}");
    }
    for plot in ["strain", "energy", "time_per_step"] {
        assert!(file(&folder.join("out"), &format!("{plot}.svg")).starts_with(b"<svg"));
        assert!(file(&folder.join("out"), &format!("{plot}.png")).starts_with(b"\x89PNG"));
    }
    assert!(!folder.join("out/.frames").exists());
}

#[test]
fn a_wrong_scene_is_shown_underlined_and_nothing_is_written() {
    let (folder, scene) = folder("wrong", &SCENE.replace("substeps", "subteps"));
    let output = muslin(&["run", &scene]);
    assert_eq!(output.status.code(), Some(2));
    let error = stderr(&output);
    assert!(error.contains("subteps") && error.contains("^^^^") && error.contains("substeps"), "{error}");
    assert!(!folder.join("out").exists());
}

#[test]
fn a_run_in_two_parts_writes_the_bytes_of_one() {
    let (whole, scene) = folder("whole", SCENE);
    assert_eq!(muslin(&["run", &scene]).status.code(), Some(0));
    let (parts, scene) = folder("parts", SCENE);
    let first = muslin(&["run", &scene, "--frames", "6", "--checkpoint-every", "4"]);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    let checkpoint = parts.join("out/checkpoint.muslin");
    let second = muslin(&["resume", checkpoint.to_str().expect("UTF-8"), "--frames", "12"]);
    assert_eq!(second.status.code(), Some(0), "{}", stderr(&second));
    for end in ["_0011.obj", ".pc2", ".npz"] {
        assert_eq!(file(&parts.join("out"), end), file(&whole.join("out"), end), "{end}");
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_leaves_a_checkpoint_and_says_how_to_go_on() {
    let (folder, scene) = folder("interrupted", SCENE);
    let child = Command::new(env!("CARGO_BIN_EXE_muslin"))
        .args(["run", &scene, "--frames", "100000"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    while !folder.join("out/.frames/000003.frame").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(interrupt.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let error = stderr(&output);
    assert!(error.contains("stopped after") && error.contains("muslin resume"), "{error}");
    let checkpoint = folder.join("out/checkpoint.muslin");
    let resumed = muslin(&["resume", checkpoint.to_str().expect("UTF-8"), "--frames", "1"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
}

#[test]
fn a_changed_scene_or_a_damaged_checkpoint_is_refused() {
    let (folder, scene) = folder("changed", SCENE);
    assert_eq!(muslin(&["run", &scene, "--checkpoint-every", "4"]).status.code(), Some(0));
    let checkpoint = folder.join("out/checkpoint.muslin");
    let path = checkpoint.to_str().expect("UTF-8").to_owned();
    let mut bytes = fs::read(&checkpoint).expect("a checkpoint");
    fs::write(&scene, SCENE.replace("3.0, 0.0", "4.0, 0.0")).expect("a scene");
    let output = muslin(&["resume", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("has changed"), "{}", stderr(&output));
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&checkpoint, bytes).expect("a checkpoint");
    let output = muslin(&["resume", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("damaged"), "{}", stderr(&output));
}

#[test]
fn killed_at_any_moment_no_file_is_half_written() {
    let (folder, scene) = folder("killed", SCENE);
    let out = folder.join("out");
    for round in 0..20u64 {
        let _ = fs::remove_dir_all(&out);
        let mut child = Command::new(env!("CARGO_BIN_EXE_muslin"))
            .args(["run", &scene, "--checkpoint-every", "2", "--frames", "60", "--quiet"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(15 + 7 * round));
        child.kill().expect("killed");
        child.wait().expect("ended");
        let Ok(entries) = fs::read_dir(&out) else { continue };
        let mut sizes = Vec::new();
        for path in entries.map(|e| e.expect("an entry").path()) {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if name.ends_with(".obj") && !name.starts_with('.') {
                let content = fs::read_to_string(&path).expect("text");
                let count = |start: &str| content.lines().filter(|line| line.starts_with(start)).count();
                sizes.push((count("v "), count("f ")));
            }
            if name == "checkpoint.muslin" {
                let resumed = muslin(&["resume", path.to_str().expect("UTF-8"), "--frames", "60", "--quiet"]);
                assert_eq!(resumed.status.code(), Some(0), "round {round}: {}", stderr(&resumed));
            }
        }
        assert!(sizes.iter().all(|size| size.1 == 400 && *size == sizes[0]), "round {round}: {sizes:?}");
    }
}

#[test]
fn templates_are_written_once_and_run() {
    let (folder, _) = folder("new", SCENE);
    for template in ["hanging", "flag", "drape", "table", "garment", "bodies", "multilevel"] {
        let path = folder.join(format!("{template}.toml"));
        let path = path.to_str().expect("UTF-8");
        assert_eq!(muslin(&["new", template, path]).status.code(), Some(0));
        assert_eq!(muslin(&["new", template, path]).status.code(), Some(2), "must not replace");
        if template == "bodies" && cfg!(not(feature = "rigid-bodies")) {
            continue;
        }
        let output = muslin(&["run", path, "--frames", "2", "--no-pictures", "--quiet"]);
        // Two frames are too few for a check of the end; any other failure is one.
        let fine = output.status.code() == Some(0) || stderr(&output).contains("check failed");
        assert!(fine, "{template}: {}", stderr(&output));
    }
    assert_eq!(muslin(&["new", "toga"]).status.code(), Some(2));
    assert!(muslin(&["new", "--schema"]).stdout.starts_with(b"{"));
}
