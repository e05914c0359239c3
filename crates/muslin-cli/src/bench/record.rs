//! A result as scripts read it. The fields and their order are a contract.

use std::collections::BTreeMap;

use serde::Serialize;

/// One measured configuration.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    pub name: String,
    pub solver: &'static str,
    pub backend: &'static str,
    pub device: String,
    pub threads: usize,
    /// Triangles of the finest level.
    pub triangles: usize,
    /// Triangles of all levels together.
    pub total_triangles: usize,
    pub vertices: usize,
    /// Seconds per step.
    pub dt: f64,
    /// Into how many each step is divided.
    pub substeps: u32,
    /// How many were timed.
    pub steps: usize,
    /// Wall-clock time.
    pub ms_per_step_median: f64,
    pub ms_per_step_p95: f64,
    /// CPU time of all threads together, waiting awake counted in: the mean, where the system tells; not of a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_ms_per_step: Option<f64>,
    /// Median time of each stage, ms.
    pub stages: BTreeMap<&'static str, f64>,
    /// Fractions, after the timed steps.
    pub strain_avg: f64,
    pub strain_max_edge: f64,
    pub strain_global: Option<f64>,
    /// Counted after the timed steps; only where there are collisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intersections: Option<usize>,
    /// Only of a swing; its strains are the largest on the way.
    #[serde(flatten)]
    pub swing: Option<SwingFigures>,
    /// The most memory of the whole process while this scene was built and measured, where the system tells.
    /// Configurations that are measured side by side share it.
    pub peak_rss_mib: Option<f64>,
    /// Only of a GPU.
    #[serde(flatten)]
    pub gpu: Option<GpuFigures>,
}

/// What a swing is measured for.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SwingFigures {
    #[serde(flatten)]
    pub figures: muslin_papers::motion::Figures,
    /// Seconds at which a step failed, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diverged_s: Option<f64>,
}

/// What is known about a step on a GPU besides.
#[derive(Clone, Debug, Serialize)]
pub struct GpuFigures {
    /// Levels of the hierarchy, as built.
    pub levels: usize,
    pub removal: f64,
    pub tethers: bool,
    /// Per substep.
    pub dispatches: usize,
    /// Wall-clock time of a substep by its dispatches, µs.
    pub us_per_dispatch: f64,
    /// The dispatches of a substep in their order; empty if the device cannot time them.
    pub kernels: Vec<KernelRecord>,
}

/// One dispatch of a substep.
#[derive(Clone, Debug, Serialize)]
pub struct KernelRecord {
    pub kernel: &'static str,
    /// Coarsest 0.
    pub level: usize,
    pub microseconds: f64,
    /// That it must read and write at the least.
    pub least_bytes: u64,
    /// The least bytes by the time.
    pub gb_per_s: f64,
    /// The share of the bandwidth of a plain copy.
    pub share_of_peak: f64,
}
