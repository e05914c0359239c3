//! What a program without the features `gpu` and `rigid-bodies` says where they are needed.

#![cfg(not(all(feature = "gpu", feature = "rigid-bodies")))]

#[path = "program/start.rs"]
mod start;

use start::{folder_with_scene, muslin, stderr};

/// Runs the program with what it must refuse; what it says.
fn refused(arguments: &[&str]) -> String {
    let output = muslin(arguments);
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    error
}

#[cfg(not(feature = "gpu"))]
#[test]
fn without_the_gpu_engine_its_back_end_is_refused_and_auto_takes_the_cpu() {
    let scene =
        "[time]\nframes = 2\n[collision]\nself = false\n[[cloth]]\nmesh.grid = { columns = 3, rows = 3 }\n";
    let (folder, scene) = folder_with_scene("left-out-gpu", scene);
    let missing = "this muslin was built without the GPU engine; build it with --features gpu";
    for arguments in [
        &["run", &scene, "--backend", "gpu"][..],
        &["bench", "parity", "--backend", "gpu"],
        &["reproduce", "schmitt2013-table1", "--backend", "gpu"],
    ] {
        let error = refused(arguments);
        assert!(error.contains(missing), "{error}");
    }
    assert!(!folder.join("out").exists(), "nothing is written");
    let output = muslin(&["run", &scene, "--backend", "auto", "--quiet", "--no-pictures"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains(&format!("backend: cpu, because {missing}")), "{said}");
}

#[cfg(not(feature = "rigid-bodies"))]
#[test]
fn without_rigid_bodies_a_scene_that_has_some_is_refused() {
    let scene = "[time]\nframes = 2\n[[cloth]]\nmesh.grid = { columns = 3, rows = 3 }\n\
                 [[body]]\nposition = [0, 3, 0]\nsphere = { radius = 0.1 }\n";
    let (folder, scene) = folder_with_scene("left-out-bodies", scene);
    for command in ["check", "run"] {
        let error = refused(&[command, &scene]);
        assert!(error.contains("build it with --features rigid-bodies"), "{error}");
    }
    assert!(!folder.join("out").exists(), "nothing is written");
}
