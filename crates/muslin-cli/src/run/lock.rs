//! One run at a time in an output folder.
//!
//! A run locks a file there for as long as it lives. The system lets go of the lock with the process, however that
//! ends, so a lock file that lies about is no lock: only whether it is locked counts. What it holds, the number of the
//! owner's process, is for the message alone.
//!
//! Some network file systems know no locks. There a run says so and goes on: every frame carries the number of its run
//! (`store.rs`), so that frames of two runs do not mix even then.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

const FILE: &str = ".muslin.lock";

/// How often the file is opened again because its owner has removed it at the same moment.
const MOST_TRIES: usize = 100;

/// An output folder that no other run writes into.
pub struct OutputLock {
    path: PathBuf,
    /// Locked, unless the file system has no locks.
    file: File,
}

impl OutputLock {
    /// Takes a folder that exists; refused if another run has it.
    pub fn take(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(FILE);
        // A link could lead anywhere.
        if std::fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            let message = format!("{} is not a file, but runs are locked by it", path.display());
            return Err(Failure::input(message).hint("move it away, or name another folder with --out"));
        }
        for _ in 0..MOST_TRIES {
            if let Some(lock) = Self::try_once(folder, &path)? {
                return Ok(lock);
            }
        }
        Err(Failure::run(format!("{}: cannot be locked, others remove it again and again", path.display())))
    }

    /// `None` if the file was removed before it was locked.
    fn try_once(folder: &Path, path: &Path) -> Result<Option<Self>, Failure> {
        let failed = |error: io::Error| Failure::run(format!("{}: cannot write: {error}", path.display()));
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(taken(folder, &mut file)),
            Err(TryLockError::Error(error)) => {
                eprintln!(
                    "warning: {} cannot be locked ({error}): start no other run into this folder",
                    folder.display()
                );
            }
        }
        let mut lock = Self { path: path.to_owned(), file };
        if !lock.is_in_place() {
            return Ok(None);
        }
        lock.file.set_len(0).and_then(|()| write!(lock.file, "{}", std::process::id())).map_err(failed)?;
        Ok(Some(lock))
    }

    /// Whether the file under this name is the one that was locked: another run may have removed it, or someone the
    /// whole folder. Windows keeps files that are open.
    fn is_in_place(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let number = |found: std::fs::Metadata| (found.dev(), found.ino());
            let here = std::fs::symlink_metadata(&self.path).map(number);
            matches!((here, self.file.metadata().map(number)), (Ok(here), Ok(own)) if here == own)
        }
        #[cfg(not(unix))]
        self.path.exists()
    }
}

impl Drop for OutputLock {
    /// Removes the file while it is still locked. Elsewhere than on Unix it stays: without the number of a file nobody
    /// could tell that the one he has locked is gone.
    fn drop(&mut self) {
        if cfg!(unix) && self.is_in_place() {
            // One that stays does no harm.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Says who has the folder.
fn taken(folder: &Path, file: &mut File) -> Failure {
    let mut owner = String::new();
    // Windows does not let others read what is locked.
    let read = file.rewind().and_then(|()| file.take(32).read_to_string(&mut owner));
    let process = match (read, owner.trim().parse::<u32>()) {
        (Ok(_), Ok(number)) => format!(" (process {number})"),
        _ => String::new(),
    };
    Failure::input(format!("{}: another run{process} is writing into this folder", folder.display()))
        .hint("wait until it has ended, or name another folder with --out")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("muslin-lock-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn a_folder_has_one_owner_and_what_is_left_of_one_is_no_lock() {
        let folder = folder("one");
        let first = OutputLock::take(&folder).expect("it is free");
        let refused = OutputLock::take(&folder).err().expect("it is taken");
        assert_eq!(refused.exit_code, 2);
        assert!(refused.first_problem().contains(&format!("process {}", std::process::id())), "{refused}");
        drop(first);
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0, "nothing is left");
        // As a killed run leaves it.
        std::fs::write(folder.join(FILE), "4711").expect("written");
        drop(OutputLock::take(&folder).expect("nobody holds it"));
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    #[cfg(unix)]
    fn a_lock_whose_folder_was_removed_does_not_take_that_of_another_along() {
        let folder = folder("gone");
        let first = OutputLock::take(&folder).expect("it is free");
        std::fs::remove_dir_all(&folder).expect("removed");
        std::fs::create_dir_all(&folder).expect("a folder");
        let second = OutputLock::take(&folder).expect("it is free");
        drop(first);
        assert!(OutputLock::take(&folder).is_err(), "the second still has it");
        drop(second);
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
