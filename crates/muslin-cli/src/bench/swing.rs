//! The bench `swing`: motion against an exact chain (`muslin_papers::motion`, which has the scene and its figures).
//!
//! scenes → frame by frame, timed → records → table

use std::collections::BTreeMap;
use std::time::Instant;

use muslin::cloth::TetherChoice;
use muslin::solver::{Order, PositionBased, ShapeMatching, SolverConfig};
use muslin::{Error, Simulation};
use muslin_papers::motion::{Figures, Recorder, Swing, SwingMesh, Way, chain_course, ways};

use super::gpu_measure::Device;
use super::machine::{peak_rss_mib, reset_peak_rss};
use super::measure::quantile;
use super::record::{Record, SwingFigures};
use super::scenes::{Scene, Tiling};
use super::table::aligned;
use crate::failure::Failure;
use crate::gpu::{GpuSimulation, multilevel};
use crate::progress::Progress;

/// Frames that a swing lasts unless it is told: ten seconds.
const FRAMES: usize = 600;

/// All solvers and variants, each with its numbers of substeps.
pub fn scenes() -> Vec<Scene> {
    ways().into_iter().flat_map(of_way).collect()
}

/// Those that there are kernels for, with the GPU's own options.
pub fn gpu_scenes() -> Vec<Scene> {
    const SUBSTEPS: &[u32] = &[1, 3, 8, 30];
    let averaged = PositionBased { order: Order::Jacobi, ..PositionBased::default() };
    let solvers = [
        SolverConfig::ShapeMatching(ShapeMatching::for_gpu()),
        SolverConfig::ShapeMatching(ShapeMatching::averaged()),
        SolverConfig::PositionBased(PositionBased::default()),
        SolverConfig::PositionBased(averaged),
        SolverConfig::Multilevel(Default::default()),
    ];
    let way = |solver| Way { name: "", solver, substeps: SUBSTEPS };
    solvers.map(way).into_iter().flat_map(of_way).collect()
}

/// The cloth of the bench `hanging`, of which other simulators' swings are known (`docs/motion.md`).
pub fn large_scenes() -> Vec<Scene> {
    let scene = |substeps| Scene {
        tiling: Tiling::Grid { cells: 101 },
        side: 5.0,
        time_step: 0.005,
        steps: 600,
        ..scene("swing-5m", SolverConfig::default(), substeps)
    };
    [1, 3, 10].map(scene).into()
}

fn of_way(way: Way) -> Vec<Scene> {
    way.substeps.iter().map(|&substeps| scene("swing", way.solver.clone(), substeps)).collect()
}

fn scene(name: &str, solver: SolverConfig, substeps: u32) -> Scene {
    let (matching, other) = match solver {
        SolverConfig::ShapeMatching(matching) => (matching, None),
        other => (ShapeMatching::default(), Some(other)),
    };
    Scene {
        swings: true,
        tiling: Tiling::Irregular { triangles: 2500 },
        side: 2.0,
        tethers: TetherChoice::Off,
        solver: matching,
        other,
        time_step: 1.0 / 60.0,
        substeps,
        relax: 0,
        steps: FRAMES,
        ..Scene::hanging(name, ShapeMatching::default())
    }
}

fn swing(scene: &Scene) -> Swing {
    let mesh = match scene.tiling {
        Tiling::Irregular { triangles } => SwingMesh::Irregular { triangles },
        Tiling::Grid { cells } => SwingMesh::Grid { cells },
    };
    let muslin::Settings { solver, time_step, substeps, .. } = scene.settings();
    Swing { mesh, side: scene.side, tethers: scene.tethers, solver, time_step, substeps }
}

/// A cloth here or on a device.
enum Engine {
    Here(Box<Simulation>),
    There(Box<GpuSimulation>),
}

impl Engine {
    fn new(scene: &Scene, threads: usize, device: Option<&Device>) -> Result<Self, Failure> {
        let swing = swing(scene);
        let Some(Device { gpu, .. }) = device else {
            return Ok(Self::Here(Box::new(swing.simulation(threads).map_err(Failure::run)?)));
        };
        let (cloth, settings) = (swing.cloth().map_err(Failure::run)?, swing.settings());
        Ok(match settings.solver {
            SolverConfig::Multilevel(_) => Self::Here(Box::new(multilevel(gpu, cloth, settings)?)),
            _ => Self::There(Box::new(GpuSimulation::new(gpu, cloth, settings)?)),
        })
    }

    /// Takes a step and waits for its end.
    fn step(&mut self) -> Result<(), Error> {
        match self {
            Self::Here(simulation) => simulation.step().map(drop),
            Self::There(simulation) => simulation.step().and_then(|()| simulation.wait()),
        }
    }

