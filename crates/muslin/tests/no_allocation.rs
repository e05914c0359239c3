//! A step takes no memory of its own: everything is set up before. (With several threads it is the one that asks whose memory
//! is counted; the others run the same loops.)

use glam::Vec3;
use muslin::cloth::{
    BendingForm, BendingModel, Cloth, Damping, DihedralBending, Material, StickBending, TriangleBending,
    fabric,
};
use muslin::forces::wind::Wind;
use muslin::mesh::generate;
use muslin::solver::{Order, PositionBased, ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation};

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
