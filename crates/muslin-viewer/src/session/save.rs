//! Files of what there is: the scene with its changes and its view, meshes.

use glam::DVec3;
use muslin_io::scene::CameraDescription;
use muslin_io::{ClipMesh, MemoryClip};

use super::open::OpenedScene;
use super::stage::Stage;
use super::{SavedFile, edit};
use crate::draw::View;

/// The scene's text with all changes, and the view as its camera.
pub fn scene(opened: &OpenedScene, view: Option<View>, origin: DVec3) -> Result<SavedFile, String> {
    let mut text = opened.text.to_string();
    if let Some(view) = view {
        let camera = CameraDescription {
            eye: origin + view.eye.as_dvec3(),
            target: origin + view.target.as_dvec3(),
            up: view.up,
            fov_degrees: view.fov_degrees,
        };
        text = edit::set_camera(&text, &camera)?;
    }
    Ok(SavedFile { name: format!("{}.toml", opened.title), content: text.into_bytes() })
}

/// The present meshes of all cloths and solids as binary glTF.
pub fn glb(stage: &mut Stage) -> Result<SavedFile, String> {
    let _ = (stage, ClipMesh::default(), None::<MemoryClip>);
    Err("GLB cannot be saved yet".to_owned())
}

/// The present mesh of the first cloth.
pub fn obj(stage: &mut Stage) -> Result<SavedFile, String> {
    let _ = stage;
    Err("OBJ cannot be saved yet".to_owned())
}
