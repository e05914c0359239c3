//! Tethers: no particle may be further from a pin than the cloth between them is long.
//!
//! Local corrections need many passes to carry the weight of a whole cloth to a few pinned
//! particles. A tether carries it at once: it is slack until the straight line from pin to particle
//! is as long as the rest path along the cloth, and then holds. (Kim, Chentanez, Müller 2012 call
//! them long-range attachments; they measure the rest distance along the mesh's edges.)

use glam::{DVec3, Vec4};

use super::geodesics::nearest_paths;
use crate::execution::Execution;
use crate::math::csr::Csr;
use crate::mesh::Topology;
use crate::state::Point;

/// One tether of a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tether {
    /// Index into the list of pinned vertices.
    pin: u32,
    /// Greatest distance, metres.
    length: f32,
}

/// The tethers of all particles.
#[derive(Clone, Debug)]
pub(crate) struct Tethers {
    tethers: Csr<Tether>,
    pinned: Vec<u32>,
    /// Per pinned vertex the group it belongs to.
    groups: Vec<u32>,
    pin_positions: Vec<Vec4>,
}

impl Tethers {
    /// Ties every particle to its nearest `most` groups of pins: in each group to its nearest pin.
    /// Pins that are neighbours over an edge belong to one group, so that a particle below a
    /// pinned hem has one tether and not a hundred.
    pub fn new(
        positions: &[DVec3],
        triangles: &[[u32; 3]],
        topology: &Topology,
        pinned: &[u32],
        most: usize,
    ) -> Self {
        let groups = pin_groups(topology, pinned);
        let sources: Vec<(u32, u32)> = pinned.iter().copied().zip(groups.iter().copied()).collect();
        let paths = nearest_paths(positions, triangles, topology, &sources, most);
        let is_pin = |v: u32| pinned.binary_search(&v).is_ok();
        let pairs = (0..paths.rows() as u32).filter(|&v| !is_pin(v)).flat_map(|v| {
            let row = paths.row(v as usize).iter();
            row.map(move |p| (v, Tether { pin: p.source, length: p.length as f32 }))
        });
        Self {
            tethers: Csr::from_pairs(positions.len(), pairs),
            pinned: pinned.to_vec(),
            groups,
            pin_positions: vec![Vec4::ZERO; pinned.len()],
        }
    }

    /// How many tethers there are.
    pub fn len(&self) -> usize {
        self.tethers.values().len()
    }

    /// The tethers of a particle: the pinned vertex and the greatest distance in metres.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = (u32, f32)> {
        self.tethers.row(vertex).iter().map(|tether| (self.pinned[tether.pin as usize], tether.length))
    }

    /// The group of a pinned vertex; `None` for others.
    pub fn group_of(&self, vertex: u32) -> Option<u32> {
        self.pinned.binary_search(&vertex).ok().map(|pin| self.groups[pin])
    }

    /// Pulls particles back to the ends of their tethers.
    pub fn hold<P: Point>(&mut self, points: &mut [P], execution: Execution) {
        for (position, &v) in self.pin_positions.iter_mut().zip(&self.pinned) {
            *position = points[v as usize].position().with_w(0.0);
        }
        let Self { tethers, pin_positions, .. } = self;
        execution.for_each_chunk(points, |first, chunk| {
            for (offset, point) in chunk.iter_mut().enumerate() {
                for tether in tethers.row(first + offset) {
                    let pin = pin_positions[tether.pin as usize];
                    let away = point.way_from(P::at(pin)).with_w(0.0);
                    let distance_sq = away.length_squared();
                    if distance_sq > tether.length * tether.length {
                        *point = point.drawn(pin, away, tether.length / distance_sq.sqrt());
                    }
                }
            }
        });
    }
}

/// For each pinned vertex (sorted) the number of its group.
fn pin_groups(topology: &Topology, pinned: &[u32]) -> Vec<u32> {
    let mut group = vec![u32::MAX; pinned.len()];
    let mut groups = 0;
    for first in 0..pinned.len() {
        if group[first] != u32::MAX {
            continue;
        }
        let mut stack = vec![first];
        group[first] = groups;
        while let Some(i) = stack.pop() {
            for next in topology.neighbours(pinned[i]) {
                if let Ok(j) = pinned.binary_search(&next)
                    && group[j] == u32::MAX
                {
                    group[j] = groups;
                    stack.push(j);
                }
            }
        }
        groups += 1;
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    #[test]
    fn neighbouring_pins_count_as_one_group_and_particles_are_held_at_rest_length() {
        let mesh = generate::grid(8, 8, 1.0, 1.0).unwrap();
        let rest: Vec<DVec3> = mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let topology = Topology::new(rest.len(), &mesh.triangles);
        let pinned = mesh.groups["top"].clone();
        assert_eq!(pin_groups(&topology, &pinned), vec![0; 9]);
        assert_eq!(pin_groups(&topology, &[0, 8, 80]), vec![0, 1, 2]);

        let mut tethers = Tethers::new(&rest, &mesh.triangles, &topology, &pinned, 2);
        assert_eq!(tethers.len(), 72, "one group, one tether per free particle");
        // Pulled down to twice its length, every particle comes back to right below its pin.
        let mut points: Vec<Vec4> =
            mesh.positions.iter().map(|p| Vec4::new(p.x, 1.0 - 2.0 * (1.0 - p.y), p.z, 1.0)).collect();
        tethers.hold(&mut points, Execution::default());
        for (point, rest) in points.iter().zip(&mesh.positions) {
            assert!((point.truncate() - *rest).length() < 1e-5);
        }
    }
}
