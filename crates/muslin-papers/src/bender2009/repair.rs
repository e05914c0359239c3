//! §5: "even totally destroyed models can be repaired": random positions, and how long it takes until every strain is
//! below the tolerance.

use glam::Vec3;
use muslin::solver::ImpulseMethod;

use super::measured::Run;
use super::model::{self, Held, size};
use super::per_cent;
use crate::{Error, Options, Progress, Report};

/// Particles start anywhere in a cube with sides of this many metres, around the middle of the cloth.
const CUBE: f32 = 1.0;

/// What was not repaired by then counts as failed.
const MOST_STEPS: u32 = 300;

pub(super) fn run(options: &Options, progress: Progress, report: &mut Report) -> Result<(), Error> {
    let (sides, starts) = if options.quick { (&[8][..], 1) } else { (&[10, 20, 40][..], 4) };
    let cases = [
        ("iterative", ImpulseMethod::Iterative, 0.1),
        ("iterative", ImpulseMethod::Iterative, 0.01),
        ("iterative", ImpulseMethod::Iterative, 0.001),
        ("linear system", ImpulseMethod::LinearSystem, 0.01),
        ("linear system", ImpulseMethod::LinearSystem, 0.0001),
    ];
    for &side in sides {
        for (name, method, tolerance) in cases {
            let label = format!("{}, {name}, {}", size(side), per_cent(tolerance));
            progress(&label);
            let (mut repaired, mut most_steps, mut most_passes) = (0, 0, 0);
            for seed in 0..starts {
                let mut run = Run::new(destroyed(side, model::method(method, tolerance), seed)?);
                while run.steps < MOST_STEPS {
                    if run.step()? < tolerance {
                        repaired += 1;
                        break;
                    }
                }
                most_steps = most_steps.max(run.steps);
                most_passes = most_passes.max(run.all_passes());
            }
            report.row(format!("{label}, steps"), None, most_steps.into(), "");
            report.row(format!("{label}, passes"), None, most_passes.into(), "in all steps");
            let part = 100.0 * repaired as f64 / starts as f64;
            report.row(format!("{label}, repaired"), Some(100.0), part, "% of starts");
        }
    }
    report.note(format!(
        "Random positions in a cube of {CUBE} m, two corners held, gravity, 1/30 s; the slowest of {starts} starts, at most \
         {MOST_STEPS} steps and 10,000 passes each. Passes of the linear system are its solutions. The paper says that \
         'even totally destroyed models can be repaired', which is the 100 above, and gives no number of steps."
    ));
    Ok(())
}

fn destroyed(
    side: usize,
    impulses: muslin::solver::Impulses,
    seed: u64,
) -> Result<muslin::Simulation, Error> {
    let mut simulation = model::still(side, Held::Corners, impulses)?;
    let (mut positions, mut noise) = (simulation.positions(), model::noise(seed));
    for (v, position) in positions.iter_mut().enumerate() {
        if v != 0 && v != side - 1 {
            *position = Vec3::new(0.5, 0.0, 0.5) + 0.5 * CUBE * Vec3::new(noise(), noise(), noise());
        }
    }
    let velocities = vec![Vec3::ZERO; positions.len()];
    simulation.set_state(&positions, &velocities)?;
    Ok(simulation)
}
