//! `cargo xtask test`: everything that has to hold before a change is merged, in the order of its cost.

use std::io::IsTerminal;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use crate::report::{Libtest, Nextest, NoTests, Reader, Tally};
use crate::requirements::{self, Need, WASM};
use crate::{cargo, has_nextest, repository_root, stream, vulkan};

/// A part of the run, to be asked for by name.
struct Part {
    name: &'static str,
    /// What it may take on two cores from an empty target folder. More is said, and does not fail: machines differ.
    minutes: u64,
}

/// All parts; `cargo xtask test` runs them in this order. Together they must stay below 35 minutes.
const PARTS: [Part; 6] = [
    Part { name: "lints", minutes: 2 },
    Part { name: "engine", minutes: 10 },
    Part { name: "plain", minutes: 1 },
    Part { name: "docs", minutes: 1 },
    Part { name: "threads", minutes: 1 },
    Part { name: "browser", minutes: 1 },
];

/// What the user has asked for.
#[derive(Debug, Default, PartialEq)]
struct Wish {
    /// Names of parts; none: all.
    parts: Vec<String>,
    /// Only what says most in a minute.
    quick: bool,
    /// What to go without.
    without: Vec<Need>,
}

impl Wish {
    /// From `[PART…] [--quick] [--without numpy] [--without wasm32]`.
    fn parse(arguments: &[&str]) -> Result<Self, String> {
        let mut wish = Self::default();
        let mut words = arguments.iter();
        while let Some(&word) = words.next() {
            match word {
                "--quick" => wish.quick = true,
                "--without" => {
                    wish.without.push(requirements::to_go_without(words.next().copied())?);
                }
                part if PARTS.iter().any(|known| known.name == part) => wish.parts.push(part.to_owned()),
                other => {
                    let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
                    return Err(format!("unknown argument '{other}'; parts are {}", names.join(", ")));
                }
            }
        }
        if wish.quick && !wish.parts.is_empty() {
            return Err("--quick is a part of its own".to_owned());
        }
        Ok(wish)
    }

    /// Whether a part is asked for.
    fn includes(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|name| name == part)
    }
}

/// One stage: a command and how to read its output.
struct Stage {
    part: &'static str,
    name: &'static str,
    command: Command,
    reader: Box<dyn Reader>,
}

