//! Cloths on the GPU, driven: every call is that of the CPU. Both are in worlds, where the calls are the same.
#![cfg(feature = "gpu")]

use glam::{DQuat, DVec3, Vec3};
use muslin::cloth::{
    BendingModel, Cloth, Damping, Keyframe, Material, PinMotion, Stiffness, TetherChoice, TriangleBending,
};
use muslin::collision::CollisionSettings;
use muslin::forces::wind::Wind;
use muslin::gpu::{Gpu, GpuOptions};
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::generate;
use muslin::solver::{Order, PositionBased, ShapeMatching, SolverConfig};
use muslin::{ClothId, Settings, Simulation, World};

const CELLS: usize = 12;
const EDGE: f32 = 1.0 / CELLS as f32;
/// In the middle of the cloth.
const MIDDLE: u32 = 84;

pub fn gpu() -> Gpu {
    Gpu::new(&GpuOptions::default()).expect("these tests need a GPU or mesa-vulkan-drivers")
}

fn averaged(levels: usize) -> SolverConfig {
    let hierarchy = HierarchyOptions { levels, ..HierarchyOptions::default() };
    SolverConfig::ShapeMatching(ShapeMatching { hierarchy, ..ShapeMatching::averaged() })
}

pub fn settings() -> Settings {
    Settings { time_step: 0.01, substeps: 2, solver: averaged(3), ..Settings::default() }
}

/// Held at its upper corners.
pub fn hanging() -> Cloth {
    let mesh = generate::grid(CELLS, CELLS, 1.0, 1.0).unwrap();
    let (left, right) = (mesh.groups["top"][0], mesh.groups["top"][CELLS]);
    let damping = Damping::Deformation { rate: 10.0 };
    let material = Material { bending: 1e-4, damping, ..Material::default() };
    Cloth::builder(mesh)
        .material(material)
        .tethers(TetherChoice::Nearest(1))
        .pin(left)
        .pin(right)
        .build()
        .unwrap()
}

pub fn world_of(cloth: Cloth, settings: Settings, gpu: Option<&Gpu>) -> (World, ClothId) {
    let collisions = CollisionSettings { self_collisions: false, ..CollisionSettings::default() };
    let mut builder = World::builder().settings(settings).collisions(collisions).cloth("cloth", cloth);
    if let Some(gpu) = gpu {
        builder = builder.gpu(gpu);
    }
    let world = builder.build().unwrap();
    let id = world.cloth_ids()[0];
    (world, id)
}

/// What is done before the step of a number.
type Drive = fn(usize, &mut World, ClothId);

