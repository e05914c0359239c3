//! `muslin new`: a scene to start from, or the schema of scene files.

use std::path::PathBuf;

use muslin_io::scene::{TEMPLATES, json_schema, template};
use muslin_io::write_atomically;

use crate::failure::Failure;
use crate::output::{print, print_json};

/// Writes a scene file to start from.
#[derive(clap::Args)]
pub struct Args {
    /// hanging, flag, drape, table, garment, bodies or multilevel.
    #[arg(value_name = "TEMPLATE", required_unless_present = "schema")]
    template: Option<String>,
    /// The file to write; TEMPLATE.toml if not given.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    /// Print the JSON Schema of scene files instead, for editors that check TOML.
    #[arg(long, exclusive = true)]
    schema: bool,
}

/// Writes the scene.
pub fn run(args: &Args) -> Result<(), Failure> {
    if args.schema {
        return print_json(&json_schema());
    }
    let name = args.template.as_deref().unwrap_or_default();
    let Some(text) = template(name) else {
        let known: Vec<&str> = TEMPLATES.iter().map(|(name, _)| *name).collect();
        return Err(Failure::input(format!("there is no template '{name}'"))
            .hint(format!("known are {}", known.join(", "))));
    };
    let path = args.file.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.toml")));
    if path.exists() && !args.force {
        return Err(Failure::input(format!("{} exists already", path.display())).hint("--force replaces it"));
    }
    write_atomically(&path, |file| file.write_all(text.as_bytes()))?;
    print(&format!("{} written; run it with: muslin run {}", path.display(), path.display()))
}
