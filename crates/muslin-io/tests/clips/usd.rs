//! USD, by the `openusd` crate. Pixar's own library: `cargo xtask interop`.

use glam::{Vec2, Vec3};
use muslin_io::{Clip, ClipFormat, ClipMesh, MemoryClip, UpAxis, write_clip};
use openusd::sdf::Value;
use openusd::usd::Stage;

use crate::sample::{Folder, waving};

fn vec3s(value: &Value) -> Vec<Vec3> {
    match value {
        Value::Vec3fVec(list) => list.iter().map(|v| Vec3::new(v.x, v.y, v.z)).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn usd_holds_every_frame_bit_by_bit() {
    let folder = Folder::new("usd");
    let clip = waving(4);
    let files = write_clip(ClipFormat::Usd, &folder.0, "wave", &clip).unwrap();
    assert_eq!(files, [folder.0.join("wave.usda")]);
    let stage = Stage::open(files[0].to_str().unwrap()).unwrap();
    assert!(stage.composition_errors().is_empty());
    assert_eq!((stage.start_time_code(), stage.end_time_code()), (0.0, 3.0));
    assert_eq!((stage.time_codes_per_second(), stage.frames_per_second()), (24.0, 24.0));
    assert_eq!(stage.default_prim().unwrap().as_str(), "Muslin");
    assert_eq!(stage.stage_metadata("upAxis").unwrap().unwrap().try_as_token().unwrap().as_str(), "Y");
    assert_eq!(stage.stage_metadata("metersPerUnit").unwrap(), Some(Value::Double(1.0)));
    for (m, ClipMesh { name, triangles, uvs, .. }) in clip.meshes().iter().enumerate() {
        let prim = format!("/Muslin/{name}");
        assert_eq!(stage.prim(prim.as_str()).type_name().unwrap().unwrap().as_str(), "Mesh");
        let samples = stage.time_samples(format!("{prim}.points").as_str()).unwrap().unwrap();
        let boxes = stage.time_samples(format!("{prim}.extent").as_str()).unwrap().unwrap();
        assert_eq!((samples.len(), boxes.len()), (4, 4));
        for (frame, ((time, value), (_, bounds))) in samples.iter().zip(&boxes).enumerate() {
            let expected = clip.positions(m, frame).unwrap();
            assert_eq!(*time, frame as f64);
            assert_eq!(vec3s(value), expected);
            let corners = [Vec3::min, Vec3::max].map(|pick| expected.iter().copied().reduce(pick).unwrap());
            assert_eq!(vec3s(bounds), corners);
        }
        let integers = |attribute: &str| match stage
            .attribute(format!("{prim}.{attribute}").as_str())
            .get::<Value>()
            .unwrap()
        {
            Some(Value::IntVec(list)) => list,
            other => panic!("{other:?}"),
        };
        assert_eq!(integers("faceVertexCounts"), vec![3; triangles.len()]);
        let corners: Vec<i32> = triangles.as_flattened().iter().map(|&v| v as i32).collect();
        assert_eq!(integers("faceVertexIndices"), corners);
        let st = stage.attribute(format!("{prim}.primvars:st").as_str()).get::<Value>().unwrap();
        let Some(Value::Vec2fVec(st)) = st else { panic!("{st:?}") };
        let st: Vec<Vec2> = st.iter().map(|v| Vec2::new(v.x, v.y)).collect();
        assert_eq!(st, uvs.as_ref().unwrap().as_flattened());
    }
}

#[test]
fn names_and_axes_that_usd_does_not_know() {
    let folder = Folder::new("usd-names");
    let mesh =
        |name: &str| ClipMesh { name: name.into(), triangles: vec![[0, 1, 2]], uvs: None, rigid: None };
    let mut clip = MemoryClip::new(vec![mesh("2 left-sleeves"), mesh("größe")], 30.0).with_up_axis(UpAxis::Z);
    clip.push_frame(vec![vec![Vec3::X, Vec3::Y, Vec3::Z]; 2]).unwrap();
    let file = &write_clip(ClipFormat::Usd, &folder.0, "odd", &clip).unwrap()[0];
    let stage = Stage::open(file.to_str().unwrap()).unwrap();
    assert_eq!(stage.stage_metadata("upAxis").unwrap().unwrap().try_as_token().unwrap().as_str(), "Z");
    for name in ["_2_left_sleeves", "gr__e"] {
        let prim = stage.prim(format!("/Muslin/{name}").as_str());
        assert_eq!(prim.type_name().unwrap().unwrap().as_str(), "Mesh");
    }
}
