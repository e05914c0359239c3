//! Where an example ended, as a picture in `target/examples-out/`.

use muslin::glam::Vec3;
use muslin_render::{Camera, Color, Ground, RenderMesh, RenderOptions, RenderScene, render};

/// A mesh by its positions and its triangles.
pub type Drawn<'a> = (&'a [[f32; 3]], &'a [[u32; 3]]);

/// The first mesh is cloth, the others are not.
pub fn draw(name: &str, meshes: &[Drawn<'_>]) {
    let colors = [(196, 48, 43), (120, 130, 145), (150, 140, 120), (110, 120, 110)];
    let mut scene = RenderScene::default();
    let mut lowest = f32::INFINITY;
    for (number, (positions, triangles)) in meshes.iter().enumerate() {
        let positions: Vec<Vec3> = positions.iter().copied().map(Vec3::from).collect();
        lowest = positions.iter().fold(lowest, |low, p| low.min(p.y));
        let (r, g, b) = colors[number % colors.len()];
        let (front, back) = (Color::rgb(r, g, b), Color::rgb(236, 222, 196));
        scene.meshes.push(match number {
            0 => RenderMesh::cloth(positions, triangles.to_vec(), front, back),
            _ => RenderMesh::solid(positions, triangles.to_vec(), front),
        });
    }
    scene.ground = Some(Ground::at(lowest - 0.01));
    let options = RenderOptions { width: 960, height: 640, samples: 2 };
    let camera = Camera::framing(&scene.bounds(), scene.up, options.aspect());
    let picture = render(&scene, &camera, &options).and_then(|picture| picture.to_png());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/examples-out");
    let path = format!("{folder}/{name}.png");
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, picture.expect("a scene that can be drawn")));
    written.unwrap_or_else(|error| panic!("{path}: {error}"));
    println!("picture in {path}");
}
