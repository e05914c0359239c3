//! Where cloth is so flat that neighbouring triangles cannot meet: these pairs need no test.
//!
//! Input: a mesh once; positions at the start and the end of each step. Output: for each vertex
//! whether its star (the triangles around it) is flat. Without this nearly all pairs of the broad
//! phase would be neighbours: six of seven in a cloth at rest.
//!
//! The star is laid out in a plane once, as a polygon. In triangle t the cloth's place changes with that in the plane
//! by the constant 3×2 matrix F_t. Points ξ and η of the star are joined by a path in it, along which the places
//! add up; with F the mean of the F_t and D the largest |F_t − F| they keep
//!
//!   |x(ξ) − x(η)| = |∫ F_t ds| ≥ σ_min(F) |ξ − η| − D · (length of the path) ≥ (σ_min(F) − c D) |ξ − η|.
//!
//! The shortest path in a polygon turns at its reentrant corners only, by no more than these turn; and a path that turns by
//! τ < π in all is at most 1 / cos(τ/2) times as long as its ends are apart: that is c. It is at most 2 r / d, too,
//! because the way over the vertex is no longer than twice the radius r, and features without a common vertex are at least
//! d apart in the plane.
//!
//! When every corner has gone by at most u against the vertex since that was computed for some place, no F_t has changed by more than
//! g u, with g = √2 max |the inverse that F_t is made with|; so what is in brackets is still σ_min(F) − c D − (1 + 2 c) g u. That is
//! asked first: cloth bends slowly.
//!
//! During the step every F_t is interpolated linearly, so D is at most the larger of both ends', and
//! σ_min(F) at least (σ₀ + σ₁ − |F₁ − F₀|) / 2. Nothing is left to chance: a star counts as flat only if
//! the bound exceeds the gap to be kept, or the part of the distance at rest that neighbours keep.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec3A, Vec4};

use super::narrow::OF_REST_DISTANCE;
use crate::collision::CLEARANCE;
use crate::execution::Execution;
use crate::math::csr::Csr;
use crate::math::proximity;

/// What is left of a bound after rounding, generously.
const ROUNDING: f32 = 0.999;

/// Stars per piece of work.
const CHUNK: usize = 512;

/// Paths that turn by more than this are not followed.
const MOST_TURNING: f32 = 2.5;

/// The stars of one cloth.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlatStars {
    /// Per vertex its triangles.
    first: Vec<u32>,
    sectors: Vec<Sector>,
    /// Per vertex.
    sizes: Vec<Size>,
    /// Per vertex, when it was last judged.
    flat: Vec<bool>,
    /// Per vertex how far its corners may go against it, metres, from where they were when it was last looked at closely, and its star is
    /// still flat.
    lasting: Vec<f32>,
    /// Per triangle of a star: from the vertex to its corners then.
    arms: Vec<[Vec3; 2]>,
    /// Where vertices ended when stars were last judged.
    last_end: Vec<Vec4>,
    /// Whether a vertex or a corner of its star has moved.
    moved: Vec<bool>,
    /// Those that ceased to be flat when they were last judged.
    lost: Vec<usize>,
    /// What threads find.
    judged: Vec<Vec<Judged>>,
}

/// Where the vertices of a cloth start and end in a step, and the gap it keeps to itself, metres.
#[derive(Clone, Copy)]
pub(crate) struct Motion<'a> {
    pub start: &'a [Vec4],
    pub end: &'a [Vec4],
    pub gap: f32,
}

/// Which stars are judged.
#[derive(Clone, Copy)]
pub(crate) enum Which<'a> {
    /// All.
    All,
    /// Those that were flat.
    Flat,
    /// Those that were flat, if a vertex of theirs has moved; and by what is asked for at the end of a step.
    FlatAndMoved(&'a [bool]),
}

/// A star that was looked at closely.
#[derive(Clone, Copy, Debug)]
struct Judged {
    vertex: usize,
    is_flat: bool,
    /// See [`FlatStars::lasting`].
    lasting: f32,
}

/// A triangle of a star.
#[derive(Clone, Copy, Debug)]
struct Sector {
    /// The other two corners.
    corners: [u32; 2],
    /// The inverse of the 2×2 matrix of the corners' places in the plane, by columns.
    inverse: [Vec2; 2],
}

/// What of a star's layout counts.
#[derive(Clone, Copy, Debug)]
struct Size {
    /// d, metres.
    distance: f32,
    /// c.
    detour: f32,
    /// The gap that two features of it keep at the most, relative to their distance in the plane.
    kept: f32,
    /// (1 + 2 c) g, 1/m.
    sensitivity: f32,
}

