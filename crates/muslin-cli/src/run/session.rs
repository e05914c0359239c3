//! One run: steps, frames, checkpoints. What is put together at the end is in `finish/`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use glam::{DVec3, Vec3};
use muslin::rigid::MovingBody;
use muslin_io::checkpoint::{Checkpoint, RunOptions};
use muslin_io::scene::Scene;
use muslin_io::{Clip, ClipMesh, ClipPose, clip_problem, remove_temporaries, write_frame};

use super::engine::backend;
use super::engine::{Engine, StepError};
use super::lock::OutputLock;
use super::metrics::Frame;
use super::parts::{meshes, pose};
use super::sanity::Sanity;
use super::stop::Stop;
use super::store::FrameStore;
use super::{Options, checkpoints};
use crate::failure::Failure;
use crate::inspect::warnings;
use crate::output::{check_folder, create_folder, if_removed};
use crate::progress::Progress;

/// Why a run has ended.
#[derive(Clone, Debug, Default)]
pub enum End {
    /// It came to its last frame, or is not there yet.
    #[default]
    Last,
    /// A step could not be taken.
    Diverged(String),
    /// The user wanted it.
    Stopped(String),
    /// The GPU was lost, or ran out of memory.
    DeviceFailed(String),
}

/// A run of a scene.
pub struct Session {
    pub(super) scene: Scene,
    source: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) options: Options,
    pub(super) engine: Engine,
    /// Hash of cloths, colliders and bodies before the first step.
    fingerprint: u64,
    pub(super) meshes: Vec<ClipMesh>,
    pub(super) store: FrameStore,
    /// Figures of the frames that are finished, those before a checkpoint included.
    pub(super) frames: Vec<Frame>,
    /// The frame of the newest checkpoint that this process has written, and its path.
    checkpoint: Option<(u32, PathBuf)>,
    pub(super) end: End,
    pub(super) files: Vec<PathBuf>,
    pub(super) stop: Stop,
    /// What `muslin check` says of the cloths.
    pub(super) warnings: Vec<String>,
    sanity: Sanity,
    /// Keeps other runs out of the folder, from the start to the last file.
    lock: Option<OutputLock>,
}

impl Session {
    /// Builds everything and writes nothing; bad input is refused.
    pub fn new(scene: Scene, source: PathBuf, folder: PathBuf, options: Options) -> Result<Self, Failure> {
        check_folder(&folder)?;
        let wanted = options.backend.map_or(scene.solver.backend, Into::into);
        let engine = backend::build(&scene, wanted, options.adapter.as_deref())?;
        let cloths = engine.cloths();
        let collides = scene.collision.self_collisions;
        let warnings = warnings::of_cloths(&scene, cloths.iter().copied(), collides);
        warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
        let meshes = meshes(&engine);
        let bodies = engine.bodies().iter().map(|body| body.surface_mesh().positions.len());
        let sizes: Vec<usize> = cloths.iter().map(|(_, s)| s.shown_mesh().vertices).chain(bodies).collect();
        let frames = options.frames.unwrap_or(scene.time.frames) as usize;
        for &format in &scene.output.formats {
            if let Some(problem) = clip_problem(format, &meshes, &sizes, frames) {
                return Err(Failure::input(format!("the scene asks for {format}: {problem}"))
                    .hint("change output.formats, or make fewer frames with --frames"));
            }
        }
        let stop = Stop::default();
        let origin = cloths.first().map_or(DVec3::ZERO, |(_, simulation)| simulation.origin());
        let kind = (scene.time.fps, scene.up, origin);
        let store = FrameStore::new(&folder, meshes.clone(), sizes, kind, stop.clone())
            .map_err(|error| Failure::input(error).hint("move it away, or name a folder with --out"))?;
        let named = cloths.iter().map(|&(name, simulation)| (name, simulation.cloth()));
        let fingerprint = Scene::world_fingerprint(named, engine.colliders().into_iter(), engine.bodies());
        Ok(Self {
            fingerprint,
            scene,
            source,
            folder,
            options,
            engine,
            meshes,
            store,
            frames: Vec::new(),
            checkpoint: None,
            end: End::Last,
            files: Vec::new(),
            stop,
            warnings,
            sanity: Sanity::default(),
            lock: None,
        })
    }

