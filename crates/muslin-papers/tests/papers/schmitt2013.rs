//! Small versions of the figures of Schmitt 2013, with bounds.

use muslin_papers::{Options, Report, reproduce};

fn quick(item: &str) -> Report {
    reproduce(&format!("schmitt2013-{item}"), &Options { quick: true, threads: 0, gpu: None }).unwrap()
}

fn ours(report: &Report, label: &str) -> f64 {
    report.ours(label).unwrap_or_else(|| panic!("no row '{label}' in\n{report}"))
}

/// All figures of a report are numbers, and no particle was lost.
fn sound(report: &Report) {
    assert!(report.rows.iter().all(|row| row.ours.is_finite()), "{report}");
    assert!(report.rows.iter().all(|row| row.label != "lost particles" || row.ours == 0.0), "{report}");
}

/// §4.3: 0.06 % on average, 0.5 % at borders; "reduced even further" by snapping.
#[test]
fn the_error_of_a_round_trip_is_within_the_papers_bounds() {
    let report = quick("error");
    sound(&report);
    for finer in [2, 3, 4, 6] {
        for data in ["snapshot", "rolled"] {
            let of = |what: &str| ours(&report, &format!("{data}, {finer} times finer, {what}"));
            // In the paper's table 1 and figure 1 texels are 6 times finer than triangles.
            if finer == 6 || data == "rolled" {
                assert!(of("average") < 0.06 && of("largest at borders") < 0.5, "{data}, {finer}\n{report}");
            }
            assert!(of("average (snapped)") < of("average"), "{data}, {finer}\n{report}");
        }
        assert!(ours(&report, &format!("affine, {finer} times finer, largest")) < 1e-4, "{report}");
    }
    let stretch = ours(&report, "snapshot, largest stretch of a triangle");
    assert!((5.0..40.0).contains(&stretch), "{report}");
}

#[test]
fn levels_take_strain_away_at_equal_iterations() {
    let report = quick("figure11");
    sound(&report);
    let stretch = |levels: &str| ours(&report, &format!("{levels} levels, largest stretch"));
    assert!(stretch("1") > 3.0 * stretch("4"), "{report}");
    assert!(stretch("1") > stretch("3") && stretch("3") > stretch("4"), "{report}");
    let tethered = ours(&report, "all 6 levels and tethers, largest stretch");
    assert!(tethered < stretch("all 6") && tethered < 2.0, "{report}");
    let [(name, picture)] = &report.pictures[..] else { panic!("one picture") };
    assert_eq!((name.as_str(), picture.width, picture.height), ("schmitt2013-figure11", 600, 120));
}

#[test]
fn without_levels_gauss_seidel_takes_fewer_iterations_than_jacobi_and_larger_grids_take_more() {
    let report = quick("figure9");
    sound(&report);
    let iterations =
        |side: usize, way: &str| ours(&report, &format!("{side}×{side}, {way}, iterations for 10 %"));
    for side in [12, 20] {
        assert!(iterations(side, "Gauss-Seidel") < iterations(side, "Jacobi"), "{report}");
        assert!(iterations(side, "Jacobi") < iterations(side, "Jacobi (as printed)"), "{report}");
    }
    for way in ["Jacobi", "Gauss-Seidel", "Jacobi (as printed)"] {
        assert!(iterations(20, way) > 1.5 * iterations(12, way), "{report}");
        assert!(ours(&report, &format!("20×20, {way}, largest stretch")) <= 10.0, "{report}");
    }
    assert_eq!(report.figures.len(), 3);
}

#[test]
fn more_levels_take_fewer_iterations_on_the_finest() {
    let report = quick("figure10");
    sound(&report);
    for side in [33, 49] {
        for scheme in ["Jacobi", "Gauss-Seidel", "combined"] {
            let of = |levels: u32, what: &str| {
                report.ours(&format!("{side}×{side}, {levels} levels, {scheme}, {what}"))
            };
            // No row: 128 are not enough.
            let [fewer, more] = [3, 4].map(|levels| of(levels, "iterations").unwrap_or(f64::INFINITY));
            assert!(more <= fewer && more <= 64.0, "{side}, {scheme}\n{report}");
            assert!(of(4, "largest stretch").is_some_and(|stretch| stretch <= 10.0), "{report}");
        }
    }
}

#[test]
fn cloth_over_a_ball_keeps_its_strain_and_stays_out_of_it() {
    let table = quick("table1");
    sound(&table);
    assert_eq!(ours(&table, "levels"), 5.0);
    assert_eq!(ours(&table, "particles"), 3600.0);
    assert!(ours(&table, "largest stretch (all levels)") < 12.0, "{table}");
    let figure = quick("figure1");
    sound(&figure);
    assert_eq!(ours(&figure, "particles"), 10_000.0);
    assert!(ours(&figure, "largest stretch") < 12.0, "{figure}");
    assert!(ours(&figure, "deepest point of the fine mesh in the ball") < 3.0, "{figure}");
    // It has not slid off.
    assert!(ours(&figure, "highest point of the cloth") > 0.6, "{figure}");
    assert_eq!(figure.pictures[0].1.width, 360);
}

#[test]
fn any_shape_hangs_and_loses_no_particle() {
    let report = quick("figure12");
    sound(&report);
    assert!(ours(&report, "largest stretch") < 16.0, "{report}");
    assert!(ours(&report, "average strain") < 3.0, "{report}");
    assert_eq!((report.pictures[0].1.width, report.pictures[0].1.height), (240, 120));
}

#[test]
fn strain_is_low_wherever_held_corners_are() {
    let report = quick("scaling");
    sound(&report);
    // The held corners of the first one are particles of coarse levels too, those of the second one are not.
    for side in [65, 120] {
        let of = |what: &str| ours(&report, &format!("{side}×{side}, {what}"));
        assert_eq!(of("particles"), (side * side) as f64);
        assert!(of("largest stretch") < 6.0 && of("average strain") < 0.5, "{report}");
        assert!(of("global strain").abs() < 0.5, "{report}");
    }
}
