//! Points of a cloth that are drawn to places.

use glam::{DVec3, Vec3};
use muslin::cloth::{Cloth, Damping, Material};
use muslin::forces::wind::Wind;
use muslin::mesh::TriMesh;
use muslin::solver::SolverConfig;
use muslin::{Error, Feature, Hold, Settings, Simulation};

use super::{cases, run, sheet};

/// Three vertices of equal mass.
fn triangle() -> Cloth {
    let corner = |turn: f32| Vec3::new((turn * 2.094_395).cos(), 0.0, (turn * 2.094_395).sin()) * 0.1;
    let mesh = TriMesh::new(vec![corner(0.0), corner(1.0), corner(2.0)], vec![[0, 1, 2]]);
    Cloth::builder(mesh).build().unwrap()
}

fn mean(simulation: &Simulation) -> DVec3 {
    let masses = simulation.cloth().masses();
    let moment: DVec3 = simulation.places().iter().zip(&masses).map(|(place, mass)| *place * *mass).sum();
    moment / masses.iter().sum::<f64>()
}

/// Held in its middle, a triangle is a weight on a spring under implicit Euler: x (1 + ω² h²) = x0 + v h + g h² + ω² h² P, step by
/// step, for every stiffness and step.
#[test]
fn a_triangle_held_in_its_middle_is_a_weight_on_a_spring() {
    for (name, _, settings) in cases() {
        if name.starts_with("multilevel") || name.starts_with("denim") {
            continue;
        }
        for stiffness in [0.01, 1.0, 100.0, 1e6, 1e12] {
            let cloth = triangle();
            let mass = cloth.total_mass();
            let mut driven = Simulation::new(cloth, settings.clone()).unwrap();
            let place = DVec3::new(0.0, 0.01, 0.004);
            let weights = [1.0 / 3.0; 3];
            driven.hold(Hold { vertices: [0, 1, 2], weights, place, stiffness }).unwrap();
            let h = settings.time_step / f64::from(settings.substeps);
            let (mut x, mut v) = (mean(&driven), DVec3::ZERO);
            let exact = matches!(settings.solver, SolverConfig::Impulses(_));
            let gravity = settings.gravity.as_dvec3();
            let spring = f64::from(stiffness) / mass * h * h;
            let mut first = !exact;
            for _ in 0..20 {
                driven.step().unwrap();
                for _ in 0..settings.substeps {
                    // Gravity as steps have it: exact for what falls.
                    let gained = if first { 0.5 * h * gravity } else { h * gravity };
                    first = false;
                    let aim = match exact {
                        true => x + v * h + 0.5 * h * h * gravity,
                        false => x + (v + gained) * h,
                    };
                    let next = (aim + spring * place) / (1.0 + spring);
                    v = if exact { (next - x) / h + 0.5 * h * gravity } else { (next - x) / h };
                    x = next;
                }
                // Rounding of places to single precision, which is a velocity for as long as the spring lets it be.
                let bound = 60.0 * 6e-9 * (1.0 + driven.steps() as f64) + 1e-7;
                let off = mean(&driven).distance(x);
                assert!(off < bound, "{name}, {stiffness} N/m: {off} after {} steps", driven.steps());
            }
        }
    }
}

/// All that hangs on a hold hangs M g/k below it, whatever the solver does and however few iterations it takes.
#[test]
fn cloth_hangs_as_far_below_a_hold_as_its_weight_stretches_the_spring() {
    for (name, cloth, settings) in cases() {
        if name.starts_with("multilevel") || settings.time_step < 0.01 {
            continue;
        }
        // Air and damping bring it to rest.
        let material = cloth.clone().build().unwrap().material().clone();
        let material = Material { damping: Damping::Deformation { rate: 4.0 }, ..material };
        let air = Wind { drag: 20.0, lift: 0.0, ..Wind::default() };
        for stiffness in [10.0, 1e4] {
            let settings = Settings { wind: Some(air), ..settings.clone() };
            let cloth = cloth.clone().material(material.clone()).build().unwrap();
            let weight = cloth.total_mass() * 9.81;
            let mut driven = Simulation::new(cloth, settings).unwrap();
            let (corner, place) = (12 * 13, driven.places()[12 * 13]);
            driven.hold(Hold::vertex(corner, place, stiffness)).unwrap();
            run(&mut driven, 1200);
            let speed = driven.velocities().iter().map(|v| v.length()).fold(0.0, f32::max);
            let sag = (place - driven.places()[corner as usize]).y;
            let wanted = weight / f64::from(stiffness);
            println!(
                "{name}, {stiffness} N/m: sag {sag}, wanted {wanted}, speed {speed}, strain {:?}",
                driven.strain()
            );
        }
    }
}
