//! What a step costs on a GPU, by task and level as table 1 has it.

use crate::gpu::KernelTime;

/// Milliseconds of a step on a GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tasks {
    pub sample: f64,
    pub project: f64,
    pub integration: f64,
    /// Coarsest first. The smallest are relaxed in one go: their time is that of the finest of them.
    pub levels: Vec<f64>,
    /// How many levels are relaxed in one go.
    pub in_one_go: usize,
    /// Bending, contacts, measuring strain.
    pub other: f64,
}

impl Tasks {
    /// Sorts kernels by what they do.
    pub fn of(kernels: &[KernelTime]) -> Self {
        let mut tasks = Self::default();
        for kernel in kernels {
            let time = 1e-3 * kernel.microseconds;
            match kernel.kernel {
                "sample" => tasks.sample += time,
                "project" => tasks.project += time,
                "integrate" => tasks.integration += time,
                "bend_threads" | "contact" | "finish_and_measure" => tasks.other += time,
                name => {
                    let levels = tasks.levels.len().max(kernel.level + 1);
                    tasks.levels.resize(levels, 0.0);
                    tasks.levels[kernel.level] += time;
                    if name == "tail" {
                        tasks.in_one_go = kernel.level + 1;
                    }
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
            kernel("sample", 3, 60.0),
            kernel("integrate", 3, 80.0),
            kernel("bend_threads", 3, 10.0),
            kernel("tail", 1, 100.0),
            kernel("start", 2, 10.0),
            kernel("jacobi", 2, 190.0),
            kernel("jacobi", 3, 300.0),
            kernel("finish_and_measure", 3, 5.0),
            kernel("project", 3, 20.0),
        ]);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(close(tasks.sample, 0.06) && close(tasks.project, 0.02) && close(tasks.integration, 0.08));
        assert_eq!((tasks.levels.len(), tasks.in_one_go), (4, 2));
        let levels = [0.0, 0.1, 0.2, 0.3];
        assert!(tasks.levels.iter().zip(levels).all(|(a, b)| close(*a, b)), "{tasks:?}");
        assert!(close(tasks.other, 0.015) && close(tasks.total(), 0.775));
    }
}
