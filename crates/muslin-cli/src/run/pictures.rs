//! Pictures of a finished run: PNGs of chosen frames and an animated GIF.
//!
//! They are made at the end, because only then is known how much room the cloth takes.

use std::path::{Path, PathBuf};

use muslin_io::scene::{Animation, Pictures, Scene};
use muslin_io::{Clip, write_atomically};
use muslin_render::{
    Bounds, Camera, Color, GifWriter, Ground, RenderMesh, RenderOptions, RenderScene, render,
};

use crate::failure::Failure;
use crate::progress::Progress;

/// Colours of the cloths' two sides, in turn.
const COLORS: [(&str, &str); 4] =
    [("#b5473c", "#d9a05b"), ("#3f6f8f", "#9db8c4"), ("#5f7d4f", "#b9c08a"), ("#7a5c8a", "#c7a9c9")];

/// The GIF has about this many frames per second, and is at most this wide.
const GIF_FPS: f64 = 25.0;
const GIF_WIDTH: u32 = 480;

/// Writes the pictures that a scene asks for; the files' paths.
pub fn write(
    scene: &Scene,
    pictures: &Pictures,
    clip: &dyn Clip,
    folder: &Path,
    progress: &mut Progress,
) -> Result<Vec<PathBuf>, Failure> {
    let bounds = bounds(clip)?;
    let camera = camera(scene, &bounds, pictures.size);
    let ground = ground(scene, &bounds);
    let [width, height] = pictures.size;
    let mut files = Vec::new();
    for frame in (0..clip.frame_count()).filter(|&frame| pictures.frames.contains(frame as u32)) {
        progress.update(|| format!("picture of frame {frame}"));
        let options = RenderOptions { width, height, ..RenderOptions::default() };
        let picture = render(&stage(scene, clip, frame, ground)?, &camera, &options).map_err(Failure::run)?;
        let png = picture.to_png().map_err(Failure::run)?;
        let path = folder.join(format!("{}_{frame:04}.png", scene.name));
        write_atomically(&path, |file| file.write_all(&png))?;
        files.push(path);
    }
    if pictures.animation == Animation::Gif {
        files.push(animation(scene, pictures, clip, folder, &camera, ground, progress)?);
    }
    Ok(files)
}

/// The animated GIF.
fn animation(
    scene: &Scene,
    pictures: &Pictures,
    clip: &dyn Clip,
    folder: &Path,
    camera: &Camera,
    ground: Option<f32>,
    progress: &mut Progress,
) -> Result<PathBuf, Failure> {
    let [width, height] = pictures.size;
    let small = width.min(GIF_WIDTH);
    let options = RenderOptions {
        width: small,
        height: (u64::from(height) * u64::from(small) / u64::from(width)).max(1) as u32,
        samples: 2,
    };
    let every = (clip.fps() / GIF_FPS).round().max(1.0) as usize;
    let mut gif = GifWriter::new(Vec::new(), options.width, options.height, clip.fps() / every as f64)
        .map_err(Failure::run)?;
    for frame in (0..clip.frame_count()).step_by(every) {
        progress.update(|| format!("animation, frame {frame} of {}", clip.frame_count()));
        let picture = render(&stage(scene, clip, frame, ground)?, camera, &options).map_err(Failure::run)?;
        gif.add(&picture).map_err(Failure::run)?;
    }
    let bytes = gif.finish().map_err(Failure::run)?;
    let path = folder.join(format!("{}.gif", scene.name));
    write_atomically(&path, |file| file.write_all(&bytes))?;
    Ok(path)
}

/// The scene's camera, or one that sees everything that happens.
fn camera(scene: &Scene, bounds: &Bounds, [width, height]: [u32; 2]) -> Camera {
    match scene.camera {
        Some(muslin_io::scene::Camera { eye, target, up, fov_degrees }) => {
            Camera { eye, target, up, fov_degrees }
        }
        None => Camera::framing(bounds, scene.up.direction(), width as f32 / height as f32),
    }
}

/// The space that the cloth takes over all frames.
fn bounds(clip: &dyn Clip) -> Result<Bounds, Failure> {
    let mut bounds = Bounds::of(&[]);
    for frame in 0..clip.frame_count() {
        for mesh in 0..clip.meshes().len() {
            bounds = bounds.union(Bounds::of(&clip.positions(mesh, frame).map_err(Failure::run)?));
        }
    }
    Ok(bounds)
}

/// The height of a ground a little below everything that happens.
fn ground(scene: &Scene, bounds: &Bounds) -> Option<f32> {
    let size = (bounds.max - bounds.min).length();
    (!bounds.is_empty()).then(|| bounds.min.dot(scene.up.direction()) - 0.08 * size)
}

/// Everything that is drawn in a frame.
fn stage(scene: &Scene, clip: &dyn Clip, frame: usize, ground: Option<f32>) -> Result<RenderScene, Failure> {
    let mut meshes = Vec::new();
    for (number, mesh) in clip.meshes().iter().enumerate() {
        let positions = clip.positions(number, frame).map_err(Failure::run)?;
        let (front, back) = COLORS[number % COLORS.len()];
        let color = |text| Color::from_hex(text).unwrap_or(Color([160, 160, 160]));
        meshes.push(RenderMesh::cloth(positions, mesh.triangles.clone(), color(front), color(back)));
    }
    Ok(RenderScene {
        meshes,
        up: scene.up.direction(),
        ground: ground.map(Ground::at),
        ..RenderScene::default()
    })
}
