//! `muslin bench`: how fast and how stiff, on scenes that do not change.
//!
//! scenes → measure → records → table or JSON

mod machine;
mod measure;
mod record;
mod scenes;
mod table;

use clap::ValueEnum;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::progress::Progress;
use machine::Machine;
use record::Record;
use scenes::{BENCHES, Bench, Scene};

/// Measures the time per step and the strain of fixed scenes.
#[derive(clap::Args)]
pub struct Args {
    /// Which benches to run; all of them if none is named.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Print a JSON document.
    #[arg(long)]
    pub json: bool,
    /// What computes.
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    backend: Backend,
    /// Worker threads, 0 for one per core; the default depends on the bench.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: Option<u16>,
    /// Timed steps; the default depends on the bench.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    steps: Option<u32>,
    /// Substeps per step; the default depends on the bench.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    substeps: Option<u32>,
    /// Levels of the hierarchy, the mesh included; the default depends on the bench.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=32))]
    levels: Option<u8>,
    /// List the benches instead.
    #[arg(long)]
    list: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Backend {
    Cpu,
    Gpu,
}

#[derive(Serialize)]
struct Document {
    machine: Machine,
    results: Vec<Record>,
}

/// Runs the benches.
pub fn run(args: &Args) -> Result<(), Failure> {
    let chosen = choose(&args.names)?;
    if args.list {
        return list(&chosen, args.json);
    }
    if args.backend == Backend::Gpu {
        return Err(Failure::input("the back end 'gpu' is not supported yet").hint("use --backend cpu"));
    }
    let mut progress = Progress::new(false);
    let machine = Machine::read();
    if !args.json {
        print(&machine.to_string())?;
    }
    let mut results = Vec::new();
    for bench in chosen {
        let mut records = Vec::new();
        for mut scene in (bench.scenes)() {
            args.change(&mut scene);
            records.extend(measure::measure(&scene, &machine.cpu, &mut progress)?);
        }
        progress.clear();
        if !args.json {
            print(&format!("\n{}: {}\n{}", bench.name, bench.description, table::table(&records)))?;
        }
        results.extend(records);
    }
    if args.json { print_json(&Document { machine, results }) } else { Ok(()) }
}

impl Args {
    /// Puts what is given in place of the bench's own.
    fn change(&self, scene: &mut Scene) {
        if let Some(threads) = self.threads {
            scene.threads = vec![threads.into()];
        }
        scene.steps = self.steps.map_or(scene.steps, |steps| steps as usize);
        scene.substeps = self.substeps.unwrap_or(scene.substeps);
        scene.levels = self.levels.map_or(scene.levels, usize::from);
    }
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
        let entry = |b: &&Bench| serde_json::json!({ "name": b.name, "description": b.description });
        return print_json(&benches.iter().map(entry).collect::<Vec<_>>());
    }
    let lines: Vec<String> = benches.iter().map(|b| format!("{:<18}{}", b.name, b.description)).collect();
    print(&lines.join("\n"))
}