fn run(mut world: (World, ClothId), steps: usize, drive: Drive) -> (Vec<Vec3>, f64) {
    for step in 0..steps {
        drive(step, &mut world.0, world.1);
        world.0.step().unwrap();
    }
    world.0.read_back().unwrap();
    let cloth = world.0.cloth(world.1).unwrap();
    assert_eq!(cloth.time(), world.0.time());
    (cloth.positions(), cloth.energy().kinetic)
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn at(step: usize, world: &mut World, id: ClothId, call: impl FnOnce(&mut Simulation), when: usize) {
    if step == when {
        call(world.cloth_mut(id).unwrap());
    }
}

/// The way of a hand, from where the middle of the cloth is when it is taken.
fn hand(step: usize) -> DVec3 {
    DVec3::new(0.5, 0.5, 0.004 * step as f64)
}

fn left() -> u32 {
    generate::grid(CELLS, CELLS, 1.0, 1.0).unwrap().groups["top"][0]
}

const CALLS: [(&str, Drive); 12] = [
    ("move_pin", |step, world, id| {
        let place = DVec3::new(0.0, 1.0, 0.01 * step as f64);
        world.cloth_mut(id).unwrap().move_pin(left(), place).unwrap();
    }),
    ("set_pin_motion", |step, world, id| {
        let key = |time, z| Keyframe { time, position: DVec3::new(0.0, 1.0, z) };
        let motion = PinMotion::Keyframes(vec![key(0.05, 0.0), key(0.15, 0.2)]);
        at(step, world, id, |cloth| cloth.set_pin_motion(left(), motion).unwrap(), 5);
    }),
    ("pin, moved at once, and released", |step, world, id| {
        let cloth = world.cloth_mut(id).unwrap();
        match step {
            4 => cloth.pin(MIDDLE).unwrap(),
            14 => cloth.release(MIDDLE).unwrap(),
            _ => {}
        }
        if (4..14).contains(&step) {
            cloth.move_pin(MIDDLE, hand(step)).unwrap();
        }
    }),
    ("release", |step, world, id| at(step, world, id, |cloth| cloth.release(left()).unwrap(), 6)),
    ("a moving pin, released", |step, world, id| {
        let cloth = world.cloth_mut(id).unwrap();
        match step {
            0..10 => cloth.move_pin(left(), DVec3::new(0.0, 1.0, 0.01 * step as f64)).unwrap(),
            10 => cloth.release(left()).unwrap(),
            _ => {}
        }
    }),
    ("add_force", |_, world, id| {
        let cloth = world.cloth_mut(id).unwrap();
        cloth.add_force(MIDDLE, Vec3::new(0.0, 0.0, 0.02)).unwrap();
        cloth.add_force(MIDDLE, Vec3::new(0.0, 0.0, 0.03)).unwrap();
        cloth.add_force(left(), Vec3::X).unwrap();
    }),
    ("push", |step, world, id| {
        let impulse = Vec3::new(0.0, 0.0, 1e-3);
        at(step, world, id, |cloth| (0..40).for_each(|v| cloth.push(v, impulse).unwrap()), 5);
    }),
    ("set_gravity and release", |step, world, id| {
        if step == 6 {
            world.set_gravity(Vec3::new(0.0, -5.0, 6.0)).unwrap();
            world.cloth_mut(id).unwrap().release(left()).unwrap();
        }
    }),
    ("set_wind", |step, world, _| match step {
        3 => world.set_wind(Some(Wind::blowing(Vec3::new(1.0, 0.0, 6.0)))).unwrap(),
        16 => world.set_wind(None).unwrap(),
        _ => {}
    }),
    ("set_material", |step, world, id| {
        let damping = Damping::Deformation { rate: 60.0 };
        let material = Material { bending: 1e-3, density: 1.0, damping, ..Material::default() };
        let cloth = world.cloth_mut(id).unwrap();
        if step == 6 {
            cloth.set_material(material).unwrap();
        }
        cloth.add_force(MIDDLE, Vec3::new(0.0, 0.0, 0.3)).unwrap();
    }),
    ("set_steps, falling", |step, world, id| {
        if step == 6 {
            world.cloth_mut(id).unwrap().release(left()).unwrap();
            world.set_steps(0.02, 4).unwrap();
        }
    }),
    ("teleport", |step, world, id| {
        if step == 6 {
            world.read_back().unwrap();
            let cloth = world.cloth_mut(id).unwrap();
            cloth.push(MIDDLE, Vec3::new(1e-3, 0.0, 0.0)).unwrap();
            cloth.teleport(DQuat::from_rotation_x(1.0), DVec3::new(0.3, 0.2, 0.1)).unwrap();
        }
    }),
];

#[test]
fn every_call_does_on_the_gpu_what_it_does_on_the_cpu() {
    let gpu = gpu();
    let still = run(world_of(hanging(), settings(), None), 20, |_, _, _| {}).0;
    for (name, drive) in CALLS {
        let (cpu, energy) = run(world_of(hanging(), settings(), None), 20, drive);
        let (on_gpu, other) = run(world_of(hanging(), settings(), Some(&gpu)), 20, drive);
        let (off, done) = (apart(&cpu, &on_gpu), apart(&cpu, &still));
        assert!(done > 0.3 * EDGE, "{name}: it does {done}");
        // As `gpu.rs` has it for steps that are not driven.
        assert!(off < 0.05 * EDGE, "{name}: off by {off}, of {done}");
        assert!((energy / other - 1.0).abs() < 0.01, "{name}: kinetic energy {energy} {other}");
    }
}

#[test]
fn another_solver_and_its_kappa_are_those_of_the_cpu() {
    let gpu = gpu();
    let bending_model = BendingModel::Triangle(TriangleBending {
        stiffness: Stiffness::Fraction(0.7),
        ..TriangleBending::default()
    });
    let cloth = || {
        let material = Material { bending: 0.0, bending_model, ..Material::default() };
        // Flat cloth does not know which way κ is to bend it, and rounding decides: this is a ball.
        Cloth::builder(generate::sphere(0.5, 2).unwrap()).material(material).pin(0).build().unwrap()
    };
    let drive: Drive = |step, world, id| {
        let solver = PositionBased { order: Order::Jacobi, iterations: 5, ..PositionBased::default() };
        let cloth = world.cloth_mut(id).unwrap();
        match step {
            4 => cloth.set_solver(SolverConfig::PositionBased(solver)).unwrap(),
            8 => cloth.set_kappa(0.01).unwrap(),
            14 => cloth.set_solver(averaged(2)).unwrap(),
            _ => {}
        }
    };
    let (cpu, _) = run(world_of(cloth(), settings(), None), 20, drive);
    let (on_gpu, _) = run(world_of(cloth(), settings(), Some(&gpu)), 20, drive);
    assert!(apart(&cpu, &on_gpu) < 0.05 * EDGE, "{}", apart(&cpu, &on_gpu));
}

/// The mean of a cloth, by masses.
fn centre(cloth: &Simulation) -> DVec3 {
    let masses = cloth.cloth().masses();
    let moment: DVec3 = cloth.places().iter().zip(&masses).map(|(place, mass)| *place * *mass).sum();
    moment / masses.iter().sum::<f64>()
}

/// ½ a t² for every substep, by a force in proportion to masses; J/M by a push; and both go on when they are over.
#[test]
fn forces_and_pushes_are_those_of_newton() {
    let gpu = gpu();
    for substeps in [1, 4] {
        let settings = Settings { gravity: Vec3::ZERO, substeps, ..settings() };
        let cloth = Cloth::builder(generate::grid(CELLS, CELLS, 1.0, 1.0).unwrap()).build().unwrap();
        let (masses, mass) = (cloth.masses(), cloth.total_mass());
        let (mut world, id) = world_of(cloth, settings, Some(&gpu));
        let from = centre(world.cloth(id).unwrap());
        let acceleration = DVec3::new(2.0, 5.0, -3.0);
        for _ in 0..8 {
            let cloth = world.cloth_mut(id).unwrap();
            for (v, &mass) in (0..).zip(&masses) {
                cloth.add_force(v, (mass * acceleration).as_vec3()).unwrap();
            }
            world.step().unwrap();
        }
        world.read_back().unwrap();
        let way = 0.5 * acceleration * world.time().powi(2);
        let off = (centre(world.cloth(id).unwrap()) - from).distance(way);
        assert!(off < 2e-6 * way.length() + 1e-6, "{substeps} substeps: {off} of {way}");
        // All at once, so that nothing is bent by it.
        let cloth = world.cloth_mut(id).unwrap();
        let change = DVec3::new(-1.0, 0.5, 0.25);
        (0..).zip(&masses).for_each(|(v, &mass)| cloth.push(v, (mass * change).as_vec3()).unwrap());
        world.step().unwrap();
        world.read_back().unwrap();
        let speed = world.cloth(id).unwrap().momentum().linear / mass;
        let off = speed.distance(acceleration * 0.08 + change);
        assert!(off < 1e-5, "{substeps} substeps: {off} m/s");
    }
}
