//! From a [`Source`] to what can be simulated or played back. Reads files, builds nothing that is slow.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use muslin_io::MemoryFiles;
use muslin_io::scene::{ColliderShape, Mesh, MeshSource, ReadOptions, Scene};

use super::recording::Recording;
use super::{Dropped, Source, gallery};

/// Extensions of meshes that can become cloth.
const MESHES: [&str; 5] = ["obj", "ply", "stl", "gltf", "glb"];

/// What a source turned out to be.
#[derive(Debug)]
pub enum Opened {
    /// Something to be simulated.
    Scene(Box<OpenedScene>),
    /// Something to be played back.
    Recording(Box<Recording>),
}

/// A scene that was read.
#[derive(Clone, Debug)]
pub struct OpenedScene {
    /// What to call it.
    pub title: String,
    /// As it stands in its file.
    pub original: Arc<str>,
    /// With all changes.
    pub text: Arc<str>,
    /// Read from `text`.
    pub scene: Scene,
    /// The file to be watched, and all others that it names.
    pub watched: Vec<PathBuf>,
    place: Place,
}

/// Where a text is from, and where what it names is looked for.
#[derive(Clone, Debug)]
struct Place {
    /// What errors name.
    file: String,
    folder: PathBuf,
    options: ReadOptions,
}

impl OpenedScene {
    /// The same with another text: meshes are found where they were. The error is what to tell a user.
    pub fn with_text(&self, text: &str) -> Result<Self, String> {
        let scene = self.place.read(text)?;
        Ok(Self { text: text.into(), scene, ..self.clone() })
    }

    fn new(title: String, text: &str, place: Place, file: Option<&Path>) -> Result<Self, String> {
        let scene = place.read(text)?;
        let text: Arc<str> = text.into();
        let mut watched: Vec<PathBuf> = file.into_iter().map(Path::to_path_buf).collect();
        if file.is_some() {
            watched.extend(files_of(&scene));
        }
        Ok(Self { title, original: text.clone(), text, scene, watched, place })
    }
}

impl Place {
    fn read(&self, text: &str) -> Result<Scene, String> {
        let scene = Scene::parse(text, &self.file, &self.folder, &self.options);
        let mut scene = scene.map_err(|error| error.to_string())?;
        if cfg!(target_arch = "wasm32") {
            // A page has one.
            scene.solver.threads = 1;
        }
        Ok(scene)
    }

    fn in_memory(name: &str, files: MemoryFiles) -> Self {
        let options = ReadOptions { allow_outside: false, files: Some(files) };
        Self { file: format!("{name}.toml"), folder: PathBuf::new(), options }
    }
}

/// Opens a source. The error is what to tell a user: of a scene with file, line and field.
pub fn open(source: &Source, allow_outside: bool) -> Result<Opened, String> {
    let scene = match source {
        Source::Empty => return Err("there is nothing to open".to_owned()),
        Source::Gallery(name) => {
            let text = gallery::text(name).ok_or_else(|| format!("the gallery has no scene {name:?}"))?;
            OpenedScene::new(name.clone(), text, Place::in_memory(name, gallery::files()), None)?
        }
        Source::Text { name, text } => {
            OpenedScene::new(name.clone(), text, Place::in_memory(name, gallery::files()), None)?
        }
        Source::Files(files) => return open_files(files),
        Source::Path(path) => return open_path(path, allow_outside),
    };
    Ok(Opened::Scene(Box::new(scene)))
}

fn open_path(path: &Path, allow_outside: bool) -> Result<Opened, String> {
    if path.is_dir() {
        return Recording::read(path).map(|recording| Opened::Recording(Box::new(recording)));
    }
    let extension = extension(path);
    let bytes = || std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    if extension == "toml" {
        let bytes = bytes()?;
        // What is wrong with its text is said by who reads the file.
        let options = ReadOptions { allow_outside, files: None };
        let Ok(text) = String::from_utf8(bytes) else {
            let error = Scene::read(path, &options).err().map(|error| error.to_string());
            return Err(error.unwrap_or_else(|| format!("{}: this is not UTF-8 text", path.display())));
        };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let place = Place { file: path.display().to_string(), folder, options };
        let scene = OpenedScene::new(stem(path), &text, place, Some(path))?;
        return Ok(Opened::Scene(Box::new(scene)));
    }
    if Recording::reads(path) {
        return Recording::read(path).map(|recording| Opened::Recording(Box::new(recording)));
    }
    if MESHES.contains(&extension.as_str()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return open_files(&[Dropped { name, content: bytes()?.into() }]);
    }
    Err(format!(
        "{}: not something to open; a scene (.toml), a mesh (.obj, .ply, .stl, .gltf, .glb), a clip (.npz, .glb) or a folder that \
         `muslin run` wrote is",
        path.display()
    ))
}

