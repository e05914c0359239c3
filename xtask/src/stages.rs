//! The stages of `cargo xtask test`: a command each, and how its tests are counted.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use crate::junit;
use crate::report::{Libtest, Tally};
use crate::requirements::WASM;
use crate::{cargo, has_nextest, repository_root, stream};

/// A part of the run, to be asked for by name.
pub struct Part {
    /// What it is asked for by.
    pub name: &'static str,
    /// What it may take on two cores from an empty target folder. More is said, and does not fail: machines differ.
    pub minutes: u64,
}

/// All parts; `cargo xtask test` runs them in this order. Together they must stay below 35 minutes.
pub const PARTS: [Part; 9] = [
    Part { name: "lints", minutes: 3 },
    Part { name: "engine", minutes: 10 },
    Part { name: "plain", minutes: 2 },
    Part { name: "docs", minutes: 2 },
    Part { name: "threads", minutes: 1 },
    Part { name: "browser", minutes: 1 },
    Part { name: "viewer", minutes: 6 },
    Part { name: "window", minutes: 1 },
    Part { name: "page", minutes: 8 },
];

/// How the tests of a stage are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Count {
    /// There are none.
    None,
    /// From the output of `cargo test`.
    Libtest,
    /// From the report of nextest.
    Report,
}

/// One stage: a command and how its tests are counted.
pub struct Stage {
    /// The part it belongs to.
    pub part: &'static str,
    /// What it is called in the output.
    pub name: &'static str,
    /// What it runs.
    pub command: Command,
    count: Count,
    /// Where nextest writes its report, whatever target folder cargo is given.
    report: PathBuf,
}

impl Stage {
    /// A stage that calls cargo.
    fn new(part: &'static str, name: &'static str, arguments: &[&str], count: Count) -> Self {
        let mut command = cargo();
        command.args(arguments);
        // A pipe hides the terminal from cargo, so pass on what we see.
        if io::stdout().is_terminal() && std::env::var_os("CARGO_TERM_COLOR").is_none() {
            command.env("CARGO_TERM_COLOR", "always");
        }
        let report = repository_root().join("target/nextest/counted/junit.xml");
        Self { part, name, command, count, report }
    }

    /// A stage that runs tests by cargo itself.
    fn libtest(part: &'static str, name: &'static str, arguments: &[&str]) -> Self {
        // The output of passing tests is where the skip marker stands.
        let arguments = [&["test", "--no-fail-fast"], arguments, &["--", "--show-output"]].concat();
        Self::new(part, name, &arguments, Count::Libtest)
    }

    /// The command as one would type it.
    pub fn shown(&self) -> String {
        let arguments: Vec<_> = self.command.get_args().map(|argument| argument.to_string_lossy()).collect();
        format!("cargo {}", arguments.join(" "))
    }

    /// Runs it, and counts its tests in `tally`; the error says in words what went wrong.
    pub fn run(&mut self, tally: &mut Tally) -> Result<(), String> {
        let (status, counted) = self.run_and_count().map_err(|error| format!("cannot run it: {error}"))?;
        tally.add(counted.unwrap_or_default());
        match counted {
            Some(tally) if tally.failed > 0 => Err(format!("{} failing tests, {status}", tally.failed)),
            _ if !status.success() => Err(status.to_string()),
            // Better a false alarm than a green run in which no test was counted.
            None => Err("its tests cannot be counted".to_owned()),
            Some(_) => Ok(()),
        }
    }

    /// Runs it; no tally where the tests never came to their end.
    fn run_and_count(&mut self) -> io::Result<(ExitStatus, Option<Tally>)> {
        match self.count {
            Count::None => Ok((self.command.status()?, Some(Tally::default()))),
            Count::Libtest => {
                let mut reader = Libtest::default();
                let status = stream::run(&mut self.command, |line| reader.line(line))?;
                Ok((status, reader.tally()))
            }
            Count::Report => {
                // That of an earlier run would be counted if this one came to nothing.
                if self.report.exists() {
                    fs::remove_file(&self.report)?;
                }
                let status = self.command.status()?;
                let report =
                    fs::read_to_string(&self.report).ok().and_then(|text| junit::Report::read(&text).ok());
                report.iter().for_each(|report| println!("{report}"));
                Ok((status, report.map(|report| report.tally)))
            }
        }
    }
}

/// All but the viewer. Its windows ask for other features of crates that the engine needs too: together with it, the engine
/// would have to wait for two hundred crates more.
const ENGINE: [&str; 4] = ["--workspace", "--exclude", VIEWER, "--all-features"];
const VIEWER: &str = "muslin-viewer";

/// The stages in order. Whole packages everywhere: the default member is the command-line program alone. `--all-features` too:
/// its default leaves out the GPU engine and rigid bodies. What that leaves has two stages of its own.
pub fn all() -> Vec<Stage> {
    let mut documentation =
        Stage::new("docs", "doc", &["doc", "--workspace", "--all-features", "--no-deps"], Count::None);
    let flags = std::env::var("RUSTDOCFLAGS").unwrap_or_default();
    documentation.command.env("RUSTDOCFLAGS", format!("{flags} -D warnings").trim_start());
    let clippy = ["clippy", "--workspace", "--all-features", "--all-targets", "--", "-D", "warnings"];
    let plain_clippy = ["clippy", "--workspace", "--", "-D", "warnings"];
    let plain = ["--profile", "plain", "-p", "muslin-cli", "--test", "left_out"];
    vec![
        format(),
        Stage::new("lints", "clippy", &clippy, Count::None),
        Stage::new("lints", "default clippy", &plain_clippy, Count::None),
        tests("engine", "tests", &ENGINE, &["--lib", "--bins", "--tests"]),
        Stage::libtest("plain", "default tests", &plain),
        Stage::libtest("docs", "doc tests", &[&ENGINE[..], &["--doc"]].concat()),
        documentation,
        models("loom"),
        models("shuttle"),
        browser(),
        tests("viewer", "viewer tests", &["-p", VIEWER, "--all-features"], &["--lib", "--bins", "--tests"]),
        Stage::libtest("viewer", "viewer doc tests", &["-p", VIEWER, "--all-features", "--doc"]),
        Stage::libtest("window", "window", &["-p", VIEWER, "--all-features", "--test", "window"]),
        Stage::new("page", "page build", &["xtask", "web"], Count::None),
        Stage::libtest("page", "page", &["-p", VIEWER, "--all-features", "--test", "page"]),
    ]
}

