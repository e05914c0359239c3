//! Collisions hold: nothing passes through anything, whatever the speed, and what cannot be kept apart is
//! reported.

use glam::{DQuat, DVec3, Vec3};
use muslin::cloth::{Cloth, Keyframe, Material, PinMotion};
use muslin::collision::{
    Collider, ColliderMotion, CollisionSettings, PairSurface, Pose, Shape, StartPolicy, Surface,
};
use muslin::mesh::{TriMesh, generate};
use muslin::{Error, Settings, Simulation, World};
use muslin_testing::{ball, floor, level_square, settings, shaken};

/// A body that moves straight with a speed.
fn moving(mut collider: Collider, velocity: DVec3) -> Collider {
    let pose = |time: f64| Pose { time, rotation: DQuat::IDENTITY, translation: velocity * time };
    collider.motion = ColliderMotion::Poses(vec![pose(0.0), pose(10.0)]);
    collider
}

fn run(world: &mut World, steps: usize, what: &str) {
    for step in 0..steps {
        world.step().unwrap_or_else(|error| panic!("{what}: {error}"));
        let found = world.intersections();
        assert!(found.is_clean(), "{what}, step {step}: {found:?}");
    }
}

#[test]
fn cloth_falls_on_every_kind_of_collider_and_stays_outside() {
    let sphere = {
        let mut mesh = generate::sphere(0.2, 2).unwrap();
        mesh.positions.iter_mut().for_each(|p| p.y += 0.3);
        Shape::Mesh(mesh)
    };
    let capsule =
        Shape::Capsule { from: Vec3::new(-0.2, 0.3, 0.0), to: Vec3::new(0.2, 0.35, 0.1), radius: 0.1 };
    for (name, shape) in [
        ("plane", Shape::Plane { point: Vec3::new(0.0, 0.45, 0.0), normal: Vec3::new(0.0, 0.8, 0.6) }),
        ("sphere", Shape::Sphere { center: Vec3::new(0.0, 0.3, 0.0), radius: 0.2 }),
        ("capsule", capsule),
        ("box", Shape::cuboid(Vec3::new(0.0, 0.3, 0.0), Vec3::splat(0.3))),
        ("mesh", sphere),
    ] {
        let cloth = shaken(level_square(16, 0.8, 0.9), settings());
        let mut world = World::new(
            vec![("cloth".into(), cloth)],
            vec![Collider::new(name, shape), floor()],
            CollisionSettings::default(),
        )
        .unwrap();
        run(&mut world, 120, name);
    }
}

#[test]
fn nothing_tunnels_at_a_hundred_metres_per_second() {
    // Half a metre per step, a thousand times the gap: a ball, and an open sheet of two triangles.
    let sheet = {
        let mut mesh = level_square(1, 0.3, 0.0);
        mesh.positions.iter_mut().for_each(|p| p.y -= 0.3);
        Shape::Mesh(mesh)
    };
    for (name, shape) in
        [("ball", Shape::Sphere { center: Vec3::new(0.0, -0.3, 0.0), radius: 0.05 }), ("sheet", sheet)]
    {
        let cloth = shaken(level_square(12, 1.0, 0.0), settings());
        let body = moving(Collider::new(name, shape), DVec3::new(3.0, 100.0, 1.0));
        let mut world =
            World::new(vec![("cloth".into(), cloth)], vec![body], CollisionSettings::default()).unwrap();
        for step in 0..20 {
            world.step().unwrap_or_else(|error| panic!("{name}, step {step}: {error}"));
            assert!(world.intersections().is_clean(), "{name}, step {step}");
        }
        let highest = world.cloths()[0].1.positions().iter().map(|p| p.y).fold(f32::NEG_INFINITY, f32::max);
        // The body is at −0.3 m + 100 m/s · 0.1 s, below cloth that it carries.
        assert!(highest > 9.7, "the {name} went through: the cloth reaches only {highest} m");
    }
}

