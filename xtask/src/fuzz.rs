//! `cargo xtask fuzz`: runs the property tests from new seeds, lets libFuzzer throw bytes at every reader, and stops
//! at the first that breaks.
//!
//! The targets of libFuzzer are in `fuzz/`, outside the workspace: they need a nightly compiler, which nothing else here does.
//! What the fuzzer learns stays in `fuzz/corpus`, so that each run begins where the last one ended.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use crate::{cargo, properties, repository_root, stream};

/// Seconds for each target unless asked for otherwise.
const SECONDS: u64 = 60;

/// The name of the property tests among the targets.
const PROPERTIES: &str = "properties";

/// An input that takes longer than this many seconds counts as a hang.
const HANG_SECONDS: u64 = 10;

/// How many of the last lines of a target that failed are shown.
const SHOWN_LINES: usize = 60;

/// Runs the targets named in the arguments of `fuzz`, or all. Fails at the first that finds something.
pub fn run(arguments: &[&str]) -> ExitCode {
    match fuzz(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("fuzz: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Builds all that is asked for, then runs one target after the other.
fn fuzz(arguments: &[&str]) -> Result<(), String> {
    let known = targets(&repository_root().join("fuzz/fuzz_targets")).map_err(|e| format!("fuzz/: {e}"))?;
    let Asked { seconds, seed, properties, targets: chosen } = parse(arguments, &known)?;
    if properties {
        properties::run(seconds, seed)?;
    }
    if chosen.is_empty() {
        return Ok(());
    }
    let nightly = nightly()?;
    install_cargo_fuzz()?;
    // One target at a time: without a name all would be built. What they share is built once.
    for target in &chosen {
        let built = cargo_fuzz(&nightly, &["build", target]).status();
        if !built.is_ok_and(|status| status.success()) {
            return Err(format!("{target}: cannot be built"));
        }
    }
    chosen.iter().try_for_each(|target| run_target(&nightly, target, seconds))
}

/// The names of the targets, in alphabetical order.
fn targets(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().and_then(|name| name.to_str()).map(str::to_owned));
        }
    }
    names.sort();
    Ok(names)
}

/// What the arguments ask for.
#[derive(Debug, PartialEq)]
struct Asked {
    /// For each target.
    seconds: u64,
    /// The one seed of the property tests, or a new one for every round.
    seed: Option<u64>,
    /// Whether to run the property tests.
    properties: bool,
    /// Those of libFuzzer.
    targets: Vec<String>,
}

/// From `[--seconds N] [--seed N] [TARGET…]`. A seed is one of the property tests, and asks for these.
fn parse(arguments: &[&str], known: &[String]) -> Result<Asked, String> {
    let mut asked = Asked { seconds: SECONDS, seed: None, properties: false, targets: Vec::new() };
    let mut words = arguments.iter();
    while let Some(&word) = words.next() {
        if word == "--seconds" {
            // libFuzzer takes 0 for "without end".
            asked.seconds = (words.next().and_then(|text| text.parse().ok()).filter(|&seconds| seconds > 0))
                .ok_or("--seconds needs a whole number greater than 0")?;
        } else if word == "--seed" {
            let seed =
                words.next().and_then(|text| text.parse().ok()).ok_or("--seed needs a whole number")?;
            (asked.seed, asked.properties) = (Some(seed), true);
        } else if word == PROPERTIES {
            asked.properties = true;
        } else if known.iter().any(|name| name == word) {
            asked.targets.push(word.to_owned());
        } else {
            let known = known.join(", ");
            return Err(format!("there is no target '{word}'; the targets are {PROPERTIES}, {known}"));
        }
    }
    if !asked.properties && asked.targets.is_empty() {
        (asked.properties, asked.targets) = (true, known.to_vec());
    }
    Ok(asked)
}

/// The name of a nightly toolchain.
fn nightly() -> Result<String, String> {
    let advice = "install one with `rustup toolchain install nightly`";
    let output = Command::new("rustup").args(["toolchain", "list"]).output().map_err(|error| {
        format!("libFuzzer needs a nightly toolchain by rustup (https://rustup.rs), and rustup: {error}")
    })?;
    find_nightly(&String::from_utf8_lossy(&output.stdout))
        .ok_or_else(|| format!("libFuzzer needs a nightly toolchain, and there is none; {advice}"))
}

/// The first nightly toolchain that `rustup toolchain list` names.
fn find_nightly(list: &str) -> Option<String> {
    let mut names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.find(|name| name.starts_with("nightly")).map(str::to_owned)
}

