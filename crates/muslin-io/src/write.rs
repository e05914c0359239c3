//! Writes files whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Why a file could not be written. What was there before is still there.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot write: {source}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Lets `write` fill a temporary file in the same folder, flushes it to the disk and only then
/// gives it its name, replacing what was there. If anything fails the temporary file is removed.
pub fn write_atomically(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    let failed = |source| WriteError { path: path.to_owned(), source };
    let (temporary, file) = create_temporary(path).map_err(failed)?;
    fill(file, write).and_then(|()| fs::rename(&temporary, path)).map_err(|source| {
        // The first error is the one worth reporting, whether or not this works.
        let _ = fs::remove_file(&temporary);
        failed(source)
    })
}

/// Removes what [`write_atomically`] leaves behind in a folder when its process is killed, of the files
/// whose names `is_own` knows. Only for files that no other process is writing.
pub fn remove_temporaries(folder: &Path, is_own: impl Fn(&str) -> bool) {
    // What cannot be removed does no harm: it takes room, and nobody reads it.
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().and_then(final_name).is_some_and(&is_own) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The name that a temporary file was to get; `None` if it is no temporary file.
fn final_name(temporary: &str) -> Option<&str> {
    let (name, numbers) = temporary.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(process) && is_number(number)).then_some(name)
}

/// Creates a file beside `path` under a name that nothing else has.
fn create_temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name");
    let name = path.file_name().ok_or_else(no_name)?;
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mut temporary_name = std::ffi::OsString::from(".");
        temporary_name.push(name);
        temporary_name.push(format!(".{}-{number}.tmp", std::process::id()));
        let temporary = path.with_file_name(temporary_name);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            // Left over from a process of the same number that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn fill(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    write(&mut writer)?;
    writer.into_inner()?.sync_all()
}
