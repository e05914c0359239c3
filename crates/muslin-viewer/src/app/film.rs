//! Pictures and films of what is seen: asked for, fetched from the device, made into files.

use muslin_render::{GifWriter, Picture};

use super::stage::Stage;
use crate::draw::{Options, PendingPicture, View};
use crate::session::{Frame, SavedFile};

/// Width of a film in pixels.
const WIDTH: f32 = 480.0;
/// Seconds between a film's pictures.
const PERIOD: f64 = 1.0 / 15.0;
/// The shortest that a film shows a picture, seconds.
const SHORTEST: f64 = 0.02;

/// What is being taken.
#[derive(Debug, Default)]
pub struct Camera {
    still: Option<(PendingPicture, String)>,
    film: Option<Film>,
}

/// What a picture is taken of.
#[derive(Clone, Copy, Debug)]
pub struct Shot<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// From where.
    pub view: View,
    /// How.
    pub options: Options,
    /// Pixels of the picture in the window.
    pub size: [u32; 2],
}

#[derive(Debug)]
struct Film {
    name: String,
    /// When it began, and how long it is to be, seconds.
    start: f64,
    seconds: f64,
    /// The picture that is on its way, and when it was asked for.
    pending: Option<(PendingPicture, f64)>,
    /// The picture that is shown until the next one, and since when.
    last: Option<(Picture, f64)>,
    writer: Option<GifWriter<Vec<u8>>>,
}

impl Camera {
    /// Asks for a picture.
    pub fn take(&mut self, stage: &mut Stage, shot: &Shot<'_>) {
        let picture = stage.picture(shot.frame, shot.view, shot.options, shot.size);
        self.still = Some((picture, name(shot.frame, "png")));
    }

    /// Begins a film, or ends the one that goes on.
    pub fn film(&mut self, frame: &Frame, now: f64, seconds: f64) {
        match &mut self.film {
            Some(film) => film.seconds = 0.0,
            None => {
                let (pending, last, writer) = (None, None, None);
                self.film =
                    Some(Film { name: name(frame, "gif"), start: now, seconds, pending, last, writer });
            }
        }
    }

    /// Whether something is being taken.
    pub fn is_busy(&self) -> bool {
        self.still.is_some() || self.film.is_some()
    }

    /// How much of a film is there.
    pub fn share(&self, now: f64) -> Option<f32> {
        self.film.as_ref().map(|film| ((now - film.start) / film.seconds.max(1e-3)).clamp(0.0, 1.0) as f32)
    }

    /// Takes what has arrived; what is complete is a file, or a sentence on why not.
    pub fn tick(&mut self, stage: &mut Stage, shot: &Shot<'_>, now: f64) -> Vec<Result<SavedFile, String>> {
        if self.is_busy() {
            stage.poll();
        }
        let mut done = Vec::new();
        if let Some((pending, name)) = &mut self.still
            && let Some(picture) = pending.try_take()
        {
            let file = picture.to_png().map(|content| SavedFile { name: name.clone(), content });
            done.push(file.map_err(|error| format!("The picture cannot be written: {error}")));
            self.still = None;
        }
        if let Some(film) = &mut self.film {
            match film.tick(stage, shot, now) {
                Ok(None) => {}
                Ok(Some(file)) => {
                    done.push(Ok(file));
                    self.film = None;
                }
                Err(error) => {
                    done.push(Err(format!("The film cannot be written: {error}")));
                    self.film = None;
                }
            }
        }
        done
    }
}

impl Film {
    fn tick(
        &mut self,
        stage: &mut Stage,
        shot: &Shot<'_>,
        now: f64,
    ) -> Result<Option<SavedFile>, muslin_render::RenderError> {
        if let Some((pending, asked)) = &mut self.pending
            && let Some(picture) = pending.try_take()
        {
            let asked = *asked;
            self.pending = None;
            self.add(picture, asked)?;
        }
        let is_over = now - self.start >= self.seconds;
        if self.pending.is_none() && is_over && self.last.is_some() {
            self.show_last(now)?;
            let content = self.writer.take().map(GifWriter::finish).transpose()?.unwrap_or_default();
            return Ok(Some(SavedFile { name: self.name.clone(), content }));
        }
        let is_due = self.last.as_ref().is_none_or(|(_, since)| now - since >= PERIOD);
        if self.pending.is_none() && is_due {
            let scale = (WIDTH / shot.size[0].max(1) as f32).min(1.0);
            let size = match &self.last {
                Some((picture, _)) => [picture.width, picture.height],
                None => shot.size.map(|side| ((side as f32 * scale) as u32).max(2)),
            };
            self.pending = Some((stage.picture(shot.frame, shot.view, shot.options, size), now));
        }
        Ok(None)
    }

    fn add(&mut self, picture: Picture, asked: f64) -> Result<(), muslin_render::RenderError> {
        if self.writer.is_none() {
            self.writer = Some(GifWriter::new(Vec::new(), picture.width, picture.height)?);
        }
        self.show_last(asked)?;
        self.last = Some((picture, asked));
        Ok(())
    }

    fn show_last(&mut self, until: f64) -> Result<(), muslin_render::RenderError> {
        if let (Some(writer), Some((picture, since))) = (&mut self.writer, self.last.take()) {
            writer.add(&picture, (until - since).clamp(SHORTEST, 10.0))?;
        }
        Ok(())
    }
}

/// A name for a file of what is open.
pub fn name(frame: &Frame, extension: &str) -> String {
    let letters = frame.title.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' });
    let title: String = letters.collect();
    let title = title.trim_matches('_');
    format!("{}.{extension}", if title.is_empty() { "muslin" } else { title })
}
