//! `muslin-viewer`: the window.

fn main() {}
