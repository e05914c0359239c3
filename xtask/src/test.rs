//! `cargo xtask test`: everything that has to hold before a change is merged, in the order of its cost.

use std::io::IsTerminal;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use crate::report::{Libtest, Nextest, NoTests, Reader, Tally};
use crate::requirements::{self, WASM};
use crate::{cargo, has_nextest, repository_root, stream, vulkan};

/// One stage: a command and how to read its output.
struct Stage {
    name: &'static str,
    command: Command,
    reader: Box<dyn Reader>,
}

/// Runs the stages up to the first that fails. The last line printed is always the tally.
///
/// What is missing on the machine is named before anything is built. What the arguments leave out counts as skipped.
pub fn run(arguments: &[&str]) -> ExitCode {
    let without = match requirements::parse_without(arguments) {
        Ok(without) => without,
        Err(message) => {
            eprintln!("test: {message}");
            return ExitCode::from(2);
        }
    };
    let mut tally = Tally::default();
    let found = match requirements::prepare(&without) {
        Ok(found) => found,
        Err(missing) => {
            missing.iter().for_each(|line| println!("{line}"));
            println!("{tally}");
            return ExitCode::FAILURE;
        }
    };
    let mut failed = None;
    let mut times = Vec::new();
    let runtime_folder = vulkan::RuntimeFolder::new();
    let mut stages = stages();
    match found.wasm {
        true => stages.push(browser_stage()),
        false => tally.add(Tally { skipped: 1, ..Tally::default() }),
    }
    for mut stage in stages {
        // The test that needs NumPy reads this; without it, it looks around, and reports itself as skipped.
        stage.command.envs(found.python.iter().map(|python| ("MUSLIN_PYTHON", python)));
        stage.command.envs(runtime_folder.variable());
        println!("==> {}: {}", stage.name, shown(&stage.command));
        let start = Instant::now();
        let result = run_stage(&mut stage);
        let time = start.elapsed();
        times.push((stage.name, time));
        tally.add(stage.reader.tally().unwrap_or_default());
        match result {
            Ok(()) => println!("==> {}: ok, {}", stage.name, seconds(time)),
            Err(reason) => {
                failed = Some(format!("==> {}: FAILED after {}: {reason}", stage.name, seconds(time)));
                break;
            }
        }
    }
    let list: Vec<String> = times.iter().map(|(name, time)| format!("{name} {}", seconds(*time))).collect();
    println!("==> time: {}", list.join(", "));
    if let Some(message) = &failed {
        println!("{message}");
    }
    println!("{tally}");
    if failed.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The library with its GPU engine as a browser gets it.
fn browser_stage() -> Stage {
    let arguments = ["clippy", "-p", "muslin", "--features", "gpu", "--target", WASM, "--", "-D", "warnings"];
    stage("browser", &arguments, Box::new(NoTests))
}

/// Runs one stage; the error says in words what went wrong.
fn run_stage(stage: &mut Stage) -> Result<(), String> {
    let reader = &mut stage.reader;
    let status = stream::run(&mut stage.command, |line| reader.line(line))
        .map_err(|error| format!("cannot run it: {error}"))?;
    let tally = stage.reader.tally();
    match tally {
        Some(tally) if tally.failed > 0 => Err(format!("{} failing tests, {status}", tally.failed)),
        _ if !status.success() => Err(status.to_string()),
        // Better a false alarm than a green run in which no test was counted.
        None => Err("no summary found in the output of the tests".to_owned()),
        Some(_) => Ok(()),
    }
}

/// The stages in order. `--workspace` everywhere: the default member is the command-line program alone. `--all-features` too:
/// its default leaves out the GPU engine and rigid bodies. What that leaves has two stages of its own.
fn stages() -> Vec<Stage> {
    let no_tests = || Box::new(NoTests);
    let mut documentation = stage("doc", &["doc", "--workspace", "--all-features", "--no-deps"], no_tests());
    let flags = std::env::var("RUSTDOCFLAGS").unwrap_or_default();
    documentation.command.env("RUSTDOCFLAGS", format!("{flags} -D warnings").trim_start());
    vec![
        stage("fmt", &["fmt", "--all", "--check"], no_tests()),
        stage(
            "clippy",
            &["clippy", "--workspace", "--all-features", "--all-targets", "--", "-D", "warnings"],
            no_tests(),
        ),
        stage("default clippy", &["clippy", "--workspace", "--", "-D", "warnings"], no_tests()),
        test_stage(),
        stage(
            "default tests",
            &["test", "--profile", "plain", "-p", "muslin-cli", "--test", "left_out", "--", "--show-output"],
            Box::new(Libtest::default()),
        ),
        stage(
            "doc tests",
            &["test", "--workspace", "--all-features", "--doc", "--no-fail-fast", "--", "--show-output"],
            Box::new(Libtest::default()),
        ),
        documentation,
        model_stage("loom"),
        model_stage("shuttle"),
    ]
}

/// The threads' synchronisation under a model checker: loom goes through all schedules of a small team, with weak memory;
/// shuttle through many random ones of a larger team. A folder of its own, because the flag is one for all crates.
fn model_stage(checker: &'static str) -> Stage {
    let mut stage =
        stage(checker, &["test", "-p", "muslin-threads", "--test", "team"], Box::new(Libtest::default()));
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    stage.command.env("RUSTFLAGS", format!("{flags} --cfg {checker}").trim_start());
    stage.command.env("CARGO_TARGET_DIR", repository_root().join("target").join(checker));
    stage
}

/// The stage that runs the tests: with nextest where there is one.
fn test_stage() -> Stage {
    if has_nextest() {
        // Output of passing tests is where the skip marker stands.
        let output =
            ["--success-output", "immediate", "--failure-output", "immediate", "--status-level", "pass"];
        let mut arguments = vec!["nextest", "run", "--workspace", "--all-features", "--no-fail-fast"];
        arguments.extend(output);
        stage("tests", &arguments, Box::new(Nextest::default()))
    } else {
        stage(
            "tests",
            &[
                "test",
                "--workspace",
                "--all-features",
                "--lib",
                "--bins",
                "--tests",
                "--no-fail-fast",
                "--",
                "--show-output",
            ],
            Box::new(Libtest::default()),
        )
    }
}

/// A stage that calls cargo.
fn stage(name: &'static str, arguments: &[&str], reader: Box<dyn Reader>) -> Stage {
    let mut command = cargo();
    command.args(arguments);
    // The pipe hides the terminal from cargo, so pass on what we see.
    if std::io::stdout().is_terminal() && std::env::var_os("CARGO_TERM_COLOR").is_none() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    Stage { name, command, reader }
}

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
    format!("cargo {}", arguments.join(" "))
}

/// A duration to read: `12.3 s`.
fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_but_fmt_and_models_names_the_workspace() {
        for stage in stages() {
            let line = shown(&stage.command);
            let other = line == "cargo fmt --all --check"
                || ["loom", "shuttle", "default tests"].contains(&stage.name);
            assert!(line.contains("--workspace") || other, "{line}");
        }
    }

    #[test]
    fn all_features_are_linted_tested_and_documented() {
        for stage in stages() {
            let line = shown(&stage.command);
            let all = ["clippy", "tests", "doc tests", "doc"].contains(&stage.name);
            assert_eq!(line.contains("--all-features"), all, "{line}");
        }
    }

    #[test]
    fn seconds_have_one_decimal() {
        assert_eq!(seconds(Duration::from_millis(12_345)), "12.3 s");
    }
}
