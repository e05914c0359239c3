//! Pictures that were looked at, and are compared with what is drawn now. `MUSLIN_WRITE_PICTURES=1 cargo test -p muslin-viewer --test
//! draw` writes them anew.

use std::path::PathBuf;

use glam::{Vec2, Vec3};
use muslin_render::{Color, Picture};
use muslin_viewer::draw::{Mark, MarkKind, Options, Weave};

use super::device::{OPTIONS, Studio, difference};
use super::scenes::{BLUE, VIEW, cuboid, look, scenery, sheet};

/// The mean difference of bytes that is allowed: drivers differ in rounding and in where edges are cut.
const TOLERANCE: f64 = 0.8;

/// A cloth that hangs from a bar and swings a little.
fn curtain(at: Vec2) -> Vec3 {
    let down = 0.5 - at.y;
    let wave = 0.05 + 0.06 * down;
    Vec3::new(at.x * (1.0 - 0.15 * down), 0.12 + 0.9 * (at.y + 0.5), wave * (14.0 * at.x + 2.0 * down).sin())
}

fn compare(name: &str, picture: &Picture) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(format!("{name}.png"));
    if std::env::var_os("MUSLIN_WRITE_PICTURES").is_some() {
        std::fs::write(&path, picture.to_png().unwrap()).unwrap();
        return;
    }
    let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let pixels = bytes[..info.buffer_size()].as_chunks().0.to_vec();
    let stored = Picture { width: info.width, height: info.height, pixels };
    let (mean, _) = difference(&stored, picture);
    if mean >= TOLERANCE {
        let now = std::env::temp_dir().join(format!("{name}.png"));
        std::fs::write(&now, picture.to_png().unwrap()).unwrap();
        panic!("{name} differs from the stored one by {mean:.2} of 255 on average: see {}", now.display());
    }
}

#[test]
fn pictures_look_as_they_did() {
    let mut studio = Studio::new();
    let mut cloth = sheet(40, curtain);
    cloth.look.translucency = 0.2;
    let block = cuboid(Vec3::new(0.3, 0.4, 0.3), Vec3::new(0.75, 0.2, 0.1));
    let mut scene = scenery(vec![cloth], vec![block]);
    scene.marks = [-0.5, 0.5].map(|x| Mark { place: curtain(Vec2::new(x, 0.5)), kind: MarkKind::Pin }).into();
    let hard = Options { soft_light: false, ..OPTIONS };
    let dark = Options { dark: true, ..OPTIONS };
    let wired = Options { wireframe: true, ..OPTIONS };
    for (name, options) in [("curtain", OPTIONS), ("hard", hard), ("dark", dark), ("wire", wired)] {
        compare(name, &studio.picture(&scene, &VIEW, &options).picture);
    }
    let cream = Color::rgb(240, 232, 216);
    let weaves = [
        ("gingham", Weave::Gingham(BLUE, 0.12), cream),
        ("twill", Weave::Twill(90.0), Color::rgb(60, 84, 130)),
        ("threads", Weave::Threads(60.0), Color::rgb(204, 172, 128)),
    ];
    for (name, weave, front) in weaves {
        scene.sheets[0].look = muslin_viewer::draw::Look { weave, front, ..look() };
        compare(name, &studio.picture(&scene, &VIEW, &OPTIONS).picture);
    }
    let heights = scene.sheets[0].flat.iter().map(|at| at.y + 0.5).collect();
    scene.sheets[0].values = Some(heights);
    scene.solids[0].is_marked = true;
    compare("values", &studio.picture(&scene, &VIEW, &OPTIONS).picture);
}
