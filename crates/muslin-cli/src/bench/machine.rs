//! What the benches ran on.

use std::fmt;
use std::fs;

use serde::Serialize;

/// The machine and the program.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The model, as the system names it.
    pub cpu: String,
    /// Threads that can run at the same time.
    pub cores: usize,
    pub os: String,
    pub architecture: &'static str,
    /// The vector instructions that the kernels use.
    pub instructions: &'static str,
    /// Over the last minute, when the benches started; work of others makes the times longer.
    pub load_average: Option<f64>,
    pub muslin_version: &'static str,
}

impl Machine {
    /// Asks the system.
    pub fn read() -> Self {
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Self {
            cpu: cpu_model(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            os: format!("{} {}", std::env::consts::OS, kernel.trim()).trim_end().to_owned(),
            architecture: std::env::consts::ARCH,
            instructions: instructions(),
            load_average: load_average(),
            muslin_version: env!("CARGO_PKG_VERSION"),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cpu, cores, os, instructions, .. } = self;
        write!(f, "{cpu}, {cores} cores, {os}, {instructions}")?;
        match self.load_average {
            Some(load) if load > 0.5 * *cores as f64 => {
                write!(
                    f,
                    "\nload average {load:.1}: other work slows the times, those of several threads most"
                )
            }
            Some(load) => write!(f, ", load average {load:.1}"),
            None => Ok(()),
        }
    }
}

/// The processor's model, as the system names it.
pub fn cpu_model() -> String {
    model_name().unwrap_or_else(|| "unknown".to_owned())
}

fn model_name() -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn load_average() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// The engine chooses in the same way.
fn instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return "avx2";
    }
    "portable"
}

/// Milliseconds that the threads of this process have run, all together; only Linux tells.
pub fn cpu_ms() -> Option<f64> {
    let mut sum = 0.0;
    for task in fs::read_dir("/proc/self/task").ok()? {
        // "nanoseconds run, nanoseconds waited, time slices"; a thread may have ended meanwhile.
        let Ok(line) = fs::read_to_string(task.ok()?.path().join("schedstat")) else { continue };
        sum += line.split(' ').next()?.parse::<f64>().ok()? * 1e-6;
    }
    Some(sum)
}

/// The most memory that the process has held, in MiB, where the system tells.
pub fn peak_rss_mib() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}

/// Starts a new peak, so that a small scene after a large one is not charged for it. Where the
/// system does not offer this, the peak is that since the start of the program.
pub fn reset_peak_rss() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}
