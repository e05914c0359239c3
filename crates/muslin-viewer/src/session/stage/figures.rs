//! Figures of a stage.

use muslin::diagnostics::timings::Stage as TimedStage;

use super::super::{EnergyFigures, Figures, Sample, StageTime};
use super::Stage;

/// Figures of now, and the sample of them for graphs.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// All.
    pub figures: Figures,
    /// For graphs.
    pub sample: Sample,
}

impl Stage {
    /// Measures everything; takes about as long as a tenth of a step.
    pub fn measure(&self, step_ms: f64) -> Measured {
        let report = self.world.report();
        let stages = TimedStage::ALL.into_iter().map(|stage| (stage, report.timings.get(stage)));
        let stages = stages.filter(|(_, spent)| !spent.is_zero());
        let mut figures = Figures {
            step_ms,
            stages: stages
                .map(|(stage, spent)| StageTime { name: stage.name(), ms: 1e3 * spent.as_secs_f64() })
                .collect(),
            contacts: report.collisions.contacts,
            highest_speed: report.cloths.iter().map(|cloth| cloth.max_speed).fold(0.0, f32::max),
            rewind_bytes: self.past_bytes(),
            ..Figures::default()
        };
        let mut edges = 0.0;
        for (_, cloth) in self.world.cloths() {
            let (strain, energy) = (cloth.strain(), cloth.energy());
            let triangles = cloth.cloth().triangles().len();
            figures.average_strain += strain.average * triangles as f64;
            figures.largest_strain = figures.largest_strain.max(strain.max_edge);
            edges += triangles as f64;
            figures.triangles += triangles;
            figures.vertices += cloth.cloth().vertex_count();
            let EnergyFigures { kinetic, gravity, bending, stretch } = &mut figures.energy;
            *kinetic += energy.kinetic;
            *gravity += energy.gravity;
            *bending += energy.bending;
            *stretch += energy.stretch;
        }
        figures.average_strain /= f64::max(edges, 1.0);
        let energy = figures.energy;
        let sample = Sample {
            time: self.world.time(),
            step_ms,
            average_strain: figures.average_strain,
            largest_strain: figures.largest_strain,
            kinetic: energy.kinetic,
            energy: energy.kinetic + energy.gravity + energy.bending + energy.stretch,
            contacts: figures.contacts,
        };
        Measured { figures, sample }
    }
}
