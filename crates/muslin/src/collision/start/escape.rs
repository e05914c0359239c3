//! Cloth that starts inside of a closed mesh: the way out.
//!
//! Points of cloth, a closed mesh → patches of cloth inside of it, each with the direction in which it leaves
//! and how far it has to go. The curves that `tangles` shortens do not tell inside from outside, and a
//! cloth wholly inside has none.
//!
//! A patch moves as a whole. Sending each particle to the nearest place of the surface would be shorter, but
//! would draw a cloth in the middle of a plate or across a pole to both sides of it, from where there is no
//! way out. Of the six directions along the axes the patch takes the one in which the last of its particles
//! is out first; that way is at most √3 times as long as the shortest, and rays along axes are cheap.
//! While it moves, the way that is left in this direction shrinks, so the choice stays.

use glam::{DVec3, Vec3};

use crate::collision::bodies::Bodies;
use crate::collision::bodies::body::Body;
use crate::collision::detect::bvh::{Aabb, Bvh, MovingBox};
use crate::collision::intersections::inside_closed_mesh;
use crate::collision::points::Points;
use crate::math::disjoint_sets::DisjointSets;
use crate::mesh::Topology;

/// How fast a patch moves, m/s: faster than what is outside falls meanwhile, or that hangs on the mesh by what is still in
/// it. (A square of 0.9 m across a ball of 0.3 m lay on the ball after a quarter of a second; with 1 and 2 m/s it hung in it
/// for more than two, and then fell past it.)
const SPEED: f64 = 3.0;

/// How many places of a patch are asked for the way out.
const MOST_SAMPLES: usize = 64;

/// Upwards first, in both usual senses: the first of equal ways is taken.
const DIRECTIONS: [DVec3; 6] = [DVec3::Y, DVec3::Z, DVec3::X, DVec3::NEG_X, DVec3::NEG_Z, DVec3::NEG_Y];

/// Triangles of a cloth and a collider that intersect: (body, corners) of both.
pub(crate) type Crossing = [(usize, [u32; 3]); 2];

/// A connected part of a cloth inside of a closed mesh.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// The bodies of the cloth and of the mesh.
    pub bodies: [u16; 2],
    /// The points to be moved.
    pub points: Vec<u32>,
    /// The points of all triangles that are inside in part, sorted.
    pub corners: Vec<u32>,
    direction: DVec3,
    /// Metres until the last of it is out.
    distance: f64,
}

/// Whether each body is a closed mesh of a collider.
pub(crate) fn closed_meshes(bodies: &Bodies) -> Vec<bool> {
    let is_closed = |body: &Body| {
        let first = body.points.start;
        let faces = body.primitives.iter().filter(|primitive| primitive.face);
        let triangles: Vec<[u32; 3]> = faces.map(|face| face.corners.map(|p| p - first)).collect();
        !triangles.is_empty() && Topology::new(body.points.len(), &triangles).is_closed()
    };
    bodies.all.iter().map(|body| !body.is_cloth && is_closed(body)).collect()
}

/// All patches at the start of the step.
pub(crate) fn find(bodies: &Bodies, points: &Points, closed: &[bool], crossings: &[Crossing]) -> Vec<Patch> {
    let mut patches = Vec::new();
    for mesh in (0..bodies.all.len()).filter(|&body| closed[body]) {
        let solid = Solid::new(bodies, points, mesh);
        for cloth in 0..bodies.cloths {
            patches.extend(solid.patches(bodies, points, cloth, crossings));
        }
    }
    patches
}

