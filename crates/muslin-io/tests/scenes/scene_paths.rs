//! A scene stays in its folder, however it tries to leave, unless it is allowed to.

#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use muslin::mesh::generate::grid;
use muslin_io::scene::{ReadOptions, Scene, SceneError};
use muslin_io::write_obj;

/// `scene/` with a mesh, and `secret.obj` beside the folder; removed at the end.
struct Folders(PathBuf);

impl Folders {
    fn new(test: &str) -> Self {
        let root = std::env::temp_dir().join(format!("muslin-scene-{test}-{}", std::process::id()));
        std::fs::create_dir_all(root.join("scene/meshes")).unwrap();
        let mesh = grid(2, 2, 1.0, 1.0).unwrap();
        for path in ["scene/meshes/inside.obj", "secret.obj"] {
            write_obj(root.join(path), &mesh).unwrap();
        }
        Self(root)
    }

    fn scene(&self) -> PathBuf {
        self.0.join("scene")
    }

    /// Reads a scene with a mesh file and an output folder.
    fn read(&self, mesh: &str, output: &str, allow_outside: bool) -> Result<Scene, SceneError> {
        let text = format!("[[cloth]]\nmesh.file = {mesh:?}\n[output]\nfolder = {output:?}\n");
        let path = self.scene().join("test.toml");
        std::fs::write(&path, text).unwrap();
        Scene::read(&path, &ReadOptions { allow_outside, ..ReadOptions::default() })
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn refused(result: Result<Scene, SceneError>, why: &str) {
    let error = result.expect_err("this must be refused").to_string();
    assert!(error.contains(why) && error.contains("--allow-outside"), "{error}");
}

#[test]
fn meshes_are_read_from_the_scenes_folder_only() {
    let folders = Folders::new("meshes");
    let secret = folders.0.join("secret.obj");
    symlink(&secret, folders.scene().join("link.obj")).unwrap();
    symlink(&folders.0, folders.scene().join("up")).unwrap();
    symlink("meshes/inside.obj", folders.scene().join("fine.obj")).unwrap();

    for mesh in ["meshes/inside.obj", "./meshes/inside.obj", "fine.obj"] {
        assert_eq!(folders.read(mesh, "out", false).unwrap().build().unwrap().len(), 1);
    }
    refused(folders.read(secret.to_str().unwrap(), "out", false), "is an absolute path");
    refused(folders.read("../secret.obj", "out", false), "contains \"..\"");
    refused(folders.read("meshes/../../secret.obj", "out", false), "contains \"..\"");
    refused(folders.read("link.obj", "out", false), "through a symbolic link");
    refused(folders.read("up/secret.obj", "out", false), "through a symbolic link");
    for mesh in [secret.to_str().unwrap(), "../secret.obj", "link.obj", "up/secret.obj"] {
        assert_eq!(folders.read(mesh, "out", true).unwrap().build().unwrap().len(), 1);
    }
}

#[test]
fn output_goes_to_the_scenes_folder_only() {
    let folders = Folders::new("output");
    let scene = folders.scene();
    std::fs::create_dir(folders.0.join("elsewhere")).unwrap();
    symlink(folders.0.join("elsewhere"), scene.join("link")).unwrap();
    symlink(folders.0.join("nowhere"), scene.join("dangling")).unwrap();
    let mesh = "meshes/inside.obj";

    assert_eq!(folders.read(mesh, "a/b/c", false).unwrap().output.folder, scene.join("a/b/c"));
    refused(folders.read(mesh, "/tmp/out", false), "is an absolute path");
    refused(folders.read(mesh, "a/../../out", false), "contains \"..\"");
    refused(folders.read(mesh, "link", false), "through a symbolic link");
    refused(folders.read(mesh, "link/new/folder", false), "through a symbolic link");
    let dangling = folders.read(mesh, "dangling", false).unwrap_err().to_string();
    assert!(dangling.contains("cannot be used as a folder"), "{dangling}");
    assert_eq!(folders.read(mesh, "/tmp/out", true).unwrap().output.folder, Path::new("/tmp/out"));
    assert!(!scene.join("a").exists(), "reading a scene writes nothing");
}

#[test]
fn what_is_not_a_scene_is_an_error() {
    let folders = Folders::new("files");
    let read = |name: &str, content: &[u8]| {
        let path = folders.scene().join(name);
        std::fs::write(&path, content).unwrap();
        Scene::read(&path, &ReadOptions::default()).unwrap_err()
    };
    let missing = Scene::read(folders.scene().join("none.toml"), &ReadOptions::default()).unwrap_err();
    assert!(matches!(missing, SceneError::Io { .. }) && missing.to_string().contains("none.toml"));
    assert!(matches!(read("big.toml", &vec![b'\n'; 17 << 20]), SceneError::TooLarge { .. }));
    let binary = read("binary.toml", b"name = 'a'\nx = '\xff\xfe'\n");
    let first = &binary.diagnostics()[0];
    assert_eq!((first.line, first.column, &*first.message), (2, 6, "this is not UTF-8 text"));
    let folder = Scene::read(folders.scene(), &ReadOptions::default()).unwrap_err();
    assert!(matches!(folder, SceneError::Io { .. }), "{folder}");
}

#[test]
fn mesh_files_are_limited_before_they_are_read() {
    let folders = Folders::new("size");
    let file = std::fs::File::create(folders.scene().join("huge.obj")).unwrap();
    file.set_len(600 << 20).unwrap(); // sparse: takes no room on the disk
    let error = folders.read("huge.obj", "out", false).unwrap_err().to_string();
    assert!(
        error.contains("629145600 bytes; the limit for all mesh files of a scene is 536870912"),
        "{error}"
    );
}
