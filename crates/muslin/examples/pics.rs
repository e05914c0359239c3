//! scratch pictures
use glam::{Affine3A, Vec3};
use muslin::cloth::*;
use muslin::forces::wind::Wind;
use muslin::mesh::*;
use muslin::*;
use std::io::Write;
fn dump(sim: &Simulation, path: &str) {
    let mut f = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    for p in sim.positions() {
        writeln!(f, "v {} {} {}", p.x, p.y, p.z).unwrap();
    }
    for t in sim.cloth().triangles() {
        writeln!(f, "f {} {} {}", t[0] + 1, t[1] + 1, t[2] + 1).unwrap();
    }
}
fn run(name: &str, cloth: Cloth, settings: Settings, frames: usize) {
    let mut sim = Simulation::new(cloth, settings).unwrap();
    let mut total = diagnostics::timings::Timings::default();
    for i in 1..=frames {
        let r = sim.step().unwrap();
        total.add(&r.timings);
        if i % (frames / 2) == 0 {
            let s = sim.strain();
            println!(
                "{name} {i} avg {:.4} max {:.3} E {:?} ms/frame {:.2} speed {:.2}",
                s.average,
                s.max_edge,
                sim.energy(),
                total.total().as_secs_f64() * 1e3 / i as f64,
                r.max_speed
            );
            dump(&sim, &format!("/tmp/pic/{name}_{i}.obj"));
        }
    }
}
fn main() {
    let flat = Affine3A::from_rotation_x(-1.5708);
    let sheet = |n| generate::delaunay_rectangle(1.0, 1.0, n, 3).unwrap();
    run(
        "flag",
        Cloth::builder(generate::delaunay_rectangle(1.5, 1.0, 12000, 3).unwrap())
            .pin_group("left")
            .build()
            .unwrap(),
        Settings { wind: Some(Wind::blowing(Vec3::new(7.0, 0.0, 1.5))), ..Settings::default() },
        240,
    );
    for fab in ["silk", "denim", "jersey", "leather"] {
        let m = sheet(12000).transformed(flat);
        let c = m.groups["corners"].clone();
        run(
            fab,
            Cloth::builder(m)
                .material(fabric(fab).unwrap().material())
                .pin_all([c[0], c[1]])
                .build()
                .unwrap(),
            Settings { substeps: 4, wind: Some(Wind::default()), ..Settings::default() },
            240,
        );
    }
    let m = sheet(12000).transformed(flat);
    let c = m.groups["corners"].clone();
    run(
        "default",
        Cloth::builder(m).pin_all([c[0], c[1], c[2], c[3]]).build().unwrap(),
        Settings { wind: Some(Wind::default()), ..Settings::default() },
        240,
    );
    run(
        "tube",
        Cloth::builder(generate::tube(0.3, 1.0, 120, 100).unwrap()).pin_group("top").build().unwrap(),
        Settings { wind: Some(Wind::blowing(Vec3::new(3.0, 0.0, 1.5))), ..Settings::default() },
        240,
    );
}
