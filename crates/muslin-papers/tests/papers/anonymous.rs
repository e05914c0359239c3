//! Small versions of the tables of Anonymous, with bounds.

use muslin_papers::{Options, reproduce};

/// Times are those of the machine, but the shape of a table is not.
#[test]
fn the_tables_have_the_papers_meshes_and_times_that_grow_with_them() {
    for (table, largest_average) in [("1", 2.60e-4), ("2", 1.18e-4), ("3", 3.40e-4)] {
        let report =
            reproduce(&format!("anonymous-table{table}"), &Options { quick: true, threads: 1, gpu: None })
                .unwrap();
        let row = |label: &str| {
            report
                .rows
                .iter()
                .find(|row| row.label == label)
                .unwrap_or_else(|| panic!("no '{label}' in\n{report}"))
        };
        assert_eq!(row("1152 triangles, average").paper, Some(largest_average));
        for triangles in [18, 50, 162, 1152] {
            for suffix in ["", " (positions)"] {
                let ours = |what: &str| row(&format!("{triangles} triangles, {what}{suffix}")).ours;
                assert!(
                    0.0 < ours("min") && ours("min") <= ours("average") && ours("average") <= ours("max")
                );
                // The cloth falls for 20 ms only.
                let strain = ours("largest edge strain");
                assert!(strain.is_finite() && strain < 10.0, "{triangles}{suffix}: {strain} %");
            }
        }
        let least = |triangles: u32| row(&format!("{triangles} triangles, min")).ours;
        assert!(least(1152) > 4.0 * least(18), "{report}");
    }
}
