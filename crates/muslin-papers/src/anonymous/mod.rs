//! Anonymous: cloth simulation inspired by shape matching. Tables 1–3: time per update of a small hanging cloth, by
//! triangles, by edges and by both.

mod tables;

use muslin::solver::RadialRegions;

use crate::{Error, Item, Options, Progress, Report};

/// How the paper is cited in reports.
const PAPER: &str = "Anonymous: Cloth Simulation inspired by Shape Matching";

/// The items of this paper.
pub(crate) const ITEMS: [Item; 3] = [
    Item {
        name: "anonymous-table1",
        description: "time per update of radial shape matching: triangles",
        seconds: 15,
        gpu: false,
        run: table1,
    },
    Item {
        name: "anonymous-table2",
        description: "time per update of radial shape matching: edges",
        seconds: 10,
        gpu: false,
        run: table2,
    },
    Item {
        name: "anonymous-table3",
        description: "time per update of radial shape matching: triangles and edges",
        seconds: 20,
        gpu: false,
        run: table3,
    },
];

fn table1(options: &Options, progress: Progress) -> Result<Report, Error> {
    let printed = tables::Printed {
        max: [3.00e-3, 1.87e-3, 1.28e-2, 2.84e-2],
        average: [5.25e-5, 1.24e-5, 8.32e-5, 2.60e-4],
        min: [3.26e-6, 9.33e-6, 7.00e-5, 2.00e-4],
    };
    tables::run("anonymous-table1", RadialRegions::Triangles, &printed, options, progress)
}

fn table2(options: &Options, progress: Progress) -> Result<Report, Error> {
    let printed = tables::Printed {
        max: [7.62e-4, 9.17e-4, 4.74e-3, 1.16e-2],
        average: [3.18e-6, 6.93e-6, 2.26e-5, 1.18e-4],
        min: [1.87e-6, 5.13e-6, 1.40e-5, 9.84e-5],
    };
    tables::run("anonymous-table2", RadialRegions::Edges, &printed, options, progress)
}

fn table3(options: &Options, progress: Progress) -> Result<Report, Error> {
    let printed = tables::Printed {
        max: [8.05e-4, 1.23e-3, 4.34e-3, 9.82e-3],
        average: [7.77e-6, 1.93e-5, 5.44e-5, 3.40e-4],
        min: [5.31e-6, 1.45e-5, 4.33e-5, 3.01e-4],
    };
    tables::run("anonymous-table3", RadialRegions::Both, &printed, options, progress)
}
