//! Grabbing, dragging, throwing, pinning, blowing.

use glam::Vec3;
use muslin_viewer::draw::{MarkKind, Ray};
use muslin_viewer::session::{Command, Fan, HandId, Session, ThingKind};

use crate::common::{ask, open_text, places, steps};

/// An upright square of a metre, pinned above, its lower left corner at the origin; seen along −z.
pub const HANGING: &str = "
[[cloth]]
mesh.grid = { columns = 16, rows = 16 }
fabric = \"cotton\"
[[cloth.pins]]
group = \"top\"
";

const FALLING: &str = "
[forces]
gravity = [0.0, 0.0, 0.0]
[[cloth]]
mesh.grid = { columns = 12, rows = 12 }
fabric = \"cotton\"
";

const HAND: HandId = HandId(7);

/// Along −z through a place in the plane z = 0.
fn ray(x: f32, y: f32) -> Ray {
    Ray { origin: Vec3::new(x, y, 3.0), direction: Vec3::new(0.0, 0.0, -0.5) }
}

fn grab(session: &mut Session, x: f32, y: f32) {
    ask(session, Command::Grab { hand: HAND, ray: ray(x, y), forward: Vec3::NEG_Z });
}

fn drag(session: &mut Session, x: f32, y: f32, away: f32) {
    ask(session, Command::Drag { hand: HAND, ray: ray(x, y), away });
}

#[test]
fn the_pointer_finds_cloth_and_colliders_and_lights_them_up() {
    let ball = "[[collider]]\nname = \"ball\"\nsphere = { center = [3.0, 0.5, 0.0], radius = 0.3 }\n";
    let mut session = open_text(&format!("{HANGING}{ball}"));
    ask(&mut session, Command::Point(Some(ray(0.52, 0.26))));
    let picked = session.frame().pointed.expect("the cloth is there");
    assert_eq!((picked.kind, picked.number), (ThingKind::Cloth, 0));
    assert!(picked.place.distance(Vec3::new(0.52, 0.26, 0.0)) < 1e-5);
    let vertex = picked.vertex.unwrap() as usize;
    assert!(places(&session.frame(), 0)[vertex].distance(picked.place) < 0.05);
    ask(&mut session, Command::Point(Some(ray(3.0, 0.5))));
    let frame = session.frame();
    let picked = frame.pointed.expect("the ball is there");
    assert_eq!((picked.kind, picked.number), (ThingKind::Collider, 0));
    assert!((picked.place.z - 0.3).abs() < 1e-3 && frame.scenery.solids[0].is_marked);
    ask(&mut session, Command::Point(Some(ray(-1.0, 0.5))));
    assert_eq!(session.frame().pointed, None);
}

#[test]
fn cloth_that_is_dragged_comes_to_the_hand_and_is_thrown() {
    let mut session = open_text(FALLING);
    grab(&mut session, 0.5, 0.5);
    for k in 1..=30 {
        drag(&mut session, 0.5 + 0.02 * k as f32, 0.5, 0.0);
        steps(&mut session, 1);
    }
    let held = session.frame().held[0];
    assert_eq!(held.kind, ThingKind::Cloth);
    assert!((held.hand_place.x - 1.1).abs() < 1e-4, "{held:?}");
    assert!(held.place.distance(held.hand_place) < 0.06, "{held:?}");
    let middle = |session: &Session| {
        let places = places(&session.frame(), 0);
        places.iter().sum::<Vec3>() / places.len() as f32
    };
    let at_release = middle(&session);
    assert!(at_release.x > 0.9, "{at_release}");
    ask(&mut session, Command::Release { hand: HAND });
    assert!(session.frame().held.is_empty());
    steps(&mut session, 15);
    let later = middle(&session);
    assert!(later.x > at_release.x + 0.1, "not thrown: {at_release} {later}");
    assert_eq!(session.frame().problem, None);
}

