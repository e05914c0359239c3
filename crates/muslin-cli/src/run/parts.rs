//! What the files of a run show: the cloths, then the rigid bodies.

use muslin::ShownMesh;
use muslin::rigid::MovingBody;
use muslin_io::{ClipMesh, ClipPose};

use super::engine::Engine;

/// The meshes, as files name them.
pub fn meshes(engine: &Engine) -> Vec<ClipMesh> {
    let cloths = engine.cloths();
    let cloths = cloths.iter().map(|(name, simulation)| {
        let ShownMesh { triangles, uvs, .. } = simulation.shown_mesh();
        let (triangles, uvs) = (triangles.to_vec(), uvs.map(<[_]>::to_vec));
        ClipMesh { name: (*name).to_owned(), triangles, uvs, rigid: None }
    });
    let bodies = engine.bodies().iter().map(|body| ClipMesh {
        name: body.name().to_owned(),
        triangles: body.surface_mesh().triangles.clone(),
        uvs: body.surface_mesh().uvs.clone(),
        rigid: Some(body.surface_mesh().positions.clone()),
    });
    cloths.chain(bodies).collect()
}

/// Where a body is.
pub fn pose(body: &MovingBody) -> ClipPose {
    ClipPose { rotation: body.state().rotation, translation: body.placement().translation }
}
