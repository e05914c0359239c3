//! OBJ by `tobj`, PLY by `ply-rs-bw`, VTK by `vtkio`.

use std::path::Path;

use glam::{DVec3, Vec2, Vec3};
use muslin_io::{Clip, ClipFormat, ClipMesh, read_mesh, write_clip, write_frame, write_sequence_index};
use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::{DefaultElement, Property};
use vtkio::model::{Attribute, DataSet, PolyDataPiece, VertexNumbers};

use crate::sample::{Folder, only, waving};

fn points(numbers: &[f32]) -> Vec<Vec3> {
    numbers.chunks_exact(3).map(Vec3::from_slice).collect()
}

#[test]
fn obj_frames_hold_all_meshes() {
    let folder = Folder::new("obj");
    let clip = waving(3);
    let files = write_clip(ClipFormat::Obj, &folder.0, "wave", &clip).unwrap();
    assert_eq!(files.len(), 3);
    assert!(files[2].ends_with("wave_0002.obj"));
    for (frame, file) in files.iter().enumerate() {
        let (models, _) = tobj::load_obj(file, &tobj::LoadOptions::default()).unwrap();
        assert_eq!(models.len(), 2);
        for (m, model) in models.iter().enumerate() {
            let ClipMesh { name, triangles, uvs, .. } = &clip.meshes()[m];
            assert_eq!(&model.name, name);
            // tobj numbers vertices by their first use, so that corners are what can be compared.
            let (read, written) = (points(&model.mesh.positions), clip.positions(m, frame).unwrap());
            assert_eq!(read.len(), written.len());
            assert_eq!(model.mesh.indices.len(), 3 * triangles.len());
            for (&a, &b) in model.mesh.indices.iter().zip(triangles.as_flattened()) {
                assert_eq!(read[a as usize], written[b as usize]);
            }
            let read = model.mesh.texcoord_indices.iter();
            let read = read.map(|&k| Vec2::from_slice(&model.mesh.texcoords[2 * k as usize..]));
            assert_eq!(read.collect::<Vec<_>>(), uvs.as_ref().unwrap().as_flattened());
        }
    }
}

/// Texture coordinates of the corners, wherever the file has them.
fn ply_uvs(vertices: &[DefaultElement], faces: &[DefaultElement]) -> Vec<Vec2> {
    let float = |element: &DefaultElement, name: &str| match element[name] {
        Property::Float(number) => number,
        _ => panic!("{name} is no float"),
    };
    let mut uvs = Vec::new();
    for face in faces {
        match (&face["vertex_indices"], face.get("texcoord")) {
            (_, Some(Property::ListFloat(list))) => uvs.extend(list.chunks_exact(2).map(Vec2::from_slice)),
            (Property::ListInt(list), None) => {
                let uv = |v: &i32| {
                    Vec2::new(float(&vertices[*v as usize], "s"), float(&vertices[*v as usize], "t"))
                };
                uvs.extend(list.iter().map(uv));
            }
            other => panic!("{other:?}"),
        }
    }
    uvs
}

#[test]
fn ply_frames_hold_one_mesh_each() {
    let folder = Folder::new("ply");
    let clip = waving(2);
    let files = write_clip(ClipFormat::Ply, &folder.0, "wave", &clip).unwrap();
    assert_eq!(files.len(), 4);
    for (k, file) in files.iter().enumerate() {
        let (frame, m) = (k / 2, k % 2);
        assert!(file.ends_with(format!("wave_{}_000{frame}.ply", clip.meshes()[m].name)));
        let mut content = std::io::BufReader::new(std::fs::File::open(file).unwrap());
        let ply = Parser::<DefaultElement>::new().read_ply(&mut content).unwrap();
        let (vertices, faces) = (&ply.payload["vertex"], &ply.payload["face"]);
        let position = |element: &DefaultElement| {
            Vec3::from(["x", "y", "z"].map(|axis| match element[axis] {
                Property::Float(number) => number,
                _ => panic!("{axis} is no float"),
            }))
        };
        assert_eq!(vertices.iter().map(position).collect::<Vec<_>>(), clip.positions(m, frame).unwrap());
        for (face, corners) in faces.iter().zip(&clip.meshes()[m].triangles) {
            assert_eq!(face["vertex_indices"], Property::ListInt(corners.map(|v| v as i32).to_vec()));
        }
        let uvs = clip.meshes()[m].uvs.as_ref().unwrap();
        assert_eq!(ply_uvs(vertices, faces), uvs.as_flattened());
        assert_eq!(read_mesh(file).unwrap().uvs.as_ref(), Some(uvs));
    }
}

