//! README's film: a dress on a body that walks, and a hand that pulls it. `cargo run --release -p muslin-viewer --example film -- OUT.gif`
//!
//! Also what a program without a window looks like: a session is told what hands do, and a renderer draws what it shows.

mod offscreen;

use std::error::Error;
use std::fs::File;

use glam::Vec2;
use muslin_render::GifWriter;
use muslin_viewer::draw::{Options, Ray, View};
use muslin_viewer::session::{Command, HandId, SessionOptions, Source};
use offscreen::Offscreen;

const SIZE: [u32; 2] = [360, 400];
/// Steps of a sixtieth of a second for each picture, and pictures.
const STEPS: usize = 4;
const PICTURES: usize = 56;
const HAND: HandId = HandId(1);

/// Where the hand is in the picture while it holds the cloth, from the first to the last moment of that, in pictures.
const HOLD: [usize; 2] = [16, 34];

fn place(picture: usize) -> Vec2 {
    let share = (picture - HOLD[0]) as f32 / (HOLD[1] - HOLD[0]) as f32;
    // Out to the side and up, slowly at both ends.
    let eased = share * share * (3.0 - 2.0 * share);
    Vec2::new(0.58, 0.68).lerp(Vec2::new(0.93, 0.42), eased)
}

fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args().nth(1).ok_or("where to? film OUT.gif")?;
    let mut offscreen = Offscreen::new()?;
    let options = Options { wireframe: false, marks: true, dark: false, soft_light: true };

    let session = SessionOptions { plays: false, has_thread: false, ..Default::default() };
    let mut session = offscreen::open(Source::Gallery("garment_walk".to_owned()), session)?;
    let view = session.frame().view.ok_or("the scene has a camera")?;
    let view = View { fov_degrees: 0.8 * view.fov_degrees, ..view };
    let ray = |picture: usize| -> Ray { view.ray(place(picture), SIZE[0] as f32 / SIZE[1] as f32) };
    let mut film = GifWriter::new(File::create(out)?, SIZE[0], SIZE[1])?;
    for picture in 0..PICTURES {
        if picture == HOLD[0] {
            session.send(Command::Grab { hand: HAND, ray: ray(picture), forward: view.forward() });
        }
        if (HOLD[0]..HOLD[1]).contains(&picture) {
            session.send(Command::Drag { hand: HAND, ray: ray(picture), away: 0.0 });
        }
        if picture == HOLD[1] {
            session.send(Command::Release { hand: HAND });
        }
        for _ in 0..STEPS {
            offscreen::step(&mut session, 1.0 / 60.0)?;
        }
        let drawn = offscreen.picture(&session.frame().scenery, &view, &options, SIZE)?;
        film.add(&drawn, STEPS as f64 / 60.0)?;
    }
    film.finish()?;
    Ok(())
}
