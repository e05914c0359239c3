//! Moving the whole scene moves the result, however far: positions are counted from an origin nearby.

use glam::{DQuat, DVec3, Vec3};
use muslin::cloth::{Cloth, Keyframe, PinMotion};
use muslin::collision::{Collider, ColliderMotion, CollisionSettings, Pose, Shape};
use muslin::forces::wind::Wind;
use muslin::mesh::{TriMesh, generate};
use muslin::rigid::{RigidBody, RigidShape};
use muslin::solver::{Impulses, Multilevel, SolverConfig};
use muslin::{Settings, Simulation, World};
use proptest::prelude::*;

/// A square of 1 m that lies flat at a height, moved in the world.
fn sheet(cells: usize, height: f32, by: DVec3) -> TriMesh {
    let mut mesh = generate::grid(cells, cells, 1.0, 1.0).unwrap();
    mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x, height, p.y));
    mesh.moved(by)
}

/// A moving pin of a mesh: from where it is by these ways, in a second each.
fn led(mesh: &TriMesh, vertex: u32, ways: &[DVec3]) -> PinMotion {
    let mut place = mesh.place(vertex);
    let mut keys = vec![Keyframe { time: 0.0, position: place }];
    for (second, way) in (1..).zip(ways) {
        place += *way;
        keys.push(Keyframe { time: f64::from(second), position: place });
    }
    PinMotion::Keyframes(keys)
}

/// Two sheets, one above the other, fall on a turning box and a ball in steady wind; a corner of the upper one is led.
fn pile(by: DVec3, bodies: bool) -> World {
    let settings =
        Settings { wind: Some(Wind { velocity: Vec3::X, ..Wind::default() }), ..Settings::default() };
    let cloth = |height: f32, corner: Option<u32>| {
        let mesh = sheet(12, height, by);
        let motion = corner.map(|corner| (corner, led(&mesh, corner, &[DVec3::new(-0.5, -0.25, 0.5)])));
        let builder = motion.into_iter().fold(Cloth::builder(mesh), |b, (v, motion)| b.pin_moving(v, motion));
        Simulation::new(builder.build().unwrap(), settings.clone()).unwrap()
    };
    let cloths = vec![("lower".to_owned(), cloth(0.3125, None)), ("upper".to_owned(), cloth(0.375, Some(0)))];
    let box_at = Shape::cuboid(Vec3::ZERO, Vec3::new(0.5, 0.25, 0.5));
    let turn = |time: f64| Pose {
        time,
        rotation: DQuat::from_rotation_y(time),
        translation: DVec3::Y * 0.0625 * time,
    };
    let motion = ColliderMotion::Poses(vec![turn(0.0), turn(0.5), turn(1.0)]);
    let turning = Collider { origin: by, motion, ..Collider::new("box", box_at) };
    let ball = Shape::Sphere { center: Vec3::new(0.5, 0.0, 0.5), radius: 0.1875 };
    let floor = Shape::Plane { point: Vec3::NEG_Y, normal: Vec3::Y };
    let at = |name: &str, shape: Shape| Collider { origin: by, ..Collider::new(name, shape) };
    let colliders = vec![turning, at("ball", ball), at("floor", floor)];
    let falling = RigidBody::new("brick", RigidShape::Box { size: Vec3::splat(0.125) });
    let bodies = if bodies { vec![falling.at(by + DVec3::Y * 0.75)] } else { Vec::new() };
    World::with_bodies(cloths, colliders, bodies, CollisionSettings::default()).unwrap()
}

/// What a world counts from its origin, bit by bit.
fn bits(world: &World) -> Vec<Vec<[u32; 3]>> {
    let words = |vectors: &[Vec3]| vectors.iter().map(|v| v.to_array().map(f32::to_bits)).collect();
    let of_cloth = |(_, cloth): &(String, Simulation)| {
        let snapshot = cloth.snapshot();
        [words(&snapshot.positions), words(&snapshot.velocities), words(&snapshot.remainders)]
    };
    world.cloths().iter().flat_map(of_cloth).collect()
}

fn steps(world: &mut World, count: usize) {
    (0..count).for_each(|_| assert!(world.step().is_ok()));
}

#[test]
fn a_scene_moved_by_a_multiple_of_the_origins_step_has_the_same_bits() {
    let bodies = cfg!(feature = "rigid-bodies");
    let mut here = pile(DVec3::ZERO, bodies);
    steps(&mut here, 45);
    assert_eq!(here.origin(), DVec3::ZERO);
    assert!(here.intersections().is_clean());
    for by in [DVec3::new(1000.0, -2000.0, 64.0 * 5.0), DVec3::new(-640.0, 100_000.0, 5_000_000.0)] {
        let mut there = pile(by, bodies);
        steps(&mut there, 45);
        assert_eq!(there.origin(), by);
        assert_eq!(bits(&there), bits(&here), "moved by {by}");
        assert_eq!(there.intersections(), here.intersections());
        for (a, b) in here.bodies().iter().zip(there.bodies()) {
            assert_eq!(a.state().center, b.state().center);
            assert_eq!(a.center() + by, b.center());
        }
        assert_eq!(there.cloths()[0].1.places()[5], by + here.cloths()[0].1.places()[5]);
    }
}