#[test]
fn two_cloths_collide_and_keep_their_momentum() {
    // In free fall, thrown at each other: nothing from outside acts on them.
    let settings = Settings { gravity: Vec3::ZERO, ..settings() };
    let (lower, upper) = (level_square(12, 0.5, 0.0), level_square(10, 0.4, 0.05));
    let mut cloths = vec![
        ("lower".into(), shaken(lower, settings.clone())),
        ("upper".into(), shaken(upper, settings.clone())),
    ];
    let (_, upper): &mut (String, Simulation) = &mut cloths[1];
    let velocities = vec![Vec3::new(0.5, -2.0, 0.1); upper.cloth().vertex_count()];
    upper.set_state(&upper.positions(), &velocities).unwrap();
    let mut world = World::new(cloths, vec![], CollisionSettings::default()).unwrap();
    let momentum =
        |world: &World| -> DVec3 { world.cloths().iter().map(|(_, cloth)| cloth.momentum().linear).sum() };
    let before = momentum(&world);
    run(&mut world, 100, "thrown cloth");
    let off = (momentum(&world) - before).length() / before.length();
    println!("momentum changed by {off:.1e} of itself");
    let carried = world.cloths()[0].1.momentum().linear.y;
    assert!(carried < -0.01, "the lower cloth was not hit: {carried}");
    assert!(off < 1e-4, "momentum changed by {off}");
}

