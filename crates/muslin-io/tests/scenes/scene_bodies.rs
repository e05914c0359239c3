//! `[[body]]` in scenes: where bodies are, what they weigh, and what is wrong with them.

use glam::{DQuat, DVec3, Vec3};
use muslin::rigid::{RigidBody, RigidShape};
use muslin_io::scene::{ReadOptions, Scene};

const CLOTH: &str = "[[cloth]]\nmesh.grid = { columns = 2, rows = 2 }\n";

fn parse(text: &str) -> Result<Scene, muslin_io::scene::SceneError> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    Scene::parse(text, "scene.toml", &folder, &ReadOptions::default())
}

fn body(table: &str) -> RigidBody {
    let scene = parse(&format!("{CLOTH}[[body]]\n{table}\n")).unwrap_or_else(|error| panic!("{error}"));
    scene.build_bodies().unwrap().remove(0)
}

/// The error of a scene with bodies, when it is read or when it is built.
fn error(tables: &str) -> String {
    match parse(&format!("{CLOTH}{tables}")) {
        Ok(scene) => scene.build_world().err().expect("the scene must be refused").to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_transform_changes_the_shape_and_a_position_places_it() {
    let place = "position = [1, 2, 3]\nrotation = [0, 90, 0]";
    let of = |shape: &str| {
        body(&format!("{shape}\ntransform = {{ scale = 2.0, translate = [0.5, 0, 0] }}\n{place}"))
    };
    let center = DVec3::new(1.0, 2.0, 2.5);
    let ball = of("sphere = { radius = 0.1 }");
    assert_eq!(ball.shape, RigidShape::Sphere { radius: 0.2 });
    let brick = of("box = { size = [1, 2, 3] }");
    assert_eq!(brick.shape, RigidShape::Box { size: Vec3::new(2.0, 4.0, 6.0) });
    for body in [ball, brick] {
        assert!((body.position - center).length() < 1e-12, "{}", body.position);
        assert!(body.rotation.angle_between(DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2)) < 1e-6);
    }
    let mesh = of("mesh.box = { size = [1, 2, 3] }");
    let RigidShape::Mesh(shape) = &mesh.shape else { panic!() };
    assert_eq!(shape.bounds(), Some((Vec3::new(-0.5, -2.0, -3.0), Vec3::new(1.5, 2.0, 3.0))));
    assert_eq!(mesh.position, DVec3::new(1.0, 2.0, 3.0));
}

#[test]
fn hulls_and_meshes_come_from_files_and_generators() {
    let text = format!(
        "{CLOTH}[[body]]\nconvex.tube = {{ radius = 0.1, height = 0.3, segments = 24, rings = 1 }}\nposition = [9, 0, 0]\n\
         density = 1000\n[[body]]\nmesh = {{ file = \"spot/spot.obj\", repair = true }}\nposition = [12, 0, 0]\nmass = 3\n"
    );
    let world = parse(&text).unwrap().build_world().unwrap_or_else(|error| panic!("{error}"));
    let [drum, spot] = world.bodies() else { panic!() };
    let volume = 0.3 * 12.0 * 0.01 * (std::f64::consts::TAU / 24.0).sin();
    assert!((drum.mass() / (1000.0 * volume) - 1.0).abs() < 1e-3, "{}", drum.mass());
    assert_eq!((spot.name(), spot.mass()), ("body2", 3.0));
    assert!(spot.surface_mesh().triangles.len() > 1000);
}

#[test]
fn generated_shapes_stand_upright_when_z_is_up() {
    let text = format!(
        "up = \"z\"\n{CLOTH}[[body]]\nconvex.tube = {{ radius = 0.1, height = 0.5, segments = 8, rings = 1 }}"
    );
    let RigidShape::Convex(points) = parse(&text).unwrap().build_bodies().unwrap().remove(0).shape else {
        panic!()
    };
    let highest = points.iter().map(|p| p.z).fold(f32::MIN, f32::max);
    let lowest = points.iter().map(|p| p.z).fold(f32::MAX, f32::min);
    assert!((highest - lowest - 0.5).abs() < 1e-6);
}

#[test]
fn what_is_wrong_is_shown_where_it_is() {
    let ball = "[[body]]\nsphere = { radius = 0.1 }\nposition = [9, 0, 0]\n";
    let cases: [(String, &str); 11] = [
        (format!("{ball}density = 1\nmass = 2\n"), "\"mass\" cannot be given together with \"density\""),
        (format!("{ball}density = 0\n"), "density is 0"),
        (format!("{ball}restitution = 2\n"), "restitution is 2"),
        ("[[body]]\nposition = [9, 0, 0]\n".into(), "sphere"),
        (ball.replace("0.1 }", "0.1, center = [0, 0, 0] }"), "unknown key \"center\""),
        (format!("{ball}transform.scale = [1, 2, 1]\n"), "convex.sphere"),
        (format!("{ball}name = \"cloth\"\n"), "a cloth and a body are both called \"cloth\""),
        (format!("{ball}name = \"a\"\n{ball}name = \"A\"\n"), "two bodies are called \"A\""),
        (
            format!("{ball}[[contact]]\nbetween = [\"body\", \"body\"]\nfriction = 1\n"),
            "friction is that of their surfaces: one must be a cloth",
        ),
        ("[[body]]\nmesh.grid = { columns = 2, rows = 2 }\nposition = [9, 0, 0]\n".into(), "closed"),
        (
            "[[body]]\nconvex.grid = { columns = 2, rows = 2 }\nposition = [9, 0, 0]\n".into(),
            "they lie in one plane",
        ),
    ];
    for (text, message) in cases {
        let shown = error(&text);
        assert!(shown.contains(message), "{text}\n{shown}");
        assert!(shown.contains(" --> scene.toml:") && shown.contains("^"), "{shown}");
    }
    // A shape that turns out to be none is blamed on its key, not on the cloth.
    let shown = error("[[body]]\nmesh.grid = { columns = 2, rows = 2 }\nposition = [9, 0, 0]\n");
    assert!(shown.contains("scene.toml:4:"), "{shown}");
}

#[test]
fn contacts_between_cloth_and_a_body_can_be_given() {
    let text = format!(
        "{CLOTH}[[body]]\nsphere = {{ radius = 0.1 }}\nposition = [9, 0, 0]\n[[contact]]\nbetween = [\"cloth\", \"body\"]\nfriction = 0.9\n"
    );
    parse(&text).unwrap().build_world().unwrap();
}

#[test]
fn a_gpu_refuses_bodies_by_name() {
    let text = format!("collision.self = false\n{CLOTH}[[body]]\nsphere = {{ radius = 0.1 }}\n");
    let shown = parse(&text).unwrap().check_gpu().unwrap_err().to_string();
    assert!(shown.contains("body: the GPU back end has no rigid bodies"), "{shown}");
    assert!(shown.contains("scene.toml:4:") && shown.contains("backend = \"cpu\""), "{shown}");
}

#[test]
fn bodies_are_part_of_what_tells_worlds_apart() {
    let print = |table: &str| {
        let world = parse(&format!("{CLOTH}[[body]]\n{table}\n")).unwrap().build_world().unwrap();
        let cloths = world.cloths().iter().map(|(name, cloth)| (name.as_str(), cloth.cloth()));
        Scene::world_fingerprint(cloths, world.colliders().iter(), world.bodies())
    };
    let ball = "sphere = { radius = 0.1 }\nposition = [9, 0, 0]\n";
    assert_eq!(print(ball), print(ball));
    assert_ne!(print(ball), print(&ball.replace("0.1", "0.2")));
    assert_ne!(print(ball), print(&format!("{ball}mass = 1")));
    assert_ne!(print(ball), print(&format!("{ball}velocity = [1, 0, 0]")));
}
