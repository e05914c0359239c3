//! Reads glTF 2.0, as `.gltf` with its buffers and as binary `.glb`.
//!
//! Every mesh of the default scene, moved by the transforms of its nodes, goes into one
//! [`TriMesh`]:
//!
//! - glTF repeats a vertex at every texture seam, which would cut a cloth apart. Vertices of one
//!   node's mesh with exactly equal positions are welded, in the order of the file; texture
//!   coordinates stay with the corners (and are kept if every corner has some). glTF counts v from
//!   the top; here it counts from the bottom, as in OBJ.
//! - The vertices of a named node or mesh become a group of that name.
//! - Group `pinned` gets the vertices whose custom attribute `_PIN` is at least 0.5 or, in a
//!   primitive without that attribute, whose colour `COLOR_0` is red: red at least 0.5, green and
//!   blue below it. (Red alone would not do: many programs store white for "no colour".)
//! - A joint of a skin becomes a group of the vertices that it moves with a weight of at least
//!   0.5: this is how Blender exports the vertex groups of a mesh with an armature.
//!
//! Points and lines are skipped. Morph targets, animations and skins are not applied; as glTF
//! prescribes, the node's transform does not move a skinned mesh.

mod accessor;
mod buffers;
mod build;
mod container;
mod primitive;
mod schema;

use std::path::Path;

use muslin::mesh::TriMesh;

use crate::ParseError;

/// More vertices or triangle corners in one file are refused: a small file can ask for any number
/// of copies of a mesh, or of zeros.
const MOST_ELEMENTS: usize = 1 << 26;

/// More bytes of buffers in files of their own are refused.
const MOST_BYTES: u64 = 1 << 30;

/// Reads a mesh from the content of a glTF or GLB file. Buffers in files of their own are looked
/// for in `folder` and nowhere else; without a folder, or above 1 GiB, they are refused.
pub fn parse_gltf(content: &[u8], folder: Option<&Path>) -> Result<TriMesh, ParseError> {
    let mut no_further_limit = u64::MAX;
    parse_within(content, folder, &mut no_further_limit)
}

/// Like [`parse_gltf`], with a further limit for the bytes in other files; those read are taken off it.
pub(crate) fn parse_within(
    content: &[u8],
    folder: Option<&Path>,
    bytes_left: &mut u64,
) -> Result<TriMesh, ParseError> {
    let (json, binary) = container::split(content)?;
    if json.trim_ascii_start().first() != Some(&b'{') {
        return failed("this is not glTF: the file begins neither as GLB (binary) nor as JSON (text) does");
    }
    let root: schema::Root = serde_json::from_slice(json).map_err(|error| {
        let lines = binary.is_none() && error.line() > 0;
        ParseError::new(lines.then_some(error.line()), format!("not a glTF document: {error}"))
    })?;
    if !root.asset.version.starts_with("2.") {
        return failed(format!("this is glTF version '{}'; only version 2 is read", root.asset.version));
    }
    if let Some(name) = root.extensions_required.iter().find(|name| !is_harmless(name)) {
        return failed(format!("the file needs the glTF extension {name}, which is not supported"));
    }
    let allowed = MOST_BYTES.min(*bytes_left);
    let mut left = allowed;
    let buffers = buffers::load(&root, binary, folder, &mut left)?;
    *bytes_left -= allowed - left;
    build::build(&accessor::Source { root: &root, buffers: &buffers })
}

/// Whether an extension that a file requires has no influence on what is read here, or is read.
fn is_harmless(extension: &str) -> bool {
    let prefixes = ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_"];
    extension == "KHR_mesh_quantization" || prefixes.iter().any(|prefix| extension.starts_with(prefix))
}

/// An error without a line.
fn failed<T>(message: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError::new(None, message))
}

#[cfg(test)]
mod tests;
