//! What single calls do to a world.

use muslin::cloth::{Cloth, Keyframe, PinMotion};
use muslin::collision::{Collider, ColliderMotion, CollisionSettings, Pose, Shape, StartPolicy, Surface};
use muslin::glam::{DQuat, DVec3, Vec3};
use muslin::mesh::generate;
use muslin::solver::{Impulses, Multilevel, PositionBased, RadialMatching, SolverConfig};
use muslin::{Anchor, ClothId, Error, Event, Handle, Settings, Simulation, Strength, World};
use muslin_testing::{ball, floor, level_square, settings};

/// A square of cloth, level at a height.
fn square(height: f32) -> Cloth {
    Cloth::builder(level_square(12, 0.6, height)).build().unwrap()
}

fn world_of(cloth: Cloth) -> (World, ClothId) {
    let world = World::builder().settings(settings()).cloth("cloth", cloth).build().unwrap();
    let id = world.cloth_ids()[0];
    (world, id)
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step().unwrap();
    }
}

fn hash(world: &World, cloth: ClothId) -> u64 {
    world.cloth(cloth).unwrap().state_hash()
}

#[test]
fn worlds_can_be_shared_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<World>();
    is_shared::<Simulation>();
    is_shared::<muslin::WorldState>();
}

#[test]
fn what_was_removed_is_named_when_it_is_asked_for() {
    let (mut world, cloth) = world_of(square(0.5));
    let collider = world.add_collider(ball(Vec3::ZERO, 0.1)).unwrap();
    steps(&mut world, 2);
    world.remove_collider(collider).unwrap();
    let gone = Err(Error::NoSuch(Handle::Collider(collider)));
    assert_eq!(world.move_collider(collider, DVec3::ZERO, DQuat::IDENTITY), gone);
    assert_eq!(world.remove_collider(collider).map(drop), gone);
    let removed = world.remove_cloth(cloth).unwrap();
    assert!((removed.time() - 0.01).abs() < 1e-12);
    assert_eq!(world.cloth(cloth).err(), Some(Error::NoSuch(Handle::Cloth(cloth))));
    // Nothing is left, and time goes on.
    steps(&mut world, 1);
    assert!((world.time() - 0.015).abs() < 1e-12, "{}", world.time());
    let again = world.add_cloth("cloth", square(0.5)).unwrap();
    assert!(again != cloth);
    assert_eq!(world.cloth(again).unwrap().time(), world.time());
}

/// Keyframes are one more caller: poses that are given frame by frame and poses that are known from the start are the same.
#[test]
fn a_collider_that_is_led_is_one_that_follows_keyframes() {
    let dt = settings().time_step;
    let place = |frame: usize| DVec3::new(0.1 * (0.3 * frame as f64).sin(), 0.02 * frame as f64 * dt, 0.0);
    let turn = |frame: usize| DQuat::from_rotation_z(0.05 * frame as f64);
    let below = Shape::cuboid(Vec3::new(0.0, 0.25, 0.0), Vec3::new(0.3, 0.3, 0.3));
    let run = |led: bool| {
        let (mut world, cloth) = world_of(square(0.42));
        let mut collider = Collider::new("box", below.clone());
        // The times that a world of these steps counts.
        let mut time = 0.0;
        let mut poses = Vec::new();
        for frame in 0..=60 {
            poses.push(Pose { time, rotation: turn(frame), translation: place(frame) });
            time += dt;
        }
        if !led {
            collider.motion = ColliderMotion::Poses(poses);
        }
        let id = world.add_collider(collider).unwrap();
        for frame in 1..=60 {
            if led {
                world.move_collider(id, place(frame), turn(frame)).unwrap();
            }
            world.step().unwrap();
        }
        assert!(world.intersections().is_clean());
        world.cloth(cloth).unwrap().positions()
    };
    let [led, follows] = [run(true), run(false)];
    let apart = led.iter().zip(&follows).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    // Poses at ends of steps agree to the last digits of double precision; contacts may see one of these and decide otherwise,
    // by no more than the gap that they keep.
    assert!(apart < 0.002, "{apart}");
}