#[test]
fn results_are_the_same_bits_for_any_number_of_threads() {
    let hashes = [1, 2, 3, 7, 16, 33].map(|threads| {
        let settings = Settings { threads, ..settings() };
        let cloths = (0..3)
            .map(|i| {
                let cloth = shaken(level_square(24, 0.8, 0.52 + 0.01 * i as f32), settings.clone());
                (format!("cloth{i}"), cloth)
            })
            .collect();
        let colliders = vec![ball(Vec3::new(0.0, 0.25, 0.0), 0.25), floor()];
        let mut world = World::new(cloths, colliders, CollisionSettings::default()).unwrap();
        let mut impacts = 0;
        for _ in 0..80 {
            impacts += world.step().unwrap().collisions.impacts;
        }
        assert!(impacts > 0, "nothing met");
        world.cloths().iter().map(|(_, cloth)| cloth.state_hash()).collect::<Vec<_>>()
    });
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

#[test]
fn a_world_goes_on_from_snapshots_with_the_same_bits() {
    let build = || {
        let post = Shape::Mesh(generate::sphere(0.15, 2).unwrap());
        let post = moving(Collider::new("post", post), DVec3::new(0.2, 0.1, 0.0));
        let cloth = shaken(level_square(24, 0.8, 0.2), settings());
        let colliders = vec![post, ball(Vec3::new(0.2, -0.1, 0.2), 0.1)];
        World::new(vec![("cloth".into(), cloth)], colliders, CollisionSettings::default()).unwrap()
    };
    let mut first = build();
    run(&mut first, 60, "before the snapshot");
    let snapshot = first.cloths()[0].1.snapshot();
    let mut second = build();
    second.cloths_mut().for_each(|(_, cloth)| cloth.restore(&snapshot).unwrap());
    for step in 0..40 {
        assert!(first.step().unwrap().collisions.contacts > 0, "nothing touches");
        second.step().unwrap();
        let [a, b] = [&first, &second].map(|world| world.cloths()[0].1.state_hash());
        assert_eq!(a, b, "step {step}");
    }
}

#[test]
fn how_old_its_pairs_are_does_not_change_a_bit() {
    for (substeps, kind) in [(1, "fast"), (5, "slow"), (1, "folded")] {
        let build = || {
            let settings = Settings { substeps, ..settings() };
            let cloths = (0..3).map(|i| {
                let mut mesh = level_square(14, 0.6, 0.32 + 0.012 * i as f32);
                if kind == "folded" {
                    // On edge, so that it falls into folds upon itself.
                    mesh.positions
                        .iter_mut()
                        .for_each(|p| *p = Vec3::new(p.x, 0.35 + p.z, 0.05 * (9.0 * p.x).sin() + p.y));
                }
                (format!("cloth{i}"), shaken(mesh, settings.clone()))
            });
            let carried = moving(ball(Vec3::new(0.0, 0.1, 0.0), 0.15), DVec3::new(0.1, 0.05, 0.0));
            World::new(cloths.collect(), vec![carried, floor()], CollisionSettings::default()).unwrap()
        };
        let mut first = build();
        let (mut contacts, mut impacts) = (0, 0);
        for step in 0..60 {
            let mut anew = build();
            for ((_, own), (_, cloth)) in anew.cloths_mut().zip(first.cloths()) {
                own.restore(&cloth.snapshot()).unwrap();
            }
            let counts = first.step().unwrap().collisions;
            contacts += counts.contacts;
            impacts += counts.impacts;
            anew.step().unwrap();
            for ((name, a), (_, b)) in first.cloths().iter().zip(anew.cloths()) {
                assert_eq!(a.state_hash(), b.state_hash(), "{kind}, step {step}: {name}");
            }
        }
        assert!(contacts > 0 && impacts > 0, "{kind}: {contacts} contacts, {impacts} impacts");
    }
}

#[test]
fn a_cloth_that_starts_in_a_body_is_refused_with_the_elements() {
    let start = |policy| {
        let cloth = shaken(level_square(8, 0.5, 0.2), settings());
        let colliders = vec![Collider::new("box", Shape::cuboid(Vec3::ZERO, Vec3::new(0.2, 0.45, 0.2)))];
        let settings = CollisionSettings { start: policy, ..CollisionSettings::default() };
        World::new(vec![("cloth".into(), cloth)], colliders, settings)
    };
    let error = start(StartPolicy::Refuse).err().expect("it is refused");
    let Error::StartsIntersecting { found } = &error else { panic!("{error}") };
    assert!(!found.is_empty() && error.to_string().contains("of 'cloth' and triangle"), "{error}");

    let world = start(StartPolicy::Ignore).unwrap();
    assert_eq!(&world.find_intersections(), found);
}

#[test]
fn a_ball_and_a_plane_push_out_what_starts_in_them() {
    let cloth = shaken(level_square(8, 0.5, -0.01), settings());
    let colliders = vec![ball(Vec3::new(0.0, -0.05, 0.0), 0.06), floor()];
    let policy = CollisionSettings { start: StartPolicy::Ignore, ..CollisionSettings::default() };
    let mut world = World::new(vec![("cloth".into(), cloth)], colliders, policy).unwrap();
    assert!(world.intersections().collider_penetrations > 0);
    for _ in 0..200 {
        world.step().unwrap();
    }
    let left = world.intersections();
    assert!(left.is_clean(), "{left:?}");
}

#[test]
fn crossing_cloths_are_untangled_and_then_kept_apart() {
    // Two squares, one of which passes through the other near its edge.
    let settings = Settings { gravity: Vec3::ZERO, ..settings() };
    let standing = {
        let mut mesh = generate::grid(10, 10, 0.4, 0.4).unwrap();
        mesh.positions.iter_mut().for_each(|p| *p += Vec3::new(-0.2, -0.03, 0.05));
        mesh
    };
    let build = |start| {
        let cloths = vec![
            ("level".to_owned(), shaken(level_square(10, 0.5, 0.0), settings.clone())),
            ("standing".to_owned(), shaken(standing.clone(), settings.clone())),
        ];
        World::new(cloths, vec![], CollisionSettings { start, ..CollisionSettings::default() })
    };
    assert!(matches!(build(StartPolicy::Refuse), Err(Error::StartsIntersecting { .. })));
    let mut world = build(StartPolicy::Untangle).unwrap();
    let before = world.intersections().between_cloths;
    assert!(before > 0);
    let mut free_since = None;
    for step in 0..400 {
        world.step().unwrap();
        let clean = world.intersections().is_clean();
        match free_since {
            None if clean => free_since = Some(step),
            Some(since) => assert!(clean, "free since step {since}, tangled again at {step}"),
            None => {}
        }
    }
    println!("{before} intersections, free after {free_since:?} steps");
    assert!(free_since.is_some(), "still {:?}", world.intersections());
}

#[test]
fn a_pinch_that_cannot_be_resolved_is_an_error_and_changes_nothing() {
    // Two plates close upon a cloth that is held between them by a pin.
    let mut mesh = level_square(6, 0.2, 0.0);
    mesh.positions.iter_mut().for_each(|p| p.x += 0.0);
    let middle = 24;
    let cloth = Cloth::builder(mesh).pin_moving(middle, PinMotion::Fixed).build().unwrap();
    let cloth = Simulation::new(cloth, Settings { substeps: 3, ..settings() }).unwrap();
    let plate = |height: f32| {
        let shape = Shape::cuboid(Vec3::new(0.0, height, 0.0), Vec3::new(0.6, 0.02, 0.6));
        Collider::new(if height > 0.0 { "upper" } else { "lower" }, shape)
    };
    let colliders = vec![
        moving(plate(0.03), DVec3::new(0.0, -0.5, 0.0)),
        moving(plate(-0.03), DVec3::new(0.0, 0.5, 0.0)),
    ];
    let mut world =
        World::new(vec![("cloth".into(), cloth)], colliders, CollisionSettings::default()).unwrap();
    for number in 1..100 {
        let (before, now) = (world.cloths()[0].1.state_hash(), world.cloths()[0].1.time());
        match world.step() {
            Ok(_) => assert!(world.intersections().is_clean()),
            Err(error) => {
                let Error::Unresolved { step, time, .. } = error else { panic!("{error}") };
                assert_eq!((step, time), (number, now), "{error}");
                assert!((time - 0.005 * (number - 1) as f64).abs() < 1e-9, "{error}");
                assert_eq!(world.cloths()[0].1.state_hash(), before, "the step was not undone");
                return;
            }
        }
    }
    panic!("two plates passed through each other and the cloth between them");
}

#[test]
fn pairs_can_have_values_of_their_own() {
    // The same patch on the same incline: slippery by its surfaces, rough for this pair.
    let slide = |pairs: Vec<PairSurface>| {
        let normal = Vec3::new(-0.447_213_6, 0.894_427_2, 0.0);
        let along = Vec3::new(0.894_427_2, 0.447_213_6, 0.0);
        let mut mesh = level_square(6, 0.2, 0.0);
        for p in &mut mesh.positions {
            *p = along * p.x + Vec3::Z * p.z + normal * 0.003;
        }
        let slippery = Surface { friction: 0.05, ..Surface::CLOTH };
        let material = Material { surface: slippery, ..Material::default() };
        let cloth = Cloth::builder(mesh).material(material).build().unwrap();
        let cloth = Simulation::new(cloth, settings()).unwrap();
        let mut plane = Collider::new("plane", Shape::Plane { point: Vec3::ZERO, normal });
        plane.surface = slippery;
        let settings = CollisionSettings { pairs, ..CollisionSettings::default() };
        let mut world = World::new(vec![("patch".into(), cloth)], vec![plane], settings)?;
        for _ in 0..100 {
            world.step()?;
        }
        Ok::<f32, Error>(world.cloths()[0].1.positions()[0].dot(along))
    };
    let own = |name: &str| PairSurface {
        between: ["patch".into(), name.into()],
        friction: Some(0.8),
        ..PairSurface::default()
    };
    let (slippery, rough) = (slide(vec![]).unwrap(), slide(vec![own("plane")]).unwrap());
    // It sticks where friction is above tan θ = 0.5. Else it slides by g (sin θ − μ cos θ) t²/2 in half a second; half a step
    // of that is a two-hundredth of the time, and twice that of the way.
    let (slid, expected) = (rough - slippery, 0.5 * 9.81 * (0.447_213_6 - 0.05 * 0.894_427_2) * 0.25);
    assert!((slid / expected - 1.0).abs() < 0.01, "{slid} m, expected {expected} m");
    assert_eq!(slide(vec![own("plain")]), Err(Error::NoSuchBody { name: "plain".into() }));
}

#[test]
fn a_turning_ball_takes_cloth_along() {
    let cloth = shaken(level_square(16, 0.8, 0.51), settings());
    let mut body = ball(Vec3::new(0.0, 0.3, 0.0), 0.2);
    body.surface.friction = 1.0;
    let pose = |i: i32| Pose {
        time: f64::from(i) * 0.1,
        rotation: DQuat::from_rotation_y(f64::from(i) * 0.2),
        translation: DVec3::ZERO,
    };
    body.motion = ColliderMotion::Poses((0..30).map(pose).collect());
    let mut world =
        World::new(vec![("cloth".into(), cloth)], vec![body], CollisionSettings::default()).unwrap();
    run(&mut world, 200, "turning ball");
    let cloth = &world.cloths()[0].1;
    let spin = cloth.momentum().angular.y;
    // Lying flat and turning with the ball, at 2 rad/s, a square would have m a²/6 of that, and it cannot have more. A tenth
    // follows from nothing: it says that the ball takes it along at all.
    let flat = 2.0 * cloth.cloth().total_mass() * 0.8 * 0.8 / 6.0;
    println!("angular momentum {spin:.4} kg m²/s, flat {flat:.4}");
    assert!(spin > 0.1 * flat && spin < flat, "the cloth does not turn with the ball: {spin}, flat {flat}");
}

#[test]
fn keyframed_pins_push_cloth_against_a_body_without_a_hole() {
    let mut mesh = level_square(14, 0.5, 0.3);
    mesh.positions.iter_mut().for_each(|p| p.y += 0.0);
    let side: Vec<u32> = (0..15).collect();
    let mut builder = Cloth::builder(mesh.clone());
    for &v in &side {
        let from = mesh.positions[v as usize];
        let keys = vec![
            Keyframe { time: 0.0, position: from.as_dvec3() },
            Keyframe { time: 0.5, position: (from + Vec3::new(0.0, -0.15, 0.9)).as_dvec3() },
        ];
        builder = builder.pin_moving(v, PinMotion::Keyframes(keys));
    }
    let cloth = Simulation::new(builder.build().unwrap(), settings()).unwrap();
    let colliders = vec![ball(Vec3::new(0.0, 0.1, 0.0), 0.15), floor()];
    let mut world =
        World::new(vec![("cloth".into(), cloth)], colliders, CollisionSettings::default()).unwrap();
    run(&mut world, 120, "pulled over a ball");
}

#[test]
fn pins_that_are_moved_into_a_body_are_an_error_not_a_hole() {
    let mesh = level_square(6, 0.3, 0.3);
    let drop = |keys: f32| {
        let mut builder = Cloth::builder(mesh.clone());
        for (v, p) in mesh.positions.iter().enumerate() {
            let end = Keyframe { time: 0.2, position: (*p - Vec3::Y * keys).as_dvec3() };
            let keys = vec![Keyframe { time: 0.0, position: p.as_dvec3() }, end];
            builder = builder.pin_moving(v as u32, PinMotion::Keyframes(keys));
        }
        Simulation::new(builder.build().unwrap(), settings()).unwrap()
    };
    let boxed = Collider::new("box", Shape::cuboid(Vec3::ZERO, Vec3::splat(0.2)));
    for collider in [ball(Vec3::ZERO, 0.1), boxed, floor()] {
        let name = collider.name.clone();
        let cloths = vec![("cloth".to_owned(), drop(0.4))];
        let mut world = World::new(cloths, vec![collider], CollisionSettings::default()).unwrap();
        let failed = (0..60).find_map(|_| {
            let error = world.step().err();
            assert!(world.intersections().is_clean(), "{name}");
            error
        });
        assert!(matches!(failed, Some(Error::Unresolved { .. })), "{name}: {failed:?}");
    }
}

#[test]
fn a_ball_of_a_kilometre_holds_too() {
    let radius = 1000.0;
    let cloth = shaken(level_square(10, 0.5, 0.3), settings());
    let ground = ball(Vec3::new(0.0, -radius, 0.0), radius);
    let press = moving(
        Collider::new("press", Shape::cuboid(Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.8, 0.1, 0.8))),
        DVec3::new(0.0, -2.0, 0.0),
    );
    let mut world =
        World::new(vec![("cloth".into(), cloth)], vec![ground, press], CollisionSettings::default()).unwrap();
    for _ in 0..100 {
        // In the end it is squeezed, which must be said.
        if let Err(error) = world.step() {
            assert!(matches!(error, Error::Unresolved { .. }), "{error}");
            return;
        }
        assert!(world.intersections().is_clean());
    }
    panic!("pressed through the ground");
}

