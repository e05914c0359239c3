//! `muslin run` and `muslin resume`: a scene from its file to files, pictures and a summary.
//!
//! scene → session (frames, checkpoints) → finish (clips, pictures, plots) → summary

mod checkpoints;
#[cfg(all(test, feature = "gpu"))]
mod device_tests;
mod engine;
mod finish;
mod grid;
mod lock;
mod metrics;
mod parts;
mod sanity;
mod session;
mod stop;
mod store;

use std::path::{Path, PathBuf};

use muslin_io::checkpoint::RunOptions;
use muslin_io::scene::{Backend, ReadOptions, Scene};

use crate::backend_argument;
use crate::failure::Failure;
pub use session::Session;

/// Simulates a scene and writes what it asks for.
#[derive(clap::Args)]
pub struct Args {
    /// The scene file (TOML); `muslin new` writes one to start from.
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// The folder for everything that is written, instead of the scene's.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
}

/// Goes on with a run that was stopped, from its checkpoint, with the same bits. Options that are not given
/// are those of the run, except --allow-outside.
#[derive(clap::Args)]
pub struct ResumeArgs {
    /// The checkpoint file.
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: PathBuf,
    #[command(flatten)]
    options: Options,
}

/// What `run` and `resume` have in common.
#[derive(clap::Args, Clone, Default)]
pub struct Options {
    /// How many frames, instead of the scene's number; the first is the start.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub frames: Option<u32>,
    /// Write a checkpoint after every N frames.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub checkpoint_every: Option<u32>,
    /// What computes, instead of what the scene says.
    #[arg(long, value_parser = backend_argument::any(), value_name = "BACKEND")]
    pub backend: Option<Backend>,
    /// A part of the name of the GPU to use, if there are several.
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Count intersections after every frame, not only after the last; the scene's check is about all of them.
    #[arg(long)]
    pub check_every_frame: bool,
    /// Let the scene read and write outside its own folder.
    #[arg(long)]
    pub allow_outside: bool,
    /// Write plots of strain, energy and time per step as SVG and PNG.
    #[arg(long)]
    pub plot: bool,
    /// Write no pictures, whatever the scene says.
    #[arg(long)]
    pub no_pictures: bool,
    /// Do not show progress.
    #[arg(long)]
    pub quiet: bool,
    /// Print the summary as a JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `muslin run`.
pub fn run(args: &Args) -> Result<(), Failure> {
    let scene = read(&args.scene, &args.options)?;
    let folder = args.out.clone().unwrap_or_else(|| scene.output.folder.clone());
    let source = std::path::absolute(&args.scene).unwrap_or_else(|_| args.scene.clone());
    Session::new(scene, source, folder, args.options.clone())?.start()?.run()
}

/// `muslin resume`.
pub fn resume(args: &ResumeArgs) -> Result<(), Failure> {
    let checkpoint = checkpoints::read(&args.checkpoint)?;
    let scene = read(&checkpoint.scene, &args.options)?;
    let folder = match args.checkpoint.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let options = args.options.clone().or(&checkpoint.options);
    Session::new(scene, checkpoint.scene.clone(), folder, options)?.restore(&checkpoint)?.run()
}

impl Options {
    /// With those of the run that is gone on with, where none are given.
    fn or(self, stored: &RunOptions) -> Self {
        Self {
            frames: self.frames.or(Some(stored.frames)),
            checkpoint_every: self.checkpoint_every.or(stored.checkpoint_every),
            // The same bits need the same kind of device.
            backend: self.backend.or(Some(stored.backend)),
            plot: self.plot || stored.plot,
            no_pictures: self.no_pictures || stored.no_pictures,
            check_every_frame: self.check_every_frame || stored.check_every_frame,
            ..self
        }
    }
}

impl Args {
    /// Whether a JSON document is wanted.
    pub fn json(&self) -> bool {
        self.options.json
    }
}

impl ResumeArgs {
    /// Whether a JSON document is wanted.
    pub fn json(&self) -> bool {
        self.options.json
    }
}

fn read(path: &Path, options: &Options) -> Result<Scene, Failure> {
    Ok(Scene::read(path, &ReadOptions { allow_outside: options.allow_outside, ..ReadOptions::default() })?)
}
