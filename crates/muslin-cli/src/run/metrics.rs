//! Figures along a run, and their plots.

use std::time::Duration;

use glam::Vec3;
use muslin::diagnostics::energy::Energy;
use muslin::rigid::MovingBody;
use muslin::solver::SolverConfig;
use muslin_render::plot::{Axis, Plot, Series};
use serde::{Deserialize, Serialize};

use super::engine::{Engine, Stepped};
use super::grid::GridFrame;

/// What is measured after a frame, over all cloths.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Frame {
    /// Seconds since the start.
    pub time: f64,
    /// Milliseconds per step, of which a frame has several; `None` for the start.
    pub ms: Option<f64>,
    /// Largest of the cloths', as fractions.
    pub strain_avg: f64,
    pub strain_max_edge: f64,
    pub strain_global: Option<f64>,
    /// Energy of all cloths and rigid bodies together; measured only if it will be plotted.
    pub energy: Option<EnergyFrame>,
    /// For cloths with the impulse solver: the largest strain of a constraint, and after how many substeps of the frame
    /// constraints did not hold.
    #[serde(default)]
    pub constraint_strain: Option<f64>,
    #[serde(default)]
    pub unsatisfied: usize,
    /// Contacts that pushed in the last step of the frame.
    pub contacts: usize,
    /// Impacts in all steps of the frame.
    pub impacts: usize,
    pub zones: usize,
    pub divisions: usize,
    /// Substeps of the frame at whose end cloth under a rigid body was strained by more than 20 %.
    #[serde(default)]
    pub overloaded: usize,
    /// Pairs that were not kept apart in the last step of the frame because they started in each other, and
    /// particles on their way out of closed meshes.
    #[serde(default)]
    pub ignored_pairs: usize,
    #[serde(default)]
    pub inside: usize,
    /// Counted only if it is asked for.
    pub intersections: Option<Intersections>,
    /// What the grids of multilevel cloth did.
    #[serde(default)]
    pub grid: Option<GridFrame>,
    /// What was held in this frame.
    pub quarantines: Vec<Quarantine>,
}

/// Particles that were held in a frame because some of them went astray.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Quarantine {
    pub frame: u32,
    pub cloth: String,
    /// The first of them, in the mesh's numbering; none of particles of a grid.
    pub vertex: Option<u32>,
    pub particles: usize,
}

/// What passes through what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Intersections {
    /// Intersections of cloth with itself and with other cloth.
    pub self_intersections: usize,
    pub collider_penetrations: usize,
}

impl Intersections {
    /// Counts them.
    pub fn of(engine: &Engine) -> Self {
        let found = engine.intersections();
        Self {
            self_intersections: found.self_intersections + found.between_cloths,
            collider_penetrations: found.collider_penetrations,
        }
    }
}

impl Frame {
    /// What cannot be measured later: how a frame came about.
    pub fn stepped(frame: u32, stepped: Stepped, spent: Duration, substeps: u32) -> Self {
        let quarantine = |(cloth, vertex, particles)| Quarantine { frame, cloth, vertex, particles };
        let quarantines = stepped.astray.into_iter().map(quarantine).collect();
        let counts = &stepped.collisions;
        Self {
            ms: Some(spent.as_secs_f64() * 1e3 / f64::from(substeps)),
            unsatisfied: stepped.unsatisfied,
            grid: stepped.grid,
            contacts: counts.contacts,
            impacts: counts.impacts,
            zones: counts.zones,
            divisions: counts.divisions,
            overloaded: counts.overloaded,
            ignored_pairs: counts.ignored,
            inside: counts.inside,
            quarantines,
            ..Self::default()
        }
    }

    /// Adds what the cloths are like now.
    #[must_use]
    pub fn measure(mut self, engine: &Engine, with_energy: bool, with_intersections: bool) -> Self {
        self.energy = with_energy.then(|| EnergyFrame::of(engine));
        self.intersections = with_intersections.then(|| Intersections::of(engine));
        for (_, simulation) in engine.cloths() {
            let strain = simulation.strain();
            self.time = simulation.time();
            if matches!(simulation.settings().solver, SolverConfig::Impulses(_)) {
                let largest = self.constraint_strain.unwrap_or_default().max(simulation.constraint_strain());
                self.constraint_strain = Some(largest);
            }
            self.strain_avg = self.strain_avg.max(strain.average);
            self.strain_max_edge = self.strain_max_edge.max(strain.max_edge);
            self.strain_global = match (self.strain_global, strain.global) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (a, b) => a.or(b),
            };
        }
        self
    }
}

/// A rigid body at the end.
#[derive(Serialize)]
pub struct BodyEnd {
    name: String,
    /// Position of its centre of mass, metres.
    position: [f64; 3],
    /// x, y, z, w.
    rotation: [f64; 4],
    /// m/s.
    velocity: [f64; 3],
    /// rad/s.
    angular_velocity: [f64; 3],
}

impl BodyEnd {
    /// As it is now.
    pub fn of(body: &MovingBody) -> Self {
        Self {
            name: body.name().to_owned(),
            position: body.center().to_array(),
            rotation: body.state().rotation.to_array(),
            velocity: body.velocity().to_array(),
            angular_velocity: body.angular_velocity().to_array(),
        }
    }
}

/// The energy of all cloths and rigid bodies, joules.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct EnergyFrame {
    pub total: f64,
    pub kinetic: f64,
}

impl EnergyFrame {
    fn of(engine: &Engine) -> Self {
        let cloths = engine.cloths();
        let gravity = cloths.first().map_or(Vec3::ZERO, |(_, first)| first.settings().gravity);
        let energies = cloths.iter().map(|(_, simulation)| simulation.energy());
        let energies = energies.chain(engine.bodies().iter().map(|body| body.energy(gravity)));
        let sum = energies.fold(Energy::default(), |sum, energy| sum + energy);
        Self { total: sum.total(), kinetic: sum.kinetic }
    }
}

/// Plots over time, with the names of their files.
pub fn plots(frames: &[Frame]) -> [(&'static str, Plot); 3] {
    let series = |name: &str, colour: usize, value: &dyn Fn(&Frame) -> Option<f64>| Series {
        name: name.to_owned(),
        points: frames.iter().filter_map(|f| value(f).map(|v| [f.time, v])).collect(),
        dashed: false,
        colour,
    };
    let plot = |title: &str, unit: &str, series: Vec<Series>| Plot {
        title: title.to_owned(),
        x: Axis::linear("time, s"),
        y: Axis::linear(unit),
        series,
    };
    let strain = vec![
        series("average", 0, &|f| Some(100.0 * f.strain_avg)),
        series("worst edge", 1, &|f| Some(100.0 * f.strain_max_edge)),
    ];
    let energy = vec![
        series("total", 0, &|f| f.energy.map(|energy| energy.total)),
        series("kinetic", 1, &|f| f.energy.map(|energy| energy.kinetic)),
    ];
    [
        ("strain", plot("Strain", "per cent", strain)),
        ("energy", plot("Energy", "joules", energy)),
        ("time_per_step", plot("Time per step", "ms", vec![series("step", 0, &|f| f.ms)])),
    ]
}
