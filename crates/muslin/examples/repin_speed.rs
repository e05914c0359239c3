//! How long other pins take before the next step: `cargo run --release -p muslin --example repin_speed`.

use std::time::Instant;

use muslin::cloth::Cloth;
use muslin::mesh::generate;
use muslin::{Settings, Simulation};

/// Milliseconds of a step, the least of so many.
fn least(times: usize, mut step: impl FnMut()) -> f64 {
    let once = |_| {
        let start = Instant::now();
        step();
        1e3 * start.elapsed().as_secs_f64()
    };
    (0..times).map(once).fold(f64::INFINITY, f64::min)
}

fn main() {
    for triangles in [1_000, 5_000, 20_000] {
        let mesh = generate::delaunay_rectangle(1.0, 1.0, triangles, 1).unwrap();
        let group = mesh.groups["left"].clone();
        let inner = mesh.nearest_vertex(muslin::glam::Vec3::new(0.6, 0.4, 0.0)).unwrap();
        let cloth = Cloth::builder(mesh).pin_all(group.iter().copied()).build().unwrap();
        let settings = Settings { threads: 1, ..Settings::default() };
        let build = least(5, || drop(Simulation::new(cloth.clone(), settings.clone()).unwrap()));
        let mut simulation = Simulation::new(cloth, settings).unwrap();
        let steady = least(20, || drop(simulation.step().unwrap()));
        let mut is_pinned = false;
        let changed = least(20, || {
            is_pinned = !is_pinned;
            if is_pinned { simulation.pin(inner) } else { simulation.release(inner) }.unwrap();
            simulation.step().unwrap();
        });
        let edge = least(20, || {
            if simulation.is_pinned(group[0]) {
                simulation.release_all(&group).unwrap();
            } else {
                simulation.pin_all(&group).unwrap();
            }
            simulation.step().unwrap();
        });
        println!(
            "{triangles} triangles: building {build:.1} ms, a step {steady:.2} ms, after one other pin {:.1} ms more, \
             after {} other pins {:.1} ms more",
            changed - steady,
            group.len(),
            edge - steady,
        );
    }
}
