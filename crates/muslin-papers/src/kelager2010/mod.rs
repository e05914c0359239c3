//! Kelager, Niebe, Erleben 2010: triangle bending. Table 1, and figures 7 and 8.
//!
//! Figures 1, 2, 3 and 9 are pictures: scenes of the gallery (`plant`, `collapse`, `rigid_fabric`, `iterations`).

mod fabric;
mod figure7;
mod figure8;
mod table1;

use crate::Item;

/// How the paper is cited in reports.
const PAPER: &str =
    "Kelager, Niebe, Erleben 2010: A triangle bending constraint model for position-based dynamics";

/// The items of this paper.
pub(crate) const ITEMS: [Item; 3] = [
    Item {
        name: "kelager2010-table1",
        description: "time per bending constraint: triangle, dihedral angle, stick",
        seconds: 15,
        gpu: false,
        run: table1::run,
    },
    Item {
        name: "kelager2010-figure7",
        description: "convergence of bending from a crumpled state",
        seconds: 2,
        gpu: false,
        run: figure7::run,
    },
    Item {
        name: "kelager2010-figure8",
        description: "what κ and k do to a rigid fabric",
        seconds: 10,
        gpu: false,
        run: figure8::run,
    },
];

/// The middle value. Zero for no values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
