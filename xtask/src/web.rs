//! `cargo xtask web`: the viewer as a static folder that any server can serve, in `target/page/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::install::succeed;
use crate::requirements::WASM;
use crate::serve::Server;
use crate::{cargo, repository_root};

/// Where `--serve` listens, so that the address can be bookmarked.
const PORT: u16 = 8420;

/// Builds the page, and serves it if that is wanted.
pub fn run(serves: bool) -> ExitCode {
    let folder = match build() {
        Ok(folder) => folder,
        Err(reason) => {
            eprintln!("web: {reason}");
            return ExitCode::FAILURE;
        }
    };
    println!("web: {} is complete; any server can serve it", folder.display());
    if !serves {
        return ExitCode::SUCCESS;
    }
    // Another port if that one is taken.
    let server = Server::new(&folder, PORT).or_else(|_| Server::new(&folder, 0));
    match server.and_then(|server| Ok((server.address()?, server))) {
        Ok((address, server)) => {
            println!("web: open http://localhost:{}/ (Ctrl-C ends it)", address.port());
            server.run();
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("web: no port to listen on: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Compiles the viewer, makes its JavaScript, and lays both beside the page.
fn build() -> Result<PathBuf, String> {
    let root = repository_root();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let viewer = ["build", "-p", "muslin-viewer", "--lib", "--profile", "web", "--target", WASM];
    succeed(cargo().args(viewer))?;
    // Not `web`: that is where cargo keeps what it builds for the profile of this name.
    let folder = target.join("page");
    // What an earlier version left is not to be served.
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    copy_page(&root.join("crates/muslin-viewer/web"), &folder)?;
    let wasm = target.join(WASM).join("web/muslin_viewer.wasm");
    let program = ["run", "--quiet", "--locked", "--manifest-path", "xtask/web/Cargo.toml", "--"];
    let mut bindings: Command = cargo();
    bindings.args(program).arg(wasm).arg(&folder);
    bindings.env("CARGO_TARGET_DIR", target.join("web-bindings"));
    succeed(&mut bindings)?;
    Ok(folder)
}

fn copy_page(from: &Path, to: &Path) -> Result<(), String> {
    let entries = fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    for entry in entries.flatten() {
        fs::copy(entry.path(), to.join(entry.file_name()))
            .map_err(|error| format!("{}: {error}", entry.path().display()))?;
    }
    Ok(())
}
