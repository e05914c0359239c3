//! A world is driven by any calls in any order: no panic, no number that is none, nothing passes through anything, and a state
//! that was saved comes back with the same bits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muslin_testing::driven::play;

fuzz_target!(|bytes: &[u8]| {
    play(bytes);
});
