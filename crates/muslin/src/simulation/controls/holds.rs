//! Holds: points of a cloth that are drawn to places by springs. Grabbing with a mouse.
//!
//! Input: predicted points. Output: points moved towards where they are held, and heavier for the rest of the substep.
//!
//! A hold is a spring of stiffness k between a place P and p = Σ b_i x_i, a point of a triangle (b_i ≥ 0, Σ b_i = 1). Over a
//! substep of length h it is taken by implicit Euler, which bears any k and h: x minimises
//!
//!   Σ ½ m_i |x_i − x̂_i|²/h² + ½ k |p − P|²,   x̂ being where particles would go,
//!
//! as far as the solver lets it. Beside x̂ the p in the last term turns with the triangle; with p − P replaced by Σ b_i (x_i − P_i),
//! P_i = x̂_i + P − p̂, it is at most Σ ½ k b_i |x_i − P_i|² (Jensen), with the same force where x = x̂. That is a sum over
//! particles, and each of its terms with that of inertia is
//!
//!   ½ (m_i + k h² b_i) |x_i − x*_i|²/h² + const,   x*_i = x̂_i + (P − p̂) k h² b_i/(m_i + k h² b_i)
//!
//! So: the particle is put to x*_i, and weighs m_i + k h² b_i until the substep is over; solver, bending and contacts do the
//! rest. At rest x = x̂ − g h²; solvers keep Σ m x with the masses that they see; so k (P − p) is the weight of all that hangs
//! on the hold, exactly, after however few iterations.
//!
//! Rejected: the projection of a constraint with compliance (XPBD) beside tethers. It knows the mass of one particle, and the
//! cloth around, solved after it, draws that back. At rest the point hangs g h² (M/m − 1) too low, 0.3 m for 1,000 particles
//! and 1/180 s; projected once more at the end of the substep, it stands that far out of the cloth.

use glam::DVec3;

use super::finite_place;
use crate::cloth::Keyframe;
use crate::diagnostics::energy::Momentum;
use crate::simulation::{Bending, Simulation};
use crate::solver::{Motion, Weight};
use crate::state::Carriage;
use crate::{Error, Feature};

/// How far from one the sum of weights may be.
const ROUNDING: f32 = 1e-3;

/// A point of a cloth that is drawn to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The corners of the triangle in which the point is; of a vertex three times the same.
    pub vertices: [u32; 3],
    /// How much of each there is in the point: none negative, of sum one.
    pub weights: [f32; 3],
    /// In the world, metres.
    pub place: DVec3,
    /// N/m, above zero. The cloth is M g/k below the place, if all of its weight M g hangs there.
    pub stiffness: f32,
}

impl Hold {
    /// Of a vertex.
    pub fn vertex(vertex: u32, place: DVec3, stiffness: f32) -> Self {
        Self { vertices: [vertex; 3], weights: [1.0, 0.0, 0.0], place, stiffness }
    }
}

/// The number of a hold of a cloth; none is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HoldId(u32);

/// A hold, as a step needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Held {
    id: HoldId,
    /// Internal vertices.
    vertices: [u32; 3],
    weights: [f64; 3],
    stiffness: f64,
    /// From where to where it goes.
    way: [Keyframe; 2],
    /// Where it draws its particles to in this substep, from the origin.
    aims: [DVec3; 3],
}

impl Held {
    /// Where it is in the world at a time.
    fn place(&self, time: f64) -> DVec3 {
        let [from, to] = self.way;
        match time < to.time {
            true => from.position.lerp(to.position, (time - from.time) / (to.time - from.time)),
            false => to.position,
        }
    }

    /// Its particles with their weights, those without left out.
    fn particles(&self) -> impl Iterator<Item = (usize, usize, f64)> + use<> {
        let (vertices, weights) = (self.vertices, self.weights);
        (0..3).map(move |i| (i, vertices[i] as usize, weights[i])).filter(|(.., weight)| *weight > 0.0)
    }
}

/// The holds of a cloth.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holds {
    /// By number.
    all: Vec<Held>,
    next: u32,
    /// By how much particles are heavier in this substep, by vertex.
    weights: Vec<Weight>,
    /// What their inverse masses were, in the same order.
    before: Vec<f32>,
}

