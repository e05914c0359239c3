//! `muslin view`: starts the viewer, which is a program of its own, so that whoever only simulates builds no window toolkit.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::Failure;

/// Shows a scene, a mesh or a run in a window.
#[derive(clap::Args)]
#[command(after_help = "Starts the program `muslin-viewer` beside this one, or else the one on the PATH.")]
pub struct Args {
    /// A scene file (watched while it is edited), a mesh, a clip, a folder that `muslin run` wrote, or the name of a scene of the
    /// viewer's gallery; the gallery if not given.
    #[arg(value_name = "SCENE")]
    what: Option<OsString>,
    /// What else the viewer is called with, as `-- --dark --paused`.
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<OsString>,
}

/// Starts it and waits until it is closed; its exit code is ours.
pub fn run(args: &Args) -> Result<(), Failure> {
    let viewer = viewer().ok_or_else(missing)?;
    let status = Command::new(&viewer).args(&args.what).args(&args.options).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) if status.code() == Some(2) => Err(Failure::input("the viewer was not opened")),
        Ok(status) => Err(Failure::run(format!("the viewer ended with {status}"))),
        Err(error) => Err(Failure::run(format!("{} cannot be started: {error}", viewer.display()))),
    }
}

fn missing() -> Failure {
    let hint = "`cargo install --path crates/muslin-viewer --locked`, or without installing it `cargo run --release -p \
                muslin-viewer -- SCENE`";
    Failure::run("the program muslin-viewer is neither beside this one nor on the PATH").hint(hint)
}

/// The viewer: beside this program, or on the PATH.
fn viewer() -> Option<PathBuf> {
    let name = format!("muslin-viewer{}", std::env::consts::EXE_SUFFIX);
    let own = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.to_path_buf()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = own.into_iter().chain(std::env::split_paths(&path)).collect();
    folders.into_iter().map(|folder| folder.join(&name)).find(|path| path.is_file())
}
