//! Any bytes as a checkpoint: an error or a checkpoint that survives being compared and printed.
//!
//! Each input is tried as it is and with its CRC-32 appended: the fuzzer would not guess a checksum, and so
//! would never come past it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muslin_io::checkpoint::Checkpoint;

fuzz_target!(|content: &[u8]| {
    read(content);
    read(&[content, &crc32fast::hash(content).to_le_bytes()].concat());
});

fn read(bytes: &[u8]) {
    match Checkpoint::from_bytes(bytes) {
        Err(problem) => drop(problem.to_string()),
        Ok(checkpoint) => {
            for (_, state) in &checkpoint.cloths {
                assert_eq!(state.positions.len(), state.velocities.len());
                assert!(
                    24 * state.positions.len() <= bytes.len(),
                    "more particles than the file has bytes for"
                );
            }
        }
    }
}
