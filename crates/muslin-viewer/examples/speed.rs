//! How long a scene's steps and its pictures take, measured apart, without a window: a session and a renderer on one device.
//!
//! ```sh
//! cargo run --release -p muslin-viewer --example speed -- scenes/tablecloth.toml
//! cargo run --release -p muslin-viewer --example speed -- --drape 20000
//! cargo run --release -p muslin-viewer --example speed -- --hanging 1000000 --picture target/hanging.png
//! ```
//!
//! `--drape N` is a cloth of so many triangles that falls over a ball on the CPU, `--hanging N` one that hangs from its upper
//! corners, with tethers, on the GPU. Times are medians per frame, each with the device at rest before and after; the last line
//! is the mean of frames that follow each other without waiting in between.

mod offscreen;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use muslin_viewer::draw::{Options, View};
use muslin_viewer::session::{Frame, GpuShare, Session, SessionOptions, Source};
use offscreen::Offscreen;

/// How long a scene's steps and its pictures take.
#[derive(Parser)]
struct Arguments {
    /// A scene file.
    scene: Option<PathBuf>,
    /// A cloth of so many triangles over a ball, on the CPU.
    #[arg(long, conflicts_with = "scene")]
    drape: Option<usize>,
    /// A cloth of so many triangles that hangs, on the GPU.
    #[arg(long, conflicts_with_all = ["scene", "drape"])]
    hanging: Option<usize>,
    /// Frames that are measured.
    #[arg(long, default_value_t = 120)]
    frames: usize,
    /// Pixels.
    #[arg(long, num_args = 2, default_values_t = [1280, 720])]
    size: Vec<u32>,
    /// Threads of steps; 0 is as many as there are cores.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Without soft shadows and ambient occlusion.
    #[arg(long)]
    hard_light: bool,
    /// Where to store the last picture.
    #[arg(long)]
    picture: Option<PathBuf>,
}

impl Arguments {
    fn source(&self) -> Result<Source, String> {
        if let Some(triangles) = self.drape {
            return Ok(Source::Text { name: "drape".into(), text: drape(triangles) });
        }
        if let Some(triangles) = self.hanging {
            return Ok(Source::Text { name: "hanging".into(), text: hanging(triangles) });
        }
        self.scene.clone().map(Source::Path).ok_or_else(|| "a scene, --drape N or --hanging N".to_owned())
    }
}

/// The bench `collision-drape` as frames: 2 m of cloth, a ball of 0.5 m.
fn drape(triangles: usize) -> String {
    format!(
        r#"
time = {{ fps = 60, frames = 600, substeps = 3 }}
[[cloth]]
mesh.delaunay = {{ width = 2.0, height = 2.0, triangles = {triangles} }}
fabric = "cotton"
transform = {{ rotate = [-90.0, 0.0, 0.0], translate = [-1.0, 1.02, 1.0] }}
[[collider]]
name = "ball"
sphere = {{ center = [0.0, 0.5, 0.0], radius = 0.5 }}
[[collider]]
name = "floor"
plane = {{}}
"#
    )
}

fn hanging(triangles: usize) -> String {
    format!(
        r#"
solver.backend = "gpu"
collision.self = false
time = {{ fps = 60, frames = 600, substeps = 1 }}
[[cloth]]
mesh.delaunay = {{ width = 5.0, height = 5.0, triangles = {triangles} }}
[[cloth.pins]]
nearest = [0.0, 5.0, 0.0]
[[cloth.pins]]
nearest = [5.0, 5.0, 0.0]
"#
    )
}

/// A session that has opened its source, a renderer, and their device.
struct Bench {
    offscreen: Offscreen,
    session: Session,
    options: Options,
    size: [u32; 2],
}

impl Bench {
    fn new(arguments: &Arguments) -> Result<Self, String> {
        let offscreen = Offscreen::new().map_err(words)?;
        let Offscreen { device, queue, name, .. } = &offscreen;
        println!("{name}, {} x {} pixels", arguments.size[0], arguments.size[1]);
        let gpu = Some(GpuShare { device: device.clone(), queue: queue.clone(), name: name.clone() });
        let threads = arguments.threads;
        let options = SessionOptions { plays: false, has_thread: false, threads, gpu, ..Default::default() };
        let session = offscreen::open(arguments.source()?, options)?;
        let options =
            Options { wireframe: false, marks: true, dark: false, soft_light: !arguments.hard_light };
        Ok(Self { offscreen, session, options, size: [arguments.size[0], arguments.size[1]] })
    }

    /// A frame of the scene.
    fn step(&mut self) -> Result<(), String> {
        offscreen::step(&mut self.session, 1.0 / 60.0)
    }

    fn draw(&mut self) {
        let frame = self.session.frame();
        self.offscreen.renderer.draw(&frame.scenery, &view(&frame), &self.options, self.size);
    }

    fn wait(&self) -> Result<(), String> {
        self.offscreen.device.poll(wgpu::PollType::wait_indefinitely()).map_err(words)?;
        Ok(())
    }
}

fn words(error: impl ToString) -> String {
    error.to_string()
}

/// That of the scene, or one that sees all.
fn view(frame: &Frame) -> View {
    let center = frame.bounds.center;
    frame.view.unwrap_or(View {
        eye: center + frame.bounds.radius * glam::Vec3::new(0.8, 0.5, 2.2),
        target: center,
        up: frame.scenery.up,
        fov_degrees: 40.0,
    })
}

/// Milliseconds that something takes.
fn time(work: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
    let start = Instant::now();
    work()?;
    Ok(1e3 * start.elapsed().as_secs_f64())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let mut bench = Bench::new(arguments)?;
    let frame = bench.session.frame();
    println!("{}, {}", frame.things.first().map_or("nothing", |thing| &thing.about), frame.runs_on);
    // Pipelines are made, meshes sent.
    for _ in 0..5 {
        bench.step()?;
        bench.draw();
        bench.wait()?;
    }
    let (mut steps, mut pictures) = (Vec::new(), Vec::new());
    for _ in 0..arguments.frames {
        steps.push(time(|| bench.step().and_then(|()| bench.wait()))?);
        pictures.push(time(|| {
            bench.draw();
            bench.wait()
        })?);
    }
    let all = time(|| {
        for _ in 0..arguments.frames {
            bench.step()?;
            bench.draw();
        }
        bench.wait()
    })?;
    println!("steps of a frame    {:8.3} ms", median(steps));
    println!("picture             {:8.3} ms", median(pictures));
    println!("both, one after the other without waiting {:8.3} ms", all / arguments.frames as f64);
    if let Some(path) = &arguments.picture {
        let frame = bench.session.frame();
        let size = bench.size;
        let picture = bench.offscreen.picture(&frame.scenery, &view(&frame), &bench.options, size);
        let png = picture.map_err(words)?.to_png().map_err(words)?;
        std::fs::write(path, png).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