/// A wall that is moved through where cloth hangs, 50 m/s: it takes the cloth along, and nothing passes through anything.
#[test]
fn nothing_outruns_a_collider_however_fast_it_is_led() {
    let hanging = Cloth::builder(generate::grid(12, 12, 0.6, 0.6).unwrap()).build().unwrap();
    let (mut world, cloth) = world_of(hanging);
    let wall = Shape::cuboid(Vec3::new(0.3, 0.3, -0.5), Vec3::new(2.0, 2.0, 0.1));
    let wall = world.add_collider(Collider::new("wall", wall)).unwrap();
    for frame in 1..=8 {
        world.move_collider(wall, DVec3::Z * (0.25 * f64::from(frame)), DQuat::IDENTITY).unwrap();
        world.step().unwrap();
        assert!(world.intersections().is_clean(), "frame {frame}");
    }
    // The front of the wall has come to −0.45 + 2.
    let behind = world.cloth(cloth).unwrap().positions().iter().map(|p| p.z).fold(f32::MAX, f32::min);
    assert!(behind > 1.55, "{behind}");
}

#[test]
fn a_collider_that_is_teleported_gives_no_velocity() {
    let (mut world, cloth) = world_of(square(0.105));
    let plate = Shape::cuboid(Vec3::new(0.0, 0.05, 0.0), Vec3::new(1.0, 0.1, 1.0));
    let plate = world.add_collider(Collider::new("plate", plate)).unwrap();
    steps(&mut world, 200);
    let rest = world.cloth(cloth).unwrap().positions();
    // Along itself: had it moved there in a step, friction would have taken the cloth along.
    world.teleport_collider(plate, DVec3::new(0.1, 0.0, 0.0), DQuat::IDENTITY).unwrap();
    steps(&mut world, 20);
    let now = world.cloth(cloth).unwrap().positions();
    let slid = rest.iter().zip(&now).map(|(a, b)| (a.x - b.x).abs()).fold(0.0, f32::max);
    assert!(slid < 1e-4, "{slid}");
}

