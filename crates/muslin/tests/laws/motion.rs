//! A cloth in motion on either back end, and what is measured of it.

use glam::{DVec3, Vec3};
use muslin::cloth::ClothBuilder;
#[cfg(feature = "gpu")]
use muslin::gpu::{self, Gpu, GpuOptions, GpuSimulation};
use muslin::mesh::Topology;
use muslin::{Error, Feature, Settings, Simulation};

use crate::case::{Case, Method};
use crate::product::unit_in_last_place;

/// A cloth in motion.
pub enum Moving {
    Cpu(Box<Simulation>),
    #[cfg(feature = "gpu")]
    Gpu(Box<GpuSimulation>),
}

/// One device for all: opening one takes longer than most cases.
#[cfg(feature = "gpu")]
fn device() -> &'static Gpu {
    static DEVICE: std::sync::OnceLock<Gpu> = std::sync::OnceLock::new();
    let open = || Gpu::new(&GpuOptions::default()).expect("these tests need a GPU or mesa-vulkan-drivers");
    DEVICE.get_or_init(open)
}

impl Moving {
    /// Prepares a cloth on the back end of a case.
    pub fn new(case: &Case, builder: ClothBuilder, settings: Settings) -> Result<Self, Error> {
        let cloth = builder.build()?;
        match case.method {
            #[cfg(feature = "gpu")]
            Method::GpuMultilevel => Ok(Self::Cpu(Box::new(gpu::multilevel(device(), cloth, settings)?))),
            #[cfg(feature = "gpu")]
            method if method.on_gpu() => {
                Ok(Self::Gpu(Box::new(GpuSimulation::new(device(), cloth, settings)?)))
            }
            method if method.on_gpu() => {
                Err(Error::Unsupported { by: "this build", feature: Feature::Method, what: "the GPU" })
            }
            _ => Ok(Self::Cpu(Box::new(Simulation::new(cloth, settings)?))),
        }
    }

    /// Goes on by so many frames.
    pub fn run(&mut self, frames: usize) -> Result<(), Error> {
        for _ in 0..frames {
            match self {
                Self::Cpu(simulation) => drop(simulation.step()?),
                #[cfg(feature = "gpu")]
                Self::Gpu(simulation) => simulation.step()?,
            }
        }
        Ok(())
    }

    /// The cloth as it is now.
    pub fn now(&mut self) -> Result<&Simulation, Error> {
        match self {
            Self::Cpu(simulation) => Ok(simulation),
            #[cfg(feature = "gpu")]
            Self::Gpu(simulation) => simulation.read_back(),
        }
    }

    /// Puts the particles somewhere else.
    pub fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) -> Result<(), Error> {
        match self {
            Self::Cpu(simulation) => simulation.set_state(positions, velocities),
            #[cfg(feature = "gpu")]
            Self::Gpu(simulation) => simulation.set_state(positions, velocities),
        }
    }
}

/// The edges of a cloth at rest: their ends in the user's numbering, their lengths.
pub struct Edges {
    ends: Vec<[usize; 2]>,
    lengths: Vec<f64>,
}

impl Edges {
    /// The motion of a cloth.
    pub fn of(simulation: &Simulation) -> Self {
        let rest = simulation.cloth().rest_positions();
        let topology = Topology::new(rest.len(), simulation.cloth().triangles());
        let ends: Vec<[usize; 2]> = topology.edges.iter().map(|ends| ends.map(|v| v as usize)).collect();
        let length = |[a, b]: &[usize; 2]| rest[*a].as_dvec3().distance(rest[*b].as_dvec3());
        Self { lengths: ends.iter().map(length).collect(), ends }
    }

    /// The largest strain in units of what an edge is allowed: `least`, or as many units in the last place of the largest
    /// coordinate, now or before, as it may be longer; with that edge and its strain.
    pub fn worst(
        &self,
        positions: &[Vec3],
        before: &[Vec3],
        least: f64,
        units: f64,
    ) -> (f64, [usize; 2], f64) {
        let strains = self.ends.iter().zip(&self.lengths).map(|(&[a, b], length)| {
            let now = positions[a].as_dvec3().distance(positions[b].as_dvec3());
            let strain = (now - length).abs() / length;
            let coordinate =
                [positions[a], positions[b], before[a], before[b]].map(|p| p.abs().max_element());
            let unit = unit_in_last_place(coordinate.into_iter().fold(0.0, f32::max));
            // What is not a number is worse than anything.
            let share = strain / least.max(units * unit / length);
            (if share.is_nan() { f64::INFINITY } else { share }, [a, b], strain)
        });
        strains.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
    }
}

/// The centre of mass, metres.
pub fn centre(simulation: &Simulation) -> DVec3 {
    weighted(simulation, &simulation.positions())
}

/// The mean of vectors by mass.
pub fn weighted(simulation: &Simulation, vectors: &[Vec3]) -> DVec3 {
    let masses = simulation.cloth().masses();
    let sum: DVec3 = vectors.iter().zip(&masses).map(|(vector, &mass)| vector.as_dvec3() * mass).sum();
    sum / masses.iter().sum::<f64>()
}