    /// The state.
    fn read(&mut self) -> Result<&Simulation, Error> {
        match self {
            Self::Here(simulation) => Ok(simulation),
            Self::There(simulation) => simulation.read_back(),
        }
    }
}

/// Lets the cloth of a scene swing, and times its frames. On the CPU with the first number of threads: motion does not
/// depend on it.
pub fn measure(
    scene: &Scene,
    cpu: &str,
    device: Option<&Device>,
    progress: &mut Progress,
) -> Result<Record, Failure> {
    reset_peak_rss();
    let what = format!("{}, {}, {} substeps", scene.name, scene.solver_name(), scene.substeps);
    progress.stage(&what);
    let threads = scene.threads.first().copied().unwrap_or(1);
    let mut engine = Engine::new(scene, threads, device)?;
    let mut recorder = Recorder::new(engine.read()?);
    let (mut ms, mut diverged_s) = (Vec::new(), None);
    for frame in 0..scene.steps {
        let begin = Instant::now();
        if engine.step().is_err() {
            diverged_s = Some(frame as f64 * scene.time_step);
            break;
        }
        ms.push(begin.elapsed().as_secs_f64() * 1e3);
        recorder.take(engine.read()?);
        progress.update(|| format!("{what}: frame {} of {}", frame + 1, scene.steps));
    }
    let host = engine.read()?;
    Ok(Record {
        name: scene.name.clone(),
        solver: scene.solver_name(),
        backend: if device.is_some() { "gpu" } else { "cpu" },
        device: device.map_or(cpu, |device| device.gpu.name()).to_owned(),
        threads: if device.is_some() { 1 } else { host.threads().count() },
        triangles: host.shown_mesh().triangles.len(),
        total_triangles: host.level_triangles().iter().sum(),
        vertices: host.shown_mesh().vertices,
        dt: scene.time_step,
        substeps: scene.substeps,
        steps: ms.len(),
        ms_per_step_median: quantile(&mut ms, 0.5),
        ms_per_step_p95: quantile(&mut ms, 0.95),
        cpu_ms_per_step: None,
        stages: BTreeMap::new(),
        strain_avg: recorder.peak.average,
        strain_max_edge: recorder.peak.max_edge,
        strain_global: Some(recorder.peak.global),
        intersections: None,
        swing: Some(SwingFigures { figures: recorder.course.figures(), diverged_s }),
        peak_rss_mib: peak_rss_mib(),
        gpu: None,
    })
}

/// A table with a header, one row per swing, and the chain above them.
pub fn table(scenes: &[Scene], records: &[Record]) -> String {
    let header = [
        "solver",
        "backend",
        "substeps",
        "lowest s",
        "rebound %",
        "loss 1 s",
        "gain",
        "ms/step",
        "avg %",
        "max %",
        "global %",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    if let Some(scene) = scenes.first() {
        let seconds = scene.steps as f64 * scene.time_step;
        let figures = chain_course(scene.side.into(), seconds, scene.time_step).figures();
        let nothing = ["–"; 4].map(str::to_owned);
        rows.push(
            [vec!["exact chain".into(), "–".into(), "–".into()], cells(&figures), nothing.into()].concat(),
        );
    }
    for record in records {
        let Some(SwingFigures { figures, diverged_s }) = &record.swing else { continue };
        let failed = diverged_s.map_or(String::new(), |s| format!(" (failed at {s:.2} s)"));
        let percent = |fraction: f64| format!("{:.2}", 100.0 * fraction);
        let strains = [Some(record.strain_avg), Some(record.strain_max_edge), record.strain_global];
        let first =
            vec![format!("{}{failed}", record.solver), record.backend.into(), record.substeps.to_string()];
        let strains = strains.map(|strain| strain.map_or("–".into(), percent));
        let time = vec![format!("{:.3}", record.ms_per_step_median)];
        rows.push([first, cells(figures), time, strains.into()].concat());
    }
    format!(
        "{}\n(lowest: of the centre of mass; rebound: of the drop; loss and gain in M g L/2; strains: largest on the way)",
        aligned(&rows)
    )
}

fn cells(figures: &Figures) -> Vec<String> {
    let number = |value: Option<f64>, digits: usize| value.map_or("–".into(), |v| format!("{v:.digits$}"));
    let percent = figures.rebound.map(|rebound| 100.0 * rebound);
    vec![
        number(figures.lowest_s, 3),
        number(percent, 1),
        number(figures.loss_1s, 3),
        number(Some(figures.gain), 3),
    ]
}