impl Size {
    /// Of a star that cannot be laid out: it is never flat.
    const NONE: Self = Self { distance: 0.0, detour: 0.0, kept: f32::INFINITY, sensitivity: 0.0 };
}

/// F at one end of the step, and D.
struct StarShape {
    mean: [Vec3A; 2],
    deviation: f32,
}

impl FlatStars {
    /// Lays out all stars of a mesh, given where its vertices rest.
    pub fn new(rest: &[Vec3], triangles: &[[u32; 3]], vertex_triangles: &Csr) -> Self {
        let mut stars = Self { first: vec![0], ..Self::default() };
        for v in 0..rest.len() {
            let star = Layout::new(v as u32, rest, triangles, vertex_triangles.row(v));
            let laid_out = star.and_then(|star| {
                let sectors = star.sectors()?;
                Some((star.size(&sectors), sectors))
            });
            match laid_out {
                Some((size, sectors)) => {
                    stars.sectors.extend(sectors);
                    stars.sizes.push(size);
                }
                None => stars.sizes.push(Size::NONE),
            }
            stars.first.push(stars.sectors.len() as u32);
        }
        stars.flat = vec![false; rest.len()];
        stars.lasting = vec![0.0; rest.len()];
        stars.arms = vec![[Vec3::ZERO; 2]; stars.sectors.len()];
        stars
    }

    /// Looks which stars are flat during the step; those that no longer are.
    pub fn judge(&mut self, motion: Motion<'_>, which: Which<'_>, execution: Execution) -> &[usize] {
        self.mark_moved(which);
        let needed = match which {
            // What becomes a contact starts or ends within the gap.
            Which::All | Which::Flat => motion.gap,
            Which::FlatAndMoved(_) => CLEARANCE as f32 * motion.gap,
        };
        // Starts were looked at as the ends of the step before, or at the start of this one, if nobody has moved them since.
        let is_known = self.last_end == motion.start || matches!(which, Which::FlatAndMoved(_));
        let mut judged = std::mem::take(&mut self.judged);
        let work = |first: usize, flat: &[bool], judged: &mut Vec<Judged>| {
            judged.clear();
            for (vertex, was_flat) in (first..).zip(flat) {
                let is_asked = match which {
                    Which::All => self.sizes[vertex].distance > 0.0,
                    Which::Flat => *was_flat,
                    Which::FlatAndMoved(_) => *was_flat && self.moved[vertex],
                };
                let is_surely_flat = || {
                    let at = |places| self.is_surely_flat(vertex, places);
                    *was_flat && at(motion.end) && (is_known || at(motion.start))
                };
                if is_asked && !is_surely_flat() {
                    judged.push(self.look_closely(vertex, motion, needed));
                }
            }
        };
        let chunks = execution.for_chunks(&self.flat, CHUNK, &mut judged, work);
        self.lost.clear();
        for Judged { vertex, is_flat, lasting } in chunks.iter().flatten().copied() {
            if self.flat[vertex] && !is_flat {
                self.lost.push(vertex);
            }
            (self.flat[vertex], self.lasting[vertex]) = (is_flat, lasting);
            let own = self.first[vertex] as usize..self.first[vertex + 1] as usize;
            for (sector, arms) in self.sectors[own.clone()].iter().zip(&mut self.arms[own]) {
                *arms = sector.corners.map(|c| (motion.end[c as usize] - motion.end[vertex]).truncate());
            }
        }
        self.judged = judged;
        self.last_end.clear();
        self.last_end.extend_from_slice(motion.end);
        &self.lost
    }

    /// Marks vertices whose stars have a vertex that has moved.
    fn mark_moved(&mut self, which: Which<'_>) {
        let Which::FlatAndMoved(moved) = which else { return };
        let mut own = std::mem::take(&mut self.moved);
        own.clear();
        own.resize(moved.len(), false);
        for v in (0..moved.len()).filter(|&v| moved[v]) {
            own[v] = true;
            self.star(v).iter().flat_map(|sector| sector.corners).for_each(|c| own[c as usize] = true);
        }
        self.moved = own;
    }

    /// Whether two triangles share a vertex, and whether they share one whose star is flat: then they
    /// need not be tested. Vertices are counted from `first`. Without branches: which of them are
    /// common is different for every pair, and a wrong guess takes longer than all comparisons.
    #[inline]
    pub fn common(&self, [a, b, c]: [u32; 3], [x, y, z]: [u32; 3], first: u32) -> [bool; 2] {
        let shared = |v: u32| (v == x) | (v == y) | (v == z);
        let [p, q, r] = [shared(a), shared(b), shared(c)];
        let flat = |v: u32| self.flat[(v - first) as usize];
        [p | q | r, (p & flat(a)) | (q & flat(b)) | (r & flat(c))]
    }

