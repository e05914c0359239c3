//! What is wrong with the cloths of a scene that does not keep them from being simulated: what `muslin check` says of their
//! meshes, and edges that are short against the thickness or against the rounding of positions where they are.

use std::path::Path;

use glam::Vec3;
use muslin::Simulation;
use muslin::mesh::validate::{IssueKind, MeshReport, validate};
use muslin::mesh::{Topology, TriMesh};
use muslin_io::scene::{ClothDescription, MeshSource, Scene};

use super::precision;

/// Pieces of fewer triangles, on average, are no parts of a garment.
const LOOSE: usize = 10;

/// How many times its mean edge a cloth that collides with itself may be thick: with more, each triangle is near fifty
/// others at rest. From about five times on, worlds of many triangles are refused.
const THICK: f64 = 2.0;

/// One sentence for each cloth of a scene with something to say. `self_collisions`: whether cloth collides with itself.
pub fn of_cloths<'a>(
    scene: &Scene,
    cloths: impl Iterator<Item = (&'a str, &'a Simulation)>,
    self_collisions: bool,
) -> Vec<String> {
    let of_one = |((name, simulation), description): ((&str, &Simulation), &ClothDescription)| {
        let cloth = simulation.cloth();
        let mesh = TriMesh::new(cloth.rest_positions(), cloth.triangles().to_vec());
        // The rest shape may have been rounded where it is, and the start is where it is counted from.
        let start = simulation.places().into_iter().map(|place| (place - simulation.origin()).as_vec3());
        let places: Vec<Vec3> = start.zip(&mesh.positions).map(|(a, b)| a.abs().max(b.abs())).collect();
        let coarse = precision::coarse_edges(&mesh, &places);
        let mut problems = match &description.mesh.source {
            MeshSource::File { path } => of_file(path, &mesh, coarse.edges),
            // Generators make what they are meant to make.
            _ => Vec::new(),
        };
        problems.extend(coarse.most.map(|most| most.to_string()));
        if self_collisions {
            problems.extend(thick(&mesh, cloth.material().surface.thickness.into()));
        }
        (!problems.is_empty()).then(|| format!("cloth '{name}': {}", problems.join("; ")))
    };
    cloths.zip(&scene.cloths).filter_map(of_one).collect()
}

/// What `muslin check` finds in a mesh from a file, in few words.
fn of_file(path: &Path, mesh: &TriMesh, coarse: usize) -> Vec<String> {
    let report = validate(mesh);
    let mut problems = Vec::new();
    let doubled = report.count(IssueKind::DuplicateVertices) > 0;
    if report.components > 1 && (doubled || is_loose(&report)) {
        let help = if doubled { ", repair = true may join them" } else { "" };
        problems.push(format!("it is in {} pieces that nothing holds together{help}", report.components));
    }
    let issues = report.counts();
    let words = issues.iter().map(|(kind, &count)| format!("{count} {}", kind.words(count != 1)));
    let mut words: Vec<String> = words.collect();
    if coarse > 0 {
        words.push(format!("{coarse} edges too short for where they are"));
    }
    if !words.is_empty() {
        problems.push(format!("{}: see muslin check {}", words.join(", "), path.display()));
    }
    problems
}

fn is_loose(report: &MeshReport) -> bool {
    report.triangles < LOOSE * report.components
}

/// Whether edges are short against the thickness, metres.
fn thick(mesh: &TriMesh, thickness: f64) -> Option<String> {
    let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
    let place = |v: u32| mesh.positions[v as usize].as_dvec3();
    let total: f64 = topology.edges.iter().map(|&[a, b]| place(a).distance(place(b))).sum();
    let mean = total / topology.edges.len().max(1) as f64;
    (thickness > THICK * mean).then(|| {
        format!(
            "its edges are {:.3} mm long on average, but it is {:.3} mm thick: collisions will take much time and memory; \
             are the lengths metres?",
            1e3 * mean,
            1e3 * thickness
        )
    })
}
