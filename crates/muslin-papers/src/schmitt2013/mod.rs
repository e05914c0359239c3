//! Schmitt, Knuth, Bender, Kuijper 2013: a coarse mesh that collides, a fine grid that folds. Table 1, figures 1 and
//! 9–12, the error of §4.3, and how far it goes beyond the paper's sizes.
//!
//! The paper's times are those of its GPU (a Radeon HD 7850): run these items on one to compare. It gives neither size
//! nor weight of its cloth, nor how many iterations it took on coarse levels; ours are in `model`.

mod draw;
mod error;
mod figure1;
mod figure10;
mod figure11;
mod figure12;
mod figure9;
mod kernels;
mod measured;
mod model;
mod scaling;
mod shape;
mod table1;

/// How the paper is cited in reports.
const PAPER: &str =
    "Schmitt, Knuth, Bender, Kuijper 2013: Multilevel cloth simulation using GPU surface sampling";

/// What the paper keeps strain below.
const STRAIN_LIMIT: f64 = 0.1;

crate::items_of! { PAPER:
    CPU_OR_GPU "schmitt2013-figure1", 90 s, figure1::run,
        "230,000 particles over a ball, with a coarse mesh of 5,112 vertices";
    CPU "schmitt2013-error", 5 s, error::run, "what sampling into the grid and projecting back loses";
    CPU_OR_GPU "schmitt2013-table1", 50 s, table1::run,
        "time per step of 50,000 particles over a ball, by task and level";
    CPU_OR_GPU "schmitt2013-figure9", 240 s, figure9::run,
        "Jacobi and Gauss-Seidel without a hierarchy: iterations for 10 % strain, and their time";
    CPU_OR_GPU "schmitt2013-figure10", 1500 s, figure10::run,
        "time per step by number of levels, three schemes, 50,000 and 230,000 particles";
    CPU_OR_GPU "schmitt2013-figure11", 70 s, figure11::run,
        "100 × 100 particles with 1, 3, 4 and all levels: time and strain";
    CPU_OR_GPU "schmitt2013-figure12", 60 s, figure12::run, "an irregular shape and its parameterisation";
    CPU_OR_GPU "schmitt2013-scaling", 170 s, scaling::run,
        "50,000 and 230,000 particles, on a GPU up to four million: time and strain";
}
