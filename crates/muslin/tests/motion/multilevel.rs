//! Multilevel cloth [Schmitt2013] as users see it: bits, measured stiffness, contacts, seams.

use glam::{DQuat, DVec3, Vec3};
use muslin::cloth::{Cloth, Damping, Material, Stretch};
use muslin::collision::{Collider, ColliderMotion, CollisionSettings, Pose, Shape};
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{Multilevel, SolverConfig};
use muslin::{Settings, Simulation, World};

fn settings(options: Multilevel, substeps: u32, threads: usize) -> Settings {
    Settings { solver: SolverConfig::Multilevel(options), substeps, threads, ..Settings::default() }
}

/// A square of a metre, lying with its middle over the origin at a height.
fn lying(cells: usize, height: f32) -> TriMesh {
    let mut mesh = generate::grid(cells, cells, 1.0, 1.0).unwrap();
    let middle = mesh.positions.iter().sum::<Vec3>() / mesh.positions.len() as f32;
    mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x - middle.x, height, middle.y - p.y));
    mesh
}

const CENTER: Vec3 = Vec3::new(0.0, 0.25, 0.0);
const RADIUS: f32 = 0.25;

/// A free cloth two fingers above a ball.
fn above_a_ball(motion: ColliderMotion, settings: Settings) -> World {
    let cloth = Cloth::builder(lying(20, 0.55)).build().unwrap();
    let cloth = Simulation::new(cloth, settings).unwrap();
    let ball = Collider::new("ball", Shape::Sphere { center: CENTER, radius: RADIUS });
    let ball = Collider { motion, ..ball };
    World::new(vec![("cloth".into(), cloth)], vec![ball], CollisionSettings::default()).unwrap()
}

fn nearest_to(center: Vec3, cloth: &Simulation) -> f32 {
    let positions = cloth.shown_positions().unwrap();
    positions.iter().map(|p| p.distance(center)).fold(f32::MAX, f32::min)
}

fn over_a_ball(motion: ColliderMotion, threads: usize, steps: usize) -> World {
    let options = Multilevel { particles: 9000, compression_passes: 8, ..Multilevel::default() };
    let mut world = above_a_ball(motion, settings(options, 2, threads));
    for _ in 0..steps {
        world.step().unwrap();
    }
    world
}

/// After some seconds the ball rises, wanders and turns, for half a second.
fn wandering(after: f64) -> ColliderMotion {
    let rotation = DQuat::from_rotation_y(1.0);
    let translation = CENTER.as_dvec3() - rotation * CENTER.as_dvec3() + DVec3::new(0.2, 0.2, 0.0);
    ColliderMotion::Poses(vec![
        Pose { time: after, ..Pose::IDENTITY },
        Pose { time: after + 0.5, rotation, translation },
    ])
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let bits = |threads| {
        let world = over_a_ball(wandering(0.2), threads, 25);
        world.cloths()[0].1.shown_positions().unwrap()
    };
    let one = bits(1);
    assert!([2, 3, 7, 16, 33].map(bits).iter().all(|bits| *bits == one));
}

#[test]
fn the_fine_mesh_keeps_out_of_a_ball_and_the_cloth_does_not_stretch() {
    let world = over_a_ball(ColliderMotion::Fixed, 0, 60);
    let cloth = &world.cloths()[0].1;
    let positions = cloth.shown_positions().unwrap();
    let nearest = nearest_to(CENTER, cloth);
    assert!(nearest > RADIUS, "{nearest} m from the middle of the ball");
    assert!(positions.iter().all(|p| p.y > -0.3), "it lies on the ball");
    assert!(cloth.strain().average < 0.04, "{:?}", cloth.strain());
    assert!(positions.len() > 4 * cloth.cloth().vertex_count());
}

/// Planes are those of the coarse mesh's vertices, so that half a
/// millimetre may be missing between them; if only colliders at rest had planes, it would be 14 mm.
#[test]
fn folds_keep_out_of_a_ball_that_moves() {
    let motion = wandering(0.5);
    let mut world = over_a_ball(motion.clone(), 0, 0);
    for _ in 0..60 {
        world.step().unwrap();
        let cloth = &world.cloths()[0].1;
        let center = motion.pose(cloth.time()).apply(CENTER.as_dvec3()).as_vec3();
        let nearest = nearest_to(center, cloth);
        assert!(nearest > RADIUS - 5e-4, "{nearest} m from the middle of the ball after {} s", cloth.time());
    }
    let cloth = &world.cloths()[0].1;
    assert!(cloth.strain().average < 0.04, "{:?}", cloth.strain());
    // It goes along, by friction.
    let positions = cloth.shown_positions().unwrap();
    let mean = positions.iter().sum::<Vec3>() / positions.len() as f32;
    assert!((mean.x - 0.2).abs() < 0.02 && mean.z.abs() < 0.02, "{mean}");
}

/// Coarse levels of 60 particles along a side begin at one corner and do not reach the opposite one: if their particles
/// weighed the same, the cloth would creep towards the first.
#[test]
fn a_free_cloth_stays_in_the_middle_of_a_ball_whatever_its_grid() {
    let options = Multilevel { spacing: Some(1.0 / 59.0), ..Multilevel::default() };
    let mut world = above_a_ball(ColliderMotion::Fixed, settings(options, 1, 0));
    let mut largest: f32 = 0.0;
    for _ in 0..90 {
        largest = largest.max(world.step().unwrap().cloths[0].solver.grid().unwrap().strain);
    }
    let positions = world.cloths()[0].1.shown_positions().unwrap();
    let mean = positions.iter().sum::<Vec3>() / positions.len() as f32;
    assert!(mean.x.abs() < 0.005 && mean.z.abs() < 0.005, "{mean}");
    assert!(largest < 0.2, "stretched by {largest}");
}

