//! The GPU engine against its twin on the CPU, and against mishaps. Runs on whatever adapter there is;
//! `cargo xtask test` installs a software one.
#![cfg(feature = "gpu")]

use glam::{DVec3, Vec3};
use muslin::cloth::{
    BendingModel, Cloth, Damping, Keyframe, Material, PinMotion, Placement, StickBending, Stiffness,
    TetherChoice, TriangleBending,
};
use muslin::forces::wind::Wind;
use muslin::gpu::{Gpu, GpuError, GpuOptions, GpuReport, GpuSimulation};
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{Cycle, Order, PositionBased, ShapeMatching, SolverConfig};
use muslin::{Error, Feature, Settings, Simulation};

fn gpu() -> Gpu {
    Gpu::new(&GpuOptions::default()).expect("these tests need a GPU or mesa-vulkan-drivers")
}

fn settings(form: ShapeMatching, levels: usize) -> Settings {
    let hierarchy = HierarchyOptions { levels, ..HierarchyOptions::default() };
    let solver = SolverConfig::ShapeMatching(ShapeMatching { hierarchy, ..form });
    Settings { time_step: 0.005, substeps: 1, solver, ..Settings::default() }
}

fn mesh(cells: usize) -> TriMesh {
    generate::grid(cells, cells, 1.0, 1.0).unwrap()
}

fn hanging(cells: usize, tethers: TetherChoice, material: Material) -> Cloth {
    let mesh = mesh(cells);
    let (left, right) = (mesh.groups["top"][0], mesh.groups["top"][cells]);
    Cloth::builder(mesh).material(material).tethers(tethers).pin(left).pin(right).build().unwrap()
}

/// The largest distance between two sets of positions.
fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// Runs both for so many calls of `step`; the largest distance between particles, and both strains.
fn compare(cloth: &Cloth, settings: &Settings, steps: usize) -> (f32, Simulation, Simulation) {
    let mut cpu = Simulation::new(cloth.clone(), settings.clone()).unwrap();
    let mut on_gpu = GpuSimulation::new(&gpu(), cloth.clone(), settings.clone()).unwrap();
    for _ in 0..steps {
        cpu.step().unwrap();
        on_gpu.step().unwrap();
    }
    on_gpu.read_back().unwrap();
    assert_eq!((on_gpu.time(), on_gpu.steps()), (cpu.time(), cpu.steps()));
    let distance = apart(&cpu.positions(), &on_gpu.last_read().positions());
    (distance, cpu, on_gpu.into_simulation().unwrap())
}

#[test]
fn one_step_is_that_of_the_cpu() {
    let edge = 1.0 / 24.0;
    for (levels, cycle) in [(1, Cycle::V), (2, Cycle::V), (5, Cycle::V), (5, Cycle::Sawtooth)] {
        let mut settings = settings(ShapeMatching::averaged(), levels);
        let SolverConfig::ShapeMatching(config) = &mut settings.solver else { unreachable!() };
        config.cycle = cycle;
        if cycle == Cycle::Sawtooth {
            (config.coarse_passes, config.edge_passes, config.over_relaxation) = (2, 2, 1.5);
        }
        let cloth = hanging(24, TetherChoice::Off, Material { bending: 0.0, ..Material::default() });
        // From a start that is stretched and sheared, so that everything has something to do.
        let skewed: Vec<Vec3> = cloth
            .rest_positions()
            .iter()
            .map(|p| Vec3::new(1.05 * p.x + 0.1 * p.y, 1.1 * p.y, 0.05 * (9.0 * p.x).sin()))
            .collect();
        let mut cpu = Simulation::new(cloth.clone(), settings.clone()).unwrap();
        let mut on_gpu = GpuSimulation::new(&gpu(), cloth, settings).unwrap();
        let still = vec![Vec3::ZERO; skewed.len()];
        cpu.set_state(&skewed, &still).unwrap();
        on_gpu.set_state(&skewed, &still).unwrap();
        cpu.step().unwrap();
        on_gpu.step().unwrap();
        let moved = apart(&skewed, &cpu.positions());
        let off = apart(&cpu.positions(), &on_gpu.read_back().unwrap().positions());
        assert!(moved > 0.1 * edge, "{levels} levels: moved by {moved}");
        assert!(off < 1e-4 * edge, "{levels} levels, {cycle:?}: off by {off} of {edge}");
    }
}

