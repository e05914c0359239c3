//! The gallery: every scene is built, run to its end, and held against its own check. All together
//! this takes a few seconds.

use std::path::{Path, PathBuf};

use muslin::Simulation;
use muslin_io::scene::{ReadOptions, Scene, TEMPLATES, template};

fn gallery() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut scenes: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    scenes.sort();
    scenes
}

#[test]
fn every_scene_of_the_gallery_passes_its_own_check() {
    let scenes = gallery();
    assert!(scenes.len() >= 5, "the gallery is missing");
    for path in scenes {
        let scene = Scene::read(&path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        assert!(!scene.check.is_empty(), "{} has no [check]", path.display());
        for (number, built) in scene.build().unwrap_or_else(|e| panic!("{e}")).into_iter().enumerate() {
            let mut simulation = Simulation::new(built.cloth, built.settings)
                .unwrap_or_else(|error| panic!("{}", scene.explain(number, &error)));
            let start = std::time::Instant::now();
            for _ in 0..scene.time.frames {
                simulation.step().unwrap();
            }
            let problems = scene.check.problems(&simulation);
            let positions = simulation.positions();
            let low = positions.iter().copied().reduce(glam::Vec3::min).unwrap();
            let high = positions.iter().copied().reduce(glam::Vec3::max).unwrap();
            let fastest = simulation.velocities().iter().map(|v| v.length()).fold(0.0, f32::max);
            println!(
                "{} {}: {:?}, from {low} to {high}, {fastest:.2} m/s, {:.2?}",
                scene.name,
                built.name,
                simulation.strain(),
                start.elapsed()
            );
            assert!(problems.is_empty(), "{} {}: {}", scene.name, built.name, problems.join("; "));
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
        for (number, built) in scene.build().unwrap_or_else(|e| panic!("{e}")).into_iter().enumerate() {
            let mut simulation = Simulation::new(built.cloth, built.settings)
                .unwrap_or_else(|error| panic!("{}", scene.explain(number, &error)));
            for _ in 0..5 {
                simulation.step().unwrap();
            }
            assert!(simulation.strain().average < 0.05, "{name}: {:?}", simulation.strain());
        }
    }
    assert!(template("nothing").is_none());
}