#[test]
fn what_is_tangled_with_one_body_still_collides_with_others() {
    // Two level cloths, each pierced by a needle of its own; the upper one falls.
    let needle = |name: &str, x: f32, height: f32| {
        let at = |y: f32, z: f32| Vec3::new(x, height + y, z);
        let positions = vec![at(-0.004, 0.001), at(0.004, 0.001), at(0.0, 0.02)];
        Collider::new(name, Shape::Mesh(TriMesh::new(positions, vec![[0, 1, 2]])))
    };
    let held = |height: f32| {
        let mesh = level_square(8, 0.4, height);
        let corners = [0, 8, 72, 80];
        let cloth = corners.iter().fold(Cloth::builder(mesh), |builder, &v| builder.pin(v)).build().unwrap();
        Simulation::new(cloth, settings()).unwrap()
    };
    let cloths = vec![
        ("lower".to_owned(), held(0.0)),
        ("upper".to_owned(), shaken(level_square(8, 0.3, 0.05), settings())),
    ];
    let colliders = vec![needle("one", 0.03, 0.0), needle("two", -0.03, 0.05)];
    let policy = CollisionSettings { start: StartPolicy::Ignore, ..CollisionSettings::default() };
    let mut world = World::new(cloths, colliders, policy).unwrap();
    assert!(world.intersections().collider_penetrations > 0);
    for step in 0..150 {
        world.step().unwrap();
        assert_eq!(world.intersections().between_cloths, 0, "step {step}");
    }
}

