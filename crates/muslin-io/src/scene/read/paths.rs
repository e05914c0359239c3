//! Where a scene may read and write: in its own folder, unless the user allows more.

use std::path::{Component, Path, PathBuf};

use crate::MemoryFiles;
use crate::scene::ReadOptions;
use crate::scene::text::hint::nearest;
use crate::scene::text::source::quoted;

/// The most files of a folder that are looked at for a hint.
const MOST_LISTED: usize = 1000;

/// The longest name of a folder in bytes, and the longest path of the output's: paths of 4,096 are the limit of Linux, and
/// names of files come after it.
const LONGEST_NAME: usize = 255;
const LONGEST_PATH: usize = 3800;

/// What is wrong with a path, and what to do about it.
#[derive(Debug)]
pub(in crate::scene) struct PathProblem {
    pub message: String,
    pub hint: Option<String>,
}

/// Resolves the paths of a scene.
#[derive(Debug)]
pub(in crate::scene) struct Paths {
    folder: PathBuf,
    /// The folder without symbolic links; `None` if there is no such folder.
    real_folder: Option<PathBuf>,
    allow_outside: bool,
    /// What there is in place of files on a disk.
    memory: Option<MemoryFiles>,
}

impl Paths {
    pub fn new(folder: &Path, options: &ReadOptions) -> Self {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let ReadOptions { allow_outside, files: memory } = options.clone();
        Self { folder: folder.to_owned(), real_folder: folder.canonicalize().ok(), allow_outside, memory }
    }

    /// What there is in place of files on a disk.
    pub fn memory(&self) -> Option<&MemoryFiles> {
        self.memory.as_ref()
    }

    /// The real path of a file that exists, with its size in bytes.
    pub fn existing_file(&self, text: &str) -> Result<(PathBuf, u64), PathProblem> {
        self.refuse_escape(Path::new(text))?;
        if let Some(memory) = &self.memory {
            return in_memory(memory, text);
        }
        let path = self.folder.join(text);
        let real = path.canonicalize().map_err(|error| self.not_found(text, &error))?;
        self.refuse_outside(text, &real)?;
        let metadata = real.metadata().map_err(|error| self.not_found(text, &error))?;
        if !metadata.is_file() {
            return Err(problem(format!("{} is not a file", quoted(text)), None));
        }
        Ok((real, metadata.len()))
    }

    /// The path of a folder that may not exist yet.
    pub fn output_folder(&self, text: &str) -> Result<PathBuf, PathProblem> {
        let wanted = Path::new(text);
        self.refuse_escape(wanted)?;
        let path = self.folder.join(wanted);
        refuse_long(wanted, &path)?;
        if self.allow_outside {
            return Ok(path);
        }
        // The part that exists decides where the rest will be created.
        for ancestor in path.ancestors().take_while(|ancestor| *ancestor != self.folder) {
            if ancestor.symlink_metadata().is_err() {
                continue;
            }
            let real = ancestor.canonicalize().map_err(|error| {
                problem(format!("{} cannot be used as a folder: {error}", quoted(text)), None)
            })?;
            self.refuse_outside(text, &real)?;
            if !real.is_dir() {
                return Err(problem(format!("{} is not a folder", quoted(text)), None));
            }
            return Ok(path);
        }
        Ok(path)
    }

    /// Refuses what leads out of the folder by its very words.
    fn refuse_escape(&self, path: &Path) -> Result<(), PathProblem> {
        if self.allow_outside {
            return Ok(());
        }
        for component in path.components() {
            let why = match component {
                Component::Prefix(_) | Component::RootDir => "is an absolute path",
                Component::ParentDir => "contains \"..\"",
                Component::CurDir | Component::Normal(_) => continue,
            };
            return Err(outside(format!("{} {why}", quoted(&path.to_string_lossy()))));
        }
        Ok(())
    }

    /// Refuses what lies elsewhere once symbolic links are followed.
    fn refuse_outside(&self, text: &str, real: &Path) -> Result<(), PathProblem> {
        let inside = self.real_folder.as_ref().is_some_and(|folder| real.starts_with(folder));
        if self.allow_outside || inside {
            return Ok(());
        }
        Err(outside(format!("{} leads out of the scene's folder through a symbolic link", quoted(text))))
    }

    fn not_found(&self, text: &str, error: &std::io::Error) -> PathProblem {
        if error.kind() != std::io::ErrorKind::NotFound {
            return problem(format!("cannot open {}: {error}", quoted(text)), None);
        }
        let wanted = Path::new(text);
        let parent = wanted.parent().unwrap_or(Path::new(""));
        let entries = std::fs::read_dir(self.folder.join(parent)).into_iter().flatten().flatten();
        let names: Vec<String> =
            entries.take(MOST_LISTED).filter_map(|entry| entry.file_name().into_string().ok()).collect();
        let name = wanted.file_name().unwrap_or_default().to_string_lossy();
        let hint = match nearest(&name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean {}?", quoted(&parent.join(near).to_string_lossy())),
            None => format!("paths are relative to the scene's folder, {}", self.folder.display()),
        };
        problem(format!("there is no file {}", quoted(text)), Some(hint))
    }
}

/// A file in memory, with its size.
fn in_memory(memory: &MemoryFiles, text: &str) -> Result<(PathBuf, u64), PathProblem> {
    let path = Path::new(text);
    if let Some(content) = memory.get(path) {
        return Ok((path.to_owned(), content.len() as u64));
    }
    let names: Vec<String> =
        memory.names().take(MOST_LISTED).map(|name| name.to_string_lossy().into_owned()).collect();
    let hint = match nearest(text, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None => "give it together with the scene".to_owned(),
    };
    Err(problem(format!("there is no file {}", quoted(text)), Some(hint)))
}

/// Refuses a path that no folder can have.
fn refuse_long(wanted: &Path, path: &Path) -> Result<(), PathProblem> {
    let too_long = |what: &str, bytes: usize, most: usize| {
        let message = format!("{what} has {bytes} bytes; the limit is {most}");
        Err(problem(message, Some("give a shorter folder".to_owned())))
    };
    if let Some(part) = wanted.components().find(|part| part.as_os_str().len() > LONGEST_NAME) {
        return too_long("a name in this path", part.as_os_str().len(), LONGEST_NAME);
    }
    match std::path::absolute(path).map_or(0, |path| path.as_os_str().len()) {
        bytes if bytes > LONGEST_PATH => too_long("this path", bytes, LONGEST_PATH),
        _ => Ok(()),
    }
}

fn problem(message: String, hint: Option<String>) -> PathProblem {
    PathProblem { message, hint }
}

fn outside(message: String) -> PathProblem {
    let hint = "a scene reads and writes in its own folder only, unless --allow-outside is given";
    PathProblem { message, hint: Some(hint.to_owned()) }
}
