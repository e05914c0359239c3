//! `cargo xtask peers`: builds and runs other cloth simulators on the hanging cloth, and prints a table.
//!
//! The programs are in `peers/`, outside the workspace; each prints one JSON object per line with the keys of
//! `muslin bench --json`. They run one after the other: side by side they would slow each other.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::install::environment;
use crate::{cargo, repository_root, stream};

/// Runs the peers, Newton among them if asked for. Fails if one of them cannot be run.
pub fn run(newton: bool) -> ExitCode {
    let root = repository_root();
    let mut results = Vec::new();
    let mut outcome = measure("rapier", &mut rapier(), &mut results);
    if newton {
        let prepared = prepare_newton(&root);
        let measured = prepared.and_then(|mut command| measure("newton", &mut command, &mut results));
        outcome = outcome.and(measured);
    }
    print!("\n{}", table(&results));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("peers: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The rapier3d program. Built by the cargo that runs us, with its own lock file and target folder.
fn rapier() -> Command {
    let mut command = cargo();
    command.args(["run", "--release", "--locked", "--manifest-path", "peers/rapier/Cargo.toml"]);
    command
}

/// Installs Newton into a virtual environment under `target/` and returns the command that measures it.
fn prepare_newton(root: &Path) -> Result<Command, String> {
    let folder = root.join("peers").join("newton");
    let requirements = folder.join("requirements.txt");
    let python = environment(root, "peers-venv", &["-r", &requirements.to_string_lossy()])?;
    let mut command = Command::new(python);
    command.arg(folder.join("style3d_hanging.py"));
    Ok(command)
}

/// Runs a peer and collects its lines of JSON, printing all it says.
fn measure(name: &str, command: &mut Command, results: &mut Vec<String>) -> Result<(), String> {
    println!("==> {name}");
    let before = results.len();
    let status = stream::run(command, |line| {
        if line.starts_with('{') {
            results.push(line.to_owned());
        }
        true
    });
    match status {
        Err(error) => Err(format!("{name}: {error}")),
        Ok(status) if !status.success() => Err(format!("{name}: {status}")),
        Ok(_) if results.len() == before => Err(format!("{name}: no result printed")),
        Ok(_) => Ok(()),
    }
}

/// The results as a Markdown table; strains in per cent.
fn table(results: &[String]) -> String {
    let mut text = String::from(
        "| peer | triangles | ms per step | CPU ms per step | strain avg % | max edge % | global % | speed m/s |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for line in results {
        let number = |key: &str| field(line, key).and_then(|value| value.parse::<f64>().ok());
        let show = |key: &str, factor: f64, decimals: usize| match number(key) {
            Some(value) => format!("{:.decimals$}", value * factor),
            None => "?".to_owned(),
        };
        let cells = [
            field(line, "solver").unwrap_or("?").to_owned(),
            show("triangles", 1.0, 0),
            show("ms_per_step_median", 1.0, 2),
            show("ms_per_step_cpu", 1.0, 2),
            show("strain_avg", 100.0, 3),
            show("strain_max_edge", 100.0, 2),
            show("strain_global", 100.0, 3),
            show("max_speed", 1.0, 4),
        ];
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}

/// The value of a member of a flat JSON object: a string without its quotes, or a number as written.
///
/// Enough for the lines that `peers/` prints, whose strings hold no quotes.
fn field<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = object.split_once(&format!("\"{key}\":"))?;
    let rest = rest.trim_start();
    match rest.strip_prefix('"') {
        Some(text) => text.split('"').next(),
        None => rest.split([',', '}']).next().map(str::trim_end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_flat_object() {
        let spaced =
            r#"{"name": "hanging", "solver": "a, b", "dt": 0.005, "stages": {}, "strain_avg": 1e-3}"#;
        let dense = r#"{"name":"hanging","solver":"a, b","dt":0.005,"stages":{},"strain_avg":1e-3}"#;
        for object in [spaced, dense] {
            assert_eq!(field(object, "solver"), Some("a, b"));
            assert_eq!(field(object, "dt"), Some("0.005"));
            assert_eq!(field(object, "strain_avg"), Some("1e-3"));
            assert_eq!(field(object, "missing"), None);
        }
    }

    #[test]
    fn the_table_turns_fractions_into_per_cent_and_marks_what_is_missing() {
        let object = r#"{"solver":"s","triangles":2,"ms_per_step_median":1.234,"ms_per_step_cpu":null,"strain_avg":0.0123}"#;
        let table = table(&[object.to_owned()]);
        assert_eq!(table.lines().last(), Some("| s | 2 | 1.23 | ? | 1.230 | ? | ? | ? |"));
    }
}