/// The first that is a scene, with the others beside it; without one the first mesh.
fn open_files(files: &[Dropped]) -> Result<Opened, String> {
    let plain = |file: &Dropped| file.name.replace('\\', "/");
    let memory: MemoryFiles = files
        .iter()
        .flat_map(|file| {
            // A scene may name it in a folder, a browser gives the name alone: both are found.
            let name = plain(file);
            let short = name.rsplit('/').next().unwrap_or(&name).to_owned();
            [(name.clone(), file.content.clone()), (short, file.content.clone())]
        })
        .collect();
    let with = |extensions: &[&str]| {
        files.iter().find(|file| extensions.contains(&extension(Path::new(&file.name)).as_str()))
    };
    if let Some(file) = with(&["toml"]) {
        let name = stem(Path::new(&file.name));
        let text = std::str::from_utf8(&file.content)
            .map_err(|_| format!("{}: this is not UTF-8 text", file.name))?;
        let place = Place::in_memory(&name, memory);
        return OpenedScene::new(name, text, place, None).map(|scene| Opened::Scene(Box::new(scene)));
    }
    let Some(file) = with(&MESHES) else {
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        return Err(format!("neither a scene nor a mesh: {}", names.join(", ")));
    };
    let text = scene_of_mesh(file)?;
    let name = stem(Path::new(&file.name));
    let place = Place::in_memory(&name, memory);
    OpenedScene::new(name, &text, place, None).map(|scene| Opened::Scene(Box::new(scene)))
}

/// A scene in which a mesh is cloth that falls onto a ground: made as large as something that is held in two hands if it is very
/// much larger or smaller, and mended if it needs that.
fn scene_of_mesh(file: &Dropped) -> Result<String, String> {
    let mesh = muslin_io::parse_mesh(&file.name, &file.content).map_err(|error| error.to_string())?;
    let (low, high) = mesh.bounds().ok_or_else(|| format!("{}: there is nothing in it", file.name))?;
    let size = (high - low).max_element();
    let scale = if (0.05..=5.0).contains(&size) || size <= 0.0 { 1.0 } else { 1.0 / size };
    let middle = 0.5 * (low + high) * scale;
    let lift = 0.3 * size * scale - low.y * scale;
    let name = file.name.replace('\\', "/");
    let name = name.rsplit('/').next().unwrap_or(&name);
    Ok(format!(
        "# {name} as cloth over a ground.\n\n[time]\nsubsteps = 4\n\n[[cloth]]\nname = \"cloth\"\nmesh = {{ file = {name:?}, repair = true }}\n\
         fabric = \"cotton\"\ntransform = {{ scale = {scale:?}, translate = [{:?}, {lift:?}, {:?}] }}\n\n[[collider]]\nname = \"ground\"\n\
         plane = {{}}\nfriction = 0.5\n\n[collision]\nstart = \"ignore\"\n",
        -middle.x, -middle.z
    ))
}

/// The files that a scene names.
fn files_of(scene: &Scene) -> Vec<PathBuf> {
    let of_mesh = |mesh: &Mesh| match &mesh.source {
        MeshSource::File { path } => Some(path.clone()),
        _ => None,
    };
    let mut files: Vec<PathBuf> = scene.cloths.iter().filter_map(|cloth| of_mesh(&cloth.mesh)).collect();
    files.extend(scene.cloths.iter().filter_map(|cloth| cloth.start.clone()));
    for collider in &scene.colliders {
        match &collider.shape {
            ColliderShape::Mesh(mesh) => files.extend(of_mesh(mesh)),
            ColliderShape::Sequence(sequence, _) => files.extend(sequence.iter().cloned()),
            _ => {}
        }
    }
    files
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if stem.is_empty() { "scene".to_owned() } else { stem }
}
