//! Motion against an exact reference: a cloth that swings from one edge, beside an inextensible chain.
//!
//! Small strain says little about motion: a cloth that hardly falls has none. So the item `motion` and the bench `swing`
//! ask when the centre of mass is lowest, how far it comes back, and what became of the energy. No paper has these
//! figures; where one would stand is the chain.
//!
//! `chain` (the reference) and `swing` (the cloth) → `course` (heights and energies) → figures

mod chain;
mod course;
mod swing;

use muslin::solver::{
    Cycle, Impulses, Multilevel, PositionBased, RadialMatching, ShapeMatching, SolverConfig,
};

use crate::{Error, Options, Progress, Report};
pub use chain::{Chain, ChainEnergy, GRAVITY};
pub use course::{Course, Figures, Moment};
use muslin_render::plot::{Axis, Series};
pub use swing::{PeakStrain, Recorder, Swing, SwingMesh, chain_course};

/// What stands in the place of a paper.
const REFERENCE: &str = "an inextensible chain of 40 links, integrated exactly, in the place of a paper";

crate::items_of! { REFERENCE:
    CPU "motion", 240 s, run,
        "a cloth that swings from one edge, beside an exact chain: every solver, 1 to 100 substeps";
}

/// A way to solve, as benches and reports name it.
#[derive(Clone, Debug)]
pub struct Way {
    /// As in `muslin bench --json`.
    pub name: &'static str,
    /// With its options.
    pub solver: SolverConfig,
    /// Numbers of substeps of a 60th of a second for which a swing of ten seconds takes no more than a minute or so.
    pub substeps: &'static [u32],
}

/// All solvers and variants with their default options.
pub fn ways() -> Vec<Way> {
    const MANY: &[u32] = &[1, 3, 10, 30, 100];
    let sawtooth = ShapeMatching { cycle: Cycle::Sawtooth, ..ShapeMatching::default() };
    let way = |name, solver, substeps| Way { name, solver, substeps };
    vec![
        way("shape_matching/full_approximation", SolverConfig::default(), MANY),
        way("shape_matching/sawtooth", SolverConfig::ShapeMatching(sawtooth), MANY),
        way("shape_matching/gather", SolverConfig::ShapeMatching(ShapeMatching::averaged()), &[1, 3, 8, 30]),
        way("shape_matching/paper", SolverConfig::ShapeMatching(ShapeMatching::paper()), &[1, 3, 10, 30]),
        way(
            "position_based/gauss_seidel",
            SolverConfig::PositionBased(PositionBased::default()),
            &[1, 3, 10, 30],
        ),
        way("radial_matching", SolverConfig::RadialMatching(RadialMatching::default()), &[1, 3, 10, 30]),
        way("impulses", SolverConfig::Impulses(Impulses::default()), &[1, 3, 10]),
        way("multilevel", SolverConfig::Multilevel(Multilevel::default()), &[1, 3, 16]),
    ]
}

/// A swing of one way, measured.
struct Measured {
    name: &'static str,
    substeps: u32,
    course: Course,
}

fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (triangles, seconds) = if options.quick { (300, 2.0) } else { (2500, 10.0) };
    let chain = chain_course(2.0, seconds, 1.0 / 60.0);
    let mut all = Vec::new();
    for Way { name, solver, substeps } in ways() {
        for &substeps in if options.quick { &substeps[..2] } else { substeps } {
            progress(&format!("{name}, {substeps} substeps"));
            let mesh = SwingMesh::Irregular { triangles };
            let swing = Swing { mesh, ..Swing::standard(solver.clone(), substeps) };
            let (course, peak, failed) = swing.run(seconds, options.threads)?;
            rows(report, &format!("{name}, {substeps} substeps"), &chain.figures(), &course.figures(), peak);
            if let Some(error) = failed {
                report.note(format!("{name}, {substeps} substeps: ended early: {error}."));
            }
            all.push(Measured { name, substeps, course });
        }
    }
    report.note(format!(
        "2 m x 2 m, {triangles} irregular triangles, held along one edge, level and at rest at first; default material \
         without damping, in a vacuum; {seconds} s in frames of 1/60 s. The column of the paper is the chain. Energies \
         in units of M g L/2, which is what the fall of the whole cloth sets free, with the particles' own masses."
    ));
    let axes = [Axis::linear("seconds"), Axis::linear("metres above the start")];
    report.plot("-height", "Swing of 2 m: height of the centre of mass", axes, series(&chain, &all));
    Ok(())
}

fn rows(report: &mut Report, label: &str, chain: &Figures, ours: &Figures, peak: PeakStrain) {
    const UNIT: &str = "M g L/2";
    let mut row = |what: &str, chain: Option<f64>, ours: Option<f64>, unit: &str| {
        if let Some(ours) = ours {
            report.row(format!("{label}, {what}"), chain, ours, unit);
        }
    };
    // Three digits, like a paper's: the chain is not known better than to the flutter of its end.
    let rounded = |value: Option<f64>| value.map(|value| (value * 1e3).round() / 1e3);
    let percent = |value: Option<f64>| value.map(|value| 100.0 * value);
    row("lowest at", rounded(chain.lowest_s), ours.lowest_s, "s");
    row("rebound", rounded(percent(chain.rebound)), percent(ours.rebound), "%");
    row("loss at 1 s", Some(0.0), ours.loss_1s, UNIT);
    row("gain", Some(0.0), Some(ours.gain), UNIT);
    row("largest average strain", Some(0.0), Some(100.0 * peak.average), "%");
    row("largest strain of an edge", Some(0.0), Some(100.0 * peak.max_edge), "%");
}

/// The height of the centre of mass: the chain, and the default with several substeps.
fn series(chain: &Course, all: &[Measured]) -> Vec<Series> {
    /// A few swings are enough to see: after that the chain's end whips at random.
    const SHOWN: f64 = 3.0;
    let points = |course: &Course| {
        let shown = course.moments.iter().take_while(|moment| moment.time <= SHOWN);
        shown.map(|moment| [moment.time, moment.height]).collect()
    };
    let mut series = vec![Series { name: "chain".into(), points: points(chain), dashed: true, colour: 6 }];
    let default = ways().first().map_or("", |way| way.name);
    for (colour, Measured { substeps, course, .. }) in
        all.iter().filter(|one| one.name == default).enumerate()
    {
        let name = format!("{substeps} substep{}", if *substeps == 1 { "" } else { "s" });
        series.push(Series { name, points: points(course), dashed: false, colour });
    }
    series
}
