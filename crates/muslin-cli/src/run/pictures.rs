//! Pictures of a finished run: PNGs of chosen frames and an animated GIF.
//!
//! They are made at the end, because only then is known how much room the cloth takes.

use std::path::{Path, PathBuf};

use muslin::collision::Collider;
use muslin_io::scene::{Animation, Pictures, Scene};
use muslin_io::{Clip, write_atomically};
use muslin_render::{GifWriter, RenderOptions, render};

use super::stage::Stage;
use super::stop::Stop;
use crate::failure::Failure;
use crate::progress::Progress;

/// The GIF has about this many frames per second, and is at most this wide.
const GIF_FPS: f64 = 25.0;
const GIF_WIDTH: u32 = 480;

/// Writes the pictures that a scene asks for; the files' paths. An error if the user wants to stop.
pub fn write(
    scene: &Scene,
    pictures: &Pictures,
    (clip, colliders): (&dyn Clip, &[&Collider]),
    folder: &Path,
    (progress, stop): (&mut Progress, &Stop),
) -> Result<Vec<PathBuf>, Failure> {
    let [width, height] = pictures.size;
    let stage = Stage::new(scene, clip, colliders, width as f32 / height as f32)?;
    let frames = clip.frame_count();
    let mut files = Vec::new();
    for frame in (0..frames).filter(|&frame| pictures.frames.contains(frame as u32, frames as u32)) {
        go_on(stop)?;
        progress.update(|| format!("picture of frame {frame}"));
        let options = RenderOptions { width, height, ..RenderOptions::default() };
        let picture = render(&stage.at(frame)?, &stage.camera, &options).map_err(Failure::run)?;
        let png = picture.to_png().map_err(Failure::run)?;
        let path = folder.join(format!("{}_{frame:04}.png", scene.name));
        write_atomically(&path, |file| file.write_all(&png))?;
        files.push(path);
    }
    if pictures.animation == Animation::Gif {
        let bytes = animation(&stage, pictures.size, clip, (progress, stop))?;
        let path = folder.join(format!("{}.gif", scene.name));
        write_atomically(&path, |file| file.write_all(&bytes))?;
        files.push(path);
    }
    Ok(files)
}

/// The animated GIF.
fn animation(
    stage: &Stage,
    [width, height]: [u32; 2],
    clip: &dyn Clip,
    (progress, stop): (&mut Progress, &Stop),
) -> Result<Vec<u8>, Failure> {
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
        go_on(stop)?;
        progress.update(|| format!("animation, frame {frame} of {}", clip.frame_count()));
        let picture = render(&stage.at(frame)?, &stage.camera, &options).map_err(Failure::run)?;
        gif.add(&picture).map_err(Failure::run)?;
    }
    gif.finish().map_err(Failure::run)
}

fn go_on(stop: &Stop) -> Result<(), Failure> {
    if stop.is_raised() { Err(Failure::run("stopped")) } else { Ok(()) }
}
