//! One run: steps, frames, checkpoints, and what is put together at the end.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use glam::Vec3;
use muslin::Simulation;
use muslin_io::checkpoint::Checkpoint;
use muslin_io::scene::Scene;
use muslin_io::{ClipMesh, write_atomically, write_clip, write_frame, write_sequence_index};

use super::Options;
use super::metrics::{Frame, plots};
use super::pictures;
use super::store::FrameStore;
use super::summary::{Quarantine, Summary};
use crate::failure::Failure;
use crate::output::{check_folder, create_folder};
use crate::progress::Progress;

/// Width of the progress bar in characters.
const BAR: u32 = 20;

/// The name of the newest checkpoint.
const CHECKPOINT: &str = "checkpoint.muslin";

/// A run of a scene.
pub struct Session {
    pub(super) scene: Scene,
    source: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) options: Options,
    pub(super) simulations: Vec<(String, Simulation)>,
    meshes: Vec<ClipMesh>,
    store: FrameStore,
    /// Frames that are finished.
    done: u32,
    pub(super) frames: Vec<Frame>,
    pub(super) quarantines: Vec<Quarantine>,
    /// Why the run cannot go on, if it cannot.
    pub(super) diverged: Option<String>,
    pub(super) files: Vec<PathBuf>,
}

impl Session {
    /// Builds everything; bad input is refused before anything is written.
    pub fn new(scene: Scene, source: PathBuf, folder: PathBuf, options: Options) -> Result<Self, Failure> {
        check_folder(&folder)?;
        let mut simulations = Vec::new();
        for (number, built) in scene.build()?.into_iter().enumerate() {
            let simulation = Simulation::new(built.cloth, built.settings);
            simulations.push((built.name, simulation.map_err(|error| scene.explain(number, &error))?));
        }
        let mesh = |(name, simulation): &(String, Simulation)| ClipMesh {
            name: name.clone(),
            triangles: simulation.cloth().triangles().to_vec(),
            uvs: None,
        };
        let meshes: Vec<ClipMesh> = simulations.iter().map(mesh).collect();
        let sizes = simulations.iter().map(|(_, s)| s.cloth().vertex_count()).collect();
        create_folder(&folder)?;
        let store = FrameStore::new(&folder.join(".frames"), meshes.clone(), sizes, scene.time.fps, scene.up)
            .map_err(|error| Failure::run(format!("{}: {error}", folder.display())))?;
        Ok(Self {
            scene,
            source,
            folder,
            options,
            simulations,
            meshes,
            store,
            done: 0,
            frames: Vec::new(),
            quarantines: Vec::new(),
            diverged: None,
            files: Vec::new(),
        })
    }