#[test]
fn cloth_clamped_in_a_turning_body_turns_with_it() {
    // Two plates a few gaps apart, as one body.
    let plates = {
        let plate = |height: f32| match Shape::cuboid(Vec3::Y * height, Vec3::new(0.5, 0.02, 0.5)) {
            Shape::Mesh(mesh) => mesh,
            _ => unreachable!(),
        };
        let (mut lower, upper) = (plate(-0.0135), plate(0.0135));
        let first = lower.positions.len() as u32;
        lower.triangles.extend(upper.triangles.iter().map(|t| t.map(|v| v + first)));
        lower.positions.extend(upper.positions);
        Shape::Mesh(lower)
    };
    let mut body = Collider::new("plates", plates);
    let pose = |i: i32| Pose {
        time: f64::from(i) * 0.05,
        rotation: DQuat::from_rotation_y(f64::from(i) * 0.5),
        translation: DVec3::ZERO,
    };
    body.motion = ColliderMotion::Poses((0..20).map(pose).collect());
    let cloth = shaken(level_square(8, 0.3, 0.0), settings());
    let mut world =
        World::new(vec![("cloth".into(), cloth)], vec![body], CollisionSettings::default()).unwrap();
    run(&mut world, 60, "clamped");
}

#[test]
fn names_and_times_must_agree() {
    let cloth = || shaken(level_square(4, 0.2, 0.5), settings());
    let twice = vec![("same".to_owned(), cloth()), ("same".to_owned(), cloth())];
    let error = World::new(twice, vec![], CollisionSettings::default()).err();
    assert_eq!(error, Some(Error::SameName { name: "same".into() }));
    let mut apart = cloth();
    apart.step().unwrap();
    let mut other = shaken(level_square(4, 0.2, 0.7), settings());
    (0..2).for_each(|_| drop(other.step().unwrap()));
    let new = shaken(level_square(4, 0.2, 0.9), settings());
    let cloths = vec![("one".to_owned(), apart), ("two".to_owned(), other)];
    let error = World::new(cloths, vec![], CollisionSettings::default()).err();
    assert_eq!(error, Some(Error::UnequalSettings { cloth: "two".into(), field: "time" }));
    // What was never stepped comes in at any time.
    let mut apart = cloth();
    apart.step().unwrap();
    let cloths = vec![("one".to_owned(), apart), ("new".to_owned(), new)];
    let world = World::new(cloths, vec![], CollisionSettings::default()).unwrap();
    assert_eq!(world.cloths()[1].1.time(), 0.005);
    let wrong = PairSurface { thickness: Some(-0.1), ..PairSurface::default() };
    let settings = CollisionSettings { pairs: vec![wrong], ..CollisionSettings::default() };
    assert!(matches!(settings.check(), Err(Error::Material(_))));
}
