//! Where the particles are, and from where that is counted.

use glam::{DVec3, Vec3, Vec4};

use super::Simulation;
use crate::Error;
use crate::cloth::check_positions;
use crate::origin::{self, moved};

impl Simulation {
    /// From where positions are counted inside, metres: zero near zero, else a place nearby
    /// ([`origin`](crate::origin)). A step may change it.
    pub fn origin(&self) -> DVec3 {
        self.state.origin
    }

    /// Positions in the world in metres, in the user's numbering. Far from zero single precision is coarse:
    /// [`Simulation::places`] is not.
    pub fn positions(&self) -> Vec<Vec3> {
        self.positions_from(DVec3::ZERO)
    }

    /// Positions in the world in double precision, metres, in the user's numbering.
    pub fn places(&self) -> Vec<DVec3> {
        let place = |&v: &u32| self.state.origin + self.state.position(v as usize);
        self.cloth.permutation.old_to_new.iter().map(place).collect()
    }

    /// Where a vertex is in the world, metres.
    pub fn place(&self, vertex: u32) -> Result<DVec3, Error> {
        Ok(self.place_of(self.internal(vertex)?))
    }

    /// Where a point of a triangle is in the world, metres: the mean of its corners by weights.
    pub fn place_in(&self, vertices: [u32; 3], weights: [f32; 3]) -> Result<DVec3, Error> {
        let mut place = DVec3::ZERO;
        for (vertex, weight) in vertices.into_iter().zip(weights) {
            place += self.place(vertex)? * f64::from(weight);
        }
        Ok(place)
    }

    /// Positions from an origin, in the user's numbering.
    pub(crate) fn positions_from(&self, origin: DVec3) -> Vec<Vec3> {
        let mut positions = self.ordered(&self.state.points);
        let by = origin - self.state.origin;
        positions.iter_mut().for_each(|position| *position = moved(*position, by));
        positions
    }

    /// Counts positions from near the cloth, if they are not: at the start of a step, from the state alone.
    pub(crate) fn recentre_if_far(&mut self) {
        self.recentre(origin::common(std::iter::once(&self.state)));
    }

    /// Counts everything from another origin; nothing moves.
    pub(crate) fn recentre(&mut self, origin: DVec3) {
        let by = origin - self.state.origin;
        if by != DVec3::ZERO {
            self.state.recentre(origin);
            if let Some(own) = self.own_state() {
                own.recentre(by);
            }
        }
    }

    /// Velocities in m/s, in the user's numbering.
    pub fn velocities(&self) -> Vec<Vec3> {
        self.ordered(&self.state.velocities)
    }

    /// In the user's numbering.
    pub(super) fn ordered(&self, values: &[Vec4]) -> Vec<Vec3> {
        self.cloth.permutation.old_to_new.iter().map(|&v| values[v as usize].truncate()).collect()
    }

    /// Puts the particles somewhere else in the world, at rest or with velocities. Pinned ones move too.
    pub fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) -> Result<(), Error> {
        check_positions("positions", positions, self.cloth.vertex_count())?;
        check_positions("velocities", velocities, self.cloth.vertex_count())?;
        self.forget_what_it_was();
        let by = self.state.origin;
        let positions: Vec<Vec3> = positions.iter().map(|position| moved(*position, by)).collect();
        self.set_state_from(by, &positions, velocities)
    }

    /// The same, with positions from an origin.
    pub(super) fn set_state_from(
        &mut self,
        origin: DVec3,
        positions: &[Vec3],
        velocities: &[Vec3],
    ) -> Result<(), Error> {
        check_positions("positions", positions, self.cloth.vertex_count())?;
        check_positions("velocities", velocities, self.cloth.vertex_count())?;
        for (old, &new) in self.cloth.permutation.old_to_new.iter().enumerate() {
            let point = &mut self.state.points[new as usize];
            *point = positions[old].extend(point.w);
            self.state.velocities[new as usize] = velocities[old].extend(0.0);
        }
        self.state.origin = origin;
        // The last step's length stays: to set what was read must change nothing.
        self.state.remainders.fill(Vec4::ZERO);
        if self.state.double.is_some() {
            self.state.double_anew();
        }
        if let Some(own) = self.solver.as_mut().and_then(|solver| solver.own_state()) {
            own.follow(&self.state);
        }
        self.jumped();
        Ok(())
    }
}
