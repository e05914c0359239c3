//! Between the cloths and bodies of a world and the points that collide.
//!
//! Input: states of cloths and rigid bodies, where they start and where they would end. Output: ends at which nothing meets, and
//! what solvers are told before. Collisions know neither cloth nor solvers; here is what they need of both, in this order:
//!
//! 1. `hints`: what solvers are told of colliders before a substep;
//! 2. `coarse`: a coarser mesh of each cloth (`proxy`) collides first, if that is wanted;
//! 3. `states`: states become points, and points states;
//! 4. `solvers`: what cloths do in turn with contacts;
//! 5. `carriers`: which cloths carry rigid bodies, and by what.

mod carriers;
mod coarse;
mod hints;
mod proxy;
mod solvers;
mod states;

use glam::Vec4;

use crate::collision::{
    Collider, CollisionCounts, CollisionSettings, Collisions, Points, Pushed, Sheet, Substep, Tie, Unresolved,
};
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::rigid::MovingBody;
use crate::{Error, Simulation};
use coarse::Coarse;
use solvers::Solvers;

/// The collision stage of a world.
pub(super) struct Exchange {
    /// Collides first, on a coarser level, and is not relied upon.
    coarse: Option<Coarse>,
    finest: Finest,
    /// Seconds of the last substep.
    dt: f64,
    /// Memory for what solvers are told.
    touched: Vec<Vec4>,
}

/// Collisions of the cloths' own meshes.
struct Finest {
    collisions: Collisions,
    points: Points,
}

impl Exchange {
    /// On the level that the settings ask for.
    pub fn new(
        cloths: &[(String, Simulation)],
        colliders: &[Collider],
        rigid: &[MovingBody],
        settings: CollisionSettings,
    ) -> Result<Self, Error> {
        let coarse = match settings.level {
            0 => None,
            _ => Some(Coarse::new(cloths, colliders, rigid, &settings)?),
        };
        let kept = if coarse.is_some() { coarse::FINEST_SHARE } else { 1.0 };
        let sheets: Vec<Sheet<'_>> = cloths.iter().map(own_sheet).collect();
        let carriers = carriers::carriers(cloths, rigid.len());
        let (collisions, points) = Collisions::new(&sheets, carriers, colliders, rigid, settings, kept)?;
        Ok(Self { coarse, finest: Finest { collisions, points }, dt: 0.0, touched: Vec::new() })
    }

    /// Intersections may be there again: somebody has moved cloth.
    pub fn look_for_tangles(&mut self) {
        self.finest.collisions.look_for_tangles();
    }

    /// Looks, before the first step, whether there are too many places where bodies are close to each other.
    pub fn check_crowd(
        &mut self,
        cloths: &[(String, Simulation)],
        rigid: &[MovingBody],
        substep: &Substep<'_>,
    ) -> Result<(), Error> {
        let Finest { collisions, points } = &mut self.finest;
        states::load(cloths, rigid, substep, points);
        collisions.check_crowd(points, substep)
    }

    /// What is held together from now on.
    pub fn set_ties(&mut self, ties: impl Iterator<Item = Tie>) {
        self.finest.collisions.set_ties(ties);
    }

    /// What was pushed apart in the last substep.
    pub fn pushed(&self) -> impl Iterator<Item = Pushed> {
        self.finest.collisions.pushed(&self.finest.points, self.dt)
    }

    /// The numbers of all bodies that were pushed apart in the last substep, pair by pair, some of them often.
    pub fn pushed_pairs(&self) -> impl Iterator<Item = [u16; 2]> {
        self.finest.collisions.pushed_pairs()
    }

    /// A collider moves in another way from now on.
    pub fn forget(&mut self, collider: usize) {
        self.finest.collisions.forget(collider);
        self.coarse.iter_mut().for_each(|coarse| coarse.collisions.forget(collider));
    }

    /// Moves the ends of a substep so that nothing meets: on a coarser level first, if that is
    /// wanted.
    pub fn resolve(
        &mut self,
        cloths: &mut [(String, Simulation)],
        rigid: &mut [MovingBody],
        substep: &Substep<'_>,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<CollisionCounts, Unresolved> {
        let Self { coarse, finest, dt, .. } = self;
        *dt = substep.length();
        // Coarse contacts know nothing of tangles, and would hold them.
        match coarse.as_mut().filter(|_| !finest.collisions.may_be_tangled()) {
            Some(coarse) => coarse.lead(finest, cloths, rigid, substep, execution, timings),
            None => finest.resolve(cloths, rigid, substep, execution, timings),
        }
    }
}

impl Finest {
    /// States become points, collide, and become states again.
    fn resolve(
        &mut self,
        cloths: &mut [(String, Simulation)],
        rigid: &mut [MovingBody],
        substep: &Substep<'_>,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<CollisionCounts, Unresolved> {
        let Self { collisions, points } = self;
        timings.time(Stage::BroadPhase, || states::load(cloths, rigid, substep, points));
        let counts = collisions.resolve(points, &mut Solvers(cloths), substep, execution, timings)?;
        timings.time(Stage::CollisionResponse, || states::store(points, cloths, rigid));
        Ok(counts)
    }
}

/// A cloth's own mesh.
fn own_sheet((name, simulation): &(String, Simulation)) -> Sheet<'_> {
    let cloth = simulation.cloth();
    Sheet {
        name,
        positions: &cloth.mesh.positions,
        triangles: &cloth.mesh.triangles,
        topology: &cloth.topology,
        rest: cloth.rest.iter().map(|p| p.as_vec3()).collect(),
        surface: cloth.material.surface,
        density: cloth.material.density.into(),
    }
}