/// A coordinate by which a scene is moved: nothing, or a multiple of 8 m that is not near zero.
fn far() -> impl Strategy<Value = f64> {
    let steps = 9..125_000_000i64;
    let either_side =
        (steps, proptest::bool::ANY).prop_map(|(steps, below)| if below { -steps } else { steps });
    prop_oneof![Just(0.0), either_side.prop_map(|steps| 8.0 * steps as f64)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wherever_a_scene_is_its_steps_have_the_same_bits(x in far(), y in far(), z in far()) {
        let by = DVec3::new(x, y, z);
        let (mut here, mut there) = (pile(DVec3::ZERO, false), pile(by, false));
        steps(&mut here, 3);
        steps(&mut there, 3);
        prop_assert_eq!(there.origin(), by);
        prop_assert!(bits(&there) == bits(&here));
        prop_assert_eq!(there.intersections(), here.intersections());
    }
}

#[test]
fn any_other_move_is_that_of_what_is_left_of_it_near_zero() {
    let (far, rest) = (DVec3::new(1000.0, -2000.0, 100_000.0), DVec3::new(1.5, -2.25, 3.875));
    let (mut left, mut there) = (pile(rest, false), pile(far + rest, false));
    steps(&mut left, 45);
    steps(&mut there, 45);
    assert_eq!(there.origin(), far);
    assert_eq!(bits(&there), bits(&left));
    assert!(there.intersections().is_clean());
}

#[test]
fn positions_that_were_given_far_from_zero_are_recentred_without_a_change() {
    let far = |mesh: TriMesh| TriMesh {
        positions: (0..mesh.positions.len() as u32).map(|v| mesh.place(v).as_vec3()).collect(),
        origin: DVec3::ZERO,
        ..mesh
    };
    let mesh = far(sheet(6, 0.5, DVec3::new(4096.0, 0.0, 0.0)));
    let start = mesh.positions.clone();
    let simulation = Simulation::new(Cloth::builder(mesh).build().unwrap(), Settings::default()).unwrap();
    let world = World::new(vec![("cloth".into(), simulation)], vec![], CollisionSettings::default()).unwrap();
    assert_eq!(world.origin(), DVec3::new(4096.0, 0.0, 0.0));
    assert_eq!(world.cloths()[0].1.positions(), start);
    assert!(world.cloths()[0].1.snapshot().remainders.is_empty());
}

/// What a step of a cloth that is carried at [`FAST`] may lose, metres: half a last digit of positions between 4 and 8 m from
/// the origin (the first step after 4 m recentres), and of velocities between 128 and 256 m/s in a sixtieth of a second.
const ROUNDING: f64 = 0.5 / 2_097_152.0 + 0.5 / 65_536.0 / 60.0;

/// m/s.
const FAST: f64 = 160.0;

/// Origins are multiples of this, metres.
const BETWEEN_ORIGINS: f64 = 8.0;

/// A sheet that hangs, and a ball that pushes it aside; all of it starts at a place and moves with a velocity.
fn drifting(start: DVec3, velocity: DVec3, ball: bool, solver: &SolverConfig) -> World {
    let settings = Settings { substeps: 1, solver: solver.clone(), ..Settings::default() };
    let mesh = generate::grid(8, 8, 1.0, 1.0).unwrap().moved(start);
    let (origin, positions) = (mesh.origin.as_vec3(), mesh.positions.clone());
    let top: Vec<(u32, PinMotion)> =
        mesh.groups["top"].iter().map(|&v| (v, led(&mesh, v, &[velocity; 8]))).collect();
    let builder = top.into_iter().fold(Cloth::builder(mesh), |b, (v, motion)| b.pin_moving(v, motion));
    let mut simulation = Simulation::new(builder.build().unwrap(), settings).unwrap();
    let positions: Vec<Vec3> = positions.iter().map(|p| origin + *p).collect();
    simulation.set_state(&positions, &vec![velocity.as_vec3(); positions.len()]).unwrap();
    let shape = Shape::Sphere { center: Vec3::new(0.5, 0.375, -0.25), radius: 0.1875 };
    let goes = |time: f64, aside: f64| Pose {
        time,
        translation: velocity * time + DVec3::Z * aside,
        ..Pose::IDENTITY
    };
    let motion = ColliderMotion::Poses(vec![goes(0.0, 0.0), goes(0.5, 0.25), goes(8.0, 0.25)]);
    let pushes = Collider { origin: start, motion, ..Collider::new("ball", shape) };
    let colliders = if ball { vec![pushes] } else { Vec::new() };
    World::new(vec![("cloth".into(), simulation)], colliders, CollisionSettings::default()).unwrap()
}

/// Lets one scene drift slowly, near zero, and one fast from a start on; nothing may ever intersect. Returns how often the
/// fast one recentred, and how many origins it passed. If they are to be `alike`: a step rounds a place once, so after n steps they may differ by n
/// roundings, should none be made good.
fn compare(start: DVec3, ball: bool, steps: u32, solver: &SolverConfig, alike: bool) -> [u32; 2] {
    // The slow one moves too: colliders that rest are treated with more care.
    let (slow, fast) = (DVec3::X * 0.0625, DVec3::X * FAST);
    let (mut near, mut far) =
        (drifting(DVec3::ZERO, slow, ball, solver), drifting(start, fast, ball, solver));
    // Contacts round places once more.
    let roundings = if ball { 2.0 } else { 1.0 };
    let mut recentred = 0;
    for step in 1..=steps {
        let origin = far.origin();
        near.step().unwrap();
        far.step().unwrap();
        recentred += u32::from(far.origin() != origin);
        let (a, b) = (&near.cloths()[0].1, &far.cloths()[0].1);
        let way = start + (fast - slow) * a.time();
        let apart =
            a.places().iter().zip(&b.places()).map(|(a, b)| (*a + way - *b).length()).fold(0.0, f64::max);
        assert!(!alike || apart <= f64::from(step) * roundings * ROUNDING, "step {step}: {apart} m apart");
        assert!(far.intersections().is_clean());
    }
    [recentred, (far.cloths()[0].1.time() * FAST / BETWEEN_ORIGINS) as u32]
}

#[test]
fn a_cloth_that_is_carried_a_kilometre_hangs_as_one_at_rest_does() {
    for solver in [SolverConfig::default(), SolverConfig::Impulses(Impulses::default())] {
        let [recentred, passed] = compare(DVec3::ZERO, false, 400, &solver, true);
        assert_eq!(recentred, passed);
    }
}

#[test]
fn recentring_in_the_middle_of_a_contact_keeps_it() {
    // Contacts of the other two make more of any rounding: they are millimetres apart before they first recentre.
    for (solver, alike) in [
        (SolverConfig::default(), true),
        (SolverConfig::Impulses(Impulses::default()), false),
        (SolverConfig::Multilevel(Multilevel::default()), false),
    ] {
        let [recentred, passed] = compare(DVec3::new(16.0, 0.0, 0.0), true, 40, &solver, alike);
        assert_eq!(recentred, passed);
    }
}

#[test]
fn a_run_that_is_resumed_recentres_where_the_first_did() {
    let solver = SolverConfig::default();
    let scene = || drifting(DVec3::new(16.0, 0.0, 0.0), DVec3::X * FAST, true, &solver);
    let mut whole = scene();
    steps(&mut whole, 15);
    let before = whole.cloths()[0].1.snapshot();
    steps(&mut whole, 20);
    let after = whole.cloths()[0].1.snapshot();
    steps(&mut whole, 20);
    assert!(before.origin.x < after.origin.x && after.origin.x < whole.origin().x);
    for (snapshot, left) in [(before, 40), (after, 20)] {
        let mut resumed = scene();
        resumed.cloths_mut().for_each(|(_, cloth)| cloth.restore(&snapshot).unwrap());
        steps(&mut resumed, left);
        assert_eq!(bits(&resumed), bits(&whole));
        assert_eq!(resumed.origin(), whole.origin());
        assert_eq!(resumed.cloths()[0].1.state_hash(), whole.cloths()[0].1.state_hash());
    }
}

#[test]
fn what_hangs_is_not_disturbed_by_what_falls_for_ever() {
    let cloth = |mesh: TriMesh, held: bool| {
        let builder = Cloth::builder(mesh);
        let builder = if held { builder.pin(0).pin(6) } else { builder };
        let settings = Settings { substeps: 1, max_speed: 1e3, ..Settings::default() };
        Simulation::new(builder.build().unwrap(), settings).unwrap()
    };
    let world = |cloths: Vec<Simulation>| {
        let names = ["hangs", "falls"].map(str::to_owned).into_iter();
        World::new(names.zip(cloths).collect(), vec![], CollisionSettings::default()).unwrap()
    };
    let hangs = || cloth(sheet(6, 0.0, DVec3::ZERO), true);
    let mut alone = world(vec![hangs()]);
    let mut both = world(vec![hangs(), cloth(sheet(6, 0.0, DVec3::X * 8.0), false)]);
    steps(&mut alone, 1800);
    steps(&mut both, 1800);
    assert_eq!(both.origin(), DVec3::ZERO);
    assert_eq!(both.cloths()[0].1.state_hash(), alone.cloths()[0].1.state_hash());
    // ½ g t² after 30 s, as well as velocities in single precision can say.
    let fallen = both.cloths()[1].1.places()[0].y;
    assert!((fallen / (0.5 * 9.81 * 900.0) + 1.0).abs() < 2e-4, "{fallen}");
}
