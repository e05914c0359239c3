//! Sessions, driven as a window drives them, without one.

mod common;
mod files;
mod gallery;
mod past;
mod recordings;
mod settings;
mod threads;
mod touch;