impl Holds {
    /// Refuses holds, if there are any.
    pub fn refuse(&self) -> Result<(), Error> {
        let (by, what) = ("multilevel cloth", "holds, because its grid has the mass; pin a vertex instead");
        if self.all.is_empty() {
            Ok(())
        } else {
            Err(Error::Unsupported { by, feature: Feature::Hold, what })
        }
    }

    /// Moves as the cloth does.
    pub fn carry(&mut self, by: &Carriage) {
        for key in self.all.iter_mut().flat_map(|held| &mut held.way) {
            key.position = by.place(key.position);
        }
    }

    /// Takes over the holds of another; numbers that were given stay used.
    pub fn set(&mut self, other: &Self) {
        self.all.clone_from(&other.all);
        self.next = self.next.max(other.next);
    }

    /// Whether a particle is drawn somewhere in this substep.
    #[inline]
    pub fn grips(&self, v: usize) -> bool {
        self.weights.iter().any(|weight| weight.vertex as usize == v)
    }

    fn held(&mut self, id: HoldId) -> Result<usize, Error> {
        self.all.binary_search_by_key(&id, |held| held.id).map_err(|_| Error::NoSuchHold { hold: id.0 })
    }
}

impl Simulation {
    /// Draws a point of the cloth to a place, from the next step on and until it is let go: a spring, stable for every stiffness and
    /// step. Nothing has to be prepared anew for it. Pinned vertices do not feel it, and multilevel cloth has none.
    pub fn hold(&mut self, hold: Hold) -> Result<HoldId, Error> {
        let vertices = [self.internal(hold.vertices[0])?, self.internal(hold.vertices[1])?];
        let vertices = [vertices[0], vertices[1], self.internal(hold.vertices[2])?];
        let wrong = |vertex, field, problem| Err(Error::AtVertex { vertex, field, problem });
        let first = hold.vertices[0];
        for (&vertex, weight) in hold.vertices.iter().zip(hold.weights) {
            if !(weight.is_finite() && weight >= 0.0) {
                return wrong(vertex, "the weight of a hold", "it is not a finite number of at least 0");
            }
        }
        let sum: f32 = hold.weights.iter().sum();
        if !((sum - 1.0).abs() <= ROUNDING) {
            return wrong(first, "the weights of a hold", "their sum is not 1");
        }
        if !(hold.stiffness.is_finite() && hold.stiffness > 0.0) {
            return wrong(first, "the stiffness of a hold", "it is not a finite number above 0");
        }
        finite_place(first, "the place of a hold", hold.place)?;
        if self.settings.solver.motion() == Motion::OfSolver {
            let (by, what) =
                ("multilevel cloth", "holds, because its grid has the mass; pin a vertex instead");
            return Err(Error::Unsupported { by, feature: Feature::Hold, what });
        }
        if self.ahead.is_some() {
            let (by, what) = ("the GPU back end", "holds; pin a vertex and move it instead");
            return Err(Error::Unsupported { by, feature: Feature::Hold, what });
        }
        let id = HoldId(self.holds.next);
        self.holds.next += 1;
        let key = Keyframe { time: self.state.time, position: hold.place };
        self.holds.all.push(Held {
            id,
            vertices,
            weights: hold.weights.map(|weight| f64::from(weight) / f64::from(sum)),
            stiffness: hold.stiffness.into(),
            way: [key; 2],
            aims: [DVec3::ZERO; 3],
        });
        Ok(id)
    }

    /// Moves a hold: evenly, so that it is there (in the world, metres) at the end of the next step, and stays.
    pub fn move_hold(&mut self, id: HoldId, place: DVec3) -> Result<(), Error> {
        let held = self.holds.held(id)?;
        finite_place(self.user_vertex(self.holds.all[held].vertices[0]), "the place of a hold", place)?;
        let from = self.holds.all[held].place(self.state.time);
        self.holds.all[held].way = self.next_step_from(from, place);
        Ok(())
    }

