//! What a run came to, as text or JSON.

use std::path::PathBuf;

use muslin_io::scene::Check;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::run::Session;
use crate::run::grid::GridSummary;
use crate::run::metrics::{BodyEnd, Frame, Intersections, Quarantine};
use crate::run::session::End;

/// How many pictures the text names, newest first.
const MOST_PICTURES: usize = 2;

/// The frame with the most intersections.
#[derive(Clone, Copy, Serialize)]
pub struct WorstFrame {
    frame: u32,
    #[serde(flatten)]
    intersections: Intersections,
}

/// The summary of a run. Fields are a contract: scripts read them.
#[derive(Serialize)]
pub struct Summary {
    scene: String,
    cloths: usize,
    colliders: usize,
    bodies: usize,
    /// Triangles of what is written and drawn: for multilevel cloth those of its fine mesh.
    triangles: usize,
    vertices: usize,
    /// What computed the last part of the run: `cpu` or `gpu`, and its name.
    backend: &'static str,
    device: String,
    /// Frames of the whole run, those before a checkpoint included.
    frames: u32,
    /// Steps of each cloth, substeps counted one by one.
    steps: u64,
    substeps: u32,
    /// Median wall-clock time of a step (not of a frame) of all cloths.
    ms_per_step_median: Option<f64>,
    /// Fractions, at the end, of the worst cloth.
    strain_avg: f64,
    strain_max_edge: f64,
    strain_global: Option<f64>,
    /// For cloths with the impulse solver, over all frames: the largest strain of a constraint, and after how many
    /// substeps constraints did not hold.
    constraint_strain_max: Option<f64>,
    unsatisfied: usize,
    /// Only of multilevel cloth.
    grid: Option<GridSummary>,
    /// Where the rigid bodies are at the end.
    body_states: Vec<BodyEnd>,
    /// Contacts that pushed in the last step.
    contacts: usize,
    /// In all steps: meetings found by continuous detection, rigid zones, divided steps.
    impacts: usize,
    zones: usize,
    divisions: usize,
    /// Substeps at whose end cloth under a rigid body was strained by more than 20 %, and the first frame with one.
    overloaded: usize,
    first_overloaded_frame: Option<usize>,
    /// In the last step: pairs that were not kept apart because they started in each other, and particles on
    /// their way out of closed meshes.
    ignored_pairs: usize,
    inside: usize,
    /// The last frame with such pairs or particles.
    last_ignored_frame: Option<u32>,
    /// At the end. Of multilevel cloth those of its own mesh, which collides.
    #[serde(flatten)]
    intersections: Intersections,
    /// Only if every frame was looked at, and one of them had intersections.
    worst_frame: Option<WorstFrame>,
    /// Particles that were held because they went astray, counted per frame.
    quarantined: usize,
    /// When and where that was.
    quarantines: Vec<Quarantine>,
    /// Why the run ended before its last frame.
    diverged: Option<String>,
    /// How far it came until the user stopped it.
    stopped: Option<String>,
    /// How the GPU failed.
    device_failed: Option<String>,
    /// What the scene's own check found wrong.
    problems: Vec<String>,
    /// What `muslin check` says of the cloths.
    warnings: Vec<String>,
    files: Vec<PathBuf>,
    /// Files of an earlier run that have the names of frames and pictures of this one.
    stale_files: Vec<PathBuf>,
}

