//! What a step costs on a GPU, by task and level as table 1 has it.

use muslin::gpu::KernelTime;

/// Milliseconds of a step on a GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tasks {
    pub sample: f64,
    pub project: f64,
    pub integration: f64,
    /// Coarsest first.
    pub levels: Vec<f64>,
    /// Bending, measuring strain.
    pub other: f64,
}

impl Tasks {
    /// Sorts kernels by what they do.
    pub fn of(kernels: &[KernelTime]) -> Self {
        let mut tasks = Self::default();
        for kernel in kernels {
            let time = 1e-3 * kernel.microseconds;
            match kernel.kernel {
                name if name.contains("sample") || name.contains("hand") => tasks.sample += time,
                name if name.contains("project") => tasks.project += time,
                name if name.contains("verlet") || name.contains("move") => tasks.integration += time,
                name if name.contains("bend") || name.contains("strain") => tasks.other += time,
                _ => {
                    let levels = tasks.levels.len().max(kernel.level + 1);
                    tasks.levels.resize(levels, 0.0);
                    tasks.levels[kernel.level] += time;
                }
            }
        }
        tasks
    }

    pub fn total(&self) -> f64 {
        self.sample + self.project + self.integration + self.levels.iter().sum::<f64>() + self.other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_sorted_by_task_and_level() {
        let kernel = |kernel, level, microseconds| KernelTime { kernel, level, microseconds, least_bytes: 0 };
        let tasks = Tasks::of(&[
            kernel("sample", 2, 60.0),
            kernel("verlet", 2, 80.0),
            kernel("jacobi", 0, 100.0),
            kernel("gauss_seidel", 2, 200.0),
            kernel("jacobi", 2, 300.0),
            kernel("project", 2, 20.0),
            kernel("bend", 2, 10.0),
        ]);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(close(tasks.sample, 0.06) && close(tasks.project, 0.02) && close(tasks.integration, 0.08));
        assert!(tasks.levels.len() == 3 && close(tasks.levels[0], 0.1) && close(tasks.levels[2], 0.5));
        assert!(close(tasks.other, 0.01) && close(tasks.total(), 0.77));
    }
}
