//! The `muslin` program: simulates cloth from the command line.
//!
//! Reports go to stdout (with `--json` as one document and nothing else), progress and errors to
//! stderr. Exit codes: 0 done; 1 the run failed; 2 bad usage or bad input, nothing written.

mod backend_argument;
mod bench;
mod convert;
mod demo;
mod failure;
#[cfg_attr(not(feature = "gpu"), path = "no_gpu.rs")]
mod gpu;
mod inspect;
mod manual;
mod new;
mod output;
mod progress;
mod reproduce;
mod run;
mod view;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Cloth simulation.
#[derive(Parser)]
#[command(name = "muslin", version, about, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 done; 1 the run failed; 2 bad usage or bad input, nothing written.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Args),
    Run(run::Args),
    Resume(run::ResumeArgs),
    View(view::Args),
    New(new::Args),
    Check(inspect::CheckArgs),
    Info(inspect::InfoArgs),
    Convert(convert::Args),
    Bench(bench::Args),
    Reproduce(reproduce::Args),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

impl Command {
    /// Whether a JSON document is wanted, on failure too.
    fn json(&self) -> bool {
        match self {
            Self::Demo(args) => args.json,
            Self::Run(args) => args.json(),
            Self::Resume(args) => args.json(),
            Self::Check(args) => args.json,
            Self::Info(args) => args.json,
            Self::Bench(args) => args.json,
            Self::Reproduce(args) => args.json,
            Self::View(_) | Self::New(_) | Self::Convert(_) | Self::Completions(_) | Self::Man(_) => false,
        }
    }
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let json = command.json();
    let result = match command {
        Command::Demo(args) => demo::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Resume(args) => run::resume(&args),
        Command::View(args) => view::run(&args),
        Command::New(args) => new::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Completions(args) => manual::completions(&args, Cli::command()),
        Command::Man(args) => manual::man(&args, Cli::command()),
        Command::Bench(args) => bench::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Info(args) => inspect::info(&args),
        Command::Check(args) => inspect::check(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if json && !failure.is_reported() {
                // If that fails too, the error on stderr is the one to tell.
                let _ = output::print_json(&failure.document());
            }
            eprintln!("{failure}");
            ExitCode::from(failure.exit_code)
        }
    }
}