impl Summary {
    /// Sums a session up.
    pub fn new(session: &Session, stale_files: Vec<PathBuf>) -> Self {
        let frames = &session.frames;
        let last = frames.last().cloned().unwrap_or_default();
        let mut ms: Vec<f64> = frames.iter().filter_map(|frame| frame.ms).collect();
        ms.sort_by(f64::total_cmp);
        let cloths = session.engine.cloths();
        let simulations = || cloths.iter().map(|&(_, simulation)| simulation);
        let intersections = last.intersections.unwrap_or_else(|| Intersections::of(&session.engine));
        let worst_frame = worst_frame(frames);
        let quarantines: Vec<Quarantine> =
            frames.iter().flat_map(|frame| frame.quarantines.clone()).collect();
        let (diverged, stopped, device_failed) = match session.end.clone() {
            End::Last => (None, None, None),
            End::Diverged(message) => (Some(message), None, None),
            End::Stopped(message) => (None, Some(message), None),
            End::DeviceFailed(message) => (None, None, Some(message)),
        };
        Self {
            scene: session.scene.name.clone(),
            cloths: simulations().count(),
            colliders: session.engine.colliders().len(),
            bodies: session.engine.bodies().len(),
            triangles: simulations().map(|s| s.shown_mesh().triangles.len()).sum(),
            vertices: simulations().map(|s| s.shown_mesh().vertices).sum(),
            backend: session.engine.backend().name(),
            device: session.engine.device(),
            frames: session.done(),
            steps: simulations().map(muslin::Simulation::steps).min().unwrap_or(0),
            substeps: session.scene.time.substeps,
            ms_per_step_median: ms.get(ms.len() / 2).copied(),
            strain_avg: last.strain_avg,
            strain_max_edge: last.strain_max_edge,
            strain_global: last.strain_global,
            constraint_strain_max: frames.iter().filter_map(|frame| frame.constraint_strain).reduce(f64::max),
            unsatisfied: frames.iter().map(|frame| frame.unsatisfied).sum(),
            grid: GridSummary::new(simulations(), frames),
            body_states: session.engine.bodies().iter().map(BodyEnd::of).collect(),
            contacts: last.contacts,
            impacts: frames.iter().map(|frame| frame.impacts).sum(),
            zones: frames.iter().map(|frame| frame.zones).sum(),
            divisions: frames.iter().map(|frame| frame.divisions).sum(),
            overloaded: frames.iter().map(|frame| frame.overloaded).sum(),
            first_overloaded_frame: frames.iter().position(|frame| frame.overloaded > 0),
            ignored_pairs: last.ignored_pairs,
            inside: last.inside,
            last_ignored_frame: last_ignored(frames),
            intersections,
            worst_frame,
            quarantined: quarantines.iter().map(|quarantine| quarantine.particles).sum(),
            quarantines,
            problems: match session.end {
                End::Last => problems(session, intersections, worst_frame),
                // The check is about the end, which was not reached.
                _ => Vec::new(),
            },
            diverged,
            stopped,
            device_failed,
            warnings: session.warnings.clone(),
            files: session.files.clone(),
            stale_files,
        }
    }

    /// Prints the summary.
    pub fn print(&self, json: bool) -> Result<(), Failure> {
        if let [first, others @ ..] = self.stale_files.as_slice() {
            let last = others.last().map_or(String::new(), |last| format!(" … {}", last.display()));
            let count = self.stale_files.len();
            eprintln!("warning: {count} files of an earlier run are still there: {}{last}", first.display());
        }
        match json {
            true => print_json(self),
            false => print(&self.text()),
        }
    }

