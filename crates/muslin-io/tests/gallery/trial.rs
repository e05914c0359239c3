//! A trial: a scene from a jittered start, with everything that passes through anything counted at every frame.
//!
//! The short test and `cargo xtask soak` run the same trials; only length and number differ.

use std::path::Path;
use std::time::Instant;

use glam::Vec3;
use muslin::{IntersectionReport, Simulation, World};
use muslin_io::scene::{ReadOptions, Scene, SceneError};
use muslin_testing::Noise;

/// Particles start off their place by up to this part of the cloth's thickness.
const JITTER: f32 = 0.1;

/// The gallery's scenes in which things collide, by name.
pub const SCENES: [&str; 15] = [
    "bending",
    "bodies",
    "dragon",
    "floor_fold",
    "funnel",
    "garment_walk",
    "hammock",
    "inextensible_ball",
    "multilevel_ball",
    "multilevel_skirt",
    "skirt_turning",
    "sphere_drape",
    "stack",
    "tablecloth",
    "twist",
];

/// How a trial ended. Figures of several cloths are those of the worst.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// Triangles of all cloths.
    pub triangles: usize,
    /// That were simulated.
    pub frames: usize,
    /// Sums over all frames.
    pub intersections: IntersectionReport,
    /// What went wrong first, or does not hold at the end.
    pub failure: Option<String>,
    pub strain_average: f64,
    pub strain_max_edge: f64,
    pub strain_global: f64,
    /// The highest speed of a particle at the end, and the root mean square of all, m/s.
    pub speeds: [f32; 2],
    /// The most that pushed in the last substep of any frame.
    pub contacts: usize,
    /// Substeps that had to be divided.
    pub divisions: usize,
    /// Milliseconds per substep, for each frame.
    pub milliseconds: Vec<f64>,
}

/// Reads a scene of the gallery.
pub fn read(name: &str) -> Result<Scene, SceneError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    Scene::read(folder.join(format!("{name}.toml")), &ReadOptions::default())
}

impl Trial {
    /// Simulates the first frames of a scene. Another seed is another start.
    pub fn run(scene: &Scene, frames: usize, seed: u64) -> Self {
        let mut trial = Self::default();
        if let Err(failure) = trial.simulate(scene, frames, seed) {
            trial.failure.get_or_insert(failure);
        }
        trial
    }

    fn simulate(&mut self, scene: &Scene, frames: usize, seed: u64) -> Result<(), String> {
        let mut world = scene.build_world().map_err(|error| error.to_string())?;
        self.triangles = world.cloths().iter().map(|(_, cloth)| cloth.cloth().triangles().len()).sum();
        let mut noise = Noise::new(seed);
        for (_, cloth) in world.cloths_mut() {
            jitter(cloth, &mut noise).map_err(|error| error.to_string())?;
        }
        self.count(&world, 0);
        for frame in 1..=frames {
            let start = Instant::now();
            world.step().map_err(|error| format!("frame {frame}: {error}"))?;
            let report = world.report();
            let seconds = start.elapsed().as_secs_f64();
            self.milliseconds.push(1e3 * seconds / f64::from(scene.time.substeps));
            self.frames = frame;
            self.contacts = self.contacts.max(report.collisions.contacts);
            self.divisions += report.collisions.divisions;
            self.count(&world, frame);
        }
        self.measure(&world);
        if frames == scene.time.frames as usize {
            let problems = world.cloths().iter().flat_map(|(_, cloth)| scene.check.problems(cloth));
            if let Some(problem) = problems.into_iter().next() {
                return Err(format!("at the end {problem}"));
            }
        }
        Ok(())
    }

    fn count(&mut self, world: &World, frame: usize) {
        let found = world.intersections();
        if found.is_clean() {
            return;
        }
        if let Some(first) = world.find_intersections().first() {
            self.failure.get_or_insert(format!("frame {frame}: {first}"));
        }
        self.intersections.self_intersections += found.self_intersections;
        self.intersections.between_cloths += found.between_cloths;
        self.intersections.collider_penetrations += found.collider_penetrations;
    }

    fn measure(&mut self, world: &World) {
        let (mut sum, mut count) = (0.0, 0);
        for (_, cloth) in world.cloths() {
            let strain = cloth.strain();
            self.strain_average = self.strain_average.max(strain.average);
            self.strain_max_edge = self.strain_max_edge.max(strain.max_edge);
            self.strain_global = self.strain_global.max(strain.global.unwrap_or_default());
            for velocity in cloth.velocities() {
                self.speeds[0] = self.speeds[0].max(velocity.length());
                sum += velocity.length_squared();
                count += 1;
            }
        }
        self.speeds[1] = (sum / count as f32).sqrt();
    }

    /// The median of the milliseconds per substep.
    pub fn median_milliseconds(&self) -> f64 {
        let mut sorted = self.milliseconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }

    /// All kinds of intersections together.
    pub fn intersection_count(&self) -> usize {
        let IntersectionReport { self_intersections, between_cloths, collider_penetrations, .. } =
            self.intersections;
        self_intersections + between_cloths + collider_penetrations
    }
}

/// Moves what is free by a fraction of the thickness, too little to meet anything.
fn jitter(cloth: &mut Simulation, noise: &mut Noise) -> Result<(), muslin::Error> {
    let size = JITTER * cloth.cloth().material().surface.thickness;
    let given = cloth.positions();
    let mut positions: Vec<Vec3> = given.iter().map(|p| *p + size * noise.in_ball()).collect();
    for pinned in cloth.cloth().pinned_vertices() {
        positions[pinned as usize] = given[pinned as usize];
    }
    let velocities = cloth.velocities();
    cloth.set_state(&positions, &velocities)
}
