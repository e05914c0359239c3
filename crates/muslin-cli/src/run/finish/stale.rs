//! Files of an earlier, longer run among those of this one. They are named, not removed: they may have
//! taken hours.

use std::collections::HashSet;
use std::path::PathBuf;

use muslin_io::frame_files;

use crate::run::Session;

/// Files with the names of frames or pictures that this run has not written, sorted.
pub fn files(session: &Session) -> Vec<PathBuf> {
    let (folder, name) = (&session.folder, &session.scene.name);
    let mut patterns = Vec::new();
    for &format in session.scene.output.formats.iter().filter(|format| format.is_sequence()) {
        let first = frame_files(format, folder, name, &session.meshes, 0).unwrap_or_default();
        let names = first.iter().filter_map(|path| path.file_name()?.to_str());
        patterns.extend(names.filter_map(pattern).map(|(stem, end)| (stem.to_owned(), end.to_owned())));
    }
    patterns.push((name.clone(), "png".to_owned()));
    let own: HashSet<&PathBuf> = session.files.iter().collect();
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut stale: Vec<PathBuf> = paths
        .filter(|path| {
            let found = path.file_name().and_then(|name| name.to_str()).and_then(pattern);
            found.is_some_and(|(stem, end)| patterns.iter().any(|(s, e)| s == stem && e == end))
        })
        .filter(|path| !own.contains(path))
        .collect();
    stale.sort();
    stale
}

/// What is before and after the number of a frame: `flag_0012.obj` → `flag`, `obj`.
fn pattern(name: &str) -> Option<(&str, &str)> {
    let (start, extension) = name.rsplit_once('.')?;
    let (stem, number) = start.rsplit_once('_')?;
    let is_number = number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((stem, extension))
}
