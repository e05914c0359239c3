//! Readers and writers from the outside: round trips, errors, and malformed files of all sorts.

use std::path::PathBuf;

use glam::{Vec2, Vec3};
use muslin::mesh::TriMesh;
use muslin::mesh::generate::{alternating_grid, tube};
use muslin_io::{
    ReadError, parse_obj, parse_ply, read_mesh, write_atomically, write_obj, write_obj_geometry,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// A folder of its own for a test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("muslin-io-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_written_mesh_reads_back_bit_by_bit() {
    let folder = Folder::new("round-trip");
    let file = folder.0.join("mesh.OBJ");
    for mut mesh in [alternating_grid(7, 5, 0.3, 1.7).unwrap(), tube(0.1, 0.77, 9, 4).unwrap()] {
        mesh.groups.clear();
        // Faces are written as triangles.
        mesh.quads.clear();
        mesh.positions[0] = Vec3::new(1e-38, -0.0, 3.402_823e38);
        write_obj(&file, &mesh).unwrap();
        assert_eq!(read_mesh(&file).unwrap(), mesh);
        write_obj_geometry(&file, &mesh.positions, &mesh.triangles).unwrap();
        mesh.uvs = None;
        assert_eq!(read_mesh(&file).unwrap(), mesh);
    }
    assert_eq!(folder.names(), ["mesh.OBJ"]);
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let folder = Folder::new("failed-write");
    let file = folder.0.join("mesh.obj");
    std::fs::write(&file, "old").unwrap();
    let error = write_atomically(&file, |out| {
        out.write_all(b"half a fi")?;
        Err(std::io::Error::other("the disk is full"))
    })
    .unwrap_err();
    assert!(error.to_string().ends_with("mesh.obj: cannot write: the disk is full"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(folder.names(), ["mesh.obj"]);
    let nowhere = folder.0.join("missing").join("mesh.obj");
    assert!(write_obj(nowhere, &TriMesh::default()).is_err());
    assert!(write_obj("/", &TriMesh::default()).is_err());
}

#[test]
fn errors_name_the_file_and_the_line() {
    let folder = Folder::new("errors");
    let file = folder.0.join("bad.obj");
    std::fs::write(&file, "v 0 0 0\nf 1 2 3\n").unwrap();
    let error = read_mesh(&file).unwrap_err().to_string();
    assert!(error.ends_with("bad.obj:2: the face names vertex 2, but there are only 1"), "{error}");
    std::fs::write(&file, "v 0 0 0\n").unwrap();
    let error = read_mesh(&file).unwrap_err().to_string();
    assert!(error.ends_with("bad.obj: there are no faces in this file"), "{error}");
    assert!(matches!(read_mesh(folder.0.join("mesh.abc")), Err(ReadError::UnknownFormat { .. })));
    assert!(matches!(read_mesh(folder.0.join("missing.ply")), Err(ReadError::Io { .. })));
    assert!(matches!(read_mesh(""), Err(ReadError::UnknownFormat { .. })));
}

/// A small valid PLY file, ASCII or binary.
fn ply(binary: bool) -> Vec<u8> {
    let format = if binary { "binary_little_endian" } else { "ascii" };
    let mut content = format!(
        "ply\nformat {format} 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
         element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    )
    .into_bytes();
    if binary {
        for x in [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
            content.extend(x.to_le_bytes());
        }
        content.push(3);
        (0..3i32).for_each(|index| content.extend(index.to_le_bytes()));
    } else {
        content.extend(b"0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    }
    content
}

const OBJ: &[u8] =
    b"o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 1\ng b c\nf 1/1 2/2 3/1 4/-1\nf -1 -2 -3\n";

/// Bytes of a file with some replaced, then cut short or continued.
fn damaged(content: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let byte =
        prop_oneof![any::<u8>(), b'0'..=b'9', Just(b' '), Just(b'\n'), Just(b'-'), Just(b'/'), Just(b'\\')];
    let changes = vec((any::<prop::sample::Index>(), byte.clone()), 0..8);
    (changes, any::<prop::sample::Index>(), vec(byte, 0..20)).prop_map(move |(changes, end, tail)| {
        let mut content = content.clone();
        for (place, byte) in changes {
            let place = place.index(content.len());
            content[place] = byte;
        }
        content.truncate(2 * end.index(content.len()) + 1);
        content.extend(tail);
        content
    })
}

/// What a reader gives back must at least have its indices in order.
fn check(mesh: Result<TriMesh, muslin_io::ParseError>) {
    if let Ok(mesh) = mesh {
        assert!(mesh.triangles.iter().flatten().all(|&v| (v as usize) < mesh.positions.len()));
        assert!(mesh.groups.values().flatten().all(|&v| (v as usize) < mesh.positions.len()));
        assert!(mesh.uvs.is_none_or(|uvs: Vec<[Vec2; 3]>| uvs.len() == mesh.triangles.len()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn damaged_obj_files_do_no_harm(content in damaged(OBJ.to_vec())) {
        check(parse_obj(&content));
    }

    #[test]
    fn damaged_ascii_ply_files_do_no_harm(content in damaged(ply(false))) {
        check(parse_ply(&content));
    }

    #[test]
    fn damaged_binary_ply_files_do_no_harm(content in damaged(ply(true))) {
        check(parse_ply(&content));
    }

    #[test]
    fn random_bytes_do_no_harm(content in vec(any::<u8>(), 0..300)) {
        check(parse_obj(&content));
        check(parse_ply(&content));
    }
}
