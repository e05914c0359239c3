//! Any bytes as STL: an error or a mesh with every index in range.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muslin_fuzz::assert_consistent;
use muslin_io::parse_stl;

fuzz_target!(|content: &[u8]| {
    if let Ok(mesh) = parse_stl(content) {
        assert_consistent(&mesh);
    }
});