/// Format and unit tests: what says most in a minute, when all is built.
pub fn quick() -> Vec<Stage> {
    vec![format(), tests("engine", "unit tests", &ENGINE, &["--lib", "--bins"])]
}

/// Whether all is laid out as rustfmt lays it out.
fn format() -> Stage {
    Stage::new("lints", "fmt", &["fmt", "--all", "--check"], Count::None)
}

/// The tests of some targets of some packages: with nextest where there is one.
fn tests(part: &'static str, name: &'static str, packages: &[&str], targets: &[&str]) -> Stage {
    let arguments = [packages, targets].concat();
    if has_nextest() {
        let command = ["nextest", "run", "--profile", "counted", "--no-fail-fast"];
        return Stage::new(part, name, &[&command[..], &arguments].concat(), Count::Report);
    }
    Stage::libtest(part, name, &arguments)
}

/// The library with its GPU engine as a browser gets it.
fn browser() -> Stage {
    let arguments = ["clippy", "-p", "muslin", "--features", "gpu", "--target", WASM, "--", "-D", "warnings"];
    Stage::new("browser", "browser", &arguments, Count::None)
}

/// The threads' synchronisation under a model checker: loom goes through all schedules of a small team, with weak memory;
/// shuttle through many random ones of a larger team. A folder of its own, because the flag is one for all crates.
fn models(checker: &'static str) -> Stage {
    let mut stage = Stage::libtest("threads", checker, &["-p", "muslin-threads", "--test", "team"]);
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    stage.command.env("RUSTFLAGS", format!("{flags} --cfg {checker}").trim_start());
    stage.command.env("CARGO_TARGET_DIR", repository_root().join("target").join(checker));
    stage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_is_of_a_part_and_every_part_has_one() {
        for part in PARTS {
            assert!(all().iter().any(|stage| stage.part == part.name), "{}", part.name);
        }
        let stages = all().into_iter().chain(quick());
        assert!(stages.into_iter().all(|stage| PARTS.iter().any(|part| part.name == stage.part)));
        assert!(PARTS.iter().map(|part| part.minutes).sum::<u64>() <= 35);
    }

    #[test]
    fn every_stage_but_fmt_and_models_names_the_workspace_or_the_viewer() {
        for stage in all() {
            let line = stage.shown();
            let other = line == "cargo fmt --all --check"
                || ["loom", "shuttle", "default tests", "browser", "page build"].contains(&stage.name);
            assert!(line.contains("--workspace") || line.contains("-p muslin-viewer") || other, "{line}");
        }
    }

    #[test]
    fn what_is_tested_without_the_viewer_is_tested_with_it() {
        let lines: Vec<String> = all().iter().map(Stage::shown).collect();
        for targets in ["--lib --bins --tests", "--doc"] {
            let of =
                |packages: &str| lines.iter().filter(|l| l.contains(packages) && l.contains(targets)).count();
            assert_eq!([of("--exclude muslin-viewer"), of("-p muslin-viewer")], [1, 1], "{targets}");
        }
    }

    #[test]
    fn a_stage_whose_tests_cannot_be_counted_or_whose_command_fails_is_not_passed() {
        let run = |command: &[&str], count| {
            let mut stage = Stage::new("lints", "nothing", command, count);
            // Not where a run that is going on may be about to write its own.
            stage.report = std::env::temp_dir().join("muslin-xtask-no-report.xml");
            let mut tally = Tally::default();
            (stage.run(&mut tally).err(), tally)
        };
        let nothing = Tally::default();
        for count in [Count::Libtest, Count::Report] {
            assert_eq!(run(&["--version"], count), (Some("its tests cannot be counted".into()), nothing));
        }
        assert_eq!(run(&["--version"], Count::None), (None, nothing));
        assert!(run(&["no-such-subcommand"], Count::None).0.is_some_and(|reason| reason.contains("exit")));
    }

    #[test]
    fn the_report_of_an_earlier_run_is_not_counted() {
        let report = std::env::temp_dir().join(format!("muslin-xtask-report-{}.xml", std::process::id()));
        let old = r#"<testsuites><testsuite><testcase name="old" classname="x"/></testsuite></testsuites>"#;
        fs::write(&report, old).unwrap();
        let mut stage = Stage::new("lints", "nothing", &["--version"], Count::Report);
        stage.report = report.clone();
        let mut tally = Tally::default();
        assert!(stage.run(&mut tally).is_err() && tally == Tally::default() && !report.exists());
    }

    #[test]
    fn all_features_are_linted_tested_and_documented() {
        for stage in all() {
            let line = stage.shown();
            let others =
                ["fmt", "default clippy", "default tests", "loom", "shuttle", "browser", "page build"];
            assert_eq!(line.contains("--all-features"), !others.contains(&stage.name), "{line}");
        }
    }
}
