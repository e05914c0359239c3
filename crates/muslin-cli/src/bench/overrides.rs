//! Other values than those of the benches, to explore with.

use muslin::solver::{Order, SolverConfig};

use super::scenes::{Scene, Tiling};

/// Options that change scenes.
#[derive(clap::Args, Clone, Default)]
pub struct Overrides {
    /// Threads of the CPU, 0 for one per core; several numbers are measured in turns. The default depends on the bench.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: Vec<u16>,
    /// Timed steps; the default depends on the bench.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    steps: Option<u32>,
    /// Only solvers whose names hold one of these words, where a bench has several.
    #[arg(long, value_name = "WORD,…", value_delimiter = ',')]
    solver: Vec<String>,
    /// How long a swing lasts, seconds.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=1000), conflicts_with = "steps")]
    seconds: Option<u32>,
    /// Damped steps before the timed ones.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    relax: Option<u32>,
    /// Substeps per step; several numbers measure one after the other.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1000))]
    substeps: Vec<u32>,
    /// Triangles of an irregular mesh; several numbers measure one after the other.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(2..=20_000_000))]
    triangles: Vec<u32>,
    /// Levels of the hierarchy, the mesh included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=32))]
    levels: Option<u16>,
    /// Fraction of the triangles that goes from each level to the next coarser one.
    #[arg(long, value_name = "FRACTION", value_parser = fraction)]
    removal: Option<f64>,
    /// Passes over the regions of a coarse level whenever it is visited.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    coarse_passes: Option<u32>,
    /// Passes over the edges of the finest level whenever it is visited.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    edge_passes: Option<u32>,
    /// Cycles over the levels per step.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    cycles: Option<u32>,
    /// Iterations of position-based dynamics per substep, or on the finest level of multilevel cloth.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    iterations: Option<u32>,
    /// Factor on corrections where regions are averaged.
    #[arg(long, value_name = "FACTOR")]
    over_relaxation: Option<f32>,
}

impl Overrides {
    /// Whether a number of threads is given.
    pub fn has_threads(&self) -> bool {
        !self.threads.is_empty()
    }

    /// The scenes of a bench, changed. Numbers that a bench goes through are replaced by those given.
    pub fn apply(&self, mut scenes: Vec<Scene>) -> Vec<Scene> {
        let wanted =
            |scene: &Scene| self.solver.iter().any(|word| scene.solver_name().contains(word.as_str()));
        scenes.retain(|scene| self.solver.is_empty() || wanted(scene));
        if let (false, Some(first)) = (self.triangles.is_empty(), scenes.first().map(|scene| scene.tiling)) {
            scenes.retain(|scene| scene.tiling == first);
            let sized = |&triangles: &u32| Tiling::Irregular { triangles: triangles as usize };
            let tilings = self.triangles.iter().map(sized);
            scenes = tilings
                .flat_map(|tiling| scenes.iter().map(move |s| Scene { tiling, ..s.clone() }))
                .collect();
        }
        if let (false, Some(first)) = (self.substeps.is_empty(), scenes.first().map(|scene| scene.substeps)) {
            scenes.retain(|scene| scene.substeps == first);
            let all = |s: Scene| self.substeps.iter().map(move |&substeps| Scene { substeps, ..s.clone() });
            scenes = scenes.into_iter().flat_map(all).collect();
        }
        for scene in &mut scenes {
            self.change(scene);
        }
        scenes
    }

    fn change(&self, scene: &mut Scene) {
        if self.has_threads() {
            scene.threads = self.threads.iter().map(|&threads| threads.into()).collect();
        }
        scene.steps = self.steps.map_or(scene.steps, |steps| steps as usize);
        if let Some(seconds) = self.seconds {
            scene.steps = (f64::from(seconds) / scene.time_step).round() as usize;
        }
        scene.relax = self.relax.map_or(scene.relax, |steps| steps as usize);
        let solver = &mut scene.solver;
        solver.hierarchy.levels = self.levels.map_or(solver.hierarchy.levels, usize::from);
        solver.hierarchy.removal = self.removal.unwrap_or(solver.hierarchy.removal);
        solver.coarse_passes = self.coarse_passes.unwrap_or(solver.coarse_passes);
        solver.edge_passes = self.edge_passes.unwrap_or(solver.edge_passes);
        solver.cycles = self.cycles.unwrap_or(solver.cycles);
        solver.over_relaxation = self.over_relaxation.unwrap_or(solver.over_relaxation);
        match &mut scene.other {
            Some(SolverConfig::PositionBased(other)) => {
                other.iterations = self.iterations.unwrap_or(other.iterations);
                if other.order == Order::Jacobi {
                    other.over_relaxation = self.over_relaxation.unwrap_or(other.over_relaxation);
                }
            }
            Some(SolverConfig::Multilevel(other)) => {
                other.iterations = self.iterations.or(other.iterations);
                other.levels = self.levels.map_or(other.levels, u32::from);
                other.cycles = self.cycles.unwrap_or(other.cycles);
                other.over_relaxation = self.over_relaxation.unwrap_or(other.over_relaxation);
            }
            _ => {}
        }
    }
}

fn fraction(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.01..=0.99).contains(&value) => Ok(value),
        _ => Err("must be a number between 0.01 and 0.99".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::gpu_scenes::frames;
    use super::*;

    #[test]
    fn numbers_given_replace_those_that_a_bench_goes_through() {
        let overrides =
            Overrides { triangles: vec![50, 70], substeps: vec![4], levels: Some(3), ..Overrides::default() };
        let scenes = overrides.apply(frames());
        let sizes: Vec<Tiling> = scenes.iter().map(|scene| scene.tiling).collect();
        let irregular = |triangles| Tiling::Irregular { triangles };
        // From a flat and a rippled start, and with tethers.
        assert_eq!(sizes, [[irregular(50); 3], [irregular(70); 3]].concat());
        assert!(scenes.iter().all(|scene| (scene.substeps, scene.solver.hierarchy.levels) == (4, 3)));
        assert_eq!(Overrides::default().apply(frames()).len(), frames().len());
    }
}