#[test]
fn bending_tethers_damping_wind_and_moving_pins_are_those_of_the_cpu() {
    let edge = 1.0 / 20.0;
    let material =
        Material { bending: 1e-3, damping: Damping::Deformation { rate: 20.0 }, ..Material::default() };
    let mesh = mesh(20);
    let (left, right) = (mesh.groups["top"][0], mesh.groups["top"][20]);
    let from = mesh.positions[left as usize];
    let motion = PinMotion::Keyframes(vec![
        Keyframe { time: 0.0, position: from.as_dvec3() },
        Keyframe { time: 0.5, position: (from + Vec3::new(0.3, 0.1, 0.3)).as_dvec3() },
    ]);
    let cloth = Cloth::builder(mesh)
        .material(material)
        .tethers(TetherChoice::Nearest(2))
        .pin_moving(left, motion)
        .pin(right)
        .build()
        .unwrap();
    let wind = Some(Wind::blowing(Vec3::new(2.0, 0.0, 3.0)));
    let settings = Settings { wind, substeps: 2, ..settings(ShapeMatching::averaged(), 4) };
    let (off, ..) = compare(&cloth, &settings, 1);
    assert!(off < 1e-4 * edge, "one step: {off}");
    let (off, cpu, on_gpu) = compare(&cloth, &settings, 40);
    assert!(off < 0.05 * edge, "forty steps: {off}");
    let (a, b) = (cpu.strain().average, on_gpu.strain().average);
    assert!((a / b - 1.0).abs() < 0.01, "average strain {a} {b}");
    let (a, b) = (cpu.energy().kinetic, on_gpu.energy().kinetic);
    assert!((a / b - 1.0).abs() < 0.01, "kinetic energy {a} {b}");
}

#[test]
fn a_curved_rest_shape_keeps_its_bend_as_on_the_cpu() {
    let mut tube = mesh(16);
    for p in &mut tube.positions {
        let angle = 1.5 * p.x;
        *p = Vec3::new(0.5 * angle.sin(), p.y, 0.5 * angle.cos());
    }
    let top = tube.groups["top"].clone();
    let material = Material { bending: 1e-3, ..Material::default() };
    let mut builder = Cloth::builder(tube).material(material);
    for &v in &top {
        builder = builder.pin(v);
    }
    let (off, ..) = compare(&builder.build().unwrap(), &settings(ShapeMatching::averaged(), 3), 5);
    assert!(off < 1e-3 / 16.0, "{off}");
}

fn position_based(order: Order, iterations: u32) -> Settings {
    let solver = PositionBased { order, iterations, ..PositionBased::default() };
    Settings { solver: SolverConfig::PositionBased(solver), ..settings(ShapeMatching::averaged(), 1) }
}

