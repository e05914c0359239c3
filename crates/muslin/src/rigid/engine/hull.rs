//! Convex hulls, by quickhull [Barber 1996].
//!
//! Points → triangles over them, facing outwards, closed. Whether a point is beyond a triangle is decided by exact
//! arithmetic, and what lies in its plane is not: so the triangles that a new point sees are always one piece with one
//! border, and no triangle is flat. Of what stands out by less than single precision can tell nothing is made: a circle
//! keeps at most some thousand corners, however many it is given with.
//!
//! Memory is linear in the number of points. Rapier's own hull takes a facet anew for each point that it meets in its
//! plane, and keeps the old ones: a circle of 4,000 points took 2.2 GB.

#[cfg(test)]
mod tests;

use glam::DVec3;
use robust::{Coord3D, orient3d};

const NONE: u32 = u32::MAX;

/// A triangle of the hull.
#[derive(Default)]
struct Facet {
    /// Counter-clockwise from outside; all the same if it is no longer part of the hull.
    corners: [u32; 3],
    /// Across the edges from each corner to the next.
    neighbours: [u32; 3],
    /// Points that it sees, each in one facet only.
    outside: Vec<u32>,
}

/// The triangles of the convex hull of points, or why there is none. Points must be finite.
pub(super) fn hull(points: &[DVec3]) -> Result<Vec<[u32; 3]>, String> {
    let size = points.iter().fold(0.0, |size: f64, p| size.max(p.abs().max_element()));
    let mut hull = Hull {
        points,
        // The rounding of single precision, in which shapes are given.
        tolerance: f64::from(f32::EPSILON) * size,
        facets: Vec::new(),
        free: Vec::new(),
        after: vec![NONE; points.len()],
        seen: Vec::new(),
        horizon: Vec::new(),
    };
    hull.start()?;
    let mut open: Vec<u32> = (0..4).collect();
    while let Some(facet) = open.pop() {
        if let Some(point) = hull.furthest(facet) {
            hull.add(point, facet, &mut open)?;
        }
    }
    let of_hull = |facet: &&Facet| facet.corners[0] != facet.corners[1];
    Ok(hull.facets.iter().filter(of_hull).map(|facet| facet.corners).collect())
}

struct Hull<'a> {
    points: &'a [DVec3],
    /// Metres; points closer to the hull are left out.
    tolerance: f64,
    facets: Vec<Facet>,
    /// Facets that are no longer part of the hull, to be used again.
    free: Vec<u32>,
    /// For each point the new facet whose edge on the horizon begins there.
    after: Vec<u32>,
    /// Facets that the new point sees.
    seen: Vec<u32>,
    /// Edges between what it sees and what not, from and to, and the facet beyond.
    horizon: Vec<([u32; 2], u32)>,
}

