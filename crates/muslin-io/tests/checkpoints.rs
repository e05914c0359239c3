//! Checkpoints come back bit by bit, or not at all.

use glam::Vec3;
use muslin::cloth::Cloth;
use muslin::mesh::generate;
use muslin::{Settings, Simulation};
use muslin_io::checkpoint::{Checkpoint, CheckpointProblem, RunOptions, fingerprint};
use proptest::prelude::*;

fn flag() -> Simulation {
    let cloth = Cloth::builder(generate::grid(12, 8, 1.2, 0.8).unwrap()).pin_group("left").build().unwrap();
    let wind = muslin::forces::wind::Wind::blowing(Vec3::new(4.0, 0.0, 1.0));
    Simulation::new(cloth, Settings { wind: Some(wind), ..Settings::default() }).unwrap()
}

fn checkpoint(simulation: &Simulation) -> Checkpoint {
    Checkpoint {
        scene: "flag.toml".into(),
        scene_fingerprint: fingerprint(b"scene"),
        world_fingerprint: fingerprint(b"world"),
        frame: 7,
        options: RunOptions { frames: 30, checkpoint_every: Some(5), plot: true, ..RunOptions::default() },
        cloths: vec![("flag".into(), simulation.snapshot())],
    }
}

fn bytes_of(checkpoint: &Checkpoint) -> Vec<u8> {
    let path = std::env::temp_dir().join(format!(
        "muslin-checkpoint-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    checkpoint.write(&path).unwrap();
    assert_eq!(Checkpoint::read(&path).unwrap(), *checkpoint);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    bytes
}

#[test]
fn a_run_in_two_parts_gives_the_bits_of_one() {
    let mut whole = flag();
    let mut first = flag();
    for _ in 0..20 {
        whole.step().unwrap();
        first.step().unwrap();
    }
    let read = Checkpoint::from_bytes(&bytes_of(&checkpoint(&first))).unwrap();
    let mut second = flag();
    second.restore(&read.cloths[0].1).unwrap();
    for _ in 0..20 {
        whole.step().unwrap();
        second.step().unwrap();
    }
    assert_eq!(whole.state_hash(), second.state_hash());
    assert_eq!((whole.time().to_bits(), whole.steps()), (second.time().to_bits(), second.steps()));
}

#[test]
fn every_cut_and_every_flipped_bit_is_noticed() {
    let bytes = bytes_of(&checkpoint(&flag()));
    for length in (0..bytes.len()).step_by(97) {
        assert!(Checkpoint::from_bytes(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    for bit in (0..8 * bytes.len()).step_by(131) {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(Checkpoint::from_bytes(&flipped).is_err(), "bit {bit}");
    }
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert!(matches!(Checkpoint::from_bytes(&newer), Err(CheckpointProblem::Version(9))));
    newer[8] = 1;
    assert!(matches!(Checkpoint::from_bytes(&newer), Err(CheckpointProblem::Version(1))));
    assert!(matches!(Checkpoint::from_bytes(b"# a scene"), Err(CheckpointProblem::NotACheckpoint)));
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut file = b"MUSLINCP\x02\0\0\0".to_vec();
        file.extend(bytes);
        prop_assert!(Checkpoint::from_bytes(&file).is_err());
    }
}

#[test]
fn a_moved_folder_still_has_its_scene() {
    let root = std::env::temp_dir().join(format!("muslin-moved-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(root.join("before/out")).unwrap();
    let scene = root.join("before/flag.toml");
    std::fs::write(&scene, "scene").unwrap();
    let written = Checkpoint { scene: scene.clone(), ..checkpoint(&flag()) };
    written.write(root.join("before/out/a.checkpoint")).unwrap();
    assert_eq!(Checkpoint::read(root.join("before/out/a.checkpoint")).unwrap().scene, scene);
    std::fs::rename(root.join("before"), root.join("after")).unwrap();
    let found = Checkpoint::read(root.join("after/out/a.checkpoint")).unwrap().scene;
    assert_eq!(std::fs::read(found).unwrap(), b"scene");
    std::fs::remove_dir_all(root).unwrap();
}
