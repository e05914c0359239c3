//! What people see when a scene is wrong.

mod limits;
mod multilevel;
mod places;
mod texts;

use std::path::Path;

use muslin_io::scene::{ReadOptions, Scene};

/// The text of the error of a scene that cannot be parsed or built.
fn error(text: &str) -> String {
    let scene =
        Scene::parse(text, "scene.toml", Path::new(env!("CARGO_MANIFEST_DIR")), &ReadOptions::default());
    match scene.and_then(|scene| scene.build_world().map(|_| ())) {
        Ok(()) => panic!("this scene is right:\n{text}"),
        Err(error) => error.to_string(),
    }
}

/// The error must say something, and underline what begins with `place`.
#[track_caller]
fn expect(text: &str, place: &str, said: &str) {
    let found = error(text);
    assert!(found.contains(said), "wanted: {said}\n{text}\n{found}");
    let mut lines = found.lines().skip_while(|line| !line.contains("-->")).skip(2);
    let (line, underline) = (lines.next().unwrap(), lines.next().unwrap());
    let start = underline.find('^').unwrap();
    assert!(line[start..].starts_with(place), "wanted under {place}:\n{text}\n{found}");
}

/// A right cloth, to which mistakes can be added.
const CLOTH: &str = "[[cloth]]\nmesh.grid = { columns = 4, rows = 4 }\n";
