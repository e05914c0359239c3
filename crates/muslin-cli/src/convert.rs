//! `muslin convert`: a mesh from one format to another.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::inspect::mend;
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
    /// Weld vertices and drop unusable triangles, as `repair = true` in a scene does.
    #[arg(long)]
    repair: bool,
    /// Drop small flaps and fill small holes too, as `close = true` does.
    #[arg(long)]
    close: bool,
}

/// Converts.
pub fn run(args: &Args) -> Result<(), Failure> {
    if args.repair || args.close {
        let (mesh, done) = mend(&args.input, &muslin_io::read_mesh(&args.input)?, args.close)?;
        muslin_io::write_mesh(&args.output, &mesh)?;
        print(&format!("repair: {}", done.to_string().replace('\n', ", ")))?;
    } else {
        muslin_io::convert(&args.input, &args.output)?;
    }
    print(&format!("{} written", args.output.display()))
}
