//! The proof that nothing is left out: every two features that come near each other at some time
//! are among the pairs, whatever tells other pairs apart (boxes, directions, flat stars), and
//! whatever moves the ends afterwards.

use std::collections::HashSet;
use std::f32::consts::PI;

use fastrand::Rng;
use glam::{Quat, Vec3, Vec4};
use proptest::prelude::*;

use super::{BroadPhase, LARGEST_MOVE};
use crate::collision::bodies::Bodies;
use crate::collision::bodies::sheet::Sheet;
use crate::collision::detect::narrow::{LOOKAHEAD, Narrow, gap};
use crate::collision::detect::pairs::{Listed, Pair, PairKind, combine};
use crate::collision::points::Points;
use crate::collision::{CLEARANCE, Collider, Shape, Surface};
use crate::execution::Execution;
use crate::mesh::{Topology, generate};

/// Cells of a cloth along each side, and their size in metres.
const CELLS: usize = 3;
const CELL: f32 = 0.1;

/// How densely a step is looked at where features are almost near, of its length.
const SHORTEST_TIME: f64 = 1.0 / 256.0;

/// From −1 to 1.
fn number(noise: &mut Rng) -> f32 {
    2.0 * noise.f32() - 1.0
}

fn random_vector(noise: &mut Rng) -> Vec3 {
    Vec3::new(number(noise), number(noise), number(noise))
}

/// How a cloth lies: rolled up, crumpled, turned, carried away.
#[derive(Clone, Copy, Debug)]
struct Pose {
    /// 1/m; the whole cloth is 0.3 m long.
    curvature: f32,
    /// By which part of a cell's size.
    crumpled: f32,
    turn: Vec3,
    place: Vec3,
}

impl Pose {
    fn apply(&self, rest: Vec3, noise: &mut Rng) -> Vec3 {
        let angle = self.curvature * rest.x;
        let rolled = match angle.abs() < 1e-4 {
            true => rest,
            // Drawn out a little, so that layers of a roll have a distance.
            false => {
                Vec3::new(angle.sin(), 0.0, 1.0 - angle.cos()) / self.curvature
                    + rest.y * Vec3::Y
                    + 0.02 * angle * Vec3::Z
            }
        };
        let rough = rolled + self.crumpled * CELL * random_vector(noise);
        Quat::from_scaled_axis(self.turn) * rough + self.place
    }
}

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

/// The start and the end of a cloth, the latter a change of the former and a motion that may be fast.
fn motion() -> impl Strategy<Value = [Pose; 2]> {
    let curvature = prop_oneof![Just(0.0f32), -10.0f32..10.0, 10.0f32..25.0];
    let crumpled = || prop_oneof![Just(0.0f32), Just(0.02), 0.0f32..0.5];
    let fast = prop_oneof![Just(Vec3::ZERO), vector(0.05), vector(1.0)];
    let start = (curvature, crumpled(), vector(PI), vector(0.06));
    let change = (prop_oneof![Just(0.0f32), -12.0f32..12.0], crumpled(), vector(0.4), fast);
    (start, change).prop_map(|((curvature, crumpled, turn, place), (rolls, end_crumpled, turns, moves))| {
        let start = Pose { curvature, crumpled, turn, place };
        let end = Pose {
            curvature: curvature + rolls,
            crumpled: end_crumpled,
            turn: turn + turns,
            place: place + moves,
        };
        [start, end]
    })
}

/// Two cloths, a ball and a box.
fn world(thickness: f32, motions: [[Pose; 2]; 2], layered: bool, seed: u64) -> (Bodies, Points) {
    let size = CELLS as f32 * CELL;
    let mesh = generate::grid(CELLS, CELLS, size, size).unwrap();
    let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
    let sheet = |name| Sheet {
        name,
        positions: &mesh.positions,
        triangles: &mesh.triangles,
        topology: &topology,
        rest: mesh.positions.clone(),
        surface: Surface { thickness, ..Surface::CLOTH },
        density: 0.1,
    };
    let ball = Shape::Sphere { center: Vec3::new(0.1, 0.1, 0.1), radius: 0.04 };
    let block = Shape::cuboid(Vec3::new(-0.1, 0.0, 0.05), Vec3::splat(0.15));
    let colliders = vec![Collider::new("ball", ball), Collider::new("block", block)];
    let (bodies, mut points) =
        Bodies::new(&[sheet("one"), sheet("other")], &colliders, &[], &[], 1.0).unwrap();
    let mut noise = Rng::with_seed(seed);
    for (body, [start, end]) in bodies.all.iter().zip(motions) {
        // Crumpled in the same way at both ends, as far as both are, or every motion would be wild.
        let same = if layered { Rng::with_seed(seed) } else { noise.clone() };
        for (pose, array) in [(start, &mut points.start), (end, &mut points.end)] {
            noise = same.clone();
            let own = body.range();
            for (point, &rest) in array[own.clone()].iter_mut().zip(&points.rest[own]) {
                *point = pose.apply(rest, &mut noise).extend(1.0);
            }
        }
    }
    (bodies, points)
}