/// Runs the stages up to the first that fails. The last line printed is always the tally.
///
/// What is missing on the machine is named before anything is built. What the arguments leave out counts as skipped.
pub fn run(arguments: &[&str]) -> ExitCode {
    let wish = match Wish::parse(arguments) {
        Ok(wish) => wish,
        Err(message) => {
            eprintln!("test: {message}");
            return ExitCode::from(2);
        }
    };
    let mut tally = Tally::default();
    let found = match requirements::prepare(&wish.without) {
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
    let mut stages = if wish.quick { quick_stages() } else { stages() };
    stages.retain(|stage| wish.includes(stage.part));
    if !found.wasm {
        // What it goes without counts as skipped.
        let wanted = stages.len();
        stages.retain(|stage| stage.part != "browser");
        tally.add(Tally { skipped: wanted - stages.len(), ..Tally::default() });
    }
    for mut stage in stages {
        // The test that needs NumPy reads this; without it, it looks around, and reports itself as skipped.
        stage.command.envs(found.python.iter().map(|python| ("MUSLIN_PYTHON", python)));
        stage.command.envs(runtime_folder.variable());
        println!("==> {}: {}", stage.name, shown(&stage.command));
        let start = Instant::now();
        let result = run_stage(&mut stage);
        let time = start.elapsed();
        times.push((stage.part, stage.name, time));
        tally.add(stage.reader.tally().unwrap_or_default());
        match result {
            Ok(()) => println!("==> {}: ok, {}", stage.name, seconds(time)),
            Err(reason) => {
                failed = Some(format!("==> {}: FAILED after {}: {reason}", stage.name, seconds(time)));
                break;
            }
        }
    }
    let list: Vec<String> =
        times.iter().map(|(_, name, time)| format!("{name} {}", seconds(*time))).collect();
    println!("==> time: {}", list.join(", "));
    for part in PARTS {
        let took = times.iter().filter(|(of, ..)| *of == part.name).map(|(.., time)| *time).sum::<Duration>();
        if took > Duration::from_secs(60 * part.minutes) {
            println!("==> {} took {}, its budget is {} minutes", part.name, seconds(took), part.minutes);
        }
    }
    if let Some(message) = &failed {
        println!("{message}");
    }
    println!("{tally}");
    if failed.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The library with its GPU engine as a browser gets it.
fn browser_stage() -> Stage {
    let arguments = ["clippy", "-p", "muslin", "--features", "gpu", "--target", WASM, "--", "-D", "warnings"];
    stage("browser", "browser", &arguments, Box::new(NoTests))
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
    let mut documentation =
        stage("docs", "doc", &["doc", "--workspace", "--all-features", "--no-deps"], no_tests());
    let flags = std::env::var("RUSTDOCFLAGS").unwrap_or_default();
    documentation.command.env("RUSTDOCFLAGS", format!("{flags} -D warnings").trim_start());
    vec![
        stage("lints", "fmt", &["fmt", "--all", "--check"], no_tests()),
        stage(
            "lints",
            "clippy",
            &["clippy", "--workspace", "--all-features", "--all-targets", "--", "-D", "warnings"],
            no_tests(),
        ),
        stage("lints", "default clippy", &["clippy", "--workspace", "--", "-D", "warnings"], no_tests()),
        test_stage("tests", &["--lib", "--bins", "--tests"]),
        stage(
            "plain",
            "default tests",
            &["test", "--profile", "plain", "-p", "muslin-cli", "--test", "left_out", "--", "--show-output"],
            Box::new(Libtest::default()),
        ),
        stage(
            "docs",
            "doc tests",
            &["test", "--workspace", "--all-features", "--doc", "--no-fail-fast", "--", "--show-output"],
            Box::new(Libtest::default()),
        ),
        documentation,
        model_stage("loom"),
        model_stage("shuttle"),
        browser_stage(),
    ]
}

/// Format and unit tests: what says most in a minute, when all is built.
fn quick_stages() -> Vec<Stage> {
    let fmt = stage("lints", "fmt", &["fmt", "--all", "--check"], Box::new(NoTests));
    vec![fmt, test_stage("unit tests", &["--lib", "--bins"])]
}

/// The threads' synchronisation under a model checker: loom goes through all schedules of a small team, with weak memory;
/// shuttle through many random ones of a larger team. A folder of its own, because the flag is one for all crates.
fn model_stage(checker: &'static str) -> Stage {
    let arguments = ["test", "-p", "muslin-threads", "--test", "team"];
    let mut stage = stage("threads", checker, &arguments, Box::new(Libtest::default()));
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    stage.command.env("RUSTFLAGS", format!("{flags} --cfg {checker}").trim_start());
    stage.command.env("CARGO_TARGET_DIR", repository_root().join("target").join(checker));
    stage
}

/// A stage that runs tests of some targets: with nextest where there is one.
fn test_stage(name: &'static str, targets: &[&str]) -> Stage {
    // Output of passing tests is where the skip marker stands.
    let (command, reader, output): (&[&str], Box<dyn Reader>, &[&str]) = match has_nextest() {
        true => (
            &["nextest", "run"],
            Box::new(Nextest::default()),
            &["--success-output", "immediate", "--failure-output", "immediate", "--status-level", "pass"],
        ),
        false => (&["test"], Box::new(Libtest::default()), &["--", "--show-output"]),
    };
    let arguments = [command, &["--workspace", "--all-features"], targets, &["--no-fail-fast"], output];
    stage("engine", name, &arguments.concat(), reader)
}

/// A stage that calls cargo.
fn stage(part: &'static str, name: &'static str, arguments: &[&str], reader: Box<dyn Reader>) -> Stage {
    let mut command = cargo();
    command.args(arguments);
    // The pipe hides the terminal from cargo, so pass on what we see.
    if std::io::stdout().is_terminal() && std::env::var_os("CARGO_TERM_COLOR").is_none() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    Stage { part, name, command, reader }
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
    fn parts_are_asked_for_by_name_and_what_can_be_left_out_is() {
        assert_eq!(Wish::parse(&[]), Ok(Wish::default()));
        let wish = Wish::parse(&["engine", "--without", "wasm32", "docs", "--without", "numpy"]).unwrap();
        assert_eq!(wish.without, [Need::Wasm, Need::Numpy]);
        assert!(wish.includes("docs") && !wish.includes("browser") && Wish::default().includes("browser"));
        assert!(Wish::parse(&["--quick"]).is_ok_and(|wish| wish.quick));
        for wrong in [&["--without"][..], &["--without", "vulkan"], &["numpy"], &["--quick", "docs"]] {
            assert!(Wish::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn every_stage_is_of_a_part_and_every_part_has_one() {
        for part in PARTS {
            assert!(stages().iter().any(|stage| stage.part == part.name), "{}", part.name);
        }
        let all = stages().into_iter().chain(quick_stages());
        assert!(all.into_iter().all(|stage| PARTS.iter().any(|part| part.name == stage.part)));
        assert!(PARTS.iter().map(|part| part.minutes).sum::<u64>() <= 35);
    }

    #[test]
    fn every_stage_but_fmt_and_models_names_the_workspace() {
        for stage in stages() {
            let line = shown(&stage.command);
            let other = line == "cargo fmt --all --check"
                || ["loom", "shuttle", "default tests", "browser"].contains(&stage.name);
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
