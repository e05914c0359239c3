//! What runs and resumed runs leave behind and report.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::start::{folder_with_scene, muslin, stderr, text};

const SCENE: &str = r#"
name = "scrap"
[time]
frames = 12
substeps = 4
[[cloth]]
mesh.file = "sheet.obj"
[[cloth.pins]]
vertices = [0]
[output]
folder = "out"
formats = ["obj", "pc2"]
"#;

/// A square of four triangles, with texture coordinates that have a seam.
const SHEET: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 0\n\
                     vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\nvt 0.25 0.75\n\
                     f 1/1 2/2 5/5\nf 2/2 3/3 5/5\nf 3/3 4/4 5/5\nf 4/4 1/1 5/6\n";

/// Runs the program, which must succeed, and reads its stdout as one JSON document.
fn json(arguments: &[&str]) -> Value {
    let output = muslin(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

/// A folder with the scene and its mesh; the folder of the output and the scene's path.
fn folder(name: &str, scene: &str) -> (PathBuf, String) {
    let (folder, scene) = folder_with_scene(&format!("resume-{name}"), scene);
    fs::write(folder.join("sheet.obj"), SHEET).expect("a mesh");
    (folder.join("out"), scene)
}

/// Starts a run and waits for a file.
fn start(arguments: &[&str], file: &Path) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_muslin"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let begin = Instant::now();
    while !file.exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

#[cfg(unix)]
fn stop(child: Child, signal: &str) -> Output {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    child.wait_with_output().expect("it ends")
}

#[test]
fn texture_coordinates_arrive_in_the_frames() {
    let (out, scene) = folder("uvs", SCENE);
    json(&["run", &scene, "--json"]);
    let given = muslin_io::read_mesh(out.with_file_name("sheet.obj")).expect("the mesh");
    let written = muslin_io::read_mesh(out.join("scrap_0011.obj")).expect("a frame");
    assert_eq!((written.triangles, written.uvs), (given.triangles, given.uvs));
}

#[test]
fn another_mesh_under_the_same_name_is_noticed() {
    let (out, scene) = folder("mesh", SCENE);
    json(&["run", &scene, "--json", "--frames", "6", "--checkpoint-every", "4"]);
    let checkpoint = out.join("checkpoint.muslin");
    fs::write(out.with_file_name("sheet.obj"), SHEET.replace("v 0.5 0.5 0\n", "v 0.4 0.5 0\n"))
        .expect("a mesh");
    let output = muslin(&["resume", text(&checkpoint), "--frames", "12"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("has changed"), "{}", stderr(&output));
    fs::write(out.with_file_name("sheet.obj"), SHEET).expect("a mesh");
    assert_eq!(json(&["resume", text(&checkpoint), "--frames", "12", "--json"])["frames"], 12);
}

#[test]
fn another_collider_under_the_same_name_is_noticed() {
    let collider = "[[collider]]\nmesh.file = \"body.obj\"\ntransform.translate = [0.0, 0.0, 3.0]\n";
    let (out, scene) = folder("collider", &format!("{SCENE}{collider}"));
    fs::write(out.with_file_name("body.obj"), SHEET).expect("a mesh");
    json(&["run", &scene, "--json", "--frames", "6", "--checkpoint-every", "4"]);
    fs::write(out.with_file_name("body.obj"), SHEET.replace("v 0.5 0.5 0\n", "v 0.5 0.5 0.1\n"))
        .expect("a mesh");
    let output = muslin(&["resume", text(&out.join("checkpoint.muslin"))]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("has changed"), "{}", stderr(&output));
}

#[test]
#[cfg(unix)]
fn frames_are_not_written_through_a_link() {
    let (out, scene) = folder("link", SCENE);
    let elsewhere = out.with_file_name("elsewhere");
    fs::create_dir_all(&out).expect("a folder");
    fs::create_dir_all(&elsewhere).expect("a folder");
    std::os::unix::fs::symlink(&elsewhere, out.join(".frames")).expect("a link");
    let output = muslin(&["run", &scene]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains(".frames is not a folder"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(&elsewhere).expect("a folder").count(), 0);
    assert_eq!(fs::read_dir(&out).expect("a folder").count(), 1, "nothing is written at all");
}

#[test]
#[cfg(unix)]
fn ctrl_c_is_heard_while_pictures_are_made_and_resume_makes_them() {
    let pictures = "pictures = { every = 1, size = [320, 240], animation = \"gif\" }\n";
    let (out, scene) = folder("pictures", &format!("{SCENE}{pictures}"));
    let child = start(&["run", &scene, "--frames", "60", "--json"], &out.join("scrap_0000.png"));
    let output = stop(child, "-INT");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("stopped after all 60 frames"), "{}", stderr(&output));
    assert!(!out.join("scrap_0059.png").exists());
    let summary: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert!(summary["stopped"].is_string() && summary["frames"] == 60, "{summary}");
    let checkpoint = out.join("checkpoint.muslin");
    let resumed = json(&["resume", text(&checkpoint), "--json"]);
    assert_eq!(resumed["frames"], 60);
    assert!(out.join("scrap_0059.png").exists() && out.join("scrap.gif").exists());
}

#[test]
#[cfg(unix)]
fn a_run_that_is_terminated_leaves_a_checkpoint_and_one_document() {
    let (out, scene) = folder("terminated", SCENE);
    let child = start(&["run", &scene, "--frames", "100000", "--json"], &out.join(".frames/000003.frame"));
    let output = stop(child, "-TERM");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let frames = summary["frames"].as_u64().expect("a number");
    assert!(summary["stopped"].as_str().is_some_and(|text| text.starts_with("stopped after")), "{summary}");
    assert_eq!(summary["files"].as_array().map(Vec::len), Some(frames as usize), "the OBJ files so far");
    // Resumed to its end, a run that did not ask for checkpoints leaves neither them nor frames behind.
    let more = (frames + 2).to_string();
    let checkpoint = out.join("checkpoint.muslin");
    assert_eq!(json(&["resume", text(&checkpoint), "--frames", &more, "--json"])["frames"], frames + 2);
    assert!(!checkpoint.exists() && !out.join(".frames").exists());
}

#[test]
fn milliseconds_are_those_of_a_step_and_not_of_a_frame() {
    let (_, scene) = folder("ms", &SCENE.replace("substeps = 4", "substeps = 2000"));
    let begin = Instant::now();
    let summary = json(&["run", &scene, "--json"]);
    let wall = begin.elapsed().as_secs_f64() * 1e3;
    let (ms, steps) = (&summary["ms_per_step_median"], &summary["steps"]);
    assert_eq!(steps, 22_000);
    // Half of the frames take at least the median.
    assert!(
        0.5 * ms.as_f64().expect("a number") * 22_000.0 < wall,
        "{ms} ms for each of {steps} in {wall} ms"
    );
}

#[test]
fn a_resumed_run_remembers_its_options_and_reports_all_of_its_frames() {
    let (out, scene) = folder("remembers", SCENE);
    let whole = json(&["run", &scene, "--json", "--frames", "7", "--checkpoint-every", "4", "--plot"]);
    let plot = fs::read_to_string(out.join("scrap_strain.svg")).expect("a plot");
    // From the middle, from the end: always the run that was asked for.
    for checkpoint in ["checkpoint.previous.muslin", "checkpoint.muslin"] {
        fs::remove_file(out.join("scrap_0002.obj")).expect("there");
        fs::remove_file(out.join("scrap_strain.svg")).expect("there");
        let resumed = json(&["resume", text(&out.join(checkpoint)), "--json"]);
        for figure in ["frames", "steps", "files", "self_intersections"] {
            assert_eq!(resumed[figure], whole[figure], "{checkpoint}: {figure}");
        }
        let [a, b] = [&resumed, &whole].map(|summary| summary["strain_avg"].as_f64().expect("a number"));
        assert!(b > 0.0 && (a - b).abs() < 1e-12, "{checkpoint}: {a} {b}");
        assert!(out.join("scrap_0002.obj").exists());
        assert_eq!(fs::read_to_string(out.join("scrap_strain.svg")).expect("a plot"), plot, "{checkpoint}");
        assert!(out.join("checkpoint.muslin").exists() && out.join(".frames").exists());
    }
}

#[test]
fn a_checkpoint_that_cannot_be_read_is_answered_with_the_other_one() {
    let (out, scene) = folder("other", SCENE);
    json(&["run", &scene, "--json", "--frames", "6", "--checkpoint-every", "4"]);
    let [newest, previous] = ["checkpoint.muslin", "checkpoint.previous.muslin"].map(|name| out.join(name));
    fs::write(&newest, b"MUSLINCP cut").expect("written");
    let damaged = stderr(&muslin(&["resume", text(&newest)]));
    assert!(damaged.contains("damaged") && damaged.contains("checkpoint.previous.muslin"), "{damaged}");
    fs::remove_file(&newest).expect("removed");
    let missing = stderr(&muslin(&["resume", text(&newest)]));
    assert!(missing.contains("checkpoint.previous.muslin"), "{missing}");
    assert_eq!(json(&["resume", text(&previous), "--json"])["frames"], 6);
    assert!(newest.exists());
}

#[test]
fn a_checkpoint_that_cannot_be_written_leaves_the_one_before() {
    let (out, scene) = folder("unwritable", SCENE);
    json(&["run", &scene, "--json", "--frames", "6", "--checkpoint-every", "4"]);
    let before = fs::read(out.join("checkpoint.muslin")).expect("a checkpoint");
    fs::create_dir(out.join("checkpoint.next.muslin")).expect("something in the way");
    let output = muslin(&["resume", text(&out.join("checkpoint.muslin")), "--frames", "12"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(fs::read(out.join("checkpoint.muslin")).expect("still there"), before);
}

#[test]
fn what_a_killed_run_left_half_written_is_removed() {
    let (out, scene) = folder("temporary", SCENE);
    json(&["run", &scene, "--json", "--frames", "6", "--checkpoint-every", "4"]);
    let left = [
        ".scrap_0003.obj.4711-12.tmp",
        ".checkpoint.next.muslin.4711-2.tmp",
        ".frames/.000002.frame.4711-3.tmp",
    ];
    let others = [".other_0003.obj.4711-12.tmp", "scrap.tmp", ".scrap.tmp"];
    for name in left.iter().chain(&others) {
        fs::write(out.join(name), "half").expect("written");
    }
    json(&["resume", text(&out.join("checkpoint.muslin")), "--json"]);
    assert!(left.iter().all(|name| !out.join(name).exists()));
    assert!(others.iter().all(|name| out.join(name).exists()), "only what is surely its own");
}

#[test]
fn a_glb_file_that_would_be_too_large_is_refused_before_the_run() {
    let (out, scene) = folder("glb", &SCENE.replace("\"pc2\"", "\"glb\""));
    let output = muslin(&["run", &scene, "--frames", "2000"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("2000 frames (at most 1000)"), "{}", stderr(&output));
    assert!(!out.exists());
}

#[test]
fn frames_of_an_earlier_longer_run_are_named() {
    let (out, scene) = folder("stale", SCENE);
    assert_eq!(json(&["run", &scene, "--json"])["stale_files"], serde_json::json!([]));
    fs::write(out.join("mine_0008.obj"), "").expect("written");
    let output = muslin(&["run", &scene, "--json", "--frames", "8"]);
    assert!(stderr(&output).contains("warning: 4 files of an earlier run"), "{}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let names: Vec<&str> = summary["stale_files"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|file| Path::new(file.as_str()?).file_name()?.to_str())
        .collect();
    assert_eq!(names, ["scrap_0008.obj", "scrap_0009.obj", "scrap_0010.obj", "scrap_0011.obj"]);
}

#[test]
fn progress_that_is_not_rewritten_has_no_bar() {
    let (_, scene) = folder("progress", &SCENE.replace("substeps = 4", "substeps = 9000"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_muslin"))
        .args(["run", &scene, "--frames", "100000", "--no-pictures"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = BufReader::new(child.stderr.take().expect("its messages")).lines();
    let line = lines.map(|line| line.expect("UTF-8")).find(|line| line.starts_with("frame "));
    child.kill().expect("it ends");
    child.wait().expect("it ends");
    let line = line.expect("progress");
    assert!(line.contains(" contacts, strain ") && line.chars().count() < 80, "{line}");
    assert!(!line.contains(['█', '░']), "{line}");
}
