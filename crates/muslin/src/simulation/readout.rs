//! Positions, velocities and normals into the caller's memory: nothing is allocated. In the user's numbering.

use glam::{DVec3, Vec3};

use super::Simulation;
use crate::Error;
use crate::origin::moved;
use crate::state::State;

impl Simulation {
    /// Positions in the world, metres. Far from zero single precision is coarse: [`Simulation::places_into`] is not.
    pub fn positions_into(&self, out: &mut [[f32; 3]]) -> Result<(), Error> {
        let by = -self.state.origin;
        self.fill(out, |v| moved(self.state.points[v].truncate(), by).to_array())
    }

    /// Velocities, m/s.
    pub fn velocities_into(&self, out: &mut [[f32; 3]]) -> Result<(), Error> {
        self.fill(out, |v| self.state.velocities[v].truncate().to_array())
    }

    /// Positions in the world in double precision, metres.
    pub fn places_into(&self, out: &mut [[f64; 3]]) -> Result<(), Error> {
        self.fill(out, |v| (self.state.origin + self.state.position(v)).to_array())
    }

    /// Normals of vertices: the means of their triangles' weighted by areas, of length one; zero where triangles have no area.
    /// They point to the side from which triangles run anticlockwise.
    pub fn normals_into(&self, out: &mut [[f32; 3]]) -> Result<(), Error> {
        self.fill(out, |_| [0.0; 3])?;
        let places = &self.cloth.permutation.old_to_new;
        for corners in &self.cloth.user_triangles {
            let [a, b, c] = corners.map(|v| self.state.points[places[v as usize] as usize].truncate());
            let double_area = (b - a).cross(c - a);
            for &v in corners {
                let sum = &mut out[v as usize];
                *sum = (Vec3::from_array(*sum) + double_area).to_array();
            }
        }
        for normal in out {
            *normal = unit(Vec3::from_array(*normal)).to_array();
        }
        Ok(())
    }

    /// Positions in the world between the start (0) and the end (1) of the last step, straight and evenly, metres: for pictures at
    /// other times than those of steps. After a teleport, and wherever else particles were put, they are there.
    pub fn positions_between_into(&self, share: f32, out: &mut [[f32; 3]]) -> Result<(), Error> {
        if !(0.0..=1.0).contains(&share) {
            let (field, must_be) = ("share", "between 0 and 1");
            return Err(Error::Setting { field, value: share.into(), must_be });
        }
        let end = &self.state;
        let start = if self.has_jumped { end } else { &self.step_start };
        let place = |state: &State, v: usize| state.origin + state.points[v].truncate().as_dvec3();
        self.fill(out, |v| match share {
            // The same bits as those of the step itself.
            1.0 => moved(end.points[v].truncate(), -end.origin).to_array(),
            _ => place(start, v).lerp(place(end, v), share.into()).as_vec3().to_array(),
        })
    }

    fn fill<T>(&self, out: &mut [T], value: impl Fn(usize) -> T) -> Result<(), Error> {
        let places = &self.cloth.permutation.old_to_new;
        if out.len() != places.len() {
            let problem = format!("{} places for {} vertices", out.len(), places.len());
            return Err(Error::State { what: "the memory to fill", problem });
        }
        out.iter_mut().zip(places).for_each(|(to, &v)| *to = value(v as usize));
        Ok(())
    }
}

/// A vector of length one; zero if this has no direction. Also of very small ones, whose squares are none.
fn unit(vector: Vec3) -> Vec3 {
    vector.as_dvec3().try_normalize().map_or(Vec3::ZERO, DVec3::as_vec3)
}
