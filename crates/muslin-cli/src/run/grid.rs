//! What a run says of the grids of multilevel cloth.

use muslin::Simulation;
use muslin::solver::multilevel::{GridLayout, GridReport};
use serde::{Deserialize, Serialize};

use super::metrics::Frame;

/// What the grids of all cloths did on the way to a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GridFrame {
    /// On the finest level, of the grid with the most.
    pub iterations: u32,
    /// The largest along a thread after a substep, as a fraction.
    pub strain: f64,
}

impl GridFrame {
    /// Sums the reports of all cloths that have a grid; `None` if none has.
    pub fn of<'a>(reports: impl Iterator<Item = &'a GridReport>) -> Option<Self> {
        let one = |report: &GridReport| Self { iterations: report.iterations, strain: report.strain.into() };
        reports.map(one).reduce(|a, b| Self {
            iterations: a.iterations.max(b.iterations),
            strain: a.strain.max(b.strain),
        })
    }
}

/// The grids of a run: sums over all cloths that have one, unless it says otherwise.
#[derive(Serialize)]
pub struct GridSummary {
    particles: usize,
    /// The smallest, metres.
    spacing: f64,
    /// The most.
    levels: usize,
    patches: usize,
    stitches: usize,
    /// On the finest level in the last substep, of the grid with the most.
    iterations: u32,
    /// Along a thread, over all substeps, as a fraction.
    strain_max: f64,
    /// Between the two sides of a seam at the end, the widest, metres.
    seam_gap: f64,
}

impl GridSummary {
    /// Measures these cloths after these frames; `None` if no cloth has a grid.
    pub fn new<'a>(cloths: impl Iterator<Item = &'a Simulation>, frames: &[Frame]) -> Option<Self> {
        let reports: Vec<GridFrame> = frames.iter().filter_map(|frame| frame.grid).collect();
        let iterations = reports.last().map_or(0, |report| report.iterations);
        let strain_max = reports.iter().map(|report| report.strain).fold(0.0, f64::max);
        let layouts = cloths.filter_map(|cloth| Some((cloth.grid_layout()?, cloth.seam_gap())));
        let one = |(layout, gap): (&GridLayout, Option<f64>)| Self {
            particles: layout.level_particles[0],
            spacing: layout.spacing,
            levels: layout.level_particles.len(),
            patches: layout.patches,
            stitches: layout.stitches,
            iterations,
            strain_max,
            seam_gap: gap.unwrap_or_default(),
        };
        layouts.map(one).reduce(|a, b| Self {
            particles: a.particles + b.particles,
            spacing: a.spacing.min(b.spacing),
            levels: a.levels.max(b.levels),
            patches: a.patches + b.patches,
            stitches: a.stitches + b.stitches,
            seam_gap: a.seam_gap.max(b.seam_gap),
            ..a
        })
    }

    /// For the text of a summary.
    pub fn text(&self) -> String {
        format!(
            "\ngrid       {} particles {:.2} mm apart, {} levels, {} iterations (last frame), {:.2} % strain at the most",
            self.particles,
            1e3 * self.spacing,
            self.levels,
            self.iterations,
            100.0 * self.strain_max
        )
    }
}
