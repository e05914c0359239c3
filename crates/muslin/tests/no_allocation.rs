//! A step takes no memory of its own: everything is set up before. (With several threads it is the one that asks whose memory
//! is counted; the others run the same loops.)

use glam::{DVec3, Vec3};
use muslin::cloth::{
    BendingForm, BendingModel, Cloth, Damping, DihedralBending, Material, StickBending, TriangleBending,
    fabric,
};
use muslin::forces::wind::Wind;
use muslin::mesh::generate;
use muslin::solver::{Order, PositionBased, ShapeMatching, SolverConfig};
use muslin::state::Snapshot;
use muslin::{Hold, Settings, Simulation};

#[test]
fn no_stage_allocates() {
    let printed = Damping::Printed { coefficient: 1.0 };
    let explicit = Material {
        bending: 1e-7,
        bending_form: BendingForm::Explicit,
        damping: printed,
        ..Material::default()
    };
    for (material, form) in [
        (Material::default(), ShapeMatching::default()),
        (fabric("denim").unwrap().material(), ShapeMatching::default()),
        (explicit, ShapeMatching::paper()),
        (Material::default(), ShapeMatching::averaged()),
    ] {
        let mesh = generate::delaunay_rectangle(1.0, 1.0, 2_000, 1).unwrap();
        let cloth = Cloth::builder(mesh).material(material).pin_group("left").build().unwrap();
        let solver = SolverConfig::ShapeMatching(form.clone());
        let wind = Some(Wind::blowing(Vec3::X));
        for (threads, substeps) in [(1, 3), (3, 3), (1, 30)] {
            let settings =
                Settings { threads, substeps, solver: solver.clone(), wind, ..Settings::default() };
            let mut simulation = Simulation::new(cloth.clone(), settings).unwrap();
            let used = allocation_counter::measure(|| {
                simulation.step().unwrap();
            });
            assert_eq!(
                used.count_total, 0,
                "{form:?} with {material:?}, {threads} threads, {substeps} substeps"
            );
        }
    }
}

#[test]
fn no_round_of_position_based_dynamics_allocates() {
    let models = [
        BendingModel::Quadratic,
        BendingModel::Triangle(TriangleBending { signed: true, ..Default::default() }),
        BendingModel::Dihedral(DihedralBending::default()),
        BendingModel::Stick(StickBending::default()),
    ];
    for (model, order) in
        models.into_iter().zip([Order::Jacobi, Order::GaussSeidel, Order::Jacobi, Order::GaussSeidel])
    {
        let material = Material { bending_model: model, ..Material::default() };
        let mesh = generate::sphere(0.5, 3).unwrap();
        let cloth = Cloth::builder(mesh).material(material).pressure(1.1).pin(0).build().unwrap();
        let solver = SolverConfig::PositionBased(PositionBased { order, ..PositionBased::default() });
        let mut simulation =
            Simulation::new(cloth, Settings { threads: 1, solver, ..Settings::default() }).unwrap();
        let used = allocation_counter::measure(|| {
            simulation.step().unwrap();
        });
        assert_eq!(used.count_total, 0, "{order:?} with {model:?}");
    }
}

/// What a game does in every frame.
#[test]
fn no_driven_step_allocates() {
    for solver in [SolverConfig::default(), SolverConfig::PositionBased(PositionBased::default())] {
        for substeps in [3, 30] {
            let mesh = generate::delaunay_rectangle(1.0, 1.0, 2_000, 1).unwrap();
            let vertices = mesh.positions.len();
            let (pin, held) = (mesh.groups["left"][0], mesh.groups["right"][0]);
            let cloth = Cloth::builder(mesh).pin(pin).build().unwrap();
            let settings = Settings { threads: 1, substeps, solver: solver.clone(), ..Settings::default() };
            let mut driven = Simulation::new(cloth, settings).unwrap();
            let hold = driven.hold(Hold::vertex(held, DVec3::X, 100.0)).unwrap();
            let mut out = vec![[0.0; 3]; vertices];
            let mut places = vec![[0.0; 3]; vertices];
            let mut snapshot = Snapshot::default();
            let mut frame = |number: u32| {
                let way = DVec3::new(0.0, 0.0, 0.01 * f64::from(number));
                driven.move_pin(pin, way).unwrap();
                driven.move_hold(hold, DVec3::X + way).unwrap();
                (0..9).for_each(|v| driven.add_force(7 * v, Vec3::Z * 1e-3).unwrap());
                driven.push(11, Vec3::X * 1e-5).unwrap();
                driven.set_wind(Some(Wind::blowing(Vec3::X * number as f32))).unwrap();
                driven.set_gravity(Vec3::NEG_Y * number as f32).unwrap();
                driven.step().unwrap();
                driven.positions_into(&mut out).unwrap();
                driven.normals_into(&mut out).unwrap();
                driven.velocities_into(&mut out).unwrap();
                driven.places_into(&mut places).unwrap();
                driven.positions_between_into(0.5, &mut out).unwrap();
                driven.snapshot_into(&mut snapshot);
            };
            // The first frame finds out how much memory the others need.
            (1..3).for_each(&mut frame);
            let used = allocation_counter::measure(|| (3..9).for_each(&mut frame));
            assert_eq!(used.count_total, 0, "{solver:?}, {substeps} substeps");
        }
    }
}
