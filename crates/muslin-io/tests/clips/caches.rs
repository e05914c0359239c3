//! PC2 and MDD, by decoders written from the formats' descriptions.

use glam::Vec3;
use muslin_io::{Clip, ClipFormat, write_clip};

use crate::sample::{Folder, only, waving};

/// Takes `N` bytes from the front.
fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (front, rest) = bytes.split_first_chunk::<N>().unwrap();
    *bytes = rest;
    *front
}

#[test]
fn pc2_holds_every_frame_bit_by_bit() {
    let folder = Folder::new("pc2");
    let clip = waving(5);
    let files = write_clip(ClipFormat::Pc2, &folder.0, "wave", &clip).unwrap();
    assert_eq!(files, [folder.0.join("wave_sheet.pc2"), folder.0.join("wave_skirt.pc2")]);
    for (mesh, file) in files.iter().enumerate() {
        let content = std::fs::read(file).unwrap();
        let mut rest = content.as_slice();
        let vertices = clip.positions(mesh, 0).unwrap().len();
        assert_eq!(&take::<12>(&mut rest), b"POINTCACHE2\0");
        assert_eq!(i32::from_le_bytes(take(&mut rest)), 1);
        assert_eq!(i32::from_le_bytes(take(&mut rest)), vertices as i32);
        assert_eq!(f32::from_le_bytes(take(&mut rest)), 0.0);
        assert_eq!(f32::from_le_bytes(take(&mut rest)), 1.0);
        assert_eq!(i32::from_le_bytes(take(&mut rest)), 5);
        for frame in 0..5 {
            let read: Vec<Vec3> =
                (0..vertices).map(|_| [(); 3].map(|()| f32::from_le_bytes(take(&mut rest))).into()).collect();
            assert_eq!(read, clip.positions(mesh, frame).unwrap());
        }
        assert!(rest.is_empty());
    }
}

#[test]
fn mdd_holds_every_frame_bit_by_bit() {
    let folder = Folder::new("mdd");
    let clip = only(&waving(4), 1);
    let files = write_clip(ClipFormat::Mdd, &folder.0, "wave", &clip).unwrap();
    assert_eq!(files, [folder.0.join("wave.mdd")]);
    let content = std::fs::read(&files[0]).unwrap();
    let mut rest = content.as_slice();
    let vertices = clip.positions(0, 0).unwrap().len();
    assert_eq!(i32::from_be_bytes(take(&mut rest)), 4);
    assert_eq!(i32::from_be_bytes(take(&mut rest)), vertices as i32);
    for frame in 0..4 {
        assert_eq!(f32::from_be_bytes(take(&mut rest)), frame as f32 / 24.0);
    }
    for frame in 0..4 {
        let read: Vec<Vec3> =
            (0..vertices).map(|_| [(); 3].map(|()| f32::from_be_bytes(take(&mut rest))).into()).collect();
        assert_eq!(read, clip.positions(0, frame).unwrap());
    }
    assert!(rest.is_empty());
}
