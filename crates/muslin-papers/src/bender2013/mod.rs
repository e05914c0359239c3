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

/// How the paper is cited in reports.
const PAPER: &str =
    "Bender, Weber, Diziol 2013: Fast and stable cloth simulation based on multi-resolution shape matching";

crate::items_of! { PAPER:
    CPU "bender2013-table1", 25 s, table1::run, "time per step for three models, on one core and on all";
    CPU "bender2013-table2", 10 s, table2::run, "share of each stage in the time of a step";
    CPU "bender2013-table3", 100 s, table3::run, "strain of a hanging cloth against the time step";
    CPU "bender2013-figure6", 25 s, figure6::run, "time per step against the number of triangles";
    CPU "bender2013-figure7", 90 s, figure7::run, "strain of a hanging cloth against the number of levels";
    CPU "bender2013-figure8", 20 s, figure8::run, "recovery from random positions and from a single point";
    CPU "bender2013-figure10", 10 s, figure10::run, "fine wrinkles of a wave with and without their conservation";
    CPU "bender2013-energy", 40 s, energy::run, "energy of an undamped swing over ten seconds";
}

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
