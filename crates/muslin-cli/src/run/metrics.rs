//! Figures along a run, and their plots.

use std::time::Duration;

use muslin::Simulation;
use muslin_render::plot::{Axis, Plot, Series};

/// What is measured after a frame, over all cloths.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// Seconds since the start.
    pub time: f64,
    /// Milliseconds of the step; `None` for the start.
    pub ms: Option<f64>,
    /// Largest of the cloths', as fractions.
    pub strain_avg: f64,
    pub strain_max_edge: f64,
    pub strain_global: Option<f64>,
    /// Of all cloths together; measured only if it will be plotted.
    pub energy: Option<Energy>,
}

impl Frame {
    /// Measures the cloths after a step that took `spent`.
    pub fn measure(simulations: &[(String, Simulation)], spent: Option<Duration>, with_energy: bool) -> Self {
        let mut frame = Self { ms: spent.map(|spent| spent.as_secs_f64() * 1e3), ..Self::default() };
        if with_energy {
            frame.energy = Some(Energy::of(simulations));
        }
        for (_, simulation) in simulations {
            let strain = simulation.strain();
            frame.time = simulation.time();
            frame.strain_avg = frame.strain_avg.max(strain.average);
            frame.strain_max_edge = frame.strain_max_edge.max(strain.max_edge);
            frame.strain_global = match (frame.strain_global, strain.global) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (a, b) => a.or(b),
            };
        }
        frame
    }
}

/// Joules.
#[derive(Clone, Copy, Debug)]
pub struct Energy {
    pub total: f64,
    pub kinetic: f64,
}

impl Energy {
    fn of(simulations: &[(String, Simulation)]) -> Self {
        let energies = simulations.iter().map(|(_, simulation)| simulation.energy());
        energies.fold(Self { total: 0.0, kinetic: 0.0 }, |sum, energy| Self {
            total: sum.total + energy.total(),
            kinetic: sum.kinetic + energy.kinetic,
        })
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