impl Hull<'_> {
    /// A tetrahedron, as large as is found quickly.
    fn start(&mut self) -> Result<(), String> {
        let points = self.points;
        let largest = |measure: &dyn Fn(DVec3) -> f64| {
            let measures = points.iter().map(|&p| measure(p));
            measures.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default()
        };
        let (first, _) = largest(&|p| p.x);
        let a = points[first];
        let (second, length) = largest(&|p| p.distance(a));
        let along = (points[second] - a).normalize_or_zero();
        let (third, width) = largest(&|p| along.cross(p - a).length());
        let normal = along.cross(points[third] - a).normalize_or_zero();
        let (fourth, height) = largest(&|p| normal.dot(p - a).abs());
        for (extent, shape) in [(length, "at one place"), (width, "on one line"), (height, "in one plane")] {
            if extent <= self.tolerance {
                return Err(format!("they lie {shape}"));
            }
        }
        let [a, mut b, mut c, d] = [first, second, third, fourth].map(|p| p as u32);
        if self.is_beyond([a, b, c], d) {
            (b, c) = (c, b);
        }
        // Each faces away from the fourth; across each edge is the one without its opposite corner.
        let around =
            [([a, b, c], [1, 2, 3]), ([a, d, b], [3, 2, 0]), ([b, d, c], [1, 3, 0]), ([c, d, a], [2, 1, 0])];
        for (corners, neighbours) in around {
            self.facets.push(Facet { corners, neighbours, outside: Vec::new() });
        }
        self.distribute(0..points.len() as u32, &[0, 1, 2, 3]);
        Ok(())
    }

    fn corners(&self, facet: u32) -> [DVec3; 3] {
        self.facets[facet as usize].corners.map(|p| self.points[p as usize])
    }

    /// Whether a point is beyond a triangle, exactly.
    fn is_beyond(&self, corners: [u32; 3], point: u32) -> bool {
        let at = |p: u32| self.points[p as usize];
        let [a, b, c, d] = [corners[0], corners[1], corners[2], point].map(|p| {
            let DVec3 { x, y, z } = at(p);
            Coord3D { x, y, z }
        });
        orient3d(a, b, c, d) < 0.0
    }

    /// Gives each point to the facet, of some, that it is furthest beyond; to none if it hardly stands out.
    fn distribute(&mut self, points: impl Iterator<Item = u32>, facets: &[u32]) {
        let planes: Vec<(DVec3, DVec3)> = facets
            .iter()
            .map(|&facet| {
                let [a, b, c] = self.corners(facet);
                (a, (b - a).cross(c - a).normalize_or_zero())
            })
            .collect();
        for point in points {
            let place = self.points[point as usize];
            let height = |&(a, normal): &(DVec3, DVec3)| normal.dot(place - a);
            let highest = planes.iter().map(height).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((k, height)) = highest else { return };
            let facet = &self.facets[facets[k] as usize];
            if height > self.tolerance && self.is_beyond(facet.corners, point) {
                self.facets[facets[k] as usize].outside.push(point);
            }
        }
    }

    /// The point of a facet that is furthest beyond it.
    fn furthest(&self, facet: u32) -> Option<u32> {
        if self.facets[facet as usize].outside.is_empty() {
            return None;
        }
        let [a, b, c] = self.corners(facet);
        let normal = (b - a).cross(c - a);
        let height = |p: &u32| normal.dot(self.points[*p as usize] - a);
        self.facets[facet as usize].outside.iter().copied().max_by(|p, q| height(p).total_cmp(&height(q)))
    }

    /// Takes a point that a facet sees into the hull; new facets that see points are `open`.
    fn add(&mut self, point: u32, facet: u32, open: &mut Vec<u32>) -> Result<(), String> {
        self.look_around(point, facet);
        let mut orphans = Vec::new();
        for &seen in &self.seen {
            let facet = &mut self.facets[seen as usize];
            orphans.append(&mut facet.outside);
            facet.corners = [NONE; 3];
            self.free.push(seen);
        }
        let mut new = Vec::with_capacity(self.horizon.len());
        for &([from, to], beyond) in &self.horizon {
            let number = self.free.pop().unwrap_or(self.facets.len() as u32);
            if number as usize == self.facets.len() {
                self.facets.push(Facet::default());
            }
            let facet = &mut self.facets[number as usize];
            (facet.corners, facet.neighbours) = ([from, to, point], [beyond, NONE, NONE]);
            let outer = &mut self.facets[beyond as usize];
            let edge = (0..3).find(|&k| outer.corners[k] == to && outer.corners[(k + 1) % 3] == from);
            // What was computed exactly cannot come to this.
            let edge = edge.ok_or("its facets do not fit together")?;
            outer.neighbours[edge] = number;
            self.after[from as usize] = number;
            new.push(number);
        }
        for &number in &new {
            let [_, to, _] = self.facets[number as usize].corners;
            let next = self.after[to as usize];
            let follows = |facet: &Facet| facet.corners[0] == to && facet.corners[2] == point;
            if !self.facets.get(next as usize).is_some_and(follows) {
                return Err("its horizon is not closed".to_owned());
            }
            self.facets[number as usize].neighbours[1] = next;
            self.facets[next as usize].neighbours[2] = number;
        }
        self.distribute(orphans.into_iter().filter(|&p| p != point), &new);
        open.extend(new.into_iter().filter(|&number| !self.facets[number as usize].outside.is_empty()));
        Ok(())
    }

    /// Finds the facets that a point sees, from one of them, and the horizon around them.
    fn look_around(&mut self, point: u32, facet: u32) {
        self.seen.clear();
        self.horizon.clear();
        self.seen.push(facet);
        let mut next = 0;
        let mut known = std::collections::HashSet::from([facet]);
        while let Some(&facet) = self.seen.get(next) {
            next += 1;
            let Facet { corners, neighbours, .. } = &self.facets[facet as usize];
            let (corners, neighbours) = (*corners, *neighbours);
            for (k, neighbour) in neighbours.into_iter().enumerate() {
                if known.contains(&neighbour) {
                    continue;
                }
                if self.is_beyond(self.facets[neighbour as usize].corners, point) {
                    known.insert(neighbour);
                    self.seen.push(neighbour);
                } else {
                    self.horizon.push(([corners[k], corners[(k + 1) % 3]], neighbour));
                }
            }
        }
    }
}
