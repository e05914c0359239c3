//! Against all pairs, one by one; and how long it takes.

use glam::{Vec3, Vec4};
use proptest::prelude::*;

use super::{Aabb, Bvh, MovingBox, Overlaps};
use crate::execution::{Execution, Threads};
use crate::mesh::generate;

static ONE: Threads = Threads::one();
const SERIAL: Execution = Execution { threads: &ONE, instructions: crate::Instructions::Best };

fn all(_: u32, _: u32) -> bool {
    true
}

fn sorted(pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    pairs
}

fn pairs_between(a: &[MovingBox], b: &[MovingBox]) -> Vec<[u32; 2]> {
    let all = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| [i, j]));
    all.filter(|&[i, j]| a[i].overlaps(&b[j])).map(|pair| pair.map(|i| i as u32)).collect()
}

fn pairs_within(boxes: &[MovingBox]) -> Vec<[u32; 2]> {
    pairs_between(boxes, boxes).into_iter().filter(|[a, b]| a < b).collect()
}

fn check_within(tree: &Bvh, boxes: &[MovingBox]) -> Overlaps {
    let mut overlaps = Overlaps::default();
    tree.overlaps_within(SERIAL, all, &mut overlaps);
    assert_eq!(sorted(&overlaps.pairs), pairs_within(boxes));
    overlaps
}

