//! A cloth as the GPU holds it: everything that is computed once, as plain arrays.
//!
//! Input: a cloth, its settings. Output: [`Model`]. Nothing here needs a GPU. Points of all levels stand in
//! one array, the finest level first, each level filled up to a full number of windows.

mod fans;
mod lengths;
mod level;
mod pieces;
mod sliced;

use glam::{Vec3, Vec4};

use self::lengths::Lengths;
use self::pieces::PieceTable;
use self::sliced::Sliced;
use super::support::{Method, damping_share};
use crate::Error;
use crate::bending::constraints::BendingList;
use crate::bending::hinges::Hinges;
use crate::cloth::Cloth;
use crate::hierarchy::{HierarchyOptions, Interpolation};
use crate::simulation::Settings;
use crate::solver::constraint::Enforcement;
use crate::solver::position_based::stretch::stretch_list;
use crate::solver::shape_matching::plan::Plan;
use crate::solver::{Order, PositionBased, ShapeMatching};

#[cfg(test)]
pub(super) use self::lengths::Length;
pub(super) use self::lengths::LengthSet;

/// Stands for "no vertex".
pub(super) const NONE: u32 = u32::MAX;

/// A level's place in the arrays, and what is done on it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LevelRange {
    pub first: u32,
    pub count: u32,
    pub triangles: u32,
    pub match_edges: bool,
    pub match_triangles: bool,
    pub only_stretched: bool,
    /// How often a visit goes over the edges, with their factors, and then over the triangles.
    pub passes: u32,
    pub edge_factors: Vec<f32>,
    pub alpha: f32,
    pub beta: f32,
    /// Whether a part of the bending stiffness acts here.
    pub bends: bool,
    /// Its hinges in the list of those that are bent at rest.
    pub first_hinge: u32,
    pub hinges: u32,
}

/// All that a GPU needs to know about a cloth.
#[derive(Default)]
pub(super) struct Model {
    /// Coarsest first, as everywhere.
    pub levels: Vec<LevelRange>,
    /// Where each vertex of the finest level (internal order) stands.
    pub places: Vec<u32>,
    /// All levels; w: inverse mass relative to the level's mean times the number of edges.
    pub points: Vec<Vec4>,
    /// All levels at rest; w: inverse mass in 1/kg on the finest.
    pub rest: Vec<Vec4>,
    /// Neighbour and rest length (bits) of every spoke.
    pub fans: Sliced<[u32; 2]>,
    /// In the places of the spokes.
    pub half_angles: Vec<f32>,
    /// For each coarse vertex the finer one that it is, then the others of its mean with weights (bits).
    pub means: Sliced<[u32; 2]>,
    /// For each vertex three coarser ones, and the weights of two of them in 16 bits each.
    pub interpolations: Vec<[u32; 4]>,
    /// Bending: other vertex, factor (bits).
    pub bending: Sliced<[u32; 2]>,
    /// Bending towards a curved rest shape: hinge, factor (bits).
    pub curved: Sliced<[u32; 2]>,
    pub hinges: Vec<[u32; 4]>,
    pub hinge_weights: Vec<[f32; 4]>,
    pub hinge_bends: Vec<[f32; 2]>,
    /// Pin and greatest distance (bits), first tethers of all particles, then second ones, and so on.
    pub tethers: Vec<[u32; 2]>,
    pub most_tethers: u32,
    /// Share of what velocities have beyond rigid motion that a step takes.
    pub damping: f32,
    /// What moves rigidly; empty without damping.
    pub pieces: PieceTable,
    /// Bending and stretch by constraints.
    pub lengths: Lengths,
}

impl Model {
    /// Lays a cloth out for steps of `settings`.
    pub fn new(cloth: &Cloth, settings: &Settings) -> Result<Self, Error> {
        let method = Method::of(settings)?;
        method.check(cloth)?;
        let dt = settings.substep_length();
        let plan = match method {
            Method::ShapeMatching(config) => config.plan(cloth, dt, true)?,
            Method::PositionBased(config) => one_level(config, cloth, dt)?,
        };
        let inverse_masses = plan.levels[plan.levels.len() - 1].inverse_masses.clone();
        let mut model = Self { damping: damping_share(cloth, dt), ..Self::default() };
        // Per level, finest first: where its vertices stand.
        let mut places: Vec<Vec<u32>> = Vec::new();
        for (number, level) in plan.levels.iter().enumerate().rev() {
            let finest = places.is_empty();
            let finest_hinges = finest.then(|| finest_hinges(cloth, dt)).flatten();
            let hinges = if finest { finest_hinges.as_ref() } else { level.hinges.as_ref() };
            let finer = places.last().zip(plan.restrictions.get(number));
            let own =
                model.push_level(level, hinges, finer.map(|(places, means)| (places.as_slice(), means)));
            places.push(own);
        }
        places.reverse();
        model.levels.reverse();
        for (transfer, pair) in plan.transfers.iter().zip(places.windows(2)) {
            model.interpolate(&transfer.prolongation, &pair[0], &pair[1]);
        }
        model.places = places.pop().unwrap_or_default();
        if model.damping > 0.0 {
            model.pieces = PieceTable::new(cloth, &model.places);
        }
        for (&place, &mass) in model.places.iter().zip(&cloth.masses) {
            let fixed = model.points[place as usize].w == 0.0;
            model.rest[place as usize].w = if fixed { 0.0 } else { (1.0 / mass) as f32 };
        }
        model.tie(cloth, settings);
        model.constrain(cloth, method, &inverse_masses, dt);
        Ok(model)
    }

