//! Files and scenes far from zero: coordinates go through in double precision, where a format has it.

use std::path::{Path, PathBuf};

use glam::{DVec3, Vec3};
use muslin::cloth::PinMotion;
use muslin::mesh::{TriMesh, generate};
use muslin_io::scene::{ReadOptions, Scene};
use muslin_io::{parse_obj, parse_ply, parse_stl, read_mesh, write_mesh};

/// A place in Paris, in the metres of its map.
const FAR: DVec3 = DVec3::new(652_381.25, 6_862_047.5, 35.0);

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("muslin-far-{}-{name}", std::process::id()))
}

#[test]
fn meshes_far_away_come_back_in_double_precision() {
    let mesh = generate::grid(4, 3, 0.3, 0.2).unwrap().moved(FAR);
    assert_eq!(mesh.origin, DVec3::new(652_384.0, 6_862_048.0, 0.0));
    for (extension, rounding) in [("obj", 0.0), ("ply", 0.0), ("glb", 0.0), ("stl", 0.25)] {
        let path = file(&format!("grid.{extension}"));
        write_mesh(&path, &mesh).unwrap();
        let read = read_mesh(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        // STL does not keep the order of the vertices, and rounds: the last digit at 6,862 km is half a metre.
        for (t, corners) in mesh.triangles.iter().enumerate() {
            for (&a, &b) in corners.iter().zip(&read.triangles[t]) {
                let apart = (mesh.place(a) - read.place(b)).abs().max_element();
                assert!(apart <= rounding, "{extension}: {apart}");
            }
        }
    }
}

#[test]
fn text_is_read_in_double_precision_and_near_zero_as_ever() {
    let far = "v 652381.123 6862047.456 35.5\nv 652381.223 6862047.456 35.5\nv 652381.123 6862047.556 35.5\nf 1 2 3\n";
    let mesh = parse_obj(far.as_bytes()).unwrap();
    // Local coordinates are below 64 m, and rounded by half a last digit: 2 µm.
    assert!((mesh.place(1) - DVec3::new(652_381.223, 6_862_047.456, 35.5)).abs().max_element() < 2e-6);
    let near = parse_obj(b"v 0.1 60.2 -1000.3\nv 1500.4 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    assert_eq!((near.origin, near.positions[0]), (DVec3::ZERO, Vec3::new(0.1, 60.2, -1000.3)));
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n\
               element face 1\nproperty list uchar int vertex_indices\nend_header\n\
               500000.125 0.0 1.0\n500000.25 0.0 1.0\n500000.125 0.1 1.0\n3 0 1 2\n";
    let mesh = parse_ply(ply.as_bytes()).unwrap();
    assert_eq!(mesh.place(1) - mesh.place(0), DVec3::X * 0.125);
    let stl = "solid\nfacet normal 0 0 1\nouter loop\nvertex 100000.01 0 0\nvertex 100000.02 0 0\n\
               vertex 100000.01 0.01 0\nendloop\nendfacet\nendsolid\n";
    let mesh = parse_stl(stl.as_bytes()).unwrap();
    assert!(((mesh.place(1) - mesh.place(0)).x - 0.01).abs() < 4e-6);
}

/// A scene with all that has a place, moved by a vector.
fn scene(by: DVec3) -> String {
    let at = |x: f64, y: f64, z: f64| format!("[{:?}, {:?}, {:?}]", by.x + x, by.y + y, by.z + z);
    format!(
        "[time]\nframes = 20\n[[cloth]]\nmesh.grid = {{ columns = 8, rows = 8, width = 0.5, height = 0.5 }}\n\
         transform = {{ rotate = [-90.0, 0.0, 0.0], translate = {} }}\n\
         pins = [{{ nearest = {}, keyframes = [{{ time = 0.0 }}, {{ time = 1.0, position = {} }}] }},\n\
                 {{ box = {{ min = {}, max = {} }} }},\n {{ sphere = {{ center = {}, radius = 0.0625 }} }}]\n\
         [[collider]]\nsphere = {{ center = {}, radius = 0.125 }}\n\
         [[collider]]\nbox = {{ center = {}, size = [0.25, 0.25, 0.25] }}\n\
         keyframes = [{{ time = 0.0 }}, {{ time = 1.0, rotate = [0.0, 90.0, 0.0], translate = [0.0, 0.125, 0.0] }}]\n\
         [[collider]]\ncapsule = {{ from = {}, to = {}, radius = 0.0625 }}\n\
         [[collider]]\nmesh.sphere = {{ radius = 0.0625, subdivisions = 2 }}\ntransform.translate = {}\n\
         [[collider]]\nplane.point = {}\n",
        at(0.0, 0.5, 0.5),
        at(0.0, 0.5, 0.0),
        at(0.125, 0.5, 0.125),
        at(0.4375, 0.25, 0.4375),
        at(0.5625, 0.75, 0.5625),
        at(0.5, 0.5, 0.0),
        at(0.25, 0.25, 0.25),
        at(0.5, 0.125, 0.5),
        at(0.0, 0.25, 0.25),
        at(0.125, 0.25, 0.25),
        at(0.25, 0.0, 0.0),
        at(0.0, -0.5, 0.0)
    )
}

#[test]
fn a_scene_that_is_moved_far_away_is_built_as_it_was() {
    let read =
        |text: &str| Scene::parse(text, "scene.toml", Path::new("."), &ReadOptions::default()).unwrap();
    let (here, by) = (read(&scene(DVec3::ZERO)), DVec3::new(1024.0, -102_400.0, 640.0));
    let (mut a, mut b) = (here.build_world().unwrap(), read(&scene(by)).build_world().unwrap());
    assert_eq!(b.origin(), by);
    for (here, there) in a.cloths()[0].1.cloth().pins().iter().zip(b.cloths()[0].1.cloth().pins()) {
        assert_eq!(here.vertex, there.vertex);
        if let (PinMotion::Keyframes(a), PinMotion::Keyframes(b)) = (&here.motion, &there.motion) {
            assert_eq!(a.last().unwrap().position + by, b.last().unwrap().position);
        }
    }
    for (here, there) in a.colliders().iter().zip(b.colliders()) {
        assert_eq!((there.origin, &here.shape), (by, &there.shape), "{}", here.name);
    }
    for _ in 0..20 {
        a.step().unwrap();
        b.step().unwrap();
    }
    // Turned keyframes of the box are rounded in double precision, by 1e-11 m at 102 km: not the same bits, in principle.
    let apart = a.cloths()[0].1.places().into_iter().zip(b.cloths()[0].1.places());
    let apart = apart.map(|(a, b)| (a + by - b).length()).fold(0.0, f64::max);
    assert!(apart < 1e-6, "{apart}");
    assert!(b.intersections().is_clean());
}

#[test]
fn a_mesh_of_millimetres_is_counted_from_zero() {
    let places: Vec<DVec3> = [800.0, 1600.0].iter().map(|y| DVec3::new(0.0, *y, 0.0)).collect();
    assert_eq!(TriMesh::at_places(&places, Vec::new()).origin, DVec3::ZERO);
}
