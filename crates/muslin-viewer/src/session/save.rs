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
    let (mut meshes, mut positions) = (Vec::new(), Vec::new());
    for (name, mesh) in stage.present() {
        meshes.push(ClipMesh { name, triangles: mesh.triangles, uvs: mesh.uvs, rigid: None });
        positions.push(mesh.positions);
    }
    let mut clip =
        MemoryClip::new(meshes, 24.0).with_up_axis(stage.opened.scene.up).with_origin(stage.origin);
    clip.push_frame(positions).map_err(|error| error.to_string())?;
    let mut content = Vec::new();
    muslin_io::write_glb_to(&mut content, &clip).map_err(|error| error.to_string())?;
    Ok(SavedFile { name: format!("{}.glb", stage.opened.title), content })
}

/// The present mesh of the first cloth.
pub fn obj(stage: &mut Stage) -> Result<SavedFile, String> {
    let first = stage.present().into_iter().next();
    let (_, mesh) = first.ok_or("there is no cloth to be saved")?;
    let mut content = Vec::new();
    muslin_io::write_obj_to(&mut content, &mesh).map_err(|error| error.to_string())?;
    Ok(SavedFile { name: format!("{}.obj", stage.opened.title), content })
}
