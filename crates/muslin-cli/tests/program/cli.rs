//! The `muslin` program as a process: help, exit codes, what goes to stdout, and files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::start::{empty_folder, muslin, stderr, stdout, text};

/// Runs the program, which must succeed, and reads all of its stdout as one JSON document.
fn json(arguments: &[&str]) -> Value {
    let output = muslin(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).expect("stdout is one JSON document")
}

/// Runs the program, which must refuse with exit code 2, an error on stderr and a silent stdout.
fn refused(arguments: &[&str]) -> String {
    let output = muslin(arguments);
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(error.starts_with("error: "), "{arguments:?}: {error}");
    assert_eq!(stdout(&output), "", "{arguments:?}");
    error
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    empty_folder(&format!("cli-{name}"))
}

/// The names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

#[test]
fn help_lists_the_commands() {
    let output = muslin(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    let help = stdout(&output);
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        commands,
        [
            "demo",
            "run",
            "resume",
            "view",
            "new",
            "check",
            "info",
            "convert",
            "bench",
            "reproduce",
            "completions",
            "man",
            "help"
        ]
    );
    assert!(help.contains("Exit codes: 0 done; 1 the run failed; 2 bad usage"));
}

#[test]
fn bad_usage_and_bad_input_exit_with_2() {
    refused(&["weave"]);
    refused(&["demo", "--frames", "0"]);
    refused(&["bench", "no-such-bench"]);
    refused(&["reproduce", "no-such-item"]);
    assert_eq!(muslin(&[]).status.code(), Some(2));
    assert!(refused(&["info", "no/such/mesh.obj"]).contains("no/such/mesh.obj"));
    assert!(refused(&["check", "no/such/mesh.obj"]).contains("no/such/mesh.obj"));
}

