//! Bender, Bayer, Diziol 2009: inextensible cloth by impulses. Figures 4–6, and what the text says of interrupted
//! iterations, momentum and destroyed models.
//!
//! The paper prints curves and pictures, hardly a number; what its text says in words stands in the reports as
//! milliseconds. Figures 7 and 8 are pictures with collisions.

mod choice;
mod figure4;
mod figure5;
mod figure6;
mod interruption;
mod measured;
mod model;
mod momentum;
mod repair;

/// How the paper is cited in reports.
const PAPER: &str = "Bender, Bayer, Diziol 2009: Dynamic simulation of inextensible cloth";

/// Milliseconds of a step in real time: what the paper measures everything by.
const REAL_TIME: f64 = 1000.0 / 30.0;

crate::items_of! { PAPER:
    CPU "bender2009-figure4", 16 s, figure4::run,
        "cloth at rest with four tolerances, and its largest strain at every step";
    CPU "bender2009-figure5", 180 s, figure5::run, "time per step of the iterative method: five sizes, four tolerances";
    CPU "bender2009-figure6", 75 s, figure6::run, "time per step of the linear-system method: seven sizes";
    CPU "bender2009-interruption", 4 s, interruption::run, "five iterations per step: time, strain and stability";
    CPU "bender2009-momentum", 8 s, momentum::run, "drift of momentum of a free cloth over 10,000 steps, both methods";
    CPU "bender2009-repair", 2 s, repair::run, "steps and passes from random positions to strains below the tolerance";
    CPU "bender2009-choice", 250 s, choice::run, "which method is faster, by size and tolerance";
}

/// A fraction as per cent, as in the paper: `0.01 %`.
fn per_cent(fraction: f64) -> String {
    // Six digits after the point are enough for the smallest tolerance, and rounding removes what binary adds.
    let digits = format!("{:.6}", 100.0 * fraction);
    format!("{} %", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_are_named_as_in_the_paper() {
        let names = [0.1, 0.01, 0.001, 0.0001, 1e-6].map(per_cent);
        assert_eq!(names, ["10 %", "1 %", "0.1 %", "0.01 %", "0.0001 %"]);
    }
}
