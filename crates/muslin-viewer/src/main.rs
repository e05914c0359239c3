//! `muslin-viewer`: the window.
//!
//! Exit codes: 0 closed; 1 there is no display, no graphics adapter, or the window failed; 2 bad usage or nothing to open there.

#[cfg(not(target_arch = "wasm32"))]
mod arguments;

/// A page has no arguments: see `web`.
#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    use clap::Parser;
    use std::process::ExitCode;

    let arguments = arguments::Arguments::parse();
    let failed = |error: &str, code| {
        eprintln!("muslin-viewer: {error}");
        ExitCode::from(code)
    };
    let source = match arguments.source() {
        Ok(source) => source,
        Err(error) => return failed(&error, 2),
    };
    if let Err(error) = muslin_viewer::app::device::probe() {
        return failed(&error, 1);
    }
    match open(&arguments, source) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&format!("the window cannot be opened: {error}"), 1),
    }
}

/// Opens the window, and comes back when it is closed.
#[cfg(not(target_arch = "wasm32"))]
fn open(arguments: &arguments::Arguments, source: muslin_viewer::session::Source) -> eframe::Result {
    use muslin_viewer::app::{App, device};

    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Muslin")
            .with_app_id("muslin-viewer")
            .with_inner_size(arguments.size)
            .with_min_inner_size([320.0, 320.0]),
        wgpu_options: device::configuration(),
        persist_window: false,
        ..Default::default()
    };
    let app = arguments.app(source);
    eframe::run_native("muslin-viewer", options, Box::new(|context| Ok(Box::new(App::new(context, app)))))
}