/// Averaged constraints are the same on both: bends over vertices and edges, sticks, inequalities, κ that changes,
/// and quadratic bending with tethers, which is applied in the first round only.
#[test]
fn averaged_constraints_are_those_of_the_cpu() {
    let triangle = |change: fn(&mut TriangleBending)| {
        let mut options = TriangleBending { stiffness: Stiffness::Fraction(0.7), ..Default::default() };
        change(&mut options);
        BendingModel::Triangle(options)
    };
    let models = [
        triangle(|_| {}),
        triangle(|bending| bending.placement = Placement::Edges),
        triangle(|bending| (bending.inequality, bending.kappa) = (true, 0.01)),
        triangle(|bending| bending.printed_masses = true),
        BendingModel::Stick(StickBending { stiffness: Stiffness::Fraction(0.5), ..Default::default() }),
        BendingModel::Quadratic,
    ];
    for (number, bending_model) in models.into_iter().enumerate() {
        let bending = if bending_model == BendingModel::Quadratic { 1e-4 } else { 0.0 };
        let material = Material { bending, bending_model, ..Material::default() };
        // Flat cloth does not know which way κ is to bend it, and rounding decides: that one is a ball.
        let cloth = match bending_model {
            BendingModel::Triangle(TriangleBending { inequality: true, .. }) => {
                Cloth::builder(generate::sphere(0.5, 2).unwrap()).material(material).pin(0).build().unwrap()
            }
            _ => hanging(16, TetherChoice::Auto, material),
        };
        let mut settings = position_based(Order::Jacobi, 6);
        let SolverConfig::PositionBased(config) = &mut settings.solver else { unreachable!() };
        (config.over_relaxation, config.stretch) = (1.5, Some(Stiffness::Fraction(0.9)));
        for (steps, bound) in [(1, 1e-6), (40, 2e-4)] {
            let (distance, cpu, gpu) = compare(&cloth, &settings, steps);
            assert!(distance < bound, "model {number}, {steps} steps: {distance}");
            assert!(cpu.positions().iter().all(|p| p.is_finite()) && gpu.strain().average > 0.0);
        }
    }
}

/// Colours come in another order than the CPU's sweep, so only what it comes to is compared.
#[test]
fn coloured_constraints_come_to_the_strain_and_shape_of_the_cpu() {
    let bending_model = BendingModel::Triangle(TriangleBending::default());
    let material = Material { bending: 0.0, bending_model, ..Material::default() };
    let cloth = hanging(16, TetherChoice::Off, material);
    let (distance, cpu, gpu) = compare(&cloth, &position_based(Order::GaussSeidel, 16), 200);
    let (a, b) = (cpu.strain(), gpu.strain());
    assert!((a.average / b.average - 1.0).abs() < 0.1, "{} {}", a.average, b.average);
    let apart = a.global.unwrap() - b.global.unwrap();
    assert!(apart.abs() < 0.005, "{apart}");
    assert!(distance < 0.05, "{distance}");
    let averaged = compare(&cloth, &position_based(Order::Jacobi, 16), 200).2.strain();
    assert!(averaged.average > 2.0 * b.average, "{} {}", averaged.average, b.average);
}

#[test]
fn kappa_can_be_led_over_time_on_the_gpu() {
    let options = TriangleBending { inequality: true, ..TriangleBending::default() };
    let bending_model = BendingModel::Triangle(options);
    let material = Material { bending: 0.0, bending_model, ..Material::default() };
    let mut simulation = GpuSimulation::new(
        &gpu(),
        Cloth::builder(generate::sphere(0.5, 2).unwrap()).material(material).build().unwrap(),
        Settings { gravity: Vec3::ZERO, ..position_based(Order::GaussSeidel, 16) },
    )
    .unwrap();
    let mut bend = |kappa: f32| {
        simulation.set_kappa(kappa).unwrap();
        (0..60).for_each(|_| simulation.step().unwrap());
        let errors = simulation.read_back().unwrap();
        errors.cloth().bending_errors(&errors.positions()).unwrap().iter().sum::<f32>()
    };
    let (plain, more) = (bend(0.0), bend(0.02));
    assert!(more > plain + 0.1, "{plain} {more}");
}

#[test]
fn strain_at_rest_is_that_of_the_cpu() {
    let cloth = hanging(32, TetherChoice::Off, Material { bending: 0.0, ..Material::default() });
    let settings =
        Settings { wind: Some(Wind::default()), substeps: 10, ..settings(ShapeMatching::averaged(), 6) };
    let settings = Settings { time_step: 0.05, ..settings };
    let (_, cpu, on_gpu) = compare(&cloth, &settings, 60);
    let (a, b) = (cpu.strain(), on_gpu.strain());
    assert!((a.average / b.average - 1.0).abs() < 0.01, "average {} {}", a.average, b.average);
    let (a, b) = (a.global.unwrap(), b.global.unwrap());
    assert!((a - b).abs() < 0.01 * a.abs().max(0.01), "global {a} {b}");
}

