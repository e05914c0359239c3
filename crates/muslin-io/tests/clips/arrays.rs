//! NPZ, by the `zip` crate and by NumPy where there is one.

use std::io::Read;
use std::path::PathBuf;
use std::process::Command;

use glam::{Vec2, Vec3};
use muslin_io::{Clip, ClipFormat, MemoryClip, write_clip};

use crate::sample::{Folder, only, waving};

/// The header and the data of an array in an archive.
fn array(archive: &mut zip::ZipArchive<std::fs::File>, name: &str) -> (String, Vec<u8>) {
    let mut content = Vec::new();
    archive.by_name(name).unwrap().read_to_end(&mut content).unwrap();
    assert_eq!(&content[..8], b"\x93NUMPY\x01\0");
    let length = usize::from(u16::from_le_bytes([content[8], content[9]]));
    assert_eq!((10 + length) % 64, 0);
    let header = std::str::from_utf8(&content[10..10 + length]).unwrap();
    assert!(header.ends_with('\n'));
    (header.trim_end().to_owned(), content[10 + length..].to_vec())
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

#[test]
fn npz_holds_every_frame_bit_by_bit() {
    let folder = Folder::new("npz");
    let clip = waving(3);
    let files = write_clip(ClipFormat::Npz, &folder.0, "wave", &clip).unwrap();
    for (m, file) in files.iter().enumerate() {
        let mut archive = zip::ZipArchive::new(std::fs::File::open(file).unwrap()).unwrap();
        let mesh = &clip.meshes()[m];
        let (header, data) = array(&mut archive, "positions.npy");
        let vertices = clip.positions(m, 0).unwrap().len();
        let shape = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': (3, {vertices}, 3,), }}");
        assert_eq!(header, shape);
        let read: Vec<Vec3> = floats(&data).chunks_exact(3).map(Vec3::from_slice).collect();
        let written: Vec<Vec3> = (0..3).flat_map(|frame| clip.positions(m, frame).unwrap()).collect();
        assert_eq!(read, written);
        let (header, data) = array(&mut archive, "triangles.npy");
        assert!(
            header
                .contains(&format!("'<i4', 'fortran_order': False, 'shape': ({}, 3,)", mesh.triangles.len()))
        );
        let corners = data.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap()));
        assert_eq!(corners.collect::<Vec<_>>(), mesh.triangles.as_flattened());
        let (header, data) = array(&mut archive, "fps.npy");
        assert!(header.contains("'<f8', 'fortran_order': False, 'shape': ()"));
        assert_eq!(data, 24f64.to_le_bytes());
        let uvs: Vec<Vec2> =
            floats(&array(&mut archive, "uvs.npy").1).chunks_exact(2).map(Vec2::from_slice).collect();
        assert_eq!(uvs, mesh.uvs.as_ref().unwrap().as_flattened());
    }
}

/// The sum that NumPy should find: frames, vertices and corners weighted so that order matters.
fn weighted_sum(clip: &MemoryClip) -> f64 {
    let numbers = (0..clip.frame_count()).flat_map(|frame| clip.positions(0, frame).unwrap());
    numbers.flat_map(|p| p.to_array()).zip(1..).map(|(x, k)| f64::from(x) * f64::from(k)).sum()
}

/// A Python that has NumPy: the one that `cargo xtask test` names, else the system's.
fn python_with_numpy() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("MUSLIN_PYTHON") {
        // Whoever names one promises NumPy: if it is not there, the test shall fail.
        return Some(named.into());
    }
    let system = PathBuf::from(if cfg!(windows) { "python" } else { "python3" });
    let output = Command::new(&system).args(["-c", "import numpy"]).output();
    output.is_ok_and(|output| output.status.success()).then_some(system)
}

#[test]
fn numpy_reads_npz() {
    let Some(python) = python_with_numpy() else {
        println!("SKIPPED: there is no python3 with numpy (`cargo xtask test` installs one)");
        return;
    };
    let folder = Folder::new("numpy");
    let clip = only(&waving(3), 1);
    let file = &write_clip(ClipFormat::Npz, &folder.0, "wave", &clip).unwrap()[0];
    let script = "import sys, numpy as n; a = n.load(sys.argv[1]); p = a['positions']; \
        print(p.shape, p.dtype, a['triangles'].shape, a['triangles'].dtype, float(a['fps']), a['uvs'].shape); \
        print(float((p.astype('f8').ravel() * n.arange(1, p.size + 1)).sum()))";
    let output = Command::new(&python).args(["-c", script]).arg(file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let (shapes, sum) = text.split_once('\n').unwrap();
    let (v, t) = (clip.positions(0, 0).unwrap().len(), clip.meshes()[0].triangles.len());
    assert_eq!(shapes.trim(), format!("(3, {v}, 3) float32 ({t}, 3) int32 24.0 ({t}, 3, 2)"));
    let (sum, expected): (f64, f64) = (sum.trim().parse().unwrap(), weighted_sum(&clip));
    assert!((sum - expected).abs() <= 1e-9 * expected.abs(), "{sum} {expected}");
}