impl Patch {
    /// Moves the ends of the patch's points outwards, and appends by how much that goes beyond their own
    /// motion: nothing that is to become a velocity.
    pub fn push(&self, bodies: &Bodies, points: &mut Points, dt: f64, recovered: &mut Vec<(u32, Vec3)>) {
        let range = bodies.all[usize::from(self.bodies[1])].range();
        let moved = |p: usize| (points.end[p] - points.start[p]).truncate().as_dvec3();
        // Whatever the mesh does, the patch goes along with its middle.
        let carried = range.clone().map(moved).sum::<DVec3>() / range.len() as f64;
        let wanted = (SPEED * dt).min(self.distance + bodies.between(self.bodies).gap);
        for &p in &self.points {
            let (start, end) = (points.start[p as usize], points.end[p as usize]);
            let along = self.direction.dot((end - start).truncate().as_dvec3() - carried);
            if end.w > 0.0 && along < wanted {
                let moved = end.truncate().as_dvec3() + self.direction * (wanted - along);
                points.end[p as usize] = moved.as_vec3().extend(end.w);
                points.changed[p as usize] = true;
                recovered.push((p, (self.direction * (wanted - along.max(0.0))).as_vec3()));
            }
        }
    }
}

/// A closed mesh at the start of the step.
struct Solid {
    body: usize,
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    tree: Bvh,
}

impl Solid {
    fn new(bodies: &Bodies, points: &Points, body: usize) -> Self {
        let first = bodies.all[body].points.start;
        let positions =
            points.start[bodies.all[body].range()].iter().map(|p| p.truncate()).collect::<Vec<_>>();
        let own = |corners: [u32; 3]| corners.map(|p| p - first);
        let triangles: Vec<_> = bodies.all[body].primitives.iter().map(|p| own(p.corners)).collect();
        let around = |t: &[u32; 3]| MovingBox::still(Aabb::of_points(t.map(|v| positions[v as usize])));
        let tree = Bvh::new(&triangles.iter().map(around).collect::<Vec<_>>());
        Self { body, positions, triangles, tree }
    }

    fn contains(&self, places: &[Vec3]) -> Vec<u32> {
        inside_closed_mesh(places, &self.positions, &self.triangles)
    }

    /// The patches of one cloth.
    fn patches(&self, bodies: &Bodies, points: &Points, cloth: usize, crossings: &[Crossing]) -> Vec<Patch> {
        let body = &bodies.all[cloth];
        let first = body.points.start;
        let at = |p: u32| points.start[p as usize].truncate();
        let positions: Vec<Vec3> = body.points.clone().map(at).collect();
        let mut inside = vec![false; positions.len()];
        self.contains(&positions).into_iter().for_each(|v| inside[v as usize] = true);
        let is_inside = |p: u32| inside[(p - first) as usize];

        // Places inside, each with the points that are moved on its behalf.
        let mut samples: Vec<(Vec3, [u32; 3])> = Vec::new();
        samples.extend(body.points.clone().filter(|&p| is_inside(p)).map(|p| (at(p), [p; 3])));
        let pierced = pierced(points, crossings, [cloth, self.body]);
        let pierced: Vec<_> = pierced.into_iter().filter(|(_, t)| !t.iter().any(|&p| is_inside(p))).collect();
        let middles: Vec<Vec3> = pierced.iter().map(|(middle, _)| *middle).collect();
        samples.extend(self.contains(&middles).into_iter().map(|i| pierced[i as usize]));
        if samples.is_empty() {
            return Vec::new();
        }

        let mut taking_part = inside.clone();
        samples.iter().flat_map(|(_, t)| t).for_each(|p| taking_part[(p - first) as usize] = true);
        let takes_part = |p: &u32| taking_part[(p - first) as usize];
        let mut sets = DisjointSets::new(positions.len());
        let mut corners = Vec::new();
        for primitive in body.primitives.iter().filter(|p| p.corners.iter().any(takes_part)) {
            let [a, b, c] = primitive.corners.map(|p| p - first);
            sets.join(a, b);
            sets.join(b, c);
            corners.extend(primitive.corners);
        }
        corners.sort_unstable();
        corners.dedup();
        let root = |p: u32| sets.root(p - first);
        let mut roots: Vec<u32> = samples.iter().map(|(_, t)| root(t[0])).collect();
        roots.sort_unstable();
        roots.dedup();
        let patch = |own: u32| {
            let samples: Vec<_> = samples.iter().filter(|(_, t)| root(t[0]) == own).collect();
            let mut points: Vec<u32> = samples.iter().flat_map(|(_, t)| *t).collect();
            points.sort_unstable();
            points.dedup();
            let corners = corners.iter().copied().filter(|&p| root(p) == own).collect();
            let (direction, distance) = self.way_out(&samples.iter().map(|(p, _)| *p).collect::<Vec<_>>());
            Patch { bodies: [cloth as u16, self.body as u16], points, corners, direction, distance }
        };
        roots.into_iter().map(patch).collect()
    }

