use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::{Vec2, Vec3};
use serde_json::{Value, json};

use super::*;

/// The document of a mesh whose accessors all lie in one buffer.
struct Sample {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Sample {
    fn new() -> Self {
        Self { bytes: Vec::new(), views: Vec::new(), accessors: Vec::new() }
    }

    fn add(&mut self, bytes: impl IntoIterator<Item = u8>, accessor: Value) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let mut accessor = accessor;
        accessor["bufferView"] = self.views.len().into();
        let length = self.bytes.len() - start;
        self.views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": length}));
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn floats(&mut self, numbers: &[f32], shape: &str, components: usize) -> usize {
        let count = numbers.len() / components;
        let accessor = json!({"componentType": 5126, "count": count, "type": shape});
        self.add(numbers.iter().flat_map(|x| x.to_le_bytes()), accessor)
    }

    fn indices(&mut self, numbers: &[u8]) -> usize {
        let accessor = json!({"componentType": 5121, "count": numbers.len(), "type": "SCALAR"});
        self.add(numbers.to_vec(), accessor)
    }

    /// The document with everything else given by `rest`.
    fn document(&self, rest: Value) -> Value {
        let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&self.bytes));
        let mut document = json!({
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": self.bytes.len(), "uri": uri}],
            "bufferViews": self.views,
            "accessors": self.accessors,
        });
        for (key, value) in rest.as_object().unwrap() {
            document[key] = value.clone();
        }
        document
    }

    fn parse(&self, rest: Value) -> Result<TriMesh, ParseError> {
        parse_gltf(self.document(rest).to_string().as_bytes(), None)
    }
}

const SQUARE: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];

#[test]
fn nodes_move_meshes_and_name_groups() {
    let mut sample = Sample::new();
    let (position, index) = (sample.floats(&SQUARE, "VEC3", 3), sample.indices(&[0, 1, 2, 0, 2, 3]));
    let mesh =
        json!({"name": "cloth", "primitives": [{"attributes": {"POSITION": position}, "indices": index}]});
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let read = sample
        .parse(json!({
            "meshes": [mesh],
            "nodes": [
                {"children": [1, 2], "translation": [0, 0, 5]},
                {"mesh": 0, "name": "left", "rotation": [0, 0, half, half], "scale": [2, 1, 1]},
                {"mesh": 0, "name": "right", "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1]},
                {"mesh": 0, "name": "not in the scene"},
            ],
            "scenes": [{"nodes": [0]}],
        }))
        .unwrap();
    let left = [[0.0, 0.0, 5.0], [0.0, 2.0, 5.0], [-1.0, 2.0, 5.0], [-1.0, 0.0, 5.0]];
    let right = [[7.0, 0.0, 5.0], [6.0, 0.0, 5.0], [6.0, 1.0, 5.0], [7.0, 1.0, 5.0]];
    for (read, expected) in read.positions.iter().zip(left.into_iter().chain(right)) {
        assert!(read.distance(expected.into()) < 1e-6, "{read} {expected:?}");
    }
    // A mirror turns the triangles round, so that their outside stays outside.
    assert_eq!(read.triangles, [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]]);
    assert_eq!(read.groups["left"], [0, 1, 2, 3]);
    assert_eq!(read.groups["right"], [4, 5, 6, 7]);
    assert_eq!(read.groups["cloth"].len(), 8);
    assert_eq!(read.groups.len(), 3);
}

