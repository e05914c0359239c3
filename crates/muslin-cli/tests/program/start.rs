//! The program as its users start it, for all tests of it.
#![allow(dead_code, reason = "each test program uses a part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the program to its end.
pub fn muslin(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_muslin")).args(arguments).output().expect("the program starts")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// An empty folder of this name.
pub fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A folder of this name with a scene in it; the folder and the scene's path.
pub fn folder_with_scene(name: &str, scene: &str) -> (PathBuf, String) {
    let folder = empty_folder(name);
    let path = folder.join("scene.toml");
    fs::write(&path, scene).expect("a scene");
    (folder, text(&path).to_owned())
}