    fn star(&self, v: usize) -> &[Sector] {
        &self.sectors[self.first[v] as usize..self.first[v + 1] as usize]
    }

    fn look_closely(&self, vertex: usize, Motion { start, end, gap }: Motion<'_>, needed: f32) -> Judged {
        let Size { distance, detour, kept, sensitivity } = self.sizes[vertex];
        let (before, after) = (self.shape(vertex, start), self.shape(vertex, end));
        let turned = frobenius_sq([after.mean[0] - before.mean[0], after.mean[1] - before.mean[1]]).sqrt();
        let at_end = smallest_stretch(after.mean);
        let stretch = 0.5 * (smallest_stretch(before.mean) + at_end - turned);
        let bound = ROUNDING * (stretch - before.deviation.max(after.deviation) * detour);
        let left = ROUNDING * (at_end - after.deviation * detour) - kept.min(gap / distance);
        Judged {
            vertex,
            is_flat: bound > kept || bound * distance > needed,
            lasting: ROUNDING * left.max(0.0) / sensitivity,
        }
    }

    /// Whether the corners of a star have gone so little since it was looked at that it is flat there without a closer look.
    #[inline]
    fn is_surely_flat(&self, v: usize, places: &[Vec4]) -> bool {
        let center = Vec3A::from_vec4(places[v]);
        let gone = |c: u32, arm: Vec3| {
            (Vec3A::from_vec4(places[c as usize]) - center - Vec3A::from(arm)).length_squared()
        };
        let own = self.first[v] as usize..self.first[v + 1] as usize;
        let star = self.sectors[own.clone()].iter().zip(&self.arms[own]);
        // The first corners of all triangles, and the second one of the last, are all corners there are.
        let last = star.clone().next_back().map_or(0.0, |(sector, arms)| gone(sector.corners[1], arms[1]));
        let farthest = star.map(|(sector, arms)| gone(sector.corners[0], arms[0])).fold(last, f32::max);
        farthest < self.lasting[v] * self.lasting[v]
    }

    fn shape(&self, v: usize, positions: &[Vec4]) -> StarShape {
        let star = self.star(v);
        let at = |p: u32| Vec3A::from_vec4(positions[p as usize]);
        let center = at(v as u32);
        let gradient = |sector: &Sector| {
            let (p, q) = (at(sector.corners[0]) - center, at(sector.corners[1]) - center);
            let [x, y] = sector.inverse;
            [p * x.x + q * x.y, p * y.x + q * y.y]
        };
        let mut mean = [Vec3A::ZERO; 2];
        for sector in star {
            let [x, y] = gradient(sector);
            mean = [mean[0] + x, mean[1] + y];
        }
        let share = 1.0 / star.len() as f32;
        let mean = mean.map(|column| column * share);
        let off_sq = |sector: &Sector| {
            let [x, y] = gradient(sector);
            frobenius_sq([x - mean[0], y - mean[1]])
        };
        StarShape { mean, deviation: star.iter().map(off_sq).fold(0.0, f32::max).sqrt() }
    }
}

/// The Frobenius norm, squared; it is at least the spectral one.
fn frobenius_sq([x, y]: [Vec3A; 2]) -> f32 {
    x.length_squared() + y.length_squared()
}

