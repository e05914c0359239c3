//! Recordings: in every format that is read back, scrubbed and played.

use std::path::Path;

use glam::{DQuat, DVec3, Vec3};
use muslin_io::{ClipFormat, ClipMesh, ClipPose, MemoryClip, write_clip};
use muslin_viewer::session::{Command, Source, ThingKind};

use crate::common::{ask, open, places, steps};
use crate::files::Folder;

const FRAMES: usize = 12;

/// A triangle that rises by a centimetre per frame, beside a body that goes to the right.
fn clip() -> MemoryClip {
    let mesh =
        |name: &str, rigid| ClipMesh { name: name.into(), triangles: vec![[0, 1, 2]], uvs: None, rigid };
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let mut clip = MemoryClip::new(vec![mesh("cloth", None), mesh("box", Some(corners.clone()))], 24.0);
    for frame in 0..FRAMES {
        let rise = Vec3::Y * (0.01 * frame as f32);
        let pose = ClipPose { rotation: DQuat::IDENTITY, translation: DVec3::X * (2.0 + 0.1 * frame as f64) };
        clip.push_frame_with_poses(vec![corners.iter().map(|p| *p + rise).collect()], vec![pose]).unwrap();
    }
    clip
}

fn check(path: &Path, knows_bodies: bool, fps: f64) {
    let mut session = open(Source::Path(path.to_owned()));
    let frame = session.frame();
    assert_eq!(frame.problem, None, "{}", path.display());
    assert!(frame.clock.is_recording && (frame.clock.step - 1.0 / fps).abs() < 1e-6, "{:?}", frame.clock);
    assert_eq!(frame.things.len(), 2);
    let is_body = frame.things.iter().any(|thing| thing.kind == ThingKind::Body);
    assert_eq!(is_body, knows_bodies, "{}", path.display());
    assert_eq!(frame.things[0].name, "cloth");
    let rise = |session: &muslin_viewer::session::Session| places(&session.frame(), 0)[0].y;
    assert_eq!(rise(&session), 0.0);
    steps(&mut session, 3);
    assert!((rise(&session) - 0.03).abs() < 1e-6, "{}", rise(&session));
    ask(&mut session, Command::GoTo(7.0 / fps));
    assert!((rise(&session) - 0.07).abs() < 1e-6, "{}", rise(&session));
    if knows_bodies {
        let place = session.frame().scenery.solids[0].vertices[0];
        assert!((place.x - 2.7).abs() < 1e-5, "{place}");
    }
    ask(&mut session, Command::GoTo(1e9));
    assert_eq!(session.frame().clock.time, session.frame().clock.last);
    assert!((rise(&session) - 0.11).abs() < 1e-6);
    // It begins again, or stays at its end.
    session.send(Command::Play);
    session.advance(1.5 / fps);
    assert!(rise(&session) < 0.02 && session.frame().clock.is_playing);
    session.send(Command::Repeat(false));
    session.advance(100.0);
    let end = session.frame();
    assert!(!end.clock.is_playing && end.clock.time == end.clock.last, "{:?}", end.clock);
    ask(&mut session, Command::Reset);
    assert_eq!(rise(&session), 0.0);
    // Nothing can be touched, and nothing is said.
    ask(
        &mut session,
        Command::TogglePin(muslin_viewer::draw::Ray { origin: Vec3::Z, direction: Vec3::NEG_Z }),
    );
    assert_eq!(session.frame().problem, None);
}

#[test]
fn runs_are_played_back_in_every_format_that_says_enough() {
    let clip = clip();
    let folder = Folder::new("recordings");
    for (format, knows_bodies, fps) in [
        (ClipFormat::Npz, true, 24.0),
        (ClipFormat::Glb, true, 24.0),
        (ClipFormat::Obj, false, 60.0),
        (ClipFormat::Ply, false, 60.0),
    ] {
        let own = folder.0.join(format!("{format}"));
        std::fs::create_dir_all(&own).unwrap();
        let files = write_clip(format, &own, "run", &clip).unwrap();
        // The order of PLY files is that of their names, unless a scene says what is a body.
        if format != ClipFormat::Ply {
            check(&own, knows_bodies, fps);
        } else {
            let frame = open(Source::Path(own.clone())).frame();
            assert_eq!((frame.problem.clone(), frame.things.len()), (None, 2));
        }
        if format == ClipFormat::Glb {
            check(&files[0], true, 24.0);
        }
    }
    let own = folder.0.join("pc2");
    std::fs::create_dir_all(&own).unwrap();
    write_clip(ClipFormat::Pc2, &own, "run", &clip).unwrap();
    let problem = open(Source::Path(own)).frame().problem.clone().unwrap_or_default();
    assert!(problem.contains("pc2") && problem.contains("npz"), "{problem}");
}

#[test]
fn damaged_archives_are_a_sentence() {
    let folder = Folder::new("damaged");
    let files = write_clip(ClipFormat::Npz, &folder.0, "run", &clip()).unwrap();
    let content = std::fs::read(&files[0]).unwrap();
    for length in (0..content.len()).step_by(37) {
        std::fs::write(&files[0], &content[..length]).unwrap();
        let frame = open(Source::Path(files[0].clone())).frame();
        assert!(frame.problem.is_some(), "cut to {length} bytes");
    }
    for at in (0..content.len()).step_by(11) {
        let mut changed = content.clone();
        changed[at] ^= 0xff;
        std::fs::write(&files[0], &changed).unwrap();
        // Whatever comes of it.
        let mut session = open(Source::Path(files[0].clone()));
        steps(&mut session, 2);
    }
}