/// Installs cargo-fuzz if it is missing.
fn install_cargo_fuzz() -> Result<(), String> {
    let found = cargo().args(["fuzz", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    println!("fuzz: installing cargo-fuzz");
    let installed = cargo().args(["install", "--locked", "cargo-fuzz"]).status();
    match installed.is_ok_and(|status| status.success()) {
        true => Ok(()),
        false => Err("cargo-fuzz is missing, and `cargo install --locked cargo-fuzz` failed".to_owned()),
    }
}

/// A `cargo fuzz` command of the nightly toolchain, in the root of the repository.
fn cargo_fuzz(nightly: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", nightly, "cargo", "fuzz"]).args(arguments);
    // The cargo that started us is of another toolchain, and would be taken for the nightly one.
    command.env_remove("CARGO").current_dir(repository_root());
    command
}

/// Runs one target and prints one line about it; an error tells what it found.
fn run_target(nightly: &str, target: &str, seconds: u64) -> Result<(), String> {
    let root = repository_root();
    let corpus = format!("fuzz/corpus/{target}");
    std::fs::create_dir_all(root.join(&corpus)).map_err(|error| format!("{corpus}: {error}"))?;
    let seeds = format!("fuzz/seeds/{target}");
    let dictionary = format!("fuzz/dictionaries/{target}.dict");
    let mut command = cargo_fuzz(nightly, &["run", target, &corpus]);
    if root.join(&seeds).is_dir() {
        command.arg(&seeds);
    }
    command.args(["--", "-print_final_stats=1"]);
    command.arg(format!("-max_total_time={seconds}")).arg(format!("-timeout={HANG_SECONDS}"));
    if root.join(&dictionary).is_file() {
        command.arg(format!("-dict={dictionary}"));
    }
    let mut lines = Vec::new();
    let status = stream::run(&mut command, |line| {
        lines.push(line.to_owned());
        false
    });
    if status.map_err(|error| format!("{target}: {error}"))?.success() {
        println!("fuzz: {}", summary(target, &lines));
        return Ok(());
    }
    lines[lines.len().saturating_sub(SHOWN_LINES)..].iter().for_each(|line| eprintln!("{line}"));
    Err(match artifact(&lines) {
        Some(path) => format!(
            "{target}: FAILED on {path}\n  reproduce: cargo +{nightly} fuzz run {target} {path}\n  \
             minimise:  cargo +{nightly} fuzz tmin {target} {path}"
        ),
        None => format!("{target}: could not be run, see above"),
    })
}

/// What a target did, in one line.
fn summary(target: &str, lines: &[String]) -> String {
    let number = |key: &str| lines.iter().find_map(|line| line.strip_prefix(key)).map_or("?", str::trim);
    let (runs, new) = (number("stat::number_of_executed_units:"), number("stat::new_units_added:"));
    format!("{target:<12} {runs:>10} runs {new:>6} new units  ok")
}

/// Where libFuzzer put the input that broke the target.
fn artifact(lines: &[String]) -> Option<&str> {
    lines.iter().find_map(|line| line.split_once("Test unit written to ")).map(|(_, path)| path.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn arguments_choose_time_and_targets() {
        let known = texts(&["obj", "ply"]);
        let asked = |seconds, seed, properties, targets: &[&str]| {
            Ok(Asked { seconds, seed, properties, targets: texts(targets) })
        };
        assert_eq!(parse(&[], &known), asked(SECONDS, None, true, &["obj", "ply"]));
        assert_eq!(parse(&["ply", "--seconds", "5"], &known), asked(5, None, false, &["ply"]));
        assert_eq!(parse(&["properties"], &known), asked(SECONDS, None, true, &[]));
        assert_eq!(parse(&["--seed", "7"], &known), asked(SECONDS, Some(7), true, &[]));
        for wrong in [&["--seconds"][..], &["--seconds", "0"], &["--seconds", "ply"], &["--seed", "-1"]] {
            assert!(parse(wrong, &known).unwrap_err().contains("whole number"), "{wrong:?}");
        }
        assert!(parse(&["stl"], &known).unwrap_err().ends_with("the targets are properties, obj, ply"));
    }

    #[test]
    fn a_nightly_is_found_among_other_toolchains() {
        let list = "stable-x86_64-unknown-linux-gnu (active, default)\nnightly-x86_64-unknown-linux-gnu\n";
        assert_eq!(find_nightly(list).as_deref(), Some("nightly-x86_64-unknown-linux-gnu"));
        assert_eq!(
            find_nightly("nightly-2026-05-19-x86_64 (default)").as_deref(),
            Some("nightly-2026-05-19-x86_64")
        );
        assert_eq!(find_nightly("no installed toolchains\n"), None);
    }

    #[test]
    fn the_words_of_libfuzzer_are_understood() {
        let good =
            texts(&["Done 7 runs", "stat::number_of_executed_units: 7", "stat::new_units_added:          2"]);
        assert_eq!(summary("obj", &good), "obj                   7 runs      2 new units  ok");
        assert_eq!(artifact(&good), None);
        let bad = "artifact_prefix='/a/'; Test unit written to /a/crash-1";
        assert_eq!(artifact(&texts(&["x", bad])), Some("/a/crash-1"));
    }
}
