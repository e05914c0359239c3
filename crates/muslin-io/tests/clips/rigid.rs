//! Rigid bodies in every format: poses where a format has them, vertices where it does not.

use std::io::Read;
use std::path::Path;

use glam::{DQuat, DVec3, Quat, Vec3};
use gltf::Gltf;
use gltf::animation::util::ReadOutputs;
use muslin::mesh::TriMesh;
use muslin::mesh::generate::{cuboid, grid, sphere};
use muslin_io::{Clip, ClipFormat, ClipMesh, ClipPose, MemoryClip, UpAxis, read_mesh, write_clip};
use openusd::sdf::Value;
use openusd::usd::Stage;

use crate::sample::{Folder, part};

const FRAMES: usize = 5;

fn body(name: &str, mesh: &TriMesh) -> ClipMesh {
    ClipMesh { rigid: Some(mesh.positions.clone()), ..part(name, mesh) }
}

/// A sheet, and a box and a ball that turn through more than half a turn.
fn tumbling() -> MemoryClip {
    let sheet = grid(2, 2, 1.0, 1.0).unwrap();
    let (brick, ball) = (cuboid(Vec3::new(0.1, 0.2, 0.3), 1).unwrap(), sphere(0.1, 3).unwrap());
    let meshes = vec![part("sheet", &sheet), body("brick", &brick), body("ball", &ball)];
    let mut clip = MemoryClip::new(meshes, 24.0);
    for frame in 0..FRAMES {
        let angle = 1.3 * frame as f64;
        let pose = |axis: DVec3, x: f64| {
            let rotation = DQuat::from_axis_angle(axis.normalize(), angle);
            // Either of the two quaternions of a rotation may come.
            let rotation = if frame % 2 == 1 { -rotation } else { rotation };
            ClipPose { rotation, translation: DVec3::new(x, 0.1 * angle, 0.3) }
        };
        let poses = vec![pose(DVec3::ONE, 1.0), pose(DVec3::X, -1.0)];
        clip.push_frame_with_poses(vec![sheet.positions.clone()], poses).unwrap();
    }
    clip
}

fn largest_difference(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn glb_moves_nodes_and_not_vertices() {
    let folder = Folder::new("rigid-glb");
    for up in [UpAxis::Y, UpAxis::Z] {
        let clip = tumbling().with_up_axis(up);
        let file = &write_clip(ClipFormat::Glb, &folder.0, "fall", &clip).unwrap()[0];
        let Gltf { document, blob } = Gltf::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let blob = blob.unwrap();
        let data = |_: gltf::Buffer| Some(blob.as_slice());
        let animation = document.animations().next().unwrap();
        for m in [1, 2] {
            let node = document.nodes().nth(m).unwrap();
            assert_eq!(node.name(), Some(clip.meshes()[m].name.as_str()));
            let primitive = node.mesh().unwrap().primitives().next().unwrap();
            let reader = primitive.reader(data);
            assert_eq!(reader.read_morph_targets().count(), 0);
            assert_eq!(reader.read_normals().is_some(), m == 2, "the ball is round, the box is not");
            let shape: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from).collect();
            assert_eq!(Some(&shape), clip.meshes()[m].rigid.as_ref());
            let (mut moves, mut turns) = (Vec::new(), Vec::new());
            for channel in animation.channels().filter(|c| c.target().node().index() == m) {
                let reader = channel.reader(data);
                assert_eq!(reader.read_inputs().unwrap().count(), FRAMES);
                match reader.read_outputs().unwrap() {
                    ReadOutputs::Translations(list) => moves.extend(list.map(Vec3::from)),
                    ReadOutputs::Rotations(list) => turns.extend(list.into_f32().map(Quat::from_array)),
                    _ => panic!("a body has translations and rotations only"),
                }
            }
            assert_eq!((moves.len(), turns.len()), (FRAMES, FRAMES));
            assert!(turns.windows(2).all(|pair| pair[0].dot(pair[1]) >= 0.0), "the short way round");
            let (start, turn, _) = node.transform().decomposed();
            assert_eq!((Vec3::from(start), Quat::from_array(turn)), (moves[0], turns[0]));
            for frame in 0..FRAMES {
                let read: Vec<Vec3> = shape.iter().map(|p| turns[frame] * *p + moves[frame]).collect();
                let upright = |p: Vec3| if up == UpAxis::Z { Vec3::new(p.x, p.z, -p.y) } else { p };
                let expected: Vec<Vec3> =
                    clip.positions(m, frame).unwrap().into_iter().map(upright).collect();
                assert!(largest_difference(&read, &expected) < 1e-6);
            }
        }
        // Our own reader puts bodies where they start.
        let mesh = read_mesh(file).unwrap();
        assert_eq!(mesh.groups["ball"].len(), clip.positions(2, 0).unwrap().len());
    }
}