#[cfg(unix)]
#[test]
fn view_starts_the_viewer_on_the_path_or_says_how_to_get_it() {
    use std::os::unix::fs::PermissionsExt;
    let out = folder("view");
    let program = out.join("muslin");
    // Alone in its folder: a viewer that was built beside the real one is not to be opened by a test.
    fs::copy(env!("CARGO_BIN_EXE_muslin"), &program).expect("copied");
    let view = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.arg("view").args(arguments).env("PATH", out.join("bin")).output().expect("muslin starts")
    };
    let missing = view(&["flag.toml"]);
    assert_eq!(missing.status.code(), Some(1));
    let said = stderr(&missing);
    assert!(said.contains("cargo install --path crates/muslin-viewer --locked"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
    fs::create_dir(out.join("bin")).expect("made");
    let viewer = out.join("bin/muslin-viewer");
    fs::write(&viewer, "#!/bin/sh\necho \"$@\"; test \"$1\" != wrong || exit 2\n").expect("written");
    fs::set_permissions(&viewer, fs::Permissions::from_mode(0o755)).expect("made a program");
    assert_eq!(stdout(&view(&["flag.toml", "--", "--dark"])), "flag.toml --dark\n");
    assert_eq!(view(&["wrong"]).status.code(), Some(2));
    fs::remove_dir_all(out).expect("removed");
}

#[test]
fn an_unknown_bench_is_answered_with_the_known_ones() {
    let error = refused(&["bench", "hangin"]);
    assert!(error.contains("hint: known are hanging, hanging-tethered, "), "{error}");
}

#[test]
fn the_demo_writes_complete_files_and_one_json_document() {
    let out = folder("demo");
    let summary = json(&["demo", "--frames", "3", "--out", text(&out), "--json"]);
    let (vertices, triangles) = (summary["vertices"].as_u64(), summary["triangles"].as_u64());
    assert_eq!((summary["frames"].as_u64(), summary["steps"].as_u64()), (Some(3), Some(16)));
    let names: Vec<String> = names(&out).into_iter().filter(|name| name.ends_with(".obj")).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    for name in names {
        let content = fs::read_to_string(out.join(name)).expect("a frame");
        let count = |start: &str| Some(content.lines().filter(|line| line.starts_with(start)).count() as u64);
        assert_eq!((count("v "), count("f ")), (vertices, triangles));
    }
    let info = json(&["info", text(&out.join("flag_0002.obj")), "--json"]);
    assert_eq!((info["vertices"].as_u64(), info["triangles"].as_u64()), (vertices, triangles));
    let check = json(&["check", text(&out.join("flag_0002.obj")), "--json"]);
    assert_eq!((&check["usable"], &check["refusal"]), (&Value::Bool(true), &Value::Null));
    fs::remove_dir_all(out).expect("removed");
}

#[test]
fn a_quiet_demo_is_silent_on_stderr() {
    let out = folder("quiet");
    let output = muslin(&["demo", "--quiet", "--frames", "2", "--out", text(&out)]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    assert!(stdout(&output).contains("triangles"));
    fs::remove_dir_all(out).expect("removed");
}

#[test]
fn a_file_in_the_place_of_the_output_folder_is_refused_and_left_alone() {
    let out = folder("place").join("file");
    fs::write(&out, "mine").expect("written");
    refused(&["demo", "--frames", "2", "--out", text(&out)]);
    assert_eq!(fs::read_to_string(&out).expect("still there"), "mine");
}

#[test]
fn bench_reports_what_scripts_rely_on() {
    let document = json(&["bench", "parity", "--json", "--steps", "20"]);
    assert!(document["machine"]["cpu"].is_string() && document["machine"]["cores"].is_u64());
    let results = document["results"].as_array().expect("results");
    assert_eq!(results.len(), 1);
    let result = results[0].as_object().expect("an object");
    let words = ["name", "solver", "backend", "device"];
    let numbers = [
        "threads",
        "triangles",
        "total_triangles",
        "vertices",
        "dt",
        "substeps",
        "steps",
        "ms_per_step_median",
        "ms_per_step_p95",
        "strain_avg",
        "strain_max_edge",
        "strain_global",
    ];
    assert!(words.iter().all(|key| result[*key].is_string()));
    assert!(numbers.iter().all(|key| result[*key].is_number()), "{result:?}");
    assert!(result["peak_rss_mib"].is_number() || result["peak_rss_mib"].is_null());
    let stages = result["stages"].as_object().expect("stages");
    assert!(stages["shape_matching_2d"].as_f64() > Some(0.0));
    // Not every system tells the time of all threads.
    let cpu_time = result.get("cpu_ms_per_step").map(|ms| ms.as_f64() > Some(0.0));
    assert_ne!(cpu_time, Some(false), "{result:?}");
    assert!(cpu_time.is_some() || !cfg!(target_os = "linux"), "{result:?}");
    assert_eq!(result.len(), words.len() + numbers.len() + 2 + usize::from(cpu_time.is_some()));
    assert_eq!(result["steps"], 20);
    // A cloth at rest under its own weight: stretched, but not by much.
    let strain = result["strain_avg"].as_f64().expect("a number");
    assert!((1e-5..0.05).contains(&strain), "{strain}");
}

#[test]
fn every_bench_of_the_contract_is_listed() {
    let listed = json(&["bench", "--list", "--json"]);
    let names: Vec<&str> =
        listed.as_array().expect("an array").iter().filter_map(|b| b["name"].as_str()).collect();
    for name in ["hanging", "hanging-tethered", "scaling", "table1", "parity"] {
        assert!(names.contains(&name), "{name}");
    }
}

/// `collision-drape-substepsthe`: names were longer than their column.
#[test]
fn names_in_lists_ran_into_their_descriptions() {
    for command in ["bench", "reproduce"] {
        let listed = json(&[command, "--list", "--json"]);
        let table = stdout(&muslin(&[command, "--list"]));
        let mut starts = Vec::new();
        for (line, item) in table.lines().zip(listed.as_array().expect("an array")) {
            let name = item["name"].as_str().expect("a name");
            let rest = line.strip_prefix(name).and_then(|rest| rest.strip_prefix("  "));
            let rest = rest
                .unwrap_or_else(|| panic!("{line:?} does not begin with {name} and two spaces"))
                .trim_start();
            assert!(rest.starts_with(item["description"].as_str().expect("a description")), "{line}");
            starts.push(line.len() - rest.len());
        }
        assert!(starts.len() > 5 && starts.iter().all(|start| *start == starts[0]), "{table}");
    }
}

#[test]
fn check_tells_a_good_mesh_from_a_broken_one() {
    let folder = folder("check");
    let (good, bad) = (folder.join("good.obj"), folder.join("bad.obj"));
    fs::write(&good, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    let isolated = folder.join("isolated.obj");
    fs::write(&isolated, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n").expect("written");
    fs::write(&bad, "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n").expect("written");
    assert_eq!(json(&["check", text(&good), "--json"])["clean"], Value::Bool(true));
    let output = muslin(&["check", text(&bad), "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_str(&stdout(&output)).expect("one JSON document");
    assert_eq!(report["usable"], Value::Bool(false));
    assert_eq!(report["issues"][0]["kind"], "degenerate_triangle");
    // The engine refuses what the report only warns of; the exit code is the engine's.
    let output = muslin(&["check", text(&isolated)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("vertex 3 belongs to no triangle"), "{}", stderr(&output));
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn one_reproduced_item_is_an_object_and_several_are_an_array() {
    let out = folder("reproduce");
    let one = json(&["reproduce", "bender2013-figure8", "--quick", "--json", "--out", text(&out)]);
    assert_eq!(one["item"], "bender2013-figure8");
    assert!(one["paper"].is_string());
    let row = &one["rows"][0];
    assert!(row["label"].is_string() && row["ours"].is_number() && row["unit"].is_string(), "{row}");
    assert!(row["paper"].is_number() || row["paper"].is_null(), "{row}");
    let plots: Vec<PathBuf> =
        fs::read_dir(&out).expect("the folder").map(|e| e.expect("an entry").path()).collect();
    assert!(!plots.is_empty() && plots.iter().all(|plot| plot.extension().is_some_and(|e| e == "svg")));
    let several = json(&["reproduce", "bender2013-figure6", "bender2013-figure8", "--quick", "--json"]);
    assert_eq!(several.as_array().map(Vec::len), Some(2));
    fs::remove_dir_all(out).expect("removed");
}

#[test]
fn with_json_bad_input_is_one_document_too() {
    let folder = folder("bad-input");
    let (scene, mesh) = (folder.join("scene.toml"), folder.join("mesh.obj"));
    fs::write(&scene, "[[cloth]]\nmesh.grid = { columns = 4, rows = 4 }\nfabric = \"slik\"\n")
        .expect("written");
    fs::write(&mesh, "v 0 0 0\nv 1 0 zero\n").expect("written");
    for (arguments, line, column) in [
        (["check", text(&scene), "--json"], 3, Some(10)),
        (["run", text(&scene), "--json"], 3, Some(10)),
        (["check", text(&mesh), "--json"], 2, None),
        (["info", text(&mesh), "--json"], 2, None),
    ] {
        let output = muslin(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).starts_with("error: "), "{arguments:?}: people read stderr");
        let document: Value = serde_json::from_str(&stdout(&output)).expect("one JSON document");
        assert_eq!(document["usable"], Value::Bool(false), "{document}");
        let problem = &document["problems"][0];
        assert!(problem["message"].as_str().is_some_and(|message| !message.is_empty()), "{document}");
        assert_eq!(
            (problem["line"].as_u64(), problem["column"].as_u64()),
            (Some(line), column),
            "{document}"
        );
    }
    let document: Value =
        serde_json::from_slice(&muslin(&["info", "no/such.obj", "--json"]).stdout).expect("JSON");
    assert!(
        document["problems"][0]["message"].as_str().is_some_and(|m| m.contains("no/such.obj")),
        "{document}"
    );
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn every_error_says_error_once() {
    let folder = folder("prefix");
    let scene = folder.join("scene.toml");
    fs::write(&scene, "[time]\nsubstep = 3\nframe = 2\n[[cloth]]\nmesh.grid = { columns = 4, rows = 4 }\n")
        .expect("written");
    for command in ["check", "run"] {
        let error = refused(&[command, text(&scene)]);
        assert!(error.starts_with("error: unknown key \"substep\" in [time]\n --> "), "{error}");
        assert_eq!(error.matches("error: ").count(), 2, "{error}");
    }
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn check_finds_where_a_mesh_passes_through_itself() {
    let folder = folder("intersections");
    let (crossing, apart) = (folder.join("crossing.obj"), folder.join("apart.obj"));
    let first = "v 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\n";
    fs::write(&crossing, format!("{first}v 0.5 0.5 -1\nv 0.5 0.5 1\nv 3 3 0\nf 4 5 6\n")).expect("written");
    fs::write(&apart, format!("{first}v 0.5 0.5 1\nv 0.5 0.5 3\nv 3 3 2\nf 4 5 6\n")).expect("written");
    let found = json(&["check", text(&crossing), "--intersections", "--json"]);
    assert_eq!(found["self_intersections"], serde_json::json!({ "count": 1, "examples": [[0, 1]] }));
    let found = json(&["check", text(&apart), "--intersections", "--json"]);
    assert_eq!(found["self_intersections"]["count"], 0);
    assert_eq!(json(&["check", text(&crossing), "--json"])["self_intersections"], Value::Null);
    let printed = stdout(&muslin(&["check", text(&crossing), "--intersections"]));
    assert!(printed.contains("self-intersections: 1, of triangles 0 and 1"), "{printed}");
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn there_is_a_man_page_for_every_command() {
    let main = stdout(&muslin(&["man"]));
    let out = folder("man");
    let output = muslin(&["man", "--out", text(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let pages = names(&out);
    let named = main.matches("muslin\\-").count();
    assert!(named >= 11 && pages.len() == named + 1, "{named} pages are named, but there are {pages:?}");
    let run = stdout(&muslin(&["man", "run"]));
    assert!(run.contains("SCENE") && run.contains("checkpoint"), "{run}");
    assert_eq!(run, fs::read_to_string(out.join("muslin-run.1")).expect("the page of run"));
    assert!(stderr(&muslin(&["man"])).contains("muslin man --out DIR"));
    assert!(refused(&["man", "weave"]).contains("known are demo, run, "));
    fs::remove_dir_all(out).expect("removed");
}

#[test]
fn convert_tells_a_bad_mesh_from_a_bad_disk() {
    let folder = folder("convert");
    let mesh = folder.join("mesh.obj");
    fs::write(&mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    refused(&["convert", text(&mesh), text(&folder.join("mesh.fbx"))]);
    refused(&["convert", text(&folder.join("none.obj")), text(&folder.join("mesh.ply"))]);
    let output = muslin(&["convert", text(&mesh), text(&folder.join("none/mesh.ply"))]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn check_advises_a_repair_where_it_helps_and_a_move_where_precision_is_short() {
    let folder = folder("advice");
    let (mendable, hopeless, far) = (folder.join("a.obj"), folder.join("b.obj"), folder.join("c.ply"));
    fs::write(&mendable, "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n").expect("written");
    fs::write(&hopeless, "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n").expect("written");
    fs::write(&far, single_precision(["20000.0 0.0 0.0", "20001.0 0.0 0.0", "20000.0 0.1 0.0"]))
        .expect("written");
    let error = refused_with_report(&["check", text(&mendable)]);
    assert!(error.contains("{ file = \"a.obj\", repair = true }") && !error.contains("::"), "{error}");
    assert!(!refused_with_report(&["check", text(&hopeless)]).contains("repair = true"));
    let report = stdout(&muslin(&["check", text(&far)]));
    assert!(report.starts_with("3 vertices, 1 triangle, 3 edges\n"), "{report}");
    assert!(report.contains("1 edge is very short for coordinates of up to 20000 m"), "{report}");
    assert_eq!(json(&["check", text(&far), "--json"])["coarse_edges"], 1);
    // A text has all its digits.
    let text_file = folder.join("d.obj");
    fs::write(&text_file, "v 20000 0 0\nv 20001 0 0\nv 20000 0.1 0\nf 1 2 3\n").expect("written");
    assert_eq!(json(&["check", text(&text_file), "--json"])["coarse_edges"], 0);
    fs::remove_dir_all(folder).expect("removed");
}

/// A triangle in a PLY file whose coordinates are in single precision.
fn single_precision(vertices: [&str; 3]) -> String {
    format!(
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
         element face 1\nproperty list uchar int vertex_indices\nend_header\n{}\n3 0 1 2\n",
        vertices.join("\n")
    )
}

#[test]
fn check_and_run_say_where_single_precision_is_too_coarse_for_a_cloth() {
    let folder = folder("far");
    let scene = |name: &str, cloth: &str| {
        let path = folder.join(format!("{name}.toml"));
        let rest = format!("[time]\nframes = 1\n[output]\nfolder = \"{name}\"\n");
        fs::write(&path, format!("name = \"far\"\n{rest}[[cloth]]\nname = \"sheet\"\n{cloth}\n"))
            .expect("written");
        path
    };
    // Edges of 20 mm at 1 km: counted from nearby they are what they are, but a file in single precision rounds them by 0.06 mm.
    let moved = scene("moved", "mesh.grid = { columns = 50, rows = 50 }\ntransform.translate = [0, 1000, 0]");
    assert!(!stdout(&muslin(&["check", text(&moved)])).contains("warning"));
    let rounded = single_precision(["0.0 1000.0 0.0", "0.02 1000.0 0.0", "0.0 1000.02 0.0"]);
    fs::write(folder.join("rounded.ply"), rounded).expect("written");
    let far = scene("far", "mesh.file = \"rounded.ply\"");
    let warned = stdout(&muslin(&["check", text(&far)]));
    assert!(warned.contains("warning: cloth 'sheet': single precision is too coarse for it: "), "{warned}");
    let run = muslin(&["run", text(&far), "--quiet", "--no-pictures"]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    assert!(stderr(&run).contains("single precision is too coarse"), "{}", stderr(&run));
    fs::remove_dir_all(folder).expect("removed");
}

/// The error of a command that refuses after a report.
fn refused_with_report(arguments: &[&str]) -> String {
    let output = muslin(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    stderr(&output)
}

#[test]
fn noise_is_not_called_a_document() {
    let folder = folder("noise");
    let noise = folder.join("noise.glb");
    fs::write(&noise, [7, 0, 255, 3]).expect("written");
    assert!(refused(&["info", text(&noise)]).contains("this is not glTF"));
    fs::remove_dir_all(folder).expect("removed");
}

/// Waits for nobody: opening a pipe would wait for a writer.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused() {
    let folder = folder("pipe");
    for name in ["scene.toml", "mesh.obj"] {
        let pipe = folder.join(name);
        let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
        assert!(made.success());
        assert!(refused(&["check", text(&pipe)]).contains("a pipe or a device, not a file"));
    }
    assert!(refused(&["run", "/dev/zero"]).contains("a pipe or a device, not a file"));
    assert!(refused(&["run", text(&folder)]).contains("this is a folder, not a file"));
    fs::remove_dir_all(folder).expect("removed");
}
