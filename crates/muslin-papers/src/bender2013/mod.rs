//! Bender, Weber, Diziol 2013: multi-resolution shape matching. Tables 1–3, figures 6–8 and 10,
//! and the energy of an undamped swing (the discussion's "no numerical damping").
//!
//! Figures 1, 5 and 9 are pictures with collisions; figure 7's curves are not printed as numbers,
//! only what the text says about them.

mod energy;
mod figure10;
mod figure6;
mod figure7;
mod figure8;
mod hanging;
mod models;
mod table1;
mod table2;
mod table3;

use muslin::solver::ShapeMatching;

use crate::Item;

/// How the paper is cited in reports.
const PAPER: &str =
    "Bender, Weber, Diziol 2013: Fast and stable cloth simulation based on multi-resolution shape matching";

/// The items of this paper.
pub(crate) const ITEMS: [Item; 8] = [
    Item {
        name: "bender2013-table1",
        description: "time per step for three models, on one core and on all",
        seconds: 25,
        gpu: false,
        run: table1::run,
    },
    Item {
        name: "bender2013-table2",
        description: "share of each stage in the time of a step",
        seconds: 10,
        gpu: false,
        run: table2::run,
    },
    Item {
        name: "bender2013-table3",
        description: "strain of a hanging cloth against the time step",
        seconds: 100,
        gpu: false,
        run: table3::run,
    },
    Item {
        name: "bender2013-figure6",
        description: "time per step against the number of triangles",
        seconds: 25,
        gpu: false,
        run: figure6::run,
    },
    Item {
        name: "bender2013-figure7",
        description: "strain of a hanging cloth against the number of levels",
        seconds: 90,
        gpu: false,
        run: figure7::run,
    },
    Item {
        name: "bender2013-figure8",
        description: "recovery from random positions and from a single point",
        seconds: 20,
        gpu: false,
        run: figure8::run,
    },
    Item {
        name: "bender2013-figure10",
        description: "fine wrinkles of a wave with and without their conservation",
        seconds: 10,
        gpu: false,
        run: figure10::run,
    },
    Item {
        name: "bender2013-energy",
        description: "energy of an undamped swing over ten seconds",
        seconds: 40,
        gpu: false,
        run: energy::run,
    },
];

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As printed.
    Paper,
    /// The default of this library.
    Default,
    /// The same, with regions averaged as on a GPU.
    Averaged,
}

impl Form {
    /// The solver's options.
    fn options(self) -> ShapeMatching {
        match self {
            Self::Paper => ShapeMatching::paper(),
            Self::Default => ShapeMatching::default(),
            Self::Averaged => ShapeMatching::averaged(),
        }
    }
}

/// What follows a label if the figures are not those of the paper's variant.
fn suffix(variant: Form) -> &'static str {
    match variant {
        Form::Paper => "",
        Form::Default => " (default)",
        Form::Averaged => " (gather)",
    }
}

/// The variant's name in plots and notes.
fn name(variant: Form) -> &'static str {
    match variant {
        Form::Paper => "paper",
        Form::Default => "default",
        Form::Averaged => "gather",
    }
}

/// The kinds of regions, in the paper's words.
fn regions(edges: bool) -> &'static str {
    if edges { "2D+1D" } else { "2D" }
}

/// The middle value. Zero for no values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
