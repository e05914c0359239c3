//! The keys of `[solver]` and `[cloth.solver]`.

use super::backend::BACKENDS;
use super::{CYCLES, METHODS, NESTINGS, VARIANTS};
use super::{impulses, multilevel, position_based, radial_matching};
use crate::scene::schema::table::words;
use crate::scene::schema::{Choice, Interval, Key, Kind, Need, Schema, key};

const REMOVAL: Interval = Interval { least: 0.01, most: 0.99, words: "between 0.01 and 0.99" };
const OVER_RELAXATION: Interval = Interval { least: 0.01, most: 3.99, words: "between 0.01 and 3.99" };
const WARM_START: Interval = Interval { least: 0.0, most: 0.5, words: "between 0 and 0.5" };
const STRAIN: Interval = Interval { least: 1e-12, most: 1.0, words: "between 1e-12 and 1" };
const MAX_SPEED: Interval = Interval { most: 1e6, ..Interval::LENGTH };

/// Generates the keys twice: of the scene, and of one cloth, where absent means "as in `[solver]`". Keys that not
/// every method has state their defaults in words.
macro_rules! method_keys {
    ($absent:expr, $otherwise:expr, [$($more:expr),*]) => {
        &[
            key("method", "", Kind::Word(&words(&METHODS)), $absent("\"shape_matching\""),
                "The solver. The keys from `variant` to `conserve_wrinkles`, and `order`, are for shape matching."),
            key("variant", "", Kind::Word(&words(&VARIANTS)), $absent("\"full_approximation\""),
                "What is computed: the stiffest form of the method, or the printed one. `\"gather\"` is the older name of \
                 `order = \"jacobi\"`."),
            key("cycle", "", Kind::Word(&words(&CYCLES)), $absent("\"v\""),
                "When the levels are worked on: down and up, or up only. On the GPU `\"sawtooth\"`."),
            key("cycles", "", Kind::Integer(1, 1000), $absent("1"), "Cycles per step; substeps serve better. Also of `multilevel`."),
            key("levels", "", Kind::Integer(1, 32), $absent("8"),
                "Levels of the hierarchy, the mesh included, or as many as it allows. On the GPU 12. Of `multilevel` those of its \
                 grid, of which it has at most 12."),
            key("removal", "", Kind::Number(REMOVAL), $absent("0.5"),
                "Fraction of the triangles that goes from each level to the next coarser one. On the GPU 0.75."),
            key("fewest_triangles", "", Kind::Integer(1, 1_000_000), $absent("1"),
                "No level gets fewer triangles than this. On the GPU 120."),
            key("nesting", "", Kind::Word(&words(&NESTINGS)), $absent("\"nested\""),
                "Whether coarse vertices coincide with fine ones."),
            key("edges", "", Kind::Flag, $absent("true"), "Whether edges count as regions besides triangles."),
            key("coarse_passes", "", Kind::Integer(1, 100), $absent("1"),
                "Passes over the regions of a coarse level whenever it is visited. On the GPU 2."),
            key("edge_passes", "", Kind::Integer(1, 8), $absent("1"),
                "Passes over the edges of the mesh itself whenever it is visited. On the GPU 2."),
            key("over_relaxation", "", Kind::Number(OVER_RELAXATION), $absent("1.0"),
                "Factor on corrections that are averaged: by the order `\"jacobi\"`, for which it is 2.5 on the GPU, for \
                 `position_based` 1.9 there. For `impulses` that of the iterative method, below 2; \
                 there it is 1.7, and more for tolerances below 0.005. For `multilevel` that of averaged levels, below 2; there it is 1.9."),
            key("conserve_wrinkles", "", Kind::Flag, $absent("true"),
                "Whether coarse levels leave compressed regions alone."),
            key("regions", "", Kind::Word(&words(&radial_matching::REGIONS)), $otherwise("`\"both\"`"),
                "`radial_matching`: what pulls its points back."),
            key("update", "", Kind::Word(&words(&radial_matching::UPDATES)), $otherwise("`\"positions\"`"),
                "`radial_matching`: whether deformation is measured at the start of a step and becomes impulses, \
                 as in its paper, or at its end and corrects positions."),
            key("iterations", "", Kind::Integer(1, 100_000), $otherwise("16"),
                "`position_based`: passes over all constraints per substep. `multilevel`: those on the finest level; without, as many \
                 as hold `strain_limit`."),
            key("order", "", Kind::Word(&words(&position_based::ORDERS)), $otherwise("`\"gauss_seidel\"`"),
                "Regions of shape matching, or constraints of `position_based`, one after the other, or all at once and averaged. On \
                 the GPU `\"jacobi\"`; shape matching has no other there."),
            key("stretch_stiffness", "", Kind::FRACTION, $otherwise("that of the material"),
                "`position_based`: fraction of an edge's stretch that a substep undoes; 1 is stiffest."),
            key("stretch_compliance", "m/N", Kind::NOT_NEGATIVE, $otherwise("that of the material"),
                "`position_based`: in its place the inverse of a spring constant, for every edge."),
            key("diagonals", "", Kind::Word(&words(&position_based::DIAGONALS)), $otherwise("`\"one\"`"),
                "`position_based`: which diagonals of quads keep their length, where the mesh knows its quads."),
            key("resolution", "", Kind::Word(&words(&impulses::RESOLUTIONS)), $otherwise("`\"auto\"`"),
                "`impulses`: edges one after the other, all at once by a linear system, or whichever is faster."),
            key("tolerance", "", Kind::Number(STRAIN), $otherwise("0.01"),
                "`impulses`: the largest strain of an edge that is allowed, as a fraction."),
            key("most_iterations", "", Kind::Integer(1, 10_000_000), $otherwise("10000"),
                "`impulses`: most passes over all edges per substep; too few leave more strain than allowed. `multilevel`: the most \
                 that are tried to hold `strain_limit`, 64 there."),
            key("velocity_impulses", "", Kind::Flag, $otherwise("`true`"),
                "`impulses`: whether velocities are corrected too."),
            key("directions", "", Kind::Word(&words(&impulses::DIRECTIONS)), $otherwise("`\"auto\"`"),
                "`impulses`: whether they act along edges at the start of a step, as in the paper, \
                 or at its end. `\"auto\"` is the start for cloth without pins in scenes without colliders and bodies."),
            key("start_from", "", Kind::Word(&words(&impulses::STARTS)), $otherwise("`\"auto\"`"),
                "`impulses`, one after the other: whether they begin with where particles would go, as in the paper, or \
                 after two cycles of shape matching. `\"auto\"` is the latter for cloth with pins, tolerances from 0.005 and substeps from 2 ms."),
            key("warm_start", "", Kind::Number(WARM_START), $otherwise("0"),
                "`impulses`: how much of the last step's corrections a step begins with."),
            key("shear_stiffness", "N/m", Kind::NOT_NEGATIVE, $otherwise("that of the material"),
                "`impulses`: of springs along a diagonal of each quad."),
            key("shear_damping", "N·s/m", Kind::NOT_NEGATIVE, $otherwise("that of the material"),
                "`impulses`: of the same springs."),
            key("bending_stiffness", "N/m", Kind::NOT_NEGATIVE, $otherwise("0"),
                "`impulses`: of springs between particles two edges apart, besides the material's bending."),
            key("bending_damping", "N·s/m", Kind::NOT_NEGATIVE, $otherwise("0"),
                "`impulses`: of the same springs."),
            key("spacing", "m", Kind::LENGTH, $otherwise("as `particles` says"),
                "`multilevel`: between particles of the grid."),
            key("particles", "", Kind::Integer(1, u32::MAX as i64), $otherwise("40000"),
                "`multilevel`: in its place about how many particles the grid has."),
            key("parameterisation", "", Kind::Word(&words(&multilevel::PARAMETERISATIONS)), $otherwise("`\"auto\"`"),
                "`multilevel`: where the flat shape comes from: the texture coordinates (metres of cloth), the mesh itself, \
                 which is flat, or it is flattened. `\"auto\"` is the first of these that keeps lengths."),
            key("most_distortion", "", Kind::Number(multilevel::DISTORTION), $otherwise("0.1"),
                "`multilevel`: how much the flat shape may differ in lengths, as a fraction."),
            key("coarsest", "", Kind::Integer(2, 1 << 20), $otherwise("4"),
                "`multilevel`: no level has fewer particles than this along its longer side."),
            key("scheme", "", Kind::Word(&words(&multilevel::SCHEMES)), $otherwise("`\"combined\"`"),
                "`multilevel`: how levels are relaxed: averaged, one set after the other, or the latter on small ones only."),
            key("plan", "", multilevel::PLAN, $otherwise("as `scheme` says"),
                "`multilevel`: what is done on single levels, the coarsest first; the last is the finest, whose number of \
                 iterations is that of `iterations`."),
            key("level_iterations", "", multilevel::ITERATIONS, $otherwise("8"),
                "`multilevel`: iterations on each coarser level."),
            key("strain_limit", "", Kind::POSITIVE, $otherwise("0.1"),
                "`multilevel`: the strain along threads that is iterated for, as a fraction."),
            key("compression", "", Kind::FRACTION, $otherwise("1"),
                "`multilevel`: share of a compression that an iteration on the finest level undoes."),
            key("compression_passes", "", multilevel::ITERATIONS, $otherwise("4"),
                "`multilevel`: how many of these iterations (at most half) undo compression; the others only limit stretch."),
            key("shear", "", Kind::FRACTION, $otherwise("1"),
                "`multilevel`: share of a shear that an iteration undoes, without a measured stiffness."),
            key("bending_weft", "N·m", Kind::NOT_NEGATIVE, $otherwise("that of the material"),
                "`multilevel`: bending stiffness along the weft; `bending_warp` must be given too."),
            key("bending_warp", "N·m", Kind::NOT_NEGATIVE, $otherwise("that of the material"),
                "`multilevel`: the same along the warp."),
            key("bending_passes", "", Kind::Integer(0, 1000), $otherwise("1"),
                "`multilevel`: bending passes per substep."),
            key("overlap", "", Kind::Flag, $otherwise("`false`"),
                "`multilevel`: whether the mesh collides while the grid goes on, one substep late. For GPUs."),
            key("snap", "", Kind::Flag, $otherwise("`false`"),
                "`multilevel`: whether inner vertices of the mesh are moved onto particles, where their triangles allow it."),
            $($more),*
        ]
    };
}

