use super::*;
use crate::Settings;
use crate::mesh::generate;

#[test]
fn options_out_of_range_are_named() {
    let cloth = Cloth::builder(generate::grid(2, 2, 1.0, 1.0).unwrap()).build().unwrap();
    let default = PositionBased::default;
    let jacobi = || PositionBased { order: Order::Jacobi, ..default() };
    for (options, said) in [
        (PositionBased { iterations: 0, ..default() }, "solver.iterations is 0, but must be at least 1"),
        (PositionBased { over_relaxation: 4.0, ..jacobi() }, "solver.over_relaxation is 4"),
        (PositionBased { over_relaxation: 1.5, ..default() }, "over-relaxation where constraints"),
        (PositionBased { stretch: Some(Stiffness::Fraction(1.5)), ..default() }, "between 0 and 1"),
        (PositionBased { stretch: Some(Stiffness::Compliance(-1.0)), ..default() }, "not negative"),
    ] {
        let solver = crate::solver::SolverConfig::PositionBased(options);
        let settings = Settings { solver, ..Settings::default() };
        let error = crate::Simulation::new(cloth.clone(), settings).err().unwrap().to_string();
        assert!(error.contains(said), "{error}");
    }
}