#[test]
fn a_collider_that_is_put_into_cloth_is_refused_and_nothing_moves() {
    let (mut world, cloth) = world_of(square(0.5));
    let far = world.add_collider(ball(Vec3::ZERO, 0.1)).unwrap();
    steps(&mut world, 3);
    let before = hash(&world, cloth);
    let middle = world.cloth(cloth).unwrap().positions()[84].as_dvec3();
    world.teleport_collider(far, middle, DQuat::IDENTITY).unwrap();
    let refused = world.step().map(|_| ());
    assert!(matches!(&refused, Err(Error::StartsIntersecting { found }) if !found.is_empty()), "{refused:?}");
    assert_eq!(hash(&world, cloth), before);
    world.teleport_collider(far, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    steps(&mut world, 1);
    let added = world.add_collider(ball(middle.as_vec3(), 0.1)).map(|_| ());
    assert_eq!(added, Err(Error::SameName { name: "ball".into() }));
}

/// A state that was saved before anybody looked is looked at when it comes back.
#[test]
fn what_was_put_into_something_and_saved_is_still_refused_when_it_comes_back() {
    let (mut world, cloth) = world_of(square(0.5));
    let far = world.add_collider(ball(Vec3::ZERO, 0.1)).unwrap();
    steps(&mut world, 3);
    let middle = world.cloth(cloth).unwrap().positions()[84].as_dvec3();
    let apart = world.save();
    world.teleport_collider(far, middle, DQuat::IDENTITY).unwrap();
    let within = world.save();
    world.teleport_collider(far, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    steps(&mut world, 1);
    world.restore(&within).unwrap();
    assert!(matches!(world.step().map(|_| ()), Err(Error::StartsIntersecting { .. })));
    world.restore(&apart).unwrap();
    steps(&mut world, 1);
    // The same of cloth that was put somewhere.
    let to_ball = -world.cloth(cloth).unwrap().places()[84];
    world.cloth_mut(cloth).unwrap().teleport(DQuat::IDENTITY, to_ball).unwrap();
    let within = world.save();
    world.restore(&apart).unwrap();
    steps(&mut world, 1);
    world.restore(&within).unwrap();
    assert!(matches!(world.step().map(|_| ()), Err(Error::StartsIntersecting { .. })));
}

#[test]
fn a_surface_comes_back_with_the_state() {
    let (mut world, cloth) = world_of(square(0.01));
    let plane = world.add_collider(floor()).unwrap();
    steps(&mut world, 40);
    let saved = world.save();
    let surface = world.collider(plane).unwrap().surface;
    let go_on = |world: &mut World| {
        world.cloth_mut(cloth).unwrap().add_force(84, Vec3::X * 0.01).unwrap();
        steps(world, 20);
        hash(world, cloth)
    };
    let right = go_on(&mut world);
    world.restore(&saved).unwrap();
    world.set_collider_surface(plane, Surface { thickness: 0.01, friction: 0.9, ..surface }).unwrap();
    assert!(go_on(&mut world) != right, "another surface is felt");
    world.restore(&saved).unwrap();
    assert_eq!(world.collider(plane).unwrap().surface, surface);
    assert_eq!(go_on(&mut world), right);
}

/// Its vertices go exactly where the collider goes, however it turns, and whatever moves the rest.
#[test]
fn what_is_welded_to_a_collider_goes_with_it() {
    for solver in [
        SolverConfig::default(),
        SolverConfig::PositionBased(PositionBased::default()),
        SolverConfig::RadialMatching(RadialMatching::default()),
        SolverConfig::Impulses(Impulses::default()),
        SolverConfig::Multilevel(Multilevel::default()),
    ] {
        welded(solver);
    }
}

fn welded(solver: SolverConfig) {
    let settings = Settings { solver: solver.clone(), ..settings() };
    let build = || World::builder().settings(settings.clone()).cloth("cloth", square(0.5)).build().unwrap();
    let (mut world, mut pinned) = (build(), build());
    let (cloth, same) = (world.cloth_ids()[0], pinned.cloth_ids()[0]);
    let post = world.add_collider(ball(Vec3::new(-0.5, 0.5, 0.0), 0.1)).unwrap();
    let edge: Vec<u32> = (0..13).collect();
    pinned.cloth_mut(same).unwrap().pin_all(&edge).unwrap();
    let start = world.cloth(cloth).unwrap().places();
    let attached = world.attach(cloth, &edge, Anchor::Collider(post), Strength::Weld).unwrap();
    let again = world.attach(cloth, &[3], Anchor::Collider(post), Strength::Weld);
    assert!(again.is_err(), "vertex 3 is taken");
    for frame in 1..=30 {
        let turn = DQuat::from_rotation_y(0.02 * f64::from(frame));
        let place = DVec3::new(0.0, 0.004 * f64::from(frame), 0.0);
        for &vertex in &edge {
            let there = turn * start[vertex as usize] + place;
            pinned.cloth_mut(same).unwrap().move_pin(vertex, there).unwrap();
        }
        pinned.step().unwrap();
        world.move_collider(post, place, turn).unwrap();
        world.step().unwrap();
        let now = world.cloth(cloth).unwrap().places();
        for &vertex in &edge {
            let v = vertex as usize;
            let off = now[v].distance(turn * start[v] + place);
            // Half a last digit of single precision within two metres.
            assert!(off < 1.3e-7 * 3f64.sqrt(), "{solver:?}: vertex {v} after {frame} steps: {off}");
        }
    }
    // It is as if each of these vertices had been a pin that was led. Thirty steps, each off by the rounding of a place at the pins.
    let here = world.cloth(cloth).unwrap().positions();
    let there = pinned.cloth(same).unwrap().positions();
    let apart = here.iter().zip(&there).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(apart < 30.0 * 3e-8 * 10.0, "{solver:?}: {apart}");
    world.detach(attached).unwrap();
    assert_eq!(world.detach(attached), Err(Error::NoSuch(Handle::Attachment(attached))));
    let before = world.cloth(cloth).unwrap().places();
    steps(&mut world, 40);
    let fallen = before[0].y - world.cloth(cloth).unwrap().places()[0].y;
    assert!(fallen > 0.05, "what was let go falls: {fallen}");
}

/// A cloth on a soft hold follows its collider and lags by its weight: m g / k in all.
#[test]
fn what_is_held_softly_hangs_lower_by_its_weight() {
    let cloth = square(0.5);
    let weight = 9.81 * cloth.total_mass();
    let (mut world, cloth) = world_of(cloth);
    let all: Vec<u32> = (0..169).collect();
    let post = world.add_collider(ball(Vec3::new(0.0, 2.0, 0.0), 0.1)).unwrap();
    let stiffness = 1.0;
    let start = world.cloth(cloth).unwrap().places();
    world.attach(cloth, &all, Anchor::Collider(post), Strength::Soft(stiffness)).unwrap();
    steps(&mut world, 400);
    let now = world.cloth(cloth).unwrap().places();
    let lower: f64 = start.iter().zip(&now).map(|(a, b)| a.y - b.y).sum::<f64>() / 169.0;
    let expected = weight / (169.0 * f64::from(stiffness));
    assert!((lower / expected - 1.0).abs() < 0.01, "{lower} instead of {expected}");
}

#[test]
fn contacts_carry_what_lies_on_them_and_are_told_when_they_begin_and_end() {
    let cloth = square(0.05);
    let weight = 9.81 * cloth.total_mass();
    let (mut world, cloth) = world_of(cloth);
    let plane = world.add_collider(floor()).unwrap();
    let mut began = Vec::new();
    for step in 0..400 {
        world.step().unwrap();
        let is_began = |event: &&Event| matches!(event, Event::ContactBegan { .. });
        began.extend(world.events().iter().filter(is_began).map(|event| (step, *event)));
    }
    let expected = Event::ContactBegan { cloth, with: Handle::Collider(plane) };
    // 4.8 cm take 99 ms.
    assert!(matches!(began[..], [(16..=22, event)] if event == expected), "{began:?}");
    let touches: Vec<_> = world.contacts().collect();
    // The gap: half the thickness of the cloth and all of the plane's, 3 mm, of which a tenth may be missing.
    assert!(touches.iter().all(|touch| touch.cloth == cloth && touch.with == Handle::Collider(plane)));
    assert!(touches.iter().all(|touch| touch.normal == Vec3::Y && (touch.place.y - 0.003).abs() < 3e-4));
    let pushed: f32 = touches.iter().map(|touch| touch.impulse).sum();
    let expected = (weight * settings().time_step) as f32;
    assert!((pushed / expected - 1.0).abs() < 0.02, "{pushed} N·s instead of {expected}");
    world.set_gravity(9.81 * Vec3::Y).unwrap();
    let mut ended = Vec::new();
    for _ in 0..20 {
        world.step().unwrap();
        ended.extend_from_slice(world.events());
    }
    assert_eq!(ended, [Event::ContactEnded { cloth, with: Handle::Collider(plane) }]);
}

#[test]
fn strain_is_told_of_once_when_it_comes() {
    let hanging = Cloth::builder(generate::grid(8, 8, 0.4, 0.4).unwrap()).pin(0).pin(8);
    let (mut world, cloth) = world_of(hanging.build().unwrap());
    world.watch_strain(Some(0.05)).unwrap();
    let mut told = Vec::new();
    for step in 0..40 {
        // Drawn apart by 1 mm per step.
        let place = world.cloth(cloth).unwrap().places()[8] + DVec3::X * 0.001;
        world.cloth_mut(cloth).unwrap().move_pin(8, place).unwrap();
        world.step().unwrap();
        told.extend(world.events().iter().copied().map(|event| (step, event)));
    }
    let strained = |event: &Event| matches!(event, Event::StrainExceeded { strain, .. } if *strain > 0.05);
    assert!(told.len() == 1 && strained(&told[0].1), "{told:?}");
    assert!(world.watch_strain(Some(f32::NAN)).is_err());
}

#[test]
fn intersections_that_are_put_there_are_pulled_apart_if_that_is_wanted() {
    let settings = CollisionSettings { start: StartPolicy::Untangle, ..CollisionSettings::default() };
    let mut world = World::builder()
        .settings(muslin_testing::settings())
        .collisions(settings)
        .cloth("cloth", square(0.0))
        .build()
        .unwrap();
    world.set_gravity(Vec3::ZERO).unwrap();
    let box_ = Shape::cuboid(Vec3::new(0.0, -1.0, 0.0), Vec3::splat(0.2));
    let id = world.add_collider(Collider::new("box", box_)).unwrap();
    steps(&mut world, 2);
    world.teleport_collider(id, DVec3::Y * 0.95, DQuat::IDENTITY).unwrap();
    assert!(!world.intersections().is_clean());
    steps(&mut world, 200);
    assert!(world.intersections().is_clean(), "{:?}", world.intersections());
}

/// A pin that follows keyframes, and one that is led to the same places.
#[test]
fn a_pin_that_is_led_is_one_that_follows_keyframes() {
    let dt = settings().time_step;
    let mut time = 0.0;
    let mut keys = Vec::new();
    for frame in 0..=50 {
        keys.push(Keyframe { time, position: DVec3::new(0.0, 0.4 + 0.001 * f64::from(frame), 0.05) });
        time += dt;
    }
    let mesh = generate::grid(8, 8, 0.4, 0.4).unwrap();
    let at_start = || {
        let mut start = mesh.positions.clone();
        start[72] = keys[0].position.as_vec3();
        Cloth::builder(mesh.clone()).start_positions(start)
    };
    let follows = at_start().pin_moving(72, PinMotion::Keyframes(keys.clone())).build().unwrap();
    let (mut follows, a) = world_of(follows);
    let (mut led, b) = world_of(at_start().pin(72).build().unwrap());
    for key in &keys[1..] {
        led.cloth_mut(b).unwrap().move_pin(72, key.position).unwrap();
        steps(&mut led, 1);
        steps(&mut follows, 1);
    }
    let [led, follows] = [(&led, b), (&follows, a)].map(|(world, id)| world.cloth(id).unwrap().positions());
    let apart = led.iter().zip(&follows).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    // Fifty steps, each off by the rounding of a place (3e-8 m) at the pin.
    assert!(apart < 50.0 * 3e-8 * 10.0, "{apart}");
}

#[cfg(feature = "rigid-bodies")]
mod bodies {
    use muslin::rigid::{Mass, RigidBody, RigidShape};

    use super::*;

    fn weight(mass: f64, at: DVec3) -> RigidBody {
        let mut body = RigidBody::new("weight", RigidShape::Sphere { radius: 0.05 }).at(at);
        body.mass = Mass::Total(mass);
        body
    }

    #[test]
    fn a_world_of_bodies_alone_falls() {
        let mut world = World::builder().settings(settings()).build().unwrap();
        let id = world.add_body(weight(1.0, DVec3::Y)).unwrap();
        steps(&mut world, 100);
        let fallen = 1.0 - world.body(id).unwrap().center().y;
        assert!((fallen - 0.5 * 9.81 * 0.25).abs() < 0.02, "{fallen}");
    }

    /// Nothing outside acts on them: what a tie gives the cloth it takes from the body.
    #[test]
    fn a_tie_keeps_momentum() {
        let free = Settings { gravity: Vec3::ZERO, ..settings() };
        let mut world = World::builder().settings(free).cloth("cloth", square(0.5)).build().unwrap();
        let cloth = world.cloth_ids()[0];
        let body = world.add_body(weight(0.05, DVec3::new(0.45, 0.5, 0.0))).unwrap();
        world.attach(cloth, &[84, 90], Anchor::Body(body), Strength::Weld).unwrap();
        world.set_body_velocity(body, DVec3::new(0.3, 1.0, -0.2), DVec3::ZERO).unwrap();
        let before = world.momentum();
        steps(&mut world, 200);
        let after = world.momentum();
        let change = (after.linear - before.linear).length() / before.linear.length();
        assert!(change < 1e-4, "{change}");
        let turned = (after.angular - before.angular).length() / before.angular.length();
        assert!(turned < 1e-3, "{turned}");
        // It has come along: the body alone would be a metre away.
        let [v, place] = [84, 0].map(|_: usize| world.cloth(cloth).unwrap().places()[84]);
        assert!(v.distance(world.body(body).unwrap().center()) < 0.5, "{place}");
    }

    /// A weight on a strip that hangs: it stays at the strip's end, neither thrown nor drawn out of it.
    #[test]
    fn a_weight_hangs_from_what_it_is_tied_to() {
        for times in [1.0, 10.0, 100.0] {
            let mesh = generate::grid(4, 20, 0.1, 0.5).unwrap();
            let bottom = mesh.groups["bottom"].clone();
            let strip = Cloth::builder(mesh).pin_group("top").build().unwrap();
            let mass = times * strip.total_mass();
            let (mut world, cloth) = world_of(strip);
            let body = world.add_body(weight(mass, DVec3::new(0.05, -0.06, 0.0))).unwrap();
            world.attach(cloth, &bottom, Anchor::Body(body), Strength::Weld).unwrap();
            let (mut lowest, mut fastest) = (0.0f64, 0.0f64);
            for _ in 0..600 {
                world.step().unwrap();
                let body = world.body(body).unwrap();
                lowest = lowest.min(body.center().y);
                fastest = fastest.max(body.velocity().length());
            }
            // The strip may give by a fifth at the most (what counts as overloaded), and falls no faster than that sets free.
            assert!(lowest > -0.06 - 0.1, "{times} times: {lowest}");
            assert!(fastest < (2.0f64 * 9.81 * 0.1).sqrt(), "{times} times: {fastest} m/s");
            let last = world.body(body).unwrap().velocity().length();
            assert!(last < 0.05, "{times} times: still at {last} m/s");
        }
    }
}
