//! What solvers want to know of colliders before a substep, when there are no contacts yet.
//!
//! 1. `placed`: where a collider is, and what of it is nearest to a point;
//! 2. `touching`: which particles lie on colliders;
//! 3. `near`: what planes bound colliders near particles.

mod near;
mod placed;
mod touching;

pub(crate) use near::{Near, Particles};
use placed::Placed;

use super::Substep;
use super::bodies::Bodies;
use super::bodies::body::Body;
use crate::execution::Execution;

/// Colliders as hints see them.
#[derive(Default)]
pub(super) struct Hints {
    /// Where each collider that is no rigid body is in a substep; empty before the first.
    placed: Vec<Option<Placed>>,
}

impl Hints {
    /// Places colliders; those that move only if anybody asks for them.
    pub fn place(&mut self, bodies: &Bodies, substep: &Substep, moving: bool, execution: Execution) {
        let Self { placed } = self;
        let all = bodies.all[bodies.cloths..].iter().zip(&bodies.colliders);
        let Substep { origin, times } = *substep;
        if placed.iter().flatten().any(|placed| placed.origin() != origin) {
            placed.clear();
        }
        if placed.is_empty() {
            let new = |body, collider| Placed::new(body, collider, origin, execution);
            placed.extend(
                all.clone()
                    .map(|(body, collider)| collider.rigid.is_none().then(|| new(body, &collider.collider))),
            );
        }
        if moving {
            for (placed, (body, collider)) in placed.iter_mut().zip(all) {
                if let Some(placed) = placed.as_mut().filter(|placed| !placed.rests()) {
                    placed.go(body, &collider.collider, times, execution);
                }
            }
        }
    }

    /// Colliders that are no rigid bodies, with their numbers among all bodies.
    fn placed<'a>(&'a self, bodies: &'a Bodies) -> impl Iterator<Item = (u16, &'a Body, &'a Placed)> {
        let first = bodies.cloths;
        let all = (first..).zip(&bodies.all[first..]).zip(&self.placed);
        all.filter_map(|((number, body), placed)| Some((number as u16, body, placed.as_ref()?)))
    }
}
