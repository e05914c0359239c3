//! What holds do in a substep.
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

use super::{AskedHolds, Holds};
use crate::diagnostics::energy::Momentum;
use crate::simulation::{Bending, Simulation};
use crate::solver::Weight;
use crate::state::{Drawn, Fall};

impl Simulation {
    /// Draws particles to where they are held at the end of a substep of `dt` seconds, and makes them heavier.
    pub(crate) fn tighten_holds(&mut self, dt: f64, fall: Fall) {
        let Self { holds, state, cloth, solver, bending, .. } = self;
        let Holds { asked: AskedHolds { all, .. }, aims, weights, before, drawn } = holds;
        // Something is left of a substep that was undone, and then the state's masses have been brought back with it.
        let was_undone = !weights.is_empty();
        weights.clear();
        before.clear();
        aims.clear();
        drawn.clear();
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
        for held in all.iter() {
            let is = held.particles().map(|(_, v, weight)| state.predicted(v, fall) * weight).sum::<DVec3>();
            let way = held.place(state.time + dt) - state.origin - is;
            aims.push(held.vertices.map(|v| state.predicted(v as usize, fall) + way));
        }
        let mean = cloth.total_mass() / cloth.vertex_count() as f64;
        for weight in weights.iter() {
            let v = weight.vertex as usize;
            let mut moment = DVec3::ZERO;
            for (held, aims) in all.iter().zip(aims.iter()) {
                for (i, _, part) in held.particles().filter(|&(_, own, _)| own == v) {
                    moment += held.stiffness * dt * dt * part * (aims[i] - state.predicted(v, fall));
                }
            }
            let mass = cloth.masses[v] + weight.added;
            before.push(state.points[v].w);
            state.shift(v, moment / mass);
            drawn.push(Drawn { vertex: v, mass: cloth.masses[v], added: weight.added, by: moment / mass });
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

    /// Counts what holds gave in a substep of `dt` seconds, at where particles were at its start.
    pub(crate) fn book_holds(&mut self, dt: f64) {
        if self.air_impulse.is_none() {
            return;
        }
        let mut sum = Momentum::default();
        let Self { holds, state, .. } = self;
        for (held, aims) in holds.asked.all.iter().zip(&holds.aims) {
            for (i, v, weight) in held.particles().filter(|&(_, v, _)| state.points[v].w > 0.0) {
                let impulse = held.stiffness * dt * weight * (aims[i] - state.position(v));
                sum.linear += impulse;
                sum.angular += state.previous[v].truncate().as_dvec3().cross(impulse);
            }
        }
        self.book(sum, dt, false);
    }
}
