//! Kelager, Niebe, Erleben 2010: triangle bending. Table 1, and figures 7 and 8.
//!
//! Figures 1, 2, 3 and 9 are pictures: scenes of the gallery (`plant`, `collapse`, `rigid_fabric`, `iterations`).

mod fabric;
mod figure7;
mod figure8;
mod table1;

/// How the paper is cited in reports.
const PAPER: &str =
    "Kelager, Niebe, Erleben 2010: A triangle bending constraint model for position-based dynamics";

crate::items_of! { PAPER:
    CPU "kelager2010-table1", 15 s, table1::run, "time per bending constraint: triangle, dihedral angle, stick";
    CPU "kelager2010-figure7", 2 s, figure7::run, "convergence of bending from a crumpled state";
    CPU "kelager2010-figure8", 10 s, figure8::run, "what κ and k do to a rigid fabric";
}
