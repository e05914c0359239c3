//! The end of a run: single-file formats, indices, pictures, plots, and the summary.

mod pictures;
mod stage;
mod stale;
mod summary;

use std::path::{Path, PathBuf};

use glam::Vec3;
use muslin_io::{
    Clip, ClipFormat, frame_files, write_atomically, write_clip, write_frame, write_sequence_index,
};

use super::checkpoints;
use super::metrics::plots;
use super::session::{End, Session};
use crate::failure::Failure;
use crate::progress::Progress;
use summary::Summary;

impl Session {
    /// Puts everything together and sums the run up.
    pub(super) fn finish(mut self, progress: &mut Progress) -> Result<(), Failure> {
        if let Err(failure) = self.write_files(progress) {
            // Whatever was being written then failed because of that.
            return match self.stop.is_raised() {
                true => {
                    let message =
                        format!("stopped after all {} frames, while files were written", self.done());
                    self.stopped(message, progress)
                }
                false => Err(failure),
            };
        }
        progress.clear();
        let summary = Summary::new(&self, stale::files(&self));
        let keep = match (self.options.checkpoint_every, &self.end) {
            // So that the run can be made longer later.
            (Some(_), End::Last) => self.write_checkpoint().map(|_| true)?,
            // The last checkpoint, which needs the frames, is a place to go on from with other options.
            _ => matches!(self.end, End::Diverged(_)) && checkpoints::exist(&self.folder),
        };
        if !keep {
            checkpoints::remove(&self.folder);
            self.store.remove();
        }
        summary.print(self.options.json)?;
        summary.verdict()
    }

    /// Ends a run that the user wants to stop: with a checkpoint, and how to go on from it.
    pub(super) fn stopped(self, message: String, progress: &mut Progress) -> Result<(), Failure> {
        self.interrupted(End::Stopped(message.clone()), message, "", progress)
    }

    /// Ends a run whose device has failed in the same way: the state before that is still known.
    pub(super) fn device_failed(self, message: String, progress: &mut Progress) -> Result<(), Failure> {
        let elsewhere = ", or without the GPU: --backend cpu";
        self.interrupted(End::DeviceFailed(message.clone()), message, elsewhere, progress)
    }

    fn interrupted(
        mut self,
        end: End,
        message: String,
        elsewhere: &str,
        progress: &mut Progress,
    ) -> Result<(), Failure> {
        progress.clear();
        let checkpoint = self.write_checkpoint()?;
        self.end = end;
        let failure = Failure::run(message).hint(resume_hint(&checkpoint) + elsewhere);
        if !self.options.json {
            return Err(failure);
        }
        self.files = self.sequence_files()?.into_iter().filter(|file| file.exists()).collect();
        Summary::new(&self, Vec::new()).print(true)?;
        Err(failure.reported())
    }

    fn write_files(&mut self, progress: &mut Progress) -> Result<(), Failure> {
        let (folder, name) = (self.folder.clone(), self.scene.name.clone());
        self.files = self.sequence_files()?;
        for &format in &self.scene.output.formats {
            progress.stage(&format!("writing {format}"));
            if format.is_sequence() {
                self.write_missing_frames(format)?;
                let numbers: Vec<usize> = (0..self.done() as usize).collect();
                let fps = self.scene.time.fps;
                self.files.extend(write_sequence_index(format, &folder, &name, &self.meshes, &numbers, fps)?);
            } else {
                self.files.extend(write_clip(format, &folder, &name, &self.store)?);
            }
        }
        if self.options.plot {
            self.write_plots()?;
        }
        if let (Some(pictures), false) = (&self.scene.output.pictures, self.options.no_pictures) {
            let colliders = self.engine.colliders();
            let pictures = pictures::write(
                &self.scene,
                pictures,
                (&self.store, &colliders),
                &folder,
                (progress, &self.stop),
            )?;
            self.files.extend(pictures);
        }
        Ok(())
    }

    /// The files of the formats with one per frame, those before a checkpoint included.
    fn sequence_files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for frame in 0..self.done() as usize {
            for &format in self.scene.output.formats.iter().filter(|format| format.is_sequence()) {
                files.extend(frame_files(format, &self.folder, &self.scene.name, &self.meshes, frame)?);
            }
        }
        Ok(files)
    }

    /// Writes frames from before a checkpoint again that someone has moved away since.
    fn write_missing_frames(&self, format: ClipFormat) -> Result<(), Failure> {
        let (folder, name) = (&self.folder, &self.scene.name);
        for frame in 0..self.done() as usize {
            let files = frame_files(format, folder, name, &self.meshes, frame)?;
            if files.iter().all(|file| file.exists()) {
                continue;
            }
            let positions: Result<Vec<Vec<Vec3>>, _> =
                (0..self.meshes.len()).map(|mesh| self.store.positions(mesh, frame)).collect();
            let positions = positions.map_err(Failure::run)?;
            write_frame(format, folder, name, &self.meshes, frame, self.store.origin(), &positions)?;
        }
        Ok(())
    }

    fn write_plots(&mut self) -> Result<(), Failure> {
        for (plot, drawn) in plots(&self.frames) {
            let png = drawn.picture().to_png().map_err(Failure::run)?;
            for (extension, content) in [("svg", drawn.svg().into_bytes()), ("png", png)] {
                let path = self.folder.join(format!("{}_{plot}.{extension}", self.scene.name));
                write_atomically(&path, |file| file.write_all(&content))?;
                self.files.push(path);
            }
        }
        Ok(())
    }
}

fn resume_hint(checkpoint: &Path) -> String {
    format!("go on with: muslin resume {}", checkpoint.display())
}
