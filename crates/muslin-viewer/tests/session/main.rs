//! Sessions, driven as a window drives them, without one.

mod clumsy;
mod common;
mod files;
mod gallery;
mod gpu;
mod past;
mod recordings;
mod settings;
mod threads;
mod touch;