    /// Begins with the first frame. Checkpoints of an earlier run in the same folder go: their frames do too.
    pub fn start(mut self) -> Result<Self, Failure> {
        create_folder(&self.folder)?;
        self.lock = Some(OutputLock::take(&self.folder)?);
        self.remove_temporaries();
        checkpoints::remove(&self.folder);
        self.store.start().map_err(|error| Failure::run(format!("{}: {error}", self.folder.display())))?;
        Ok(self)
    }

    /// Goes back to a checkpoint.
    pub fn restore(mut self, checkpoint: &Checkpoint) -> Result<Self, Failure> {
        let taken = OutputLock::take(&self.folder);
        self.lock = Some(taken.map_err(|failure| failure.hint("wait until it has ended"))?);
        if self.scene.fingerprint() != checkpoint.scene_fingerprint {
            return Err(has_changed(format!("{} has changed", checkpoint.scene.display())));
        }
        if self.fingerprint != checkpoint.world_fingerprint {
            let scene = checkpoint.scene.display();
            return Err(has_changed(format!("a mesh or another file that {scene} names has changed")));
        }
        if checkpoint.cloths.len() != self.engine.cloths().len() {
            return Err(Failure::input("the checkpoint is of another scene: it has other cloths"));
        }
        for ((name, _), (stored, _)) in self.engine.cloths().iter().zip(&checkpoint.cloths) {
            if name != stored {
                return Err(Failure::input(format!(
                    "the checkpoint has a cloth '{stored}', the scene '{name}'"
                )));
            }
        }
        self.engine.restore(checkpoint.cloths.iter().map(|(_, state)| state)).map_err(Failure::input)?;
        let names = self.engine.bodies().iter().map(MovingBody::name);
        if !names.eq(checkpoint.bodies.iter().map(|(name, _)| name.as_str())) {
            return Err(Failure::input("the checkpoint is of another scene: it has other bodies"));
        }
        let states: Vec<_> = checkpoint.bodies.iter().map(|(_, state)| *state).collect();
        self.engine.restore_bodies(&states).map_err(Failure::input)?;
        self.frames = self.store.resume(checkpoint.frame as usize).map_err(|error| {
            Failure::input(format!("the frames before the checkpoint are not all there: {error}"))
                .hint("run the scene from the start")
        })?;
        self.remove_temporaries();
        Ok(self)
    }

    /// Runs to the end, until Ctrl-C, or until a step cannot be taken. Then too, what there is becomes whole
    /// files.
    pub fn run(self) -> Result<(), Failure> {
        let (folder, frames) = (self.folder.clone(), self.store.folder().to_owned());
        self.run_to_end().map_err(|failure| if_removed([&folder, &frames], failure))
    }

    fn run_to_end(mut self) -> Result<(), Failure> {
        self.stop.listen()?;
        let mut progress = Progress::new(self.options.quiet);
        let total = self.total();
        let begin = (Instant::now(), self.done());
        while self.done() < total {
            if self.stop.is_raised() {
                let message = format!("stopped after {} of {total} frames", self.done());
                return self.stopped(message, &mut progress);
            }
            match self.step() {
                Ok(frame) => self.keep_frame(frame)?,
                Err(StepError::Device(message)) => return self.device_failed(message, &mut progress),
                Err(StepError::Undone(message)) => {
                    self.end = End::Diverged(message);
                    break;
                }
            }
            if let Err(problem) = self.sanity.check(&self.engine) {
                self.end = End::Diverged(format!("frame {}: {problem}", self.done() - 1));
                break;
            }
            progress.advance(self.done(), total, || self.line(total, begin));
            if self.options.checkpoint_every.is_some_and(|every| self.done().is_multiple_of(every)) {
                self.write_checkpoint()?;
            }
        }
        self.finish(&mut progress)
    }

    /// Frames that are finished.
    pub(super) fn done(&self) -> u32 {
        self.frames.len() as u32
    }