    /// The direction in which all places are out first, and how far that is.
    fn way_out(&self, places: &[Vec3]) -> (DVec3, f64) {
        let every = places.len().div_ceil(MOST_SAMPLES);
        let mut best = (DIRECTIONS[0], f64::INFINITY);
        for direction in DIRECTIONS {
            let ways = places.iter().step_by(every).map(|place| self.way(*place, direction));
            let longest = ways.fold(0.0, f64::max);
            if longest < best.1 {
                best = (direction, longest);
            }
        }
        best
    }

    /// How far it is from a place to the surface along an axis.
    fn way(&self, place: Vec3, direction: DVec3) -> f64 {
        let far = place + direction.as_vec3() * f32::MAX;
        let mut nearest = f64::INFINITY;
        self.tree.visit(&MovingBox::still(Aabb::of_points([place, far])), |t| {
            let corners = self.triangles[t as usize].map(|v| self.positions[v as usize].as_dvec3());
            if let Some(way) = passes(place.as_dvec3(), direction, corners) {
                nearest = nearest.min(way);
            }
        });
        nearest
    }
}

/// For each triangle of a cloth that intersects a mesh: the middle of the places where edges of one pass
/// through the other, and its corners.
fn pierced(points: &Points, crossings: &[Crossing], [cloth, mesh]: [usize; 2]) -> Vec<(Vec3, [u32; 3])> {
    let own = crossings.iter().filter(|[a, b]| a.0 == cloth && b.0 == mesh).collect::<Vec<_>>();
    let at = |corners: [u32; 3]| corners.map(|p| points.start[p as usize].truncate().as_dvec3());
    let mut middles = Vec::new();
    // Pairs are sorted by the triangle of the cloth.
    for of_triangle in own.chunk_by(|s, t| s[0] == t[0]) {
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for [a, b] in of_triangle {
            let (a, b) = (at(a.1), at(b.1));
            for (edges_of, face) in [(a, b), (b, a)] {
                for k in 0..3 {
                    let (from, along) = (edges_of[k], edges_of[(k + 1) % 3] - edges_of[k]);
                    if let Some(way) = passes(from, along, face).filter(|way| *way <= 1.0) {
                        sum += from + along * way;
                        count += 1.0;
                    }
                }
            }
        }
        if count > 0.0 {
            middles.push(((sum / count).as_vec3(), of_triangle[0][0].1));
        }
    }
    middles
}

/// Where a ray passes through a triangle, in lengths of its direction. Borders count, rather twice than
/// never: which of two neighbours is passed does not matter, only where.
fn passes(from: DVec3, along: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    const SLACK: f64 = 1e-9;
    let (u, v) = (b - a, c - a);
    let normal = u.cross(v);
    let against = normal.dot(along);
    let way = normal.dot(a - from) / against;
    let hit = from + along * way - a;
    let (s, t) = (normal.dot(hit.cross(v)), normal.dot(u.cross(hit)));
    let whole = normal.length_squared();
    let within = s >= -SLACK * whole && t >= -SLACK * whole && s + t <= (1.0 + SLACK) * whole;
    (against != 0.0 && way >= 0.0 && within).then_some(way)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_pass_through_triangles_and_their_borders() {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let from = |x: f64, y: f64| passes(DVec3::new(x, y, -2.0), DVec3::Z, triangle);
        assert_eq!(from(0.2, 0.3), Some(2.0));
        assert_eq!(from(0.5, 0.5), Some(2.0));
        assert_eq!(from(0.6, 0.5), None);
        assert_eq!(from(-0.1, 0.5), None);
        assert_eq!(passes(DVec3::new(0.2, 0.2, 1.0), DVec3::Z, triangle), None);
        assert_eq!(passes(DVec3::new(-1.0, 0.2, 0.0), DVec3::X, triangle), None, "within its plane");
    }
}
