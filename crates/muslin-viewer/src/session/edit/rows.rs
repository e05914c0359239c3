//! Which settings are shown, in which groups, and how far their sliders go.

use muslin::cloth::{BendingModel, Stretch};
use muslin::solver::SolverConfig;
use muslin_io::scene::{Backend, ClothDescription, ColliderShape, Scene};

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Within the group's path.
    pub key: &'static str,
    /// A label, where the key is none.
    pub name: Option<&'static str>,
    /// The ends of a slider, where the limits are none.
    pub soft: Option<[f64; 2]>,
    /// Whether a slider is better logarithmic.
    pub is_logarithmic: bool,
    /// Whether the world is built anew for it.
    pub rebuilds: bool,
}

/// Settings that belong together.
#[derive(Clone, Debug)]
pub struct Group {
    pub title: String,
    pub about: String,
    /// The path of its table, with a point at its end.
    pub path: String,
    pub rows: Vec<Row>,
}

const fn row(key: &'static str) -> Row {
    Row { key, name: None, soft: None, is_logarithmic: false, rebuilds: false }
}

impl Row {
    const fn to(self, low: f64, high: f64) -> Self {
        Self { soft: Some([low, high]), ..self }
    }

    const fn log(self, low: f64, high: f64) -> Self {
        Self { soft: Some([low, high]), is_logarithmic: true, ..self }
    }

    const fn named(self, name: &'static str) -> Self {
        Self { name: Some(name), ..self }
    }

    const fn anew(self) -> Self {
        Self { rebuilds: true, ..self }
    }
}

const MATERIAL: &[Row] = &[
    row("fabric"),
    row("material.density").log(0.02, 2.0),
    row("material.bending").log(1e-7, 1e-2),
    row("material.damping").to(0.0, 10.0),
    row("material.thickness").log(5e-4, 0.02),
    row("material.friction").to(0.0, 1.5),
    row("material.static_friction").to(0.0, 1.5),
];

const PHYSICAL: &[Row] = &[
    row("material.stretch.weft").log(5.0, 20_000.0).named("Stretch, weft"),
    row("material.stretch.warp").log(5.0, 20_000.0).named("Stretch, warp"),
    row("material.stretch.shear").log(1.0, 10_000.0).named("Shear"),
    row("material.strain_limit").log(0.01, 1.0),
];

const COEFFICIENTS: &[Row] = &[
    row("material.stretch.alpha").named("Stretch of triangles"),
    row("material.stretch.beta").named("Stretch of edges"),
];

const AIR: &[Row] = &[
    row("gravity").to(-20.0, 20.0),
    row("air"),
    row("wind.velocity").to(-15.0, 15.0).named("Wind"),
    row("wind.gusts").to(0.0, 1.5),
    row("wind.gust_size").log(0.05, 5.0),
    row("wind.air_density").to(0.0, 5.0),
    row("wind.drag").to(0.0, 3.0),
    row("wind.lift").to(0.0, 2.0),
];

const TIME: &[Row] =
    &[row("substeps").to(1.0, 20.0), row("fps").to(24.0, 120.0).named("Steps per second").anew()];

const COLLISION: &[Row] = &[
    row("self").named("Self-collision").anew(),
    row("passes").to(1.0, 20.0).anew(),
    row("rounds").to(1.0, 40.0).anew(),
    row("level").to(0.0, 4.0).anew(),
    row("start").anew(),
    row("response").anew(),
];

const SOLID: &[Row] =
    &[row("friction").to(0.0, 1.5), row("static_friction").to(0.0, 1.5), row("thickness").log(5e-4, 0.05)];

const BODY: &[Row] = &[
    row("mass").log(0.01, 50.0).anew(),
    row("density").log(10.0, 10_000.0).anew(),
    row("friction").to(0.0, 1.5).anew(),
    row("restitution").anew(),
];

const MACHINE: &[Row] =
    &[row("backend").anew(), row("threads").to(0.0, 16.0).anew(), row("max_speed").log(1.0, 500.0).anew()];

const SHAPE_MATCHING: &[Row] = &[
    row("levels").to(1.0, 12.0),
    row("cycles").to(1.0, 10.0),
    row("cycle"),
    row("variant"),
    row("order"),
    row("removal"),
    row("fewest_triangles").log(1.0, 1000.0),
    row("nesting"),
    row("edges"),
    row("coarse_passes").to(1.0, 10.0),
    row("edge_passes"),
    row("conserve_wrinkles"),
];

