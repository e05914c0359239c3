//! The project's own tasks: `cargo xtask test | setup | web | interop | peers | fuzz | soak | laws`.
//!
//! One small dependency (XML), so that it builds in seconds on a bare machine. It has no integration tests:
//! cargo would then rebuild this program while it runs, which Windows refuses.

mod fuzz;
mod install;
mod interop;
mod junit;
mod peers;
mod programs;
mod properties;
mod report;
mod requirements;
mod serve;
mod stages;
mod stream;
mod system;
mod test;
mod vulkan;
mod web;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// What the program prints when it does not understand its arguments.
const USAGE: &str = "\
usage: cargo xtask <task>

  test [PART…] [--quick] [--without numpy | wasm32 | display | chromium]…
                    all that has to hold, or parts of it: lints, engine, plain (the program without its features), docs,
                    threads (model checks), browser, viewer (its window under a virtual
                    display), page (in Chromium); --quick: format and unit tests; ends with the count of tests
  setup             find, install or name what the tests need: rustfmt, clippy, the target wasm32, a Vulkan driver,
                    a virtual display, Chromium, a Python with NumPy
  web [--serve]     build the viewer as a page in target/page/; --serve: and serve it on this machine
  interop           let Blender, VTK, USD and NumPy read what we write (installs them)
  peers [--newton]  build and measure other cloth simulators on this machine (--newton: Python too)
  fuzz [--seconds N] [--seed N] [TARGET…]
                    run the property tests from new seeds, then throw bytes at the readers, 60 s each
                    (the readers need a nightly toolchain; installs cargo-fuzz)
  soak [--scene NAME] [--runs N] [--frames N]
                    run the collision scenes at full length from 10 starts each, and count intersections
  laws [NAME…]      hold the laws (rest shape, free fall, symmetries, conservation) against every solver, fabric, mesh,
                    step and back end, of which the tests try a sample; an hour or two
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test", arguments @ ..] => test::run(arguments),
        ["setup"] => setup(),
        ["web"] => web::run(false),
        ["web", "--serve"] => web::run(true),
        ["interop"] => interop::run(),
        ["peers"] => peers::run(false),
        ["peers", "--newton"] => peers::run(true),
        ["fuzz", arguments @ ..] => fuzz::run(arguments),
        ["soak", arguments @ ..] => soak(arguments),
        ["laws", names @ ..] => laws(names),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprint!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Installs what the tests need beyond the Rust toolchain.
fn setup() -> ExitCode {
    let prepared = requirements::prepare(&[]);
    if has_nextest() {
        println!("setup: cargo-nextest found");
    } else {
        println!(
            "setup: no cargo-nextest as new as .config/nextest.toml wants it, `cargo test` serves instead"
        );
        println!("setup: (optional: `cargo install --locked cargo-nextest`)");
    }
    match prepared {
        Ok(_) => ExitCode::SUCCESS,
        Err(missing) => {
            missing.iter().for_each(|line| println!("{line}"));
            ExitCode::FAILURE
        }
    }
}

/// Runs the collision scenes of the gallery for long. The program is an example of the crate that reads scenes, so
/// that it shares its code with that crate's tests.
fn soak(arguments: &[&str]) -> ExitCode {
    let mut run = cargo();
    run.args(["run", "--quiet", "--release", "--package", "muslin-io", "--example", "soak", "--"])
        .args(arguments);
    passed_on("soak", &mut run)
}

/// Runs the tests of laws (those with one of the names in theirs, if there are any) on the whole product of cases.
fn laws(names: &[&str]) -> ExitCode {
    let mut run = cargo();
    run.args(["test", "--package", "muslin", "--all-features", "--test", "laws", "--", "--nocapture"])
        .args(names)
        .env("MUSLIN_LAWS", "all");
    passed_on("laws", &mut run)
}

/// Runs a command; its exit code is ours.
fn passed_on(task: &str, command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("{task}: cargo does not start: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the repository: the folder above this package.
///
/// What cargo says at run time wins over what it said when we were built: two checkouts that share a target folder
/// share this program too.
fn repository_root() -> PathBuf {
    let package =
        std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    let package = Path::new(&package);
    package.parent().unwrap_or(package).to_path_buf()
}

/// A `cargo` command in the root of the repository.
///
/// The cargo that started us wins over the one on the path: they can be different toolchains.
fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(repository_root());
    command
}

/// Whether `cargo nextest` can be called, and is as new as `.config/nextest.toml` wants it.
fn has_nextest() -> bool {
    let mut version = cargo();
    version.args(["nextest", "show-config", "version"]).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}
