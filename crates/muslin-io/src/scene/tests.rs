//! What must hold between the schema, the code that reads it, and the documentation.

use std::collections::BTreeSet;
use std::path::Path;

use glam::{DQuat, DVec3, Vec3};
use muslin::Settings;
use muslin::cloth::{Damping, Material, Stretch, TetherChoice};
use muslin::collision::{ImpulseResponse, PairSurface, Response, StartPolicy, Surface};
use muslin::forces::wind::Wind;
use muslin::rigid::{Mass, RigidShape};
use muslin::solver::multilevel::{LevelChoice, Multilevel};
use muslin::solver::{
    Order, PositionBased, RadialMatching, RadialRegions, RadialUpdate, ShapeMatching, SolverConfig,
};
use serde_json::Value;
use toml::de::{DeTable, DeValue};

use super::cloth::material;
use super::collision::{body, collider};
use super::motion::transform;
use super::read::SCENE;
use super::schema::{Need, Schema};
use super::*;

/// Every key of the schema, in a scene that is right.
const EVERYTHING: &str = include_str!("tests/everything.toml");

fn read(text: &str) -> Scene {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/scene/tests");
    Scene::parse(text, "test.toml", &folder, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

const MINIMAL: &str = "[[cloth]]\nmesh.grid = { columns = 2, rows = 2 }\n";

#[test]
fn defaults_are_those_of_the_library() {
    let scene = read(MINIMAL);
    // But for the air, which is where cloth is.
    let library = Settings { wind: Some(Wind::default()), ..Settings::default() };
    assert_eq!(scene.settings(&scene.cloths[0], Backend::Cpu), library);
    assert_eq!(read(&format!("forces.air = false\n{MINIMAL}")).forces.wind, None);
    assert_eq!(scene.cloths[0].material, Material::default());
    assert_eq!(scene.cloths[0].tethers, TetherChoice::default());
    assert_eq!(scene.collision, CollisionSettings::default());
    assert_eq!((&*scene.name, &*scene.cloths[0].name), ("test", "cloth"));
    assert_eq!(read(&format!("forces.wind = {{}}\n{MINIMAL}")).forces.wind, Some(Wind::default()));
    assert!(scene.output.folder.ends_with("out/test") && scene.output.pictures.is_none());
}

/// The defaults that the documentation states, written out, change nothing.
#[test]
fn stated_defaults_are_the_real_ones() {
    fn stated(shape: &Schema) -> String {
        let value = |key: &schema::Key| match key.need {
            Need::Default(text) => Some(format!("{} = {text}", key.name)),
            _ => None,
        };
        shape.keys.iter().filter_map(value).collect::<Vec<_>>().join(", ")
    }
    let tables = |written: bool| {
        let all = |shape: &Schema| if written { stated(shape) } else { String::new() };
        let top = if written { "up = \"y\"\n" } else { "" };
        let keyframe = SCENE.key("cloth").unwrap().kind.schemas()[0].key("pins").unwrap().kind.schemas()[0];
        let keyframe = keyframe.key("keyframes").unwrap().kind.schemas()[0];
        format!(
            "{top}time = {{ {} }}\nforces.wind = {{ {} }}\nsolver = {{ {} }}\n\
             output = {{ folder = \"a\", {}{} pictures = {{ {} }} }}\n\
             camera = {{ eye = [0, 0, 1], target = [0, 0, 0]{} }}\n\
             [[cloth]]\nmesh.grid = {{ columns = 2, rows = 2{} }}\n\
             material = {{ {} }}\ntransform = {{ {} }}\n{}\n\
             [[cloth.pins]]\nnearest = [0, 0, 0]\nkeyframes = [{{ time = 1, {} }}]\n\
             [[cloth]]\nname = \"b\"\nmesh.delaunay = {{ triangles = 8{} }}\n\
             [[cloth]]\nname = \"c\"\nmesh.box = {{ size = [1, 1, 1]{} }}\n\
             [[collider]]\nplane = {{ {} }}\n{}\n[[collider]]\nsphere = {{ radius = 1{} }}\n\
             [[collider]]\nbox = {{ size = [1, 1, 1]{} }}\n[[body]]\nsphere = {{ radius = 1 }}\n{}\n[collision]\n{}",
            all(&time::SCHEMA),
            all(forces::SCHEMA.key("wind").unwrap().kind.schemas()[0]),
            all(&solver::SCHEMA),
            all(&output::SCHEMA),
            if written { "," } else { "" },
            all(output::SCHEMA.key("pictures").unwrap().kind.schemas()[0]),
            if written { format!(", {}", stated(&camera::SCHEMA)) } else { String::new() },
            if written { ", width = 1.0, height = 1.0" } else { "" },
            all(&material::SCHEMA),
            all(&transform::SCHEMA),
            if written { "tethers = \"auto\"" } else { "" },
            all(keyframe),
            if written { ", width = 1.0, height = 1.0, seed = 1" } else { "" },
            if written { ", subdivisions = 1" } else { "" },
            all(collider::SCHEMA.key("plane").unwrap().kind.schemas()[0]),
            all(&collider::SCHEMA).replace(", ", "\n"),
            if written { ", center = [0.0, 0.0, 0.0]" } else { "" },
            if written { ", center = [0.0, 0.0, 0.0]" } else { "" },
            all(&body::SCHEMA).replace(", ", "\n").replace("0.0\n0.0\n0.0", "0.0, 0.0, 0.0"),
            all(&collision::SCHEMA).replace(", ", "\n"),
        )
    };
    let mut with = read(&tables(true));
    let without = read(&tables(false));
    with.source = without.source.clone();
    // The GPU's own defaults are stated in words.
    assert_eq!(with.solver.choice.on(Backend::Cpu), without.solver.choice.on(Backend::Cpu));
    with.solver.choice = without.solver.choice.clone();
    for (with, without) in with.cloths.iter_mut().zip(&without.cloths) {
        assert_eq!(with.solver.on(Backend::Cpu), without.solver.on(Backend::Cpu));
        with.solver = without.solver.clone();
    }
    assert_eq!(with, without);
    let on_gpu = SolverConfig::ShapeMatching(ShapeMatching::for_gpu());
    assert_eq!(*without.solver.choice.on(Backend::Gpu), on_gpu);
}

#[test]
fn a_film_is_made_of_several_pictures_or_where_it_is_asked_for() {
    let cases = [
        ("", Animation::Off, None),
        ("frames = [3]", Animation::Off, None),
        ("frames = [3], animation = \"gif\"", Animation::Gif, None),
        ("frames = [3, 5]", Animation::Gif, None),
        ("every = 7", Animation::Gif, None),
        ("animation_every = 2", Animation::Gif, Some(2)),
        ("animation_every = 2, animation = \"off\"", Animation::Off, Some(2)),
    ];
    for (keys, animation, every) in cases {
        let scene = read(&format!("output.pictures = {{ {keys} }}\n{MINIMAL}"));
        let pictures = scene.output.pictures.unwrap();
        assert_eq!((pictures.animation, pictures.animation_every), (animation, every), "{keys}");
        let film = (0..10).filter(|&frame| pictures.in_animation(frame, 10)).collect::<Vec<_>>();
        let drawn = (0..10).filter(|&frame| pictures.frames.contains(frame, 10)).collect::<Vec<_>>();
        assert_eq!(film, if every.is_some() { vec![0, 2, 4, 6, 8] } else { drawn }, "{keys}");
    }
}

/// The paths of all keys in a schema: `cloth.[].mesh.grid.columns`.
fn schema_keys(schema: &Value, path: &str, keys: &mut BTreeSet<String>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (name, property) in properties {
            let path = format!("{path}.{name}");
            schema_keys(property, &path, keys);
            keys.insert(path);
        }
    }
    let inner = schema.get("items").into_iter();
    let cases = schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    inner.chain(cases).for_each(|schema| schema_keys(schema, path, keys));
}

fn document_keys(value: &DeValue<'_>, path: &str, keys: &mut BTreeSet<String>) {
    match value {
        DeValue::Table(table) => {
            for (name, value) in table {
                let path = format!("{path}.{}", name.get_ref());
                document_keys(value.get_ref(), &path, keys);
                keys.insert(path);
            }
        }
        DeValue::Array(list) => list.iter().for_each(|value| document_keys(value.get_ref(), path, keys)),
        _ => {}
    }
}

#[test]
fn every_key_of_the_json_schema_can_be_read_and_every_readable_key_is_in_it() {
    let scene = read(EVERYTHING);
    assert_eq!(scene.colliders.len(), 14);
    // The one key that only excludes another in a table that a scene has once.
    let other = EVERYTHING.replace("every = 5", "frames = [19]");
    read(&other);
    // Those of a method that the table has not.
    let position_based = format!(
        "[solver]\nmethod = \"position_based\"\niterations = 4\norder = \"gauss_seidel\"\n\
         stretch_stiffness = 0.5\ndiagonals = \"none\"\n{MINIMAL}"
    );
    let compliant = position_based.replace("stretch_stiffness", "stretch_compliance");
    let radial = format!(
        "[solver]\nmethod = \"radial_matching\"\nregions = \"both\"\nupdate = \"positions\"\n{MINIMAL}"
    );
    let impulses = format!(
        "[solver]\nmethod = \"impulses\"\nresolution = \"iterative\"\ntolerance = 0.001\nmost_iterations = 50\n\
         velocity_impulses = false\ndirections = \"start\"\nstart_from = \"preview\"\nwarm_start = 0.5\nshear_stiffness = 2.0\nshear_damping = 0.01\n\
         bending_stiffness = 0.1\nbending_damping = 0.001\n{MINIMAL}"
    );
    let multilevel = format!(
        "[solver]\nmethod = \"multilevel\"\nparticles = 900\nparameterisation = \"flat\"\nmost_distortion = 0.2\n\
         coarsest = 3\nscheme = \"jacobi\"\nplan = [{{ relaxation = \"gauss_seidel\", iterations = 9 }}]\n\
         level_iterations = 5\nstrain_limit = 0.05\ncompression = 0.25\ncompression_passes = 3\nshear = 0.5\nbending_weft = 1e-5\n\
         bending_warp = 2e-5\nbending_passes = 2\noverlap = true\nsnap = true\n{MINIMAL}"
    );
    let spaced = multilevel.replace("particles = 900", "spacing = 0.05");
    let own = |text: &str| {
        format!("{MINIMAL}\n{}", text.replace("[solver]", "[cloth.solver]").replace(MINIMAL, ""))
    };
    let of_cloth = own(&impulses);
    // All meshes as bodies; most of these are not solid, and so cannot be built.
    let meshes = EVERYTHING.lines().filter(|line| line.starts_with("mesh"));
    let bodies = meshes
        .clone()
        .map(|line| format!("[[body]]\n{line}\n[[body]]\n{}\n", line.replacen("mesh", "convex", 1)));
    let bodies = format!("{MINIMAL}{}", bodies.collect::<String>());
    let (mut used, mut known) = (BTreeSet::new(), BTreeSet::new());
    let multilevel = [&own(&multilevel), &own(&spaced), &multilevel, &spaced].map(String::clone);
    let texts = [EVERYTHING, &other, &position_based, &compliant, &radial, &impulses, &of_cloth, &bodies];
    for text in texts.into_iter().chain(multilevel.iter().map(String::as_str)) {
        read(text);
        let document = DeTable::parse(text).unwrap().into_inner();
        document_keys(&DeValue::Table(document), "", &mut used);
    }
    schema_keys(&json_schema(), "", &mut known);
    assert_eq!(used.difference(&known).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(known.difference(&used).collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn position_based_dynamics_has_defaults_of_its_own_on_a_gpu() {
    let scene = |more: &str| read(&format!("solver = {{ method = \"position_based\"{more} }}\n{MINIMAL}"));
    let gpu = |more: &str| match scene(more).cloths[0].solver.on(Backend::Gpu) {
        SolverConfig::PositionBased(config) => config.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(gpu(""), PositionBased::for_gpu());
    assert_eq!(gpu(", order = \"jacobi\""), PositionBased::for_gpu());
    assert_eq!(gpu(", order = \"gauss_seidel\""), PositionBased::default());
    // What is averaged there may be over-relaxed there.
    assert_eq!(gpu(", backend = \"gpu\", over_relaxation = 3.0").over_relaxation, 3.0);
    let on_cpu = scene("").cloths[0].solver.on(Backend::Cpu).clone();
    assert_eq!(on_cpu, SolverConfig::PositionBased(PositionBased::default()));
}

#[test]
fn values_arrive_where_they_belong() {
    let scene = read(EVERYTHING);
    let cloth = &scene.cloths[0];
    assert_eq!(scene.up, UpAxis::Z);
    assert_eq!(cloth.tethers, TetherChoice::Nearest(3));
    assert_eq!(cloth.material.density, 0.1);
    let Stretch::Physical { weft, warp, shear } = cloth.material.stretch else { panic!() };
    assert_eq!((weft, warp, shear), (2027.0, 1500.0, 400.0), "the fabric's, but for the warp");
    assert_eq!(cloth.material.damping, Damping::Deformation { rate: 1.0 });
    assert_eq!(scene.cloths[1].material.stretch, Stretch::Coefficients { alpha: 0.9, beta: 0.8 });
    let SolverConfig::ShapeMatching(solver) = cloth.solver.on(Backend::Cpu) else { panic!() };
    assert_eq!((solver.hierarchy.levels, solver.cycles), (4, 2), "its own levels, the scene's cycles");
    assert_eq!(scene.forces.wind.unwrap().velocity, Vec3::X);
    assert!(scene.output.pictures.as_ref().unwrap().frames.contains(10, 11));
    let ColliderShape::Sequence(files, fps) = &scene.colliders[5].shape else { panic!() };
    assert_eq!((files.len(), *fps), (1, Some(24.0)));
    let surface = |thickness, friction, static_friction, stiffness| Surface {
        thickness,
        friction,
        static_friction: Some(static_friction),
        stiffness,
    };
    assert_eq!(cloth.material.surface, surface(0.001, 0.4, 0.5, 2e6));
    assert_eq!(scene.colliders[0].surface, surface(0.001, 0.5, 0.6, 3e6));
    assert_eq!(scene.colliders[1].surface, Surface::COLLIDER);
    let names = [0, 1, 2].map(|i: usize| &*scene.colliders[i].name);
    assert_eq!(names, ["floor", "collider2", "collider3"]);
    let pair = PairSurface {
        between: ["first".into(), "floor".into()],
        thickness: Some(0.003),
        friction: Some(0.7),
        static_friction: Some(0.8),
        stiffness: Some(4e6),
    };
    let expected = CollisionSettings {
        self_collisions: false,
        passes: 5,
        rounds: 20,
        level: 1,
        start: StartPolicy::Untangle,
        response: Response::Continuous,
        count_intersections: false,
        pairs: vec![pair],
    };
    assert_eq!(scene.collision, expected);
    assert_eq!((scene.check.self_intersections, scene.check.collider_penetrations), (Some(0), Some(2)));
    let ball = scene.build_bodies().unwrap().remove(0);
    assert_eq!(ball.surface, surface(0.001, 0.5, 0.6, 3e6));
    assert_eq!((ball.mass, ball.restitution), (Mass::Density(400.0), 0.5));
    assert_eq!(ball.shape, RigidShape::Sphere { radius: 0.05 });
    assert!((ball.position - DVec3::new(50.0, 0.0, 0.1)).length() < 1e-12);
    assert!((ball.rotation.angle_between(DQuat::from_rotation_z(std::f64::consts::PI))) < 1e-6);
    assert!((ball.angular_velocity - DVec3::Z * std::f64::consts::PI).length() < 1e-12);
    assert_eq!((&*scene.bodies[1].name, scene.bodies[1].mass), ("body2", Mass::Total(2.0)));
    assert_eq!(scene.build_colliders().unwrap().len(), 14);
    scene.build_world().unwrap();
}

#[test]
fn another_method_and_response_can_be_chosen_for_the_scene_and_for_one_cloth() {
    let text = format!(
        "{MINIMAL}[cloth.solver]\nregions = \"edges\"\n[[cloth]]\nname = \"b\"\nmesh.grid = {{ columns = 1, rows = 1 }}\n\
         [cloth.solver]\nmethod = \"shape_matching\"\n[solver]\nmethod = \"radial_matching\"\nupdate = \"impulses\"\n\
         [collision]\nresponse = \"impulses\"\nseparation = 0.3\n"
    );
    let scene = read(&text);
    let radial = RadialMatching { regions: RadialRegions::Edges, update: RadialUpdate::Impulses };
    for backend in [Backend::Cpu, Backend::Gpu] {
        assert_eq!(*scene.cloths[0].solver.on(backend), SolverConfig::RadialMatching(radial.clone()));
    }
    assert_eq!(scene.cloths[1].solver, SolverChoice::default());
    assert_eq!(scene.collision.response, Response::Impulses(ImpulseResponse { separation: 0.3 }));
}

#[test]
fn multilevel_cloth_has_its_own_options_and_those_of_the_scene() {
    let text = format!(
        "{MINIMAL}[cloth.solver]\nparticles = 100\nsnap = false\n{}name = \"b\"\n{}name = \"c\"\n\
         [cloth.solver]\nmethod = \"shape_matching\"\n\
         [solver]\nmethod = \"multilevel\"\nspacing = 0.05\nsnap = true\nlevels = 3\ncycles = 2\niterations = 7\n\
         most_iterations = 9\nover_relaxation = 1.5\nbending_weft = 1e-5\nbending_warp = 2e-5\n\
         plan = [{{ relaxation = \"jacobi\", iterations = 2 }}, {{ relaxation = \"gauss_seidel\", iterations = 0 }}]\n",
        MINIMAL, MINIMAL
    );
    let scene = read(&text);
    let level = |relaxation, iterations| LevelChoice { relaxation, iterations };
    let of_scene = Multilevel {
        spacing: Some(0.05),
        levels: 3,
        cycles: 2,
        iterations: Some(7),
        most_iterations: 9,
        over_relaxation: 1.5,
        bending: Some([1e-5, 2e-5]),
        plan: vec![level(Order::Jacobi, 2), level(Order::GaussSeidel, 0)],
        ..Multilevel::default()
    };
    let own = Multilevel { spacing: None, particles: 100, ..of_scene.clone() };
    for backend in [Backend::Cpu, Backend::Gpu] {
        assert_eq!(*scene.cloths[0].solver.on(backend), SolverConfig::Multilevel(own.clone()));
    }
    assert_eq!(*scene.cloths[1].solver.on(Backend::Cpu), SolverConfig::Multilevel(of_scene));
    assert_eq!(scene.cloths[2].solver, SolverChoice::default());
    assert_eq!([0, 1, 2].map(|i: usize| scene.cloths[i].snap), [false, true, false]);
    assert_eq!(
        *read(&format!("solver.method = \"multilevel\"\n{MINIMAL}")).cloths[0].solver.on(Backend::Cpu),
        SolverConfig::Multilevel(Multilevel::default())
    );
}

#[test]
fn gather_is_the_older_name_of_an_order_and_a_variant_brings_its_own() {
    let solver = |scene: &str, cloth: &str| {
        let text = format!("solver = {{ {scene} }}\n{MINIMAL}solver = {{ {cloth} }}\n");
        read(&text).cloths[0].solver.clone()
    };
    let choice = |scene: &str, cloth: &str| match solver(scene, cloth).on(Backend::Cpu) {
        SolverConfig::ShapeMatching(config) => config.clone(),
        other => panic!("{other:?}"),
    };
    let averaged = ShapeMatching::averaged();
    assert_eq!(choice("variant = \"gather\"", ""), averaged);
    assert_eq!(choice("order = \"jacobi\"", ""), averaged);
    assert_eq!(choice("order = \"jacobi\"", "levels = 8"), averaged);
    assert_eq!(choice("variant = \"gather\"", "variant = \"full_approximation\""), ShapeMatching::default());
    assert_eq!(choice("variant = \"gather\"", "variant = \"paper\""), ShapeMatching::paper());
    let swept = ShapeMatching { order: Some(Order::GaussSeidel), ..ShapeMatching::default() };
    assert_eq!(choice("variant = \"gather\"", "order = \"gauss_seidel\""), swept);
    let on_gpu = ShapeMatching { order: Some(Order::Jacobi), ..ShapeMatching::for_gpu() };
    let gathered = solver("variant = \"gather\"", "");
    assert_eq!(*gathered.on(Backend::Gpu), SolverConfig::ShapeMatching(on_gpu));
}

#[test]
fn snapped_cloth_has_its_inner_vertices_on_particles() {
    let scene = |snap: bool| {
        format!(
            "[solver]\nmethod = \"multilevel\"\nspacing = 0.0625\nsnap = {snap}\n\
             [[cloth]]\nmesh.delaunay = {{ triangles = 100 }}\ntransform.translate = [3.0, 0.0, 0.0]\n"
        )
    };
    let inner_off = |snap: bool| -> Vec<f32> {
        let world = read(&scene(snap)).build_world().unwrap();
        let positions = world.cloths()[0].1.positions();
        let inner = positions
            .iter()
            .map(|p| *p - 3.0 * Vec3::X)
            .filter(|p| p.truncate().min_element() > 1e-3 && p.truncate().max_element() < 1.0 - 1e-3);
        inner.map(|p| ((16.0 * p.truncate()) - (16.0 * p.truncate()).round()).abs().max_element()).collect()
    };
    let on = |off: Vec<f32>| off.iter().filter(|&&off| off < 1e-3).count() as f64 / off.len() as f64;
    assert!(on(inner_off(false)) < 0.2, "{:?}", inner_off(false));
    assert!(on(inner_off(true)) > 0.8, "{:?}", inner_off(true));
}

#[test]
fn generated_meshes_stand_upright_and_gravity_points_down() {
    for (up, direction) in [("y", Vec3::Y), ("z", Vec3::Z)] {
        let scene =
            read(&format!("up = \"{up}\"\n{MINIMAL}[[cloth.pins]]\nnearest = {:?}\n", direction.to_array()));
        assert_eq!(scene.forces.gravity, direction * -9.81);
        let built = scene.build().unwrap().remove(0);
        let positions = muslin::Simulation::new(built.cloth, built.settings).unwrap().positions();
        let highest = positions.iter().map(|p| p.dot(direction)).fold(0.0, f32::max);
        let widest = positions.iter().map(|p| p.x).fold(0.0, f32::max);
        assert_eq!((highest, widest), (1.0, 1.0));
    }
}

#[test]
fn errors_of_the_simulation_are_led_back_to_the_scene() {
    let text = format!("{MINIMAL}material = {{ bending = 100.0, bending_form = \"explicit\" }}\n");
    let scene = read(&text);
    let built = scene.build().unwrap().remove(0);
    let error = muslin::Simulation::new(built.cloth, built.settings).err().unwrap();
    let shown = scene.explain(0, &error);
    let first = &shown.diagnostics()[0];
    assert_eq!((first.line, &first.shown_line[first.column - 1..][..10]), (3, "\"explicit\""));
}

/// `MUSLIN_BLESS=1` writes the tables anew.
#[test]
fn the_documentation_has_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let marker = "<!-- Below: written by the test the_documentation_has_every_key. -->\n\n";
    let (before, after) = text.split_once(marker).expect("the marker is missing");
    let reference = reference();
    if std::env::var_os("MUSLIN_BLESS").is_some() {
        std::fs::write(&path, format!("{before}{marker}{}\n", reference.trim_end())).unwrap();
    } else {
        assert_eq!(after.trim_end(), reference.trim_end(), "run this test with MUSLIN_BLESS=1");
    }
}

/// All texts under a key of a schema, at any depth.
fn texts_of<'a>(schema: &'a Value, key: &str, found: &mut Vec<&'a str>) {
    match schema {
        Value::Object(entries) => {
            found.extend(entries.get(key).and_then(Value::as_str));
            entries.values().for_each(|value| texts_of(value, key, found));
        }
        Value::Array(list) => list.iter().for_each(|value| texts_of(value, key, found)),
        _ => {}
    }
}

#[test]
fn the_schema_is_portable_and_its_descriptions_are_whole_sentences() {
    let schema = json_schema();
    let (mut patterns, mut descriptions) = (Vec::new(), Vec::new());
    texts_of(&schema, "pattern", &mut patterns);
    texts_of(&schema, "description", &mut descriptions);
    // Python's re has no classes of Unicode, ECMAScript only with the flag u.
    assert!(!patterns.is_empty() && patterns.iter().all(|pattern| !pattern.contains("\\p")), "{patterns:?}");
    let cut = |text: &&&str| text.ends_with(": .") || text.ends_with(' ');
    assert_eq!(descriptions.iter().filter(cut).collect::<Vec<_>>(), Vec::<&&str>::new());
}

/// What a key says it is if left out must be what it is.
#[test]
fn the_reference_tells_the_defaults_of_multilevel_cloth() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    let text = std::fs::read_to_string(path).unwrap();
    let of = Multilevel::default();
    let told = [
        ("particles", of.particles.to_string()),
        ("level_iterations", of.level_iterations.to_string()),
        ("compression", of.compression.to_string()),
        ("compression_passes", of.compression_passes.to_string()),
        ("bending_passes", of.bending_passes.to_string()),
        ("strain_limit", of.strain_limit.to_string()),
        ("coarsest", of.coarsest.to_string()),
    ];
    for (key, default) in told {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{key}` |")));
        let row = row.unwrap_or_else(|| panic!("{key} is not in the reference"));
        assert!(row.contains(&format!("| {default} |")), "{key} is {default}: {row}");
    }
    let over_relaxation = format!("there it is {}.", of.over_relaxation);
    assert!(text.contains(&over_relaxation), "over_relaxation: {over_relaxation}");
}
