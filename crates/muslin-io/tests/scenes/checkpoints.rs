//! Checkpoints come back bit by bit, or not at all.

use glam::{DQuat, DVec3, Vec3};
use muslin::cloth::Cloth;
use muslin::mesh::generate;
use muslin::rigid::{BodyState, Mass, RigidBody, RigidShape};
use muslin::solver::{Multilevel, SolverConfig, SolverState};
use muslin::state::Snapshot;
use muslin::{Settings, Simulation, World};
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
        bodies: Vec::new(),
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

/// A box that tumbles into a sheet held at its corners.
fn hammock() -> World {
    let mut mesh = generate::grid(8, 8, 1.0, 1.0).unwrap();
    mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x - 0.5, 0.0, 0.5 - p.y));
    let cloth = Cloth::builder(mesh).pin_group("corners").build().unwrap();
    let simulation = Simulation::new(cloth, Settings::default()).unwrap();
    let mut body =
        RigidBody::new("box", RigidShape::Box { size: Vec3::new(0.2, 0.1, 0.15) }).at(DVec3::Y * 0.15);
    body.mass = Mass::Total(0.3);
    body.rotation = DQuat::from_rotation_z(0.4);
    body.angular_velocity = DVec3::new(2.0, 1.0, 0.5);
    World::with_bodies(vec![("sheet".into(), simulation)], vec![], vec![body], Default::default()).unwrap()
}

