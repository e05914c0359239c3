//! `muslin demo`: a flag in gusty wind, written as a sequence of OBJ files.

use std::path::{Path, PathBuf};
use std::time::Instant;

use glam::Vec3;
use muslin::cloth::{Cloth, Material};
use muslin::forces::wind::Wind;
use muslin::mesh::generate::delaunay_rectangle;
use muslin::{Settings, Simulation};
use muslin_io::write_obj_geometry;
use serde_json::json;

use crate::failure::Failure;
use crate::output::{check_folder, create_folder, print, print_json};
use crate::progress::Progress;

/// Width and height of the flag, metres.
const SIZE: [f32; 2] = [1.2, 0.8];
const TRIANGLES: usize = 5_000;
const FRAMES_PER_SECOND: f64 = 60.0;

/// Simulates a flag in gusty wind and writes an OBJ file per frame (no collisions yet).
#[derive(clap::Args)]
pub struct Args {
    /// The folder for the files; made if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "out/demo")]
    out: PathBuf,
    /// How many frames to write, at 60 per second; the first is the start.
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    frames: u32,
    /// Do not show progress.
    #[arg(long)]
    quiet: bool,
    /// Print the summary as a JSON document.
    #[arg(long)]
    json: bool,
}

/// Runs the demo.
pub fn run(args: &Args) -> Result<(), Failure> {
    check_folder(&args.out)?;
    let mut progress = Progress::new(args.quiet);
    progress.stage("building the flag");
    let mut simulation = flag()?;
    create_folder(&args.out)?;

    let mut ms = Vec::new();
    for frame in 0..args.frames {
        if frame > 0 {
            let start = Instant::now();
            simulation.step()?;
            ms.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let path = args.out.join(file_name(frame));
        write_obj_geometry(path, &simulation.positions(), simulation.cloth().triangles())?;
        progress.update(|| format!("frame {} of {}", frame + 1, args.frames));
    }
    progress.clear();
    warn_of_older_frames(args);
    report(args, &simulation, &mut ms)
}

fn file_name(frame: u32) -> String {
    format!("frame_{frame:04}.obj")
}

/// A flag pinned along its left edge, wind along it and a little across.
fn flag() -> Result<Simulation, Failure> {
    let mesh = delaunay_rectangle(SIZE[0], SIZE[1], TRIANGLES, 1).map_err(Failure::run)?;
    // As stiff in bending as the cotton of the fabrics: folds of a hand's width.
    let material = Material { bending: 1.7e-4, ..Material::default() };
    let cloth = Cloth::builder(mesh).material(material).pin_group("left").build()?;
    let wind = Wind { gust_size: 0.6, ..Wind::blowing(Vec3::new(5.0, 0.0, 1.5)) };
    let settings = Settings { time_step: 1.0 / FRAMES_PER_SECOND, wind: Some(wind), ..Settings::default() };
    Ok(Simulation::new(cloth, settings)?)
}

/// A longer sequence of an earlier run would be taken for the end of this one.
fn warn_of_older_frames(args: &Args) {
    let next = args.out.join(file_name(args.frames));
    if next.exists() {
        eprintln!("note: {} and later frames are from an earlier run", next.display());
    }
}

fn report(args: &Args, simulation: &Simulation, ms: &mut [f64]) -> Result<(), Failure> {
    ms.sort_by(f64::total_cmp);
    let median = ms.get(ms.len() / 2).copied();
    let strain = simulation.strain();
    let levels = simulation.level_triangles();
    let triangles = simulation.cloth().triangles().len();
    let (substeps, steps) = (simulation.settings().substeps, ms.len());
    let last = args.out.join(file_name(args.frames - 1));
    if args.json {
        // No global strain: a waving flag may hang lower than it is high without being stretched.
        return print_json(&json!({
            "scene": "flag",
            "triangles": triangles,
            "vertices": simulation.cloth().vertex_count(),
            "levels": levels,
            "frames": args.frames,
            "steps": steps,
            "substeps": substeps,
            "ms_per_step_median": median,
            "strain_avg": strain.average,
            "strain_max_edge": strain.max_edge,
            "strain_global": null,
            "output": { "folder": path_text(&args.out), "first": file_name(0), "last": file_name(args.frames - 1) },
        }));
    }
    let levels: Vec<String> = levels.iter().map(usize::to_string).collect();
    let time = median.map_or("no step taken".to_owned(), |ms| {
        format!("{steps} steps of 1/60 s in {substeps} substeps, median {ms:.2} ms per step")
    });
    print(&format!(
        "flag       {} m × {} m, {triangles} triangles, levels of {}\n\
         time       {time}\n\
         strain     {:.3} % on average, {:.2} % in the worst edge (last frame)\n\
         files      {} … {}",
        SIZE[0],
        SIZE[1],
        levels.join(" + "),
        strain.average * 100.0,
        strain.max_edge * 100.0,
        path_text(&args.out.join(file_name(0))),
        path_text(&last),
    ))
}

fn path_text(path: &Path) -> String {
    path.display().to_string()
}
