//! What a session costs beside its steps. `cargo test -p muslin-viewer --test session -- --ignored --nocapture speed`

use std::time::Instant;

use glam::Vec3;
use muslin_viewer::draw::Ray;
use muslin_viewer::session::{Command, Source, Values};

use crate::common::{ask, open, steps};

#[test]
#[ignore = "a measurement"]
fn beside_the_steps() {
    for (name, columns) in [("5,000 triangles", 50), ("20,000 triangles", 100)] {
        let text = format!(
            "[[cloth]]\nmesh.grid = {{ columns = {columns}, rows = {columns} }}\nfabric = \"cotton\"\n\
             transform = {{ rotate = [-90.0, 0.0, 0.0], translate = [-0.5, 0.6, 0.5] }}\n\
             [[collider]]\nname = \"ball\"\nsphere = {{ center = [0.0, 0.3, 0.0], radius = 0.25 }}\n[time]\nsubsteps = 4\n"
        );
        let mut session = open(Source::Text { name: "drape".into(), text });
        steps(&mut session, 30);
        let (mut world, begin) = (0.0, Instant::now());
        for _ in 0..30 {
            steps(&mut session, 1);
            world += session.frame().figures.step_ms;
        }
        let all = 1e3 * begin.elapsed().as_secs_f64() / 30.0;
        println!("{name}: {all:.2} ms per step and frame, of which the world {:.2} ms", world / 30.0);
        let begin = Instant::now();
        for k in 0..100 {
            let origin = Vec3::new(0.002 * k as f32, 2.0, 0.0);
            session.send(Command::Point(Some(Ray { origin, direction: Vec3::NEG_Y })));
            session.advance(0.0);
        }
        println!("{name}: {:.2} ms per pointer", 10.0 * begin.elapsed().as_secs_f64());
        for values in [Values::None, Values::Strain, Values::Speed, Values::Level, Values::Contact] {
            ask(&mut session, Command::Show(values));
            let begin = Instant::now();
            (0..20).for_each(|_| ask(&mut session, Command::Show(values)));
            println!("{name}: {:.2} ms per frame with {values:?}", 50.0 * begin.elapsed().as_secs_f64());
        }
    }
}
