//! Pictures of a finished run: PNGs of chosen frames and an animated GIF, of the same frames unless the scene says
//! otherwise.
//!
//! They are made at the end, because only then is known how much room the cloth takes.

use std::path::{Path, PathBuf};

use muslin::collision::Collider;
use muslin_io::scene::{Animation, Pictures, Scene};
use muslin_io::{Clip, write_atomically};
use muslin_render::{FRAME_SECONDS, GifWriter, RenderOptions, render};

use super::stage::Stage;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::run::stop::Stop;

/// The GIF is at most this wide.
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
        check_not_stopped(stop)?;
        progress.update(|| format!("picture of frame {frame}"));
        let options = RenderOptions { width, height, ..RenderOptions::default() };
        let picture = render(&stage.at(frame)?, &stage.camera, &options).map_err(Failure::run)?;
        let png = picture.to_png().map_err(Failure::run)?;
        let path = folder.join(format!("{}_{frame:04}.png", scene.name));
        write_atomically(&path, |file| file.write_all(&png))?;
        files.push(path);
    }
    if pictures.animation == Animation::Gif {
        let bytes = animation(&stage, pictures, clip, (progress, stop))?;
        let path = folder.join(format!("{}.gif", scene.name));
        write_atomically(&path, |file| file.write_all(&bytes))?;
        files.push(path);
    }
    Ok(files)
}

/// The animated GIF.
fn animation(
    stage: &Stage,
    pictures: &Pictures,
    clip: &dyn Clip,
    (progress, stop): (&mut Progress, &Stop),
) -> Result<Vec<u8>, Failure> {
    let [width, height] = pictures.size;
    let small = width.min(GIF_WIDTH);
    let options = RenderOptions {
        width: small,
        height: (u64::from(height) * u64::from(small) / u64::from(width)).max(1) as u32,
        samples: 2,
    };
    let mut gif = GifWriter::new(Vec::new(), options.width, options.height).map_err(Failure::run)?;
    for (frame, seconds) in film(pictures, clip.frame_count(), clip.fps()) {
        check_not_stopped(stop)?;
        progress.update(|| format!("animation, frame {frame} of {}", clip.frame_count()));
        let picture = render(&stage.at(frame)?, &stage.camera, &options).map_err(Failure::run)?;
        gif.add(&picture, seconds).map_err(Failure::run)?;
    }
    gif.finish().map_err(Failure::run)
}

/// The frames of the film, and how many seconds each is shown: until the next one, so that the film is as fast as
/// the simulation. The last is shown as long as the one before it, a single one for a second.
///
/// A GIF cannot show a frame for less than 0.02 s. What follows sooner is left out: a film with gaps is better than
/// one that is slow.
fn film(pictures: &Pictures, frame_count: usize, fps: f64) -> Vec<(usize, f64)> {
    let (shortest, longest) = (*FRAME_SECONDS.start(), *FRAME_SECONDS.end());
    let mut frames: Vec<usize> = Vec::new();
    for frame in (0..frame_count).filter(|&frame| pictures.in_animation(frame as u32, frame_count as u32)) {
        // Frames of 0.02 s may have been rounded to a little less.
        let soon = |last: &usize| (frame - last) as f64 / fps < shortest * (1.0 - 1e-9);
        if !frames.last().is_some_and(soon) {
            frames.push(frame);
        }
    }
    let gaps = frames.windows(2).map(|pair| ((pair[1] - pair[0]) as f64 / fps).clamp(shortest, longest));
    let mut seconds: Vec<f64> = gaps.collect();
    seconds.push(seconds.last().copied().unwrap_or(1.0));
    frames.into_iter().zip(seconds).collect()
}

fn check_not_stopped(stop: &Stop) -> Result<(), Failure> {
    if stop.is_raised() { Err(Failure::run("stopped")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use muslin_io::scene::PictureFrames;

    use super::*;

    fn pictures(frames: PictureFrames, animation_every: Option<u32>) -> Pictures {
        Pictures { frames, size: [64, 48], animation: Animation::Gif, animation_every }
    }

    #[test]
    fn every_60th_frame_made_a_film_of_150() {
        let film = film(&pictures(PictureFrames::Every(60), None), 300, 60.0);
        assert_eq!(film, [0, 60, 120, 180, 240].map(|frame| (frame, 1.0)));
    }

    #[test]
    fn frames_are_shown_until_the_next() {
        let film = film(&pictures(PictureFrames::List(vec![0, 3, 12]), None), 20, 24.0);
        assert_eq!(film, [(0, 0.125), (3, 0.375), (12, 0.375)]);
    }

    #[test]
    fn a_film_may_have_other_frames_than_the_pictures() {
        let film = film(&pictures(PictureFrames::Last, Some(2)), 7, 50.0);
        assert_eq!(film, [0, 2, 4, 6].map(|frame| (frame, 0.04)));
    }

    #[test]
    fn what_a_gif_cannot_show_is_left_out_and_the_speed_kept() {
        let all = pictures(PictureFrames::Every(1), None);
        let frames = |fps: f64| film(&all, 5, fps).iter().map(|(frame, _)| *frame).collect::<Vec<_>>();
        assert_eq!((frames(50.0), frames(60.0)), (vec![0, 1, 2, 3, 4], vec![0, 2, 4]));
        assert_eq!(film(&all, 5, 60.0)[0].1, 2.0 / 60.0);
        let rare = film(&pictures(PictureFrames::List(vec![0, 40_000]), None), 40_001, 60.0);
        assert_eq!(rare, [(0, 655.35), (40_000, 655.35)]);
    }

    #[test]
    fn a_single_picture_is_a_film_of_one_frame() {
        assert_eq!(film(&pictures(PictureFrames::Last, None), 9, 60.0), [(8, 1.0)]);
        assert_eq!(film(&pictures(PictureFrames::Last, None), 0, 60.0), []);
    }
}
