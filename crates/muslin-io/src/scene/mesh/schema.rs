//! The keys of `mesh` and of the generators.

use crate::scene::schema::{Choice, Interval, Key, Kind, Need, Schema, key};

const CELLS: Kind = Kind::Integer(1, 1 << 20);

/// Around a circle of a metre that is a vertex every 0.2 mm, a tenth of the usual thickness of cloth. A circle of more
/// corners than some ten thousand is none that single precision can tell from one of fewer.
const AROUND: Kind = Kind::Integer(3, 1 << 14);

const GRID_KEYS: &[Key] = &[
    key("columns", "", CELLS, Need::Required, "Cells from left to right."),
    key("rows", "", CELLS, Need::Required, "Cells from bottom to top."),
    key("width", "m", Kind::LENGTH, Need::Default("1.0"), "From left to right."),
    key("height", "m", Kind::LENGTH, Need::Default("1.0"), "From bottom to top."),
];
const GRID: Schema = Schema::new(
    "mesh.grid",
    "An upright rectangle of cells of two triangles, with its lower left corner at the origin; \
     `alternating_grid` takes the same keys. Groups: `corners`, `top`, `bottom`, `left`, `right`, `boundary`.",
    GRID_KEYS,
);
const DELAUNAY: Schema = Schema::new(
    "mesh.delaunay",
    "An upright rectangle of irregular triangles. Groups as those of `grid`.",
    &[
        key("width", "m", Kind::LENGTH, Need::Default("1.0"), "From left to right."),
        key("height", "m", Kind::LENGTH, Need::Default("1.0"), "From bottom to top."),
        key("triangles", "", Kind::Integer(2, 1 << 26), Need::Required, "Exactly so many."),
        key("seed", "", Kind::COUNT, Need::Default("1"), "Another seed, another mesh."),
    ],
);
const DISK: Schema = Schema::new(
    "mesh.disk",
    "An upright disk of 6 · rings² triangles around (radius, radius). Groups: `center`, `boundary`, `top`, \
     `bottom`, `left`, `right`.",
    &[
        key("radius", "m", Kind::LENGTH, Need::Required, "The radius of the disk."),
        key("rings", "", CELLS, Need::Required, "Around the centre."),
    ],
);
const TUBE: Schema = Schema::new(
    "mesh.tube",
    "An open tube that stands on the origin, or a cone without its tip. Groups: `top`, `bottom`.",
    &[
        key(
            "radius",
            "m",
            Kind::LENGTH,
            Need::Required,
            "The radius of the tube; at the bottom if it widens or narrows.",
        ),
        key("top_radius", "m", Kind::LENGTH, Need::Otherwise("as `radius`"), "At the top."),
        key("height", "m", Kind::LENGTH, Need::Required, "The height of the tube."),
        key("segments", "", AROUND, Need::Required, "Cells around."),
        key("rings", "", CELLS, Need::Required, "Cells from bottom to top."),
        key(
            "panels",
            "",
            CELLS,
            Need::Default("1"),
            "Equal panels it is sewn of; `segments` must be a multiple. Texture coordinates are those of their pattern in \
             metres, which is what `multilevel` cloth is made of.",
        ),
    ],
);
const SPHERE: Schema = Schema::new(
    "mesh.sphere",
    "A closed sphere around the origin of 20 · 4^subdivisions triangles.",
    &[
        key("radius", "m", Kind::LENGTH, Need::Required, "The radius of the sphere."),
        key(
            "subdivisions",
            "",
            Kind::Integer(0, 16),
            Need::Required,
            "How often triangles are split in four.",
        ),
    ],
);
const BOX: Schema = Schema::new(
    "mesh.box",
    "A closed box around the origin.",
    &[
        key("size", "m", Kind::Vector(Interval::LENGTH), Need::Required, "Along x, y and z."),
        key("subdivisions", "", CELLS, Need::Default("1"), "Cells along each side of a face."),
    ],
);
const PLANT: Schema = Schema::new(
    "mesh.plant",
    "A stalk with curved leaves that stands on the origin, for `position_based`. Groups: `bottom`, `tips`.",
    &[
        key("height", "m", Kind::LENGTH, Need::Default("1.0"), "The height of the stalk."),
        key("leaves", "", Kind::Integer(1, 256), Need::Required, "Around the stalk."),
        key("cells", "", Kind::Integer(2, 256), Need::Required, "Cells of a leaf, from stalk to tip."),
    ],
);

const INSTEAD: Need = Need::Otherwise("");
const KEYS: &[Key] = &[
    key("file", "", Kind::Text, INSTEAD, "A mesh file, in the coordinates of the scene."),
    key("grid", "", Kind::Table(&GRID), INSTEAD, "A rectangle, all diagonals in one direction."),
    key("alternating_grid", "", Kind::Table(&GRID), INSTEAD, "A rectangle with alternating diagonals."),
    key("delaunay", "", Kind::Table(&DELAUNAY), INSTEAD, "A rectangle of irregular triangles."),
    key("disk", "", Kind::Table(&DISK), INSTEAD, "A disk."),
    key("tube", "", Kind::Table(&TUBE), INSTEAD, "An open tube."),
    key("sphere", "", Kind::Table(&SPHERE), INSTEAD, "A closed sphere."),
    key("box", "", Kind::Table(&BOX), INSTEAD, "A closed box."),
    key("plant", "", Kind::Table(&PLANT), INSTEAD, "A stalk with leaves."),
    key(
        "repair",
        "",
        Kind::Flag,
        Need::Default("false"),
        "Whether vertices at one place are welded and unusable triangles dropped; vertices may get other numbers.",
    ),
    key(
        "close",
        "",
        Kind::Flag,
        Need::Default("false"),
        "For bodies: as `repair`, and small flaps that stand on the surface are dropped and holes of at most 16 edges filled.",
    ),
];

pub(in crate::scene) const SCHEMA: Schema = Schema::new(
    "mesh",
    "The rest shape of a cloth, or a collider. Generated meshes stand upright, whatever `up` is.",
    KEYS,
)
.choosing(&[Choice { keys: NAMES, required: true }]);

/// The keys of which one is given.
pub(super) const NAMES: &[&str] =
    &["file", "grid", "alternating_grid", "delaunay", "disk", "tube", "sphere", "box", "plant"];
