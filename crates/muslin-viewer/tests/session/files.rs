//! Files: watched, dropped, broken, saved.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use muslin_viewer::session::{Command, Dropped, SaveKind, Session, SessionOptions, Source};

use crate::common::{ask, open, open_text, places, steps, wait_until};
use crate::touch::HANGING;

/// A folder that is gone afterwards.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("muslin-viewer-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_saved_file_is_read_again_within_a_second_and_a_broken_one_changes_nothing() {
    let folder = Folder::new("watch");
    let path = folder.0.join("scene.toml");
    std::fs::write(&path, HANGING).unwrap();
    let options = SessionOptions { threads: 1, ..SessionOptions::default() };
    let session = Session::open(Source::Path(path.clone()), options);
    let first = wait_until(&session, "the scene", |frame| !frame.scenery.sheets.is_empty());
    assert_eq!((first.title.as_str(), places(&first, 0).len()), ("scene", 17 * 17));
    std::fs::write(&path, HANGING.replace("columns = 16", "columns = 8")).unwrap();
    let begin = Instant::now();
    let again = wait_until(&session, "the new mesh", |frame| places(frame, 0).len() == 9 * 17);
    assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
    assert_eq!((again.opened, &again.problem), (first.opened, &None));
    std::fs::write(&path, HANGING.replace("\"cotton\"", "\"coton\"")).unwrap();
    let broken = wait_until(&session, "a problem", |frame| frame.problem.is_some());
    let problem = broken.problem.as_ref().unwrap();
    assert!(problem.contains("scene.toml:4:10") && problem.contains("did you mean \"cotton\""), "{problem}");
    assert_eq!(broken.opened, first.opened);
    wait_until(&session, "the old scene goes on", |frame| frame.clock.time > broken.clock.time);
    std::fs::write(&path, HANGING).unwrap();
    let mended = wait_until(&session, "the mended file", |frame| places(frame, 0).len() == 17 * 17);
    assert_eq!((mended.opened, &mended.problem), (first.opened, &None));
}

#[test]
fn a_dropped_mesh_becomes_cloth_over_a_ground() {
    let content: Arc<[u8]> = include_bytes!("../../../../scenes/spot/spot.obj").as_slice().into();
    let mut session =
        open(Source::Files(vec![Dropped { name: "my cow.obj".into(), content: content.clone() }]));
    let frame = session.frame();
    assert_eq!((frame.problem.clone(), frame.title.as_str()), (None, "my cow"));
    assert!(frame.scenery.ground.is_some());
    let lowest = |session: &Session| places(&session.frame(), 0).iter().map(|p| p.y).fold(f32::MAX, f32::min);
    let before = lowest(&session);
    steps(&mut session, 8);
    assert!(lowest(&session) < before - 0.01 && session.frame().problem.is_none());
    // A scene with its mesh beside it.
    let scene = "[[cloth]]\nmesh.file = \"meshes/cow.obj\"\n";
    let files = vec![
        Dropped { name: "meshes/cow.obj".into(), content },
        Dropped { name: "farm.toml".into(), content: scene.as_bytes().into() },
    ];
    assert_eq!(open(Source::Files(files)).frame().title, "farm");
    for (name, content) in [("a.obj", "v 1 2"), ("a.txt", ""), ("a.toml", "cloth = 1"), ("a.glb", "glTF")] {
        let content: Arc<[u8]> = content.as_bytes().into();
        let session = open(Source::Files(vec![Dropped { name: name.into(), content }]));
        assert!(session.frame().problem.is_some(), "{name}");
    }
}

#[test]
fn paths_that_lead_nowhere_are_a_sentence() {
    for path in ["/nowhere/scene.toml", "/nowhere", "/nowhere/mesh.obj", "/dev/null", "/"] {
        let session = open(Source::Path(path.into()));
        let problem = session.frame().problem.clone().unwrap_or_default();
        assert!(problem.contains('/'), "{path}: {problem}");
    }
}

#[test]
fn a_scene_is_saved_with_its_changes_and_its_view() {
    let mut session = open_text(&format!("# My scene.\n{HANGING}"));
    let value = muslin_viewer::session::SettingValue::Word("denim".into());
    ask(&mut session, Command::Set { key: "cloth.0.fabric".into(), value });
    let view = muslin_viewer::draw::View {
        eye: glam::Vec3::new(1.0, 2.0, 4.0),
        target: glam::Vec3::new(0.5, 0.5, 0.0),
        up: glam::Vec3::Y,
        fov_degrees: 30.0,
    };
    ask(&mut session, Command::View(view));
    ask(&mut session, Command::Save(SaveKind::Scene));
    let [file] = <[_; 1]>::try_from(session.take_saved()).unwrap();
    let text = String::from_utf8(file.content).unwrap();
    assert_eq!(file.name, "scene.toml");
    assert!(text.starts_with("# My scene.") && text.contains("\"denim\""), "{text}");
    let again = open_text(&text);
    assert_eq!(again.frame().view, Some(view));
    assert!(session.take_saved().is_empty());
}

#[test]
fn meshes_are_saved_as_they_are_now() {
    let ball = "[[collider]]\nname = \"ball\"\nsphere = { center = [3.0, 0.5, 0.0], radius = 0.3 }\n";
    let mut session = open_text(&format!("{HANGING}{ball}"));
    steps(&mut session, 10);
    ask(&mut session, Command::Save(SaveKind::Obj));
    ask(&mut session, Command::Save(SaveKind::Glb));
    assert_eq!(session.frame().problem, None);
    let [obj, glb] = <[_; 2]>::try_from(session.take_saved()).unwrap();
    let mesh = muslin_io::parse_obj(&obj.content).unwrap();
    assert_eq!(mesh.positions, places(&session.frame(), 0).to_vec());
    let all = muslin_io::parse_gltf(&glb.content, None).unwrap();
    assert!(all.triangles.len() == 512 + 5120, "{}", all.triangles.len());
    assert!(obj.name.ends_with(".obj") && glb.name.ends_with(".glb"));
}
