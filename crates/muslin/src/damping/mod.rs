//! Damping of deformation, with a rate that means what it says.
//!
//! Input: positions and velocities. Output: damped velocities.
//!
//! Each connected piece of cloth has a best rigid motion, the translation and rotation that leave the least kinetic
//! energy over (`rigid_motion`). What velocities have beyond it decays:
//!
//! ```text
//! v ← v_rigid + (v − v_rigid) e^(−2 rate dt)
//! ```
//!
//! as in Müller, Heidelberger, Hennix & Ratcliff, *Position Based Dynamics* (2006) §3.5, but with an exponential of a rate,
//! and with regard to pins. An oscillation has half its energy in its velocities, so its amplitude decays with half
//! of what these are damped with: with e^(−rate t), whatever its frequency, on every mesh and for every step
//! (`tests/motion/damping.rs`). Rigid motion is not touched, momentum and angular momentum of free cloth are kept to rounding, and
//! energy only falls: v_rigid is an orthogonal projection of v in the metric of the masses.
//!
//! Rejected:
//! - A share of the relative velocity along each edge, which Muslin had before (errata 15). It is viscosity: the rate
//!   goes with the square of edge length over wavelength, so a mesh of sixteen times the triangles was damped twenty times less.
//! - Viscosity with a physical coefficient. It is mesh independent, but each motion has a rate of its own, those that
//!   are seen (as wide as the cloth) the lowest; explicit, it is stable for short steps or coarse meshes only.
//! - Rigid motions of patches. As local as viscosity, and their rates for the same reason go with (patch/wavelength)².
//!   A rate that is the same for all wavelengths cannot be had locally.
//! - The part within the plane only, as in the paper. What people want calmed is as often a flutter as a stretch.
//!
//! The price: a falling end is slowed, and pulls a little on a resting one, as if the cloth were stiffer than it is.
//! At the rates of our fabrics that is a few centimetres per second; the air does the rest.

mod printed;
mod rigid_motion;
#[cfg(test)]
mod tests;

use glam::Vec4;
use printed::DampTriangles;
pub(crate) use rigid_motion::Pieces;

use crate::cloth::{Cloth, Damping};
use crate::execution::Execution;
use crate::math::lanes::{WIDTH, dispatch};
use crate::solver::sweep::Sweep;

/// The damping of a cloth.
#[derive(Clone, Debug)]
pub(crate) enum Damper {
    /// No damping.
    Off,
    /// All but the rigid motion of each piece, 1/s.
    Deformation { pieces: Pieces, rate: f32 },
    /// Per triangle, as printed.
    Printed { sweep: Sweep<[[u32; WIDTH]; 3]>, coefficient: f32 },
}

impl Damper {
    /// Prepares the damping of a cloth.
    pub fn new(cloth: &Cloth) -> Self {
        match cloth.material.damping {
            Damping::Deformation { rate } if rate > 0.0 => {
                Self::Deformation { pieces: Pieces::new(&cloth.topology), rate }
            }
            Damping::Printed { coefficient } if coefficient > 0.0 => {
                let triangles = &cloth.mesh.triangles;
                let sweep = Sweep::new(cloth.vertex_count(), triangles, |source| source.vertices(triangles));
                Self::Printed { sweep, coefficient }
            }
            _ => Self::Off,
        }
    }

    /// Damps the velocities over `dt` seconds. `points` holds positions with relative inverse masses in w.
    pub fn apply(&mut self, points: &[Vec4], velocities: &mut [Vec4], dt: f64, execution: Execution) {
        match self {
            Self::Off => {}
            Self::Deformation { pieces, rate } => {
                pieces.approach(points, velocities, velocity_share(*rate, dt), execution);
            }
            Self::Printed { sweep, coefficient } => {
                sweep.run(velocities, execution, &|packs, velocities, start| {
                    let points = &points[start..];
                    let coefficient = *coefficient;
                    dispatch(
                        execution.instructions,
                        DampTriangles { packs, points, velocities, coefficient },
                    );
                });
            }
        }
    }
}

/// The share of the velocities beyond rigid motion that goes in `dt` seconds, so that amplitudes decay with `rate`.
pub(crate) fn velocity_share(rate: f32, dt: f64) -> f64 {
    -(-2.0 * f64::from(rate) * dt).exp_m1()
}
