//! `muslin info` and `muslin check`: what is in a mesh file, and what is wrong with it.

mod check_scene;
mod intersections;
mod precision;
pub mod warnings;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use glam::{DVec3, Vec3};
use muslin::cloth::Cloth;
use muslin::mesh::repair::{RepairOptions, RepairReport, repair};
use muslin::mesh::validate::{IssueKind, MeshIssue, MeshReport, validate};
use muslin::mesh::{Topology, TriMesh};
use muslin::{Settings, Simulation};
use muslin_io::read_mesh;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{print, print_json};
use check_scene::check_scene;
use intersections::SelfIntersections;

/// How many issues of a kind the JSON report writes out.
const EXAMPLES: usize = 10;

/// Tells what is in a mesh file.
#[derive(clap::Args)]
pub struct InfoArgs {
    /// An .obj, .ply, .stl, .gltf or .glb file.
    mesh: PathBuf,
    /// Print a JSON document.
    #[arg(long)]
    pub json: bool,
}

/// Looks for what is wrong with a mesh or a scene; exit code 2 if it cannot be simulated.
#[derive(clap::Args)]
pub struct CheckArgs {
    /// A mesh (.obj, .ply, .stl, .gltf, .glb) or a scene (.toml).
    pub file: PathBuf,
    /// Look for triangles of a mesh that pass through others, too.
    #[arg(long)]
    intersections: bool,
    /// Look at the mesh as `repair = true` mends it, and say what that does.
    #[arg(long)]
    repair: bool,
    /// The same with `close = true`.
    #[arg(long)]
    close: bool,
    /// Let a scene read outside its own folder.
    #[arg(long)]
    pub allow_outside: bool,
    /// Print a JSON document.
    #[arg(long)]
    pub json: bool,
}

/// Runs `muslin info`.
pub fn info(args: &InfoArgs) -> Result<(), Failure> {
    let mesh = read_mesh(&args.mesh)?;
    let report = validate(&mesh);
    let lengths = edge_lengths(&mesh);
    let bounds = mesh.bounds().map(|(lo, hi)| [lo, hi]);
    let place = |p: &Vec3| match mesh.origin == DVec3::ZERO {
        true => json!(p.to_array()),
        false => json!((mesh.origin + p.as_dvec3()).to_array()),
    };
    let groups: Value =
        mesh.groups.iter().map(|(name, members)| (name.clone(), Value::from(members.len()))).collect();
    if args.json {
        return print_json(&json!({
            "file": args.mesh.display().to_string(),
            "vertices": report.vertices,
            "triangles": report.triangles,
            "edges": report.edges,
            "boundary_edges": report.boundary_edges,
            "boundary_loops": report.boundary_loops,
            "components": report.components,
            "area": mesh.total_area(),
            "bounds": bounds.map(|corners| corners.iter().map(place).collect::<Vec<_>>()),
            "edge_lengths": lengths.map(|[shortest, mean, longest]| json!({
                "shortest": shortest, "mean": mean, "longest": longest,
            })),
            "texture_coordinates": mesh.uvs.is_some(),
            "groups": groups,
            "issues": report.issues.len(),
        }));
    }
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<20}{value}"); // writing to a string cannot fail
    };
    line("file", args.mesh.display().to_string());
    line("vertices", report.vertices.to_string());
    line("triangles", report.triangles.to_string());
    line("edges", format!("{} ({} on the boundary)", report.edges, report.boundary_edges));
    line("components", report.components.to_string());
    line("boundary loops", report.boundary_loops.to_string());
    line("area", format!("{:.4} m²", mesh.total_area()));
    if let Some([lo, hi]) = bounds {
        let size: Vec<String> = (0..3).map(|k| format!("{:.4}", hi[k] - lo[k])).collect();
        line("size", format!("{} m", size.join(" × ")));
    }
    if let Some([shortest, mean, longest]) = lengths {
        line("edge lengths", format!("{shortest:.4} to {longest:.4} m, mean {mean:.4} m"));
    }
    line("texture coordinates", if mesh.uvs.is_some() { "yes" } else { "no" }.to_owned());
    let names: Vec<String> = mesh.groups.iter().map(|(name, m)| format!("{name} ({})", m.len())).collect();
    line("groups", if names.is_empty() { "none".to_owned() } else { names.join(", ") });
    line(
        "problems",
        match report.is_clean() {
            true => "none".to_owned(),
            false => format!("{}; see muslin check", report.issues.len()),
        },
    );
    print(text.trim_end())
}

