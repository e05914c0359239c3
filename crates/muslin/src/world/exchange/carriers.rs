//! Which cloths carry rigid bodies, and by what: from pins, material and solver to [`Carrier`]s.

use crate::Simulation;
use crate::cloth::Stretch;
use crate::cloth::tethers::Tethers;
use crate::collision::Carrier;
use crate::math::csr::Csr;
use crate::mesh::quads;
use crate::solver::resistance::Resistance;
use crate::solver::{Diagonals, SolverConfig};

/// How many groups of pins a particle is tethered to here. A load in the middle of a cloth is carried to all sides,
/// while for the solver the nearest pins are enough.
const GROUPS: usize = 8;

/// How far threads of cloth without a measured stiffness are stretched by a load before they hold a body, as a fraction.
const STIFF: f64 = 0.05;

/// What carries bodies in each cloth, if there are rigid bodies.
pub(super) fn carriers(cloths: &[(String, Simulation)], bodies: usize) -> Vec<Option<Carrier>> {
    cloths.iter().map(|(_, simulation)| (bodies > 0).then(|| carrier(simulation)).flatten()).collect()
}

/// What carries bodies in a cloth; `None` if it has no pins, or nothing that resists stretch.
fn carrier(simulation: &Simulation) -> Option<Carrier> {
    let cloth = simulation.cloth();
    let pinned: Vec<u32> = cloth.pins.iter().map(|pin| pin.vertex).collect();
    if pinned.is_empty() || Resistance::of(&simulation.settings().solver, &cloth.material).is_none() {
        return None;
    }
    let is_elastic = matches!(cloth.material.stretch, Stretch::Physical { .. });
    // Elastic threads hold where they lock (`solver/shape_matching/edge_limit.rs`), if they do.
    let limit = match is_elastic {
        true => cloth.material.strain_limit.map(f64::from),
        false => Some(STIFF),
    };
    let topology = &cloth.topology;
    let length = |&[a, b]: &[u32; 2]| cloth.rest[a as usize].distance(cloth.rest[b as usize]);
    let edges = limit.map_or(Vec::new(), |_| held_edges(simulation));
    let limit = limit.unwrap_or(0.0);
    let tethers = || {
        let tethers = Tethers::new(&cloth.rest, &cloth.mesh.triangles, topology, &pinned, GROUPS);
        let of = |v: u32| tethers.of(v as usize).map(move |tether| (v, tether));
        let all: Vec<(u32, (u32, f32))> = (0..cloth.vertex_count() as u32).flat_map(of).collect();
        Csr::from_pairs(cloth.vertex_count(), all.iter().copied())
    };
    let tethers = cloth.tethers.is_some().then(tethers);
    Some(Carrier {
        tethers,
        pinned,
        vertex_edges: Csr::from_pairs(
            cloth.vertex_count(),
            (0..).zip(&edges).flat_map(|(e, &[a, b])| [(a, e), (b, e)]),
        ),
        rest: edges.iter().map(length).collect(),
        edges,
        limit,
        is_elastic,
    })
}

/// The edges that keep their lengths under a solver: not the diagonals of quads where these shear freely, or against springs.
fn held_edges(simulation: &Simulation) -> Vec<[u32; 2]> {
    let cloth = simulation.cloth();
    let shears = match &simulation.settings().solver {
        SolverConfig::Impulses(_) => true,
        SolverConfig::PositionBased(options) => options.diagonals == Diagonals::None,
        _ => false,
    };
    let found = quads::Diagonals::new(&cloth.topology, &cloth.mesh.quads);
    let edges = cloth.topology.edges.iter().zip(&found.is_diagonal);
    edges.filter(|(_, is_diagonal)| !(shears && **is_diagonal)).map(|(edge, _)| *edge).collect()
}
