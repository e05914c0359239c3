//! Settings of a scene, from its text and the schema of scene files; and texts in which one of them is another.

use muslin_io::scene::CameraDescription;

use super::open::OpenedScene;
use super::{SettingGroup, SettingValue};

/// All settings of a scene that a panel shows.
pub fn settings(scene: &OpenedScene) -> Vec<SettingGroup> {
    let _ = scene;
    Vec::new()
}

/// The text with a setting at another value, or (`None`) without it. Comments and order stay. The error is for users.
pub fn set(scene: &OpenedScene, key: &str, value: Option<&SettingValue>) -> Result<String, String> {
    let _ = value;
    Err(format!("{key} of {} cannot be set yet", scene.title))
}

/// The text with a camera.
pub fn set_camera(text: &str, camera: &CameraDescription) -> Result<String, String> {
    let _ = camera;
    Ok(text.to_owned())
}
