//! `muslin bench`: how fast and how stiff, on scenes that do not change.
//!
//! benches → scenes → measure → records → table or JSON

mod benches;
mod gpu_measure;
mod gpu_scenes;
mod gpu_table;
mod machine;
mod measure;
mod overrides;
mod record;
mod scenes;
mod swing;
mod table;

use muslin_io::scene::Backend;
use serde::Serialize;

use crate::backend_argument;
use crate::failure::Failure;
use crate::gpu;
use crate::output::{print, print_json, print_list};
use crate::progress::Progress;
use benches::{BENCHES, Bench};
use gpu_measure::Device;
use machine::Machine;
pub use machine::cpu_model;
use overrides::Overrides;
use record::Record;
use scenes::Scene;

/// Measures the time per step and the strain of fixed scenes.
#[derive(clap::Args)]
pub struct Args {
    /// Which benches to run; all that the back end can run if none is named.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Print a JSON document.
    #[arg(long)]
    pub json: bool,
    /// What computes.
    #[arg(long, value_parser = backend_argument::cpu_or_gpu(), default_value = "cpu")]
    backend: Backend,
    /// A part of the name of the GPU to use, if there are several.
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// On a GPU, list the time of every kernel too; the JSON document always has them.
    #[arg(long)]
    kernels: bool,
    /// On a GPU, run scenes of several million triangles too.
    #[arg(long)]
    large: bool,
    #[command(flatten)]
    overrides: Overrides,
    /// List the benches instead.
    #[arg(long)]
    list: bool,
}

#[derive(Serialize)]
struct Document {
    machine: Machine,
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<GpuDocument>,
    results: Vec<Record>,
}

/// The GPU that was measured.
#[derive(Serialize)]
struct GpuDocument {
    name: String,
    /// Whether it is a program on the CPU.
    software: bool,
    /// Read and written by a plain copy.
    copy_gb_per_s: f64,
}

/// Runs the benches.
pub fn run(args: &Args) -> Result<(), Failure> {
    let chosen = choose(&args.names)?;
    if args.list {
        return list(&chosen, args.json);
    }
    let chosen = able(chosen, args)?;
    let device = open(args)?;
    let mut progress = Progress::new(false);
    let machine = Machine::read();
    let gpu = device.as_ref().map(|device| GpuDocument {
        name: device.gpu.name().to_owned(),
        software: device.gpu.is_software(),
        copy_gb_per_s: device.copy_gb_per_s,
    });
    if !args.json {
        print(&machine.to_string())?;
        if let Some(GpuDocument { name, software, copy_gb_per_s }) = &gpu {
            let kind = if *software { " (a program on the CPU)" } else { "" };
            print(&format!("GPU: {name}{kind}, {copy_gb_per_s:.0} GB/s read and written by a copy"))?;
        }
    }
    let mut results = Vec::new();
    for bench in chosen {
        let mut records = Vec::new();
        let scenes = args.overrides.apply(scenes(bench, args));
        for scene in &scenes {
            match &device {
                device if scene.swings => {
                    records.push(swing::measure(scene, &machine.cpu, device.as_ref(), &mut progress)?);
                }
                Some(device) => records.push(gpu_measure::measure(scene, device, &mut progress)?),
                None => records.extend(measure::measure(scene, &machine.cpu, &mut progress)?),
            }
        }
        progress.clear();
        if !args.json {
            print(&report(bench, &scenes, &records, args))?;
        }
        results.extend(records);
    }
    if args.json { print_json(&Document { machine, gpu, results }) } else { Ok(()) }
}

/// The results of a bench, for people.
fn report(bench: &Bench, scenes: &[Scene], records: &[Record], args: &Args) -> String {
    let title = format!("\n{}: {}", bench.name, bench.description);
    if scenes.iter().any(|scene| scene.swings) {
        return format!("{title}\n{}", swing::table(scenes, records));
    }
    if args.backend == Backend::Cpu {
        return format!("{title}\n{}", table::table(records));
    }
    let mut text = format!("{title}\n{}", gpu_table::table(records));
    if args.kernels {
        records.iter().for_each(|record| text += &format!("\n\n{}", gpu_table::kernels(record)));
    }
    text
}

fn scenes(bench: &Bench, args: &Args) -> Vec<Scene> {
    match args.backend {
        Backend::Cpu => (bench.scenes)(),
        Backend::Gpu | Backend::Auto => (bench.gpu_scenes)(args.large),
    }
}

/// The benches that the back end can run; an error if one was named that it cannot.
fn able(chosen: Vec<&'static Bench>, args: &Args) -> Result<Vec<&'static Bench>, Failure> {
    let (able, unable): (Vec<_>, Vec<_>) =
        chosen.into_iter().partition(|bench| !scenes(bench, args).is_empty());
    match unable.first() {
        Some(bench) if !args.names.is_empty() => {
            let backends = bench.backends().join(" or ");
            Err(Failure::input(format!("the bench '{}' does not run on this back end", bench.name))
                .hint(format!("use --backend {backends}")))
        }
        _ => Ok(able),
    }
}

/// The GPU, if it is to be measured.
fn open(args: &Args) -> Result<Option<Device>, Failure> {
    if args.backend == Backend::Cpu {
        let only_gpu =
            [("adapter", args.adapter.is_some()), ("kernels", args.kernels), ("large", args.large)];
        return match only_gpu.into_iter().find(|(_, given)| *given) {
            Some((name, _)) => {
                Err(Failure::input(format!("--{name} is about GPUs")).hint("add --backend gpu"))
            }
            None => Ok(None),
        };
    }
    if args.overrides.has_threads() {
        return Err(Failure::input("--threads is about the CPU").hint("leave it out, or use --backend cpu"));
    }
    let gpu = gpu::open(args.adapter.as_deref()).map_err(gpu::failure)?;
    let copy_gb_per_s = gpu::copy_bandwidth(&gpu).map_err(gpu::failure)?;
    Ok(Some(Device { gpu, copy_gb_per_s }))
}

/// The benches of these names, or all.
fn choose(names: &[String]) -> Result<Vec<&'static Bench>, Failure> {
    if names.is_empty() {
        return Ok(BENCHES.iter().collect());
    }
    let find = |name: &String| {
        BENCHES.iter().find(|bench| bench.name == name).ok_or_else(|| {
            let known: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
            Failure::input(format!("there is no bench '{name}'"))
                .hint(format!("known are {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

fn list(benches: &[&Bench], json: bool) -> Result<(), Failure> {
    if json {
        let entry = |b: &&Bench| serde_json::json!({ "name": b.name, "description": b.description, "backends": b.backends() });
        return print_json(&benches.iter().map(entry).collect::<Vec<_>>());
    }
    print_list(&benches.iter().map(|b| (b.name, b.description.to_owned())).collect::<Vec<_>>())
}