/// The smaller singular value of a 3×2 matrix: σ² = tr/2 − √(tr²/4 − det) of FᵀF.
fn smallest_stretch([x, y]: [Vec3A; 2]) -> f32 {
    let (xx, xy, yy) = (x.length_squared(), x.dot(y), y.length_squared());
    let half = 0.5 * (xx + yy);
    let apart = (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt();
    (half - apart).max(0.0).sqrt()
}

/// A star in the plane: the vertex at the origin, for each triangle its other two corners.
struct Layout {
    corners: Vec<[u32; 2]>,
    places: Vec<[Vec2; 2]>,
    /// Whether it goes all around.
    closed: bool,
    /// What its angles were multiplied by.
    scale: f32,
}

impl Layout {
    /// Walks around the vertex; `None` unless its triangles form one fan, open or closed.
    fn new(v: u32, rest: &[Vec3], triangles: &[[u32; 3]], around: &[u32]) -> Option<Self> {
        let mut corners: Vec<[u32; 2]> = Vec::with_capacity(around.len());
        for &t in around {
            let k = triangles[t as usize].iter().position(|&c| c == v)?;
            let [p, q] = [triangles[t as usize][(k + 1) % 3], triangles[t as usize][(k + 2) % 3]];
            corners.push([p, q]);
        }
        // In order: begin where no triangle ends, if there is such a place.
        let start = corners.iter().position(|[p, _]| !corners.iter().any(|[_, q]| q == p)).unwrap_or(0);
        corners.swap(0, start);
        for i in 1..corners.len() {
            let next = (i..corners.len()).find(|&j| corners[j][0] == corners[i - 1][1])?;
            corners.swap(i, next);
        }
        let closed = corners.len() > 2 && corners.last()?[1] == corners[0][0];
        let center = rest[v as usize];
        let arm = |p: u32| rest[p as usize] - center;
        let angles: Vec<f32> = corners.iter().map(|&[p, q]| arm(p).angle_between(arm(q))).collect();
        let total: f32 = angles.iter().sum();
        // A closed fan goes around once; an open one must not overlap itself.
        let scale =
            if closed || total > 0.95 * TAU { TAU / total * if closed { 1.0 } else { 0.95 } } else { 1.0 };
        let mut angle = 0.0;
        let mut places = Vec::with_capacity(corners.len());
        for (&[p, q], own) in corners.iter().zip(angles) {
            let place = |p: u32, angle: f32| Vec2::from_angle(angle) * arm(p).length();
            places.push([place(p, angle), place(q, angle + own * scale)]);
            angle += own * scale;
        }
        Some(Self { corners, places, closed, scale })
    }

    fn sectors(&self) -> Option<Vec<Sector>> {
        let invert = |(&corners, &[p, q]): (&[u32; 2], &[Vec2; 2])| {
            let determinant = p.perp_dot(q);
            let sound = determinant > 1e-3 * p.length() * q.length();
            let inverse = [Vec2::new(q.y, -p.y) / determinant, Vec2::new(-q.x, p.x) / determinant];
            sound.then_some(Sector { corners, inverse })
        };
        self.corners.iter().zip(&self.places).map(invert).collect()
    }

    /// By how much the reentrant corners turn in all.
    fn turning(&self) -> f32 {
        let mut border: Vec<Vec2> = self.places.iter().map(|[p, _]| *p).collect();
        if !self.closed {
            border.extend(self.places.last().map(|[_, q]| *q));
            border.push(Vec2::ZERO);
        }
        let at = |i: usize| border[i % border.len()];
        let turn = |i: usize| {
            let (before, after) = (at(i + 1) - at(i), at(i + 2) - at(i + 1));
            if before.length_squared() * after.length_squared() > 0.0 { -before.angle_to(after) } else { 0.0 }
        };
        (0..border.len()).map(|i| turn(i).max(0.0)).sum()
    }

    fn size(&self, sectors: &[Sector]) -> Size {
        let flat = |p: Vec2| p.extend(0.0).as_dvec3();
        let triangle = |i: usize| [Vec3::ZERO.as_dvec3(), flat(self.places[i][0]), flat(self.places[i][1])];
        let names = |i: usize| [u32::MAX, self.corners[i][0], self.corners[i][1]];
        let mut nearest = f64::INFINITY;
        for i in 0..self.corners.len() {
            for j in 0..self.corners.len() {
                if i == j {
                    continue;
                }
                let (a, b, of_a, of_b) = (triangle(i), triangle(j), names(i), names(j));
                for k in 0..3 {
                    if !of_b.contains(&of_a[k]) {
                        let [x, y, z] = proximity::point_triangle(a[k], b);
                        nearest = nearest.min((a[k] - b[0] * x - b[1] * y - b[2] * z).length());
                    }
                    for l in 0..3 {
                        let (e, f) = ([k, (k + 1) % 3], [l, (l + 1) % 3]);
                        if e.iter().any(|&x| f.iter().any(|&y| of_a[x] == of_b[y])) {
                            continue;
                        }
                        let (e, f) = (e.map(|x| a[x]), f.map(|y| b[y]));
                        let [s, t] = proximity::edge_edge(e, f);
                        nearest = nearest.min((e[0].lerp(e[1], s) - f[0].lerp(f[1], t)).length());
                    }
                }
            }
        }
        let radius = self.places.iter().flatten().map(|p| p.length()).fold(0.0, f32::max);
        // A star of one triangle has no pairs at all.
        let nearest = if nearest.is_finite() { nearest as f32 } else { radius };
        let turning = self.turning();
        let along = if turning < MOST_TURNING { 1.0 / (0.5 * turning).cos() } else { f32::INFINITY };
        // Where angles are smaller in the plane than they are, features may be nearer to each other there.
        let kept = OF_REST_DISTANCE as f32 / self.scale.min(1.0);
        let detour = along.min(2.0 * radius / nearest);
        let steepest = sectors.iter().map(|s| s.inverse[0].length_squared() + s.inverse[1].length_squared());
        let sensitivity = (1.0 + 2.0 * detour) * (2.0 * steepest.fold(0.0, f32::max)).sqrt();
        Size { distance: nearest, detour, kept, sensitivity }
    }
}
