//! What the tests of the viewer need: a display that nobody sees with input into it, and a browser.

use std::path::PathBuf;

use crate::system::{Software, System};
use crate::vulkan::has_library;

/// Libraries that the window loads when it starts.
const LIBRARIES: [&str; 5] =
    ["libX11.so.6", "libX11-xcb.so.1", "libXcursor.so.1", "libXi.so.6", "libxkbcommon-x11.so.0"];
/// Names under which Chromium is installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Finds or installs the display's programs and the window's libraries.
pub fn display() -> Result<String, String> {
    let is_there = || {
        ["Xvfb", "xdotool"].iter().all(|program| on_path(program))
            && LIBRARIES.iter().all(|name| has_library(name))
    };
    prepared(Software::Display, "virtual display", is_there)
}

/// Finds or installs a browser.
pub fn browser() -> Result<String, String> {
    let is_there =
        || std::env::var_os("MUSLIN_CHROMIUM").is_some() || BROWSERS.iter().any(|program| on_path(program));
    prepared(Software::Chromium, "Chromium", is_there)
}

fn prepared(software: Software, name: &str, is_there: impl Fn() -> bool) -> Result<String, String> {
    if !is_there() {
        System::here().install(software)?;
    }
    match is_there() {
        true => Ok(format!("{name} found")),
        false => Err("the packages are installed, and still there is none".to_owned()),
    }
}

/// Whether a program can be called by its name.
fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.iter().any(|folder| folder.join(program).is_file())
}