/// Where up is for a cloth, at the start and at the end.
fn above(poses: [Pose; 2]) -> [Vec3; 2] {
    poses.map(|pose| Quat::from_scaled_axis(pose.turn) * Vec3::Z)
}

/// The same with another cloth that goes its own way, or that is a second layer so many gaps above the first.
fn layers(
    thickness: f32,
    one: [Pose; 2],
    other: [Pose; 2],
    layer: Option<f32>,
    seed: u64,
) -> (Bodies, Points) {
    let up = above(one);
    let lifted =
        |gaps: f32| [0, 1].map(|i| Pose { place: one[i].place + gaps * thickness * up[i], ..one[i] });
    world(thickness, [one, layer.map_or(other, lifted)], layer.is_some(), seed)
}

/// All pairs of features without a common point of which one can move.
fn all_pairs(bodies: &Bodies) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (a, first) in bodies.all.iter().enumerate() {
        for (b, second) in bodies.all.iter().enumerate().filter(|_| first.is_cloth) {
            for s in &first.primitives {
                for t in &second.primitives {
                    let mut add = |points: [u32; 4], kind, bodies: [usize; 2]| {
                        let bodies = bodies.map(|body| body as u16);
                        pairs.push(Pair { points, kind, bodies });
                    };
                    let face = |p: u32, [x, y, z]: [u32; 3]| [p, x, y, z];
                    let apart = |p: u32, corners: [u32; 3]| !corners.contains(&p);
                    for p in s.points().filter(|&p| t.face && apart(p, t.corners)) {
                        add(face(p, t.corners), PairKind::PointFace, [a, b]);
                    }
                    for p in t.points().filter(|&p| a != b && s.face && apart(p, s.corners)) {
                        add(face(p, s.corners), PairKind::PointFace, [b, a]);
                    }
                    for e in s.edges() {
                        for f in t.edges().filter(|f| a < b || (a == b && e < *f)) {
                            if !f.contains(&e[0]) && !f.contains(&e[1]) {
                                add([e[0], e[1], f[0], f[1]], PairKind::EdgeEdge, [a, b]);
                            }
                        }
                    }
                }
            }
        }
    }
    pairs
}

/// What tells a pair, whichever of two edges comes first.
fn name(pair: &Pair) -> (PairKind, [u32; 4]) {
    let [a, b, c, d] = pair.points;
    let swap = pair.kind == PairKind::EdgeEdge && [c, d] < [a, b];
    (pair.kind, if swap { [c, d, a, b] } else { [a, b, c, d] })
}

/// Checks that all that come nearer than a part of the gap are among the pairs; how many that are.
fn check(
    bodies: &Bodies,
    points: &Points,
    part: f64,
    pairs: &[Listed],
    all: &[Pair],
) -> Result<usize, TestCaseError> {
    let found: HashSet<_> = pairs.iter().map(|listed| name(&listed.pair)).collect();
    prop_assert_eq!(found.len(), pairs.len(), "a pair twice");
    let mut near = 0;
    let moved: Vec<Vec4> = points.end.iter().zip(&points.start).map(|(end, start)| *end - *start).collect();
    for pair in all {
        let (start, end) = (points.starts(pair.points), points.ends(pair.points));
        let between = bodies.between(pair.bodies);
        let limit = part * between.gap + between.radius;
        let speed = pair.largest_motion(&moved);
        let mut t = 0.0;
        while t <= 1.0 {
            let x: [_; 4] = std::array::from_fn(|i| start[i].lerp(end[i], t));
            let beyond = combine(pair.closest(&x), &x).length() - limit;
            if beyond < 0.0 {
                near += 1;
                prop_assert!(found.contains(&name(pair)), "{:?} is near at {}", pair, t);
                break;
            }
            // Nothing happens until the features could have met.
            t += (beyond / speed.max(1e-9)).max(SHORTEST_TIME);
        }
    }
    Ok(near)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn everything_that_comes_near_is_found(
        // Less than half of the distance of neighbours at rest, or they would keep less than the gap.
        thickness in 0.002f32..0.03, one in motion(), other in motion(), seed in any::<u64>(),
        // Or the other cloth is a second layer, this many gaps above the first.
        layer in prop::option::of(0.5f32..3.0),
    ) {
        let up = above(one);
        let (mut bodies, mut points) = layers(thickness, one, other, layer, seed);
        let all = all_pairs(&bodies);
        let (mut broad_phase, mut narrow) = (BroadPhase::new(true), Narrow::default());
        let execution = Execution::default();
        broad_phase.find(&mut bodies, &points, [0.0, 1.0], execution, &mut narrow.pairs);
        check(&bodies, &points, 1.0, &narrow.pairs, &all)?;
        narrow.measure(&bodies, &points, 0.01, execution, &mut Vec::new());
        // To and fro, by as much as pairs allow for: single points, or cloths against each other; some far.
        let mut noise = Rng::with_seed(!seed);
        for round in 0..6 {
            let together = number(&mut noise) > -0.5;
            for (cloth, body) in bodies.all[..bodies.cloths].iter().enumerate() {
                for p in body.range() {
                    let far = if number(&mut noise) > 0.9 { 5.0 } else { 0.999 };
                    let side = if (cloth + round) % 2 == 0 { 1.0 } else { -1.0 };
                    let alone = random_vector(&mut noise).normalize_or(Vec3::X);
                    let way = if together && far < 1.0 { side * up[1] } else { alone };
                    if number(&mut noise) > -0.7 {
                        let moved = way * (LARGEST_MOVE * body.reach * far);
                        points.end[p] = broad_phase.horizon.paths[p][1] + moved.extend(0.0);
                        points.changed[p] = true;
                    }
                }
            }
            broad_phase.find_more(&mut bodies, &points, execution, &mut narrow.pairs);
            check(&bodies, &points, CLEARANCE, &narrow.pairs, &all)?;
            points.changed.fill(false);
        }
    }
}

