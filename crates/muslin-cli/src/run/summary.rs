//! What a run came to, as text or JSON.

use std::path::PathBuf;

use muslin_io::scene::Check;
use serde::Serialize;

use super::Session;
use crate::failure::Failure;
use crate::output::{print, print_json};

/// How many pictures the text names, newest first.
const MOST_PICTURES: usize = 2;

/// Particles that were held in a step because some of them went astray.
#[derive(Clone, Serialize)]
pub struct Quarantine {
    pub frame: u32,
    pub cloth: String,
    /// The first of them, in the mesh's numbering.
    pub vertex: u32,
    pub particles: usize,
}

/// The summary of a run. Fields are a contract: scripts read them.
#[derive(Serialize)]
pub struct Summary {
    scene: String,
    cloths: usize,
    triangles: usize,
    vertices: usize,
    frames: u32,
    /// Steps of each cloth, substeps counted one by one.
    steps: u64,
    substeps: u32,
    /// Median wall-clock time of a step of all cloths.
    ms_per_step_median: Option<f64>,
    /// Fractions, at the end, of the worst cloth.
    strain_avg: f64,
    strain_max_edge: f64,
    strain_global: Option<f64>,
    /// There are no collisions yet.
    contacts: usize,
    self_intersections: Option<usize>,
    collider_penetrations: Option<usize>,
    /// Particles that were held because they went astray, counted per step.
    quarantined: usize,
    /// When and where that was.
    quarantines: Vec<Quarantine>,
    /// Why the run ended before its last frame.
    diverged: Option<String>,
    /// What the scene's own check found wrong.
    problems: Vec<String>,
    files: Vec<PathBuf>,
}

impl Summary {
    /// Sums a session up.
    pub fn new(session: &Session) -> Self {
        let last = session.frames.last().copied().unwrap_or_default();
        let mut ms: Vec<f64> = session.frames.iter().filter_map(|frame| frame.ms).collect();
        ms.sort_by(f64::total_cmp);
        let simulations = || session.simulations.iter().map(|(_, simulation)| simulation);
        let check: &Check = &session.scene.check;
        let problem = |(name, simulation): &(String, muslin::Simulation)| -> Vec<String> {
            check.problems(simulation).iter().map(|problem| format!("cloth '{name}': {problem}")).collect()
        };
        // The check is about the end, which a run that diverged has not reached.
        let at_the_end = || session.simulations.iter().filter(|_| session.diverged.is_none());
        Self {
            scene: session.scene.name.clone(),
            cloths: session.simulations.len(),
            triangles: simulations().map(|s| s.cloth().triangles().len()).sum(),
            vertices: simulations().map(|s| s.cloth().vertex_count()).sum(),
            frames: session.frames.len() as u32,
            steps: simulations().map(muslin::Simulation::steps).min().unwrap_or(0),
            substeps: session.scene.time.substeps,
            ms_per_step_median: ms.get(ms.len() / 2).copied(),
            strain_avg: last.strain_avg,
            strain_max_edge: last.strain_max_edge,
            strain_global: last.strain_global,
            contacts: 0,
            self_intersections: None,
            collider_penetrations: None,
            quarantined: session.quarantines.iter().map(|quarantine| quarantine.particles).sum(),
            quarantines: session.quarantines.clone(),
            diverged: session.diverged.clone(),
            problems: at_the_end().flat_map(problem).collect(),
            files: session.files.clone(),
        }
    }

    /// Prints the summary.
    pub fn print(&self, json: bool) -> Result<(), Failure> {
        if json {
            return print_json(self);
        }
        let ms =
            self.ms_per_step_median.map_or("no step".to_owned(), |ms| format!("median {ms:.2} ms per frame"));
        let quarantined = self.quarantines.first().map_or(String::new(), |first| {
            format!(
                "\nquarantine {} particles were held in {} steps because they went astray, first in frame {} \
                 (cloth '{}', vertex {})",
                self.quarantined,
                self.quarantines.len(),
                first.frame,
                first.cloth,
                first.vertex
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
        print(&format!(
            "scene      {}, {} triangles\n\
             time       {} frames in {} substeps each, {ms}\n\
             strain     {:.3} % on average, {:.2} % in the worst edge (last frame){quarantined}\n\
             files      {files}{}",
            self.scene,
            self.triangles,
            self.frames,
            self.substeps,
            100.0 * self.strain_avg,
            100.0 * self.strain_max_edge,
            pictures.join(""),
        ))
    }

    /// An error if the run diverged, or the scene's own check failed.
    pub fn verdict(&self) -> Result<(), Failure> {
        if let Some(message) = &self.diverged {
            let hint =
                "the files hold the frames before it; more substeps, slower motion or weaker forces may help";
            return Err(Failure::run(message).hint(hint));
        }
        match self.problems.as_slice() {
            [] => Ok(()),
            problems => Err(Failure::run(format!("the scene's check failed: {}", problems.join("; ")))),
        }
    }
}

fn is_picture(file: &std::path::Path) -> bool {
    file.extension().is_some_and(|extension| extension == "png" || extension == "gif")
}
