//! Scenes far from zero, as processes: what is written is what is written near zero, moved.

use std::fs;
use std::path::{Path, PathBuf};

use crate::start::{folder_with_scene, muslin, stderr, text};

/// A sheet falls onto a ball that turns; all of it is lifted.
fn scene(lift: f64) -> String {
    format!(
        "name = \"lifted\"\n[time]\nframes = 20\nsubsteps = 3\n\
         [[cloth]]\nname = \"cloth\"\nmesh.grid = {{ columns = 16, rows = 16, width = 0.5, height = 0.5 }}\n\
         transform = {{ rotate = [-90.0, 0.0, 0.0], translate = [-0.25, {:?}, 0.25] }}\n\
         pins = [{{ nearest = [-0.25, {:?}, -0.25], keyframes = [{{ time = 0.0 }}, {{ time = 1.0, translate = [0.0, 0.25, 0.0] }}] }}]\n\
         [[collider]]\nname = \"ball\"\nsphere = {{ center = [0.0, {:?}, 0.0], radius = 0.125 }}\n\
         [[collider]]\nname = \"floor\"\nplane.point = [0.0, {:?}, 0.0]\n\
         [output]\nfolder = \"out\"\nformats = [\"obj\", \"npz\", \"usd\", \"glb\", \"ply\", \"vtk\", \"pc2\"]\n\
         pictures = {{ size = [64, 64] }}\n\
         [check]\nself_intersections = 0\ncollider_penetrations = 0\n\
         bounds = {{ min = [-1.0, {:?}, -1.0], max = [1.0, {:?}, 1.0] }}\n",
        lift + 0.5,
        lift + 0.5,
        lift + 0.3125,
        lift,
        lift,
        lift + 1.0
    )
}

/// Runs the lifted scene; its folder.
fn run(name: &str, lift: f64, arguments: &[&str]) -> PathBuf {
    let (folder, scene) = folder_with_scene(&format!("far-{name}-{lift}"), &scene(lift));
    let output = muslin(&[&["run", &scene, "--check-every-frame"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!stderr(&output).contains("warning"), "{}", stderr(&output));
    folder
}

/// The vertices of an OBJ file.
fn vertices(path: &Path) -> Vec<[f64; 3]> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let vertex = |line: &str| -> [f64; 3] {
        let numbers: Vec<f64> = line[2..].split(' ').map(|word| word.parse().expect("a number")).collect();
        [numbers[0], numbers[1], numbers[2]]
    };
    text.lines().filter(|line| line.starts_with("v ")).map(vertex).collect()
}

/// The array of positions in an NPZ file, which stores and does not compress: its type, and its numbers.
fn positions(path: &Path) -> (String, Vec<f64>) {
    let bytes = fs::read(path).expect("the archive");
    let find = |what: &[u8], from: usize| {
        from + bytes[from..]
            .windows(what.len())
            .position(|window| window == what)
            .expect("a part of the file")
    };
    let start = find(b"\x93NUMPY", find(b"positions.npy", 0));
    let header = usize::from(u16::from_le_bytes([bytes[start + 8], bytes[start + 9]]));
    let text = String::from_utf8_lossy(&bytes[start + 10..start + 10 + header]).into_owned();
    let data = &bytes[start + 10 + header..];
    let kind = if text.contains("<f8") { "<f8" } else { "<f4" };
    let count = 20 * 17 * 17 * 3;
    let numbers = match kind {
        "<f8" => {
            data.chunks_exact(8).take(count).map(|b| f64::from_le_bytes(b.try_into().expect("8"))).collect()
        }
        _ => {
            let single = |b: &[u8]| f64::from(f32::from_le_bytes(b.try_into().expect("4")));
            data.chunks_exact(4).take(count).map(single).collect()
        }
    };
    (kind.to_owned(), numbers)
}

#[test]
fn a_lifted_scene_is_written_as_it_would_be_near_zero() {
    let near = run("near", 0.0, &[]);
    for lift in [1000.0, 100_000.0] {
        let far = run("far", lift, &[]);
        for frame in 0..20 {
            let file = |folder: &Path| folder.join(format!("out/lifted_{frame:04}.obj"));
            for (there, here) in vertices(&file(&far)).iter().zip(&vertices(&file(&near))) {
                // The same bits. Near zero numbers have the digits of single precision only.
                let moved = [there[0], there[1] - lift, there[2]].map(|x| x as f32);
                assert_eq!(moved, here.map(|x| x as f32), "frame {frame}");
            }
        }
        let [(kind, there), (other, here)] =
            [&far, &near].map(|folder| positions(&folder.join("out/lifted.npz")));
        assert_eq!((kind.as_str(), other.as_str()), ("<f8", "<f4"));
        for (k, (a, b)) in there.iter().zip(&here).enumerate() {
            // A double at 100 km has a last digit of 1.5e-11 m.
            assert!((a - if k % 3 == 1 { lift } else { 0.0 } - b).abs() < 1e-11);
        }
        let usd = fs::read_to_string(far.join("out/lifted.usda")).expect("the scene");
        assert!(usd.contains(&format!("double3 xformOp:translate = (0, {lift}, 0)")));
        let read = muslin(&["info", text(&far.join("out/lifted.glb")), "--json"]);
        let info: serde_json::Value = serde_json::from_slice(&read.stdout).expect("one JSON document");
        let lowest = info["bounds"][0][1].as_f64().expect("a height");
        assert!((lowest - lift - 0.5).abs() < 1e-6, "{info}");
    }
}

#[test]
fn a_run_far_away_that_is_resumed_has_the_same_files() {
    let (whole, part) =
        (run("whole", 5000.0, &[]), run("part", 5000.0, &["--frames", "9", "--checkpoint-every", "8"]));
    let checkpoint = part.join("out/checkpoint.muslin");
    let resumed = muslin(&["resume", text(&checkpoint), "--frames", "20"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
    for file in ["lifted_0019.obj", "lifted.npz", "lifted.usda", "lifted.pc2"] {
        let bytes = |folder: &Path| fs::read(folder.join("out").join(file)).expect("a file");
        assert_eq!(bytes(&part), bytes(&whole), "{file}");
    }
}
