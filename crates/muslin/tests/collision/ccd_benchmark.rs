//! Continuous collision detection on 13,795 labelled queries (`tests/data/ccd/README.md`).
//!
//! Asserts that no contact is missed, none is reported late and nothing else is reported; prints what
//! it takes: `cargo test -p muslin --test collision ccd_benchmark -- --nocapture`.

use std::{fs::File, hint::black_box, io::Read, time::Instant};

use flate2::read::GzDecoder;
use glam::DVec3;
use muslin::collision::ccd;
use muslin_testing::Noise;

/// Bytes of the header of a file, and of one query.
const HEADER: usize = 16;
const RECORD: usize = 208;

type Detector = fn(&[DVec3; 4], &[DVec3; 4], f64) -> Option<f64>;

struct Query {
    start: [DVec3; 4],
    end: [DVec3; 4],
    collides: bool,
    /// NaN if unknown.
    time: f64,
}

impl Query {
    fn parse(record: &[u8]) -> Self {
        let number = |k: usize| f64::from_le_bytes(record[8 * k..8 * k + 8].try_into().unwrap());
        let corner = |k: usize| DVec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2));
        Self {
            start: std::array::from_fn(corner),
            end: std::array::from_fn(|k| corner(k + 4)),
            collides: record[200] == 1,
            time: number(24),
        }
    }
}

/// The queries of a file and the function that answers them.
fn read(name: &str) -> (Detector, Vec<Query>) {
    let path = format!("{}/tests/data/ccd/{name}.ccdq.gz", env!("CARGO_MANIFEST_DIR"));
    let mut bytes = Vec::new();
    GzDecoder::new(File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes[..8], *b"CCDQ\x01\0\0\0");
    let count = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    assert_eq!(bytes.len(), HEADER + count * RECORD);
    let detect = if bytes[12] == 0 { ccd::point_triangle } else { ccd::edge_edge };
    (detect, bytes[HEADER..].chunks_exact(RECORD).map(Query::parse).collect())
}

/// The least of several measurements, in µs: the others were disturbed.
fn microseconds(mut work: impl FnMut()) -> f64 {
    let measure = |_| {
        let clock = Instant::now();
        work();
        clock.elapsed().as_secs_f64() * 1e6
    };
    (0..4).map(measure).fold(f64::INFINITY, f64::min)
}

/// Asks all queries of a file; false positives are allowed up to a number.
fn check(name: &str, allowed_false_positives: usize) {
    let (detect, queries) = read(name);
    let (mut missed, mut late, mut false_positives) = (0, 0, 0);
    let (mut early, mut costs) = (Vec::new(), Vec::new());
    for Query { start, end, collides, time } in &queries {
        let found = detect(start, end, 0.0);
        missed += usize::from(*collides && found.is_none());
        false_positives += usize::from(!collides && found.is_some());
        if let Some(found) = found
            && !time.is_nan()
        {
            late += usize::from(found > *time);
            early.push(time - found);
        }
        costs.push(microseconds(|| _ = detect(black_box(start), black_box(end), 0.0)));
    }
    early.sort_by(f64::total_cmp);
    costs.sort_by(f64::total_cmp);
    println!(
        "{name}: {} queries, {missed} missed, {late} late, {false_positives} false positives; \
         {:.2} µs (median {:.2}, largest {:.1}); early by {:.0e} (largest {:.0e})",
        queries.len(),
        costs.iter().sum::<f64>() / costs.len() as f64,
        costs[costs.len() / 2],
        costs[costs.len() - 1],
        early[early.len() / 2],
        early[early.len() - 1],
    );
    assert_eq!((missed, late), (0, 0), "{name}");
    assert!(false_positives <= allowed_false_positives, "{name}: {false_positives} false positives");
    assert!(early[early.len() / 2] <= 1e-10, "{name}: early by {}", early[early.len() / 2]);
}

#[test]
fn handcrafted_queries() {
    check("handcrafted_ee", 0);
    check("handcrafted_vf", 0);
}

#[test]
fn queries_of_simulations() {
    check("cloth-funnel_ee", 0);
    check("cloth-funnel_vf", 0);
    check("n-body-simulation_ee", 0);
    check("n-body-simulation_vf", 0);
}

/// Elements of 1 cm that move by some millimetres, a few centimetres from each other at most: what a
/// broad phase asks for.
fn cloth_pairs() -> Vec<[[DVec3; 4]; 2]> {
    let mut noise = Noise::new(1);
    let mut vector = |size: f64| 0.5 * size * noise.vector().as_dvec3();
    (0..4096)
        .map(|_| {
            let start = std::array::from_fn(|_| vector(0.02));
            [start, start.map(|corner| corner + vector(0.004))]
        })
        .collect()
}

#[test]
fn cost_on_cloth() {
    let pairs = cloth_pairs();
    for (name, detect) in [("vertex-face", ccd::point_triangle as Detector), ("edge-edge", ccd::edge_edge)] {
        for hits in [true, false] {
            let answer =
                |[start, end]: &[[DVec3; 4]; 2]| detect(black_box(start), black_box(end), 1e-4).is_some();
            let chosen: Vec<_> = pairs.iter().filter(|pair| answer(pair) == hits).collect();
            let each = microseconds(|| chosen.iter().for_each(|pair| _ = black_box(answer(pair))))
                / chosen.len() as f64;
            let kind = if hits { "within 0.1 mm" } else { "apart" };
            println!("cloth, {name}, {} {kind}: {:.0} ns", chosen.len(), 1e3 * each);
        }
    }
}