#[test]
fn a_wheel_moves_the_hand_away() {
    let mut session = open_text(FALLING);
    grab(&mut session, 0.5, 0.5);
    drag(&mut session, 0.5, 0.5, 0.25);
    steps(&mut session, 40);
    let held = session.frame().held[0];
    assert!((held.hand_place.z + 0.25).abs() < 1e-4 && (held.place.z + 0.25).abs() < 0.05, "{held:?}");
}

#[test]
fn pins_are_set_and_released() {
    let mut session = open_text(FALLING.replace("[0.0, 0.0, 0.0]", "[0.0, -9.81, 0.0]").as_str());
    let pins = |session: &Session| {
        let frame = session.frame();
        frame.scenery.marks.iter().filter(|mark| mark.kind == MarkKind::Pin).count()
    };
    ask(&mut session, Command::TogglePin(ray(0.01, 0.99)));
    ask(&mut session, Command::TogglePin(ray(0.99, 0.99)));
    assert_eq!(pins(&session), 2);
    let before = places(&session.frame(), 0);
    let corner = (0..before.len()).find(|&v| before[v].distance(Vec3::new(0.0, 1.0, 0.0)) < 1e-4).unwrap();
    steps(&mut session, 20);
    let hanging = places(&session.frame(), 0);
    assert_eq!(hanging[corner], before[corner]);
    // The other one at its place, then all.
    ask(&mut session, Command::TogglePin(ray(0.99, 0.99)));
    assert_eq!(pins(&session), 1);
    ask(&mut session, Command::ReleasePins);
    assert_eq!(pins(&session), 0);
    steps(&mut session, 10);
    assert!(places(&session.frame(), 0)[corner].y < before[corner].y - 0.05);
}

#[test]
fn cloth_stays_where_it_is_let_go_with_a_pin() {
    let mut session = open_text(HANGING);
    grab(&mut session, 0.5, 0.02);
    for k in 1..=20 {
        drag(&mut session, 0.5, 0.02 + 0.02 * k as f32, 0.0);
        steps(&mut session, 1);
    }
    ask(&mut session, Command::ReleasePinned { hand: HAND });
    steps(&mut session, 30);
    let frame = session.frame();
    let near = |at: Vec3| places(&frame, 0).iter().map(|p| p.distance(at)).fold(f32::MAX, f32::min);
    assert!(
        frame.held.is_empty() && near(Vec3::new(0.5, 0.42, 0.0)) < 0.08,
        "{}",
        near(Vec3::new(0.5, 0.42, 0.0))
    );
    // Its pin can be grabbed again, and led.
    ask(&mut session, Command::ReleasePins);
    steps(&mut session, 30);
    assert!(places(&session.frame(), 0).iter().all(|p| p.y > -0.1));
}

#[test]
fn a_collider_that_is_dragged_pushes_cloth_and_turns() {
    let ball = "[[collider]]\nname = \"ball\"\nsphere = { center = [0.5, 0.2, 0.4], radius = 0.15 }\n";
    let mut session = open_text(&format!("{HANGING}{ball}"));
    grab(&mut session, 0.5, 0.2);
    assert_eq!(session.frame().held[0].kind, ThingKind::Collider);
    for _ in 0..40 {
        drag(&mut session, 0.5, 0.2, 0.015);
        steps(&mut session, 1);
    }
    let frame = session.frame();
    assert_eq!(frame.problem, None);
    let pose = frame.scenery.solids[0].pose;
    assert!((pose.translation.z + 0.6).abs() < 0.02, "{pose:?}");
    let pushed = places(&frame, 0).iter().map(|p| p.z).fold(0.0, f32::min);
    assert!(pushed < -0.2, "the cloth was not pushed: {pushed}");
    assert!(frame.figures.contacts > 0);
    ask(&mut session, Command::Turn { hand: HAND, axis: Vec3::Y, angle: 0.3 });
    steps(&mut session, 20);
    let turned = session.frame().scenery.solids[0].pose.rotation.angle_between(pose.rotation);
    assert!((turned - 0.3).abs() < 0.02, "{turned}");
    ask(&mut session, Command::Release { hand: HAND });
}

