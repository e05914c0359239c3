//! scratch
use muslin::cloth::*;
use muslin::solver::*;
use muslin::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |k: &str, d: &str| {
        args.iter().find_map(|a| a.strip_prefix(&format!("{k}=")).map(String::from)).unwrap_or(d.into())
    };
    let n: usize = get("n", "20648").parse().unwrap();
    let steps: usize = get("steps", "1500").parse().unwrap();
    let levels: usize = get("levels", "5").parse().unwrap();
    let dt: f64 = get("dt", "0.005").parse().unwrap();
    let variant = match get("variant", "fas").as_str() {
        "paper" => Variant::Paper,
        "gather" => Variant::Gather,
        _ => Variant::FullApproximation,
    };
    let mesh = if get("mesh", "del") == "grid" {
        let m = ((n as f64 / 2.0).sqrt()).round() as usize;
        muslin::mesh::generate::grid(m, m, 5.0, 5.0).unwrap()
    } else {
        muslin::mesh::generate::delaunay_rectangle(5.0, 5.0, n, 1).unwrap()
    };
    let pins = [
        mesh.nearest_vertex(glam::Vec3::new(0., 5., 0.)).unwrap(),
        mesh.nearest_vertex(glam::Vec3::new(5., 5., 0.)).unwrap(),
    ];
    let bending: f32 = get("bend", "0").parse().unwrap();
    let damp: f32 = get("damp", "0").parse().unwrap();
    let mat = Material {
        bending,
        damping: if damp > 0.0 { Damping::Edges { rate: damp } } else { Damping::None },
        stretch: if get("k", "0") != "0" {
            let k: f32 = get("k", "0").parse().unwrap();
            let g: f32 = get("g", "0.5").parse().unwrap();
            Stretch::Physical { weft: k, warp: k, shear: k * g }
        } else {
            Stretch::STIFF
        },
        ..Material::default()
    };
    let teth: u8 = get("tethers", "0").parse().unwrap();
    let top = mesh.groups["top"].clone();
    let left = mesh.groups["left"].clone();
    let pins: Vec<u32> = if get("pin", "2") == "left" {
        left
    } else if get("pin", "2") == "top" {
        top
    } else {
        pins.to_vec()
    };
    let cloth = Cloth::builder(mesh)
        .material(mat)
        .pin_all(pins)
        .tethers(if teth == 0 { TetherChoice::Off } else { TetherChoice::Nearest(teth) })
        .build()
        .unwrap();
    let mut sm = ShapeMatching {
        cycle: if get("saw", "0") == "1" { Cycle::Sawtooth } else { Cycle::V },
        variant,
        edges: get("edges", "1") == "1",
        cycles: get("cycles", "1").parse().unwrap(),
        ..Default::default()
    };
    sm.hierarchy.levels = levels;
    let settings = Settings {
        time_step: dt,
        gravity: glam::Vec3::new(0.0, -9.81, 0.0),
        wind: if get("wind", "0") == "0" {
            None
        } else {
            Some(muslin::forces::wind::Wind::blowing(glam::Vec3::new(
                get("wind", "0").parse().unwrap(),
                0.0,
                1.5,
            )))
        },
        substeps: get("sub", "1").parse().unwrap(),
        threads: get("threads", "1").parse().unwrap(),
        solver: SolverConfig::ShapeMatching(sm),
        ..Settings::default()
    };
    let t = std::time::Instant::now();
    let mut sim = Simulation::new(cloth, settings).unwrap();
    println!("build {:?} levels {:?}", t.elapsed(), sim.level_triangles());
    let mut ms = vec![];
    let kd = get("kd", "0") == "1";
    let mut lastke = 0.0;
    let vd: f32 = get("vd", "1").parse().unwrap();
    let mut tim = muslin::diagnostics::timings::Timings::default();
    for i in 0..steps {
        let t = std::time::Instant::now();
        let r = sim.step().unwrap();
        ms.push(t.elapsed().as_secs_f64() * 1e3);
        tim.add(&r.timings);
        if kd {
            let ke = sim.energy().kinetic;
            if ke < lastke {
                let p = sim.positions();
                let z = vec![glam::Vec3::ZERO; p.len()];
                sim.set_state(&p, &z).unwrap();
                lastke = 0.0;
            } else {
                lastke = ke;
            }
        }
        if vd != 1.0 {
            let p = sim.positions();
            let v: Vec<glam::Vec3> = sim.velocities().iter().map(|v| *v * vd).collect();
            sim.set_state(&p, &v).unwrap();
        }
        if (i + 1) % (steps / 5) == 0 {
            let s = sim.strain();
            println!(
                "{:5} avg {:.4}% max edge {:.3}% global {:.4}% speed {:.3} E {:.4}",
                i + 1,
                s.average * 100.,
                s.max_edge * 100.,
                s.global.unwrap_or(0.) * 100.,
                r.max_speed,
                sim.energy().total()
            );
        }
    }
    ms.sort_by(f64::total_cmp);
    println!("median {:.3} min {:.3} ms", ms[ms.len() / 2], ms[0]);
    for s in muslin::diagnostics::timings::Stage::ALL {
        println!("  {} {:.4}", s.name(), tim.get(s).as_secs_f64() * 1e3 / steps as f64);
    }
    println!("hash {:x}", sim.state_hash());
}
