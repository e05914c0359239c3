//! Watches files by asking for their times again and again: no crate, no thread, and it works on every file system.

use std::path::PathBuf;
use std::time::SystemTime;

use super::Source;

/// Files are looked at so often, seconds.
const EVERY: f64 = 0.2;

/// Files that are watched.
#[derive(Debug, Default)]
pub struct Watch {
    files: Vec<(PathBuf, Stamp)>,
    /// Seconds since they were looked at.
    since: f64,
}

/// When a file was written, and how long it is; `None` while it is not there.
type Stamp = Option<(SystemTime, u64)>;

impl Watch {
    /// Watches these from now on.
    pub fn watch(&mut self, files: &[PathBuf]) {
        self.files = files.iter().map(|path| (path.clone(), stamp(path))).collect();
        self.since = 0.0;
    }

    /// Watches what could not be opened.
    pub fn watch_source(&mut self, source: &Source) {
        match source {
            Source::Path(path) if path.extension().is_some_and(|extension| extension == "toml") => {
                self.watch(std::slice::from_ref(path));
            }
            _ => self.forget(),
        }
    }

    /// Watches nothing.
    pub fn forget(&mut self) {
        self.files.clear();
    }

    /// Whether something has been written since it was last looked at, after so many seconds more.
    pub fn has_changed(&mut self, seconds: f64) -> bool {
        self.since += seconds;
        if self.files.is_empty() || self.since < EVERY {
            return false;
        }
        self.since = 0.0;
        let mut has_changed = false;
        for (path, known) in &mut self.files {
            let now = stamp(path);
            // A file that is gone may be about to be replaced.
            if now.is_some() && now != *known {
                (*known, has_changed) = (now, true);
            }
        }
        has_changed
    }
}

fn stamp(path: &PathBuf) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
