//! `muslin convert`: a mesh from one format to another.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::output::print;

/// Converts a mesh; the formats are told by the extensions.
#[derive(clap::Args)]
pub struct Args {
    /// The mesh to read: .obj, .ply, .stl, .gltf or .glb.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write: .obj, .ply, .stl or .glb.
    #[arg(value_name = "OUT")]
    output: PathBuf,
}

/// Converts.
pub fn run(args: &Args) -> Result<(), Failure> {
    muslin_io::convert(&args.input, &args.output)?;
    print(&format!("{} written", args.output.display()))
}
