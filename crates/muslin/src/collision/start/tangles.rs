//! Cloth that starts intersecting itself, other cloth or a mesh: what is ignored until it is free, and
//! how it is untangled.
//!
//! As long as triangles intersect, pairs of features around them are not tested (they have met
//! already, and what is on the wrong side must be able to come back). All other pairs are. The
//! intersections are those of the independent counter, at the start of each step, until there are none.
//!
//! Untangling shortens the curves along which surfaces intersect [Volino 2006]: an edge with direction e
//! that passes through a triangle with normal n is moved against it along
//!
//!   g = Σ r − 2 (e·r)/(e·n) n,
//!
//! where r is the direction of the intersection of each of the edge's triangles with the one it passes
//! through, pointing into the edge's triangle. It knows no inside. What lies inside of a closed mesh leaves it
//! as `escape` says instead; until it is out, it and the mesh do not collide. Balls, capsules and planes
//! push out what starts in them without any of this.
//!
//! Surfaces of two bodies that lie (nearly) in each other have no such curve, or one that leads nowhere:
//! there, the later body moves to the side of the earlier one's normal.

use glam::{DVec3, Vec3};

use super::escape::{self, Crossing, Patch};
use crate::collision::StartPolicy;
use crate::collision::bodies::Bodies;
use crate::collision::intersections::{intersections_between, self_intersections};
use crate::collision::points::{NOWHERE, Points};
use crate::math::disjoint_sets::DisjointSets;

/// How far a point is moved at most in one step, relative to the gap.
const LARGEST_MOVE: f64 = 0.5;

/// Triangles whose normals have at least this cosine (of either sign) count as lying in each other.
const PARALLEL: f64 = 0.95;

/// Triangles that intersect at the start of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tangles {
    /// Whether a start with intersections is let through.
    allowed: bool,
    /// Whether there may be any.
    present: bool,
    /// Whether they are pulled apart.
    untangle: bool,
    self_collisions: bool,
    pairs: Vec<Crossing>,
    /// Whether each body is a closed mesh; empty as long as nobody has looked.
    closed: Vec<bool>,
    /// Cloth inside of closed meshes, if it is to be untangled.
    patches: Vec<Patch>,
    /// What patches were moved beyond their own motion, metres.
    recovered: Vec<(u32, Vec3)>,
}

impl Tangles {
    pub fn new(policy: StartPolicy, self_collisions: bool) -> Self {
        let allowed = policy != StartPolicy::Refuse;
        Self {
            allowed,
            present: allowed,
            untangle: policy == StartPolicy::Untangle,
            self_collisions,
            ..Self::default()
        }
    }

    /// Looks for intersections at the start of the step, as long as there are any, and marks the points
    /// around them.
    pub fn update(&mut self, bodies: &Bodies, points: &mut Points) {
        if !self.present {
            return;
        }
        self.pairs = find(bodies, points, self.self_collisions);
        if self.untangle {
            if self.closed.is_empty() {
                self.closed = escape::closed_meshes(bodies);
            }
            self.patches = escape::find(bodies, points, &self.closed, &self.pairs);
        }
        self.present = !self.pairs.is_empty() || !self.patches.is_empty();
        points.tangle.clear();
        points.escaping.clear();
        if !self.present {
            return;
        }
        self.mark_escaping(bodies, points);
        let mut sets = DisjointSets::new(points.start.len());
        let mut tangled = vec![false; points.start.len()];
        // A patch passes the mesh that it leaves, but must not pass itself.
        for [a, b] in self.pairs.iter().filter(|[a, b]| !points.escapes(a.1, b.0 as u16)) {
            for p in around(bodies, a).chain(around(bodies, b)) {
                tangled[p as usize] = true;
                sets.join(a.1[0], p);
            }
        }
        let number = |p: u32| if tangled[p as usize] { sets.root(p) + 1 } else { 0 };
        points.tangle = (0..points.start.len() as u32).map(number).collect();
    }

    /// The points around patches: these do not collide with the mesh that they are to leave.
    fn mark_escaping(&self, bodies: &Bodies, points: &mut Points) {
        if self.patches.is_empty() {
            return;
        }
        points.escaping.resize(points.start.len(), NOWHERE);
        for patch in &self.patches {
            let [cloth, mesh] = patch.bodies;
            for &p in &patch.corners {
                around(bodies, &(usize::from(cloth), [p; 3]))
                    .for_each(|q| points.escaping[q as usize] = mesh);
            }
        }
    }

    /// Points that are on their way out of closed meshes.
    pub fn escaping(&self) -> usize {
        self.patches.iter().map(|patch| patch.points.len()).sum()
    }

    /// Whether there may be any.
    pub fn are_present(&self) -> bool {
        self.present
    }

    /// Whether something is being done about them in this step.
    pub fn are_pulled_apart(&self) -> bool {
        self.present && self.untangle
    }

    /// Intersections may be there again: somebody has moved the cloth.
    pub fn look_again(&mut self) {
        self.present = self.allowed;
    }

