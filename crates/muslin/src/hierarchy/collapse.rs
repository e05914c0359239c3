//! Which neighbour a vertex had best be collapsed into, and what that costs.
//!
//! Input: the mesh as it stands and a vertex. Output: the cheapest legal target, if any.
//!
//! The cost is |uv|²/q², q being the quality of the worst triangle that the collapse makes, times
//! a penalty for a valence far from six. Short edges go first, so all triangles of a level come
//! out at about the same size; the quality keeps them round. Error quadrics, the usual choice,
//! preserve shape instead of roundness: on flat cloth every collapse would be free and the coarse
//! triangles slivers, in which shape matching is ill-conditioned.

use glam::DVec3;

use super::working_mesh::{Ring, Star, WorkingMesh};

/// The largest number of neighbours that a collapse may give to a vertex.
const LARGEST_VALENCE: usize = 11;
/// The smallest quality of a triangle made by a collapse, unless that is no worse than before.
const SMALLEST_QUALITY: f64 = 0.4;
/// The smallest cosine between the normals of a triangle before and after.
const SMALLEST_NORMAL_COSINE: f64 = 0.5;
/// Cosine of the turn of the boundary, 30°, from which on a vertex of the user's mesh is a corner.
const CORNER_TURN_COSINE: f64 = 0.866_025_403_784_438_6;
/// Cosine of the largest turn, 45°, at a vertex that may go. More than the above, because the
/// turns of a round hem or neckline grow from level to level: with 30° they would keep seven to
/// twelve vertices each, however coarse the rest gets.
const REMOVABLE_TURN_COSINE: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// Growth of the cost per squared unit of valence away from the best one.
const VALENCE_PENALTY: f64 = 0.05;

/// A possible collapse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Collapse {
    /// The neighbour that takes over.
    pub(super) target: u32,
    /// In m², weighted.
    pub(super) cost: f64,
}

/// Finds the best collapse of a vertex. Holds only scratch memory.
#[derive(Default)]
pub(super) struct Scorer {
    ring: Ring,
    /// For each triangle of the star: its two outer corners, and a normal for the flip test.
    outer: Vec<[DVec3; 2]>,
    normals: Vec<DVec3>,
    worst_quality_sq: f64,
    targets: Vec<u32>,
}

impl Scorer {
    /// The cheapest collapse of a vertex that the geometry allows. The topology is not looked at:
    /// that is costly, and it hardly ever forbids what the geometry allows.
    pub(super) fn likely(&mut self, mesh: &WorkingMesh, removed: u32) -> Option<Collapse> {
        self.find_targets(mesh, removed);
        self.cheapest(mesh, removed, |_| true)
    }

    /// The cheapest collapse of a vertex that is legal.
    pub(super) fn legal(&mut self, mesh: &WorkingMesh, removed: u32) -> Option<Collapse> {
        self.find_targets(mesh, removed);
        self.cheapest(mesh, removed, |target| mesh.keeps_topology(removed, &self.ring, target))
    }

    /// Finds the possible targets of a vertex, and measures its star.
    fn find_targets(&mut self, mesh: &WorkingMesh, removed: u32) {
        self.targets.clear();
        if mesh.is_kept(removed) || mesh.valence(removed) > LARGEST_VALENCE + 1 {
            return;
        }
        mesh.ring(removed, &mut self.ring);
        let here = mesh.position(removed);
        if mesh.star(removed) == Star::Disc {
            self.targets.extend(self.ring.iter().map(|pair| pair[0]));
        } else if let Some([after, before]) = boundary_neighbours(&self.ring)
            && turn_cosine(mesh.position(before), here, mesh.position(after)) >= REMOVABLE_TURN_COSINE
        {
            self.targets.extend([after, before]);
        }
        self.measure_star(mesh, here);
    }

    /// The cheapest of the targets that pass a last test.
    fn cheapest(&self, mesh: &WorkingMesh, removed: u32, allowed: impl Fn(u32) -> bool) -> Option<Collapse> {
        let mut best: Option<Collapse> = None;
        for &target in &self.targets {
            let limit = best.map_or(f64::INFINITY, |held| held.cost);
            if let Some(cost) = self.cost(mesh, removed, target, limit)
                && best.is_none_or(|held| cost < held.cost || target < held.target)
                && allowed(target)
            {
                best = Some(Collapse { target, cost });
            }
        }
        best
    }

    /// Notes the shape of the star before the collapse.
    fn measure_star(&mut self, mesh: &WorkingMesh, here: DVec3) {
        self.outer.clear();
        self.normals.clear();
        self.worst_quality_sq = 1.0;
        let mut sum = DVec3::ZERO;
        for &[a, b] in &self.ring {
            let corners = [mesh.position(a), mesh.position(b)];
            let (normal, quality_sq) = normal_and_quality_sq(here, corners);
            self.worst_quality_sq = self.worst_quality_sq.min(quality_sq);
            self.outer.push(corners);
            self.normals.push(normal);
            sum += normal;
        }
        // A triangle without area has no normal to compare with: take that of the whole star.
        if self.worst_quality_sq < 1e-12 {
            let normals = self.normals.iter_mut().zip(&self.outer);
            normals.filter(|(_, c)| normal_and_quality_sq(here, **c).1 < 1e-12).for_each(|(n, _)| *n = sum);
        }
    }

