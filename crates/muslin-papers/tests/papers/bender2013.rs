//! Small versions of the tables and figures of Bender 2013, with bounds.

use muslin_papers::{Options, Report, reproduce};

fn quick(item: &str) -> Report {
    reproduce(item, &Options { quick: true, threads: 1, gpu: None }).unwrap()
}

fn ours(report: &Report, label: &str) -> f64 {
    report.ours(label).unwrap_or_else(|| panic!("no row '{label}' in\n{report}"))
}

/// Table 3 on its own mesh, two of the five steps.
#[test]
fn table_3_is_met_within_a_quarter_and_the_default_is_at_least_twice_as_stiff() {
    let report = quick("bender2013-table3");
    assert_eq!(report.rows.iter().filter(|row| row.paper.is_some()).count(), 8);
    let (row, deviation) = report.largest_deviation().unwrap();
    assert!(deviation < 0.25, "{} is off by {deviation:.2}\n{report}", row.label);
    for step in ["10 ms", "5 ms"] {
        for what in ["average", "maximum"] {
            let paper = ours(&report, &format!("{step}, 2D+1D, {what}"));
            let default = ours(&report, &format!("{step}, 2D+1D, {what} (default)"));
            assert!(default < 0.5 * paper, "{step}, {what}: {default} against {paper}");
        }
    }
    assert!(!report.notes.iter().any(|note| note.contains("not settled")), "{report}");
}

/// On a small model: the printed V-cycle gains nothing from a third level, the others do.
#[test]
fn figure_7_has_a_slope_only_with_the_full_approximation_scheme() {
    let report = quick("bender2013-figure7");
    let ratio = |suffix: &str| {
        let strain = |levels: u32| ours(&report, &format!("{levels} levels, 2D+1D, average{suffix}"));
        strain(3) / strain(2)
    };
    let (paper, default, gather) = (ratio(""), ratio(" (default)"), ratio(" (gather)"));
    assert!((0.9..1.15).contains(&paper), "paper {paper}");
    assert!(default < 0.7 && gather < 0.7, "default {default}, gather {gather}");
}

#[test]
fn figure_8_recovers_in_every_variant() {
    let report = quick("bender2013-figure8");
    assert!(!report.notes.iter().any(|note| note.contains("not recovered")), "{report}");
    for row in report.rows.iter().filter(|row| row.unit == "steps") {
        assert!(row.ours <= 50.0, "{}: {}", row.label, row.ours);
    }
}

#[test]
fn figure_10_loses_its_wrinkles_without_conservation() {
    let report = quick("bender2013-figure10");
    let single = ours(&report, "single level, curvature energy");
    for variant in ["default", "paper"] {
        let with = ours(&report, &format!("{variant}, with conservation, curvature energy"));
        let without = ours(&report, &format!("{variant}, without, curvature energy"));
        assert!(with > 0.5 * single, "{variant}: {with} against {single} on a single level");
        assert!(with > 5.0 * without, "{variant}: {with} with, {without} without");
    }
}

#[test]
fn an_undamped_swing_gains_no_energy_with_the_default() {
    let report = quick("bender2013-energy");
    let gains = report.rows.iter().filter(|row| row.label.contains("highest gain (default"));
    let gains: Vec<f64> = gains.map(|row| row.ours).collect();
    assert_eq!(gains.len(), 6);
    assert!(gains.iter().all(|&gain| gain < 2e-3), "{report}");
}
