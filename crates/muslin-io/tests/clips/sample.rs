//! The clips that are written, and the folder that `cargo xtask interop` reads.

use std::path::{Path, PathBuf};

use glam::{Vec2, Vec3};
use muslin::mesh::TriMesh;
use muslin::mesh::generate::{alternating_grid, tube};
use muslin_io::{Clip, ClipFormat, ClipMesh, MemoryClip, write_clip};

/// A folder of its own for a test, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("muslin-io-clips-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A mesh as a part of a clip.
pub fn part(name: &str, mesh: &TriMesh) -> ClipMesh {
    ClipMesh { name: name.into(), triangles: mesh.triangles.clone(), uvs: mesh.uvs.clone(), rigid: None }
}

/// Texture coordinates with a seam: each triangle has its own piece of the picture.
fn torn(triangles: usize) -> Vec<[Vec2; 3]> {
    let corner = |t: usize| Vec2::new((t % 8) as f32 / 8.0, (t / 8) as f32 / 64.0);
    (0..triangles)
        .map(|t| [Vec2::ZERO, Vec2::new(0.1, 0.0), Vec2::new(0.0, 0.01)].map(|d| corner(t) + d))
        .collect()
}

/// A sheet and a skirt, waving. The sheet has texture coordinates without seams, the skirt with.
pub fn waving(frames: usize) -> MemoryClip {
    let mut sheet = alternating_grid(6, 4, 1.5, 1.0).unwrap();
    let flat = |v: u32| {
        let p = sheet.positions[v as usize];
        Vec2::new(p.x + p.z, p.y) * 0.3 + 0.5
    };
    sheet.uvs = Some(sheet.triangles.iter().map(|corners| corners.map(flat)).collect());
    let mut skirt = tube(0.3, 0.6, 10, 5).unwrap();
    skirt.uvs = Some(torn(skirt.triangles.len()));
    let mut clip = MemoryClip::new(vec![part("sheet", &sheet), part("skirt", &skirt)], 24.0);
    for frame in 0..frames {
        let time = frame as f32 / 24.0;
        let wave = |p: &Vec3| {
            let swing = (3.0 * p.x + 2.0 * p.y + 5.0 * p.z + 4.0 * time).sin();
            *p + Vec3::new(0.1 * time, 0.05 * swing, 0.15 * swing * time)
        };
        let moved = |mesh: &TriMesh| mesh.positions.iter().map(wave).collect::<Vec<_>>();
        clip.push_frame(vec![moved(&sheet), moved(&skirt)]).unwrap();
    }
    clip
}

/// Only one mesh of a clip.
pub fn only(clip: &MemoryClip, mesh: usize) -> MemoryClip {
    let mut single = MemoryClip::new(vec![clip.meshes()[mesh].clone()], clip.fps());
    for frame in 0..clip.frame_count() {
        single.push_frame(vec![clip.positions(mesh, frame).unwrap()]).unwrap();
    }
    single
}

/// What the checks of `cargo xtask interop` compare with: plain numbers and a description.
fn write_expected(folder: &Path, clip: &MemoryClip) {
    let mut meshes = Vec::new();
    for (m, mesh) in clip.meshes().iter().enumerate() {
        let frames = (0..clip.frame_count()).flat_map(|frame| clip.positions(m, frame).unwrap());
        let bytes: Vec<u8> = frames.flat_map(|p| p.to_array()).flat_map(f32::to_le_bytes).collect();
        std::fs::write(folder.join(format!("{}.f32", mesh.name)), bytes).unwrap();
        let vertices = clip.positions(m, 0).unwrap().len();
        let (name, triangles) = (&mesh.name, mesh.triangles.as_flattened());
        meshes.push(format!(r#"{{"name": "{name}", "vertices": {vertices}, "triangles": {triangles:?}}}"#));
    }
    let (frames, fps, meshes) = (clip.frame_count(), clip.fps(), meshes.join(", "));
    let text = format!(r#"{{"frames": {frames}, "fps": {fps}, "meshes": [{meshes}]}}"#);
    std::fs::write(folder.join("expected.json"), text).unwrap();
}

/// The same clip but for one vertex of each mesh in one frame, which is 0.01 mm off: what `cargo xtask interop`
/// has to tell from the right one.
fn slightly_wrong(clip: &MemoryClip) -> MemoryClip {
    let mut wrong = MemoryClip::new(clip.meshes().to_vec(), clip.fps());
    for frame in 0..clip.frame_count() {
        let mut positions: Vec<Vec<Vec3>> =
            (0..clip.meshes().len()).map(|m| clip.positions(m, frame).unwrap()).collect();
        if frame == clip.frame_count() / 2 {
            positions.iter_mut().for_each(|mesh| mesh[5].y += 1e-5);
        }
        wrong.push_frame(positions).unwrap();
    }
    wrong
}

/// All formats of one clip: for `cargo xtask interop`, which names the folder, or for nobody.
#[test]
fn every_format_writes_its_files_and_nothing_else() {
    let temporary = Folder::new("all");
    let asked = std::env::var_os("MUSLIN_INTEROP_FOLDER").map(PathBuf::from);
    let folder = asked.as_deref().unwrap_or(&temporary.0);
    let clip = waving(12);
    write_expected(folder, &clip);
    let mut written = Vec::new();
    for format in ClipFormat::ALL {
        written.extend(write_clip(format, folder, "wave", &clip).unwrap());
    }
    assert_eq!(written.len(), 12 + 24 + 2 + 2 + 1 + 1 + 24 + 1 + 2);
    for file in &written {
        assert!(std::fs::metadata(file).unwrap().len() > 100, "{}", file.display());
    }
    let present = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let foreign = |path: &PathBuf| {
        !written.contains(path) && path.extension().is_none_or(|e| e != "f32" && e != "json")
    };
    assert_eq!(present.filter(foreign).collect::<Vec<_>>(), Vec::<PathBuf>::new());
    if asked.is_some() {
        let wrong = folder.join("wrong");
        std::fs::create_dir_all(&wrong).unwrap();
        write_expected(&wrong, &clip);
        for format in ClipFormat::ALL {
            write_clip(format, &wrong, "wave", &slightly_wrong(&clip)).unwrap();
        }
    }
}
