//! Every animation format, re-read by a reader that is not ours: other crates, or small decoders
//! written from the formats' specifications. Blender, VTK and USD proper: `cargo xtask interop`.

mod arrays;
mod caches;
mod errors;
mod glb;
mod rigid;
mod sample;
mod sequences;
mod usd;