    /// Adds what is made of constraints: bending by them, and stretch where they are coloured.
    fn constrain(&mut self, cloth: &Cloth, method: Method<'_>, inverse_masses: &[f32], dt: f64) {
        let enforcement = Enforcement::new(cloth, method.rounds(), dt);
        let coloured = matches!(method, Method::PositionBased(config) if config.order == Order::GaussSeidel);
        if let Some(list) = BendingList::new(cloth, enforcement) {
            let mut order = vec![0; self.places.len()];
            self.places.iter().enumerate().for_each(|(v, &place)| order[place as usize] = v as u32);
            let gather = (!coloured).then_some(order.as_slice());
            self.lengths.add_bending(list, inverse_masses, &self.places, gather);
        }
        if let (true, Method::PositionBased(config)) = (coloured, method) {
            let list = stretch_list(cloth, config, enforcement);
            self.lengths.add_stretch(list, inverse_masses, &self.places);
        }
    }

    fn interpolate(&mut self, rows: &[Interpolation], coarse: &[u32], fine: &[u32]) {
        self.interpolations.resize(self.points.len(), [0; 4]);
        for (row, &place) in rows.iter().zip(fine) {
            let [a, b, c] = row.vertices.map(|v| coarse[v as usize]);
            let sixteen_bits = |w: f32| (w.clamp(0.0, 1.0) * 65535.0).round() as u32;
            let weights = sixteen_bits(row.weights[0]) | (sixteen_bits(row.weights[1]) << 16);
            self.interpolations[place as usize] = [a, b, c, weights];
        }
    }

    fn tie(&mut self, cloth: &Cloth, settings: &Settings) {
        let Some(tethers) = cloth.tethers_under(&settings.solver) else { return };
        let count = self.places.len();
        let most = (0..count).map(|v| tethers.of(v).count()).max().unwrap_or(0);
        self.tethers = vec![[NONE, 0]; most * count];
        for (v, &place) in self.places.iter().enumerate() {
            for (k, (pin, length)) in tethers.of(v).enumerate() {
                self.tethers[k * count + place as usize] = [self.places[pin as usize], length.to_bits()];
            }
        }
        self.most_tethers = most as u32;
    }

    /// The finest level.
    pub fn finest(&self) -> &LevelRange {
        &self.levels[self.levels.len() - 1]
    }

    /// Where a position of the finest level (internal order) goes, with its mobility.
    pub fn place(&self, v: usize, position: Vec3) -> (usize, Vec4) {
        let place = self.places[v] as usize;
        (place, position.extend(self.points[place].w))
    }
}

/// What the finest level's bending, a stage of its own before the solver, needs.
fn finest_hinges(cloth: &Cloth, dt: f64) -> Option<Hinges> {
    let (stiffness, hinges) = (cloth.material.quadratic_bending(), &cloth.topology.hinges);
    let bends = stiffness > 0.0 && !hinges.is_empty();
    bends.then(|| Hinges::new(&cloth.rest, hinges, stiffness, &cloth.masses, dt))
}

/// The mesh alone, whose edges keep their lengths as position-based dynamics wants it.
fn one_level(config: &PositionBased, cloth: &Cloth, dt: f64) -> Result<Plan, Error> {
    let hierarchy = HierarchyOptions { levels: 1, ..HierarchyOptions::default() };
    let mut plan = ShapeMatching { hierarchy, ..ShapeMatching::default() }.plan(cloth, dt, true)?;
    let list = stretch_list(cloth, config, Enforcement::new(cloth, config.iterations, dt));
    let level = &mut plan.levels[0];
    level.triangles = false;
    // All edges have the same: compliances, which differ, are refused. Without stiffness there are no constraints.
    level.betas.fill(list.fractions.first().copied().unwrap_or(0.0));
    level.edge_factors = vec![config.over_relaxation];
    Ok(plan)
}
