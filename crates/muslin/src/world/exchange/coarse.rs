//! Collisions on a coarser level ([Bender2013] §7 names it as future work).
//!
//! A coarser mesh of each cloth collides first, with the whole gap: few contacts there do most of the
//! pushing and rubbing, and particles move along ([`Proxy`]). Nothing that it does is
//! relied upon: a coarse triangle is a chord of what it stands for, so it may pass through things from which
//! the cloth is apart, and prolongated motions may drive particles into each other. After it the cloth's own
//! mesh goes through all stages as it would alone, so what is apart before the step is apart after it. It
//! keeps only [`FINEST_SHARE`] of the gaps: most pairs of features that keep the whole gap are then not even
//! found, and that is what makes it pay where cloth lies in layers.
//!
//! Tried, on one or two scenes each: gaps of the coarse mesh that grow by how far particles are from their
//! places on it (all of it is half as slow again for a cloth over a ball on level 2; half of it more than halves
//! the time of folds on level 3, so this is not settled); ignoring coarse triangles that intersect (takes
//! longer, and leaves the impacts on the finest level as they were).

use glam::{Vec3, Vec4};

use super::proxy::Proxy;
use super::{Finest, states};
use crate::collision::{
    Collider, CollisionCounts, CollisionSettings, Collisions, Points, Sheet, StartPolicy, Substep, Unresolved,
};
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::mesh::Topology;
use crate::rigid::{BodyState, MovingBody};
use crate::state::State;
use crate::{Error, Simulation};

/// The part of its gaps that a cloth's own mesh keeps after a coarser one has kept them. Chosen on folds on a
/// floor: with a quarter, levels 1 and 4 had many more impacts and ended fast, with a half they did not. Level 3
/// still does with a half; why is not known.
pub(super) const FINEST_SHARE: f64 = 0.5;

/// Coarse meshes that collide before the cloths themselves do.
pub(super) struct Coarse {
    proxies: Vec<Proxy>,
    pub collisions: Collisions,
    points: Points,
}

impl Coarse {
    /// On the level that the settings ask for.
    pub fn new(
        cloths: &[(String, Simulation)],
        colliders: &[Collider],
        rigid: &[MovingBody],
        settings: &CollisionSettings,
    ) -> Result<Self, Error> {
        let settings = CollisionSettings { start: StartPolicy::Refuse, ..settings.clone() };
        let proxy = |(_, simulation): &(String, Simulation)| Proxy::new(simulation.cloth(), settings.level);
        let proxies = cloths.iter().map(proxy).collect::<Result<Vec<_>, _>>()?;
        let topology = |Proxy { mesh, .. }: &Proxy| Topology::new(mesh.positions.len(), &mesh.triangles);
        let topologies: Vec<Topology> = proxies.iter().map(topology).collect();
        let all = cloths.iter().zip(&proxies).zip(&topologies);
        let sheets: Vec<Sheet<'_>> = all
            .map(|(((name, simulation), Proxy { mesh, .. }), topology)| Sheet {
                name,
                positions: &mesh.positions,
                triangles: &mesh.triangles,
                topology,
                rest: mesh.positions.clone(),
                surface: simulation.cloth().material.surface,
                density: simulation.cloth().material.density.into(),
            })
            .collect();
        let (collisions, points) = Collisions::new(&sheets, Vec::new(), colliders, rigid, settings, 1.0)?;
        Ok(Self { proxies, collisions, points })
    }

    /// Collides, and lets the finest level collide from where that has led.
    pub fn lead(
        &mut self,
        finest: &mut Finest,
        cloths: &mut [(String, Simulation)],
        rigid: &mut [MovingBody],
        substep: &Substep<'_>,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<CollisionCounts, Unresolved> {
        let free_ends: Vec<Vec<Vec4>> =
            cloths.iter().map(|(_, simulation)| simulation.state.points.clone()).collect();
        let free_bodies: Vec<BodyState> = rigid.iter().map(|body| body.end).collect();
        let proposed = self.propose(cloths, rigid, substep, execution, timings);
        let mut counts = finest.resolve(cloths, rigid, substep, execution, timings);
        if counts.is_err() {
            // It may be the proposal that cannot be resolved.
            for ((_, simulation), free) in cloths.iter_mut().zip(free_ends) {
                simulation.state.points = free;
            }
            rigid.iter_mut().zip(&free_bodies).for_each(|(body, free)| body.end = *free);
            self.points.recovered.fill(Vec3::ZERO);
            counts = finest.resolve(cloths, rigid, substep, execution, timings);
        }
        let mut counts = counts?;
        counts.contacts += proposed;
        // Not before: the finest level starts where the step starts.
        if counts.zones == 0 {
            self.store_recovered(cloths);
        }
        Ok(counts)
    }

    /// Moves the ends of a step so that the coarse meshes keep their gaps as well as contacts can; the
    /// number of contacts that pushed.
    fn propose(
        &mut self,
        cloths: &mut [(String, Simulation)],
        rigid: &mut [MovingBody],
        substep: &Substep<'_>,
        execution: Execution,
        timings: &mut Timings,
    ) -> usize {
        timings.time(Stage::BroadPhase, || self.load(cloths, rigid, substep));
        let pushed = self.collisions.propose(&mut self.points, substep, execution, timings);
        if pushed.is_some() {
            timings.time(Stage::CollisionResponse, || self.store(cloths, rigid));
        }
        pushed.unwrap_or(0)
    }

    /// Takes over where the vertices of coarse meshes, and rigid bodies, start and end.
    fn load(&mut self, cloths: &[(String, Simulation)], rigid: &[MovingBody], substep: &Substep<'_>) {
        let Self { proxies, points, .. } = self;
        points.changed.fill(false);
        let mut first = 0;
        for (proxy, (_, simulation)) in proxies.iter_mut().zip(cloths) {
            let range = states::next(&mut first, proxy.mesh.positions.len());
            let (start, end) = (&mut points.start[range.clone()], &mut points.end[range]);
            proxy.load(&simulation.state.previous, &simulation.state.points, start, end);
        }
        states::load_bodies(rigid, substep, points);
    }

    /// Moves particles along with the vertices. What only made up for gaps is still part of the motion: see
    /// [`Coarse::store_recovered`].
    fn store(&self, cloths: &mut [(String, Simulation)], rigid: &mut [MovingBody]) {
        states::store_bodies(&self.points, rigid);
        let mut first = 0;
        for (proxy, (_, simulation)) in self.proxies.iter().zip(cloths) {
            let range = states::next(&mut first, proxy.mesh.positions.len());
            proxy.store(&self.points.end[range], &mut simulation.state.points);
        }
    }

    /// Takes what only made up for gaps of coarse meshes out of the velocities.
    fn store_recovered(&self, cloths: &mut [(String, Simulation)]) {
        let mut first = 0;
        for (proxy, (_, simulation)) in self.proxies.iter().zip(cloths) {
            let range = states::next(&mut first, proxy.mesh.positions.len());
            let State { points: now, previous, .. } = &mut simulation.state;
            proxy.prolongate(&self.points.recovered[range], now, previous);
        }
    }
}