#[test]
fn a_browser_s_limits_are_enough_and_give_the_same_cloth() {
    let material = Material { bending: 1e-4, ..Material::default() };
    let cloth = hanging(48, TetherChoice::Auto, material);
    let wind = Wind { velocity: Vec3::new(1.0, 0.0, 3.0), gusts: 0.3, ..Wind::default() };
    let solver = SolverConfig::ShapeMatching(ShapeMatching::for_gpu());
    let settings = Settings { wind: Some(wind), solver, ..settings(ShapeMatching::default(), 1) };
    let run = |browser_limits| {
        let gpu = Gpu::new(&GpuOptions { browser_limits, ..GpuOptions::default() }).unwrap();
        let mut simulation = GpuSimulation::new(&gpu, cloth.clone(), settings.clone()).unwrap();
        for _ in 0..20 {
            simulation.step().unwrap();
        }
        simulation.read_back().unwrap().positions()
    };
    let distance = apart(&run(true), &run(false));
    assert!(distance < 1e-4, "{distance}");
}

#[test]
fn runs_repeat_bit_by_bit() {
    let gpu = gpu();
    let run = || {
        let cloth = hanging(24, TetherChoice::Auto, Material::default());
        let settings = Settings { substeps: 3, ..settings(ShapeMatching::default(), 6) };
        let mut simulation = GpuSimulation::new(&gpu, cloth, settings).unwrap();
        for _ in 0..20 {
            simulation.step().unwrap();
        }
        simulation.read_back().unwrap().state_hash()
    };
    assert_eq!(run(), run());
}

#[test]
fn a_run_goes_on_from_a_snapshot_with_the_same_bits() {
    let gpu = gpu();
    let new = || {
        let cloth = hanging(16, TetherChoice::Auto, Material::default());
        GpuSimulation::new(&gpu, cloth, settings(ShapeMatching::default(), 4)).unwrap()
    };
    let (mut whole, mut first) = (new(), new());
    for _ in 0..7 {
        whole.step().unwrap();
        first.step().unwrap();
    }
    let snapshot = first.read_back().unwrap().snapshot();
    let mut second = new();
    second.restore(&snapshot).unwrap();
    for _ in 0..6 {
        whole.step().unwrap();
        second.step().unwrap();
    }
    assert_eq!(whole.read_back().unwrap().state_hash(), second.read_back().unwrap().state_hash());
}

#[test]
fn collapsed_and_scrambled_starts_recover() {
    let gpu = gpu();
    let cells = 16;
    let place = |kind: usize, p: Vec3, i: usize| match kind {
        0 => Vec3::ZERO,
        1 => Vec3::new(p.x, 0.0, 0.0),
        _ => Vec3::new((i * 7919 % 97) as f32, (i * 104_729 % 89) as f32, (i % 83) as f32) / 97.0,
    };
    for kind in 0..3 {
        let cloth = Cloth::builder(mesh(cells)).build().unwrap();
        let rest = cloth.rest_positions();
        let start: Vec<Vec3> = rest.iter().enumerate().map(|(i, &p)| place(kind, p, i)).collect();
        let settings = Settings { gravity: Vec3::ZERO, ..settings(ShapeMatching::default(), 4) };
        let mut simulation = GpuSimulation::new(&gpu, cloth, settings).unwrap();
        simulation.set_state(&start, &vec![Vec3::ZERO; start.len()]).unwrap();
        for _ in 0..200 {
            simulation.step().unwrap();
        }
        let strain = simulation.read_back().unwrap().strain().average;
        assert!(strain < 0.05, "start {kind}: {strain}");
        assert_eq!(simulation.report().contained, 0);
    }
}

