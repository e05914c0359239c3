//! Bad input: a typed error that names the field or element, never a panic.

use glam::{DVec3, Vec3};
use muslin::cloth::{Cloth, Damping, Keyframe, Material, PinMotion, Stretch, TetherChoice};
use muslin::hierarchy::{HierarchyError, HierarchyOptions, Nesting};
use muslin::mesh::{MeshError, TriMesh, generate};
use muslin::solver::{Order, ShapeMatching, SolverConfig};
use muslin::{Error, Feature, Settings, Simulation};
use proptest::prelude::*;

fn sheet() -> TriMesh {
    generate::grid(3, 3, 1.0, 1.0).unwrap()
}

fn refusal(mesh: TriMesh) -> Error {
    Cloth::builder(mesh).build().unwrap_err()
}

#[test]
fn meshes_that_cannot_be_used_are_refused_by_element() {
    let mut mesh = sheet();
    mesh.positions[5].y = f32::NAN;
    assert!(matches!(refusal(mesh), Error::Mesh(MeshError::NonFinitePosition { vertex: 5, .. })));
    let mut mesh = sheet();
    mesh.triangles[4][1] = 99;
    let expected = MeshError::IndexOutOfRange { triangle: 4, vertex: 99, vertices: 16 };
    assert_eq!(refusal(mesh), Error::Mesh(expected));
    assert_eq!(refusal(TriMesh::default()), Error::Mesh(MeshError::NoTriangles));
    let mut mesh = sheet();
    mesh.uvs = None;
    mesh.triangles.push([0, 1, 1]);
    assert_eq!(refusal(mesh), Error::DegenerateTriangle { triangle: 18 });
    let mut mesh = sheet();
    mesh.positions.push(Vec3::ONE);
    assert_eq!(refusal(mesh), Error::IsolatedVertex { vertex: 16 });
}

#[test]
fn materials_out_of_range_are_refused_by_field() {
    let field = |material: Material| match Cloth::builder(sheet()).material(material).build() {
        Err(Error::Material(error)) => error.field,
        other => panic!("{other:?}"),
    };
    let good = Material::default();
    assert_eq!(field(Material { density: 0.0, ..good }), "density");
    assert_eq!(field(Material { density: f32::NAN, ..good }), "density");
    assert_eq!(field(Material { bending: -1.0, ..good }), "bending");
    assert_eq!(field(Material { damping: Damping::Deformation { rate: -1.0 }, ..good }), "damping.rate");
    let stretch = Stretch::Coefficients { alpha: 1.5, beta: 1.0 };
    assert_eq!(field(Material { stretch, ..good }), "stretch.alpha");
    let stretch = Stretch::Physical { weft: 10.0, warp: 0.0, shear: 1.0 };
    assert_eq!(field(Material { stretch, ..good }), "stretch.warp");
}

#[test]
fn pins_that_do_not_exist_are_refused() {
    let build = Cloth::builder(sheet()).pin(16).build();
    assert_eq!(build.unwrap_err(), Error::NoSuchPin { vertex: 16, vertices: 16 });
    let error = Cloth::builder(sheet()).pin_group("topp").build().unwrap_err();
    assert!(error.to_string().contains("topp") && error.to_string().contains("right, top)"), "{error}");
    let backwards = [1.0, 0.5].map(|time| Keyframe { time, position: DVec3::ZERO });
    let motion = PinMotion::Keyframes(backwards.to_vec());
    let error = Cloth::builder(sheet()).pin_moving(3, motion).build().unwrap_err();
    assert!(matches!(error, Error::PinMotion { vertex: 3, .. }));
}

#[test]
fn settings_out_of_range_are_refused_by_field() {
    let field = |settings: Settings| match Simulation::new(Cloth::builder(sheet()).build().unwrap(), settings)
    {
        Err(Error::Setting { field, .. }) => field,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted"),
    };
    let good = Settings::default;
    assert_eq!(field(Settings { time_step: -0.01, ..good() }), "time_step");
    assert_eq!(field(Settings { time_step: f64::NAN, ..good() }), "time_step");
    assert_eq!(field(Settings { substeps: 0, ..good() }), "substeps");
    assert_eq!(field(Settings { gravity: Vec3::splat(f32::INFINITY), ..good() }), "gravity");
    assert_eq!(field(Settings { max_speed: 0.0, ..good() }), "max_speed");
    let wind = muslin::forces::wind::Wind { gust_size: 0.0, ..Default::default() };
    assert_eq!(field(Settings { wind: Some(wind), ..good() }), "wind.gust_size");
    let solver = SolverConfig::ShapeMatching(ShapeMatching { cycles: 0, ..ShapeMatching::default() });
    assert_eq!(field(Settings { solver, ..good() }), "solver.cycles");
}