    fn text(&self) -> String {
        let ms = self.ms_per_step_median.map_or(String::new(), |ms| format!(", median {ms:.2} ms per step"));
        let quarantined = self.quarantines.first().map_or(String::new(), |first| {
            format!(
                "\nquarantine {} particles were held in {} frames because they went astray, first in frame {} \
                 (cloth '{}', {})",
                self.quarantined,
                self.quarantines.len(),
                first.frame,
                first.cloth,
                first.vertex.map_or("in its grid".to_owned(), |vertex| format!("vertex {vertex}"))
            )
        });
        let unmet = match self.unsatisfied {
            0 => String::new(),
            substeps => format!(
                "\nunmet      constraints did not hold after {substeps} substeps, the largest strain of one is {:.4} %",
                100.0 * self.constraint_strain_max.unwrap_or_default()
            ),
        };
        let overload = self.first_overloaded_frame.map_or(String::new(), |frame| {
            format!(
                "\noverload   cloth under rigid bodies was strained by more than 20 % after {} substeps, first in \
                 frame {frame}: they are too heavy or too fast for it, or the substeps are too few",
                self.overloaded
            )
        });
        let grid = self.grid.as_ref().map_or(String::new(), GridSummary::text);
        let Intersections { self_intersections, collider_penetrations } = self.intersections;
        let worst = self.worst_frame.map_or(String::new(), |WorstFrame { frame, intersections }| {
            let Intersections { self_intersections: own, collider_penetrations: others } = intersections;
            format!("; worst in frame {frame}: {own} and {others}")
        });
        let ignored = self.last_ignored_frame.map_or(String::new(), |frame| {
            format!(
                "\nstart      {} pairs still ignored and {} particles inside of closed meshes (last frame); \
                 the last frame with any is {frame}",
                self.ignored_pairs, self.inside
            )
        });
        let files = match self.files.as_slice() {
            [] => "none".to_owned(),
            [only] => only.display().to_string(),
            [first, .., last] => {
                format!("{} … {} ({} files)", first.display(), last.display(), self.files.len())
            }
        };
        let shown = self.files.iter().filter(|file| is_picture(file)).rev().take(MOST_PICTURES);
        let pictures: Vec<String> = shown.map(|file| format!("\npicture    {}", file.display())).collect();
        format!(
            "scene      {}, {} triangles\n\
             device     {}, {}\n\
             time       {} frames, {} steps{ms}\n\
             strain     {:.3} % on average, {:.2} % in the worst edge (last frame){unmet}{overload}{grid}{quarantined}\n\
             contact    {} contacts, {self_intersections} self-intersections, {collider_penetrations} \
             penetrations of colliders (last frame){worst}{ignored}\n\
             files      {files}{}",
            self.scene,
            self.triangles,
            self.backend,
            self.device,
            self.frames,
            self.steps,
            100.0 * self.strain_avg,
            100.0 * self.strain_max_edge,
            self.contacts,
            pictures.join(""),
        )
    }

    /// An error if the run diverged, or the scene's own check failed. The summary must have been printed.
    pub fn verdict(&self) -> Result<(), Failure> {
        if let Some(message) = &self.diverged {
            let hint = "the files hold the frames up to then; more substeps, slower motion or weaker forces may help";
            return Err(Failure::run(message).hint(hint).reported());
        }
        match self.problems.as_slice() {
            [] => Ok(()),
            problems => {
                Err(Failure::run(format!("the scene's check failed: {}", problems.join("; "))).reported())
            }
        }
    }
}

/// The first of the frames with the most intersections; `None` if there is none in any.
fn worst_frame(frames: &[Frame]) -> Option<WorstFrame> {
    let counted = (0..).zip(frames).filter_map(|(frame, figures)| {
        figures.intersections.map(|intersections| WorstFrame { frame, intersections })
    });
    let total = |worst: &WorstFrame| {
        worst.intersections.self_intersections + worst.intersections.collider_penetrations
    };
    // The last of equals is the maximum, so the first if they come backwards.
    let worst = counted.collect::<Vec<_>>().into_iter().rev().max_by_key(total);
    worst.filter(|worst| total(worst) > 0)
}

/// The last frame in which something passed because it started in something.
fn last_ignored(frames: &[Frame]) -> Option<u32> {
    frames.iter().rposition(|frame| frame.ignored_pairs + frame.inside > 0).map(|frame| frame as u32)
}

/// What the scene's own check finds wrong: at the end, and in the worst frame where each was looked at.
fn problems(session: &Session, end: Intersections, worst: Option<WorstFrame>) -> Vec<String> {
    let check: &Check = &session.scene.check;
    let counted = |found: Intersections| {
        check.intersection_problems(found.self_intersections, found.collider_penetrations)
    };
    let mut problems = Vec::new();
    for (name, simulation) in session.engine.cloths() {
        problems
            .extend(check.problems(simulation).iter().map(|problem| format!("cloth '{name}': {problem}")));
    }
    problems.extend(counted(end));
    if let Some(WorstFrame { frame, intersections }) = worst.filter(|worst| worst.frame + 1 < session.done())
    {
        problems.extend(counted(intersections).iter().map(|problem| format!("frame {frame}: {problem}")));
    }
    problems
}

fn is_picture(file: &std::path::Path) -> bool {
    file.extension().is_some_and(|extension| extension == "png" || extension == "gif")
}