    /// Frames of the whole run.
    pub(super) fn total(&self) -> u32 {
        self.options.frames.unwrap_or(self.scene.time.frames)
    }

    /// The step to the next frame, of which the first is the start; an error says in which frame what went
    /// wrong.
    pub(super) fn step(&mut self) -> Result<Frame, StepError> {
        let frame = self.done();
        if frame == 0 {
            return Ok(Frame::default());
        }
        let begin = Instant::now();
        let stepped = self.engine.step().map_err(|error| error.in_frame(frame))?;
        Ok(Frame::stepped(frame, stepped, begin.elapsed(), self.scene.time.substeps))
    }

    /// Measures and stores a frame, and writes it in the formats with a file per frame.
    pub(super) fn keep_frame(&mut self, frame: Frame) -> Result<(), Failure> {
        let frame = frame.measure(&self.engine, self.options.plot, self.options.check_every_frame);
        let origin = self.store.origin();
        let places = self.engine.cloths().into_iter().map(|(_, cloth)| cloth.shown_places());
        let places: Vec<Vec<DVec3>> = places.collect::<Result<_, _>>().map_err(Failure::run)?;
        let from_origin =
            |places: &Vec<DVec3>| places.iter().map(|place| (*place - origin).as_vec3()).collect();
        let mut positions: Vec<Vec<Vec3>> = places.iter().map(from_origin).collect();
        let poses: Vec<ClipPose> = self.engine.bodies().iter().map(pose).collect();
        self.store.push(&positions, &poses, &frame)?;
        let shapes = self.meshes.iter().filter_map(|mesh| mesh.rigid.as_ref());
        positions.extend(poses.iter().zip(shapes).map(|(pose, shape)| pose.apply(origin, shape)));
        for &format in self.scene.output.formats.iter().filter(|format| format.is_sequence()) {
            let (folder, name) = (&self.folder, &self.scene.name);
            write_frame(format, folder, name, &self.meshes, self.done() as usize, origin, &positions)?;
        }
        self.frames.push(frame);
        Ok(())
    }

    /// Writes a checkpoint, unless there is one of this frame already: two of the same would be no reserve.
    pub(super) fn write_checkpoint(&mut self) -> Result<PathBuf, Failure> {
        if let Some((frame, path)) = &self.checkpoint
            && *frame == self.done()
        {
            return Ok(path.clone());
        }
        let checkpoint = Checkpoint {
            scene: self.source.clone(),
            scene_fingerprint: self.scene.fingerprint(),
            world_fingerprint: self.fingerprint,
            frame: self.done().into(),
            options: RunOptions {
                frames: self.total(),
                checkpoint_every: self.options.checkpoint_every,
                plot: self.options.plot,
                no_pictures: self.options.no_pictures,
                check_every_frame: self.options.check_every_frame,
                backend: self.engine.backend(),
            },
            cloths: self.engine.snapshots(),
            bodies: self.engine.body_states(),
        };
        let path = checkpoints::write(&self.folder, &checkpoint)?;
        self.checkpoint = Some((self.done(), path.clone()));
        Ok(path)
    }

    /// Removes what a killed run has left half written.
    fn remove_temporaries(&self) {
        let own = |name: &str| name.starts_with(&self.scene.name) || checkpoints::is_name(name);
        remove_temporaries(&self.folder, own);
    }

    /// Where the run is, with figures and the time that is left.
    fn line(&self, total: u32, (start, first): (Instant, u32)) -> String {
        let per_frame = start.elapsed() / (self.done() - first).max(1);
        let left: Duration = per_frame * (total - self.done());
        let Some(frame) = self.frames.last() else { return String::new() };
        let ms = frame.ms.map_or(String::new(), |ms| format!(", {ms:.2} ms/step"));
        let (contacts, strain) = (frame.contacts, 100.0 * frame.strain_avg);
        let (done, left) = (self.done(), left.as_secs());
        format!("frame {done} of {total}{ms}, {contacts} contacts, strain {strain:.2} %, {left} s left")
    }
}

fn has_changed(what: String) -> Failure {
    Failure::input(format!("{what} since the checkpoint was written")).hint("run the scene from the start")
}
