//! Shell completions and man pages, made from the command line's own description.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use muslin_io::write_atomically;

use crate::failure::Failure;
use crate::output::{check_folder, create_folder, print};

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

/// Prints a man page, or writes all of them.
#[derive(clap::Args)]
pub struct ManArgs {
    /// The command whose page is printed; without one, the page of muslin itself.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// Write the pages of muslin and of all its commands into a folder instead, such as
    /// ~/.local/share/man/man1.
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// `muslin man`.
pub fn man(args: &ManArgs, command: Command) -> Result<(), Failure> {
    let mut command = command.disable_help_subcommand(true);
    command.build(); // gives the commands their full names: muslin-run
    if let Some(folder) = &args.out {
        check_folder(folder)?;
        create_folder(folder)?;
        let pages: Vec<Command> =
            std::iter::once(&command).chain(command.get_subcommands()).cloned().collect();
        let count = pages.len();
        for page in pages {
            let page = Man::new(page);
            let path = folder.join(page.get_filename());
            write_atomically(&path, |mut file| page.render(&mut file))?;
        }
        return print(&format!("{count} pages written to {}", folder.display()));
    }
    let page = match &args.command {
        None => {
            // To stderr: stdout is the page.
            eprintln!("This is the page of muslin itself. muslin man COMMAND prints that of a command,");
            eprintln!("muslin man --out DIR writes all.");
            command
        }
        Some(name) => match command.find_subcommand(name) {
            Some(found) => found.clone(),
            None => {
                let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
                return Err(Failure::input(format!("there is no command '{name}'"))
                    .hint(format!("known are {}", known.join(", "))));
            }
        },
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).map_err(Failure::run)?;
    write(&text)
}

fn write(text: &[u8]) -> Result<(), Failure> {
    match io::stdout().write_all(text) {
        // A reader that has seen enough, such as `head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(Failure::run),
    }
}
