//! What other programs need on this machine: packages of Debian, and Python packages in virtual environments
//! under `target/`. Nothing is installed that is there already, and nothing outside `target/` unless we are root.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The system's Python.
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// A Python that has NumPy: the system's, or one of our own that is made now if need be.
pub fn python_with_numpy(root: &Path) -> Result<PathBuf, String> {
    let system = PathBuf::from(PYTHON);
    let own = python_of(&root.join("target").join("numpy-venv"));
    if let Some(python) = [&system, &own].into_iter().find(|python| has_numpy(python)) {
        return Ok(python.clone());
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
        apt_install(&["python3", "python3-venv"])
            .map_err(|reason| format!("Python 3 with its module venv is needed: {reason}"))?;
        if !make() {
            return Err(format!("{PYTHON} cannot make a virtual environment in {}", folder.display()));
        }
    }
    // Few retries: without a network the user should not wait for minutes.
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "2"];
    succeed(Command::new(&python).args(install).args(packages))?;
    Ok(python)
}

/// The interpreter inside a virtual environment.
fn python_of(environment: &Path) -> PathBuf {
    match cfg!(windows) {
        true => environment.join("Scripts").join("python.exe"),
        false => environment.join("bin").join("python"),
    }
}

/// Installs packages of Debian (or its children). Elsewhere, or if we are not root, the error says what to install.
pub fn apt_install(packages: &[&str]) -> Result<(), String> {
    let names = packages.join(" ");
    if !starts(Command::new("apt-get").arg("--version")) {
        return Err(format!("install it (in Debian the packages are called {names})"));
    }
    let user = Command::new("id").arg("-u").output().map_err(|error| format!("id: {error}"))?;
    if user.stdout.trim_ascii() != b"0" {
        return Err(format!("install it as root: apt-get install {names}"));
    }
    println!("setup: apt-get install {names}");
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        succeed(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["update", "-qq"])?;
    apt(&[&["install", "-qq", "-y", "--no-install-recommends"], packages].concat())
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
