//! Runs in which particles go astray: what cannot be saved ends with exit code 1 and whole files, what can be
//! saved goes on and is reported. No file ever holds a number that is not finite.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;

use crate::start::{folder_with_scene, muslin};

/// Pins that jump away from frame 9 on, by 150 km per frame: particles count as lost beyond 100 km from where they are counted
/// from, and between steps the origin would follow.
const RACING_PINS: &str = r#"
name = "racing"
[time]
frames = 30
fps = 60
substeps = 2
[[cloth]]
name = "sheet"
mesh.grid = { columns = 8, rows = 8 }
[[cloth.pins]]
group = "top"
keyframes = [{ time = 0.0 }, { time = 0.15 }, { time = 0.183333333, translate = [0, 300_000, 0] }]
[output]
folder = "out"
formats = ["obj", "ply", "vtk", "pc2", "mdd", "npz", "usd", "glb"]
pictures = { frames = [0, 9, 20], size = [64, 48], animation = "gif" }
"#;

/// A sheet just above the lower bound (-100 km) that swings beyond it under strong gravity. Held there, its lowest
/// particles stay within the bounds, and the rest goes on. A triangle that stays at zero keeps the origin there.
const AT_THE_EDGE: &str = r#"
name = "edge"
[time]
frames = 40
substeps = 1
[forces]
gravity = [0, -300, 0]
[[cloth]]
name = "sheet"
mesh.file = "edge.obj"
tethers = "off"
[[cloth.pins]]
vertices = [0, 11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121, 122, 123]
[output]
folder = "out"
formats = ["obj", "npz"]
"#;

/// The mesh of [`AT_THE_EDGE`]: 10 m × 10 m in rows of 11 from the lowest, and a triangle at zero.
fn edge_mesh() -> String {
    let mut text = String::new();
    for (row, column) in (0..11).flat_map(|row| (0..11).map(move |column| (row, column))) {
        text += &format!("v {column} {} 0\n", row - 99_999);
    }
    text += "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (row, column) in (0..10).flat_map(|row| (0..10).map(move |column| (row, column))) {
        let v = 11 * row + column + 1;
        text += &format!("f {v} {} {}\nf {v} {} {}\n", v + 1, v + 12, v + 12, v + 11);
    }
    text + "f 122 123 124\n"
}

/// A folder with [`AT_THE_EDGE`], or what is made of it, and its mesh.
fn edge_folder(name: &str, scene: &str) -> (PathBuf, String) {
    let (folder, scene) = folder(name, scene);
    fs::write(folder.join("edge.obj"), edge_mesh()).expect("the mesh");
    (folder, scene)
}

