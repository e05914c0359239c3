//! What went wrong under malformed input and rough use: each test is named after it.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::start::{empty_folder, folder_with_scene, muslin, stderr, stdout, text};

const SCENE: &str = r#"
name = "scrap"
[time]
frames = 8
substeps = 50
[[cloth]]
mesh.grid = { columns = 8, rows = 8 }
[[cloth.pins]]
group = "top"
[output]
folder = "out"
formats = ["npz"]
"#;

/// Starts a run and waits until it has a frame.
fn start(arguments: &[&str], frame: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muslin"));
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    wait_until(|| frame.exists());
    child
}

fn wait_until(done: impl Fn() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it takes too long");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn two_runs_into_one_folder_gave_wrong_files() {
    let (folder, scene) = folder_with_scene("faults-two", SCENE);
    let out = folder.join("out");
    let mut first = start(
        &["run", &scene, "--frames", "100000", "--checkpoint-every", "2"],
        &out.join("checkpoint.muslin"),
    );
    let checkpoint = out.join("checkpoint.muslin");
    for arguments in [vec!["run", &scene, "--quiet"], vec!["resume", text(&checkpoint), "--quiet"]] {
        let refused = muslin(&arguments);
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        let owner = format!("another run (process {}) is writing into this folder", first.id());
        assert!(stderr(&refused).contains(&owner), "{}", stderr(&refused));
    }
    assert_eq!(first.try_wait().expect("its state"), None, "the first goes on");
    // What a killed run leaves is no lock: it can be gone on with, and a new run can begin.
    first.kill().expect("killed");
    first.wait().expect("ended");
    assert!(out.join(".muslin.lock").exists());
    let frames = 1 + fs::read_dir(out.join(".frames")).expect("its frames").count();
    let resumed = muslin(&["resume", text(&checkpoint), "--frames", &frames.to_string(), "--quiet"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
    let again = muslin(&["run", &scene, "--quiet"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert!(!out.join(".frames").exists());
    // Windows cannot tell whether a lock file is still the one that was locked, and leaves it.
    assert!(cfg!(windows) || !out.join(".muslin.lock").exists());
}

#[test]
fn frames_of_another_run_are_not_taken_over() {
    let (folder, scene) = folder_with_scene("faults-mixed", SCENE);
    let run = |out: &Path| {
        let done = muslin(&["run", &scene, "--quiet", "--checkpoint-every", "4", "--out", text(out)]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    };
    let [a, b] = ["a", "b"].map(|name| folder.join(name));
    run(&a);
    run(&b);
    fs::copy(b.join(".frames/000002.frame"), a.join(".frames/000002.frame")).expect("copied");
    let resumed = muslin(&["resume", text(&a.join("checkpoint.muslin")), "--frames", "9"]);
    assert_eq!(resumed.status.code(), Some(2), "{}", stderr(&resumed));
    assert!(stderr(&resumed).contains("frame 2 is of another run"), "{}", stderr(&resumed));
}

#[test]
fn an_output_folder_that_is_removed_is_named() {
    let (folder, scene) = folder_with_scene("faults-removed", SCENE);
    let out = folder.join("out");
    let run = start(&["run", &scene, "--frames", "100000", "--quiet"], &out.join(".frames/000002.frame"));
    // The run may write while this removes.
    wait_until(|| fs::remove_dir_all(&out).is_ok() || !out.exists());
    let begin = Instant::now();
    let output = run.wait_with_output().expect("it ends");
    assert!(begin.elapsed() < Duration::from_secs(10), "with the next frame, and not at the end");
    assert_eq!(output.status.code(), Some(1));
    let error = stderr(&output);
    assert!(error.contains("this folder was removed during the run") && error.contains("out"), "{error}");
}

/// Runs the program with at most a gigabyte of addresses.
#[cfg(target_os = "linux")]
fn in_a_gigabyte(arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_muslin")]);
    command.args(arguments).output().expect("a shell")
}

#[test]
#[cfg(all(target_os = "linux", feature = "rigid-bodies"))]
fn hulls_of_circles_took_memory_quadratic_in_their_points() {
    let body = "[solver]\nthreads = 1\n[[body]]\nposition = [5, 0, 0]\n\
                convex.tube = { radius = 0.1, height = 0.1, segments = 6000, rings = 1 }\n";
    let (_, scene) = folder_with_scene("faults-hull", &SCENE.replace("[output]", &format!("{body}[output]")));
    let checked = in_a_gigabyte(&["check", &scene]);
    assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
    // π r² h of 500 kg/m³.
    assert!(stdout(&checked).contains("body (body, 1.571 kg)"), "{}", stdout(&checked));
}

#[test]
#[cfg(target_os = "linux")]
fn cloth_that_is_small_against_its_thickness_took_all_memory() {
    let sphere = "mesh.sphere = { radius = 0.005, subdivisions = 5 }";
    let tiny = SCENE
        .replace("mesh.grid = { columns = 8, rows = 8 }", sphere)
        .replace("[[cloth.pins]]\ngroup = \"top\"\n", "");
    let (folder, scene) = folder_with_scene("faults-tiny", &format!("{tiny}[solver]\nthreads = 1\n"));
    for command in ["check", "run"] {
        let refused = in_a_gigabyte(&[command, &scene]);
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        let error = stderr(&refused);
        assert!(error.contains("0.189 mm long on average, and 2.000 mm are kept free"), "{error}");
        assert!(error.contains("are the lengths metres?"), "{error}");
    }
    assert!(!folder.join("out").exists());
    // Few triangles are no matter of memory, but of a word before the run.
    fs::write(&scene, tiny.replace("radius = 0.005, subdivisions = 5", "radius = 0.001, subdivisions = 3"))
        .expect("written");
    let warned = muslin(&["check", &scene]);
    assert!(stdout(&warned).contains("warning: cloth 'cloth': its edges are "), "{}", stdout(&warned));
}

#[test]
fn refusals_of_meshes_name_the_file() {
    let folder = empty_folder("faults-names");
    let write = |name: &str, content: &str| {
        fs::write(folder.join(name), content).expect("written");
        text(&folder.join(name)).to_owned()
    };
    let nothing = write("nothing.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 1 1\n");
    let nan = write("nan.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n");
    let out = text(&folder.join("out.ply")).to_owned();
    for arguments in [
        vec!["check", &nothing, "--repair"],
        vec!["check", &nothing, "--close"],
        vec!["convert", &nothing, &out, "--repair"],
        vec!["convert", &nan, &out],
    ] {
        let refused = muslin(&arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        let start = format!("error: {}: cannot be ", arguments[1]);
        assert!(stderr(&refused).starts_with(&start), "{arguments:?}: {}", stderr(&refused));
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn looking_for_intersections_among_triangles_at_one_place_took_minutes() {
    let folder = empty_folder("faults-place");
    let mesh = folder.join("mesh.obj");
    let faces = "f 1 1 1\n".repeat(100_000);
    fs::write(&mesh, format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{faces}")).expect("written");
    let checked = muslin(&["check", text(&mesh), "--intersections"]);
    assert_eq!(checked.status.code(), Some(2));
    let said = stdout(&checked);
    assert!(said.contains("not looked for, too many triangles lie at one place"), "{said}");
}

#[test]
fn loose_triangles_fell_apart_without_a_word() {
    let mesh = "mesh.grid = { columns = 8, rows = 8 }";
    let loose = SCENE.replace(mesh, "mesh.file = \"loose.obj\"").replace("group = \"top\"", "vertices = [0]");
    let (folder, scene) = folder_with_scene("faults-loose", &loose);
    let corners = |k: i32| format!("v {k} 0 0\nv {k}.9 0 0\nv {k} 1 0\n");
    let faces = |k: i32| format!("f {} {} {}\n", 3 * k + 1, 3 * k + 2, 3 * k + 3);
    let mesh: String = (0..20).map(corners).chain((0..20).map(faces)).collect();
    fs::write(folder.join("loose.obj"), mesh).expect("written");
    let warning = "cloth 'cloth': it is in 20 pieces that nothing holds together";
    let run = muslin(&["run", &scene, "--quiet", "--json"]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    assert!(stderr(&run).contains(&format!("warning: {warning}")), "{}", stderr(&run));
    let summary: Value = serde_json::from_str(&stdout(&run)).expect("one JSON document");
    assert_eq!(summary["warnings"], serde_json::json!([warning]));
    assert!(stdout(&muslin(&["check", &scene])).contains(warning));
}

#[test]
fn constraints_that_did_not_hold_were_in_the_json_only() {
    let solver = "[solver]\nmethod = \"impulses\"\nresolution = \"iterative\"\ntolerance = 1e-6\nmost_iterations = 1\n[output]";
    let level = "vertices = [0]\n[cloth.transform]\nrotate = { axis = [1, 0, 0], degrees = 90 }";
    let scene = SCENE.replace("[output]", solver).replace("group = \"top\"", level);
    let (_, scene) = folder_with_scene("faults-unmet", &scene);
    let said = stdout(&muslin(&["run", &scene, "--quiet"]));
    assert!(said.contains("\nunmet      constraints did not hold after "), "{said}");
}
