//! Animated GIFs, frame by frame.
//!
//! Pictures in → a GIF file out. Each frame stores only the rectangle that changed, with its own
//! palette, and what did not change in it as transparent: a still background costs nothing and
//! does not flicker.

mod palette;

use std::io::Write;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::picture::check_size;
use crate::{Picture, RenderError};
use palette::Palette;

/// How long a GIF can show a frame, in seconds: browsers slow down what is shorter, and the format has 16 bits for
/// hundredths.
pub const FRAME_SECONDS: std::ops::RangeInclusive<f64> = 0.02..=655.35;
/// The palette entry that leaves the pixel as it was.
const TRANSPARENT: u8 = 255;

/// The frames as an animated GIF that repeats for ever.
pub fn animation_gif(frames: &[Picture], frames_per_second: f64) -> Result<Vec<u8>, RenderError> {
    let [width, height] = frames.first().map_or([1, 1], |f| [f.width, f.height]);
    let mut writer = GifWriter::new(Vec::new(), width, height)?;
    for frame in frames {
        writer.add(frame, 1.0 / frames_per_second)?;
    }
    writer.finish()
}

/// Writes an animated GIF frame by frame, so that the frames need not be kept.
pub struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    size: [u32; 2],
    /// The sum of all frames so far, in seconds.
    time: f64,
    /// The last frame as it was given, not as the palette shows it.
    last: Vec<[u8; 3]>,
}

impl<W: Write> std::fmt::Debug for GifWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GifWriter")
            .field("size", &self.size)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

impl<W: Write> GifWriter<W> {
    /// Begins a GIF that repeats for ever.
    pub fn new(writer: W, width: u32, height: u32) -> Result<Self, RenderError> {
        check_size(width, height)?;
        let mut encoder = Encoder::new(writer, width as u16, height as u16, &[])?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self { encoder, size: [width, height], time: 0.0, last: Vec::new() })
    }

    /// Adds a frame that is shown for this many seconds, within [`FRAME_SECONDS`].
    pub fn add(&mut self, picture: &Picture, seconds: f64) -> Result<(), RenderError> {
        picture.check()?;
        if !FRAME_SECONDS.contains(&seconds) {
            return Err(RenderError::FrameTime(seconds));
        }
        let found = [picture.width, picture.height];
        if found != self.size {
            return Err(RenderError::FrameSize { expected: self.size, found });
        }
        let (rectangle, changed) = self.difference(picture);
        let palette = Palette::new(changed.iter().flatten().copied());
        let mut colors = palette.bytes();
        colors.resize(3 * usize::from(TRANSPARENT) + 3, 0);
        let mut map = palette.mapper();
        let [left, top, width, height] = rectangle;
        let places = (0..height).flat_map(|y| (0..width).map(move |x| [left + x, top + y]));
        let buffer: Vec<u8> = (changed.iter().zip(places))
            .map(|(color, place)| color.map_or(TRANSPARENT, |c| map.index(c, place)))
            .collect();
        self.encoder.write_frame(&Frame {
            delay: self.delay(seconds),
            dispose: DisposalMethod::Keep,
            transparent: Some(TRANSPARENT),
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: height as u16,
            palette: Some(colors),
            buffer: buffer.into(),
            ..Frame::default()
        })?;
        self.time += seconds;
        self.last.clone_from(&picture.pixels);
        Ok(())
    }

    /// Ends the file and gives the writer back.
    pub fn finish(self) -> Result<W, RenderError> {
        self.encoder.into_inner().map_err(RenderError::Gif)
    }

    /// The rectangle (left, top, width, height) around what changed, and its pixels; `None` for
    /// those that did not change.
    fn difference(&self, picture: &Picture) -> ([u32; 4], Vec<Option<[u8; 3]>>) {
        let [width, height] = self.size;
        if self.last.is_empty() {
            return ([0, 0, width, height], picture.pixels.iter().copied().map(Some).collect());
        }
        let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
        let rows = picture.pixels.chunks(width as usize).zip(self.last.chunks(width as usize));
        for (y, (new, old)) in (0..).zip(rows) {
            let differs = |(a, b): (&[u8; 3], &[u8; 3])| a != b;
            let Some(first) = new.iter().zip(old).position(differs) else { continue };
            let last = new.iter().zip(old).rposition(differs).unwrap_or(first);
            (left, right) = (left.min(first as u32), right.max(last as u32 + 1));
            (top, bottom) = (top.min(y), y + 1);
        }
        if right == 0 {
            // A frame must have a pixel to have a delay.
            return ([0, 0, 1, 1], vec![None]);
        }
        let places = (top..bottom).flat_map(|y| (left..right).map(move |x| (y * width + x) as usize));
        let changed = places.map(|at| (picture.pixels[at] != self.last[at]).then_some(picture.pixels[at]));
        ([left, top, right - left, bottom - top], changed.collect())
    }

    /// Hundredths of a second until the next frame, rounded so that the sum is right.
    fn delay(&self, seconds: f64) -> u16 {
        let hundredths = |time: f64| (100.0 * time).round();
        (hundredths(self.time + seconds) - hundredths(self.time)) as u16
    }
}
