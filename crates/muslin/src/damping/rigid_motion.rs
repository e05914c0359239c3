//! The best rigid motion of each connected piece of a cloth, and the approach of velocities to it.
//!
//! The velocity V of a centre and the angular velocity ω minimise Σ m |v − V − ω × (x − c)|². With c the centre of mass,
//!
//! ```text
//! V = Σ m v / Σ m,   ω = I⁻¹ Σ m (x − c) × v,   I = Σ m (|x − c|² − (x − c)(x − c)ᵀ)
//! ```
//!
//! Pinned particles have no mass, but a rigid motion of pinned cloth is one that its pins take part in: a cloth on one pin may
//! turn about it, one on a line about the line, one on three not at all. So they enter with a weight, all together a
//! thousand times ([`PINS`]) what is free. For pins at rest the energy still only falls: with ρ the rigid motion found,
//! Σ m (v − ρ)·ρ = Σ weight |ρ|² ≥ 0 over the pins, hence Σ m v·(ρ − v) ≤ 0.
//!
//! Sums are taken over stretches of a fixed size and put together in their order, in double precision and from a particle of the
//! piece on: the same bits for any number of threads, and nothing lost far from the origin.

use glam::{DMat3, DVec3, Vec4};

use crate::execution::Execution;
use crate::mesh::{Topology, pieces};

/// Weight of all pins of a piece, relative to its free mass. Single precision, the GPU's, bears no more.
const PINS: f64 = 1000.0;

/// What is added to moments of inertia, relative to their sum: a piece in a line has none about it.
const LEAST_INERTIA: f64 = 1e-12;

/// The connected pieces of a cloth.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    /// Piece of each vertex.
    pub piece: Vec<u32>,
    /// Vertices by piece.
    pub members: Vec<u32>,
    stretches: Vec<Stretch>,
    motions: Vec<RigidMotion>,
}

/// Some vertices of a piece.
#[derive(Clone, Debug)]
struct Stretch {
    piece: usize,
    /// In `members`.
    range: std::ops::Range<usize>,
    /// Where positions are measured from.
    origin: u32,
    free: Sums,
    pins: Sums,
}

/// Σ m, Σ m x, Σ m v, Σ m x × v, Σ m x xᵀ (on and above the diagonal).
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    mass: f64,
    place: DVec3,
    momentum: DVec3,
    angular: DVec3,
    squares: DVec3,
    products: DVec3,
}

impl Sums {
    fn add(&mut self, mass: f64, x: DVec3, v: DVec3) {
        self.mass += mass;
        self.place += mass * x;
        self.momentum += mass * v;
        self.angular += mass * x.cross(v);
        self.squares += mass * x * x;
        self.products += mass * DVec3::new(x.y * x.z, x.z * x.x, x.x * x.y);
    }

    fn add_times(&mut self, other: &Self, factor: f64) {
        self.mass += factor * other.mass;
        self.place += factor * other.place;
        self.momentum += factor * other.momentum;
        self.angular += factor * other.angular;
        self.squares += factor * other.squares;
        self.products += factor * other.products;
    }

    /// The formulas above.
    fn motion(&self, origin: DVec3) -> RigidMotion {
        if self.mass == 0.0 {
            return RigidMotion::default();
        }
        let (centre, velocity) = (self.place / self.mass, self.momentum / self.mass);
        let angular = self.angular - self.place.cross(velocity);
        let squares = self.squares - self.place * centre;
        let c = centre;
        let products = self.products - self.mass * DVec3::new(c.y * c.z, c.z * c.x, c.x * c.y);
        let sum = squares.element_sum();
        let least = (2.0 * LEAST_INERTIA * sum).max(f64::MIN_POSITIVE);
        let moments = DVec3::splat(sum + least) - squares;
        let inertia = DMat3::from_cols(
            DVec3::new(moments.x, -products.z, -products.y),
            DVec3::new(-products.z, moments.y, -products.x),
            DVec3::new(-products.y, -products.x, moments.z),
        );
        // A point has nothing to turn, and nothing to divide by.
        let rotation = if sum > 0.0 { inertia.inverse() * angular } else { DVec3::ZERO };
        let rotation = if rotation.is_finite() { rotation } else { DVec3::ZERO };
        RigidMotion { centre: origin + centre, velocity, rotation }
    }
}

/// A velocity of a centre and a rotation about it.
#[derive(Clone, Copy, Debug, Default)]
struct RigidMotion {
    centre: DVec3,
    velocity: DVec3,
    rotation: DVec3,
}

impl Pieces {
    /// The pieces of a mesh.
    pub fn new(topology: &Topology) -> Self {
        let pieces::Pieces { piece, count, members, stretches } =
            pieces::Pieces::without(topology, |_| false);
        let mut origins = vec![0; count];
        stretches.iter().rev().for_each(|(piece, range)| origins[*piece] = members[range.start]);
        let stretch = |(piece, range)| Stretch {
            piece,
            range,
            origin: origins[piece],
            free: Sums::default(),
            pins: Sums::default(),
        };
        let stretches = stretches.into_iter().map(stretch).collect();
        Self { piece, members, stretches, motions: vec![RigidMotion::default(); count] }
    }

    /// Piece, range of members, and origin of every stretch, by piece.
    #[cfg(feature = "gpu")]
    pub fn stretches(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>, u32)> {
        self.stretches.iter().map(|stretch| (stretch.piece, stretch.range.clone(), stretch.origin))
    }

    /// Takes a share of what velocities have beyond the rigid motion of their piece.
    pub fn approach(&mut self, points: &[Vec4], velocities: &mut [Vec4], share: f64, execution: Execution) {
        self.find(points, velocities, execution);
        let Self { piece, motions, .. } = self;
        execution.for_each_chunk(velocities, |first, chunk| {
            for (offset, velocity) in chunk.iter_mut().enumerate() {
                let v = first + offset;
                if points[v].w > 0.0 {
                    let motion = &motions[piece[v] as usize];
                    let arm = points[v].truncate().as_dvec3() - motion.centre;
                    let own = velocity.truncate().as_dvec3();
                    let beyond = own - motion.velocity - motion.rotation.cross(arm);
                    *velocity = (own - share * beyond).as_vec3().extend(velocity.w);
                }
            }
        });
    }

    fn find(&mut self, points: &[Vec4], velocities: &[Vec4], execution: Execution) {
        let Self { members, stretches, motions, .. } = self;
        execution.for_each(stretches, |_, stretch| {
            let origin = points[stretch.origin as usize].truncate().as_dvec3();
            (stretch.free, stretch.pins) = (Sums::default(), Sums::default());
            for &v in &members[stretch.range.clone()] {
                let (point, velocity) = (points[v as usize], velocities[v as usize]);
                let (x, v) = (point.truncate().as_dvec3() - origin, velocity.truncate().as_dvec3());
                match point.w > 0.0 {
                    true => stretch.free.add(1.0 / f64::from(point.w), x, v),
                    false => stretch.pins.add(1.0, x, v),
                }
            }
        });
        for own in stretches.chunk_by(|a, b| a.piece == b.piece) {
            let (mut all, mut pins) = (Sums::default(), Sums::default());
            for stretch in own {
                all.add_times(&stretch.free, 1.0);
                pins.add_times(&stretch.pins, 1.0);
            }
            if pins.mass > 0.0 {
                all.add_times(&pins, PINS * all.mass / pins.mass);
            }
            let origin = points[own[0].origin as usize].truncate().as_dvec3();
            motions[own[0].piece] = all.motion(origin);
        }
    }
}
