//! A world that programs drive: the examples of `docs/embedding.md` run, and calls in any order break nothing.

// Each example is a program of its own, and draws its own picture.
#![allow(clippy::duplicate_mod)]

mod any_order;
mod guide;
mod memory;
mod overhead;
mod world;

#[allow(dead_code)]
#[path = "../../examples/cape.rs"]
mod cape;
#[allow(dead_code)]
#[path = "../../examples/flag_by_hand.rs"]
mod flag_by_hand;
#[allow(dead_code)]
#[path = "../../examples/rollback.rs"]
mod rollback;
#[allow(dead_code)]
#[cfg(feature = "rigid-bodies")]
#[path = "../../examples/wrapped_body.rs"]
mod wrapped_body;

/// Each example says itself what must have come of it.
#[test]
fn a_flag_is_driven_by_a_hand() {
    flag_by_hand::main().unwrap();
}

#[test]
fn a_cape_follows_a_character_that_walks_and_teleports() {
    cape::main().unwrap();
}

#[cfg(feature = "rigid-bodies")]
#[test]
fn a_body_is_wrapped_carried_and_unwrapped() {
    wrapped_body::main().unwrap();
}

#[test]
fn what_is_taken_back_and_taken_again_is_the_same() {
    rollback::main().unwrap();
}
