//! A Vulkan driver for the tests of the GPU engine: the one that is there, else Mesa's, which needs no GPU.
//! Windows and macOS have an API of their own that serves.

use std::path::{Path, PathBuf};

use crate::system::{Software, System};

/// Variables that name a driver.
const NAMED: [&str; 3] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"];
/// Where drivers leave their description.
const DRIVERS: [&str; 5] = [
    "/usr/share/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/etc/vulkan/icd.d",
    "/usr/local/etc/vulkan/icd.d",
    "/run/opengl-driver/share/vulkan/icd.d",
];
const LOADER: &str = "libvulkan.so.1";

/// Finds or installs a driver, and says so; the error says how to get one.
pub fn prepare() -> Result<String, String> {
    if !cfg!(target_os = "linux") {
        return Ok("no Vulkan driver is needed on this system".to_owned());
    }
    if !is_there() {
        System::here().install(Software::Vulkan)?;
    }
    match is_there() {
        true => Ok("Vulkan driver found".to_owned()),
        false => Err("the packages are installed, and still there is none".to_owned()),
    }
}

/// Whether the system has a library.
pub fn has_library(name: &str) -> bool {
    library_folders().iter().any(|folder| has(folder, |file| file == name))
}

/// Whether there are a loader and a driver.
fn is_there() -> bool {
    let named = NAMED.iter().any(|name| std::env::var_os(name).is_some());
    let described = DRIVERS.iter().any(|folder| has(Path::new(folder), |name| name.ends_with(".json")));
    (named || described) && has_library(LOADER)
}

/// Where the system has its libraries: `/usr/lib`, and per architecture `/usr/lib/x86_64-linux-gnu`.
fn library_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib"].map(Into::into).into();
    let named = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&named));
    let inner = |folder: &PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let gnu = folders.iter().flat_map(inner).map(|entry| entry.path());
    let gnu: Vec<PathBuf> = gnu.filter(|path| path.to_string_lossy().contains("-linux-")).collect();
    folders.extend(gnu);
    folders
}

/// Whether a folder has a file with such a name.
fn has(folder: &Path, wanted: impl Fn(&str) -> bool) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_str().is_some_and(&wanted))
}

/// A folder for `XDG_RUNTIME_DIR`, without which the loader complains on stderr; gone when this is dropped.
pub struct RuntimeFolder(Option<PathBuf>);

impl RuntimeFolder {
    /// Makes one if the variable is not set.
    pub fn new() -> Self {
        if !cfg!(target_os = "linux") || std::env::var_os("XDG_RUNTIME_DIR").is_some() {
            return Self(None);
        }
        let folder = std::env::temp_dir().join(format!("muslin-runtime-{}", std::process::id()));
        Self(make_private(&folder).is_ok().then_some(folder))
    }

    /// The variable and its value, if it has to be set.
    pub fn variable(&self) -> Option<(&'static str, &Path)> {
        self.0.as_deref().map(|folder| ("XDG_RUNTIME_DIR", folder))
    }
}

impl Drop for RuntimeFolder {
    fn drop(&mut self) {
        if let Some(folder) = &self.0 {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Makes a folder that is open to nobody else, as the specification of the variable wants it.
fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_name_and_missing_folders_have_none() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(has(here, |name| name == "Cargo.toml"));
        assert!(!has(here, |name| name.ends_with(".so")));
        assert!(!has(Path::new("/no/such/folder"), |_| true));
    }

    #[test]
    fn the_runtime_folder_goes_when_it_is_dropped() {
        let folder = RuntimeFolder::new();
        let path = folder.variable().map(|(_, path)| path.to_owned());
        assert!(path.iter().all(|path| path.is_dir()));
        drop(folder);
        assert!(path.iter().all(|path| !path.exists()));
    }
}
