//! Anonymous: cloth simulation inspired by shape matching. Tables 1–3: time per update of a small hanging cloth, by
//! triangles, by edges and by both.

mod tables;

use muslin::solver::RadialRegions;

use crate::{Error, Options, Progress, Report};

/// How the paper is cited in reports.
const PAPER: &str = "Anonymous: Cloth Simulation inspired by Shape Matching";

crate::items_of! { PAPER:
    CPU "anonymous-table1", 15 s, table1, "time per update of radial shape matching: triangles";
    CPU "anonymous-table2", 10 s, table2, "time per update of radial shape matching: edges";
    CPU "anonymous-table3", 20 s, table3, "time per update of radial shape matching: triangles and edges";
}

fn table1(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let printed = tables::Printed {
        max: [3.00e-3, 1.87e-3, 1.28e-2, 2.84e-2],
        average: [5.25e-5, 1.24e-5, 8.32e-5, 2.60e-4],
        min: [3.26e-6, 9.33e-6, 7.00e-5, 2.00e-4],
    };
    tables::run(RadialRegions::Triangles, &printed, options, progress, report)
}

fn table2(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let printed = tables::Printed {
        max: [7.62e-4, 9.17e-4, 4.74e-3, 1.16e-2],
        average: [3.18e-6, 6.93e-6, 2.26e-5, 1.18e-4],
        min: [1.87e-6, 5.13e-6, 1.40e-5, 9.84e-5],
    };
    tables::run(RadialRegions::Edges, &printed, options, progress, report)
}

fn table3(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let printed = tables::Printed {
        max: [8.05e-4, 1.23e-3, 4.34e-3, 9.82e-3],
        average: [7.77e-6, 1.93e-5, 5.44e-5, 3.40e-4],
        min: [5.31e-6, 1.45e-5, 4.33e-5, 3.01e-4],
    };
    tables::run(RadialRegions::Both, &printed, options, progress, report)
}