#[test]
fn seams_are_welded_and_colours_pin() {
    let mut sample = Sample::new();
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [-0.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    let position = sample.floats(corners.as_flattened(), "VEC3", 3);
    let uvs = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.5, 0.5], [0.25, 0.5], [0.5, 0.75]];
    let uv = sample.floats(uvs.as_flattened(), "VEC2", 2);
    // White, red, dark red, white, red (the same vertex as dark red), green; as bytes.
    let colours =
        [[255, 255, 255, 255], [255, 0, 0, 255], [99, 0, 0, 255], [255; 4], [200, 9, 9, 0], [0, 255, 0, 0]];
    let accessor = json!({"componentType": 5121, "count": 6, "type": "VEC4", "normalized": true});
    let colour = sample.add(colours.into_iter().flatten(), accessor);
    let attributes = json!({"POSITION": position, "TEXCOORD_0": uv, "COLOR_0": colour});
    let read = sample.parse(json!({"meshes": [{"primitives": [{"attributes": attributes}]}]})).unwrap();
    assert_eq!(read.positions, [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y]);
    assert_eq!(read.triangles, [[0, 1, 2], [0, 2, 3]]);
    let expected = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.5], [0.25, 0.5], [0.5, 0.25]].map(Vec2::from);
    assert_eq!(read.uvs.unwrap().as_flattened(), expected);
    assert_eq!(read.groups["pinned"], [1, 2]);
    // The attribute made for it wins over colours.
    let pin = sample.floats(&[0.5, 0.4, 0.0, 0.0, 0.0, 1.0], "SCALAR", 1);
    let attributes = json!({"POSITION": position, "COLOR_0": colour, "_PIN": pin});
    let read = sample.parse(json!({"meshes": [{"primitives": [{"attributes": attributes}]}]})).unwrap();
    assert_eq!(read.groups["pinned"], [0, 3]);
    assert_eq!(read.uvs, None);
}

#[test]
fn strips_fans_sparse_values_and_joints() {
    let mut sample = Sample::new();
    let position = sample.floats(&SQUARE, "VEC3", 3);
    let places = sample.indices(&[2]);
    let values = sample.floats(&[9.0, 9.0, 9.0], "VEC3", 3);
    let sparse = json!({"count": 1, "indices": {"bufferView": places, "componentType": 5121}, "values": {"bufferView": values}});
    let accessor =
        json!({"componentType": 5126, "count": 4, "type": "VEC3", "sparse": sparse, "bufferView": 0});
    sample.accessors.push(accessor);
    let strip = sample.indices(&[0, 1, 3, 2, 2]);
    let joints = json!({"componentType": 5121, "count": 4, "type": "VEC4"});
    let joints = sample.add([0, 1, 0, 0].repeat(4), joints);
    let weights: Vec<f32> =
        [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [0.4, 0.3]].map(|[a, b]| [a, b, 0.0, 0.0]).concat();
    let weights = sample.floats(&weights, "VEC4", 4);
    let attributes = json!({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights});
    let primitives = json!([
        {"attributes": attributes, "indices": strip, "mode": 5},
        {"attributes": {"POSITION": 3}, "mode": 6},
        {"attributes": {"POSITION": position}, "mode": 0},
    ]);
    let read = sample
        .parse(json!({
            "meshes": [{"primitives": primitives}],
            "skins": [{"joints": [1, 2]}],
            "nodes": [{"mesh": 0, "skin": 0, "translation": [1, 1, 1]}, {"name": "waist"}, {"name": "hem"}],
        }))
        .unwrap();
    assert_eq!(read.triangles, [[0, 1, 3], [3, 1, 2], [0, 1, 4], [0, 4, 3]]);
    assert_eq!(read.positions[4], Vec3::splat(9.0));
    assert_eq!((&read.groups["waist"][..], &read.groups["hem"][..]), (&[0, 1][..], &[1, 2][..]));
}

