//! Tells files from pipes and devices, which may never end or never begin.

use std::io;
use std::path::Path;

/// The size of a regular file in bytes; an error for anything else, before it is opened: opening a
/// pipe waits until somebody writes into it.
pub(crate) fn size(path: &Path) -> io::Result<u64> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_file() {
        return Ok(metadata.len());
    }
    let what = if metadata.is_dir() { "a folder" } else { "a pipe or a device" };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("this is {what}, not a file")))
}
