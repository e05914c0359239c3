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
fn long_names_passed_the_check_and_failed_in_the_run() {
    let cloth = "[[cloth]]\nmesh.grid = { columns = 4, rows = 4 }\n";
    let read = |text: &str, file: &str| Scene::parse(text, file, ".".as_ref(), &ReadOptions::default());
    let file = format!("{}.toml", "g".repeat(129));
    let error = read(cloth, &file).unwrap_err().to_string();
    assert!(error.contains("whose name is too long: 129 bytes") && error.contains("add name = "), "{error}");
    assert!(read(&format!("name = \"short\"\n{cloth}"), &file).is_ok());
    assert!(read(cloth, &format!("{}.toml", "g".repeat(128))).is_ok());
    // Few characters can be many bytes, and it is bytes that file systems count.
    for (name, fine) in [("é".repeat(64), true), ("豆".repeat(43), false), ("a".repeat(65), false)] {
        let scene = read(&format!("name = \"{name}\"\n{cloth}"), "scene.toml");
        assert_eq!(scene.is_ok(), fine, "{name}");
    }
    let deep = format!("{cloth}[output]\nfolder = \"{}\"\n", "deep/".repeat(800));
    let error = read(&deep, "scene.toml").unwrap_err().to_string();
    assert!(error.contains("the limit is 3800"), "{error}");
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
