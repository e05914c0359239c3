//! What other programs need on this machine: Python packages in virtual environments under `target/`. Nothing is
//! installed that is there already, and nothing outside `target/` unless we are root.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::system::{Software, System};

/// The system's Python.
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// A Python that has NumPy: the one that `MUSLIN_PYTHON` names, the system's, or one of our own that is made now if
/// need be.
pub fn python_with_numpy(root: &Path) -> Result<PathBuf, String> {
    let named = std::env::var_os("MUSLIN_PYTHON").map(PathBuf::from);
    let own = python_of(&root.join("target").join("numpy-venv"));
    let mut known = named.into_iter().chain([PathBuf::from(PYTHON), own]);
    if let Some(python) = known.find(|python| has_numpy(python)) {
        return Ok(python);
    }
    println!("setup: no Python with NumPy; installing one under target/");
    let python = environment(root, "numpy-venv", &["numpy"])?;
    match has_numpy(&python) {
        true => Ok(python),
        false => Err(format!("{} cannot import numpy", python.display())),
    }
}

fn has_numpy(python: &Path) -> bool {
    starts(Command::new(python).args(["-c", "import numpy"]))
}

/// A virtual environment under `target/` with packages, given as pip takes them; returns its interpreter.
pub fn environment(root: &Path, name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let folder = root.join("target").join(name);
    let python = python_of(&folder);
    // Debian's Python without python3-venv leaves an environment without pip.
    let usable = || starts(Command::new(&python).args(["-m", "pip", "--version"]));
    let make = || starts(Command::new(PYTHON).args(["-m", "venv", "--clear"]).arg(&folder)) && usable();
    if !usable() && !make() {
        System::here().install(Software::Python)?;
        if !make() {
            return Err(format!("{PYTHON} cannot make a virtual environment in {}", folder.display()));
        }
    }
    // Few retries: without a network the user should not wait for minutes.
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "2"];
    succeed(Command::new(&python).args(install).args(packages)).map_err(|reason| {
        format!("pip could not install {} ({reason}); is there a network?", packages.join(" "))
    })?;
    Ok(python)
}

/// The interpreter inside a virtual environment.
fn python_of(environment: &Path) -> PathBuf {
    match cfg!(windows) {
        true => environment.join("Scripts").join("python.exe"),
        false => environment.join("bin").join("python"),
    }
}

/// Whether a program can be started and ends well.
pub fn starts(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs a command that has to succeed.
pub fn succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{}: {status}", command.get_program().to_string_lossy())),
        Err(error) => Err(format!("{}: {error}", command.get_program().to_string_lossy())),
    }
}
