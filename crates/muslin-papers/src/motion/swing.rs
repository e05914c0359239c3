//! The swing: a square cloth, held along one edge, level and at rest at first, in a vacuum and without damping.
//!
//! Input: its size, a solver and substeps. Output: its [`Course`], and the largest strains on the way.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::diagnostics::strain::Strain;
use muslin::mesh::{TriMesh, generate};
use muslin::solver::SolverConfig;
use muslin::{Error, Settings, Simulation};

use super::chain::{Chain, ChainEnergy, GRAVITY};
use super::course::{Course, Moment};

/// Links of the chain that is the reference.
const LINKS: usize = 40;
/// Steps of the chain within a frame of a 60th of a second. Its energy then stays within 1e-5 of M g L/2.
const STEPS: usize = 167;

/// How the cloth is meshed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwingMesh {
    /// Exactly so many triangles, without an order.
    Irregular {
        /// How many.
        triangles: usize,
    },
    /// So many cells of two triangles along each side.
    Grid {
        /// How many.
        cells: usize,
    },
}

/// A cloth that swings.
#[derive(Clone, Debug, PartialEq)]
pub struct Swing {
    /// Its mesh.
    pub mesh: SwingMesh,
    /// Length of its sides, metres.
    pub side: f32,
    /// Whether its particles are tied to the held edge.
    pub tethers: TetherChoice,
    /// How it is solved.
    pub solver: SolverConfig,
    /// Seconds of a frame.
    pub time_step: f64,
    /// Into how many steps that is divided.
    pub substeps: u32,
}

/// The largest strains on the way, as fractions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PeakStrain {
    /// Mean over edges of |l − l0|/l0.
    pub average: f64,
    /// The largest |l − l0|/l0 of an edge.
    pub max_edge: f64,
    /// Extent along gravity over that of the hanging cloth at rest, minus 1.
    pub global: f64,
}

impl PeakStrain {
    /// Takes the strain of a moment in.
    pub fn take(&mut self, strain: &Strain) {
        self.average = self.average.max(strain.average);
        self.max_edge = self.max_edge.max(strain.max_edge);
        self.global = self.global.max(strain.global.unwrap_or(-1.0));
    }
}

impl Swing {
    /// The swing that solvers are compared by: 2 m, 2,500 irregular triangles, frames of a 60th of a second.
    pub fn standard(solver: SolverConfig, substeps: u32) -> Self {
        let mesh = SwingMesh::Irregular { triangles: 2500 };
        Self { mesh, side: 2.0, tethers: TetherChoice::Off, solver, time_step: 1.0 / 60.0, substeps }
    }

    /// The cloth. Its rest shape hangs, so that strain along gravity has a meaning; it starts level.
    pub fn cloth(&self) -> Result<Cloth, crate::Error> {
        let side = self.side;
        let mesh: TriMesh = match self.mesh {
            SwingMesh::Irregular { triangles } => generate::delaunay_rectangle(side, side, triangles, 1)?,
            SwingMesh::Grid { cells } => generate::grid(cells, cells, side, side)?,
        };
        let level = mesh.positions.iter().map(|p| Vec3::new(p.x, side, side - p.y)).collect();
        let material = Material { damping: Damping::None, ..Material::default() };
        let builder = Cloth::builder(mesh).material(material).tethers(self.tethers);
        Ok(builder.pin_group("top").start_positions(level).build()?)
    }

    /// The conditions: gravity, and nothing else.
    pub fn settings(&self) -> Settings {
        Settings {
            time_step: self.time_step,
            substeps: self.substeps,
            gravity: Vec3::new(0.0, -GRAVITY as f32, 0.0),
            wind: None,
            solver: self.solver.clone(),
            ..Settings::default()
        }
    }

    /// The swing on the CPU.
    pub fn simulation(&self, threads: usize) -> Result<Simulation, crate::Error> {
        Ok(Simulation::new(self.cloth()?, Settings { threads, ..self.settings() })?)
    }

