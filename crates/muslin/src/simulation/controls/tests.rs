//! What a world does: saves what was asked for with the state, and puts both back.

use glam::{DVec3, Vec3};

use super::{Controls, Hold, Notice};
use crate::cloth::{BendingModel, Cloth, Material, TriangleBending};
use crate::forces::wind::Wind;
use crate::mesh::generate;
use crate::solver::{Impulses, Multilevel, PositionBased, SolverConfig};
use crate::state::Snapshot;
use crate::{Settings, Simulation};

fn simulation(solver: SolverConfig, substeps: u32) -> Simulation {
    let cloth = Cloth::builder(generate::grid(9, 9, 0.5, 0.5).unwrap()).pin(0).build().unwrap();
    Simulation::new(cloth, Settings { threads: 1, substeps, solver, ..Settings::default() }).unwrap()
}

fn solvers() -> [SolverConfig; 4] {
    [
        SolverConfig::default(),
        SolverConfig::PositionBased(PositionBased::default()),
        SolverConfig::Impulses(Impulses { tolerance: 0.05, ..Impulses::default() }),
        SolverConfig::Multilevel(Multilevel { particles: 300, ..Multilevel::default() }),
    ]
}

/// All that a caller can ask for; what a solver does not offer is left out.
fn drive(simulation: &mut Simulation, number: u32) {
    let way = DVec3::new(0.0, 0.0, 0.01 * f64::from(number));
    let _ = simulation.hold(Hold::vertex(50, way, 20.0));
    simulation.pin_all(&[90, 91]).unwrap();
    simulation.move_pin(90, way).unwrap();
    simulation.add_force(33, Vec3::Z * 1e-2).unwrap();
    simulation.push(34, Vec3::Z * 1e-4).unwrap();
    simulation.set_wind(Some(Wind::blowing(Vec3::X))).unwrap();
    simulation.set_gravity(Vec3::new(1.0, -5.0, 0.0)).unwrap();
    simulation.set_kappa(1e-3).unwrap();
    simulation.set_steps(0.01, 1 + number).unwrap();
    let material = *simulation.cloth().material();
    simulation.set_material(Material { density: 0.3, ..material }).unwrap();
}

fn run(simulation: &mut Simulation, steps: usize) {
    (0..steps).for_each(|_| drop(simulation.step().unwrap()));
}

fn assert_same(a: &Simulation, b: &Simulation, what: &str) {
    assert!(a.snapshot() == b.snapshot(), "{what}");
}

/// Saved at any moment (also between a call and the step that it is for), put back into a cloth on which other things were asked.
#[test]
fn what_was_saved_and_put_back_goes_on_with_the_same_bits() {
    for solver in solvers() {
        for substeps in [2, 40] {
            let what = format!("{solver:?}, {substeps} substeps");
            let mut first = simulation(solver.clone(), substeps);
            run(&mut first, 2);
            let mut saves: Vec<(Snapshot, Controls)> = vec![(first.snapshot(), first.controls())];
            drive(&mut first, 1);
            saves.push((first.snapshot(), first.controls()));
            run(&mut first, 2);
            first.release_all(&[0, 91]).unwrap();
            saves.push((first.snapshot(), first.controls()));
            run(&mut first, 2);
            for (number, (snapshot, controls)) in saves.iter().enumerate() {
                let mut fresh = simulation(solver.clone(), substeps);
                for other in [&mut first, &mut fresh] {
                    other.set_controls(controls).unwrap();
                    other.begin_step().unwrap();
                    other.restore(snapshot).unwrap();
                    let mut again = other.controls();
                    other.controls_into(&mut again);
                    assert_eq!(again, *controls, "{what}: {number}");
                    assert!(other.snapshot() == *snapshot, "{what}: {number}");
                    run(other, 3);
                }
                assert_same(&first, &fresh, &format!("{what}: {number}"));
            }
        }
    }
}

/// A solver that was asked for and not built yet.
#[test]
fn another_solver_is_saved_before_it_is_built() {
    for from in solvers() {
        for to in solvers() {
            let mut first = simulation(from.clone(), 2);
            run(&mut first, 3);
            first.set_solver(to.clone()).unwrap();
            let (snapshot, controls) = (first.snapshot(), first.controls());
            run(&mut first, 3);
            let mut other = simulation(from.clone(), 2);
            other.set_controls(&controls).unwrap();
            other.begin_step().unwrap();
            other.restore(&snapshot).unwrap();
            run(&mut other, 3);
            assert_same(&first, &other, &format!("{from:?} to {to:?}"));
        }
    }
}

#[test]
fn notices_say_what_a_world_has_to_look_at() {
    let mut driven = simulation(SolverConfig::default(), 1);
    assert_eq!(driven.take_notice(), Notice::default());
    driven.move_pin(0, DVec3::ZERO).unwrap();
    driven.add_force(3, Vec3::X).unwrap();
    driven.step().unwrap();
    assert_eq!(driven.take_notice(), Notice::default());
    driven.pin(0).unwrap();
    assert_eq!(driven.take_notice(), Notice::default());
    driven.pin(4).unwrap();
    assert_eq!(driven.take_notice(), Notice { pins: true, ..Notice::default() });
    driven.release(4).unwrap();
    driven.teleport(glam::DQuat::IDENTITY, DVec3::X).unwrap();
    assert_eq!(driven.take_notice(), Notice { pins: true, moved: true, material: false });
    let material =
        Material { bending_model: BendingModel::Triangle(TriangleBending::default()), ..Material::default() };
    driven.set_material(material).unwrap();
    assert_eq!(driven.take_notice(), Notice { pins: true, moved: false, material: true });
    assert_eq!(driven.take_notice(), Notice::default());
}
