//! `muslin check` of a scene: what it builds.

use muslin::Simulation;
use muslin::solver::multilevel::GridLayout;
use muslin_io::scene::{Backend, ReadOptions, Scene};
use serde_json::{Value, json};

use super::{CheckArgs, warnings};
use crate::failure::Failure;
use crate::output::{print, print_json};

/// Reads a scene and builds its cloths; whatever is wrong is the error.
pub fn check_scene(args: &CheckArgs) -> Result<(), Failure> {
    let scene = Scene::read(
        &args.file,
        &ReadOptions { allow_outside: args.allow_outside, ..ReadOptions::default() },
    )?;
    if scene.solver.backend == Backend::Gpu {
        scene.check_gpu()?;
    }
    let world = scene.build_world()?;
    let colliders: Vec<&String> = world.colliders().iter().map(|collider| &collider.name).collect();
    let bodies = world.bodies();
    let named = world.cloths().iter().map(|(name, simulation)| (name.as_str(), simulation));
    let warnings = warnings::of_cloths(&scene, named, scene.collision.self_collisions);
    if args.json {
        return print_json(&json!({
            "file": args.file.display().to_string(),
            "usable": true,
            "frames": scene.time.frames,
            "cloths": world.cloths().iter().map(cloth_json).collect::<Vec<_>>(),
            "colliders": colliders,
            "warnings": warnings,
            "bodies": bodies.iter().map(|body| json!({ "name": body.name(), "mass": body.mass() })).collect::<Vec<_>>(),
        }));
    }
    let mut list: Vec<String> = world.cloths().iter().map(cloth_text).collect();
    list.extend(colliders.iter().map(|name| format!("{name} (collider)")));
    list.extend(bodies.iter().map(|body| format!("{} (body, {:.3} kg)", body.name(), body.mass())));
    let frames = counted(scene.time.frames as usize, "frame");
    let mut text = format!("{}: {frames}, {}", args.file.display(), list.join(", "));
    for (name, simulation) in world.cloths() {
        text += &simulation.grid_layout().map_or(String::new(), |layout| grid_text(name, layout));
    }
    for warning in warnings {
        text += &format!("\nwarning: {warning}");
    }
    print(&text)
}

fn cloth_json((name, simulation): &(String, Simulation)) -> Value {
    let mut cloth = json!({ "name": name, "triangles": simulation.cloth().triangles().len() });
    if let Some(layout) = simulation.grid_layout() {
        cloth["grid"] = json!({
            "particles": layout.level_particles[0],
            "spacing": layout.spacing,
            "levels": layout.level_particles.len(),
            "patches": layout.patches,
            "stitches": layout.stitches,
            "distortion": { "largest": layout.distortion.largest, "average": layout.distortion.average },
        });
    }
    cloth
}

fn cloth_text((name, simulation): &(String, Simulation)) -> String {
    format!("{name} ({})", counted(simulation.cloth().triangles().len(), "triangle"))
}

fn grid_text(name: &str, layout: &GridLayout) -> String {
    format!(
        "\ngrid of {name}: {} {:.2} mm apart, {}, {}, {}, distortion {:.3} % at the most, {:.3} % on average",
        counted(layout.level_particles[0], "particle"),
        1e3 * layout.spacing,
        counted(layout.level_particles.len(), "level"),
        counted_as(layout.patches, "patch", "patches"),
        counted_as(layout.stitches, "stitch", "stitches"),
        100.0 * layout.distortion.largest,
        100.0 * layout.distortion.average,
    )
}

fn counted(count: usize, what: &str) -> String {
    counted_as(count, what, &format!("{what}s"))
}

fn counted_as(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
