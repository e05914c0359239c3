//! `cargo xtask test`: everything that has to hold before a change is merged, in the order of its cost.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::report::Tally;
use crate::requirements::{self, Need};
use crate::stages::{self, PARTS};
use crate::vulkan;

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
    /// From `[PART…] [--quick] [--without numpy | wasm32 | display | chromium]…`.
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
    let mut stages = if wish.quick { stages::quick() } else { stages::all() };
    stages.retain(|stage| wish.includes(stage.part));
    // What it goes without counts as skipped.
    let wanted = stages.len();
    stages.retain(|stage| found.serves(stage.part));
    tally.add(Tally { skipped: wanted - stages.len(), ..Tally::default() });
    for mut stage in stages {
        // The test that needs NumPy reads this; without it, it looks around, and reports itself as skipped.
        stage.command.envs(found.python.iter().map(|python| ("MUSLIN_PYTHON", python)));
        stage.command.envs(runtime_folder.variable());
        println!("==> {}: {}", stage.name, stage.shown());
        let start = Instant::now();
        let result = stage.run(&mut tally);
        let time = start.elapsed();
        times.push((stage.part, stage.name, time));
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
    fn seconds_have_one_decimal() {
        assert_eq!(seconds(Duration::from_millis(12_345)), "12.3 s");
    }
}
