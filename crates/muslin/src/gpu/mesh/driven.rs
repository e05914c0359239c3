//! What can be asked of a cloth on a GPU while it moves: what can be asked of a [`Simulation`](crate::Simulation), under the same
//! names.
//!
//! Everything takes effect with the next step, and reading says what was last read back until then: also of a push, which
//! a [`Simulation`](crate::Simulation) shows at once. What it costs:
//!
//! - pins that move, gravity, air, κ: a few numbers per step
//! - forces and pushes: 16 bytes and a thread for each vertex, in a dispatch of their own
//! - what is pinned, the material, the solver: the next step reads the state back (it waits, which is refused in browsers with
//!   [`Error::NotReadBack`](crate::Error::NotReadBack) if the state was not read back before) and lays the cloth out anew, as
//!   when it was put on the device
//! - a state that is set: it is sent once
//! - a teleport: as that, and it needs the present state
//!
//! Refused as [`Error::Unsupported`](crate::Error::Unsupported): holds, pressure, and all for which there are no kernels.

use glam::{DQuat, DVec3, Vec3};

use super::device_cloth::DeviceCloth;
use super::simulation::GpuSimulation;
use crate::Error;
use crate::cloth::{Curve, Material, PinMotion};
use crate::forces::wind::Wind;
use crate::simulation::{Hold, HoldId, Simulation};
use crate::solver::SolverConfig;
use crate::state::Snapshot;

/// Where particles are, in the device's memory: for renderers.
///
/// `buffer` has 16 bytes for each vertex of the cloth: x, y and z in metres from `origin`, as f32, and a fourth that is not zero
/// where the vertex is free. (Behind these are coarser meshes.) It can be bound as storage and as vertices. Vertices stand in another
/// order than the cloth's: number v of the cloth is element `places[v]`.
///
/// Steps write two buffers in turn: ask again after each. What is submitted to the same queue afterwards sees the state
/// after all steps that are queued, without any waiting. (What was set since the last step is there with the next one.)
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DevicePositions<'a> {
    /// The buffer in which they are now.
    pub buffer: &'a wgpu::Buffer,
    /// From where positions are counted, metres.
    pub origin: DVec3,
    /// For each vertex in its internal number (`Cloth::permutation`) the element.
    places: &'a [u32],
    /// For each vertex its internal number.
    old_to_new: &'a [u32],
}

impl<'a> DevicePositions<'a> {
    /// For each vertex in the user's numbering the element of the buffer where it is. Stays the same until the cloth is laid out anew:
    /// other pins, another material, solver or number of substeps.
    pub fn places(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        let places = self.places;
        self.old_to_new.iter().map(move |&v| places[v as usize])
    }
}

impl DeviceCloth {
    /// Where the particles are after all steps that are queued.
    pub fn positions_on_device<'a>(&'a self, host: &'a Simulation) -> DevicePositions<'a> {
        DevicePositions {
            buffer: &self.engine.memory[self.points()],
            origin: host.state.origin,
            places: &self.model.places,
            old_to_new: &host.cloth.permutation.old_to_new,
        }
    }
}

/// Hands calls on to the host's copy.
macro_rules! as_simulation {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            #[doc = concat!("As [`Simulation::", stringify!($name), "`](crate::Simulation::", stringify!($name), "), with the next step.")]
            pub fn $name(&mut self, $($argument: $type),*) -> Result<$result, Error> {
                self.host.$name($($argument),*)
            }
        )*
    };
}

/// What can be asked of it while it moves. Everything takes effect with the next step; until then reading says what was
/// last read back.
impl GpuSimulation {
    as_simulation! {
        pin_all(vertices: &[u32]) -> ();
        move_pin(vertex: u32, place: DVec3) -> ();
        set_pin_motion(vertex: u32, motion: PinMotion) -> ();
        release(vertex: u32) -> ();
        release_all(vertices: &[u32]) -> ();
        add_force(vertex: u32, force: Vec3) -> ();
        push(vertex: u32, impulse: Vec3) -> ();
        set_gravity(gravity: Vec3) -> ();
        set_wind(wind: Option<Wind>) -> ();
        set_material(material: Material) -> ();
        set_solver(solver: SolverConfig) -> ();
    }

    /// As [`Simulation::pin`], with the next step. What is pinned decides how a cloth is laid out: that step waits for the state, and
    /// takes as long as [`GpuSimulation::new`] beside.
    pub fn pin(&mut self, vertex: u32) -> Result<(), Error> {
        self.host.pin(vertex)
    }

    /// Whether a vertex is pinned. One that does not exist is not.
    pub fn is_pinned(&self, vertex: u32) -> bool {
        self.host.is_pinned(vertex)
    }

    /// Refused: there are no kernels for it.
    pub fn hold(&mut self, hold: Hold) -> Result<HoldId, Error> {
        self.host.hold(hold)
    }

    /// As [`Simulation::set_pressure`]; `Some` is refused, because there are no kernels for it.
    pub fn set_pressure(&mut self, pressure: Option<Curve>) -> Result<(), Error> {
        self.host.set_pressure(pressure)
    }

    /// κ of triangle bending from now on, metres: a number, or a curve over time. It is taken at the end of each call
    /// of [`GpuSimulation::step`], for all its substeps.
    pub fn set_kappa(&mut self, kappa: impl Into<Curve>) -> Result<(), Error> {
        self.host.set_kappa(kappa)
    }

    /// As [`Simulation::teleport`]. The present state has to be read back first ([`Error::NotReadBack`]).
    pub fn teleport(&mut self, rotation: DQuat, translation: DVec3) -> Result<(), Error> {
        self.host.teleport(rotation, translation)?;
        self.device.drop_outdated(&self.host);
        Ok(())
    }

    /// Goes back to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.host.restore(snapshot)?;
        self.device.drop_outdated(&self.host);
        Ok(())
    }

    /// Puts the particles somewhere else, at rest or with velocities. Pinned ones move too.
    pub fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) -> Result<(), Error> {
        self.host.set_state(positions, velocities)?;
        self.device.drop_outdated(&self.host);
        Ok(())
    }

    /// Where the particles are in the device's memory, for a renderer that shares the device
    /// ([`Gpu::from_device`](crate::gpu::Gpu::from_device)).
    pub fn positions_on_device(&self) -> DevicePositions<'_> {
        self.device.positions_on_device(&self.host)
    }
}
