//! Pictures of known scenes on a GPU: what is where, and whether they look as they did. They need a GPU or a software one;
//! `cargo xtask test` installs that.

mod device;
mod life;
mod light;
mod scenes;
mod stored;
mod surfaces;
