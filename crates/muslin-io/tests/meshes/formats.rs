//! Mesh formats from the outside: conversions, and malformed STL and glTF files of all sorts.

use std::path::PathBuf;

use glam::{Vec2, Vec3};
use muslin::mesh::TriMesh;
use muslin::mesh::generate::{alternating_grid, tube};
use muslin_io::{ParseError, convert, parse_gltf, parse_stl, read_mesh, write_glb, write_mesh, write_stl};
use proptest::collection::vec;
use proptest::prelude::*;

/// A folder of its own for a test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("muslin-io-formats-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A skirt with a texture seam down its back.
fn skirt() -> TriMesh {
    let mut mesh = tube(0.3, 0.7, 12, 5).unwrap();
    mesh.groups.clear();
    let (low, high) = mesh.bounds().unwrap();
    let uv = |corners: &[u32; 3]| {
        let angles = corners.map(|v| {
            let p = mesh.positions[v as usize] - (low + high) / 2.0;
            p.z.atan2(p.x) / std::f32::consts::TAU + 0.5
        });
        let across = angles.iter().any(|a| *a > 0.75);
        [0, 1, 2].map(|k| {
            let u = if across && angles[k] < 0.25 { angles[k] + 1.0 } else { angles[k] };
            Vec2::new(u, mesh.positions[corners[k] as usize].y)
        })
    };
    mesh.uvs = Some(mesh.triangles.iter().map(uv).collect());
    mesh
}

/// The corners of all triangles: what is left when the order of the vertices does not count.
fn corners(mesh: &TriMesh) -> Vec<Vec3> {
    mesh.triangles.as_flattened().iter().map(|&v| mesh.positions[v as usize]).collect()
}

#[test]
fn meshes_go_from_format_to_format_unharmed() {
    let folder = Folder::new("convert");
    let mesh = skirt();
    let path = |name: &str| folder.0.join(name);
    write_mesh(path("a.obj"), &mesh).unwrap();
    let route = ["a.obj", "b.ply", "c.glb", "d.GLB", "e.ply", "f.obj"];
    for pair in route.windows(2) {
        convert(path(pair[0]), path(pair[1])).unwrap();
        let read = read_mesh(path(pair[1])).unwrap();
        assert_eq!((&read.positions, &read.triangles), (&mesh.positions, &mesh.triangles), "{}", pair[1]);
        let uvs = read.uvs.unwrap();
        for (read, expected) in uvs.as_flattened().iter().zip(mesh.uvs.as_ref().unwrap().as_flattened()) {
            assert!(read.distance(*expected) < 1e-6, "{}", pair[1]);
        }
    }
    convert(path("f.obj"), path("g.stl")).unwrap();
    let read = read_mesh(path("g.stl")).unwrap();
    assert_eq!(read.positions.len(), mesh.positions.len());
    assert_eq!(corners(&read), corners(&mesh));
}

#[test]
fn conversions_that_cannot_be_are_refused() {
    let folder = Folder::new("refused");
    let mut mesh = alternating_grid(2, 2, 1.0, 1.0).unwrap();
    let error = write_mesh(folder.0.join("a.abc"), &mesh).unwrap_err().to_string();
    assert!(error.contains("unknown mesh format; .obj, .ply, .stl and .glb can be written"), "{error}");
    assert!(convert(folder.0.join("missing.obj"), folder.0.join("b.obj")).is_err());
    mesh.positions[1].y = f32::NAN;
    for name in ["a.obj", "a.ply", "a.stl", "a.glb"] {
        let error = write_mesh(folder.0.join(name), &mesh).unwrap_err().to_string();
        assert!(error.contains("vertex 1 has a position that is not finite"), "{error}");
    }
    mesh.triangles[0] = [0, 1, 99];
    assert!(write_stl(folder.0.join("a.stl"), &mesh).is_err());
    assert!(write_glb(folder.0.join("a.glb"), &mesh).is_err());
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
}

/// The bytes that a writer makes of a small mesh.
fn written(name: &str) -> Vec<u8> {
    let folder = Folder::new(name);
    let file = folder.0.join(format!("small.{name}"));
    write_mesh(&file, &alternating_grid(1, 1, 1.0, 1.0).unwrap()).unwrap();
    std::fs::read(&file).unwrap()
}

const ASCII_STL: &[u8] = b"solid a b\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
    vertex 0 1e-1 .5\nendloop\nendfacet\nendsolid a b\n";