    /// Goes back to a checkpoint.
    pub fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        if checkpoint.cloths.len() != self.simulations.len() {
            return Err(Failure::input("the checkpoint is of another scene: it has other cloths"));
        }
        for ((name, simulation), (stored, state)) in self.simulations.iter_mut().zip(&checkpoint.cloths) {
            if name != stored {
                return Err(Failure::input(format!(
                    "the checkpoint has a cloth '{stored}', the scene '{name}'"
                )));
            }
            simulation.restore(state).map_err(Failure::input)?;
        }
        self.done = checkpoint.frame as u32;
        self.store.resume(checkpoint.frame as usize).map_err(|error| {
            Failure::input(format!("the frames before the checkpoint are not all there: {error}"))
                .hint("run the scene from the start")
        })
    }

    /// Runs to the end, until Ctrl-C, or until a cloth cannot go on. Then too, what there is becomes whole files.
    pub fn run(mut self) -> Result<(), Failure> {
        let stop = stop_flag()?;
        let mut progress = Progress::new(self.options.quiet);
        let total = self.options.frames.unwrap_or(self.scene.time.frames);
        let begin = (Instant::now(), self.done);
        while self.done < total {
            if stop.load(Ordering::Relaxed) {
                progress.clear();
                let checkpoint = self.write_checkpoint()?;
                let message = format!("stopped after {} of {total} frames", self.done);
                return Err(Failure::run(message).hint(resume_hint(&checkpoint)));
            }
            let step_begin = Instant::now();
            // The first frame is the start.
            let stepped =
                if self.done == 0 { Ok(None) } else { self.step().map(|()| Some(step_begin.elapsed())) };
            match stepped {
                Ok(spent) => self.keep_frame(spent)?,
                Err(message) => {
                    self.diverged = Some(message);
                    break;
                }
            }
            progress.update(|| self.line(total, begin));
            if self.options.checkpoint_every.is_some_and(|every| self.done.is_multiple_of(every)) {
                self.write_checkpoint()?;
            }
        }
        self.finish(&mut progress)
    }

    /// A step of every cloth; an error says in which frame what diverged.
    fn step(&mut self) -> Result<(), String> {
        let frame = self.done;
        for (name, simulation) in &mut self.simulations {
            let report =
                simulation.step().map_err(|error| format!("frame {frame}: cloth '{name}': {error}"))?;
            if let Some(&vertex) = report.quarantined.first() {
                let (cloth, particles) = (name.clone(), report.quarantined.len());
                self.quarantines.push(Quarantine { frame, cloth, vertex, particles });
            }
        }
        Ok(())
    }

    /// Measures and stores a frame, and writes it in the formats with a file per frame.
    fn keep_frame(&mut self, spent: Option<Duration>) -> Result<(), Failure> {
        self.frames.push(Frame::measure(&self.simulations, spent, self.options.plot));
        let positions: Vec<Vec<Vec3>> = self.simulations.iter().map(|(_, s)| s.positions()).collect();
        self.store.push(&positions)?;
        for &format in self.scene.output.formats.iter().filter(|format| format.is_sequence()) {
            let (folder, name) = (&self.folder, &self.scene.name);
            let files = write_frame(format, folder, name, &self.meshes, self.done as usize, &positions)?;
            self.files.extend(files);
        }
        self.done += 1;
        Ok(())
    }

    /// Writes the newest checkpoint and keeps the one before it.
    fn write_checkpoint(&self) -> Result<PathBuf, Failure> {
        let checkpoint = Checkpoint {
            scene: self.source.clone(),
            scene_fingerprint: self.scene.fingerprint(),
            frame: self.done.into(),
            cloths: self.simulations.iter().map(|(name, s)| (name.clone(), s.snapshot())).collect(),
        };
        let path = self.folder.join(CHECKPOINT);
        if path.exists() {
            let previous = self.folder.join("checkpoint.previous.muslin");
            std::fs::rename(&path, &previous)
                .map_err(|error| Failure::run(format!("{}: {error}", previous.display())))?;
        }
        checkpoint.write(&path)?;
        Ok(path)
    }

    /// Single-file formats, indices, pictures, plots, and the summary.
    fn finish(mut self, progress: &mut Progress) -> Result<(), Failure> {
        let (folder, name) = (self.folder.clone(), self.scene.name.clone());
        for &format in &self.scene.output.formats {
            progress.stage(&format!("writing {format}"));
            if format.is_sequence() {
                let numbers: Vec<usize> = (0..self.done as usize).collect();
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
            self.files.extend(pictures::write(&self.scene, pictures, &self.store, &folder, progress)?);
        }
        progress.clear();
        let summary = Summary::new(&self);
        match (self.options.checkpoint_every, &self.diverged) {
            // So that the run can be made longer later.
            (Some(_), None) => drop(self.write_checkpoint()?),
            // Some cloths may have taken a step that others could not: the last checkpoint, which needs the
            // frames, stays as it is.
            (_, Some(_)) if self.folder.join(CHECKPOINT).exists() => {}
            _ => self.store.remove(),
        }
        summary.print(self.options.json)?;
        summary.verdict()
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

    /// Where the run is, with figures and the time that is left.
    fn line(&self, total: u32, (start, first): (Instant, u32)) -> String {
        let per_frame = start.elapsed() / (self.done - first).max(1);
        let left: Duration = per_frame * (total - self.done);
        let frame = self.frames.last().copied().unwrap_or_default();
        let ms = frame.ms.map_or(String::new(), |ms| format!(", {ms:.2} ms per step"));
        let strain = 100.0 * frame.strain_avg;
        let bar: String = (0..BAR).map(|i| if i * total < BAR * self.done { '█' } else { '░' }).collect();
        format!("{bar} frame {} of {total}{ms}, strain {strain:.2} %, {} s left", self.done, left.as_secs())
    }
}

/// A flag that Ctrl-C raises.
fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(flag)
}

fn resume_hint(checkpoint: &Path) -> String {
    format!("go on with: muslin resume {}", checkpoint.display())
}
