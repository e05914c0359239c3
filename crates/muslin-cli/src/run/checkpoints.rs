//! The checkpoints of a run: the newest, and the one before it.

use std::fs;
use std::path::{Path, PathBuf};

use muslin_io::WriteError;
use muslin_io::checkpoint::Checkpoint;

use crate::failure::Failure;

const NEWEST: &str = "checkpoint.muslin";
const PREVIOUS: &str = "checkpoint.previous.muslin";
/// One that is complete, but does not have its name yet.
const NEXT: &str = "checkpoint.next.muslin";

/// Writes the newest checkpoint and keeps the one before it; its path. From the first on there is a complete one under the newest's
/// name at every moment: it gets its other name before the next takes its place.
pub fn write(folder: &Path, checkpoint: &Checkpoint) -> Result<PathBuf, Failure> {
    let [newest, previous, next] = [NEWEST, PREVIOUS, NEXT].map(|name| folder.join(name));
    checkpoint.write(&next)?;
    if newest.exists() {
        // What is not there, or cannot be removed, shows when it is written.
        drop(fs::remove_file(&previous));
        // Not every file system knows a second name for a file.
        let kept = fs::hard_link(&newest, &previous).or_else(|_| fs::copy(&newest, &previous).map(drop));
        kept.map_err(|source| WriteError { path: previous, source })?;
    }
    fs::rename(&next, &newest).map_err(|source| WriteError { path: newest.clone(), source })?;
    Ok(newest)
}

/// Reads a checkpoint; if that fails, says which other one there is.
pub fn read(path: &Path) -> Result<Checkpoint, Failure> {
    Checkpoint::read(path).map_err(|error| {
        let others = [NEXT, NEWEST, PREVIOUS].map(|name| path.with_file_name(name));
        match others.into_iter().find(|other| other != path && Checkpoint::read(other).is_ok()) {
            Some(other) => {
                Failure::input(error).hint(format!("go on with: muslin resume {}", other.display()))
            }
            None => Failure::input(error),
        }
    })
}

/// Whether there is a checkpoint to go on from.
pub fn exist(folder: &Path) -> bool {
    [NEWEST, PREVIOUS].iter().any(|name| folder.join(name).exists())
}

/// Removes all of them.
pub fn remove(folder: &Path) {
    // What is not there, or cannot be removed, is refused when someone wants to go on from it.
    [NEWEST, PREVIOUS, NEXT].iter().for_each(|name| drop(fs::remove_file(folder.join(name))));
}

/// Whether a file's name is that of a checkpoint.
pub fn is_name(name: &str) -> bool {
    [NEWEST, PREVIOUS, NEXT].contains(&name)
}
