//! The same bits for any number of threads, any instructions, and from run to run.

use glam::{Affine3A, Vec3};
use muslin::cloth::{Cloth, Keyframe, Material, PinMotion, fabric};
use muslin::forces::wind::Wind;
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{ShapeMatching, SolverConfig};
use muslin::{Instructions, Settings, Simulation};

/// Four scenes that together use every stage; from 4 on the same in steps so short that solvers move travellers.
fn scene(number: usize) -> (Cloth, Settings) {
    let time_step = if number < 4 { 0.005 } else { 0.0005 };
    let settings = Settings { time_step, substeps: 1, ..Settings::default() };
    let sheet = || generate::delaunay_rectangle(2.0, 2.0, 8_000, 11).unwrap();
    match number % 4 {
        // A flag in gusts: wind, tethers, bending, damping, default variant.
        0 => {
            let cloth = Cloth::builder(sheet()).pin_group("left").build().unwrap();
            (cloth, Settings { wind: Some(Wind::blowing(Vec3::new(6.0, 0.0, 2.0))), ..settings })
        }
        // A pulled handkerchief of jersey: physical stiffness, keyframes.
        1 => {
            let mesh = sheet().transformed(Affine3A::from_rotation_x(-1.2));
            let corner = mesh.nearest_vertex(Vec3::ZERO).unwrap();
            let place = mesh.positions[corner as usize];
            let key = |time, z: f32| Keyframe { time, position: (place + Vec3::Z * z).as_dvec3() };
            let motion = PinMotion::Keyframes(vec![key(0.0, 0.0), key(1.0, 0.4), key(2.0, -0.3)]);
            let material = fabric("jersey").unwrap().material();
            (Cloth::builder(mesh).material(material).pin_moving(corner, motion).build().unwrap(), settings)
        }
        // The paper's variant on a tube that hangs.
        2 => {
            let mesh: TriMesh = generate::tube(0.5, 1.5, 80, 60).unwrap();
            let cloth = Cloth::builder(mesh).pin_group("top").build().unwrap();
            (cloth, Settings { solver: SolverConfig::ShapeMatching(ShapeMatching::paper()), ..settings })
        }
        // Averaged, free and spinning.
        _ => {
            let cloth =
                Cloth::builder(sheet()).material(Material { bending: 1e-4, ..Material::default() }).build();
            (
                cloth.unwrap(),
                Settings { solver: SolverConfig::ShapeMatching(ShapeMatching::averaged()), ..settings },
            )
        }
    }
}

/// The state's fingerprint after so many steps.
fn hash(number: usize, threads: usize, instructions: Instructions, steps: usize) -> u64 {
    let (cloth, settings) = scene(number);
    let mut simulation = Simulation::new(cloth, Settings { threads, instructions, ..settings }).unwrap();
    if number % 4 == 3 {
        let positions = simulation.positions();
        let spin: Vec<Vec3> = positions.iter().map(|p| Vec3::new(-p.y, p.x, 0.3 * p.x)).collect();
        simulation.set_state(&positions, &spin).unwrap();
    }
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation.state_hash()
}

/// Hashes of the long steps, recorded on x86-64 Linux. A change of physics changes them: say so in CHANGELOG.md.
const GOLDEN: [u64; 4] =
    [0x2c29_45b4_f4fb_84f6, 0xa42e_4552_69ba_26a6, 0x6d56_0097_51a7_096a, 0x1594_6037_1423_7242];

fn check(number: usize) {
    // More threads than cores are slow, and a difference in one step is one in all that follow.
    let few = hash(number, 1, Instructions::Best, 60);
    for threads in [3, 7, 16, 33] {
        assert_eq!(hash(number, threads, Instructions::Best, 60), few, "{threads} threads");
    }
    let steps = if number < 4 { 500 } else { 100 };
    let one = hash(number, 1, Instructions::Best, steps);
    assert_eq!(hash(number, 2, Instructions::Best, steps), one, "two threads");
    assert_eq!(hash(number, 2, Instructions::Portable, steps), one, "portable instructions");
    if let Some(&golden) = GOLDEN.get(number) {
        assert_eq!(one, golden, "scene {number}: {one:#018x}");
    }
}

#[test]
fn flag_in_wind() {
    check(0);
}

#[test]
fn pulled_jersey() {
    check(1);
}

#[test]
fn hanging_tube() {
    check(2);
}

#[test]
fn spinning_sheet() {
    check(3);
}

#[test]
fn short_steps() {
    (4..8).for_each(check);
}
