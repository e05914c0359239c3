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

use crate::Item;

/// How the paper is cited in reports.
const PAPER: &str =
    "Schmitt, Knuth, Bender, Kuijper 2013: Multilevel cloth simulation using GPU surface sampling";

/// What the paper keeps strain below.
const STRAIN_LIMIT: f64 = 0.1;

/// The items of this paper.
pub(crate) const ITEMS: [Item; 8] = [
    Item {
        name: "schmitt2013-figure1",
        description: "230,000 particles over a ball, with a coarse mesh of 5,112 vertices",
        seconds: 90,
        gpu: true,
        run: figure1::run,
    },
    Item {
        name: "schmitt2013-error",
        description: "what sampling into the grid and projecting back loses",
        seconds: 5,
        gpu: false,
        run: error::run,
    },
    Item {
        name: "schmitt2013-table1",
        description: "time per step of 50,000 particles over a ball, by task and level",
        seconds: 50,
        gpu: true,
        run: table1::run,
    },
    Item {
        name: "schmitt2013-figure9",
        description: "Jacobi and Gauss-Seidel without a hierarchy: iterations for 10 % strain, and their time",
        seconds: 240,
        gpu: true,
        run: figure9::run,
    },
    Item {
        name: "schmitt2013-figure10",
        description: "time per step by number of levels, three schemes, 50,000 and 230,000 particles",
        seconds: 1500,
        gpu: true,
        run: figure10::run,
    },
    Item {
        name: "schmitt2013-figure11",
        description: "100 × 100 particles with 1, 3, 4 and all levels: time and strain",
        seconds: 70,
        gpu: true,
        run: figure11::run,
    },
    Item {
        name: "schmitt2013-figure12",
        description: "an irregular shape and its parameterisation",
        seconds: 60,
        gpu: true,
        run: figure12::run,
    },
    Item {
        name: "schmitt2013-scaling",
        description: "50,000 and 230,000 particles, on a GPU up to four million: time and strain",
        seconds: 170,
        gpu: true,
        run: scaling::run,
    },
];