#[test]
fn usd_moves_bodies_by_transforms() {
    let folder = Folder::new("rigid-usd");
    let clip = tumbling();
    let file = &write_clip(ClipFormat::Usd, &folder.0, "fall", &clip).unwrap()[0];
    let stage = Stage::open(file.to_str().unwrap()).unwrap();
    for m in [1, 2] {
        let prim = format!("/Muslin/{}", clip.meshes()[m].name);
        let value = |name: &str| stage.attribute(format!("{prim}.{name}").as_str()).get::<Value>().unwrap();
        let samples = |name: &str| stage.time_samples(format!("{prim}.{name}").as_str()).unwrap().unwrap();
        let Some(Value::Vec3fVec(points)) = value("points") else { panic!() };
        let shape: Vec<Vec3> = points.iter().map(|v| Vec3::new(v.x, v.y, v.z)).collect();
        assert_eq!(Some(&shape), clip.meshes()[m].rigid.as_ref());
        let (moves, turns) = (samples("xformOp:translate"), samples("xformOp:orient"));
        assert_eq!((moves.len(), turns.len()), (FRAMES, FRAMES));
        for frame in 0..FRAMES {
            let (Value::Vec3d(t), Value::Quatd(q)) = (&moves[frame].1, &turns[frame].1) else { panic!() };
            let rotation = DQuat::from_xyzw(q.x, q.y, q.z, q.w);
            let pose = ClipPose { rotation, translation: DVec3::new(t.x, t.y, t.z) };
            let written = clip.pose(m, frame).unwrap();
            assert_eq!(pose.translation, written.translation);
            assert!(pose.rotation == written.rotation || -pose.rotation == written.rotation);
        }
        let order = value("xformOpOrder");
        let Some(Value::TokenVec(order)) = order else { panic!("{order:?}") };
        let order: Vec<&str> = order.iter().map(|token| token.as_str()).collect();
        assert_eq!(order, ["xformOp:translate", "xformOp:orient"]);
    }
}

/// The data of an array in an archive, after its header.
fn array(file: &Path, name: &str) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(file).unwrap()).unwrap();
    let mut content = Vec::new();
    archive.by_name(name).unwrap().read_to_end(&mut content).unwrap();
    content.split_off(10 + usize::from(u16::from_le_bytes([content[8], content[9]])))
}

#[test]
fn npz_has_vertices_once_and_poses() {
    let folder = Folder::new("rigid-npz");
    let clip = tumbling();
    let files = write_clip(ClipFormat::Npz, &folder.0, "fall", &clip).unwrap();
    assert_eq!(files[1], folder.0.join("fall_brick.npz"));
    let doubles = |name: &str| -> Vec<f64> {
        array(&files[1], name).chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
    };
    let (turns, moves) = (doubles("rotations.npy"), doubles("translations.npy"));
    assert_eq!((turns.len(), moves.len()), (4 * FRAMES, 3 * FRAMES));
    for frame in 0..FRAMES {
        let numbers = [&turns[4 * frame..][..4], &moves[3 * frame..][..3]].concat();
        assert_eq!(ClipPose::from_array(numbers.try_into().unwrap()), clip.pose(1, frame).unwrap());
    }
    let vertices = array(&files[1], "vertices.npy");
    assert_eq!(vertices.len(), 12 * clip.meshes()[1].rigid.as_ref().unwrap().len());
}

#[test]
fn sequences_and_caches_have_a_bodys_vertices_in_every_frame() {
    let folder = Folder::new("rigid-sequences");
    let clip = tumbling();
    for (format, extension) in [(ClipFormat::Ply, "ply"), (ClipFormat::Obj, "obj")] {
        write_clip(format, &folder.0, "fall", &clip).unwrap();
        let name = if format == ClipFormat::Ply { "fall_brick_0003" } else { "fall_0003" };
        let mesh = read_mesh(folder.0.join(format!("{name}.{extension}"))).unwrap();
        let expected = clip.positions(1, 3).unwrap();
        let start = if format == ClipFormat::Ply { 0 } else { clip.positions(0, 3).unwrap().len() };
        assert_eq!(mesh.positions[start..][..expected.len()], expected);
    }
    let vtk = write_clip(ClipFormat::Vtk, &folder.0, "fall", &clip).unwrap();
    assert!(vtk.contains(&folder.0.join("fall_ball_0004.vtp")));
    for (format, header, big_endian) in
        [(ClipFormat::Pc2, 32, false), (ClipFormat::Mdd, 8 + 4 * FRAMES, true)]
    {
        let files = write_clip(format, &folder.0, "fall", &clip).unwrap();
        let bytes = std::fs::read(&files[1]).unwrap();
        let float = |b: &[u8]| {
            let b: [u8; 4] = b.try_into().unwrap();
            if big_endian { f32::from_be_bytes(b) } else { f32::from_le_bytes(b) }
        };
        let numbers: Vec<f32> = bytes[header..].chunks_exact(4).map(float).collect();
        let read: Vec<Vec3> = numbers.chunks_exact(3).map(Vec3::from_slice).collect();
        let expected: Vec<Vec3> = (0..FRAMES).flat_map(|frame| clip.positions(1, frame).unwrap()).collect();
        assert_eq!(read, expected);
    }
}

#[test]
fn poses_that_are_none_are_refused() {
    let folder = Folder::new("rigid-wrong");
    let clip = tumbling();
    for rotation in [DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0), DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)] {
        let mut wrong = MemoryClip::new(clip.meshes().to_vec(), 24.0);
        let poses = vec![ClipPose { rotation, ..ClipPose::IDENTITY }, ClipPose::IDENTITY];
        wrong.push_frame_with_poses(vec![clip.positions(0, 0).unwrap()], poses).unwrap();
        for format in [ClipFormat::Glb, ClipFormat::Usd, ClipFormat::Npz] {
            assert!(write_clip(format, &folder.0, "wrong", &wrong).is_err(), "{format}");
        }
    }
    assert!(clip.pose(0, 0).is_err(), "a sheet has no pose");
    let mut short = MemoryClip::new(clip.meshes().to_vec(), 24.0);
    assert!(short.push_frame(vec![clip.positions(0, 0).unwrap()]).is_err());
}
