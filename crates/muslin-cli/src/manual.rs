//! Shell completions and the man page, made from the command line's own description.

use std::io::{self, Write};

use clap::Command;
use clap_complete::Shell;

use crate::failure::Failure;

/// Prints completions for a shell.
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// bash, elvish, fish, powershell or zsh.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// `muslin completions`.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "muslin", &mut text);
    write(&text)
}

/// `muslin man`.
pub fn man(command: Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text).map_err(Failure::run)?;
    write(&text)
}

fn write(text: &[u8]) -> Result<(), Failure> {
    match io::stdout().write_all(text) {
        // A reader that has seen enough, such as `head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(Failure::run),
    }
}
