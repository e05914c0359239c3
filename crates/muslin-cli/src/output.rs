//! What goes to stdout and into folders.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::failure::Failure;

/// Prints text and a line end. A reader that has gone away (`muslin … | head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::run(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints names and what they are, in two columns: the first as wide as its longest name.
pub fn print_list(rows: &[(&str, String)]) -> Result<(), Failure> {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines: Vec<String> = rows.iter().map(|(name, about)| format!("{name:<width$}  {about}")).collect();
    print(&lines.join("\n"))
}

/// Prints a JSON document.
pub fn print_json(document: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(document)
        .map_err(|error| Failure::run(format!("cannot write the report as JSON: {error}")))?;
    print(&text)
}

/// Refuses a place for output that is already something else than a folder.
pub fn check_folder(folder: &Path) -> Result<(), Failure> {
    match folder.exists() && !folder.is_dir() {
        true => Err(Failure::input(format!("{}: not a folder", folder.display()))
            .hint("name a folder with --out; it is made if it does not exist")),
        false => Ok(()),
    }
}

/// Makes a folder, with those it lies in.
pub fn create_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::run(format!("{}: cannot make this folder: {error}", folder.display())))
}

/// A failure during a run, or, if one of its folders is no longer there, that: whatever failed then failed because of it.
pub fn if_removed(folders: [&Path; 2], failure: Failure) -> Failure {
    match folders.into_iter().find(|folder| !folder.is_dir()) {
        Some(folder) if !failure.is_reported() => {
            Failure::run(format!("{}: this folder was removed during the run", folder.display()))
                .hint("what was in it is gone; run the scene again")
        }
        _ => failure,
    }
}
