//! The property tests from seeds that nobody has tried: rounds of all of them until the time is over.
//!
//! In the test run they draw the same cases every time, because `.cargo/config.toml` sets the seed. Here every round
//! has its own, which is printed: with `--seed` it is run again.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{cargo, repository_root, stream};

/// The variable that proptest reads.
const SEED: &str = "PROPTEST_RNG_SEED";

/// Runs rounds for this many seconds, at least one; with a given seed only that one.
pub fn run(seconds: u64, given: Option<u64>) -> Result<(), String> {
    let names = names(&repository_root().join("crates")).map_err(|error| format!("crates/: {error}"))?;
    let built = tests().arg("--no-run").status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("properties: the tests cannot be built".to_owned());
    }
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut rounds = 0;
    while rounds == 0 || (given.is_none() && Instant::now() < end) {
        round(&names, given.unwrap_or_else(new_seed))?;
        rounds += 1;
    }
    println!("fuzz: properties   {rounds:>10} rounds of {} tests  ok", names.len());
    Ok(())
}

/// All property tests once.
fn round(names: &BTreeSet<String>, seed: u64) -> Result<(), String> {
    let mut command = tests();
    command.arg("--quiet").arg("--").args(names).env(SEED, seed.to_string());
    let mut lines = Vec::new();
    let status = stream::run(&mut command, |line| {
        lines.push(line.to_owned());
        false
    });
    if status.map_err(|error| format!("properties: {error}"))?.success() {
        println!("fuzz: properties   seed {seed}: ok");
        return Ok(());
    }
    lines.iter().for_each(|line| eprintln!("{line}"));
    Err(format!("properties: FAILED from seed {seed}\n  reproduce: cargo xtask fuzz --seed {seed}"))
}

/// A command that builds all tests of the workspace, and to which names may be added.
fn tests() -> Command {
    let mut command = cargo();
    command.args(["test", "--workspace", "--all-features", "--lib", "--bins", "--tests", "--no-fail-fast"]);
    command
}

/// A number that was not drawn before: the standard library seeds its hash maps by the system's randomness.
fn new_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The names of all property tests in the sources below a folder.
fn names(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(names(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.extend(property_tests(&std::fs::read_to_string(&path)?));
        }
    }
    Ok(found)
}

/// The names of the property tests in a source: functions after `proptest! {` whose parameters are drawn, `x in …`.
fn property_tests(source: &str) -> Vec<String> {
    let drawn = |text: &str| -> Option<String> {
        let (name, rest) = text.split_once('(')?;
        let (parameters, _) = rest.split_once(") {").unwrap_or((rest, ""));
        parameters.contains(" in ").then(|| name.trim().to_owned())
    };
    match source.split_once("proptest! {") {
        Some((_, rest)) => {
            rest.split("#[test]").skip(1).filter_map(|text| drawn(text.split_once("fn ")?.1)).collect()
        }
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_tests_are_told_from_others() {
        let source = "#[test]\nfn before() {}\nproptest! {\n  #[test]\n  fn one(a in 0..1, (b, c) in [f(), g()]) {\n  }\n\n  \
                      #[test]\n  fn two(\n    a in vector(),\n  ) {\n  }\n}\n#[test]\nfn after() { for x in y {} }\n";
        assert_eq!(property_tests(source), ["one", "two"]);
        assert!(property_tests("#[test]\nfn plain() { for x in y {} }").is_empty());
    }

    #[test]
    fn those_of_the_workspace_are_found() {
        let found = names(&repository_root().join("crates")).unwrap();
        assert!(found.contains("no_points_of_the_edges_are_nearer") && found.len() > 30, "{found:?}");
    }

    #[test]
    fn seeds_are_new() {
        assert_ne!(new_seed(), new_seed());
    }
}
