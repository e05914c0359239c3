//! What the program is called with.

use std::path::PathBuf;

use clap::Parser;
use muslin_viewer::app::AppOptions;
use muslin_viewer::session::{SessionOptions, Source, gallery};

/// See cloth, touch it, change it.
#[derive(Parser)]
#[command(name = "muslin-viewer", version, about)]
#[command(after_help = "Keys and gestures: press ? in the window.\n\
    Exit codes: 0 closed; 1 no display, no graphics adapter, or the window failed; 2 bad usage or nothing to open there.")]
pub struct Arguments {
    /// A scene file (watched while it is edited), a mesh, a clip, a folder that `muslin run` wrote, or the name of a scene of the gallery
    #[arg(value_name = "SCENE|MESH|RUN FOLDER")]
    what: Option<String>,
    /// What simulates, whatever the scene says
    #[arg(long, value_parser = ["cpu", "gpu", "auto"])]
    backend: Option<String>,
    /// Threads that simulate; 0 means as the scene says
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
    /// Size of the window in points
    #[arg(long, default_value = "1280x720", value_name = "WxH", value_parser = size)]
    pub size: [f32; 2],
    /// Dark on light [default]
    #[arg(long, conflicts_with = "dark")]
    light: bool,
    /// Light on dark
    #[arg(long)]
    dark: bool,
    /// Do not begin to play
    #[arg(long)]
    paused: bool,
    /// Let scene files name files outside their own folder
    #[arg(long)]
    allow_outside: bool,
    /// Write the window's state to this file after each picture, as JSON: for tests
    #[arg(long, value_name = "FILE", hide = true)]
    report: Option<PathBuf>,
}

impl Arguments {
    /// What to open; the error says what is not there.
    pub fn source(&self) -> Result<Source, String> {
        let Some(what) = &self.what else {
            let first = gallery().first();
            return Ok(first.map_or(Source::Empty, |scene| Source::Gallery(scene.name.to_owned())));
        };
        let path = PathBuf::from(what);
        if path.exists() {
            return Ok(Source::Path(path));
        }
        match gallery().iter().find(|scene| scene.name == what) {
            Some(scene) => Ok(Source::Gallery(scene.name.to_owned())),
            None => Err(format!("{what}: there is no such file, and no such scene in the gallery")),
        }
    }

    /// How the window starts.
    pub fn app(&self, source: Source) -> AppOptions {
        AppOptions {
            source,
            session: SessionOptions {
                plays: !self.paused,
                threads: self.threads,
                allow_outside: self.allow_outside,
                ..SessionOptions::default()
            },
            dark: self.dark,
            backend: self.backend.clone(),
            reports: self.report.is_some(),
            report: self.report.clone(),
        }
    }
}

/// "1280x720".
fn size(text: &str) -> Result<[f32; 2], String> {
    let sides =
        text.split_once('x').and_then(|(w, h)| Some([w.parse::<u16>().ok()?, h.parse::<u16>().ok()?]));
    match sides {
        Some(sides) if sides.iter().all(|side| (320..=8192).contains(side)) => Ok(sides.map(f32::from)),
        _ => Err("two whole numbers from 320 to 8192, as in 1280x720".to_owned()),
    }
}