#[test]
fn errors_say_what_is_wrong() {
    let mut sample = Sample::new();
    let (position, index) = (sample.floats(&SQUARE, "VEC3", 3), sample.indices(&[0, 1, 4]));
    let primitive = json!({"attributes": {"POSITION": position}, "indices": index});
    let message = |rest: Value| sample.parse(rest).unwrap_err().message;
    let with = |primitive: Value| json!({"meshes": [{"primitives": [primitive]}]});
    assert_eq!(message(with(primitive.clone())), "a primitive names vertex 4, but it has 4");
    assert_eq!(message(json!({})), "there are no triangles in this file");
    assert_eq!(
        message(json!({"asset": {"version": "1.0"}})),
        "this is glTF version '1.0'; only version 2 is read"
    );
    let draco = json!({"extensionsRequired": ["KHR_materials_ior", "KHR_draco_mesh_compression"]});
    assert_eq!(
        message(draco),
        "the file needs the glTF extension KHR_draco_mesh_compression, which is not supported"
    );
    let missing = json!({"attributes": {"POSITION": 77}});
    assert_eq!(message(with(missing)), "there is no accessors[77]");
    let scalar = json!({"attributes": {"POSITION": index}});
    assert_eq!(message(with(scalar)), "accessors[1] has a type other than VEC3");
    let float_indices = json!({"attributes": {"POSITION": position}, "indices": position});
    assert!(message(with(float_indices)).starts_with("accessors[0] holds no indices"));
    let circle = json!({"nodes": [{"children": [1]}, {"children": [0]}], "scenes": [{"nodes": [0]}]});
    assert_eq!(message(circle), "nodes[0] is reached twice: the nodes form no tree");
    let huge = |count: u64| {
        json!({"accessors": [{"componentType": 5126, "count": count, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]})
    };
    assert_eq!(message(huge(u64::MAX)), "more than 67108864 vertices and corners");
    let beyond = json!({"accessors": [{"componentType": 5126, "count": 5, "type": "VEC3", "bufferView": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]});
    assert_eq!(message(beyond), "accessors[0] reaches beyond its buffer");
    assert_eq!(
        message(json!({"buffers": [{"byteLength": 4}]})),
        "buffers[0] has no data in this file and no uri"
    );
    let error = parse_gltf(b"{\n\"asset\": 3}", None).unwrap_err();
    assert_eq!(error.line, Some(2));
}

#[test]
fn many_copies_of_a_mesh_are_refused_before_memory_is_taken() {
    let mut sample = Sample::new();
    let position = sample.floats(&SQUARE, "VEC3", 3);
    sample.accessors[position]["count"] = 20_000_000.into();
    sample.accessors[position].as_object_mut().unwrap().remove("bufferView");
    let primitive = json!({"attributes": {"POSITION": position}});
    let error = sample.parse(json!({"meshes": [{"primitives": [primitive]}]})).unwrap_err();
    assert_eq!(error.message, "more than 67108864 vertices and corners");
}

#[test]
fn external_buffers_come_from_the_folder() {
    let mut sample = Sample::new();
    let position = sample.floats(&SQUARE, "VEC3", 3);
    let rest = json!({"meshes": [{"primitives": [{"attributes": {"POSITION": position}, "mode": 6}]}]});
    let mut document = sample.document(rest);
    document["buffers"][0]["uri"] = "my%20data.bin".into();
    let folder = std::env::temp_dir().join(format!("muslin-io-gltf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("my data.bin"), &sample.bytes).unwrap();
    let content = document.to_string();
    document["buffers"][0]["byteLength"] = (2u64 << 30).into();
    let huge = parse_gltf(document.to_string().as_bytes(), Some(&folder)).unwrap_err();
    assert_eq!(
        huge.message,
        "buffers[0]: 2147483648 bytes in another file, but only 1073741824 more may be read"
    );
    let read = parse_gltf(content.as_bytes(), Some(&folder));
    std::fs::write(folder.join("my data.bin"), &sample.bytes[1..]).unwrap();
    let short = parse_gltf(content.as_bytes(), Some(&folder));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(read.unwrap().triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(short.unwrap_err().message, "buffers[0]: 'my%20data.bin' has 47 bytes, 48 are needed");
    assert!(parse_gltf(content.as_bytes(), Some(&folder)).is_err());
}