fn read_vtp(file: &Path) -> PolyDataPiece {
    let DataSet::PolyData { pieces, .. } = vtkio::Vtk::import(file).unwrap().data else { panic!() };
    pieces.into_iter().next().unwrap().into_loaded_piece_data(None).unwrap()
}

#[test]
fn vtk_frames_and_their_index() {
    let folder = Folder::new("vtk");
    let clip = waving(3);
    let files = write_clip(ClipFormat::Vtk, &folder.0, "wave", &clip).unwrap();
    assert_eq!(files.len(), 7);
    for (k, file) in files[..6].iter().enumerate() {
        let (frame, m) = (k / 2, k % 2);
        let piece = read_vtp(file);
        assert_eq!(points(&piece.points.into_vec::<f32>().unwrap()), clip.positions(m, frame).unwrap());
        let Some(VertexNumbers::XML { connectivity, offsets }) = piece.polys else { panic!() };
        let triangles = &clip.meshes()[m].triangles;
        assert_eq!(connectivity, triangles.as_flattened().iter().map(|&v| u64::from(v)).collect::<Vec<_>>());
        assert_eq!(offsets, (1..=triangles.len() as u64).map(|t| 3 * t).collect::<Vec<_>>());
        // The sheet has texture coordinates per vertex, the skirt has seams.
        assert_eq!(piece.data.point.len(), 1 - m);
        for attribute in piece.data.point {
            let Attribute::DataArray(array) = attribute else { panic!() };
            let uvs: Vec<f32> = array.data.into_vec().unwrap();
            let corners = triangles.as_flattened().iter().map(|&v| Vec2::from_slice(&uvs[2 * v as usize..]));
            let expected = clip.meshes()[m].uvs.as_ref().unwrap();
            assert_eq!(corners.collect::<Vec<_>>(), expected.as_flattened());
        }
    }
    let index = std::fs::read_to_string(&files[6]).unwrap();
    assert!(files[6].ends_with("wave.pvd"));
    let part = r#"<DataSet timestep="0.041666666666666664" group="" part="1" file="wave_skirt_0001.vtp"/>"#;
    assert!(index.contains(part), "{index}");
    assert_eq!(index.matches("<DataSet ").count(), 6);
}

#[test]
fn frames_written_one_by_one_are_those_of_the_clip() {
    let (whole, one_by_one) = (Folder::new("whole"), Folder::new("one-by-one"));
    for clip in [waving(3), only(&waving(3), 0)] {
        for format in ClipFormat::ALL.into_iter().filter(|format| format.is_sequence()) {
            let files = write_clip(format, &whole.0, "wave", &clip).unwrap();
            let mut others = Vec::new();
            for frame in 0..3 {
                let positions: Vec<Vec<Vec3>> =
                    (0..clip.meshes().len()).map(|m| clip.positions(m, frame).unwrap()).collect();
                let folder = &one_by_one.0;
                others.extend(
                    write_frame(format, folder, "wave", clip.meshes(), frame, DVec3::ZERO, &positions)
                        .unwrap(),
                );
            }
            let frames = [0, 1, 2];
            let index = write_sequence_index(format, &one_by_one.0, "wave", clip.meshes(), &frames, 24.0);
            others.extend(index.unwrap());
            assert_eq!(files.len(), others.len());
            for (a, b) in files.iter().zip(&others) {
                assert_eq!(a.file_name(), b.file_name());
                assert_eq!(std::fs::read(a).unwrap(), std::fs::read(b).unwrap(), "{}", a.display());
            }
        }
    }
}
