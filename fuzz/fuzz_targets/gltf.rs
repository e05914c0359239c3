//! Any bytes as glTF or GLB, without a folder for other files: an error or a mesh with every index in range.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muslin_fuzz::assert_consistent;
use muslin_io::parse_gltf;

fuzz_target!(|content: &[u8]| {
    if let Ok(mesh) = parse_gltf(content, None) {
        assert_consistent(&mesh);
    }
});
