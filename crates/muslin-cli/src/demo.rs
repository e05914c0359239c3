//! `muslin demo`: a flag in gusty wind, with pictures.

use std::path::{Path, PathBuf};

use muslin_io::scene::{ReadOptions, Scene};

use crate::failure::Failure;
use crate::run::{Options, Session};

/// The scene; an example of a scene file too.
const SCENE: &str = include_str!("demo.toml");

/// Simulates a flag in gusty wind and writes its frames, pictures and an animation.
#[derive(clap::Args)]
pub struct Args {
    /// The folder for the files; made if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "out/demo")]
    out: PathBuf,
    /// How many frames, at 60 per second; the first is the start.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    frames: Option<u32>,
    /// Do not show progress.
    #[arg(long)]
    quiet: bool,
    /// Print the summary as a JSON document.
    #[arg(long)]
    pub json: bool,
}

/// Runs the demo.
pub fn run(args: &Args) -> Result<(), Failure> {
    let scene = Scene::parse(
        SCENE,
        "demo.toml",
        Path::new("."),
        &ReadOptions { allow_outside: true, ..ReadOptions::default() },
    )?;
    let options = Options { frames: args.frames, quiet: args.quiet, json: args.json, ..Options::default() };
    Session::new(scene, PathBuf::from("demo.toml"), args.out.clone(), options)?.start()?.run()
}
