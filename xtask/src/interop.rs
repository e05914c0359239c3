//! `cargo xtask interop`: lets other programs read what we write, and compares every frame.
//!
//! A test of `muslin-io` writes one clip in all formats. Blender from the system's packages, Blender as a Python
//! module (Debian's is built without USD), VTK, Pixar's USD library and NumPy read it; the programs that compare
//! are in `xtask/interop/`. What is missing is installed: packages of Debian if we are root, Python packages into
//! virtual environments under `target/`.
//!
//! Each reader then gets files of another clip, in which one vertex of one frame is a little off: a comparison
//! that lets these pass proves nothing, and counts as failed.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::install::{environment, starts, succeed};
use crate::system::{Software, System};
use crate::{cargo, repository_root, stream};

/// The folder of the wrong files, in that of the right ones.
const WRONG: &str = "wrong";

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
            Outcome::Agreed => println!("interop: {name}: every frame agrees, every wrong file is seen"),
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
    match folder.join("expected.json").exists() && folder.join(WRONG).join("expected.json").exists() {
        true => Ok(()),
        false => Err("the test of muslin-io wrote no clip".to_owned()),
    }
}

/// Blender as a user has it: installed, or installed now, with the NumPy that its importers need.
fn system_blender(root: &Path, folder: &Path) -> Outcome {
    if !starts(Command::new("blender").arg("--version"))
        && let Err(reason) = System::here().install(Software::Blender)
    {
        return Outcome::Failed(format!(
            "blender is not here: {reason}; or https://www.blender.org/download/"
        ));
    }
    let check = |folder: &Path| {
        let mut command = Command::new("blender");
        command.args(["--background", "--factory-startup", "--python-exit-code", "1", "--python"]);
        command.arg(root.join("xtask/interop/blender_check.py")).arg("--").arg(folder);
        command
    };
    agrees(check, folder, &["OBJ", "PC2", "MDD", "GLB"])
}

/// Blender as a Python module, which exists for one version of Python only.
fn python_blender(root: &Path, folder: &Path) -> Outcome {
    let requirements = root.join("xtask/interop/requirements-blender.txt");
    match environment(root, "interop-blender-venv", &["-r", &requirements.to_string_lossy()]) {
        Err(reason) => Outcome::Skipped(format!("bpy cannot be installed ({reason})")),
        Ok(python) => {
            let check = |folder: &Path| {
                let mut command = Command::new(&python);
                command.arg("-B").arg(root.join("xtask/interop/blender_check.py")).arg(folder).arg("usd");
                command
            };
            agrees(check, folder, &["OBJ", "PC2", "MDD", "GLB", "USD"])
        }
    }
}

fn python_readers(root: &Path, folder: &Path) -> Outcome {
    let requirements = root.join("xtask/interop/requirements.txt");
    match environment(root, "interop-venv", &["-r", &requirements.to_string_lossy()]) {
        Err(reason) => Outcome::Failed(reason),
        Ok(python) => {
            let check = |folder: &Path| {
                let mut command = Command::new(&python);
                command.arg("-B").arg(root.join("xtask/interop/readers_check.py")).arg(folder);
                command
            };
            agrees(check, folder, &["VTK", "USD", "NPZ", "PC2", "MDD"])
        }
    }
}

/// Runs a reader on the right files and then on the wrong ones. `check` gives the command for a folder.
fn agrees(check: impl Fn(&Path) -> Command, folder: &Path, formats: &[&str]) -> Outcome {
    match compare(&mut check(folder)) {
        Outcome::Agreed => refuses(&mut check(&folder.join(WRONG)), formats),
        other => other,
    }
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

/// Runs a reader on wrong files: it has to fail, and to find a difference in every format.
fn refuses(command: &mut Command, formats: &[&str]) -> Outcome {
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    let mut found = Vec::new();
    let status = stream::run(command, |line| {
        let difference =
            line.strip_prefix("interop: FAIL ").filter(|text| text.contains("largest difference"));
        if let Some(text) = difference {
            println!("interop: wrong file seen: {text}");
            found.push(text.to_owned());
        }
        false
    });
    let missed = formats.iter().find(|format| !found.iter().any(|text| text.starts_with(**format)));
    match (status, missed) {
        (Err(error), _) => Outcome::Failed(error.to_string()),
        (Ok(status), _) if status.success() => Outcome::Failed("wrong files pass".to_owned()),
        (Ok(_), Some(format)) => Outcome::Failed(format!("a wrong {format} file passes")),
        (Ok(_), None) => Outcome::Agreed,
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

    #[test]
    #[cfg(unix)]
    fn a_reader_that_lets_a_wrong_file_pass_fails() {
        let outcome = |script: &str| refuses(Command::new("sh").args(["-c", script]), &["OBJ", "GLB"]);
        let differs = |format: &str| format!("echo 'interop: FAIL {format} sheet: largest difference 1 m';");
        let (obj, glb) = (differs("OBJ"), differs("GLB"));
        assert!(matches!(outcome(&format!("{obj} {glb} exit 1")), Outcome::Agreed));
        assert!(matches!(outcome(&format!("{obj} {glb} exit 0")), Outcome::Failed(_)));
        assert!(matches!(outcome(&format!("{obj} exit 1")), Outcome::Failed(_)));
        assert!(matches!(outcome("echo 'interop: FAIL GLB frames: 3'; exit 1"), Outcome::Failed(_)));
    }
}
