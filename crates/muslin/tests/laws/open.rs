//! Where laws are known to be broken today. The sample leaves these cases out, `cargo xtask laws` does not.
//!
//! Each line is a defect, with its measured size, and goes when that is cured.

use crate::case::{Case, Method};
use crate::meshes::Shape;

/// Cases in which results differ by more than is allowed because rounding the start does that too, at the same place:
/// `what_is_sensitive_is_so_in_place` shows it for each. Off by 1,635 units in the last place where 1,039 are allowed (a start that is rounded
/// by half a unit: 23,200), by 2,622 (140,700), and by 21 mm where 13 are (24 mm): slivers held to a tolerance
/// of 1 % fold one way or the other.
pub const SENSITIVE: [(&str, Case); 3] = [
    ("carried", case(Method::Sawtooth, "jersey", Shape::Shirt, 8)),
    ("turned", case(Method::PositionBased, "silk", Shape::Creature, 1)),
    ("carried", case(Method::Impulses, "leather", Shape::Slivers, 1)),
];

/// A case at one substep.
const fn case(method: Method, fabric: &'static str, shape: Shape, levels: usize) -> Case {
    Case { method, fabric, shape, substeps: 1, levels }
}

/// Whether a law does not hold in a case yet.
pub fn is_open(law: &str, case: &Case) -> bool {
    let is_grid = matches!(case.method, Method::Multilevel | Method::GpuMultilevel);
    let is_short = case.substeps >= 17;
    // No physical stiffness, by the fabric or because the method knows none: what strains is dead, not a spring.
    let is_dead = case.fabric == "stiff" || matches!(case.method, Method::Gather | Method::Radial);
    let law = law.split(',').next().unwrap_or(law);
    match law {
        // In steps of 1 ms and more, points are positions; on a GPU always. Rounding strains slivers there, by up to 11 units in
        // the last place (0.08 % of 1.7 mm) where 4 are allowed: 37 cases at 1 and 5 substeps. On a GPU it strains all
        // short edges in 20 and more substeps (0.01 to 0.3 %). Grids leave rounding alone.
        // With 200 substeps one case of 270: averaged, jersey, 0.013 %.
        "rest shape in free fall" => {
            let averaged = case.method == Method::Averaged && case.shape == Shape::Slivers;
            !is_grid && if is_short { case.method.on_gpu() || averaged } else { case.shape == Shape::Slivers }
        }
        // The same, 0.010 to 0.013 %. Held as stiffly as can be, edges of three meshes are strained by 0.010 to 0.043 %: of the
        // creature at 16 substeps, of the scan and the shirt from 64 on.
        "at rest" => {
            let averaged = case.method == Method::Averaged && case.shape == Shape::Slivers;
            let tight = is_dead
                && match case.shape {
                    Shape::Creature => case.substeps == 16,
                    Shape::Scan | Shape::Shirt => case.substeps >= 64,
                    _ => false,
                };
            let long = !is_short && case.shape == Shape::Slivers;
            let short = is_short && (case.method.on_gpu() || averaged);
            !is_grid && (tight || long || short)
        }
        // From 64 substeps on dead cloth loses up to 0.15 where 0.08 and 0.06 are allowed, at one level and at many: as soon as its
        // rows are no longer straight (docs/motion.md). The bound on the energy of impulses is one-sided, so it costs
        // energy: 0.09 to 0.23 at 64 substeps, 0.44 to 0.64 at 200; the linear system lies flat on triangle meshes, and loses up to
        // 0.97 at one. Rubbery at one substep: radial matching (2.3), and averaged regions on one level (2.1).
        "loss" => {
            let rubbery = [Method::Radial, Method::Gather, Method::GpuGather, Method::LinearSystem];
            let long = case.substeps == 1 && rubbery.contains(&case.method);
            case.substeps >= 64 && (is_dead || case.method == Method::Impulses) || long
        }
        _ => SENSITIVE.contains(&(law, *case)),
    }
}
