//! Results as an aligned table.

use muslin::diagnostics::timings::Stage;

use super::record::Record;

/// A stage with less than this share of every step is left out: it only asked whether it had work.
const NEGLIGIBLE: f64 = 1e-3;

/// A table with a header, one row per result.
pub fn table(records: &[Record]) -> String {
    let stages: Vec<Stage> =
        Stage::ALL.into_iter().filter(|s| records.iter().any(|r| share(r, *s) > NEGLIGIBLE)).collect();
    let several_threads = records.iter().any(|r| r.threads != records[0].threads);
    let mut rows = vec![header(&stages, several_threads)];
    for record in records {
        rows.push(row(record, &stages, several_threads.then(|| speedup(record, records))));
    }
    format!(
        "{}\n(avg, max and global: strain in per cent; stages: share of the step in per cent)",
        aligned(&rows)
    )
}

/// Rows as lines with their columns below each other.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        // Words to the left, numbers to the right.
        let cell = |(k, (text, &width)): (usize, (&String, &usize))| match k {
            0 | 1 => format!("{text:<width$}"),
            _ => format!("{text:>width$}"),
        };
        row.iter().zip(&widths).enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn header(stages: &[Stage], several_threads: bool) -> Vec<String> {
    let fixed =
        ["name", "solver", "triangles", "in all", "threads", "substeps", "ms/step", "p95", "ms/1000 tri"];
    let speedup = several_threads.then_some("speedup");
    let strains = ["avg %", "max %", "global %"];
    let names = stages.iter().map(|stage| match stage {
        Stage::ShapeMatching1d => "1D",
        Stage::ShapeMatching2d => "2D",
        other => other.name(),
    });
    fixed.into_iter().chain(speedup).chain(strains).chain(names).map(str::to_owned).collect()
}

fn row(record: &Record, stages: &[Stage], speedup: Option<Option<f64>>) -> Vec<String> {
    let percent = |fraction: f64| format!("{:.3}", fraction * 100.0);
    let mut cells = vec![
        record.name.clone(),
        record.solver.rsplit('/').next().unwrap_or_default().to_owned(),
        record.triangles.to_string(),
        record.total_triangles.to_string(),
        record.threads.to_string(),
        record.substeps.to_string(),
        format!("{:.3}", record.ms_per_step_median),
        format!("{:.3}", record.ms_per_step_p95),
        format!("{:.4}", record.ms_per_step_median / record.triangles as f64 * 1e3),
    ];
    cells.extend(speedup.map(|factor| factor.map_or("–".to_owned(), |factor| format!("{factor:.2}"))));
    cells.push(percent(record.strain_avg));
    cells.push(percent(record.strain_max_edge));
    cells.push(record.strain_global.map_or("–".to_owned(), percent));
    cells.extend(stages.iter().map(|&stage| format!("{:.1}", share(record, stage) * 100.0)));
    cells
}

/// The fraction of a step that a stage takes.
fn share(record: &Record, stage: Stage) -> f64 {
    record.stages[stage.name()] / record.stages.values().sum::<f64>()
}

/// How many times faster than the same on one thread.
fn speedup(record: &Record, records: &[Record]) -> Option<f64> {
    let same = |other: &&Record| {
        other.threads == 1 && other.triangles == record.triangles && other.solver == record.solver
    };
    records.iter().find(same).map(|single| single.ms_per_step_median / record.ms_per_step_median)
}
