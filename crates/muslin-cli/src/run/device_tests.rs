//! What a run leaves behind when its GPU is lost.

use std::path::{Path, PathBuf};

use muslin_io::scene::{ReadOptions, Scene};

use super::{Options, Session, checkpoints};
use muslin_io::scene::Backend;

const SCENE: &str = "[time]\nframes = 9\n[collision]\nself = false\n\
    [[cloth]]\nmesh.grid = { columns = 5, rows = 5 }\n[[cloth.pins]]\ngroup = \"top\"\n\
    [[cloth]]\nname = \"second\"\nmesh.grid = { columns = 3, rows = 3 }\ntransform.translate = [3.0, 0.0, 0.0]\n";

fn session(folder: &Path, backend: Backend) -> Session {
    let scene = Scene::parse(
        SCENE,
        "scene.toml",
        folder,
        &ReadOptions { allow_outside: true, ..ReadOptions::default() },
    );
    let options = Options { backend: Some(backend), quiet: true, ..Options::default() };
    let scene = scene.unwrap_or_else(|error| panic!("{error}"));
    Session::new(scene, PathBuf::from("scene.toml"), folder.to_owned(), options).expect("a session")
}

fn advance(session: &mut Session) {
    let frame = session.step().expect("a step");
    session.keep_frame(frame).expect("a frame");
}

#[test]
fn the_last_good_state_of_a_lost_gpu_is_a_checkpoint_to_go_on_from() {
    let folder = std::env::temp_dir().join(format!("muslin-lost-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let mut lost = session(&folder, Backend::Gpu).start().expect("a folder");
    for _ in 0..3 {
        advance(&mut lost);
    }
    let before = lost.engine.snapshots();
    lost.engine.break_device();
    let failure = lost.run().expect_err("the GPU is gone");
    assert_eq!(failure.exit_code, 1);
    let shown = failure.to_string();
    assert!(shown.contains("frame 3: the GPU was lost"), "{shown}");
    assert!(shown.contains("muslin resume ") && shown.contains("--backend cpu"), "{shown}");
    let checkpoint = checkpoints::read(&folder.join("checkpoint.muslin")).expect("a checkpoint");
    assert_eq!((checkpoint.frame, &checkpoint.cloths), (3, &before));
    for backend in [Backend::Gpu, Backend::Cpu] {
        let mut resumed = session(&folder, backend).restore(&checkpoint).expect("it goes on");
        advance(&mut resumed);
        assert_eq!(resumed.done(), 4);
    }
    let _ = std::fs::remove_dir_all(&folder);
}
