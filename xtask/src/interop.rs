//! `cargo xtask interop`: lets other programs read what we write, and compares every frame.
//!
//! A test of `muslin-io` writes one clip in all formats. Blender from the system's packages, Blender as a Python
//! module (Debian's is built without USD), VTK, Pixar's USD library and NumPy read it; the programs that compare
//! are in `xtask/interop/`. What is missing is installed: packages of Debian if we are root, Python packages into
//! virtual environments under `target/`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::{cargo, repository_root, stream};

/// What became of a reader.
enum Outcome {
    Agreed,
    Failed(String),
    Skipped(String),
}

/// Writes the clip and runs all readers; fails if one of them disagrees or cannot be run.
pub fn run() -> ExitCode {
    let root = repository_root();
    let folder = root.join("target").join("interop");
    if let Err(message) = write_clips(&folder) {
        eprintln!("interop: {message}");
        return ExitCode::FAILURE;
    }
    let readers = [
        ("Blender (system)", system_blender(&root, &folder)),
        ("Blender (PyPI), with USD", python_blender(&root, &folder)),
        ("VTK, OpenUSD, NumPy (PyPI)", python_readers(&root, &folder)),
    ];
    println!();
    let mut failed = false;
    for (name, outcome) in readers {
        match outcome {
            Outcome::Agreed => println!("interop: {name}: every frame agrees"),
            Outcome::Skipped(reason) => println!("interop: {name}: SKIPPED: {reason}"),
            Outcome::Failed(reason) => {
                println!("interop: {name}: FAILED: {reason}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Lets the test of `muslin-io` write its clip into an empty folder.
fn write_clips(folder: &Path) -> Result<(), String> {
    let explain = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(explain)?;
    }
    std::fs::create_dir_all(folder).map_err(explain)?;
    let mut command = cargo();
    command.args(["test", "--package", "muslin-io", "--test", "clips", "every_format_writes"]);
    command.env("MUSLIN_INTEROP_FOLDER", folder);
    succeed(&mut command)?;
    match folder.join("expected.json").exists() {
        true => Ok(()),
        false => Err("the test of muslin-io wrote no clip".to_owned()),
    }
}

/// Blender as a user has it: installed, or installed now.
fn system_blender(root: &Path, folder: &Path) -> Outcome {
    if !starts(Command::new("blender").arg("--version"))
        && let Err(reason) = install_blender()
    {
        return Outcome::Failed(format!("blender is not here: {reason}"));
    }
    let script = root.join("xtask/interop/blender_check.py");
    let mut command = Command::new("blender");
    command.args(["--background", "--factory-startup", "--python-exit-code", "1", "--python"]);
    command.arg(script).arg("--").arg(folder);
    compare(&mut command)
}

/// Installs Blender, and the NumPy that its importers need, from Debian's packages.
fn install_blender() -> Result<(), String> {
    if !starts(Command::new("apt-get").arg("--version")) {
        return Err("install it from https://www.blender.org/download/".to_owned());
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        succeed(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["update", "-qq"])?;
    apt(&["install", "-qq", "-y", "--no-install-recommends", "blender", "python3-numpy"])
}

/// Blender as a Python module, which exists for one version of Python only.
fn python_blender(root: &Path, folder: &Path) -> Outcome {
    match environment(root, "interop-blender-venv", "requirements-blender.txt") {
        Err(reason) => Outcome::Skipped(format!("bpy cannot be installed ({reason})")),
        Ok(python) => {
            let script = root.join("xtask/interop/blender_check.py");
            compare(Command::new(python).arg("-B").arg(script).arg(folder).arg("usd"))
        }
    }
}

fn python_readers(root: &Path, folder: &Path) -> Outcome {
    match environment(root, "interop-venv", "requirements.txt") {
        Err(reason) => Outcome::Failed(reason),
        Ok(python) => {
            let script = root.join("xtask/interop/readers_check.py");
            compare(Command::new(python).arg("-B").arg(script).arg(folder))
        }
    }
}

/// A virtual environment under `target/` with the packages of a list; returns its interpreter.
fn environment(root: &Path, name: &str, requirements: &str) -> Result<PathBuf, String> {
    let folder = root.join("target").join(name);
    let python = match cfg!(windows) {
        true => folder.join("Scripts").join("python.exe"),
        false => folder.join("bin").join("python"),
    };
    if !python.exists() {
        let system = if cfg!(windows) { "python" } else { "python3" };
        succeed(Command::new(system).args(["-m", "venv"]).arg(&folder))?;
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    succeed(Command::new(&python).args(install).arg(root.join("xtask/interop").join(requirements)))?;
    Ok(python)
}

/// Runs a reader, showing what it compared. It has to say so: a program that ends well without comparing anything
/// is a failure.
fn compare(command: &mut Command) -> Outcome {
    // Python would leave compiled scripts in the source tree.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    let mut compared = 0;
    let status = stream::run(command, |line| {
        compared += usize::from(line.starts_with("interop: ok"));
        line.starts_with("interop:") || line.contains("Error")
    });
    match status {
        Err(error) => Outcome::Failed(error.to_string()),
        Ok(status) if !status.success() => Outcome::Failed(status.to_string()),
        Ok(_) if compared == 0 => Outcome::Failed("nothing was compared".to_owned()),
        Ok(_) => Outcome::Agreed,
    }
}

/// Whether a program can be started.
fn starts(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs a command that has to succeed.
fn succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{}: {status}", command.get_program().to_string_lossy())),
        Err(error) => Err(format!("{}: {error}", command.get_program().to_string_lossy())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_reader_that_compares_nothing_fails() {
        let outcome = |script: &str| compare(Command::new("sh").args(["-c", script]));
        assert!(matches!(outcome("echo 'interop: ok   OBJ'"), Outcome::Agreed));
        assert!(matches!(outcome("echo nothing"), Outcome::Failed(_)));
        assert!(matches!(outcome("echo 'interop: ok   OBJ'; exit 1"), Outcome::Failed(_)));
    }
}
