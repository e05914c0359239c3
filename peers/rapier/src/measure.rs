//! Times a repeated step on a machine that may be busy with other work.

use std::time::Instant;

/// Milliseconds per step, the best of all blocks: other work on the machine can only add time.
pub struct Timing {
    /// Wall-clock median of the block where it is smallest.
    pub median: f64,
    /// Wall-clock 95th percentile of the same block.
    pub p95: f64,
    /// CPU time per step, mean of the block where it is smallest; none where the system does not tell.
    pub cpu: Option<f64>,
}

impl Default for Timing {
    fn default() -> Self {
        Self { median: f64::INFINITY, p95: f64::INFINITY, cpu: None }
    }
}

impl Timing {
    /// Times a block of `steps` steps and keeps it where it is better than those before.
    pub fn block(&mut self, steps: usize, mut step: impl FnMut()) {
        let cpu_start = cpu_seconds();
        let mut times: Vec<f64> = (0..steps)
            .map(|_| {
                let start = Instant::now();
                step();
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        if let Some((end, start)) = cpu_seconds().zip(cpu_start) {
            let each = (end - start) * 1e3 / steps as f64;
            self.cpu = Some(self.cpu.map_or(each, |least| least.min(each)));
        }
        times.sort_by(f64::total_cmp);
        let median = times[steps / 2];
        if median < self.median {
            self.median = median;
            self.p95 = times[steps * 95 / 100];
        }
    }
}

/// Seconds this thread ran: the first number of `schedstat`, in nanoseconds. Linux only. The kernel updates it a
/// few hundred times a second, so it serves for blocks, not for single steps.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

/// The most memory this process had, in MiB. Linux only.
pub fn peak_rss_mib() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}