/// A folder with the scene in it; the folder and the scene's path.
fn folder(name: &str, scene: &str) -> (PathBuf, String) {
    folder_with_scene(&format!("divergence-{name}"), scene)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn finite(numbers: impl Iterator<Item = f32>) -> usize {
    numbers.inspect(|number| assert!(number.is_finite(), "{number}")).count()
}

/// The vertices of OBJ frames, all finite; `frames` of them and no more, each complete.
fn check_obj(out: &Path, stem: &str, frames: usize, vertices: usize, triangles: usize) {
    for frame in 0..frames {
        let text = fs::read_to_string(out.join(format!("{stem}_{frame:04}.obj"))).expect("a frame");
        let lines =
            |start: &str| text.lines().filter_map(|line| line.strip_prefix(start)).collect::<Vec<_>>();
        let numbers = lines("v ").join(" ");
        let count = finite(numbers.split_whitespace().map(|word| word.parse().expect("a number")));
        assert_eq!((count, lines("f ").len()), (3 * vertices, triangles), "frame {frame}");
    }
    assert!(!out.join(format!("{stem}_{frames:04}.obj")).exists());
}

#[test]
fn a_run_that_diverges_ends_with_code_1_names_the_frame_and_leaves_whole_finite_files() {
    let (folder, scene) = folder("racing", RACING_PINS);
    let output = muslin(&["run", &scene, "--plot", "--json"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("error: frame 10: cloth 'sheet': ") && error.contains("went astray"), "{error}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!((&summary["frames"], &summary["steps"]), (&10.into(), &18.into()));
    assert!(summary["diverged"].as_str().is_some_and(|text| text.starts_with("frame 10:")), "{summary}");

    // All that was asked for, of the ten frames before; nothing unfinished beside it.
    let out = folder.join("out");
    let mut expected: Vec<String> = ["glb", "gif", "mdd", "npz", "pc2", "pvd", "usda"]
        .map(|extension| format!("racing.{extension}"))
        .into();
    for frame in 0..10 {
        expected.extend(["obj", "ply", "vtp"].map(|extension| format!("racing_{frame:04}.{extension}")));
    }
    expected.extend(["0000", "0009"].map(|frame| format!("racing_{frame}.png")));
    for plot in ["strain", "energy", "time_per_step"] {
        expected.extend(["svg", "png"].map(|extension| format!("racing_{plot}.{extension}")));
    }
    expected.sort();
    assert_eq!(names(&out), expected);

    check_obj(&out, "racing", 10, 81, 128);
    let pc2 = fs::read(out.join("racing.pc2")).expect("a cache");
    let float = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
    assert_eq!(finite(pc2[32..].as_chunks::<4>().0.iter().map(float)), 10 * 81 * 3);
    // The same numbers, all of them, in the archive and in the frames that are not text.
    let npz = fs::read(out.join("racing.npz")).expect("an archive");
    let frame = 12 * 81;
    assert!(npz.windows(10 * frame).any(|bytes| *bytes == pc2[32..]), "the archive has other numbers");
    for number in 0..10 {
        let ply = muslin_io::read_mesh(out.join(format!("racing_{number:04}.ply"))).expect("a frame");
        let own = &pc2[32 + number * frame..][..frame];
        let positions: Vec<f32> = ply.positions.iter().flat_map(|p| p.to_array()).collect();
        assert!(positions.iter().copied().eq(own.as_chunks::<4>().0.iter().map(float)), "frame {number}");
        let vtp = fs::read_to_string(out.join(format!("racing_{number:04}.vtp"))).expect("a frame");
        let size = (frame as u64).to_le_bytes();
        let encoded = base64::engine::general_purpose::STANDARD.encode([&size, own].concat());
        assert!(vtp.contains(&encoded) && vtp.trim_end().ends_with("</VTKFile>"), "frame {number}");
    }
    let mdd = fs::read(out.join("racing.mdd")).expect("a cache");
    let big = |bytes: &[u8; 4]| f32::from_be_bytes(*bytes);
    assert_eq!(finite(mdd[8..].as_chunks::<4>().0.iter().map(big)), 10 + 10 * 81 * 3);
    let document = gltf::Gltf::from_slice(&fs::read(out.join("racing.glb")).expect("a file")).expect("GLB");
    let binary = document.blob.as_deref().expect("its bytes");
    for accessor in document.accessors().filter(|a| a.data_type() == gltf::accessor::DataType::F32) {
        let view = accessor.view().expect("a view");
        let bytes = &binary[view.offset()..view.offset() + view.length()];
        assert!(finite(bytes.as_chunks::<4>().0.iter().map(float)) > 0);
    }
    for name in ["racing.usda", "racing_strain.svg", "racing_energy.svg", "racing_time_per_step.svg"] {
        let text = fs::read_to_string(out.join(name)).expect(name).to_lowercase();
        assert!(!text.contains("nan") && !text.contains("inf"), "{name}");
    }
}

#[test]
fn a_run_that_diverges_keeps_its_last_checkpoint() {
    let (folder, scene) = folder("checkpoint", RACING_PINS);
    let output = muslin(&["run", &scene, "--checkpoint-every", "4", "--no-pictures"]);
    assert_eq!(output.status.code(), Some(1));
    let checkpoint = folder.join("out/checkpoint.muslin");
    // Frame 8 was the last with a checkpoint: from there frame 9 can be reached again, and frame 10 cannot.
    for (frames, code) in [("11", 1), ("10", 0)] {
        let path = checkpoint.to_str().expect("UTF-8");
        let resumed = muslin(&["resume", path, "--frames", frames, "--no-pictures"]);
        let error = String::from_utf8_lossy(&resumed.stderr).into_owned();
        assert_eq!(resumed.status.code(), Some(code), "{error}");
        assert_eq!(error.contains("frame 10: cloth 'sheet'"), code == 1, "{error}");
    }
}

#[test]
fn particles_that_can_be_saved_are_held_and_reported_and_the_run_goes_on() {
    let (folder, scene) = edge_folder("edge", AT_THE_EDGE);
    let output = muslin(&["run", &scene, "--json", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!((&summary["frames"], &summary["diverged"]), (&40.into(), &serde_json::Value::Null));
    let quarantines = summary["quarantines"].as_array().expect("a list");
    let particles = |entry: &serde_json::Value| entry["particles"].as_u64().expect("a number");
    assert_eq!(Some(quarantines.iter().map(particles).sum()), summary["quarantined"].as_u64());
    // Some of the 124 particles, never all of them: the others go on.
    assert!(!quarantines.is_empty() && quarantines.len() < 39, "{quarantines:?}");
    assert!(quarantines.iter().all(|entry| particles(entry) > 0 && particles(entry) < 60), "{quarantines:?}");
    let first = &quarantines[0];
    assert!(first["cloth"] == "sheet" && first["frame"].as_u64() > Some(0), "{first}");
    check_obj(&folder.join("out"), "edge", 40, 124, 201);

    let text = String::from_utf8(muslin(&["run", &scene, "--quiet"]).stdout).expect("UTF-8");
    let line = text.lines().find(|line| line.starts_with("quarantine ")).expect("a line about it");
    let place = format!("first in frame {} (cloth 'sheet', vertex {})", first["frame"], first["vertex"]);
    assert!(line.contains(&place), "{line}");
}

#[test]
fn of_several_cloths_the_one_that_goes_astray_is_named() {
    let calm = "[[cloth]]\nname = \"calm\"\nmesh.grid = { columns = 4, rows = 4 }\n\
                transform.translate = [0, 0, 5]\n[[cloth.pins]]\ngroup = \"top\"\n[[cloth]]";
    let (_, scene) = folder("two", &RACING_PINS.replacen("[[cloth]]", calm, 1));
    let output = muslin(&["run", &scene, "--quiet", "--no-pictures"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("error: frame 10: cloth 'sheet': ") && error.contains("went astray"), "{error}");
}

/// Pins that are led apart by 39 m in half a second, 1.3 m a frame; edges are 0.125 m long at rest, 5 m at the end.
const TORN: &str = r#"
name = "torn"
[time]
frames = 31
fps = 60
substeps = 2
[forces]
gravity = [0, 0, 0]
[collision]
self = false
[[cloth]]
name = "sheet"
mesh.grid = { columns = 8, rows = 8 }
tethers = "off"
[[cloth.pins]]
group = "left"
[[cloth.pins]]
group = "right"
keyframes = [{ time = 0.0 }, { time = 0.5, translate = [39, 0, 0] }]
[output]
folder = "out"
formats = ["obj"]
"#;

#[test]
fn cloth_stretched_beyond_all_reason_ends_the_run_and_is_named() {
    let (folder, scene) = folder("torn", TORN);
    let output = muslin(&["run", &scene, "--json", "--quiet"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let message = summary["diverged"].as_str().expect("a message");
    assert!(error.contains(&format!("error: {message}")), "{error}");
    let frame: usize =
        message.strip_prefix("frame ").and_then(|rest| rest.split(':').next()?.parse().ok()).expect(message);
    assert!(
        message.contains(": cloth 'sheet': the edge of vertices ")
            && message.contains(" times as long as at rest, at (")
    );
    // The frame that shows it is the last. Edges of more than 2 × 0.125 m + 1.3 m are too long, so it is when the 8 edges
    // of a row are 12 m together: after 9 frames or a little sooner, since they are not equally long.
    assert!((4..=12).contains(&frame), "{message}");
    assert_eq!(summary["frames"].as_u64(), Some(frame as u64 + 1));
    assert!(summary["strain_max_edge"].as_f64() > Some(1.0), "{summary}");
    check_obj(&folder.join("out"), "torn", frame + 1, 81, 128);
}

#[test]
fn cloth_that_nothing_holds_together_may_fall_apart() {
    let free = "[solver]\nmethod = \"position_based\"\nstretch_stiffness = 0.0\n[[cloth]]";
    let (_, scene) = folder("loose", &TORN.replacen("[[cloth]]", free, 1));
    let output = muslin(&["run", &scene, "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A scene without collisions, for a GPU.
#[cfg(feature = "gpu")]
fn on_gpu(scene: &str) -> String {
    scene.replacen("[[cloth]]", "[collision]\nself = false\n[solver]\nbackend = \"gpu\"\n[[cloth]]", 1)
}

#[test]
#[cfg(feature = "gpu")]
fn on_a_gpu_particles_that_are_put_back_are_reported_and_the_run_goes_on() {
    let (folder, scene) = edge_folder("edge-gpu", &on_gpu(AT_THE_EDGE));
    let output = muslin(&["run", &scene, "--json", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!((&summary["backend"], &summary["frames"]), (&"gpu".into(), &40.into()));
    let first = &summary["quarantines"][0];
    assert!(summary["quarantined"].as_u64() > Some(0) && first["cloth"] == "sheet", "{summary}");
    check_obj(&folder.join("out"), "edge", 40, 124, 201);
}

#[test]
#[cfg(feature = "gpu")]
fn on_a_gpu_pins_that_race_out_of_bounds_end_the_run_as_on_the_cpu() {
    let (folder, scene) = folder("racing-gpu", &on_gpu(RACING_PINS));
    let output = muslin(&["run", &scene, "--quiet", "--no-pictures"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.contains("error: frame 10: cloth 'sheet': step ") && error.contains("went astray"),
        "{error}"
    );
    check_obj(&folder.join("out"), "racing", 10, 81, 128);
}
