//! Any text as a scene: an error that can be printed, or a scene; small ones are built too.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use muslin_io::scene::{MeshSource, ReadOptions, Scene};

/// Scenes with more triangles are not built: hundreds of runs a second find more than one long run.
const MOST_TRIANGLES: usize = 400;

/// Scenes with more cloths are not built.
const MOST_CLOTHS: usize = 4;

/// A folder that does not exist, so that the outcome depends on the text alone.
const FOLDER: &str = "/muslin-fuzz-no-such-folder";

fuzz_target!(|text: &str| {
    let options = ReadOptions { allow_outside: false };
    match Scene::parse(text, "fuzz.toml", Path::new(FOLDER), &options) {
        Err(error) => drop(error.to_string()),
        Ok(scene) => {
            let triangles = scene
                .cloths
                .iter()
                .fold(0, |sum: usize, cloth| sum.saturating_add(triangles(&cloth.mesh.source)));
            if scene.cloths.len() > MOST_CLOTHS || triangles > MOST_TRIANGLES {
                return;
            }
            match scene.build() {
                Err(error) => drop(error.to_string()),
                Ok(cloths) => assert_eq!(cloths.len(), scene.cloths.len()),
            }
        }
    }
});

/// At least as many triangles as the generator makes.
fn triangles(source: &MeshSource) -> usize {
    let product = |factors: &[usize]| factors.iter().fold(1, |product: usize, f| product.saturating_mul(*f));
    match *source {
        MeshSource::File { .. } => 0,
        MeshSource::Grid { columns, rows, .. } | MeshSource::AlternatingGrid { columns, rows, .. } => {
            product(&[2, columns, rows])
        }
        MeshSource::Delaunay { triangles, .. } => triangles,
        MeshSource::Disk { rings, .. } => product(&[6, rings, rings]),
        MeshSource::Tube { segments, rings, .. } => product(&[2, segments, rings]),
        MeshSource::Sphere { subdivisions, .. } => 20 << (2 * subdivisions).min(50),
        MeshSource::Box { subdivisions, .. } => product(&[12, subdivisions, subdivisions]),
    }
}
