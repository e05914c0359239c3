//! Animated GLB, by the `gltf` crate.

use glam::Vec3;
use gltf::Gltf;
use gltf::animation::util::ReadOutputs;
use gltf::animation::{Interpolation, Property};
use muslin_io::{Clip, ClipFormat, MemoryClip, UpAxis, read_mesh, write_clip};

use crate::sample::{Folder, waving};

/// The positions of a primitive in a frame, as the weights of the animation blend them.
fn blended(base: &[Vec3], targets: &[Vec<Vec3>], weights: &[f32]) -> Vec<Vec3> {
    let blend = |v: usize| targets.iter().zip(weights).fold(base[v], |p, (target, w)| p + *w * target[v]);
    (0..base.len()).map(blend).collect()
}

/// Reads a file and compares every frame; returns how often vertices are repeated at seams.
fn check(file: &std::path::Path, clip: &MemoryClip) -> Vec<usize> {
    let Gltf { document, blob } = Gltf::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let blob = blob.unwrap();
    let data = |_: gltf::Buffer| Some(blob.as_slice());
    let animation = document.animations().next().unwrap();
    let mut copies = Vec::new();
    for (m, (node, channel)) in document.nodes().zip(animation.channels()).enumerate() {
        assert_eq!(channel.target().property(), Property::MorphTargetWeights);
        assert_eq!(channel.target().node().index(), node.index());
        assert_eq!(channel.sampler().interpolation(), Interpolation::Linear);
        let reader = channel.reader(data);
        let times: Vec<f32> = reader.read_inputs().unwrap().collect();
        assert_eq!(times, (0..clip.frame_count()).map(|k| k as f32 / 24.0).collect::<Vec<_>>());
        let Some(ReadOutputs::MorphTargetWeights(weights)) = reader.read_outputs() else { panic!() };
        let weights: Vec<f32> = weights.into_f32().collect();

        let mesh = node.mesh().unwrap();
        assert_eq!(mesh.name(), Some(clip.meshes()[m].name.as_str()));
        let primitive = mesh.primitives().next().unwrap();
        let reader = primitive.reader(data);
        let base: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from).collect();
        assert!(reader.read_normals().unwrap().all(|n| (Vec3::from(n).length() - 1.0).abs() < 1e-5));
        let targets: Vec<Vec<Vec3>> =
            reader.read_morph_targets().map(|(p, _, _)| p.unwrap().map(Vec3::from).collect()).collect();
        let bounds = primitive.bounding_box();
        let lowest = base.iter().copied().reduce(Vec3::min).unwrap();
        assert_eq!(Vec3::from(bounds.min), lowest);
        let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        let uvs: Vec<[f32; 2]> = reader.read_tex_coords(0).unwrap().into_f32().collect();
        let shape = &clip.meshes()[m];
        let corners = shape.triangles.as_flattened();
        assert_eq!(indices.len(), corners.len());
        for (corner, uv) in indices.iter().zip(shape.uvs.as_ref().unwrap().as_flattened()) {
            assert_eq!(uvs[*corner as usize], [uv.x, 1.0 - uv.y]);
        }
        for frame in 0..clip.frame_count() {
            let expected = clip.positions(m, frame).unwrap();
            let read = blended(&base, &targets, &weights[frame * targets.len()..][..targets.len()]);
            for (corner, vertex) in indices.iter().zip(corners) {
                let distance = read[*corner as usize].distance(expected[*vertex as usize]);
                assert!(distance < 3e-7, "frame {frame}: {distance}");
            }
        }
        copies.push(base.len() - clip.positions(m, 0).unwrap().len());
    }
    copies
}

#[test]
fn glb_holds_every_frame() {
    let folder = Folder::new("glb");
    let clip = waving(6);
    let files = write_clip(ClipFormat::Glb, &folder.0, "wave", &clip).unwrap();
    assert_eq!(files, [folder.0.join("wave.glb")]);
    let copies = check(&files[0], &clip);
    assert_eq!(copies[0], 0, "the sheet has no seams");
    assert!(copies[1] > 0, "the skirt has");
}

#[test]
fn seams_are_welded_when_a_glb_file_is_read_again() {
    let folder = Folder::new("glb-weld");
    let clip = waving(2);
    let file = &write_clip(ClipFormat::Glb, &folder.0, "wave", &clip).unwrap()[0];
    let mesh = read_mesh(file).unwrap();
    let (sheet, skirt) = (clip.positions(0, 0).unwrap(), clip.positions(1, 0).unwrap());
    assert_eq!(mesh.positions, [&sheet[..], &skirt[..]].concat());
    let first = sheet.len() as u32;
    assert_eq!(mesh.groups["sheet"], (0..first).collect::<Vec<_>>());
    assert_eq!(mesh.groups["skirt"].len(), skirt.len());
    let both = clip.meshes()[0].triangles.iter().copied();
    let both = both.chain(clip.meshes()[1].triangles.iter().map(|corners| corners.map(|v| v + first)));
    assert_eq!(mesh.triangles, both.collect::<Vec<_>>());
    let uvs = clip.meshes().iter().flat_map(|mesh| mesh.uvs.as_ref().unwrap().as_flattened());
    for (read, written) in mesh.uvs.unwrap().as_flattened().iter().zip(uvs) {
        assert!(read.distance(*written) < 1e-6);
    }
}

#[test]
fn a_clip_with_z_up_is_turned_to_y_up() {
    let folder = Folder::new("glb-up");
    let clip = waving(2).with_up_axis(UpAxis::Z);
    let file = &write_clip(ClipFormat::Glb, &folder.0, "wave", &clip).unwrap()[0];
    let read = read_mesh(file).unwrap();
    for (read, written) in read.positions.iter().zip(clip.positions(0, 0).unwrap()) {
        assert!(read.distance(Vec3::new(written.x, written.z, -written.y)) < 1e-6);
    }
}

#[test]
fn long_clips_are_refused() {
    let folder = Folder::new("glb-long");
    let error = write_clip(ClipFormat::Glb, &folder.0, "wave", &waving(1001)).unwrap_err().to_string();
    assert!(error.contains("1001 frames (at most 1000): too much for an animated GLB file"), "{error}");
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
}
