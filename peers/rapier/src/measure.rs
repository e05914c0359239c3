//! Times a repeated step on a machine that may be busy with other work.

use std::time::Instant;

/// CPU time of this process, where the system tells it.
pub struct Clock {
    start: Option<f64>,
}

impl Clock {
    /// Starts counting.
    pub fn start() -> Self {
        Self { start: cpu_seconds() }
    }

    /// CPU seconds since the last call, or since the start.
    fn lap(&mut self) -> Option<f64> {
        let now = cpu_seconds();
        let lap = now.zip(self.start).map(|(now, start)| now - start);
        self.start = now;
        lap
    }
}

/// Milliseconds per step.
pub struct Timing {
    /// Wall-clock median of the quietest block.
    pub median: f64,
    /// Wall-clock 95th percentile of the same block.
    pub p95: f64,
    /// CPU time per step, mean of the best block.
    pub cpu: Option<f64>,
}

impl Timing {
    /// Times `blocks` blocks of `steps` steps. Other work on the machine can only add time, so the block with the
    /// smallest median is the one to believe.
    pub fn of_blocks(blocks: usize, steps: usize, clock: &mut Clock, mut step: impl FnMut()) -> Self {
        let mut best = Timing { median: f64::INFINITY, p95: f64::INFINITY, cpu: None };
        for _ in 0..blocks {
            clock.lap();
            let mut times: Vec<f64> = (0..steps)
                .map(|_| {
                    let start = Instant::now();
                    step();
                    start.elapsed().as_secs_f64() * 1e3
                })
                .collect();
            if let Some(seconds) = clock.lap() {
                let each = seconds * 1e3 / steps as f64;
                best.cpu = Some(best.cpu.map_or(each, |least| least.min(each)));
            }
            times.sort_by(f64::total_cmp);
            let median = times[steps / 2];
            if median < best.median {
                best.median = median;
                best.p95 = times[steps * 95 / 100];
            }
        }
        best
    }
}

/// Seconds this thread ran: the first number of `schedstat`, in nanoseconds. Linux only.
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
