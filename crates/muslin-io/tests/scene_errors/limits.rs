//! Limits that need files of a certain size.

use std::fs::{self, File};

use muslin_io::scene::{ReadOptions, Scene};

/// A triangle whose positions are at the start of `mesh.bin`, of which so many bytes are announced.
fn gltf(bytes: u64) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"uri": "mesh.bin", "byteLength": {bytes}}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}],
        "nodes": [{{"mesh": 0}}], "scenes": [{{"nodes": [0]}}], "scene": 0}}"#
    )
}

#[test]
fn buffers_of_gltf_files_count_among_the_bytes_of_a_scene() {
    let folder = std::env::temp_dir().join(format!("muslin-scene-limits-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let limit = 512u64 << 20;
    let corners = [[0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let positions: Vec<u8> = corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    fs::write(folder.join("mesh.bin"), positions).unwrap();
    // As large as the limit, but holes take no room on the disk.
    File::options().write(true).open(folder.join("mesh.bin")).unwrap().set_len(limit).unwrap();
    let build = |bytes: u64| {
        fs::write(folder.join("mesh.gltf"), gltf(bytes)).unwrap();
        let text = "[[cloth]]\nmesh.file = \"mesh.gltf\"\n";
        let scene = Scene::parse(text, "scene.toml", &folder, &ReadOptions::default()).unwrap();
        scene.build().map(|cloths| cloths[0].cloth.vertex_count()).map_err(|error| error.to_string())
    };
    assert_eq!(build(36), Ok(3));
    // Within the limit alone, but not together with the file that refers to it.
    let error = build(limit).unwrap_err();
    let left = limit - gltf(limit).len() as u64;
    assert!(error.contains(&format!("only {left} more may be read")), "{error}");
    assert!(error.contains("2 | mesh.file = \"mesh.gltf\"") && error.contains("^^^"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}
