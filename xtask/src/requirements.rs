//! What the tests need beyond Rust and a C linker (which we were built with): looked for before anything is built,
//! fetched where that needs nobody's leave, and otherwise named, all at once, with what to install.
//!
//! rustup fetches its own parts for any user; packages of the system are installed on Debian and its children for
//! root only. Nothing is skipped because it is missing, unless the user says so by `--without`.

use std::path::PathBuf;
use std::process::Command;

use crate::{cargo, install, programs, repository_root, vulkan};

/// What browsers run.
pub const WASM: &str = "wasm32-unknown-unknown";

/// Something that the tests need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Rustfmt,
    Clippy,
    Wasm,
    Numpy,
    Vulkan,
    Display,
    Chromium,
}

/// The order in which they are looked for: what is soonest known first.
const ALL: [Need; 7] =
    [Need::Rustfmt, Need::Clippy, Need::Wasm, Need::Vulkan, Need::Display, Need::Chromium, Need::Numpy];

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// A Python that has NumPy.
    pub python: Option<PathBuf>,
    /// What there is, beside that: of what is missing here some parts go without.
    needs: Vec<Need>,
}

impl Found {
    /// Whether all that a part needs is there.
    pub fn serves(&self, part: &str) -> bool {
        let needed: &[Need] = match part {
            "browser" => &[Need::Wasm],
            "window" => &[Need::Display],
            "page" => &[Need::Wasm, Need::Chromium],
            _ => &[],
        };
        needed.iter().all(|need| self.needs.contains(need))
    }
}

impl Need {
    /// What it is, and what it is for.
    fn purpose(self) -> &'static str {
        match self {
            Self::Rustfmt => "rustfmt, for the check of the format",
            Self::Clippy => "clippy, for the lints",
            Self::Wasm => "the Rust target wasm32-unknown-unknown, for the check of the library for browsers",
            Self::Numpy => "Python 3 with NumPy, for the test that lets NumPy read our files",
            Self::Display => "a virtual display (Xvfb, xdotool), for the tests of the viewer's window",
            Self::Chromium => "Chromium, for the tests of the viewer's page",
            Self::Vulkan => "a Vulkan driver, for the tests of the GPU engine",
        }
    }
}

/// What the word after `--without` lets a run go without. Only these: without the others nothing that can be run would be
/// left, or tests would fail.
pub fn to_go_without(word: Option<&str>) -> Result<Need, String> {
    match word {
        Some("numpy") => Ok(Need::Numpy),
        Some("wasm32") => Ok(Need::Wasm),
        Some("display") => Ok(Need::Display),
        Some("chromium") => Ok(Need::Chromium),
        _ => Err("--without needs numpy, wasm32, display or chromium".to_owned()),
    }
}

/// Finds or installs all but what the run goes without. If something is missing: a line for each.
pub fn prepare(without: &[Need]) -> Result<Found, Vec<String>> {
    let (mut found, mut missing) = (Found::default(), Vec::new());
    for need in ALL.into_iter().filter(|need| !without.contains(need)) {
        match find_or_install(need, &mut found) {
            Ok(what) => println!("setup: {what}"),
            Err(advice) => missing.push(line(need, &advice)),
        }
    }
    if missing.is_empty() { Ok(found) } else { Err(missing) }
}

/// What is said of something that is missing.
fn line(need: Need, advice: &str) -> String {
    format!("missing: {}: {advice}", need.purpose())
}

/// Finds or installs one of them and says what; the error says how to get it.
fn find_or_install(need: Need, found: &mut Found) -> Result<String, String> {
    let what = match need {
        Need::Rustfmt => component("fmt", "rustfmt"),
        Need::Clippy => component("clippy", "clippy"),
        Need::Wasm => target(),
        Need::Display | Need::Chromium if !cfg!(target_os = "linux") => {
            return Ok(format!("going without {}: on Linux alone", need.purpose()));
        }
        Need::Display => programs::display().map_err(|reason| {
            format!("{reason} (or leave the tests out: cargo xtask test --without display)")
        }),
        Need::Chromium => programs::browser().map_err(|reason| {
            format!("{reason} (or leave the tests out: cargo xtask test --without chromium)")
        }),
        Need::Vulkan => vulkan::prepare(),
        Need::Numpy => {
            let python = install::python_with_numpy(&repository_root()).map_err(|reason| {
                format!("{reason} (or leave the test out: cargo xtask test --without numpy)")
            })?;
            let what = format!("NumPy found, with {}", python.display());
            found.python = Some(python);
            Ok(what)
        }
    }?;
    found.needs.push(need);
    Ok(what)
}

/// A part of the toolchain that is a subcommand of cargo.
fn component(subcommand: &str, name: &str) -> Result<String, String> {
    let is_there = || install::starts(cargo().args([subcommand, "--version"]));
    if is_there() || (install::starts(Command::new("rustup").args(["component", "add", name])) && is_there())
    {
        return Ok(format!("{name} found"));
    }
    Err(format!("rustup component add {name}"))
}

/// The target of browsers: by rustup, or in the toolchain of a distribution.
fn target() -> Result<String, String> {
    let is_there = || {
        let mut library = Command::new("rustc");
        library.args(["--print", "target-libdir", "--target", WASM]);
        let output = library.output().ok().filter(|output| output.status.success());
        output.is_some_and(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
    };
    if is_there() || (install::starts(Command::new("rustup").args(["target", "add", WASM])) && is_there()) {
        return Ok(format!("target {WASM} found"));
    }
    Err(format!("rustup target add {WASM} (or leave the check out: cargo xtask test --without wasm32)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_in_one_line_with_the_cure() {
        for need in ALL {
            let said = line(need, "install it");
            assert!(said.starts_with("missing: ") && said.ends_with(": install it"), "{said}");
            assert_eq!(said.lines().count(), 1);
        }
    }
}
