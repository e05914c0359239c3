//! The gallery: every scene without collisions is built, run to its end, and held against its own check. All
//! together this takes half a minute on two cores. Those with collisions are tested in `gallery/`.

use std::path::{Path, PathBuf};

use muslin_io::scene::{ReadOptions, Scene, TEMPLATES, template};

fn gallery() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let collides =
        |path: &Path| std::fs::read_to_string(path).unwrap().contains("\nself_intersections = 0\n");
    // Its own test (`bending_scenes`) runs it to its end, too, and holds it against its check.
    let is_cow = |path: &Path| path.ends_with("collapse.toml");
    let wanted =
        |path: &PathBuf| path.extension().is_some_and(|e| e == "toml") && !collides(path) && !is_cow(path);
    let mut scenes: Vec<_> = entries.filter(wanted).collect();
    scenes.sort();
    scenes
}

#[test]
fn every_scene_without_collisions_passes_its_own_check() {
    let scenes = gallery();
    assert!(scenes.len() >= 5, "the gallery is missing");
    for path in scenes {
        let scene = Scene::read(&path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        assert!(!scene.check.is_empty(), "{} has no [check]", path.display());
        let start = std::time::Instant::now();
        let mut world = scene.build_world().unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..scene.time.frames {
            world.step().unwrap_or_else(|error| panic!("{}: {error}", scene.name));
        }
        for (name, simulation) in world.cloths() {
            let problems = scene.check.problems(simulation);
            let positions = simulation.positions();
            let low = positions.iter().copied().reduce(glam::Vec3::min).unwrap();
            let high = positions.iter().copied().reduce(glam::Vec3::max).unwrap();
            let fastest = simulation.velocities().iter().map(|v| v.length()).fold(0.0, f32::max);
            println!(
                "{} {name}: {:?}, from {low} to {high}, {fastest:.2} m/s, {:.2?}",
                scene.name,
                simulation.strain(),
                start.elapsed()
            );
            assert!(problems.is_empty(), "{} {name}: {}", scene.name, problems.join("; "));
        }
    }
}

#[test]
fn every_template_can_be_built_and_simulated() {
    for (name, _) in TEMPLATES {
        let text = template(name).unwrap();
        let file = format!("{name}.toml");
        let scene = Scene::parse(text, &file, Path::new("."), &ReadOptions::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let mut world = scene.build_world().unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..5 {
            world.step().unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        for (_, simulation) in world.cloths() {
            assert!(simulation.strain().average < 0.05, "{name}: {:?}", simulation.strain());
        }
    }
    assert!(template("nothing").is_none());
}
