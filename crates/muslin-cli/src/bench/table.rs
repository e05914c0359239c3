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
    let collides = records.iter().any(|r| r.intersections.is_some());
    let mut rows = vec![header(&stages, several_threads, collides)];
    for record in records {
        let speedup = several_threads.then(|| speedup(record, records));
        rows.push(row(record, &stages, speedup, collides));
    }
    let counted = if collides { "intersections: after the last step, by the exact counter; " } else { "" };
    format!(
        "{}\n(avg, max and global: strain in per cent; {counted}stages: share of the step in per cent)",
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

fn header(stages: &[Stage], several_threads: bool, collides: bool) -> Vec<String> {
    let fixed =
        ["name", "solver", "triangles", "in all", "threads", "substeps", "ms/step", "p95", "ms/1000 tri"];
    let speedup = several_threads.then_some(["speedup", "CPU ms"]).into_iter().flatten();
    let strains = ["avg %", "max %", "global %"];
    let counted = collides.then_some("intersections");
    let names = stages.iter().map(|stage| match stage {
        Stage::ShapeMatching1d => "1D",
        Stage::ShapeMatching2d => "2D",
        other => other.name(),
    });
    fixed.into_iter().chain(speedup).chain(strains).chain(counted).chain(names).map(str::to_owned).collect()
}

fn row(record: &Record, stages: &[Stage], speedup: Option<Option<f64>>, collides: bool) -> Vec<String> {
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
    if let Some(factor) = speedup {
        cells.push(factor.map_or("–".to_owned(), |factor| format!("{factor:.2}")));
        cells.push(record.cpu_ms_per_step.map_or("–".to_owned(), |ms| format!("{ms:.3}")));
    }
    cells.push(percent(record.strain_avg));
    cells.push(percent(record.strain_max_edge));
    cells.push(record.strain_global.map_or("–".to_owned(), percent));
    cells.extend(collides.then(|| record.intersections.map_or("–".to_owned(), |count| count.to_string())));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intersections_have_a_column_where_there_are_collisions() {
        let record = |intersections| Record {
            name: "collision-drape".into(),
            solver: "shape_matching/full_approximation",
            backend: "cpu",
            device: String::new(),
            threads: 1,
            triangles: 2,
            total_triangles: 2,
            vertices: 4,
            dt: 0.005,
            substeps: 1,
            steps: 1,
            ms_per_step_median: 1.0,
            ms_per_step_p95: 1.0,
            cpu_ms_per_step: None,
            stages: Stage::ALL.iter().map(|stage| (stage.name(), 1.0)).collect(),
            strain_avg: 0.0,
            strain_max_edge: 0.0,
            strain_global: None,
            intersections,
            gpu: None,
            swing: None,
            peak_rss_mib: None,
        };
        assert!(!table(&[record(None)]).contains("intersections"));
        let text = table(&[record(Some(17)), record(None)]);
        let column = |line: &str| line.split_whitespace().nth(12).map(str::to_owned);
        let columns: Vec<_> = text.lines().take(3).map(column).collect();
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(text.lines().next().unwrap_or_default()).contains("global % intersections"), "{text}");
        assert_eq!(columns[1..], [Some("17".to_owned()), Some("–".to_owned())], "{text}");
    }
}
