//! What is refused, and that nothing is left behind then.

use std::io;

use glam::{DVec3, Vec2, Vec3};
use muslin_io::clip::ClipError;
use muslin_io::{Clip, ClipFormat, ClipMesh, MemoryClip, write_clip, write_frame};

use crate::sample::{Folder, waving};

/// A clip that goes wrong in its second frame.
struct Broken {
    mesh: ClipMesh,
    second: io::Result<Vec<Vec3>>,
}

impl Clip for Broken {
    fn meshes(&self) -> &[ClipMesh] {
        std::slice::from_ref(&self.mesh)
    }

    fn frame_count(&self) -> usize {
        3
    }

    fn fps(&self) -> f64 {
        25.0
    }

    fn positions(&self, _: usize, frame: usize) -> io::Result<Vec<Vec3>> {
        match (frame, &self.second) {
            (1, Ok(positions)) => Ok(positions.clone()),
            (1, Err(error)) => Err(io::Error::new(error.kind(), error.to_string())),
            _ => Ok(vec![Vec3::X, Vec3::Y, Vec3::Z]),
        }
    }
}

fn triangle() -> ClipMesh {
    ClipMesh { name: "rag".into(), triangles: vec![[0, 1, 2]], uvs: None, rigid: None }
}

#[test]
fn a_frame_that_goes_wrong_leaves_no_half_written_file() {
    let seconds = [
        (Ok(vec![Vec3::X, Vec3::NAN, Vec3::Z]), "vertex 1 of mesh 'rag' is not finite in frame 1"),
        (Ok(vec![Vec3::X]), "mesh 'rag' has 1 vertices in frame 1, not 3"),
        (Err(io::Error::other("the tape is torn")), "the tape is torn"),
    ];
    for (second, expected) in seconds {
        let clip = Broken { mesh: triangle(), second };
        for format in ClipFormat::ALL {
            let folder = Folder::new(&format!("broken-{format}"));
            let error = write_clip(format, &folder.0, "rag", &clip).unwrap_err().to_string();
            assert!(error.ends_with(expected), "{format}: {error}");
            let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().map(|e| e.unwrap().path()).collect();
            // A sequence keeps the frames before; nothing stays of anything else.
            let complete = format!("rag_0000.{}", format.extension());
            assert!(left.iter().all(|path| format.is_sequence() && path.ends_with(&complete)), "{left:?}");
        }
    }
}

#[test]
fn impossible_clips_are_refused() {
    let folder = Folder::new("impossible");
    let error = |clip: &MemoryClip, stem: &str| {
        let errors = ClipFormat::ALL.map(|f| write_clip(f, &folder.0, stem, clip).unwrap_err().to_string());
        assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
        errors[0].split_once(": cannot write: ").unwrap().1.to_owned()
    };
    let with = |mesh: ClipMesh, fps: f64| {
        let mut clip = MemoryClip::new(vec![mesh], fps);
        clip.push_frame(vec![vec![Vec3::X, Vec3::Y, Vec3::Z]]).unwrap();
        clip
    };
    assert_eq!(error(&MemoryClip::new(vec![triangle()], 24.0), "a"), "the clip has no frames");
    assert_eq!(error(&with(triangle(), 0.0), "a"), "0 frames per second; it must be a positive number");
    let outside = ClipMesh { triangles: vec![[0, 1, 3]], ..triangle() };
    assert_eq!(error(&with(outside, 1.0), "a"), "a triangle of mesh 'rag' names vertex 3 of 3");
    let empty = ClipMesh { triangles: Vec::new(), ..triangle() };
    assert_eq!(error(&with(empty, 1.0), "a"), "mesh 'rag' has 3 vertices and 0 triangles");
    let uvs = ClipMesh { uvs: Some(vec![[Vec2::NAN; 3]]), ..triangle() };
    assert_eq!(error(&with(uvs, 1.0), "a"), "mesh 'rag' has texture coordinates that are not finite");
    for stem in ["", "..", "a/b", "/tmp/a", "a\\b"] {
        assert_eq!(error(&with(triangle(), 1.0), stem), format!("'{stem}' cannot be the name of a file"));
    }
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
}

#[test]
fn frames_of_other_formats_are_refused() {
    let folder = Folder::new("no-sequence");
    let positions = [vec![Vec3::X, Vec3::Y, Vec3::Z]];
    for format in ClipFormat::ALL.into_iter().filter(|format| !format.is_sequence()) {
        let error =
            write_frame(format, &folder.0, "rag", &[triangle()], 0, DVec3::ZERO, &positions).unwrap_err();
        assert!(error.to_string().ends_with(&format!("{format} is not written frame by frame")));
    }
    let bad = [vec![Vec3::X, Vec3::Y, Vec3::INFINITY]];
    assert!(write_frame(ClipFormat::Obj, &folder.0, "rag", &[triangle()], 0, DVec3::ZERO, &bad).is_err());
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
}

#[test]
fn frames_that_do_not_fit_the_clip_are_refused() {
    let mut clip = waving(1);
    let counts = [0, 1].map(|m| clip.positions(m, 0).unwrap().len());
    let error = clip.push_frame(vec![vec![Vec3::ZERO; counts[0]]]).unwrap_err();
    assert_eq!(error, ClipError::MeshCount { given: 1, expected: 2 });
    let error = clip.push_frame(vec![vec![Vec3::ZERO; counts[0]], Vec::new()]).unwrap_err();
    let expected = format!("mesh 'skirt' has 0 vertices in frame 1, but {} in the first", counts[1]);
    assert_eq!(error.to_string(), expected);
    assert!(clip.positions(2, 0).is_err());
    assert!(clip.positions(0, 1).is_err());
}
