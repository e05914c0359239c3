//! Contacts in turn with the solver.
//!
//! Input: contacts, and ends of the step for which the solver knew nothing of them. Output: ends that are
//! both a cloth and out of contact, as far as a few passes go. Nothing here has to succeed: continuous
//! detection comes after it.
//!
//! A particle that is pushed out is pulled away from its neighbours. If that were all, cloth would rest on
//! few particles with edges stretched by tens of per cent, until the solver's next step pulls as hard as
//! contacts push. So passes of both follow in turn: twice, or for solvers that promise a strain until it holds.

use super::Collisions;
use crate::Simulation;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;

/// Turns of solvers that promise no strain. On the gallery the first about halves the strain of the worst edges and the
/// second takes a third of the rest; with a third, cloth at rest on a ball trembled from step to step.
const TURNS: u32 = 2;

/// Most turns of solvers that do: for contacts known before the step, and whenever detection has found more. On a ball
/// 24 × 24 quads at 0.1 % need up to about 200 at the impact.
pub(super) const MOST_TURNS: u32 = 500;
pub(super) const MOST_TURNS_AGAIN: u32 = 300;

impl Collisions {
    /// Whether a cloth is to keep a strain, whatever it collides with.
    pub(super) fn strain_is_promised(cloths: &[(String, Simulation)]) -> bool {
        cloths.iter().any(|(_, cloth)| cloth.solver.promises_strain())
    }

    /// Solves contacts in turn with the cloths' finest level.
    pub(super) fn solve_with_cloths(
        &mut self,
        cloths: &mut [(String, Simulation)],
        most_turns: u32,
        execution: Execution,
        timings: &mut Timings,
    ) {
        timings.time(Stage::CollisionResponse, || {
            self.solve_contacts();
            self.support_bodies(false);
        });
        self.take_turns(cloths, most_turns, execution, timings);
        timings.time(Stage::CollisionResponse, || self.carry_bodies());
    }

    fn take_turns(
        &mut self,
        cloths: &mut [(String, Simulation)],
        most_turns: u32,
        execution: Execution,
        timings: &mut Timings,
    ) {
        if self.contacts.is_empty() || !self.may_be_coupled(Self::strain_is_promised(cloths)) {
            return;
        }
        for turn in 0..most_turns {
            self.store_ends(cloths);
            let mut settled = true;
            for (_, cloth) in cloths.iter_mut() {
                let points = &mut cloth.state.points;
                let has_had_enough = match cloth.solver.promises_strain() {
                    true => cloth.solver.strain_holds(points),
                    false => turn >= TURNS,
                };
                if !has_had_enough {
                    cloth.solver.smooth(points, execution, timings);
                    settled = false;
                }
            }
            if settled {
                return;
            }
            timings.time(Stage::CollisionResponse, || {
                self.load_ends(cloths);
                self.hold_tethers();
                self.solve_contacts();
                self.support_bodies(false);
            });
        }
    }

    /// Where passes of the solver do harm.
    ///
    /// They would pull back what is on its way out of something. After a coarser level, folds on a floor did not
    /// come to rest with them: 1.6 to 2.2 m/s at the end on levels 2 to 4. And where bodies move, single edges
    /// got worse instead of better: those of a dress that a walking body pinches were stretched by 44 % without,
    /// 68 % with one and 143 % with two passes. Why is not known; it is not friction that adds up.
    ///
    /// A promised strain is kept among moving colliders all the same: cloth of impulses on a ball that moves by 0.1 m/s was
    /// strained by up to 42 % instead of 1 %.
    fn may_be_coupled(&self, strain_is_promised: bool) -> bool {
        !self.tangles.are_pulled_apart()
            && self.settings.level == 0
            && (strain_is_promised || !self.bodies.colliders_move(&self.points))
    }

    fn store_ends(&self, cloths: &mut [(String, Simulation)]) {
        for (body, (_, cloth)) in self.bodies.all.iter().zip(cloths) {
            for (to, from) in cloth.state.points.iter_mut().zip(&self.points.end[body.range()]) {
                *to = from.with_w(to.w);
            }
        }
    }

    /// Detection has to look again at whatever was moved.
    fn load_ends(&mut self, cloths: &[(String, Simulation)]) {
        for (body, (_, cloth)) in self.bodies.all.iter().zip(cloths) {
            let range = body.range();
            let ends = self.points.end[range.clone()].iter_mut().zip(&mut self.points.changed[range]);
            for ((to, changed), from) in ends.zip(&cloth.state.points) {
                let from = from.with_w(to.w);
                *changed |= *to != from;
                *to = from;
            }
        }
    }
}