const RADIAL_MATCHING: &[Row] = &[row("regions"), row("update")];

const POSITION_BASED: &[Row] = &[
    row("iterations").log(1.0, 256.0),
    row("order"),
    row("stretch_stiffness"),
    row("diagonals"),
    row("over_relaxation").to(0.5, 2.0),
];

const IMPULSES: &[Row] = &[
    row("tolerance").log(1e-4, 0.1),
    row("resolution"),
    row("most_iterations").log(10.0, 100_000.0),
    row("velocity_impulses"),
    row("directions"),
    row("start_from"),
    row("warm_start"),
];

const MULTILEVEL: &[Row] = &[
    row("particles").log(1000.0, 200_000.0).anew(),
    row("levels").to(1.0, 12.0),
    row("level_iterations").to(1.0, 32.0),
    row("scheme"),
    row("strain_limit").log(0.005, 0.5),
    row("compression"),
    row("compression_passes").to(0.0, 16.0),
    row("shear"),
    row("bending_passes").to(0.0, 10.0),
];

/// All groups of a scene.
pub fn groups(scene: &Scene) -> Vec<Group> {
    let group = |title: &str, about: &str, path: &str, rows: &[&[Row]]| Group {
        title: title.to_owned(),
        about: about.to_owned(),
        path: path.to_owned(),
        rows: rows.concat(),
    };
    let mut groups = Vec::new();
    for (number, cloth) in scene.cloths.iter().enumerate() {
        let about = "What this cloth is made of.";
        let mut rows = of_cloth(cloth);
        if cloth.pressure.is_some() {
            rows.push(row("pressure").to(0.2, 4.0));
        }
        groups.push(group(&format!("Cloth: {}", cloth.name), about, &format!("cloth.{number}."), &[&rows]));
    }
    groups.push(group("Air and gravity", "What acts on every cloth.", "forces.", &[AIR]));
    let solver = [&[row("method").anew()], method(scene), MACHINE];
    groups.push(group("Solver", "How cloth is kept together.", "solver.", &solver));
    groups.push(group("Time", "How finely it is simulated.", "time.", &[TIME]));
    groups.push(group("Collisions", "How cloth is kept apart.", "collision.", &[COLLISION]));
    for (number, collider) in scene.colliders.iter().enumerate() {
        let what = if matches!(collider.shape, ColliderShape::Plane { .. }) { "Ground" } else { "Collider" };
        let title = format!("{what}: {}", collider.name);
        groups.push(group(&title, "How it feels to cloth.", &format!("collider.{number}."), &[SOLID]));
    }
    for (number, body) in scene.bodies.iter().enumerate() {
        let title = format!("Body: {}", body.name);
        groups.push(group(&title, "A rigid body.", &format!("body.{number}."), &[BODY]));
    }
    groups
}

fn of_cloth(cloth: &ClothDescription) -> Vec<Row> {
    let stretch = match cloth.material.stretch {
        Stretch::Physical { .. } => PHYSICAL,
        Stretch::Coefficients { .. } => COEFFICIENTS,
    };
    let mut rows = [MATERIAL, stretch].concat();
    let bending = match cloth.material.bending_model {
        BendingModel::Triangle(_) => "material.triangle_bending.stiffness",
        BendingModel::Dihedral(_) => "material.dihedral_bending.stiffness",
        BendingModel::Stick(_) => "material.stick_bending.stiffness",
        _ => return rows,
    };
    // Constraints bend it, and not the physical stiffness.
    rows.retain(|row| row.key != "material.bending");
    rows.insert(2, row(bending).named("Bending stiffness"));
    rows
}

fn method(scene: &Scene) -> &'static [Row] {
    match scene.solver.choice.on(Backend::Cpu) {
        SolverConfig::ShapeMatching(_) => SHAPE_MATCHING,
        SolverConfig::RadialMatching(_) => RADIAL_MATCHING,
        SolverConfig::PositionBased(_) => POSITION_BASED,
        SolverConfig::Impulses(_) => IMPULSES,
        SolverConfig::Multilevel(_) => MULTILEVEL,
        _ => &[],
    }
}
