//! Physical materials: the same cloth whatever the step, the mesh and the levels; closed forms.

use glam::{Affine3A, Vec3};
use muslin::cloth::{BendingForm, Cloth, Damping, Material, Stretch, TetherChoice, fabric};
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{ShapeMatching, SolverConfig};
use muslin::{Error, Settings, Simulation};

/// Lets a cloth come to rest: velocities shrink a little every step, which changes the way to the
/// equilibrium but not the equilibrium.
fn settle(mut simulation: Simulation, steps: usize, keep: f32) -> Simulation {
    for _ in 0..steps {
        simulation.step().unwrap();
        let slowed: Vec<Vec3> = simulation.velocities().iter().map(|v| *v * keep).collect();
        let positions = simulation.positions();
        simulation.set_state(&positions, &slowed).unwrap();
    }
    simulation
}

/// A square metre of jersey hanging from its whole upper edge.
fn hanging_jersey(triangles: usize, substeps: u32, levels: usize) -> f64 {
    let mesh = generate::delaunay_rectangle(1.0, 1.0, triangles, 5).unwrap();
    let material = Material { bending: 0.0, ..fabric("jersey").unwrap().material() };
    let cloth = Cloth::builder(mesh).material(material).pin_group("top").build().unwrap();
    let hierarchy = HierarchyOptions { levels, ..HierarchyOptions::default() };
    let solver = SolverConfig::ShapeMatching(ShapeMatching { hierarchy, ..ShapeMatching::default() });
    let simulation = Simulation::new(cloth, Settings { substeps, solver, ..Settings::default() }).unwrap();
    settle(simulation, 300, 0.9).strain().global.unwrap()
}

#[test]
fn the_hanging_shape_depends_little_on_step_mesh_and_levels() {
    // A strip of stiffness k under its own weight grows by ρ g L²/(2 k); the warp hangs down.
    let expected = 0.187 * 9.81 / (2.0 * 17.0);
    let reference = hanging_jersey(1000, 8, 3);
    println!("closed form {expected:.5}, reference {reference:.5}");
    for (what, strain) in [
        ("half the step", hanging_jersey(1000, 16, 3)),
        ("twice the step", hanging_jersey(1000, 4, 3)),
        ("twice the triangles", hanging_jersey(2000, 8, 3)),
        ("four times the triangles", hanging_jersey(4000, 8, 3)),
        ("five levels", hanging_jersey(1000, 8, 5)),
    ] {
        let change = (strain - reference) / reference;
        println!("{what}: {strain:.5}, change {:.2} % of the elongation", 100.0 * change);
        assert!(change.abs() < 0.03, "{what}: the elongation changed by {:.1} %", 100.0 * change);
    }
}

#[test]
fn small_steps_converge_to_the_closed_form_whatever_the_levels() {
    let expected = 0.187 * 9.81 / (2.0 * 17.0);
    for levels in [1, 3, 5] {
        let error = |substeps| hanging_jersey(1000, substeps, levels) / expected - 1.0;
        let (coarse, fine) = (error(8), error(32));
        println!(
            "{levels} levels: off by {:.2} % with 8 substeps, {:.2} % with 32",
            100.0 * coarse,
            100.0 * fine
        );
        assert!(fine.abs() < 0.02 && fine.abs() < coarse.abs(), "{levels} levels: {coarse} then {fine}");
    }
}

#[test]
fn a_bent_sheet_has_the_energy_of_a_plate() {
    // Rolled to a cylinder of radius 1 m, in three directions: ½ B κ² per area, with B = 1 N·m.
    let mesh = generate::delaunay_rectangle(1.0, 1.0, 3200, 1).unwrap();
    for angle in [0.0f32, 0.7, 1.5] {
        let rolled = |p: &Vec3| {
            let (along, across) =
                (angle.cos() * p.x + angle.sin() * p.y, angle.cos() * p.y - angle.sin() * p.x);
            Vec3::new(across, along.sin(), 1.0 - along.cos())
        };
        let start = mesh.positions.iter().map(rolled).collect();
        let material = Material { bending: 1.0, ..Material::default() };
        let cloth = Cloth::builder(mesh.clone()).material(material).start_positions(start).build().unwrap();
        let energy = Simulation::new(cloth, Settings::default()).unwrap().energy().bending;
        assert!((energy / 0.5 - 1.0).abs() < 0.08, "at {angle} rad: {energy} J, should be 0.5 J");
    }
}

/// A strip of length L and width L/5, clamped at its left end, sagging under its own weight.
/// Returns drop over reach.
fn cantilever(gamma: f64, columns: usize, form: BendingForm) -> f64 {
    let length = 0.2f32;
    let density = 0.2f32;
    let bending = f64::from(density) * 9.81 * f64::from(length).powi(3) / gamma;
    let flat = Affine3A::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let mesh =
        generate::alternating_grid(columns, columns / 5, length, length / 5.0).unwrap().transformed(flat);
    let clamp = 1.5 * length / columns as f32;
    let clamped: Vec<u32> =
        (0..mesh.positions.len() as u32).filter(|&v| mesh.positions[v as usize].x < clamp).collect();
    let tip: Vec<usize> =
        (0..mesh.positions.len()).filter(|&v| mesh.positions[v].x > length * 0.999).collect();
    let root = length / columns as f32;
    let material = Material {
        density,
        bending: bending as f32,
        bending_form: form,
        stretch: Stretch::STIFF,
        damping: Damping::None,
        ..Material::default()
    };
    let cloth =
        Cloth::builder(mesh).material(material).pin_all(clamped).tethers(TetherChoice::Off).build().unwrap();
    let settings = Settings { time_step: 0.002, substeps: 8, ..Settings::default() };
    let simulation = settle(Simulation::new(cloth, settings).unwrap(), 3000, 0.99);
    let positions = simulation.positions();
    let mean: Vec3 = tip.iter().map(|&v| positions[v]).sum::<Vec3>() / tip.len() as f32;
    f64::from(-mean.y / (mean.x - root))
}

#[test]
fn a_cantilever_sags_as_the_elastica_says() {
    // Γ = weight per area · L³ / B, drop over reach of the elastica. The clamped part
    // takes one column off the length.
    let columns = 40;
    let free = 1.0 - 1.0 / columns as f64;
    for (gamma, expected) in [(2.0, 0.2467), (10.0, 1.0668), (50.0, 3.7056)] {
        let ours = cantilever(gamma / free.powi(3), columns, BendingForm::Position);
        println!("Γ = {gamma}: H/W {ours:.4}, closed form {expected:.4}");
        assert!((ours / expected - 1.0).abs() < 0.2, "Γ = {gamma}: {ours} against {expected}");
    }
}

#[test]
fn explicit_bending_is_refused_where_it_would_blow_up() {
    let build = |bending: f32, substeps: u32| {
        let mesh: TriMesh = generate::delaunay_rectangle(1.0, 1.0, 1000, 5).unwrap();
        let material = Material { bending, bending_form: BendingForm::Explicit, ..Material::default() };
        let cloth = Cloth::builder(mesh).material(material).build().unwrap();
        Simulation::new(cloth, Settings { substeps, ..Settings::default() })
    };
    let Err(Error::UnstableBending(refusal)) = build(1e-3, 1).map(|_| ()) else { panic!("must be refused") };
    // With the substeps that the error asks for it is accepted, and stays finite.
    let mut simulation = build(1e-3, refusal.substeps).unwrap();
    for _ in 0..30 {
        simulation.step().unwrap();
    }
    assert!(simulation.strain().average < 0.05);
}
