//! Figure 7: how fast triangle and dihedral bending converge, from a highly violated state.
//!
//! A step of n iterations, over bending and stretch in turn as always, takes the crumpled fabric of figure 3 to where
//! they get. The error is that of the bending constraints, root mean square, in parts of that at the start: metres and
//! radians cannot be compared, but how fast they fall can. The mean turn along rows and columns can be compared
//! directly. It tells what the error of the dihedral model hides: with 144 angles, as in the paper, quads fold along
//! their diagonals, every angle is right, and the fabric is as crumpled as before. So all 225 angles are shown too.

use muslin::cloth::{BendingModel, DihedralBending};
use muslin::mesh::TriMesh;
use muslin_render::plot::{Axis, Series};

use super::fabric;
use crate::{Error, Options, Progress, Report};

/// Iterations that get rows of their own.
const SHOWN: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// Between these, rates are measured: the first iterations undo what is local, and in the end rounding decides.
const RATE: [u32; 2] = [4, 32];

/// What is left after some iterations.
struct Left {
    /// What is left of the bending constraints' error, in parts of the start.
    error: f64,
    /// Mean turn along rows and columns, in parts of the start.
    turn: f64,
    /// Mean strain of the edges, per cent.
    strain: f64,
}

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let most = if options.quick { 32 } else { 64 };
    let mesh = fabric::mesh(fabric::SIDE)?;
    let (mut errors, mut turns) = (Vec::new(), Vec::new());
    for (colour, (name, model)) in models().into_iter().enumerate() {
        progress(name);
        let curve: Vec<Left> = (1..=most).map(|n| left(&mesh, model, n)).collect::<Result<_, _>>()?;
        let at = |n: u32| &curve[n as usize - 1];
        for n in SHOWN {
            let label = format!("{name}, {n} iteration{}", if n == 1 { "" } else { "s" });
            report.row(format!("{label}, error"), None, at(n).error, "of the start");
            report.row(format!("{label}, turn"), None, at(n).turn, "of the start");
            report.row(format!("{label}, average strain"), None, at(n).strain, "%");
        }
        let rate = |left: fn(&Left) -> f64| {
            let [from, to] = RATE.map(|n| left(at(n)));
            (to / from).powf(1.0 / f64::from(RATE[1] - RATE[0]))
        };
        report.row(format!("{name}, rate of the error"), None, rate(|left| left.error), "per iteration");
        report.row(format!("{name}, rate of the turn"), None, rate(|left| left.turn), "per iteration");
        let line = |left: fn(&Left) -> f64| Series {
            name: name.into(),
            points: [[0.0, 1.0]]
                .into_iter()
                .chain((1..).zip(&curve).map(|(n, at)| [f64::from(n), left(at)]))
                .collect(),
            dashed: name == "stick",
            colour,
        };
        errors.push(line(|left| left.error));
        turns.push(line(|left| left.turn));
    }
    notes(report);
    let axes = |y: &str| [Axis::linear("iterations"), Axis::logarithmic(y)];
    report.plot("", "Rigid fabric: each model's own error", axes("error, of the start"), errors);
    report.plot("-turn", "Rigid fabric: turn along rows and columns", axes("turn, of the start"), turns);
    Ok(())
}

/// The models of table 1, and angles over the diagonals as well.
fn models() -> [(&'static str, BendingModel); 4] {
    let [triangle, dihedral, stick] = fabric::models();
    let all = BendingModel::Dihedral(DihedralBending { quads: false, ..DihedralBending::default() });
    [triangle, dihedral, ("dihedral, all edges", all), stick]
}

fn notes(report: &mut Report) {
    report.note(format!(
        "The paper prints no numbers for this figure; its text says that both converge linearly, triangles at a lower \
         rate. Rates are factors per iteration, from {} to {} iterations. Errors are root mean squares of C over the \
         bending constraints, in parts of that at the start.",
        RATE[0], RATE[1]
    ));
    report.note(
        "10 × 10 points, k = 1, κ = 0, no elasticity on stretch; bending and stretch in turn, Gauss-Seidel, without \
         gravity. Turn is the mean angle between neighbouring edges of rows and columns, a measure that belongs to no \
         model; strain is what the edges pay for it.",
    );
}

fn left(mesh: &TriMesh, model: BendingModel, iterations: u32) -> Result<Left, Error> {
    let mut simulation = fabric::recovering(mesh, model, iterations)?;
    let measure = |positions: &[glam::Vec3], cloth: &muslin::cloth::Cloth| -> Result<[f64; 2], Error> {
        let errors = cloth.bending_errors(positions)?;
        let sum: f64 = errors.iter().map(|&error| f64::from(error).powi(2)).sum();
        Ok([(sum / errors.len() as f64).sqrt(), fabric::mean_turn(positions, fabric::SIDE)])
    };
    let before = measure(&simulation.positions(), simulation.cloth())?;
    simulation.step()?;
    let after = measure(&simulation.positions(), simulation.cloth())?;
    Ok(Left {
        error: after[0] / before[0],
        turn: after[1] / before[1],
        strain: 100.0 * simulation.strain().average,
    })
}