/// Boxes on a coarse lattice, so that touching, equal and flat ones are common.
fn boxes(most: usize) -> impl Strategy<Value = Vec<MovingBox>> {
    let corner =
        || (-20i32..20, -20i32..20, -6i32..6).prop_map(|(x, y, z)| Vec3::new(x as f32, y as f32, z as f32));
    let size = (0i32..4, 0i32..4, 0i32..9).prop_map(|(x, y, z)| Vec3::new(x as f32, y as f32, z as f32));
    let motion = prop_oneof![Just((0, 0, 0)), (-4i32..4, -4i32..4, -4i32..4), Just((30, 10, -5))]
        .prop_map(|(x, y, z)| Vec3::new(x as f32, y as f32, z as f32));
    let one = (corner(), size, motion).prop_map(|(corner, size, motion)| MovingBox {
        start: Aabb::of_points([corner, corner + size]),
        end: Aabb::of_points([corner + motion, corner + motion + 0.5 * size]),
    });
    proptest::collection::vec(one, 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn pairs_are_those_of_brute_force(a in boxes(300), b in boxes(100)) {
        let (tree_a, tree_b) = (Bvh::new(&a), Bvh::new(&b));
        let mut overlaps = check_within(&tree_a, &a);
        tree_a.overlaps_with(&tree_b, SERIAL, all, &mut overlaps);
        prop_assert_eq!(sorted(&overlaps.pairs), pairs_between(&a, &b));
        tree_b.overlaps_with(&tree_a, SERIAL, |b, a| (a + b) % 2 == 0, &mut overlaps);
        let mut kept = pairs_between(&b, &a);
        kept.retain(|[a, b]| (a + b) % 2 == 0);
        prop_assert_eq!(sorted(&overlaps.pairs), kept);
        for (i, query) in b.iter().enumerate() {
            let mut found = Vec::new();
            tree_a.visit(query, |primitive| found.push([i as u32, primitive]));
            prop_assert_eq!(sorted(&found), pairs_between(&b[i..=i], &a).iter().map(|p| [i as u32, p[1]]).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_refitted_tree_finds_the_pairs_of_the_moved_boxes(before in boxes(300), seed in boxes(300)) {
        let mut tree = Bvh::new(&before);
        let after: Vec<MovingBox> = before.iter().enumerate()
            .map(|(i, &old)| seed.get(i).map_or(old, |new| new.inflate(0.5))).collect();
        tree.refit(&after, SERIAL);
        check_within(&tree, &after);
    }
}

#[test]
fn degenerate_scenes() {
    let point = MovingBox::still(Aabb::of_points([Vec3::ONE]));
    for count in [0, 1, 2, 7, 8, 9, 100] {
        let same = vec![point; count];
        let tree = Bvh::new(&same);
        assert_eq!(tree.len(), count);
        check_within(&tree, &same);
    }
    let everything = MovingBox::still(Aabb { min: Vec4::NEG_INFINITY, max: Vec4::INFINITY });
    let nothing = MovingBox::NOWHERE;
    let half = MovingBox::still(Aabb { min: Vec4::NAN, max: Vec4::ONE });
    let boxes = [everything, nothing, point, half, nothing, everything, nothing, point, point, half];
    let mut overlaps = check_within(&Bvh::new(&boxes), &boxes);
    Bvh::new(&boxes).overlaps_with(&Bvh::new(&[]), SERIAL, all, &mut overlaps);
    assert!(overlaps.pairs.is_empty());
    // The empty box would overlap an infinite one, and one that ends nowhere would where it starts:
    // a tree leaves them out.
    let lost = MovingBox { end: nothing.end, ..point };
    Bvh::new(&[everything, MovingBox::EMPTY, lost, point]).overlaps_within(SERIAL, all, &mut overlaps);
    assert_eq!(overlaps.pairs, [[0, 3]]);
}

/// A sheet of two triangles per cell in slight waves, its boxes grown by a tenth of an edge.
fn sheet(columns: usize, rows: usize, phase: f32) -> (Vec<MovingBox>, Vec<[u32; 3]>) {
    let mesh = generate::grid(columns, rows, columns as f32, rows as f32).unwrap();
    let wave = |p: Vec3| Vec3::new(p.x, p.y, 3.0 * (0.1 * p.x + 0.07 * p.y + phase).sin());
    let corners = mesh.triangles.iter().map(|t| t.map(|v| wave(mesh.positions[v as usize])));
    (corners.map(|t| MovingBox::still(Aabb::of_points(t).inflate(0.1))).collect(), mesh.triangles)
}

#[test]
fn the_order_does_not_depend_on_the_threads() {
    let (start, _) = sheet(160, 100, 0.0);
    let (moved, _) = sheet(160, 100, 1.0);
    let (other, _) = sheet(90, 80, 0.3);
    let mut serial = Bvh::new(&start);
    serial.refit(&moved, SERIAL);
    let other = Bvh::new(&other);
    let (mut within, mut between) = (Overlaps::default(), Overlaps::default());
    serial.overlaps_within(SERIAL, all, &mut within);
    serial.overlaps_with(&other, SERIAL, |a, _| a % 3 != 0, &mut between);
    assert!(within.pairs.len() > 100_000 && between.pairs.len() > 1000);
    for threads in [1, 2, 3, 7, 16, 33] {
        let threads = Threads::new(threads).unwrap();
        let execution = Execution { threads: &threads, ..SERIAL };
        let mut tree = Bvh::new(&start);
        tree.refit(&moved, execution);
        assert_eq!(tree.nodes, serial.nodes);
        let mut overlaps = Overlaps::default();
        for _ in 0..2 {
            tree.overlaps_within(execution, all, &mut overlaps);
            assert!(overlaps.pairs == within.pairs);
            tree.overlaps_with(&other, execution, |a, _| a % 3 != 0, &mut overlaps);
            assert!(overlaps.pairs == between.pairs);
        }
    }
}

#[test]
fn searching_again_takes_no_memory() {
    let (boxes, _) = sheet(40, 40, 0.0);
    let mut tree = Bvh::new(&boxes);
    let mut overlaps = Overlaps::default();
    tree.overlaps_within(SERIAL, all, &mut overlaps);
    let memory = allocation_counter::measure(|| {
        tree.refit(&boxes, SERIAL);
        tree.overlaps_within(SERIAL, all, &mut overlaps);
        tree.visit(&boxes[7], |_| ());
    });
    assert_eq!(memory.count_total, 0);
}

#[test]
fn a_search_is_given_up_if_there_is_too_much_and_only_then() {
    let (boxes, _) = sheet(60, 50, 0.0);
    let tree = Bvh::new(&boxes);
    let mut overlaps = Overlaps::default();
    tree.overlaps_within(SERIAL, all, &mut overlaps);
    let count = overlaps.pairs.len();
    for threads in [Threads::one(), Threads::new(7).unwrap()] {
        let execution = Execution { threads: &threads, ..SERIAL };
        for (most, gave_up) in [(count, false), (count - 1, true), (10, true)] {
            overlaps.most = Some(most);
            // What is not kept counts too: looking at it takes time.
            for keep in [true, false] {
                tree.overlaps_within(execution, |_, _| keep, &mut overlaps);
                assert_eq!(overlaps.gave_up, gave_up, "{most}");
                tree.overlaps_with(&tree, execution, |_, _| keep, &mut overlaps);
                assert!(overlaps.gave_up, "each pair twice, and each box with itself");
            }
        }
        assert!(overlaps.pairs.len() <= 7 * 10);
    }
}