/// One triangle with every kind of attribute and a sparse accessor; 75 bytes of data.
const GLTF: &[u8] = br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,
"children":[1],"scale":[1,2,3]},{"rotation":[0,0,0,1],"name":"j"}],"skins":[{"joints":[1]}],"meshes":[{"name":"m",
"primitives":[{"attributes":{"POSITION":0,"COLOR_0":0,"_PIN":2,"TEXCOORD_0":3},"indices":1,"mode":4}]}],"accessors":
[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"byteOffset":0,"componentType":5121,
"count":3,"type":"SCALAR"},{"componentType":5121,"normalized":true,"count":3,"type":"SCALAR","sparse":{"count":1,
"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":1}}},{"bufferView":0,"componentType":5126,
"count":3,"type":"VEC2"}],"bufferViews":[{"buffer":0,"byteLength":36,"byteStride":12},{"buffer":0,"byteOffset":36,
"byteLength":3}],"buffers":[{"byteLength":39,
"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC"}]}"#;

#[test]
fn the_documents_that_are_damaged_below_are_sound() {
    assert_eq!(parse_gltf(GLTF, None).unwrap().triangles, [[0, 1, 2]]);
    assert_eq!(parse_stl(ASCII_STL).unwrap().triangles, [[0, 1, 2]]);
    assert!(parse_gltf(&written("glb"), None).is_ok());
    assert!(parse_stl(&written("stl")).is_ok());
}

/// Bytes of a file with some replaced, then cut short or continued.
fn damaged(content: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let byte =
        prop_oneof![any::<u8>(), b'0'..=b'9', Just(b' '), Just(b'\n'), Just(b'-'), Just(b'"'), Just(0)];
    let changes = vec((any::<prop::sample::Index>(), byte.clone()), 0..4);
    (changes, any::<prop::sample::Index>(), vec(byte, 0..5)).prop_map(move |(changes, end, tail)| {
        let mut content = content.clone();
        for (place, byte) in changes {
            let place = place.index(content.len());
            content[place] = byte;
        }
        // Mostly whole: a cut document says nothing about what comes after its text.
        content.truncate(4 * end.index(content.len()) + 1);
        content.extend(tail);
        content
    })
}

/// A document with some of its numbers replaced by others, to get past the JSON reader.
fn other_numbers() -> impl Strategy<Value = Vec<u8>> {
    let text = String::from_utf8(GLTF.to_vec()).unwrap();
    let (body, data) = text.split_at(text.find("data:").unwrap());
    let (body, data) = (body.to_owned(), data.to_owned());
    let number = prop_oneof![
        (0u64..50).prop_map(|number| number.to_string()),
        prop_oneof![5120u32..5127, 0u32..8].prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        any::<i32>().prop_map(|number| number.to_string()),
        any::<f64>()
            .prop_filter("JSON has no others", |x| x.is_finite())
            .prop_map(|number| number.to_string()),
    ];
    vec((any::<prop::sample::Index>(), number), 1..5).prop_map(move |changes| {
        let mut pieces: Vec<String> = Vec::new();
        for c in body.chars() {
            match pieces
                .last_mut()
                .filter(|last| last.ends_with(|l: char| l.is_ascii_digit()) == c.is_ascii_digit())
            {
                Some(last) => last.push(c),
                None => pieces.push(c.into()),
            }
        }
        for (place, number) in changes {
            let numbers: Vec<usize> =
                (0..pieces.len()).filter(|&k| pieces[k].starts_with(|c: char| c.is_ascii_digit())).collect();
            pieces[*place.get(&numbers)] = number;
        }
        (pieces.concat() + &data).into_bytes()
    })
}

/// A reader may refuse a file, but what it returns has every index in range.
fn check(result: Result<TriMesh, ParseError>) {
    match result {
        Ok(mesh) => {
            let vertices = mesh.positions.len();
            assert!(mesh.triangles.as_flattened().iter().all(|&v| (v as usize) < vertices));
            assert!(mesh.groups.values().flatten().all(|&v| (v as usize) < vertices));
            assert!(mesh.uvs.is_none_or(|uvs| uvs.len() == mesh.triangles.len()));
        }
        Err(error) => assert!(!error.message.is_empty()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn damaged_ascii_stl_files_do_no_harm(content in damaged(ASCII_STL.to_vec())) {
        check(parse_stl(&content));
    }

    #[test]
    fn damaged_binary_stl_files_do_no_harm(content in damaged(written("stl"))) {
        check(parse_stl(&content));
    }

    #[test]
    fn damaged_glb_files_do_no_harm(content in damaged(written("glb"))) {
        check(parse_gltf(&content, None));
    }

    #[test]
    fn damaged_gltf_files_do_no_harm(content in damaged(GLTF.to_vec())) {
        check(parse_gltf(&content, None));
    }

    #[test]
    fn gltf_files_with_other_numbers_do_no_harm(content in other_numbers()) {
        check(parse_gltf(&content, Some(std::path::Path::new("/nowhere"))));
    }

    #[test]
    fn random_bytes_do_no_harm(content in vec(any::<u8>(), 0..300), prefix in 0..4usize) {
        let mut whole = [&b""[..], b"glTF\x02\0\0\0", b"solid ", b"{\"asset\":"][prefix].to_vec();
        whole.extend(content);
        check(parse_stl(&whole));
        check(parse_gltf(&whole, None));
    }
}