#[test]
fn a_particle_that_leaves_the_bounds_is_put_back_and_reported() {
    let cloth = hanging(8, TetherChoice::Off, Material::default());
    let settings = Settings { bounds: 2.0, max_speed: 1e6, ..settings(ShapeMatching::default(), 2) };
    let mut simulation = GpuSimulation::new(&gpu(), cloth.clone(), settings).unwrap();
    let mut velocities = vec![Vec3::ZERO; cloth.vertex_count()];
    velocities[40] = Vec3::new(0.0, 0.0, 1e5);
    simulation.set_state(&cloth.rest_positions(), &velocities).unwrap();
    for _ in 0..20 {
        simulation.step().unwrap();
    }
    let state = simulation.read_back().unwrap();
    assert!(state.positions().iter().all(|p| p.is_finite() && p.abs().max_element() <= 2.0));
    let report = simulation.report();
    assert!(report.contained > 0 && report.first_contained.is_some(), "{report:?}");
}

#[test]
fn a_lost_device_is_an_error_and_the_last_state_can_go_on() {
    let gpu = gpu();
    let cloth = hanging(12, TetherChoice::Auto, Material::default());
    let solver = SolverConfig::ShapeMatching(ShapeMatching::for_gpu());
    let settings = Settings { solver, ..settings(ShapeMatching::default(), 3) };
    let mut simulation = GpuSimulation::new(&gpu, cloth, settings).unwrap();
    for _ in 0..5 {
        simulation.step().unwrap();
    }
    let kept = simulation.read_back().unwrap().snapshot();
    simulation.step().unwrap();
    gpu.break_for_test();
    let error = (0..3).find_map(|_| simulation.step().and_then(|()| simulation.read_back().map(drop)).err());
    assert!(matches!(error, Some(Error::Gpu(GpuError::Lost { .. }))), "{error:?}");
    assert_eq!(simulation.last_read().snapshot(), kept);
    let mut on_cpu = simulation.into_simulation().unwrap();
    on_cpu.step().unwrap();
    assert_eq!(on_cpu.steps(), kept.steps + 1);
}

#[test]
fn what_has_no_kernels_is_refused_by_name() {
    let gpu = gpu();
    let cloth = hanging(4, TetherChoice::Off, Material::default());
    let error = GpuSimulation::new(&gpu, cloth, settings(ShapeMatching::paper(), 2)).err();
    assert!(matches!(error, Some(Error::Unsupported { feature: Feature::Variant, .. })), "{error:?}");
    let cloth = hanging(4, TetherChoice::Off, Material::default());
    let swept = ShapeMatching { order: Some(Order::GaussSeidel), ..ShapeMatching::default() };
    let error = GpuSimulation::new(&gpu, cloth, settings(swept, 2)).err();
    assert!(matches!(error, Some(Error::Unsupported { feature: Feature::Order, .. })), "{error:?}");
    let missing = Gpu::new(&GpuOptions { adapter: Some("no such adapter".into()), ..GpuOptions::default() });
    assert!(matches!(missing, Err(GpuError::NoAdapter { .. })));
}

#[test]
fn kernels_are_timed() {
    let cloth = hanging(12, TetherChoice::Auto, Material::default());
    let mut simulation = GpuSimulation::new(&gpu(), cloth, settings(ShapeMatching::averaged(), 3)).unwrap();
    if let Some(profile) = simulation.profile(3).unwrap() {
        assert_eq!(profile.len(), simulation.dispatches());
        assert!(profile.iter().all(|k| k.microseconds >= 0.0 && k.least_bytes > 0));
        assert!(profile.iter().any(|k| k.microseconds > 0.0));
    }
}