#[test]
fn impossible_combinations_are_refused() {
    let simulate = |cloth: Cloth, solver: ShapeMatching| {
        let settings = Settings { solver: SolverConfig::ShapeMatching(solver), ..Settings::default() };
        Simulation::new(cloth, settings).map(|_| ()).unwrap_err()
    };
    let levels = |levels| HierarchyOptions { levels, ..HierarchyOptions::default() };
    let cloth = Cloth::builder(sheet()).build().unwrap();
    let error = simulate(cloth, ShapeMatching { hierarchy: levels(0), ..ShapeMatching::default() });
    assert_eq!(error, Error::Hierarchy(HierarchyError::NoLevels));
    let physical = muslin::cloth::fabric("denim").unwrap().material();
    let cloth = Cloth::builder(sheet()).material(physical).build().unwrap();
    let error = simulate(cloth, ShapeMatching::averaged());
    assert!(matches!(error, Error::Unsupported { feature: Feature::Order, .. }));
    let cloth = Cloth::builder(sheet()).build().unwrap();
    let error = simulate(cloth, ShapeMatching { order: Some(Order::Jacobi), ..ShapeMatching::paper() });
    assert!(matches!(error, Error::Unsupported { feature: Feature::Order, .. }));
}

#[test]
fn states_of_the_wrong_size_are_refused_and_change_nothing() {
    let cloth = Cloth::builder(sheet()).build().unwrap();
    let mut simulation = Simulation::new(cloth, Settings::default()).unwrap();
    let before = simulation.state_hash();
    assert!(simulation.set_state(&[Vec3::ZERO; 3], &[Vec3::ZERO; 16]).is_err());
    assert!(simulation.set_state(&[Vec3::NAN; 16], &[Vec3::ZERO; 16]).is_err());
    let other = Simulation::new(
        Cloth::builder(generate::grid(2, 2, 1.0, 1.0).unwrap()).build().unwrap(),
        Settings::default(),
    );
    assert!(simulation.restore(&other.unwrap().snapshot()).is_err());
    assert_eq!(simulation.state_hash(), before);
}

#[test]
fn a_snapshot_brings_back_every_bit() {
    let cloth = Cloth::builder(sheet()).pin(0).build().unwrap();
    let mut simulation = Simulation::new(cloth, Settings::default()).unwrap();
    simulation.step().unwrap();
    let (snapshot, hash) = (simulation.snapshot(), simulation.state_hash());
    simulation.step().unwrap();
    assert_ne!(simulation.state_hash(), hash);
    simulation.restore(&snapshot).unwrap();
    assert_eq!((simulation.state_hash(), simulation.steps()), (hash, 3));
}

/// Any float, the nasty ones included, and often a plain one.
fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![4 => -2.0f32..2.0, 1 => any::<f32>(), 1 => Just(0.0f32)]
}

fn any_mesh() -> impl Strategy<Value = TriMesh> {
    let positions = prop::collection::vec((any_number(), any_number(), any_number()), 0..12);
    let triangles = prop::collection::vec([0u32..13, 0u32..13, 0u32..13], 0..12);
    (positions, triangles).prop_map(|(positions, triangles)| {
        TriMesh::new(positions.into_iter().map(Vec3::from).collect(), triangles)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Whatever the input: an error, or a simulation that steps without a panic.
    #[test]
    fn nothing_a_user_can_build_panics(
        mesh in any_mesh(),
        pins in prop::collection::vec(0u32..14, 0..4),
        density in any_number(),
        bending in any_number(),
        time_step in prop_oneof![Just(0.005f64), any::<f64>(), 1e-6f64..1.0],
        levels in 0usize..6,
        nested in any::<bool>(),
        variant in 0usize..3,
        tethers in 0u8..4,
        physical in any::<bool>(),
    ) {
        let stretch = match physical {
            true => Stretch::Physical { weft: density, warp: 20.0, shear: 5.0 },
            false => Stretch::STIFF,
        };
        let material = Material { density, bending, stretch, ..Material::default() };
        let choice = if tethers == 0 { TetherChoice::Auto } else { TetherChoice::Nearest(tethers) };
        let Ok(cloth) = Cloth::builder(mesh).material(material).pin_all(pins).tethers(choice).build() else {
            return Ok(());
        };
        let nesting = if nested { Nesting::Nested } else { Nesting::NonNested };
        let hierarchy = HierarchyOptions { levels, nesting, ..HierarchyOptions::default() };
        let form = [ShapeMatching::default(), ShapeMatching::paper(), ShapeMatching::averaged()][variant].clone();
        let solver = SolverConfig::ShapeMatching(ShapeMatching { hierarchy, ..form });
        let settings = Settings { time_step, solver, threads: 1, ..Settings::default() };
        let Ok(mut simulation) = Simulation::new(cloth, settings) else { return Ok(()) };
        for _ in 0..5 {
            let result = simulation.step();
            prop_assert!(simulation.positions().iter().all(|p| p.is_finite()));
            if result.is_err() {
                break;
            }
        }
        simulation.strain();
        simulation.energy();
        simulation.triangle_strains();
    }
}
