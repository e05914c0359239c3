//! Calls of the whole surface in random order (`muslin_testing::driven`).

use muslin_testing::driven::play;

/// Sequences of the usual run; `MUSLIN_SEQUENCES=10000` takes five minutes.
const SEQUENCES: u64 = 400;

/// Bytes of a sequence: about forty calls.
const BYTES: usize = 300;

#[test]
fn calls_in_any_order_break_nothing() {
    let asked = std::env::var("MUSLIN_SEQUENCES").ok().and_then(|text| text.parse().ok());
    let (mut steps, mut refused) = (0, 0);
    let first = std::env::var("MUSLIN_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    for seed in first..asked.unwrap_or(SEQUENCES) {
        let mut random = fastrand::Rng::with_seed(seed);
        let bytes: Vec<u8> = (0..BYTES).map(|_| random.u8(..)).collect();
        let played = std::panic::catch_unwind(|| play(&bytes));
        let (taken, wrong) = played.unwrap_or_else(|_| panic!("sequence {seed}"));
        (steps, refused) = (steps + taken, refused + wrong);
    }
    println!("{steps} steps, {refused} calls refused");
    // A third of all calls are steps or go back and forth; if hardly any was taken, nothing was tried.
    assert!(steps > 5 * SEQUENCES as usize, "{steps}");
}