/// Over-relaxed as it is, the variant for GPUs takes energy out of an undamped swing and never puts any in, at
/// steps long and short for the mesh (errata 9).
#[test]
fn an_undamped_swing_gains_no_energy() {
    let gpu = gpu();
    for (triangles, dt) in [(500, 0.00125), (2000, 0.00125), (1000, 0.005), (1000, 0.016)] {
        let mut mesh = generate::delaunay_rectangle(5.0, 5.0, triangles, 1).unwrap();
        let top: Vec<u32> =
            (0..mesh.positions.len() as u32).filter(|&v| mesh.positions[v as usize].y > 4.999).collect();
        for p in &mut mesh.positions {
            *p = Vec3::new(p.x, 0.0, 5.0 - p.y);
        }
        let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
        let cloth =
            Cloth::builder(mesh).material(material).tethers(TetherChoice::Off).pin_all(top).build().unwrap();
        let solver = SolverConfig::ShapeMatching(ShapeMatching::for_gpu());
        let settings = Settings { time_step: 16.0 * dt, substeps: 16, solver, ..Settings::default() };
        let mut simulation = GpuSimulation::new(&gpu, cloth, settings).unwrap();
        let unit = simulation.cloth().total_mass() * 9.81 * 2.5;
        let start = simulation.last_read().energy().total();
        while simulation.time() < 6.0 {
            simulation.step().unwrap();
            let gain = (simulation.read_back().unwrap().energy().total() - start) / unit;
            assert!(gain < 1e-3, "{triangles} triangles, {dt} s: {gain} at {} s", simulation.time());
        }
    }
}

#[test]
fn a_read_back_in_passing_is_the_state_when_it_was_asked_for_and_loses_no_counts() {
    let cloth = hanging(8, TetherChoice::Off, Material::default());
    let settings = Settings { bounds: 2.0, max_speed: 1e6, ..settings(ShapeMatching::default(), 2) };
    let gpu = gpu();
    let mut simulation = GpuSimulation::new(&gpu, cloth.clone(), settings).unwrap();
    for _ in 0..3 {
        simulation.step().unwrap();
    }
    let (time, steps) = (simulation.time(), simulation.steps());
    simulation.begin_read_back().unwrap();
    // What happens while the copy is on its way belongs to the next one.
    let mut velocities = vec![Vec3::ZERO; cloth.vertex_count()];
    simulation.step().unwrap();
    simulation.wait().unwrap();
    let arrived = simulation.try_read_back().unwrap().expect("it has arrived");
    assert_eq!((arrived.time(), arrived.steps()), (time, steps));
    assert_eq!(simulation.report().contained, 0);
    velocities[40] = Vec3::new(0.0, 0.0, 1e5);
    simulation.set_state(&cloth.rest_positions(), &velocities).unwrap();
    assert_eq!(simulation.last_read().time(), simulation.time());
    simulation.begin_read_back().unwrap();
    simulation.step().unwrap();
    simulation.wait().unwrap();
    simulation.try_read_back().unwrap().expect("it has arrived");
    assert_eq!(simulation.report().contained, 0, "nothing had happened yet");
    // A copy that is on its way when another state is wanted brings its counts along.
    simulation.begin_read_back().unwrap();
    simulation.step().unwrap();
    simulation.begin_read_back().unwrap();
    let arrived = simulation.read_back().unwrap();
    assert!(arrived.positions().iter().all(|p| p.is_finite()));
    assert_eq!(arrived.steps(), simulation.steps());
    assert!(simulation.report().contained > 0);
    simulation.set_state(&cloth.rest_positions(), &vec![Vec3::ZERO; cloth.vertex_count()]).unwrap();
    assert_eq!(simulation.report(), GpuReport::default());
}

#[test]
fn a_pin_that_is_led_out_of_bounds_is_an_error() {
    let far = Keyframe { time: 0.1, position: DVec3::new(0.0, 1e9, 0.0) };
    let near = Keyframe { time: 0.0, position: DVec3::ZERO };
    let cloth = Cloth::builder(mesh(4)).pin_moving(3, PinMotion::Keyframes(vec![near, far])).build().unwrap();
    let settings = Settings { substeps: 4, ..settings(ShapeMatching::default(), 1) };
    let mut simulation = GpuSimulation::new(&gpu(), cloth, settings).unwrap();
    let (steps, error) = (1..100).find_map(|step| Some((step, simulation.step().err()?))).expect("an error");
    // Substeps do not count.
    assert!(matches!(error, Error::Diverged { vertex: 3, step } if step == steps), "{error} in step {steps}");
}