const fn as_in_solver(_: &'static str) -> Need {
    Need::Otherwise("as in `[solver]`")
}

const KEYS: &[Key] = method_keys!(
    Need::Default,
    Need::Otherwise,
    [
        key(
            "backend",
            "",
            Kind::Word(&words(&BACKENDS)),
            Need::Default("\"cpu\""),
            "What computes; `\"auto\"` is the GPU if there is one that can do all of the scene, else the CPU."
        ),
        key(
            "threads",
            "",
            Kind::Integer(0, 1024),
            Need::Default("0"),
            "Worker threads; 0 means one per core."
        ),
        key(
            "max_speed",
            "m/s",
            Kind::Number(MAX_SPEED),
            Need::Default("200.0"),
            "No particle moves faster than this."
        )
    ]
);
const CLOTH_KEYS: &[Key] = method_keys!(as_in_solver, as_in_solver, []);

const CHOICES: &[Choice] = &[
    Choice { keys: &["stretch_stiffness", "stretch_compliance"], required: false },
    multilevel::SIZE_CHOICE,
];

pub(in crate::scene) const SCHEMA: Schema =
    Schema::new("[solver]", "How cloth is kept together. Results do not depend on `threads`.", KEYS)
        .choosing(CHOICES);
pub(in crate::scene) const CLOTH_SCHEMA: Schema =
    Schema::new("[cloth.solver]", "Options of the solver for one cloth.", CLOTH_KEYS).choosing(CHOICES);