/// Checks that all that start nearer than what makes a contact are among the pairs.
fn check_start(
    bodies: &Bodies,
    points: &Points,
    pairs: &[Listed],
    all: &[Pair],
) -> Result<(), TestCaseError> {
    let found: HashSet<_> = pairs.iter().map(|listed| name(&listed.pair)).collect();
    for pair in all {
        let between = bodies.between(pair.bodies);
        let x = points.starts(pair.points);
        let clearance = combine(pair.closest(&x), &x).length() - between.radius;
        // Neighbours keep less than the gap.
        let gap = gap(bodies, points, pair);
        prop_assert!(clearance >= gap || found.contains(&name(pair)), "{:?} starts at {}", pair, clearance);
        let is_other = pair.bodies[0] != pair.bodies[1];
        prop_assert!(
            !is_other || clearance >= LOOKAHEAD * between.gap || found.contains(&name(pair)),
            "{:?} starts at {}",
            pair,
            clearance
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn pairs_that_live_on_are_complete_however_points_go(
        thickness in 0.002f32..0.03, one in motion(), other in motion(), seed in any::<u64>(),
        // Or a second layer above the first.
        layer in prop::option::of(0.5f32..3.0),
        // How unsteady points are, relative to the gap, and how many of them are in each substep.
        unsteady in prop_oneof![Just(0.0f32), 0.0f32..0.5, 0.0f32..4.0],
        share in 0.0f32..1.0,
    ) {
        let (mut bodies, mut points) = layers(thickness, one, other, layer, seed);
        let all = all_pairs(&bodies);
        let (mut broad_phase, mut narrow) = (BroadPhase::new(true), Narrow::default());
        let execution = Execution::default();
        // The way of the world cut into substeps, from place to place, with noise.
        let substeps = 12;
        let (from, to) = (points.start.clone(), points.end.clone());
        let mut noise = Rng::with_seed(!seed);
        let cloths = bodies.all[bodies.cloths - 1].points.end as usize;
        let mut place = from.clone();
        for step in 0..substeps {
            points.start.clone_from(&place);
            let t = (step + 1) as f32 / substeps as f32;
            for p in 0..cloths {
                let steady = from[p] + (to[p] - from[p]) * t;
                let jump = if noise.f32() < share { unsteady * thickness } else { 0.0 };
                place[p] = steady + (jump * random_vector(&mut noise)).extend(0.0);
                // What a solver would have it do, and then contacts.
                let proposed = if noise.f32() < 0.5 { place[p] } else { steady };
                points.end[p] = proposed;
            }
            let times = [f64::from(step), f64::from(step + 1)].map(|time| 0.005 * time);
            broad_phase.find(&mut bodies, &points, times, execution, &mut narrow.pairs);
            prop_assert!(narrow.pairs.is_sorted_by_key(Listed::name));
            check_start(&bodies, &points, &narrow.pairs, &all)?;
            check(&bodies, &points, CLEARANCE, &narrow.pairs, &all)?;
            narrow.measure(&bodies, &points, 0.005, execution, &mut Vec::new());
            points.end.clone_from(&place);
            points.changed.fill(true);
            broad_phase.find_more(&mut bodies, &points, execution, &mut narrow.pairs);
            check(&bodies, &points, CLEARANCE, &narrow.pairs, &all)?;
            points.changed.fill(false);
        }
    }
}