    /// Moves the ends of what intersects apart, in a step of this many seconds.
    pub fn pull_apart(&mut self, bodies: &Bodies, points: &mut Points, dt: f64) {
        self.recovered.clear();
        if !self.are_pulled_apart() {
            return;
        }
        let mut pulls = vec![(DVec3::ZERO, 0.0f64); points.start.len()];
        for &[(a, s), (b, t)] in &self.pairs {
            // A patch knows its way; curves would lead it elsewhere.
            if points.escapes(s, b as u16) {
                continue;
            }
            let gap = bodies.between([a as u16, b as u16]).gap;
            if a != b && part(s, t, gap, points, &mut pulls) {
                continue;
            }
            for (edges_of, face) in [(s, t), (t, s)] {
                pull(edges_of, face, gap, points, &mut pulls);
            }
        }
        for (p, (pull, weight)) in pulls.into_iter().enumerate() {
            if weight > 0.0 && points.end[p].w > 0.0 {
                let end = points.end[p];
                points.end[p] = (end.truncate().as_dvec3() + pull / weight).as_vec3().extend(end.w);
                points.changed[p] = true;
            }
        }
        for patch in &self.patches {
            patch.push(bodies, points, dt, &mut self.recovered);
        }
    }

    /// Books what patches were moved beyond their own motion.
    pub fn book_recovery(&self, points: &mut Points) {
        self.recovered.iter().for_each(|&(p, moved)| points.recovered[p as usize] += moved);
    }
}

/// Moves triangles of two bodies that lie in each other to two sides; whether they do.
fn part(s: [u32; 3], t: [u32; 3], gap: f64, points: &Points, pulls: &mut [(DVec3, f64)]) -> bool {
    let normal = |corners: [u32; 3]| {
        let [a, b, c] = corners.map(|p| points.start[p as usize].truncate().as_dvec3());
        (b - a).cross(c - a).normalize_or_zero()
    };
    let (own, other) = (normal(s), normal(t));
    if own.dot(other).abs() < PARALLEL {
        return false;
    }
    // What cannot be moved gives the side: cloth in a face of a mesh leaves outwards.
    let fixed = t.iter().all(|&p| points.inverse_mass(p) == 0.0);
    let apart = if fixed { -other } else { own } * (0.5 * LARGEST_MOVE * gap);
    for (corners, apart) in [(s, -apart), (t, apart)] {
        for p in corners {
            pulls[p as usize].0 += apart;
            pulls[p as usize].1 += 1.0;
        }
    }
    true
}

/// Adds the pulls on the edges of a triangle that pass through a face, and on the face.
fn pull(edges_of: [u32; 3], face: [u32; 3], gap: f64, points: &Points, pulls: &mut [(DVec3, f64)]) {
    let at = |p: u32| points.start[p as usize].truncate().as_dvec3();
    let [x, y, z] = face.map(at);
    let Some(normal) = (y - x).cross(z - x).try_normalize() else { return };
    let [a, b, c] = edges_of.map(at);
    let Some(own_normal) = (b - a).cross(c - a).try_normalize() else { return };
    for k in 0..3 {
        let [p, q, other] = [0, 1, 2].map(|i| edges_of[(k + i) % 3]);
        let (from, to) = (at(p), at(q));
        let (above, below) = (normal.dot(from - x), normal.dot(to - x));
        if above * below >= 0.0 || face.contains(&p) || face.contains(&q) {
            continue;
        }
        let hit = from.lerp(to, above / (above - below));
        let [u, v, w] = crate::math::proximity::point_triangle(hit, [x, y, z]);
        let inside = (hit - x * u - y * v - z * w).length() <= 1e-6 * (y - x).length();
        let direction = (to - from).normalize_or_zero();
        let (Some(along), true) = (normal.cross(own_normal).try_normalize(), inside) else { continue };
        // Into the edge's own triangle.
        let along = along * along.dot(at(other) - hit).signum();
        let against = direction.dot(normal);
        let pull = along - normal * (2.0 * direction.dot(along) / against);
        let pull = pull.normalize_or_zero() * (LARGEST_MOVE * gap);
        for (point, share) in [(p, 0.5), (q, 0.5), (face[0], -u), (face[1], -v), (face[2], -w)] {
            pulls[point as usize].0 += pull * share;
            pulls[point as usize].1 += f64::abs(share);
        }
    }
}

/// The corners of a triangle, and of cloth the points around them.
fn around(bodies: &Bodies, &(body, corners): &(usize, [u32; 3])) -> impl Iterator<Item = u32> {
    let body = &bodies.all[body];
    let ring = corners.into_iter().filter(|_| body.is_cloth).flat_map(move |p| {
        let primitives = body.point_primitives.row((p - body.points.start) as usize);
        primitives.iter().flat_map(move |&t| body.primitives[t as usize].corners)
    });
    corners.into_iter().chain(ring)
}

/// Pairs of triangles that intersect at the start of the step.
fn find(bodies: &Bodies, points: &Points, self_collisions: bool) -> Vec<Crossing> {
    let positions: Vec<Vec3> = points.start.iter().map(|p| p.truncate()).collect();
    let faces = |body: usize| -> Vec<[u32; 3]> {
        bodies.all[body].primitives.iter().filter(|p| p.face).map(|p| p.corners).collect()
    };
    let mut found = Vec::new();
    for a in 0..bodies.cloths {
        let own = faces(a);
        let within = if self_collisions { self_intersections(&positions, &own) } else { Vec::new() };
        found.extend(within.into_iter().map(|[s, t]| [(a, own[s as usize]), (a, own[t as usize])]));
        for b in a + 1..bodies.all.len() {
            let other = faces(b);
            let between = intersections_between(&positions, &own, &positions, &other);
            found.extend(between.into_iter().map(|[s, t]| [(a, own[s as usize]), (b, other[t as usize])]));
        }
    }
    found
}
