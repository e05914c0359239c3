//! Whatever the text, reading a scene ends with a scene or an error, never with a panic.

use std::path::Path;

use muslin_io::scene::{ReadOptions, Scene, SceneError, TEMPLATES, template};
use proptest::prelude::*;

/// Parses, and checks that an error can be shown and points into the text.
fn parse(text: &str) -> Option<Scene> {
    match Scene::parse(text, "fuzz.toml", Path::new("/nonexistent"), &ReadOptions::default()) {
        Ok(scene) => Some(scene),
        Err(error) => {
            assert!(matches!(error, SceneError::Invalid(_)) && !error.diagnostics().is_empty());
            assert!(!error.to_string().is_empty());
            for diagnostic in error.diagnostics() {
                assert!(diagnostic.line >= 1 && diagnostic.line <= text.matches('\n').count() + 1);
                let (before, width) = diagnostic.underline;
                assert!(width >= 1 && before <= diagnostic.shown_line.chars().count());
            }
            None
        }
    }
}

/// Pieces from which wrong scenes are made: keys, values of all types, brackets.
const PIECES: [&str; 43] = [
    "[[cloth]]\n",
    "[cloth]\n",
    "[time]\n",
    "[[cloth.pins]]\n",
    "[forces.wind]\n",
    "[solver]\n",
    "[output]\n",
    "[check]\n",
    "[camera]\n",
    "[[collider]]\n",
    "[[contact]]\n",
    "[collision]\n",
    "between",
    "mesh",
    "grid",
    "columns",
    "rows",
    "frames",
    "keyframes",
    "name",
    "fabric",
    "vertices",
    "pictures",
    "rotate",
    " = ",
    " = {",
    "}",
    " = [",
    "]",
    ", ",
    ".",
    "\n",
    "\"silk\"",
    "\"",
    "-1",
    "0",
    "3",
    "1e400",
    "nan",
    "true",
    "1979-05-27",
    "0xffffffffffffffffffff",
    "é\u{0}",
];

/// A template with a few bytes removed, doubled or replaced by something else.
fn mutated() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0usize..12, 0..PIECES.len(), any::<bool>());
    (0..TEMPLATES.len(), prop::collection::vec(edit, 1..6)).prop_map(|(which, edits)| {
        let mut text = template(TEMPLATES[which].0).unwrap_or_default().to_owned();
        for (place, length, piece, insert) in edits {
            let start = text.floor_char_boundary(place.index(text.len() + 1));
            let end = text.floor_char_boundary((start + length).min(text.len())).max(start);
            text.replace_range(start..end, if insert { PIECES[piece] } else { "" });
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        parse(&text);
    }

    #[test]
    fn arbitrary_pieces_never_panic(pieces in prop::collection::vec(0..PIECES.len(), 0..40)) {
        parse(&pieces.into_iter().map(|i| PIECES[i]).collect::<String>());
    }

    #[test]
    fn mutated_scenes_never_panic(text in mutated()) {
        parse(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Numbers of all sizes in all places: what can be parsed can also be built, or says why not.
    #[test]
    fn extreme_numbers_never_panic(
        numbers in prop::collection::vec(prop_oneof![-1e10..1e10f64, -2.0..2.0f64, Just(0.0), Just(1e-30)], 12),
        counts in prop::collection::vec(-1..6i64, 4),
        shape in 0..6usize,
    ) {
        let n = |i: usize| format!("{:e}", numbers[i]);
        let [a, b] = [counts[0], counts[1]];
        let mesh = match shape {
            0 => format!("grid = {{ columns = {a}, rows = {b}, width = {}, height = {} }}", n(0), n(1)),
            1 => format!("delaunay = {{ triangles = {}, width = {}, height = {} }}", a * 7, n(0), n(1)),
            2 => format!("disk = {{ radius = {}, rings = {a} }}", n(0)),
            3 => format!("tube = {{ radius = {}, height = {}, segments = {a}, rings = {b} }}", n(0), n(1)),
            4 => format!("sphere = {{ radius = {}, subdivisions = {} }}", n(0), a.min(2)),
            _ => format!("box = {{ size = [{}, {}, {}], subdivisions = {a} }}", n(0), n(1), n(2)),
        };
        let text = format!(
            "[[cloth]]\nmesh.{mesh}\n\
             transform = {{ translate = [{}, {}, 0], rotate = [{}, 0, {}], scale = {} }}\n\
             [[cloth.pins]]\nnearest = [{}, {}, {}]\n\
             keyframes = [{{ time = 0 }}, {{ time = {}, rotate = {{ axis = [1, {}, 0], degrees = {} }} }}]\n",
            n(3), n(4), n(5), n(6), n(7), n(8), n(9), n(10), n(11), n(2), n(3),
        );
        if let Some(scene) = parse(&text) {
            let _ = scene.build().map_err(|error| error.to_string());
        }
    }
}
