//! What was simulated before, frame by frame: folders that `muslin run` wrote, clips.

use std::path::Path;
use std::sync::Arc;

use glam::{DVec3, Vec2, Vec3};
use muslin_io::scene::{ReadOptions, Scene};
use muslin_io::{ClipMesh, ReadClip, UpAxis, is_clip, read_clip};

/// A recording. Its meshes are known from the start; frames are read when they are asked for.
pub struct Recording {
    /// What to call it.
    pub title: String,
    /// Frames per second.
    pub fps: f64,
    /// How many there are; at least one.
    pub frames: usize,
    /// What is up.
    pub up: Vec3,
    /// Where the zero of its positions is in the world.
    pub origin: DVec3,
    /// Cloths, then bodies.
    pub meshes: Vec<RecordedMesh>,
    clip: ReadClip,
    /// For each of the meshes its number in the clip.
    numbers: Vec<usize>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording")
            .field("title", &self.title)
            .field("frames", &self.frames)
            .finish_non_exhaustive()
    }
}

/// A mesh that moves.
#[derive(Clone, Debug)]
pub struct RecordedMesh {
    /// As in the scene.
    pub name: String,
    /// Whether it is drawn as a solid.
    pub is_body: bool,
    /// Three vertices each.
    pub triangles: Arc<[[u32; 3]]>,
    /// Flat coordinates of its vertices, metres; may be empty.
    pub flat: Arc<[Vec2]>,
}

impl Recording {
    /// Whether a file is a clip.
    pub fn reads(path: &Path) -> bool {
        is_clip(path)
    }

    /// Reads a folder or a clip. The error is what to tell a user.
    pub fn read(path: &Path) -> Result<Self, String> {
        let clip = read_clip(path).map_err(|error| error.to_string())?;
        let scene = scene_of(path);
        let is_body = |mesh: &ClipMesh| {
            let named =
                scene.as_ref().is_some_and(|scene| scene.bodies.iter().any(|body| body.name == mesh.name));
            named || mesh.rigid.is_some()
        };
        let mut numbers: Vec<usize> = (0..clip.meshes().len()).collect();
        numbers.sort_by_key(|&number| is_body(&clip.meshes()[number]));
        let recorded = |&number: &usize| {
            let mesh = &clip.meshes()[number];
            RecordedMesh {
                name: mesh.name.clone(),
                is_body: is_body(mesh),
                triangles: mesh.triangles.as_slice().into(),
                flat: flat(mesh).into(),
            }
        };
        let title = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        // Sequences know neither, but the scene that they were made of does.
        let has_time = path.is_file()
            || std::fs::read_dir(path).is_ok_and(|entries| {
                entries.flatten().any(|entry| entry.path().extension().is_some_and(|own| own == "npz"))
            });
        let fps = scene.as_ref().filter(|_| !has_time).map_or(clip.fps(), |scene| scene.time.fps);
        let is_gltf = path.extension().is_some_and(|own| own == "glb");
        let up = scene.as_ref().filter(|_| !is_gltf).map_or(clip.up_axis(), |scene: &Scene| scene.up);
        Ok(Self {
            title,
            fps,
            frames: clip.frame_count(),
            up: UpAxis::direction(up),
            origin: clip.origin(),
            meshes: numbers.iter().map(recorded).collect(),
            clip,
            numbers,
        })
    }

    /// The positions of each mesh in a frame.
    pub fn frame(&mut self, number: usize) -> Result<Vec<Arc<[Vec3]>>, String> {
        let number = number.min(self.frames - 1);
        let positions = |&mesh: &usize| {
            let positions = self.clip.positions(mesh, number);
            positions.map(Arc::from).map_err(|error| format!("frame {number} cannot be read: {error}"))
        };
        self.numbers.iter().map(positions).collect()
    }
}

/// The scene that a folder was made of, where `muslin run` puts it: `out/name` beside `name.toml`.
fn scene_of(path: &Path) -> Option<Scene> {
    let folder = if path.is_dir() {
        path.canonicalize().ok()?
    } else {
        path.canonicalize().ok()?.parent()?.to_owned()
    };
    let mut name = folder.file_name()?.to_owned();
    name.push(".toml");
    let scene = folder.parent()?.parent()?.join(name);
    Scene::read(scene, &ReadOptions { allow_outside: true, files: None }).ok()
}

/// Texture coordinates of vertices, where there are any.
fn flat(mesh: &ClipMesh) -> Vec<Vec2> {
    let Some(uvs) = &mesh.uvs else { return Vec::new() };
    let count = mesh.triangles.iter().flatten().max().map_or(0, |last| *last as usize + 1);
    let mut flat = vec![Vec2::ZERO; count];
    for (corners, uvs) in mesh.triangles.iter().zip(uvs) {
        for (&v, uv) in corners.iter().zip(uvs) {
            flat[v as usize] = *uv;
        }
    }
    flat
}