#[test]
fn a_world_with_bodies_in_two_parts_gives_the_bits_of_one() {
    let (mut whole, mut first, mut second) = (hammock(), hammock(), hammock());
    let run = |world: &mut World| (0..20).for_each(|_| assert!(world.step().is_ok()));
    let states = |world: &World| -> Vec<(String, BodyState)> {
        world.bodies().iter().map(|body| (body.name().to_owned(), *body.state())).collect()
    };
    run(&mut whole);
    run(&mut first);
    let sheet = first.cloths()[0].1.snapshot();
    let written =
        Checkpoint { cloths: vec![("sheet".into(), sheet)], bodies: states(&first), ..checkpoint(&flag()) };
    let bytes = bytes_of(&written);
    let read = Checkpoint::from_bytes(&bytes).unwrap();
    second.cloths_mut().for_each(|(_, cloth)| cloth.restore(&read.cloths[0].1).unwrap());
    second.restore_body_states(&read.bodies.iter().map(|(_, state)| *state).collect::<Vec<_>>()).unwrap();
    run(&mut whole);
    run(&mut second);
    assert_eq!(states(&whole), states(&second));
    assert!(states(&whole)[0].1.center.y < 0.1, "it has fallen");
    assert_eq!(whole.cloths()[0].1.state_hash(), second.cloths()[0].1.state_hash());
    for length in (bytes.len() - 13 * 8 - 4..bytes.len()).step_by(7) {
        assert!(Checkpoint::from_bytes(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
}

#[test]
fn checkpoints_without_bodies_are_as_they_were_before_there_were_any() {
    let bytes = bytes_of(&checkpoint(&flag()));
    assert!(!String::from_utf8_lossy(&bytes).contains("bodies"));
}

/// A tube of cloth in two panels that swings in the wind, with a grid.
fn sleeve() -> Simulation {
    let mesh = generate::panelled_tube([0.2, 0.15], 0.5, [24, 8], 2).unwrap();
    let cloth = Cloth::builder(mesh).pin_group("top").build().unwrap();
    let solver = SolverConfig::Multilevel(Multilevel { particles: 1500, ..Multilevel::default() });
    let wind = Some(muslin::forces::wind::Wind::blowing(Vec3::new(3.0, 0.0, 1.0)));
    Simulation::new(cloth, Settings { wind, solver, ..Settings::default() }).unwrap()
}

#[test]
fn multilevel_cloth_in_two_parts_gives_the_bits_of_one() {
    let (mut whole, mut first, mut second) = (sleeve(), sleeve(), sleeve());
    let run = |cloth: &mut Simulation| (0..12).for_each(|_| drop(cloth.step().unwrap()));
    run(&mut whole);
    run(&mut first);
    let bytes = bytes_of(&checkpoint(&first));
    let read = Checkpoint::from_bytes(&bytes).unwrap();
    second.restore(&read.cloths[0].1).unwrap();
    run(&mut whole);
    run(&mut second);
    assert_eq!(whole.state_hash(), second.state_hash());
    assert_eq!(whole.snapshot(), second.snapshot(), "and those of the grid");
    assert_eq!(whole.shown_positions().unwrap(), second.shown_positions().unwrap());
    // Without its grid it would go on, but elsewhere.
    let mut coarse = sleeve();
    coarse.restore(&Snapshot { solver: None, ..read.cloths[0].1.clone() }).unwrap();
    run(&mut coarse);
    assert_ne!(whole.state_hash(), coarse.state_hash());
    for length in (bytes.len() - 200..bytes.len()).step_by(7) {
        assert!(Checkpoint::from_bytes(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
}

#[test]
fn what_only_a_solver_has_is_called_in_json_as_it_always_was() {
    let json = serde_json::to_value(sleeve().snapshot()).unwrap();
    assert!(json["fine"]["iterations"].is_u64() && json.get("exact").is_none(), "{json}");
    let read: Snapshot = serde_json::from_value(json).unwrap();
    assert!(matches!(&read.solver, Some(SolverState::Grid(fine)) if fine.iterations == 16));
    let json = serde_json::to_value(flag().snapshot()).unwrap();
    assert!(json.get("fine").is_none() && json.get("solver").is_none(), "{json}");
    assert_eq!(serde_json::from_value::<Snapshot>(json).unwrap().solver, None);
}

/// The checkpoint with other text in its header and a checksum that is right for it.
fn with_header(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let header = String::from_utf8(bytes[16..16 + length].to_vec()).unwrap();
    assert!(header.contains(from), "{header}");
    let header = header.replace(from, to);
    let mut changed = bytes[..12].to_vec();
    changed.extend((header.len() as u32).to_le_bytes());
    changed.extend(header.as_bytes());
    changed.extend(&bytes[16 + length..bytes.len() - 4]);
    changed.extend(crc32fast::hash(&changed).to_le_bytes());
    changed
}

#[test]
fn numbers_of_a_grid_that_cannot_be_are_refused() {
    let bytes = bytes_of(&checkpoint(&sleeve()));
    let Some(SolverState::Grid(fine)) = sleeve().snapshot().solver else { panic!("it has a grid") };
    let texels = fine.points.len();
    let given = format!("\"texels\":{texels}");
    assert!(Checkpoint::from_bytes(&with_header(&bytes, &given, &given)).is_ok());
    for wrong in [texels as u64 + 1, 1 << 31, u64::MAX] {
        let changed = with_header(&bytes, &given, &format!("\"texels\":{wrong}"));
        assert!(matches!(Checkpoint::from_bytes(&changed), Err(CheckpointProblem::Damaged)), "{wrong}");
    }
    // What is a checkpoint, but not one of this cloth, is refused by the cloth.
    for (from, to) in
        [(given.as_str(), "\"texels\":4".to_owned()), ("\"iterations\":16", "\"iterations\":0".into())]
    {
        let read = Checkpoint::from_bytes(&with_header(&bytes, from, &to)).unwrap();
        assert!(sleeve().restore(&read.cloths[0].1).is_err(), "{to}");
    }
    let not_a_step = format!("\"last_step_bits\":{}", f64::NAN.to_bits());
    let step = fine.last_step.to_bits();
    let read = with_header(&bytes, &format!("\"last_step_bits\":{step}"), &not_a_step);
    assert!(sleeve().restore(&Checkpoint::from_bytes(&read).unwrap().cloths[0].1).is_err());
    assert!(flag().restore(&checkpoint(&sleeve()).cloths[0].1).is_err(), "another method");
}

#[test]
fn checkpoints_of_other_cloth_are_as_they_were_before_there_were_grids() {
    let bytes = bytes_of(&checkpoint(&flag()));
    assert!(!String::from_utf8_lossy(&bytes).contains("fine"));
}
