//! `--backend gpu` as a process. Runs on whatever adapter there is; `cargo xtask test` installs a software one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use glam::Vec3;
use serde_json::Value;

use crate::start::{folder_with_scene, muslin, stderr, text};

/// A scrap of cloth in gusts, in the variant that is the same on both back ends.
const SCENE: &str = r#"
name = "scrap"
[time]
frames = 12
substeps = 4
[solver]
variant = "gather"
levels = 4
# Where the back ends' defaults differ.
removal = 0.5
fewest_triangles = 1
cycle = "v"
coarse_passes = 1
edge_passes = 1
over_relaxation = 1.0
backend = "gpu"
[forces.wind]
velocity = [3.0, 0.0, 1.0]
[collision]
self = false
[[cloth]]
mesh.delaunay = { width = 0.5, height = 0.4, triangles = 400 }
[[cloth.pins]]
group = "left"
[output]
folder = "out"
formats = ["obj", "pc2"]
"#;

/// Runs the program, which must succeed; its stdout as one JSON document, and its stderr.
fn json(arguments: &[&str]) -> (Value, String) {
    let output = muslin(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    (serde_json::from_slice(&output.stdout).expect("one JSON document"), stderr(&output))
}

/// Runs the program, which must refuse with exit code 2; its stderr.
fn refused(arguments: &[&str]) -> String {
    let output = muslin(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    stderr(&output)
}

/// A folder with the scene in it.
fn folder(name: &str, scene: &str) -> (PathBuf, String) {
    folder_with_scene(&format!("gpu-{name}"), scene)
}

fn positions(file: &Path) -> Vec<Vec3> {
    muslin_io::read_mesh(file).expect("a frame").positions
}

#[test]
fn a_run_on_the_gpu_is_that_of_the_cpu_and_names_the_device() {
    let (folder, scene) = folder("parity", SCENE);
    let (gpu, cpu) = (folder.join("gpu"), folder.join("cpu"));
    let (summary, _) = json(&["run", &scene, "--json", "--plot", "--out", text(&gpu)]);
    assert_eq!((&summary["frames"], &summary["steps"]), (&12.into(), &44.into()));
    assert_eq!((&summary["backend"], &summary["quarantined"]), (&"gpu".into(), &0.into()));
    assert!(summary["device"].as_str().is_some_and(|device| !device.is_empty()), "{summary}");
    let (on_cpu, _) = json(&["run", &scene, "--json", "--backend", "cpu", "--out", text(&cpu)]);
    assert_eq!(on_cpu["backend"], "cpu");
    assert_ne!(on_cpu["device"], summary["device"]);
    let [a, b] = [&gpu, &cpu].map(|folder| positions(&folder.join("scrap_0011.obj")));
    let moved =
        |from: &[Vec3], to: &[Vec3]| from.iter().zip(to).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    let start = positions(&gpu.join("scrap_0000.obj"));
    // Edges are about 0.03 m long.
    assert!(moved(&start, &b) > 0.05 && moved(&a, &b) < 0.001, "{} {}", moved(&start, &b), moved(&a, &b));
    let printed = muslin(&["run", &scene]).stdout;
    assert!(String::from_utf8_lossy(&printed).contains("\ndevice     gpu, "));
}

#[test]
fn a_run_in_two_parts_on_the_gpu_writes_the_bytes_of_one() {
    let (folder, scene) = folder("resume", SCENE);
    let (whole, parts) = (folder.join("whole"), folder.join("parts"));
    json(&["run", &scene, "--json", "--out", text(&whole)]);
    json(&["run", &scene, "--json", "--frames", "6", "--checkpoint-every", "4", "--out", text(&parts)]);
    let checkpoint = parts.join("checkpoint.muslin");
    let (resumed, _) = json(&["resume", text(&checkpoint), "--frames", "12", "--json"]);
    assert_eq!((&resumed["backend"], &resumed["frames"]), (&"gpu".into(), &12.into()));
    let [a, b] = [&whole, &parts].map(|folder| fs::read(folder.join("scrap.pc2")).expect("a clip"));
    assert!(a == b, "the clips differ");
    // What was begun on the GPU can go on without it.
    let (resumed, _) = json(&["resume", text(&checkpoint), "--frames", "14", "--backend", "cpu", "--json"]);
    assert_eq!((&resumed["backend"], &resumed["frames"]), (&"cpu".into(), &14.into()));
}

#[test]
#[cfg(unix)]
fn a_run_on_the_gpu_that_is_terminated_leaves_a_checkpoint() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let (folder, scene) = folder("terminated", SCENE);
    let child = Command::new(env!("CARGO_BIN_EXE_muslin"))
        .args(["run", &scene, "--frames", "100000", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let begin = Instant::now();
    while !folder.join("out/.frames/000003.frame").exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let frames = summary["frames"].as_u64().expect("a number");
    assert!(summary["stopped"].is_string() && summary["device_failed"].is_null(), "{summary}");
    let checkpoint = folder.join("out/checkpoint.muslin");
    let more = (frames + 2).to_string();
    assert_eq!(json(&["resume", text(&checkpoint), "--frames", &more, "--json"]).0["frames"], frames + 2);
}

#[test]
fn the_back_end_of_a_run_is_that_of_its_checkpoint() {
    let (folder, scene) = folder("remembered", &SCENE.replace("backend = \"gpu\"\n", ""));
    let every = ["--frames", "4", "--checkpoint-every", "2"];
    let (summary, _) = json(&[&["run", scene.as_str(), "--json", "--backend", "gpu"], &every[..]].concat());
    assert_eq!(summary["backend"], "gpu");
    let checkpoint = folder.join("out/checkpoint.muslin");
    assert_eq!(json(&["resume", text(&checkpoint), "--frames", "5", "--json"]).0["backend"], "gpu");
}

#[test]
fn what_the_gpu_cannot_do_is_refused_by_name() {
    let collides = SCENE.replace("self = false", "self = true");
    let (folder, scene) =
        folder("refused", &format!("{collides}[[collider]]\nname = \"floor\"\nplane = {{}}\n"));
    for command in ["run", "check"] {
        let error = refused(&[command, &scene]);
        assert!(error.contains("collider: ") && error.contains("collision.self: "), "{error}");
        assert!(error.contains("^^^^") && error.contains("backend = \"cpu\""), "{error}");
    }
    assert!(!folder.join("out").exists(), "nothing is written");
    let path = folder.join("damped.toml");
    let damped = "material = { damping = 0.1, damping_form = \"printed\" }\n[[cloth.pins]]";
    fs::write(&path, SCENE.replace("[[cloth.pins]]", damped)).expect("a scene");
    let error = refused(&["run", text(&path)]);
    assert!(error.contains("material.damping_form of cloth 'cloth'") && error.contains("^^^^"), "{error}");
}

/// What a scene asks for and no kernel does is underlined where it stands.
#[test]
fn every_refusal_names_the_key_that_it_is_about() {
    let scene = |solver: &str, cloth: &str| {
        format!(
            "collision.self = false\nsolver = {{ backend = \"gpu\"{solver} }}\n\
             [[cloth]]\nmesh.grid = {{ columns = 3, rows = 3 }}\n{cloth}\n"
        )
    };
    let based = ", method = \"position_based\"";
    let cases = [
        (", method = \"radial_matching\"".to_owned(), "", "solver.method", "\"radial_matching\""),
        (String::new(), "material.dihedral_bending = {}", "material.dihedral_bending", "{}"),
        (
            String::new(),
            "material.triangle_bending = { signed = true }",
            "material.triangle_bending",
            "{ signed",
        ),
        (format!("{based}, stretch_compliance = 1e-3"), "", "solver.stretch_compliance", "1e-3"),
        (format!("{based}, order = \"jacobi\", diagonals = \"both\""), "", "solver.diagonals", "\"both\""),
        (String::new(), "fabric = \"silk\"", "material.stretch", "\"silk\""),
    ];
    for (number, (solver, cloth, key, underlined)) in cases.into_iter().enumerate() {
        let text = scene(&solver, cloth);
        let (_, path) = folder(&format!("refusal{number}"), &text);
        let error = refused(&["run", &path]);
        assert!(error.contains(&format!("{key} of cloth 'cloth'")), "{number}: {error}");
        let at =
            text.lines().enumerate().find_map(|(line, text)| Some((line + 1, text.find(underlined)? + 1)));
        let (line, column) = at.expect("it stands there");
        assert!(error.contains(&format!(":{line}:{column}")), "{number}: {line}:{column} {error}");
    }
}

#[test]
fn an_adapter_that_is_not_there_is_an_error_that_lists_the_others() {
    let (folder, scene) = folder("adapter", SCENE);
    let error = refused(&["run", &scene, "--adapter", "no such adapter"]);
    assert!(error.contains("none is named 'no such adapter'; there are [\""), "{error}");
    assert!(error.contains("hint: --backend cpu"), "{error}");
    assert!(!folder.join("out").exists(), "nothing is written");
    let error = refused(&["run", &scene, "--backend", "cpu", "--adapter", "x"]);
    assert!(error.contains("--adapter names a GPU"), "{error}");
    let error = refused(&["bench", "parity", "--backend", "gpu", "--adapter", "no such adapter"]);
    assert!(error.contains("none is named"), "{error}");
}

#[test]
fn auto_says_what_it_took_and_why() {
    let (_, scene) = folder("auto", &SCENE.replace("\"gpu\"", "\"auto\""));
    let (summary, said) = json(&["run", &scene, "--json", "--quiet"]);
    let backend = summary["backend"].as_str().expect("a word");
    assert!(said.contains(&format!("backend: {backend}, because ")), "{said}");
    // Nothing but a real GPU is worth it.
    let (named, _) = json(&["run", &scene, "--json", "--backend", "gpu"]);
    if named["device"].as_str().is_some_and(|device| device.contains("llvmpipe")) {
        assert!(backend == "cpu" && said.contains("a program on the CPU"), "{said}");
    }
    let (_, scene) = folder("auto-self", &SCENE.replace("\"gpu\"", "\"auto\"").replace("self = false", ""));
    let (summary, said) = json(&["run", &scene, "--json", "--quiet"]);
    assert_eq!(summary["backend"], "cpu");
    assert!(said.contains("backend: cpu, because collision.self: "), "{said}");
}

#[test]
fn several_cloths_run_side_by_side_and_that_they_do_not_collide_is_said() {
    let second = "[[cloth]]\nmesh.grid = { columns = 6, rows = 6 }\n[[cloth.pins]]\ngroup = \"top\"\n";
    let (folder, scene) = folder("several", &SCENE.replace("[output]", &format!("{second}[output]")));
    let (summary, said) = json(&["run", &scene, "--json"]);
    assert_eq!((&summary["cloths"], &summary["backend"]), (&2.into(), &"gpu".into()));
    assert!(said.contains("warning: on the GPU the 2 cloths pass through each other"), "{said}");
    assert!(folder.join("out").is_dir());
}

#[test]
fn the_parity_bench_on_the_gpu_has_the_strains_of_the_cpu_and_times_of_kernels() {
    let (document, _) = json(&["bench", "parity", "--backend", "gpu", "--json", "--steps", "20"]);
    let (on_cpu, _) = json(&["bench", "parity", "--json", "--steps", "20"]);
    assert!(document["gpu"]["copy_gb_per_s"].as_f64() > Some(0.0), "{}", document["gpu"]);
    let (gpu, cpu) = (&document["results"][0], &on_cpu["results"][0]);
    // What the host's threads do beside a GPU is not measured.
    let keys = cpu.as_object().expect("an object").keys().filter(|key| *key != "cpu_ms_per_step");
    for key in keys {
        assert!(!gpu[key].is_null(), "{key} is missing");
    }
    for (key, close) in [("strain_avg", 0.01), ("strain_global", 0.05)] {
        let [a, b] = [gpu, cpu].map(|result| result[key].as_f64().expect("a number"));
        assert!((a / b - 1.0).abs() < close, "{key}: {a} {b}");
    }
    assert_eq!((&gpu["backend"], &gpu["device"]), (&"gpu".into(), &document["gpu"]["name"]));
    assert!(gpu["steps"].as_u64() >= Some(20) && gpu["ms_per_step_median"].as_f64() > Some(0.0));
    let kernels = gpu["kernels"].as_array().expect("kernels");
    if !kernels.is_empty() {
        assert_eq!(Some(kernels.len() as u64), gpu["dispatches"].as_u64());
        for key in ["level", "microseconds", "least_bytes", "gb_per_s", "share_of_peak"] {
            assert!(kernels.iter().all(|kernel| kernel[key].is_number()), "{key}");
        }
    }
    assert!(gpu["us_per_dispatch"].as_f64() > Some(0.0));
}

#[test]
fn benches_say_where_they_run() {
    assert!(refused(&["bench", "collision-stack", "--backend", "gpu"]).contains("use --backend cpu"));
    assert!(refused(&["bench", "gpu-frames"]).contains("use --backend gpu"));
    assert!(refused(&["bench", "parity", "--kernels"]).contains("--kernels is about GPUs"));
    let threads = ["bench", "parity", "--backend", "gpu", "--threads", "2"];
    assert!(refused(&threads).contains("--threads is about the CPU"));
    let (listed, _) = json(&["bench", "--list", "--json"]);
    let frames = listed.as_array().expect("a list").iter().find(|bench| bench["name"] == "gpu-frames");
    assert_eq!(frames.expect("listed")["backends"], serde_json::json!(["gpu"]));
}

#[test]
fn frames_are_measured_in_sizes_and_substeps_of_choice() {
    let options =
        ["--triangles", "3000", "--substeps", "1,2", "--steps", "6", "--relax", "6", "--levels", "3"];
    let (document, _) =
        json(&[&["bench", "gpu-frames", "--backend", "gpu", "--json"], &options[..]].concat());
    let results = document["results"].as_array().expect("results");
    let what = |result: &Value| (result["tethers"].as_bool(), result["substeps"].as_u64());
    // From a flat and a rippled start, and with tethers.
    let tethers = [false, false, true].into_iter();
    let expected: Vec<_> = tethers.flat_map(|t| [1, 2].map(|n| (Some(t), Some(n)))).collect();
    assert_eq!(results.iter().map(what).collect::<Vec<_>>(), expected);
    assert!(results.iter().all(|result| result["triangles"] == 3000 && result["levels"] == 3));
}