    /// Swings for some seconds, frame by frame. A step that fails ends the swing, and comes with what there was.
    pub fn run(
        &self,
        seconds: f64,
        threads: usize,
    ) -> Result<(Course, PeakStrain, Option<Error>), crate::Error> {
        let mut simulation = self.simulation(threads)?;
        let mut recorder = Recorder::new(&simulation);
        for _ in 0..(seconds / self.time_step).round() as usize {
            if let Err(error) = simulation.step() {
                return Ok((recorder.course, recorder.peak, Some(error)));
            }
            recorder.take(&simulation);
        }
        Ok((recorder.course, recorder.peak, None))
    }
}

/// Writes the course of a swing down.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// So far.
    pub course: Course,
    /// So far.
    pub peak: PeakStrain,
    /// Energy at the start, and that of gravity, joules.
    start: [f64; 2],
    /// M g, newtons.
    weight: f64,
    /// M g L/2, joules.
    unit: f64,
}

impl Recorder {
    /// Begins with a cloth at its start. Weights and kinetic energies are those of its particles' own masses: particles
    /// that count alike show energy that is not there.
    pub fn new(simulation: &Simulation) -> Self {
        let energy = simulation.energy();
        let weight = simulation.cloth().total_mass() * GRAVITY;
        let rest = simulation.cloth().rest_positions();
        let heights = rest.iter().map(|p| f64::from(p.y));
        let (low, high) = heights.fold((f64::MAX, f64::MIN), |(l, h), y| (l.min(y), h.max(y)));
        let unit = weight * 0.5 * (high - low);
        let start = Moment { time: 0.0, height: 0.0, energy: 0.0 };
        Self {
            course: Course { moments: vec![start] },
            peak: PeakStrain::default(),
            start: [energy.total(), energy.gravity],
            weight,
            unit,
        }
    }

    /// Writes this moment down.
    pub fn take(&mut self, simulation: &Simulation) {
        let energy = simulation.energy();
        self.course.moments.push(Moment {
            time: simulation.time(),
            height: (energy.gravity - self.start[1]) / self.weight,
            energy: (energy.total() - self.start[0]) / self.unit,
        });
        self.peak.take(&simulation.strain());
    }
}

/// The same swing of the chain, seen as often as the cloth: in frames of `frame` seconds.
pub fn chain_course(side: f64, seconds: f64, frame: f64) -> Course {
    let mut chain = Chain::level(side, LINKS);
    let unit = GRAVITY * 0.5 * side;
    let mut course = Course::default();
    for number in 0..=(seconds / frame).round() as usize {
        let ChainEnergy { kinetic, gravity } = chain.energy();
        course.moments.push(Moment {
            time: number as f64 * frame,
            height: gravity / GRAVITY,
            energy: (kinetic + gravity) / unit,
        });
        (0..STEPS).for_each(|_| chain.step(frame / STEPS as f64));
    }
    course
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of the reference: an independent program found 0.653 s and 98 %.
    #[test]
    fn the_chain_is_lowest_when_it_should_be() {
        let figures = chain_course(2.0, 2.0, 1.0 / 60.0).figures();
        assert!((figures.lowest_s.unwrap() - 0.653).abs() < 0.001, "{figures:?}");
        assert!((figures.rebound.unwrap() - 0.98).abs() < 0.005, "{figures:?}");
        assert!(figures.gain < 1e-5 && figures.loss_1s.unwrap().abs() < 1e-5, "{figures:?}");
    }

    /// Times go with the root of the length.
    #[test]
    fn a_longer_chain_is_slower() {
        let [short, long] = [(2.0, 1.0 / 60.0), (8.0, 1.0 / 30.0)]
            .map(|(side, frame)| chain_course(side, 3.0, frame).figures());
        assert!((long.lowest_s.unwrap() / short.lowest_s.unwrap() - 2.0).abs() < 1e-9);
    }
}