    /// Leads a hold to a place in the next substep and from then on.
    pub(crate) fn lead_hold(&mut self, id: HoldId, place: DVec3) {
        if let Ok(held) = self.holds.held(id) {
            self.holds.all[held].way = [Keyframe { time: f64::MIN, position: place }; 2];
        }
    }

    /// Lets a hold go.
    pub fn let_go(&mut self, id: HoldId) -> Result<(), Error> {
        let held = self.holds.held(id)?;
        self.holds.all.remove(held);
        Ok(())
    }

    /// Draws particles to where they are held at the end of a substep of `dt` seconds, and makes them heavier.
    pub(crate) fn tighten_holds(&mut self, dt: f64) {
        let Self { holds, state, cloth, solver, bending, .. } = self;
        let Holds { all, weights, before, .. } = holds;
        // Something is left of a substep that was undone, and then the state's masses have been brought back with it.
        let was_undone = !weights.is_empty();
        weights.clear();
        before.clear();
        if all.is_empty() && !was_undone {
            return;
        }
        for held in all.iter() {
            for (_, v, weight) in held.particles().filter(|&(_, v, _)| state.points[v].w > 0.0) {
                let added = held.stiffness * dt * dt * weight;
                match weights.binary_search_by_key(&v, |weight| weight.vertex as usize) {
                    Ok(known) => weights[known].added += added,
                    Err(place) => weights.insert(place, Weight { vertex: v as u32, added }),
                }
            }
        }
        // All see where particles would go; at one that several hold, each has its share of the mass.
        for held in all.iter_mut() {
            let is = held.particles().map(|(_, v, weight)| state.position(v) * weight).sum::<DVec3>();
            let way = held.place(state.time + dt) - state.origin - is;
            held.particles().for_each(|(i, v, _)| held.aims[i] = state.position(v) + way);
        }
        let mean = cloth.total_mass() / cloth.vertex_count() as f64;
        for weight in weights.iter() {
            let v = weight.vertex as usize;
            let drawn = |held: &Held| {
                let own = held.particles().filter(|&(_, own, _)| own == v);
                own.map(|(i, _, part)| held.stiffness * dt * dt * part * (held.aims[i] - state.position(v)))
                    .sum::<DVec3>()
            };
            let moment: DVec3 = all.iter().map(drawn).sum();
            let mass = cloth.masses[v] + weight.added;
            before.push(state.points[v].w);
            state.shift(v, moment / mass);
            state.weigh(v, (mean / mass) as f32);
        }
        if let Bending::Position(bending) = bending {
            let share = |weight: &Weight| {
                let mass = cloth.masses[weight.vertex as usize];
                (weight.vertex, (mass / (mass + weight.added)) as f32)
            };
            bending.weigh(weights.iter().map(share));
        }
        if let Some(solver) = solver {
            solver.weigh(weights);
        }
    }

    /// Particles weigh what they do again, after a substep.
    pub(crate) fn loosen_holds(&mut self) {
        let Self { holds, state, solver, bending, .. } = self;
        if holds.weights.is_empty() {
            return;
        }
        if let Bending::Position(bending) = bending {
            bending.weigh(std::iter::empty());
        }
        for (weight, w) in holds.weights.drain(..).zip(holds.before.drain(..)) {
            state.weigh(weight.vertex as usize, w);
        }
        if let Some(solver) = solver {
            solver.weigh(&[]);
        }
    }

    /// Counts what holds gave in a substep of `dt` seconds: k h (P − p), at where particles were at its start.
    pub(crate) fn book_holds(&mut self, dt: f64) {
        if self.air_impulse.is_none() || self.holds.all.is_empty() {
            return;
        }
        let mut given = Momentum::default();
        for held in &self.holds.all {
            for (i, v, weight) in held.particles().filter(|&(_, v, _)| self.holds.grips(v)) {
                let impulse = held.stiffness * dt * weight * (held.aims[i] - self.state.position(v));
                given.linear += impulse;
                given.angular += self.state.previous[v].truncate().as_dvec3().cross(impulse);
            }
        }
        self.book(given, dt, false);
    }
}