#[test]
fn a_body_is_carried_and_thrown() {
    let body = "[[body]]\nname = \"box\"\nbox = { size = [0.2, 0.2, 0.2] }\nposition = [3.0, 0.5, 0.0]\n";
    let mut session = open_text(&format!("{HANGING}{body}"));
    grab(&mut session, 3.0, 0.5);
    steps(&mut session, 30);
    let place = |session: &Session| session.frame().scenery.solids[0].pose.translation;
    assert!(place(&session).distance(Vec3::new(3.0, 0.5, 0.0)) < 0.02, "it falls: {}", place(&session));
    for k in 1..=20 {
        drag(&mut session, 3.0, 0.5 + 0.04 * k as f32, 0.0);
        steps(&mut session, 1);
    }
    let released = place(&session);
    assert!((released.y - 1.3).abs() < 0.1, "{released}");
    ask(&mut session, Command::Release { hand: HAND });
    steps(&mut session, 6);
    assert!(place(&session).y > released.y + 0.05, "not thrown: {released} {}", place(&session));
}

#[test]
fn multilevel_cloth_is_led_by_a_pin() {
    let mut session = open_text(
        "[solver]\nmethod = \"multilevel\"\nparticles = 2000\n[[cloth]]\nmesh.grid = { columns = 12, rows = 12 }\n\
         [[cloth.pins]]\ngroup = \"top\"\n",
    );
    grab(&mut session, 0.5, 0.02);
    assert_eq!(session.frame().problem, None);
    for k in 1..=15 {
        drag(&mut session, 0.5, 0.02 + 0.02 * k as f32, 0.0);
        steps(&mut session, 1);
    }
    let held = session.frame().held[0];
    assert!(held.place.distance(held.hand_place) < 0.02, "{held:?}");
    ask(&mut session, Command::Release { hand: HAND });
    steps(&mut session, 2);
    let pins = session.frame().scenery.marks.iter().filter(|mark| mark.kind == MarkKind::Pin).count();
    assert_eq!(pins, 13, "only those of the scene");
}

#[test]
fn a_fan_blows_cloth_away() {
    let mut session = open_text(HANGING);
    let fan = Fan { place: Vec3::new(0.5, 0.4, 1.0), direction: Vec3::NEG_Z, speed: 8.0, radius: 0.3 };
    ask(&mut session, Command::Fan(Some(fan)));
    steps(&mut session, 40);
    let blown = places(&session.frame(), 0).iter().map(|p| p.z).fold(0.0, f32::min);
    assert!(blown < -0.1, "{blown}");
    assert_eq!(session.frame().fan, Some(fan));
    ask(&mut session, Command::Fan(None));
    assert_eq!(session.frame().fan, None);
    let nonsense = Fan { radius: f32::NAN, ..fan };
    ask(&mut session, Command::Fan(Some(nonsense)));
    assert!(session.frame().problem.as_ref().is_some_and(|problem| problem.contains("radius")));
    ask(&mut session, Command::Dismiss);
    assert_eq!(session.frame().problem, None);
}

#[test]
fn a_fan_blows_multilevel_cloth_too() {
    let mut session = open_text(&format!("[solver]\nmethod = \"multilevel\"\nparticles = 2000\n{HANGING}"));
    let fan = Fan { place: Vec3::new(0.5, 0.4, 1.0), direction: Vec3::NEG_Z, speed: 8.0, radius: 0.3 };
    ask(&mut session, Command::Fan(Some(fan)));
    steps(&mut session, 30);
    let blown = places(&session.frame(), 0).iter().map(|p| p.z).fold(0.0, f32::min);
    assert!(blown < -0.05, "{blown}, {:?}", session.frame().problem);
}
