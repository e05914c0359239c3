//! Packs against contacts one after the other, and their colours.

use fastrand::Rng;

use super::*;
use crate::collision::bodies::surface::{Between, Side, Surface};
use crate::collision::respond::contact::Features;
use crate::execution::Threads;
use crate::math::lanes::Instructions;

const POINTS: u32 = 400;

/// Points that move by a few millimetres around a place far from the origin; every tenth cannot be moved.
fn points(random: &mut Rng) -> Points {
    let mut points = Points::default();
    let mut vector = |size: f32| {
        let mut number = || size * (2.0 * random.f32() - 1.0);
        Vec4::new(number(), number(), number(), 0.0)
    };
    for i in 0..POINTS {
        let start = Vec4::new(3.0, 1.0, -2.0, if i % 10 == 0 { 0.0 } else { 4000.0 }) + vector(0.3);
        points.start.push(start);
        points.end.push(start + vector(0.005));
    }
    points.changed.resize(points.end.len(), false);
    points
}

/// Contacts of random points that ask for one or two millimetres more than what is there; some of a single point, some of one that stands
/// for an edge.
fn contacts(random: &mut Rng, points: &Points, friction: f32) -> Vec<Contact> {
    let surface = Surface { friction, ..Surface::CLOTH };
    let side = Side { surface, offset: 0.001, radius: 0.0 };
    let between = Between::new(&side, &side, None);
    let contact = |i: usize| {
        let mut features = Features { points: [0; 4].map(|_| random.u32(0..POINTS)), bodies: [0, 0] };
        let (s, t) = (random.f64(), random.f64());
        let weights = match i % 3 {
            0 => [1.0, -s, s * t - t, s + t - s * t - 1.0],
            1 => [1.0 - s, s, t - 1.0, -t],
            _ => {
                features.points[1] = features.points[0];
                [1.0, 0.0, t - 1.0, -t]
            }
        };
        let normal = DVec3::new(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5).normalize();
        let at = |p: u32| points.start[p as usize].truncate().as_dvec3();
        let now: DVec3 = (0..4).map(|k| at(features.points[k]) * weights[k]).sum();
        let distance = normal.dot(now) + 0.001 * (1.0 + random.f64());
        Contact::new(features, weights, normal, [distance, 0.0], &between, DVec3::ZERO, points)
    };
    (0..150).filter_map(contact).collect()
}

fn solve(
    contacts: &mut [Contact],
    points: &mut Points,
    passes: usize,
    threads: usize,
    instructions: Instructions,
) {
    let threads = Threads::new(threads).unwrap();
    let mut packs = Packs::default();
    // In two goes, as when detection finds more.
    packs.pack_more(&contacts[..100], points);
    packs.pack_more(contacts, points);
    let execution = Execution { threads: &threads, instructions };
    packs.load(points, execution);
    (0..passes).for_each(|_| packs.solve(execution));
    packs.store(points);
    packs.tell(contacts);
    assert!(packs.single.is_empty());
}

#[test]
fn no_two_contacts_of_a_colour_move_the_same_point() {
    let mut random = Rng::with_seed(1);
    let points = points(&mut random);
    let contacts = contacts(&mut random, &points, 0.3);
    let mut packs = Packs::default();
    packs.pack_more(&contacts, &points);
    let mut packed = 0;
    for colour in &packs.colours {
        let mut moved = Vec::new();
        for pack in &packs.packs[colour.clone()] {
            packed += pack.contacts.iter().filter(|contact| **contact != VACANT).count();
            for (points, moves) in pack.points.iter().zip(pack.moves) {
                moved.extend((0..WIDTH).filter(|lane| moves >> lane & 1 == 1).map(|lane| points[lane]));
            }
        }
        let all = moved.len();
        moved.sort_unstable();
        moved.dedup();
        assert_eq!(moved.len(), all);
    }
    assert_eq!(packed, contacts.len());
}

/// Without friction both end where all contacts have what they ask for and points have moved as little as they can: in any order,
/// in single and in double precision.
#[test]
fn packs_come_to_where_contacts_come_one_after_the_other() {
    for seed in 0..10 {
        let mut random = Rng::with_seed(seed);
        let before = points(&mut random);
        let (mut together, mut single) = (before.clone(), before.clone());
        let mut own = contacts(&mut random, &before, 0.0);
        let mut others = own.clone();
        solve(&mut own, &mut together, 3000, 1, Instructions::Best);
        for _ in 0..3000 {
            others.iter_mut().for_each(|contact| contact.solve(&mut single));
        }
        let missing = |contact: &Contact, points: &Points| {
            contact.distance - contact.normal.dot(contact.vector(&points.end))
        };
        // Contacts are left alone when less than 1e-7 m is missing; others take up to some tens of that from them.
        assert!(own.iter().all(|contact| missing(contact, &together) < 5e-6), "seed {seed}");
        let way = |points: &Points| -> f64 {
            let ends = points.end.iter().zip(&before.end);
            ends.map(|(after, before)| f64::from((*after - *before).truncate().length_squared())).sum()
        };
        let [own, other] = [&together, &single].map(way);
        assert!(other > 1e-4 && (own / other - 1.0).abs() < 1e-2, "seed {seed}: {own} and {other} m²");
    }
}

#[test]
fn what_contacts_are_told_is_what_points_were_moved_by() {
    let mut random = Rng::with_seed(2);
    let before = points(&mut random);
    let (mut after, mut own) = (before.clone(), contacts(&mut random, &before, 0.3));
    solve(&mut own, &mut after, 8, 1, Instructions::Best);
    let mut moved = vec![DVec3::ZERO; POINTS as usize];
    for contact in &own {
        let push = contact.normal * contact.push + contact.drag;
        for (point, weight) in contact.points.iter().zip(contact.weights) {
            moved[*point as usize] += push * weight * before.inverse_mass(*point);
        }
    }
    for (i, moved) in moved.iter().enumerate() {
        let really = (after.end[i] - before.end[i]).truncate().as_dvec3();
        // Places are rounded to 2⁻²³ m there, by which they were off the sum at the start and at the end.
        assert!((really - *moved).length() < 5e-7, "{i}: {really} {moved}");
        assert!(after.changed[i] || after.end[i] == before.end[i]);
    }
    assert!(own.iter().any(|contact| contact.drag.length() > 0.1 * contact.push && contact.push > 0.0));
}

#[test]
fn the_same_bits_with_any_threads_and_instructions() {
    let mut random = Rng::with_seed(3);
    let before = points(&mut random);
    let contacts = contacts(&mut random, &before, 0.3);
    let run = |threads, instructions| {
        let (mut points, mut own) = (before.clone(), contacts.clone());
        solve(&mut own, &mut points, 8, threads, instructions);
        let pushes: Vec<f64> = own.iter().map(|contact| contact.push).collect();
        (points.end, points.changed, pushes)
    };
    let one = run(1, Instructions::Best);
    assert!(one.2.iter().any(|push| *push > 0.0));
    for (threads, instructions) in
        [(1, Instructions::Portable), (2, Instructions::Best), (7, Instructions::Best)]
    {
        assert_eq!(run(threads, instructions), one, "{threads} threads");
    }
}
