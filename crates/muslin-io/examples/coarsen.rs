//! Makes a mesh coarser: `coarsen IN OUT TRIANGLES`. The meshes of the gallery that are others' work were made so.

use std::process::ExitCode;

use muslin::hierarchy::{HierarchyOptions, Nesting, build};
use muslin::mesh::TriMesh;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, triangles] = &arguments[..] else {
        eprintln!("usage: coarsen IN OUT TRIANGLES");
        return ExitCode::from(2);
    };
    match coarsen(input, output, triangles) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{input}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn coarsen(input: &str, output: &str, triangles: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mesh = muslin_io::read_mesh(input)?;
    let removal = 1.0 - triangles.parse::<f64>()? / mesh.triangles.len() as f64;
    let options = HierarchyOptions { levels: 2, removal, fewest_triangles: 1, nesting: Nesting::Nested };
    let hierarchy = build(&mesh, &vec![false; mesh.positions.len()], &options)?;
    let coarse = &hierarchy.levels[0];
    println!("{} triangles of {}", coarse.triangles.len(), mesh.triangles.len());
    let positions = coarse.positions.iter().map(|p| p.as_vec3()).collect();
    let coarse = TriMesh { positions, triangles: coarse.triangles.clone(), ..TriMesh::default() };
    muslin_io::write_mesh(output, &coarse)?;
    Ok(())
}
