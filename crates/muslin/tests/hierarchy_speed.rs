//! Building a hierarchy takes time near linear in the triangles. It does so on one thread.

use std::time::{Duration, Instant};

use muslin::hierarchy::{self, HierarchyOptions};
use muslin::mesh::generate;

/// How long this thread has had a core, where the system says so (Linux): on a busy machine the clock tells of others.
fn on_core() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

#[test]
fn a_million_triangles_in_six_levels_within_twenty_seconds() {
    let options = HierarchyOptions { levels: 6, ..HierarchyOptions::default() };
    let seconds = |triangles: usize| {
        let mesh = generate::delaunay_rectangle(5.0, 5.0, triangles, 1).unwrap();
        let fixed = vec![false; mesh.positions.len()];
        let (start, start_on_core) = (Instant::now(), on_core());
        let hierarchy = hierarchy::build(&mesh, &fixed, &options).unwrap();
        assert_eq!(hierarchy.levels.len(), 6);
        let taken = on_core().zip(start_on_core).map_or(start.elapsed(), |(now, then)| now - then);
        let seconds = taken.as_secs_f64();
        println!("{triangles} triangles, six levels: {seconds:.2} s");
        seconds
    };
    let (small, large) = (seconds(100_000), seconds(1_000_000));
    assert!(large < 20.0, "{large} s");
    // Ten times the triangles; the factor above ten is the caches' and the machine's other work.
    assert!(large < 18.0 * small, "{small} s and {large} s");
}
