//! Fingerprints of what is simulated, by every solver and with every way to collide: whoever moves code learns here
//! whether it still does the same, bit by bit.
//!
//! `tests/data/goldens.txt` has them, recorded on x86-64 Linux. The test run compares small scenes; with
//! `MUSLIN_GOLDENS=all` the gallery is compared too, and what rapier or faer have a part in, which may differ between
//! processors: write the fingerprints on the same machine before the change, with `MUSLIN_GOLDENS=write`. A change of physics
//! changes them: say so in CHANGELOG.md.
//!
//!     MUSLIN_GOLDENS=write cargo test -p muslin-io --test scenes goldens

use std::fmt::Write;
use std::path::{Path, PathBuf};

use muslin_io::scene::{ReadOptions, Scene};

/// Solvers by name, with the keys of `[solver]`, and whether bits may differ between processors.
const SOLVERS: [(&str, &str, bool); 15] = [
    ("shape matching", "", false),
    ("sawtooth", "cycle = 'sawtooth'", false),
    ("gather", "variant = 'gather'", false),
    ("paper", "variant = 'paper'", false),
    ("not nested", "nesting = 'non-nested'\nconserve_wrinkles = false", false),
    ("position based", "method = 'position_based'", false),
    ("averaged", "method = 'position_based'\norder = 'jacobi'", false),
    ("both diagonals", "method = 'position_based'\ndiagonals = 'both'\nstretch_compliance = 1e-4", false),
    ("radial", "method = 'radial_matching'", false),
    ("radial impulses", "method = 'radial_matching'\nupdate = 'impulses'", false),
    ("impulses", "method = 'impulses'\nresolution = 'iterative'", false),
    ("springs", "method = 'impulses'\nresolution = 'iterative'\nshear_stiffness = 5.0", false),
    ("linear system", "method = 'impulses'\nresolution = 'linear_system'", true),
    ("grid", "method = 'multilevel'\nparticles = 1600", false),
    ("grid, averaged", "method = 'multilevel'\nparticles = 1600\nscheme = 'jacobi'", false),
];

/// Ways to collide by name, with the keys of `[collision]`.
const COLLISIONS: [(&str, &str); 4] = [
    ("contacts", ""),
    ("without itself", "self = false"),
    ("coarse first", "level = 1"),
    ("collisions by impulses", "response = 'impulses'"),
];

/// Scenes of the gallery with rigid bodies.
const WITH_BODIES: [&str; 2] = ["bodies", "hammock"];

/// The mark of what may have other bits on another processor.
const DIFFERS: &str = " (may differ between processors)";

/// Frames of a scene of the gallery: long enough for what falls to have landed on something.
const FRAMES: u32 = 30;

/// A cloth that is held at a corner, blown at, and falls on a ball that moves.
fn small_scene(solver: &str, collision: &str) -> String {
    format!(
        "time = {{ fps = 60.0, frames = 24, substeps = 4 }}
        forces.wind = {{ velocity = [0.5, 0.0, 1.0] }}
        [solver]\n{solver}
        [collision]\n{collision}
        [[cloth]]
        name = 'cloth'
        mesh.grid = {{ columns = 14, rows = 14 }}
        material = {{ density = 0.2, bending = 1e-5, thickness = 0.006 }}
        transform = {{ rotate = [-90.0, 0.0, 0.0], translate = [-0.5, 0.53, 0.5] }}
        pins = [{{ vertices = [0] }}]
        [[collider]]
        name = 'ball'
        sphere = {{ center = [0.0, 0.25, 0.0], radius = 0.25 }}
        keyframes = [{{ time = 0.0 }}, {{ time = 1.0, translate = [0.2, 0.0, 0.0] }}]
        [[collider]]
        name = 'floor'
        plane = {{ }}"
    )
}

/// One line: the fingerprints of all cloths of a scene after some frames.
fn line(name: &str, scene: &Scene, frames: u32, differs: bool) -> String {
    let mut world = scene.build_world().unwrap_or_else(|error| panic!("{name}: {error}"));
    for _ in 0..frames {
        world.step().unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let mut line = format!("{name}{}:", if differs { DIFFERS } else { "" });
    for (_, cloth) in world.cloths() {
        write!(line, " {:016x}", cloth.state_hash()).unwrap();
    }
    line
}

fn small_scenes() -> Vec<String> {
    let read = |solver, collision| {
        let text = small_scene(solver, collision);
        let scene = Scene::parse(&text, "small.toml", Path::new("."), &ReadOptions::default());
        scene.unwrap_or_else(|error| panic!("{error}"))
    };
    let solvers = SOLVERS.iter().map(|&(name, solver, differs)| (name, solver, COLLISIONS[0].1, differs));
    let collisions = COLLISIONS[1..].iter().map(|&(name, collision)| (name, "", collision, false));
    let all = solvers.chain(collisions);
    all.map(|(name, solver, collision, differs)| line(name, &read(solver, collision), 24, differs)).collect()
}

fn gallery() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let scene = Scene::read(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        line(&format!("scenes/{name}"), &scene, FRAMES, WITH_BODIES.contains(&name.as_str()))
    };
    paths.iter().map(read).collect()
}

#[test]
fn every_solver_and_every_collision_keeps_its_bits() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/goldens.txt");
    let wish = std::env::var("MUSLIN_GOLDENS").unwrap_or_default();
    let mut now = small_scenes();
    match wish.as_str() {
        "" => now.retain(|line| !line.contains(DIFFERS)),
        "all" => now.extend(gallery()),
        "write" => {
            now.extend(gallery());
            std::fs::write(&file, now.join("\n") + "\n").unwrap();
        }
        other => panic!("MUSLIN_GOLDENS is {other}: must be all or write"),
    }
    let recorded = std::fs::read_to_string(&file).unwrap();
    let recorded: Vec<&str> = recorded.lines().collect();
    let changed: Vec<&String> = now.iter().filter(|line| !recorded.contains(&line.as_str())).collect();
    assert!(changed.is_empty(), "{} of {} have changed:\n{changed:#?}", changed.len(), now.len());
}
