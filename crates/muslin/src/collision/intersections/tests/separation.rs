//! An independent answer in integers: two convex sets are apart if and only if a direction separates them.
//!
//! It is enough to try the direction between the closest points: from a corner to a corner, from a corner
//! to an edge, from an edge to an edge, or along the normal of a face.

/// A point or a direction.
pub(super) type Lattice = [i128; 3];

/// Whether the convex hulls of two sets of points have no point in common.
pub(super) fn are_apart(s: &[Lattice], t: &[Lattice]) -> bool {
    let (s_edges, t_edges) = (edges(s), edges(t));
    let crossed = |a: &[Lattice], b: &[Lattice]| -> Vec<Lattice> {
        a.iter().flat_map(|&a| b.iter().map(move |&b| cross(a, b))).collect()
    };
    let corners: Vec<Lattice> = s.iter().flat_map(|&p| t.iter().map(move |&q| between(p, q))).collect();
    let across = |edges: &[Lattice]| -> Vec<Lattice> {
        edges.iter().flat_map(|&e| corners.iter().map(move |&w| cross(e, cross(w, e)))).collect()
    };
    let faces = |edges: &[Lattice]| crossed(edges, edges);
    let directions = [
        across(&s_edges),
        across(&t_edges),
        crossed(&s_edges, &t_edges),
        faces(&s_edges),
        faces(&t_edges),
        corners.clone(),
    ];
    directions.iter().flatten().any(|&direction| separates(direction, s, t) || separates(direction, t, s))
}

fn separates(direction: Lattice, low: &[Lattice], high: &[Lattice]) -> bool {
    let along = |p: &Lattice| (0..3).map(|k| direction[k] * p[k]).sum::<i128>();
    low.iter().map(along).max() < high.iter().map(along).min()
}

/// The directions between all corners; those that are no edges do no harm.
fn edges(points: &[Lattice]) -> Vec<Lattice> {
    let all = (0..points.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
    all.map(|[i, j]| between(points[i], points[j])).collect()
}

pub(super) fn between(from: Lattice, to: Lattice) -> Lattice {
    [0, 1, 2].map(|k| to[k] - from[k])
}

pub(super) fn cross(a: Lattice, b: Lattice) -> Lattice {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
