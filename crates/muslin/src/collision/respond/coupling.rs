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

use glam::DVec3;

use super::contacts::Contacts;
use super::support;
use crate::collision::bodies::Bodies;
use crate::collision::points::Points;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;

/// What the response asks of the cloths whose points it moves. Their points come first, in the order of their numbers.
pub(crate) trait Cloths {
    fn count(&self) -> usize;

    /// Velocity of a particle at the start of the step, m/s.
    fn velocity(&self, cloth: usize, particle: usize) -> DVec3;

    /// Whether a cloth is to keep a strain, whatever it collides with.
    fn promises_strain(&mut self, cloth: usize) -> bool;

    /// Whether it does, where it ends.
    fn strain_holds(&mut self, cloth: usize) -> bool;

    /// A pass of its solver over where it ends.
    fn smooth(&mut self, cloth: usize, execution: Execution, timings: &mut Timings);

    /// Draws threads back that are strained beyond where they lock, if they can be. Whether there was nothing to do.
    fn lock(&mut self, cloth: usize, execution: Execution, timings: &mut Timings) -> bool;

    /// Takes over where all their points end.
    fn take_ends(&mut self, points: &Points);

    /// Gives that back, and marks what has changed: detection has to look at it again.
    fn give_ends(&self, points: &mut Points);
}

/// How many turns a cloth asks for at the most.
#[derive(Clone, Copy)]
struct Turns {
    /// For solvers that promise no strain. A dress on a walking body is strained by 0.41 % on average with two, 0.48 % with
    /// one, 0.60 % with none; without fabric, whose threads do not lock, its worst edge by 22 instead of 27 %. (Before a
    /// triangle of membrane was a step of implicit Euler, passes on triangles of bad shape stretched single edges of it by 143 %.)
    smooth: u32,
    /// After those, of cloth whose threads lock: the same dress is at 16 % with them.
    lock: u32,
    /// For solvers that promise a strain: cloth of impulses on a ball that moves by 0.1 m/s was strained by
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

/// What is at hand in a turn.
pub(crate) struct Coupling<'a> {
    pub contacts: &'a mut Contacts,
    pub bodies: &'a Bodies,
    pub points: &'a mut Points,
    /// Whether solvers may pass at all.
    pub allowed: bool,
}

impl Coupling<'_> {
    /// Solves contacts in turn with the cloths' finest level.
    pub fn solve(&mut self, cloths: &mut dyn Cloths, execution: Execution, timings: &mut Timings) {
        timings.time(Stage::CollisionResponse, || {
            self.contacts.solve(self.points, execution);
            support::support_bodies(self.contacts, self.bodies, self.points, false);
        });
        self.take_turns(cloths, &FIRST, execution, timings);
        timings.time(Stage::CollisionResponse, || {
            support::carry_bodies(self.contacts, self.bodies, self.points, execution);
        });
    }

    /// The same when detection has found more of them: what a solver has promised is kept.
    pub fn solve_again(&mut self, cloths: &mut dyn Cloths, execution: Execution, timings: &mut Timings) {
        let Self { contacts, bodies, points, .. } = self;
        let promised = (0..cloths.count()).any(|cloth| cloths.promises_strain(cloth));
        timings.time(Stage::CollisionResponse, || {
            contacts.solve(points, execution);
            if promised {
                support::support_bodies(contacts, bodies, points, false);
            }
        });
        self.take_turns(cloths, &AGAIN, execution, timings);
        if promised {
            timings.time(Stage::CollisionResponse, || {
                support::carry_bodies(self.contacts, self.bodies, self.points, execution);
            });
        }
    }

    fn take_turns(
        &mut self,
        cloths: &mut dyn Cloths,
        turns: &Turns,
        execution: Execution,
        timings: &mut Timings,
    ) {
        let Self { contacts, bodies, points, allowed } = self;
        if contacts.all.is_empty() || !*allowed {
            return;
        }
        for turn in 0.. {
            cloths.take_ends(points);
            let mut settled = true;
            for cloth in 0..cloths.count() {
                settled &= !turns.take(turn, cloth, cloths, execution, timings);
            }
            if settled {
                return;
            }
            timings.time(Stage::CollisionResponse, || {
                cloths.give_ends(points);
                support::hold_tethers(contacts, bodies, points);
                contacts.solve(points, execution);
                support::support_bodies(contacts, bodies, points, false);
            });
        }
    }
}

impl Turns {
    /// A turn of a cloth's solver; whether there was anything to do.
    fn take(
        &self,
        turn: u32,
        cloth: usize,
        cloths: &mut dyn Cloths,
        execution: Execution,
        timings: &mut Timings,
    ) -> bool {
        let is_asked = match cloths.promises_strain(cloth) {
            true => turn < self.promised && !cloths.strain_holds(cloth),
            false => turn < self.smooth,
        };
        if is_asked {
            cloths.smooth(cloth, execution, timings);
        }
        is_asked || (turn < self.smooth + self.lock && !cloths.lock(cloth, execution, timings))
    }
}