    /// The cost of a collapse; `None` if it is above `limit` or makes a bad triangle.
    fn cost(&self, mesh: &WorkingMesh, removed: u32, target: u32, limit: f64) -> Option<f64> {
        let there = mesh.position(target);
        let length_sq = there.distance_squared(mesh.position(removed));
        let shared = if mesh.star(removed) == Star::HalfDisc { 3 } else { 4 };
        let valence = (mesh.valence(removed) + mesh.valence(target)).saturating_sub(shared);
        let penalty = valence_penalty(mesh.star(target), valence);
        if valence > LARGEST_VALENCE || length_sq * penalty > limit {
            return None;
        }
        let mut worst_quality_sq = 1.0_f64;
        for (i, pair) in self.ring.iter().enumerate() {
            if pair.contains(&target) {
                continue;
            }
            let (normal, quality_sq) = normal_and_quality_sq(there, self.outer[i]);
            let old = self.normals[i];
            let product = normal.dot(old);
            let smallest_sq = SMALLEST_NORMAL_COSINE.powi(2) * normal.length_squared() * old.length_squared();
            if !(product > 0.0 && product * product >= smallest_sq) {
                return None;
            }
            worst_quality_sq = worst_quality_sq.min(quality_sq);
        }
        let enough = SMALLEST_QUALITY.powi(2).min(self.worst_quality_sq);
        let cost = length_sq * penalty / worst_quality_sq;
        (worst_quality_sq >= enough && worst_quality_sq > 0.0 && cost <= limit).then_some(cost)
    }
}

/// Makes a collapse dearer the further it takes the valence of its target above the best one.
fn valence_penalty(target: Star, valence: usize) -> f64 {
    let best = if target == Star::HalfDisc { 4.0 } else { 6.0 };
    let excess = (valence as f64 - best).max(0.0);
    1.0 + VALENCE_PENALTY * excess * excess
}

/// The next and the previous vertex along the boundary of a vertex whose star is half a disc.
pub(super) fn boundary_neighbours(ring: &[[u32; 2]]) -> Option<[u32; 2]> {
    let after = ring.iter().map(|pair| pair[0]).find(|&v| ring.iter().all(|pair| pair[1] != v))?;
    let before = ring.iter().map(|pair| pair[1]).find(|&v| ring.iter().all(|pair| pair[0] != v))?;
    Some([after, before])
}

/// Whether the boundary turns so sharply at `here` that the vertex must survive.
pub(super) fn is_corner(before: DVec3, here: DVec3, after: DVec3) -> bool {
    turn_cosine(before, here, after) < CORNER_TURN_COSINE
}

/// Cosine of the angle by which a path turns: 1 straight on, −1 back.
fn turn_cosine(before: DVec3, here: DVec3, after: DVec3) -> f64 {
    let (incoming, outgoing) = (here - before, after - here);
    let lengths = (incoming.length_squared() * outgoing.length_squared()).sqrt();
    // Vertices at the same place do not turn.
    if lengths > 0.0 { incoming.dot(outgoing) / lengths } else { 1.0 }
}

/// The normal of a triangle (twice its area long) and the square of its quality
/// q = 4√3 · area / (sum of squared sides): 1 if equilateral, 0 if degenerate.
fn normal_and_quality_sq(a: DVec3, [b, c]: [DVec3; 2]) -> (DVec3, f64) {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let normal = ab.cross(ac);
    let sides_sq = ab.length_squared() + ac.length_squared() + bc.length_squared();
    let quality_sq = 12.0 * normal.length_squared() / (sides_sq * sides_sq);
    (normal, if sides_sq > 0.0 { quality_sq } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quality_of_known_triangles() {
        let equilateral = [DVec3::X, DVec3::new(0.5, 0.75_f64.sqrt(), 0.0)];
        assert!((normal_and_quality_sq(DVec3::ZERO, equilateral).1 - 1.0).abs() < 1e-12);
        let right = normal_and_quality_sq(DVec3::ZERO, [DVec3::X, DVec3::Y]);
        assert_eq!(right.0, DVec3::Z);
        assert!((right.1 - 0.75).abs() < 1e-12);
        assert_eq!(normal_and_quality_sq(DVec3::X, [DVec3::X, DVec3::X]).1, 0.0);
    }

    #[test]
    fn a_right_angle_is_a_corner_and_a_slight_bend_is_not() {
        assert!(is_corner(DVec3::NEG_X, DVec3::ZERO, DVec3::Y));
        assert!(!is_corner(DVec3::NEG_X, DVec3::ZERO, DVec3::new(1.0, 0.5, 0.0)));
        assert!(!is_corner(DVec3::ZERO, DVec3::ZERO, DVec3::Y));
    }

    #[test]
    fn the_centre_of_a_hexagon_may_go_and_its_corners_may_not() {
        let corner = |k: i32| {
            let angle = f64::from(k) * std::f64::consts::FRAC_PI_3;
            DVec3::new(angle.cos(), angle.sin(), 0.0)
        };
        let positions: Vec<DVec3> = std::iter::once(DVec3::ZERO).chain((0..6).map(corner)).collect();
        let triangles: Vec<[u32; 3]> = (0..6).map(|k| [0, 1 + k, 1 + (k + 1) % 6]).collect();
        let mesh = WorkingMesh::new(&positions, &triangles, &[false; 7]);
        let mut scorer = Scorer::default();
        assert!(scorer.legal(&mesh, 0).is_some());
        assert!((1..7).all(|v| scorer.legal(&mesh, v).is_none()));
    }
}