/// Pins that are no particles of any coarse level: tethers stand for them.
#[test]
fn a_cloth_between_two_pins_is_not_stretched_whatever_its_grid() {
    for spacing in [1.0 / 59.0, 1.0 / 64.0] {
        let mesh = lying(16, 0.0);
        let pins = [mesh.groups["top"][0], mesh.groups["top"][16]];
        let cloth = Cloth::builder(mesh).pin_all(pins).build().unwrap();
        let options = Multilevel { spacing: Some(spacing), iterations: Some(12), ..Multilevel::default() };
        let mut simulation = Simulation::new(cloth, settings(options, 1, 0)).unwrap();
        let mut largest: f32 = 0.0;
        for _ in 0..90 {
            largest = largest.max(simulation.step().unwrap().solver.grid().unwrap().strain);
        }
        assert!(largest < 0.1 && simulation.strain().average < 0.02, "{largest} {:?}", simulation.strain());
    }
}

/// A strip of length L under its own weight is longer by ρ g L²/(2 E). Threads run along u; turned by a
/// quarter the strip hangs by the others.
#[test]
fn a_measured_strip_is_as_much_longer_along_weft_and_warp_as_it_must_be() {
    let (weft, warp) = (400.0, 100.0);
    let material = Material {
        density: 2.0,
        stretch: Stretch::Physical { weft, warp, shear: 20.0 },
        bending: 0.0,
        damping: Damping::Deformation { rate: 8.0 },
        ..Material::default()
    };
    for (stiffness, along_u) in [(weft, true), (warp, false)] {
        let (columns, rows) = if along_u { (40, 4) } else { (4, 40) };
        let mesh = generate::grid(columns, rows, columns as f32 * 0.025, rows as f32 * 0.025).unwrap();
        // Hanging along −y either way; what is at one end of the long side is held.
        let end = |p: &Vec3| if along_u { p.x } else { p.y };
        let hung: Vec<Vec3> = mesh
            .positions
            .iter()
            .map(|p| if along_u { Vec3::new(p.y, -p.x, 0.0) } else { Vec3::new(p.x, -p.y, 0.0) })
            .collect();
        let held = (0..).zip(&mesh.positions).filter(|(_, p)| end(p) < 1e-6).map(|(v, _)| v);
        let cloth = Cloth::builder(mesh.clone()).material(material).start_positions(hung).pin_all(held);
        let options = Multilevel {
            spacing: Some(0.0125),
            iterations: Some(60),
            strain_limit: 0.5,
            ..Multilevel::default()
        };
        // With 2 substeps iterations leave it 8 % too soft, with 4 substeps 4 %.
        let mut cloth = Simulation::new(cloth.build().unwrap(), settings(options, 8, 1)).unwrap();
        // It swings up and down for long; the mean over seven swings and more.
        let mut sum = 0.0;
        for frame in 0..400 {
            cloth.step().unwrap();
            if frame >= 160 {
                let low = cloth.positions().iter().map(|p| p.y).fold(f32::MAX, f32::min);
                sum += f64::from(-low - 1.0);
            }
        }
        let longer = sum / 240.0;
        let expected = 2.0 * 9.81 / (2.0 * f64::from(stiffness));
        println!("{stiffness} N/m: longer by {longer:.4} m, expected {expected:.4} m");
        assert!((longer / expected - 1.0).abs() < 0.04, "{stiffness} N/m: {longer} instead of {expected} m");
    }
}

/// A cone of one panel: at the waist pins hold both sides of its seam.
#[test]
fn the_seam_of_a_single_panel_holds_up_to_its_pins() {
    let mesh = generate::panelled_tube([0.4, 0.16], 0.5, [32, 12], 1).unwrap();
    let top = mesh.groups["top"].clone();
    let cloth = Cloth::builder(mesh).pin_all(top).build().unwrap();
    let options = Multilevel { particles: 8000, ..Multilevel::default() };
    let mut cloth = Simulation::new(cloth, settings(options, 2, 0)).unwrap();
    let mut largest: f32 = 0.0;
    for _ in 0..45 {
        largest = largest.max(cloth.step().unwrap().solver.grid().unwrap().strain);
        assert!(cloth.seam_gap().unwrap() < 2e-3, "{:?}", cloth.seam_gap());
    }
    assert!(largest < 0.2, "stretched by {largest}");
}

#[test]
fn seams_of_a_tube_hold_and_it_hangs_below_its_pins() {
    let mesh = generate::panelled_tube([0.2, 0.2], 0.5, [32, 12], 4).unwrap();
    let top = mesh.groups["top"].clone();
    let highest = mesh.positions.iter().map(|p| p.y).fold(f32::MIN, f32::max);
    let cloth = Cloth::builder(mesh).pin_all(top).build().unwrap();
    let options = Multilevel { particles: 8000, ..Multilevel::default() };
    let mut cloth = Simulation::new(cloth, settings(options, 2, 0)).unwrap();
    assert_eq!(cloth.grid_layout().unwrap().patches, 4);
    for _ in 0..60 {
        cloth.step().unwrap();
        assert!(cloth.seam_gap().unwrap() < 1e-3, "{:?}", cloth.seam_gap());
    }
    let positions = cloth.shown_positions().unwrap();
    assert!(positions.iter().all(|p| p.y < highest + 0.01), "nothing jumps over the pins");
    assert!(cloth.strain().average < 0.02, "{:?}", cloth.strain());
}