/// Runs `muslin check`.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    if args.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
        return check_scene(args);
    }
    let mesh = read_mesh(&args.file)?;
    let (mesh, mended) = match args.repair || args.close {
        true => mend(&args.file, &mesh, args.close).map(|(mesh, done)| (mesh, Some(done)))?,
        false => (mesh, None),
    };
    let report = validate(&mesh);
    let intersections = args.intersections.then(|| SelfIntersections::of(&mesh));
    let coarse = precision::coarse_edges(&mesh, &mesh.positions);
    let (refusal, repairable) = refusal(mesh);
    if args.json {
        let issues: Vec<Value> = report.counts().into_iter().map(|kind| issue_json(&report, kind)).collect();
        print_json(&json!({
            "file": args.file.display().to_string(),
            "usable": refusal.is_none(),
            "refusal": refusal.as_ref().map(muslin::Error::to_string),
            "repairable": repairable,
            "clean": report.is_clean(),
            "closed": report.closed,
            "repaired": mended.as_ref().map(|done| done.to_string().lines().map(str::to_owned).collect::<Vec<_>>()),
            "vertices": report.vertices,
            "triangles": report.triangles,
            "issues": issues,
            "self_intersections": intersections.as_ref().and_then(|found| found.as_ref().ok()),
            "self_intersections_unknown": intersections.as_ref().and_then(|found| found.as_ref().err()),
            "coarse_edges": coarse.edges,
            "too_coarse": coarse.most.as_ref().map(ToString::to_string),
        }))?;
    } else {
        if let Some(done) = mended {
            print(&format!("repair: {}\n", done.to_string().replace('\n', ", ")))?;
        }
        print(&format!("{report}{coarse}"))?;
        if let Some(found) = &intersections {
            print(&SelfIntersections::text(found))?;
        }
    }
    let Some(error) = refusal else { return Ok(()) };
    let failure = Failure::input(format!("{}: cannot be simulated: {error}", args.file.display())).reported();
    Err(match repairable {
        true => failure.hint(format!(
            "repair = true in a scene mends this mesh: mesh = {{ file = {:?}, repair = true }}",
            args.file.file_name().unwrap_or_default().to_string_lossy()
        )),
        false => failure,
    })
}

/// A mesh as a scene mends it, and what was done; `file` is where it comes from.
pub fn mend(file: &Path, mesh: &TriMesh, close: bool) -> Result<(TriMesh, RepairReport), Failure> {
    let mended = repair(mesh, &RepairOptions { close, ..RepairOptions::default() });
    mended.map_err(|error| Failure::input(format!("{}: cannot be repaired: {error}", file.display())))
}

/// Why the engine does not take a mesh, and whether it would after a repair. Asked of the engine itself,
/// because it has the last word: some of what the report calls a warning (isolated vertices) it refuses.
fn refusal(mesh: TriMesh) -> (Option<muslin::Error>, bool) {
    let simulate = |mesh| Simulation::new(Cloth::builder(mesh).build()?, Settings::default());
    match simulate(mesh.clone()) {
        Ok(_) => (None, false),
        Err(error) => {
            let repaired = repair(&mesh, &RepairOptions::default());
            (Some(error), repaired.is_ok_and(|(mesh, _)| simulate(mesh).is_ok()))
        }
    }
}

fn issue_json(report: &MeshReport, (kind, count): (IssueKind, usize)) -> Value {
    let examples: Vec<String> = report.of_kind(kind).take(EXAMPLES).map(MeshIssue::to_string).collect();
    json!({ "kind": snake_case(&format!("{kind:?}")), "fatal": kind.is_fatal(), "count": count, "examples": examples })
}

/// `NonManifoldEdge` → `non_manifold_edge`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// Shortest, mean and longest edge in metres; `None` without usable edges.
fn edge_lengths(mesh: &TriMesh) -> Option<[f64; 3]> {
    mesh.check().ok()?;
    let sound = mesh.triangles.iter().copied().filter(|[a, b, c]| a != b && b != c && c != a);
    let topology = Topology::new(mesh.positions.len(), &sound.collect::<Vec<_>>());
    let place = |v: u32| mesh.positions[v as usize].as_dvec3();
    let lengths: Vec<f64> = topology.edges.iter().map(|&[a, b]| place(a).distance(place(b))).collect();
    let shortest = lengths.iter().copied().reduce(f64::min)?;
    let longest = lengths.iter().copied().reduce(f64::max)?;
    Some([shortest, lengths.iter().sum::<f64>() / lengths.len() as f64, longest])
}
