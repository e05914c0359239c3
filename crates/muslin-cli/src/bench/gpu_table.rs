//! Results of a GPU as aligned tables.

use super::record::{GpuFigures, KernelRecord, Record};
use super::table::aligned;

/// A table with a header, one row per result.
pub fn table(records: &[Record]) -> String {
    let header = [
        "name",
        "solver",
        "triangles",
        "in all",
        "levels",
        "tethers",
        "substeps",
        "ms/step",
        "p95",
        "dispatches",
        "µs each",
        "avg %",
        "max %",
        "global %",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(records.iter().filter_map(|record| Some(row(record, record.gpu.as_ref()?))));
    format!(
        "{}\n(dispatches per substep; avg, max and global: strain in per cent; a step has all its substeps)",
        aligned(&rows)
    )
}

fn row(record: &Record, gpu: &GpuFigures) -> Vec<String> {
    let percent = |fraction: f64| format!("{:.3}", fraction * 100.0);
    vec![
        record.name.clone(),
        record.solver.rsplit('/').next().unwrap_or_default().to_owned(),
        record.triangles.to_string(),
        record.total_triangles.to_string(),
        gpu.levels.to_string(),
        if gpu.tethers { "yes" } else { "no" }.to_owned(),
        record.substeps.to_string(),
        format!("{:.3}", record.ms_per_step_median),
        format!("{:.3}", record.ms_per_step_p95),
        gpu.dispatches.to_string(),
        format!("{:.2}", gpu.us_per_dispatch),
        percent(record.strain_avg),
        percent(record.strain_max_edge),
        record.strain_global.map_or("–".to_owned(), percent),
    ]
}

/// The dispatches of a result, one row each.
pub fn kernels(record: &Record) -> String {
    let Some(gpu) = record.gpu.as_ref().filter(|gpu| !gpu.kernels.is_empty()) else {
        return "(this device cannot time its kernels)".to_owned();
    };
    let header = ["kernel", "level", "µs", "MB", "GB/s", "% of a copy"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(gpu.kernels.iter().map(kernel));
    let sum: f64 = gpu.kernels.iter().map(|kernel| kernel.microseconds).sum();
    let (name, triangles, tethers) =
        (&record.name, record.triangles, if gpu.tethers { ", tethers" } else { "" });
    format!("{name}, {triangles} triangles{tethers}: one substep, {sum:.1} µs in kernels\n{}", aligned(&rows))
}

fn kernel(kernel: &KernelRecord) -> Vec<String> {
    vec![
        kernel.kernel.to_owned(),
        kernel.level.to_string(),
        format!("{:.2}", kernel.microseconds),
        format!("{:.3}", kernel.least_bytes as f64 * 1e-6),
        format!("{:.1}", kernel.gb_per_s),
        format!("{:.1}", 100.0 * kernel.share_of_peak),
    ]
}
