//! Contacts in turn with the solver.
//!
//! Input: contacts, and ends of the step for which the solver knew nothing of them. Output: ends that are
//! both a cloth and out of contact, as far as a few passes go. Nothing here has to succeed: continuous
//! detection comes after it.
//!
//! A particle that is pushed out is pulled away from its neighbours. If that were all, cloth would rest on
//! few particles with edges stretched by tens of per cent, until the solver's next step pulls as hard as
//! contacts push. So passes of both follow in turn: twice, for solvers that promise a strain until it holds, and for
//! threads that lock until none is strained beyond that.

use crate::Simulation;
use crate::collision::Collisions;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;

/// How many turns a cloth asks for at the most.
#[derive(Clone, Copy)]
struct Turns {
    /// Of solvers that promise no strain, where no collider moves. Where bodies move, single edges got worse instead of
    /// better: those of a dress that a walking body pinches were stretched by 44 % without, 68 % with one and 143 % with
    /// two passes. Why is not known; it is not friction that adds up.
    smooth: u32,
    /// After those, of cloth whose threads lock: the same dress is at 16 % with them, whatever moves.
    lock: u32,
    /// Of solvers that promise a strain, whatever moves: cloth of impulses on a ball that moves by 0.1 m/s was strained by
    /// up to 42 % instead of 1 %.
    promised: u32,
}

/// For contacts that are known before the step.
///
/// On the gallery the first pass of a solver about halves the strain of the worst edges and the second takes a third of the
/// rest; with a third, cloth at rest on a ball trembled from step to step. Locks: the worst edges of a silk shirt that
/// falls on a floor are at 45 % with none, at 16 % with six or more. Promises: on a ball 24 × 24 quads at 0.1 % need up to
/// about 200 at the impact.
const FIRST: Turns = Turns { smooth: 2, lock: 30, promised: 500 };

/// Whenever detection has found more contacts.
const AGAIN: Turns = Turns { smooth: 0, lock: 30, promised: 300 };

impl Collisions {
    /// Whether a cloth is to keep a strain, whatever it collides with.
    fn strain_is_promised(cloths: &[(String, Simulation)]) -> bool {
        cloths.iter().any(|(_, cloth)| cloth.solver.promises_strain())
    }

    /// Solves contacts in turn with the cloths' finest level.
    pub(crate) fn solve_with_cloths(
        &mut self,
        cloths: &mut [(String, Simulation)],
        execution: Execution,
        timings: &mut Timings,
    ) {
        timings.time(Stage::CollisionResponse, || {
            self.solve_contacts();
            self.support_bodies(false);
        });
        self.take_turns(cloths, &FIRST, execution, timings);
        timings.time(Stage::CollisionResponse, || self.carry_bodies());
    }

    /// The same when detection has found more of them: what a solver has promised is kept.
    pub(crate) fn solve_again_with_cloths(
        &mut self,
        cloths: &mut [(String, Simulation)],
        execution: Execution,
        timings: &mut Timings,
    ) {
        timings.time(Stage::CollisionResponse, || self.solve_contacts());
        let promised = Self::strain_is_promised(cloths);
        if promised {
            timings.time(Stage::CollisionResponse, || self.support_bodies(false));
        }
        self.take_turns(cloths, &AGAIN, execution, timings);
        if promised {
            timings.time(Stage::CollisionResponse, || self.carry_bodies());
        }
    }

    fn take_turns(
        &mut self,
        cloths: &mut [(String, Simulation)],
        turns: &Turns,
        execution: Execution,
        timings: &mut Timings,
    ) {
        if self.contacts.is_empty() || !self.may_be_coupled() {
            return;
        }
        let turns = match self.bodies.colliders_move(&self.points) {
            true => Turns { smooth: 0, ..*turns },
            false => *turns,
        };
        for turn in 0.. {
            self.store_ends(cloths);
            let mut settled = true;
            for (_, cloth) in cloths.iter_mut() {
                settled &= !turns.take(turn, cloth, execution, timings);
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

    /// Passes of the solver would pull back what is on its way out of something. And after a coarser level, folds on
    /// a floor did not come to rest with them: 1.6 to 2.2 m/s at the end on levels 2 to 4.
    fn may_be_coupled(&self) -> bool {
        !self.tangles.are_pulled_apart() && self.settings.level == 0
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

impl Turns {
    /// A turn of a cloth's solver; whether there was anything to do.
    fn take(&self, turn: u32, cloth: &mut Simulation, execution: Execution, timings: &mut Timings) -> bool {
        let points = &mut cloth.state.points;
        let is_asked = match cloth.solver.promises_strain() {
            true => turn < self.promised && !cloth.solver.strain_holds(points),
            false => turn < self.smooth,
        };
        if is_asked {
            cloth.solver.smooth(points, execution, timings);
        }
        is_asked || (turn < self.smooth + self.lock && !cloth.solver.lock(points, execution, timings))
    }
}
