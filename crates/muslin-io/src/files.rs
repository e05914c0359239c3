//! Files in memory in place of those on a disk, for who has none: a page, a program with its scenes built in.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use muslin::mesh::TriMesh;

use crate::{ReadError, parse_mesh_within, read_mesh_within};

/// Files by their names, relative to a folder that there need not be. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles(Arc<BTreeMap<PathBuf, Arc<[u8]>>>);

impl<P: Into<PathBuf>, C: Into<Arc<[u8]>>> FromIterator<(P, C)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (P, C)>>(files: I) -> Self {
        Self(Arc::new(
            files.into_iter().map(|(path, content)| (plain(&path.into()), content.into())).collect(),
        ))
    }
}

impl MemoryFiles {
    /// What is in a file.
    pub fn get(&self, path: &Path) -> Option<&[u8]> {
        self.0.get(&plain(path)).map(|content| &**content)
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }
}

/// Without `.` in it.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|component| *component != Component::CurDir).collect()
}

/// Where the meshes of a scene are read from, and how many bytes more of them.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub bytes_left: u64,
    pub memory: Option<MemoryFiles>,
}

impl Reading {
    /// Reads a mesh as [`read_mesh`](crate::read_mesh) does, from where these files are.
    pub fn mesh(&mut self, path: &Path) -> Result<TriMesh, ReadError> {
        let Some(memory) = &self.memory else { return read_mesh_within(path, &mut self.bytes_left) };
        let failed = |kind: io::ErrorKind, why: String| ReadError::Io {
            path: path.to_owned(),
            source: io::Error::new(kind, why),
        };
        let content = memory
            .get(path)
            .ok_or_else(|| failed(io::ErrorKind::NotFound, "there is no such file".to_owned()))?;
        let size = content.len() as u64;
        self.bytes_left = self.bytes_left.checked_sub(size).ok_or_else(|| {
            let left = self.bytes_left;
            failed(io::ErrorKind::Other, format!("{size} bytes, but only {left} more may be read"))
        })?;
        parse_mesh_within(path, content, &mut self.bytes_left)
    }
}
