//! Draws the small pictures of the gallery: `cargo run --release -p muslin-viewer --example thumbnails [SCENE…]`. They are built into the
//! viewer, so this is called again when a scene is new or looks otherwise.

mod offscreen;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use muslin_viewer::draw::{Options, View};
use muslin_viewer::session::{Frame, GalleryEntry, SessionOptions, Source, gallery};
use offscreen::Offscreen;

/// Pixels; twice what the panel shows, for dense screens.
const SIZE: [u32; 2] = [168, 112];

/// When in a scene there is most to see, seconds; where nothing is said, at half of its length.
const TIMES: &[(&str, f64)] =
    &[("flag", 2.0), ("bodies", 1.6), ("hammock", 2.0), ("plant", 0.5), ("dome", 0.2)];

/// A scene at the time of its picture.
fn frame(entry: &GalleryEntry) -> Result<Arc<Frame>, String> {
    let options = SessionOptions { plays: false, has_thread: false, rewind_bytes: 0, ..Default::default() };
    let mut session = offscreen::open(Source::Gallery(entry.name.to_owned()), options)?;
    let clock = session.frame().clock;
    let given = TIMES.iter().find(|(name, _)| *name == entry.name).map(|(_, time)| *time);
    let time = given.unwrap_or(0.5 * clock.length.unwrap_or(3.0));
    while session.frame().clock.time < time {
        offscreen::step(&mut session, clock.step)?;
    }
    Ok(session.frame())
}

/// From where the scene wants to be seen, else a little from above.
fn view(frame: &Frame) -> View {
    let (center, up) = (frame.bounds.center, frame.scenery.up);
    let front = if up.z > 0.5 { glam::Vec3::NEG_Y } else { glam::Vec3::Z };
    let from = (front + 0.5 * front.cross(-up) + 0.45 * up).normalize();
    let eye = center + 2.6 * frame.bounds.radius * from;
    frame.view.unwrap_or(View { eye, target: center, up, fov_degrees: 40.0 })
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut offscreen = Offscreen::new()?;
    let options = Options { wireframe: false, marks: false, dark: false, soft_light: true };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("thumbnails");
    for entry in gallery() {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == entry.name) {
            continue;
        }
        let frame = frame(entry).map_err(|problem| format!("{}: {problem}", entry.name))?;
        let picture = offscreen.picture(&frame.scenery, &view(&frame), &options, SIZE)?;
        std::fs::write(folder.join(format!("{}.png", entry.name)), picture.to_png()?)?;
        println!("{}", entry.name);
    }
    Ok(())
}
