//! Colliders of scenes: their shapes, places and motions, and worlds with each kind of them.

use std::path::PathBuf;

use glam::Vec3;
use muslin::collision::{Collider, ColliderMotion, Shape};
use muslin::mesh::{TriMesh, generate};
use muslin_io::scene::{ReadOptions, Scene};
use muslin_io::write_obj;

/// A cloth that lies high above all colliders.
const CLOTH: &str = "[[cloth]]\nmesh.grid = { columns = 6, rows = 6 }\n\
                     transform = { rotate = [-90, 0, 0], translate = [-0.5, 5, 0.5] }\n";

fn scene(text: &str) -> Scene {
    Scene::parse(text, "scene.toml", ".".as_ref(), &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// The only collider of a scene with this table.
fn collider(table: &str) -> Collider {
    scene(&format!("{CLOTH}[[collider]]\n{table}\n")).build_colliders().unwrap().remove(0)
}

fn mesh(collider: &Collider) -> &TriMesh {
    let Shape::Mesh(mesh) = &collider.shape else { panic!("{:?}", collider.shape) };
    mesh
}

#[track_caller]
fn near(a: Vec3, b: Vec3) {
    assert!(a.distance(b) < 1e-5, "{a} is not {b}");
}

/// A folder with files for a sequence; removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("muslin-colliders-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn scene(&self, text: &str) -> Scene {
        Scene::parse(text, "scene.toml", &self.0, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn every_kind_of_collider_makes_a_world_that_can_be_stepped() {
    let folder = Folder::new("kinds");
    for (name, y) in [("body1.obj", 0.0), ("body2.obj", 0.01)] {
        let moved = generate::cuboid(Vec3::ONE, 1).unwrap();
        let moved = moved.transformed(glam::Affine3A::from_translation(Vec3::Y * y));
        write_obj(folder.0.join(name), &moved).unwrap();
    }
    let kinds = [
        "plane = {}",
        "sphere = { radius = 0.5 }",
        "capsule = { from = [0, 0, 0], to = [0, 1, 0], radius = 0.2 }",
        "box = { size = [1, 1, 1] }",
        "mesh.file = \"body1.obj\"",
        "mesh.tube = { radius = 0.3, height = 1.0, segments = 12, rings = 4 }",
        "sequence = { files = \"body#.obj\", last = 2 }",
    ];
    let turn = "keyframes = [{ time = 0 }, { time = 1, rotate = [0, 50, 0], translate = [0, 0.1, 0] }]";
    let mut all = CLOTH.to_owned();
    for (i, kind) in kinds.into_iter().enumerate() {
        for motion in ["", turn].into_iter().take(if kind.starts_with("seq") { 1 } else { 2 }) {
            let mut world =
                folder.scene(&format!("{CLOTH}[[collider]]\n{kind}\n{motion}\n")).build_world().unwrap();
            world.step().unwrap();
            assert!(world.cloths()[0].1.positions().iter().all(|p| p.y < 5.0 && p.y > 4.9));
        }
        all += &format!("[[collider]]\n{kind}\ntransform.translate = [{i}, 0, 0]\n");
    }
    let mut world = folder.scene(&all).build_world().unwrap();
    assert_eq!(world.cloths()[0].0, "cloth");
    world.step().unwrap();
}

#[test]
fn shapes_are_scaled_turned_and_moved() {
    let place = "transform = { scale = 2, rotate = [0, 0, 90], translate = [0, 0, 1] }";
    let ball = collider(&format!("sphere = {{ center = [1, 0, 0], radius = 0.5 }}\n{place}"));
    let Shape::Sphere { center, radius } = ball.shape else { panic!() };
    near(center, Vec3::new(0.0, 2.0, 1.0));
    assert_eq!(radius, 1.0);
    let mirrored = collider("sphere = { radius = 0.5 }\ntransform.scale = [-3, 3, 3]");
    assert!(matches!(mirrored.shape, Shape::Sphere { radius: 1.5, .. }));

    let capsule =
        collider(&format!("capsule = {{ from = [0, 0, 0], to = [1, 0, 0], radius = 0.5 }}\n{place}"));
    let Shape::Capsule { from, to, radius } = capsule.shape else { panic!() };
    near(from, Vec3::Z);
    near(to, Vec3::new(0.0, 2.0, 1.0));
    assert_eq!(radius, 1.0);

    let plane = collider(
        "plane = { point = [1, 0, 0], normal = [3, 0, 0] }\ntransform = { scale = [1, 5, 9], rotate = [0, 0, 90], translate = [0, 0, 1] }",
    );
    let Shape::Plane { point, normal } = plane.shape else { panic!() };
    near(point, Vec3::new(0.0, 1.0, 1.0));
    near(normal, Vec3::Y);

    let cuboid = collider(
        "box = { center = [1, 0, 0], size = [1, 2, 3] }\ntransform = { scale = [2, 1, 1], rotate = [0, 0, 90] }",
    );
    let (low, high) = mesh(&cuboid).bounds().unwrap();
    near(low, Vec3::new(-1.0, 1.0, -1.5));
    near(high, Vec3::new(1.0, 3.0, 1.5));
}

#[test]
fn generated_colliders_stand_upright_and_planes_face_up() {
    let text = format!(
        "up = \"z\"\n{CLOTH}[[collider]]\nmesh.tube = {{ radius = 0.5, height = 2.0, segments = 8, rings = 2 }}\n\
         [[collider]]\nplane = {{}}\n"
    );
    let colliders = scene(&text).build_colliders().unwrap();
    let (low, high) = mesh(&colliders[0]).bounds().unwrap();
    near(low, Vec3::new(-0.5, -0.5, 0.0));
    near(high, Vec3::new(0.5, 0.5, 2.0));
    assert_eq!(colliders[1].shape, Shape::Plane { point: Vec3::ZERO, normal: Vec3::Z });
}

#[test]
fn keyframes_put_colliders_where_they_say() {
    let keyframes = "keyframes = [\n{ time = 1 },\n\
                     { time = 3, translate = [0, 1, 0], rotate = { axis = [0, 0, 1], degrees = 720 } }]";
    // About the middle of the box, which the turn leaves where it is.
    let cuboid = collider(&format!("box = {{ center = [4, 0, 0], size = [1, 1, 1] }}\n{keyframes}"));
    let ColliderMotion::Poses(poses) = &cuboid.motion else { panic!() };
    assert_eq!(poses.len(), 361, "a turn is cut into pieces of two degrees");
    let start = mesh(&cuboid).clone();
    for (time, turns, height) in
        [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.25, 0.25, 0.125), (2.5, 1.5, 0.75), (9.0, 2.0, 1.0)]
    {
        let now = cuboid.surface_mesh(time).unwrap();
        let turn = glam::Quat::from_rotation_z(turns * std::f32::consts::TAU);
        for (from, to) in start.positions.iter().zip(&now.positions) {
            let middle = Vec3::X * 4.0;
            near(*to, middle + turn * (*from - middle) + Vec3::Y * height);
        }
    }
    // About a pivot.
    let ball = collider(
        "sphere = { center = [1, 0, 0], radius = 0.1 }\npivot = [0, 0, 0]\n\
         keyframes = [{ time = 0 }, { time = 1, rotate = [0, 0, 90] }]",
    );
    let pose = ball.motion.pose(0.5);
    let expected = std::f64::consts::FRAC_1_SQRT_2;
    assert!(pose.apply(glam::DVec3::X).distance(glam::DVec3::new(expected, expected, 0.0)) < 2e-4);
    near(ball.motion.pose(1.0).apply(glam::DVec3::X).as_vec3(), Vec3::Y);
    // To a position, whatever the pivot.
    let capsule = collider(
        "capsule = { from = [0, 0, 0], to = [2, 0, 0], radius = 0.1 }\npivot = [7, 7, 7]\n\
         keyframes = [{ time = 0, position = [3, 4, 5], rotate = [0, 0, 90] }]",
    );
    near(capsule.motion.pose(2.0).apply(glam::DVec3::X).as_vec3(), Vec3::new(3.0, 4.0, 5.0));
    // The middle of a mesh is that of its box, and goes along with the transform.
    let turned = collider(
        "mesh.grid = { columns = 2, rows = 2, width = 2.0, height = 4.0 }\ntransform.translate = [1, 1, 1]\n\
         keyframes = [{ time = 0, rotate = [0, 0, 180] }]",
    );
    near(turned.motion.pose(0.0).apply(glam::DVec3::new(2.0, 3.0, 1.0)).as_vec3(), Vec3::new(2.0, 3.0, 1.0));
}

#[test]
fn sequences_are_read_file_by_file() {
    let folder = Folder::new("sequence");
    let cube = generate::cuboid(Vec3::ONE, 1).unwrap();
    for number in 7..=9 {
        let moved = cube.transformed(glam::Affine3A::from_translation(Vec3::X * number as f32));
        write_obj(folder.0.join(format!("body{number:03}.obj")), &moved).unwrap();
    }
    let text = |more: &str| {
        format!(
            "time.fps = 30\n{CLOTH}[[collider]]\nname = \"body\"\n\
             sequence = {{ files = \"body###.obj\", first = 7, last = 9{more} }}\ntransform.scale = [-1, 2, 2]\n"
        )
    };
    for (more, fps) in [("", 30.0), (", fps = 12", 12.0)] {
        let body = folder.scene(&text(more)).build_colliders().unwrap().remove(0);
        assert!(
            matches!(&body.motion, ColliderMotion::Sequence { frames, fps: f, .. } if frames.len() == 3 && *f == fps)
        );
        let between = body.surface_mesh(1.5 / fps).unwrap();
        let (low, high) = between.bounds().unwrap();
        near(0.5 * (low + high), Vec3::X * -8.5);
        near(high - low, Vec3::new(1.0, 2.0, 2.0));
        assert_eq!(
            between.triangles[0],
            {
                let [a, b, c] = cube.triangles[0];
                [a, c, b]
            },
            "mirrored"
        );
    }
    // Other triangles in a later file.
    write_obj(folder.0.join("body008.obj"), &generate::cuboid(Vec3::ONE, 2).unwrap()).unwrap();
    let error = folder.scene(&text("")).build_world().err().unwrap();
    let first = &error.diagnostics()[0];
    assert!(first.message.contains("body008.obj does not have the triangles of the first file"), "{error}");
    assert!(
        first.message.ends_with("it has 26 vertices and 48 triangles, the first 8 vertices and 12 triangles")
    );
    assert_eq!((first.line, first.column, first.underline.1), (7, 22, 13), "{error}");
    // A file that is none.
    std::fs::write(folder.0.join("body009.obj"), "f 1 2 3\n").unwrap();
    write_obj(folder.0.join("body008.obj"), &cube).unwrap();
    let error = folder.scene(&text("")).build_colliders().unwrap_err().to_string();
    assert!(error.contains("body009.obj"), "{error}");
    // One that is missing is found before.
    std::fs::remove_file(folder.0.join("body009.obj")).unwrap();
    let error = Scene::parse(&text(""), "scene.toml", &folder.0, &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("there is no file \"body009.obj\""), "{error}");
}

#[test]
fn errors_of_the_world_are_led_back_to_the_collider_or_contact() {
    let text = format!(
        "{CLOTH}[[collider]]\nname = \"ball\"\nsphere = {{ radius = 0.5 }}\n\
         [[contact]]\nbetween = [\"cloth\", \"ball\"]\n"
    );
    let scene = scene(&text);
    let explained = |error: muslin::Error| {
        let error = scene.explain(0, &error);
        let first = &error.diagnostics()[0];
        first.shown_line[first.underline.0..][..first.underline.1].to_owned()
    };
    let (name, problem) = ("ball".to_owned(), "none".to_owned());
    assert_eq!(explained(muslin::Error::Collider { name: name.clone(), problem }), "{ radius = 0.5 }");
    assert_eq!(explained(muslin::Error::NoSuchBody { name }), "\"ball\"");
    let (first, second) = ("cloth".to_owned(), "ball".to_owned());
    assert_eq!(
        explained(muslin::Error::Unresolved { step: 1, time: 0.0, first, second, divisions: 2 }),
        "[[cloth]]"
    );
}

#[test]
fn errors_of_cloths_and_colliders_come_together() {
    let text = format!(
        "{CLOTH}[[cloth.pins]]\ngroup = \"none\"\n[[collider]]\nmesh = {{ file = \"Cargo.toml\" }}\n"
    );
    let error = scene(&text).build_world().err().unwrap();
    let lines: Vec<usize> = error.diagnostics().iter().map(|diagnostic| diagnostic.line).collect();
    assert_eq!(lines, [5, 7], "{error}");
}

#[test]
fn intersections_are_held_against_their_limits() {
    let check = scene(&format!("{CLOTH}[check]\nself_intersections = 2\n")).check;
    assert!(!check.is_empty());
    assert_eq!(check.intersection_problems(2, 99), Vec::<String>::new());
    let problems = check.intersection_problems(3, 0);
    assert_eq!(problems, ["there are 3 self-intersections, above the limit of 2"]);
    let check = scene(&format!("{CLOTH}[check]\ncollider_penetrations = 0\n")).check;
    assert_eq!(
        check.intersection_problems(3, 1),
        ["there are 1 penetrations of colliders, above the limit of 0"]
    );
}
