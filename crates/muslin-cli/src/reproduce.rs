//! `muslin reproduce`: the papers' tables and figures, theirs beside ours.

use std::path::PathBuf;

use muslin_io::scene::Backend;
use muslin_papers::{Item, Options, Report, items, reproduce_with_progress};

use crate::backend_argument;
use crate::failure::Failure;
use crate::gpu::{self, Gpu};
use crate::output::{check_folder, create_folder, print, print_json, print_list};
use crate::progress::Progress;

/// Reproduces tables and figures of the papers.
#[derive(clap::Args)]
pub struct Args {
    /// Which tables and figures; all of them if none is named.
    #[arg(value_name = "ITEM")]
    items: Vec<String>,
    /// Print a JSON document: an object for one named item, else an array.
    #[arg(long)]
    pub json: bool,
    /// Write plots (SVG) and pictures (PNG) into this folder; made if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Small versions that take seconds.
    #[arg(long)]
    quick: bool,
    /// Worker threads, 0 for one per core; only times depend on it.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// What computes; only some items run on a GPU.
    #[arg(long, value_parser = backend_argument::cpu_or_gpu(), default_value = "cpu")]
    backend: Backend,
    /// A part of the name of the GPU to use, if there are several.
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// List the items instead.
    #[arg(long)]
    list: bool,
}

/// Runs the reproductions.
pub fn run(args: &Args) -> Result<(), Failure> {
    let chosen = able(choose(&args.items)?, args)?;
    if args.list {
        return list(&chosen, args.json);
    }
    if let Some(folder) = &args.out {
        check_folder(folder)?;
    }
    let gpu = open(args)?;
    let options = Options { quick: args.quick, threads: args.threads.into(), gpu: gpu.as_ref() };
    let mut progress = Progress::new(false);
    let mut reports = Vec::new();
    for item in chosen {
        progress.stage(&format!("{}: {}", item.name, item.description));
        let mut told = |text: &str| progress.stage(&format!("{}: {text}", item.name));
        let report = reproduce_with_progress(item.name, &options, &mut told).map_err(Failure::run)?;
        progress.clear();
        if !args.json {
            print(&report.to_string())?;
        }
        write_figures(args, &report)?;
        reports.push(report);
    }
    match reports.as_slice() {
        _ if !args.json => Ok(()),
        [only] if args.items.len() == 1 => print_json(only),
        all => print_json(&all),
    }
}

/// The items of these names, or all.
fn choose(names: &[String]) -> Result<Vec<&'static Item>, Failure> {
    if names.is_empty() {
        return Ok(items().iter().collect());
    }
    let find = |name: &String| {
        items().iter().find(|item| item.name == name).ok_or_else(|| {
            let known: Vec<&str> = items().iter().map(|item| item.name).collect();
            Failure::input(format!("there is no item '{name}'"))
                .hint(format!("known are {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

/// The items that the back end can run; an error if one was named that it cannot.
fn able(chosen: Vec<&'static Item>, args: &Args) -> Result<Vec<&'static Item>, Failure> {
    if args.backend == Backend::Cpu {
        return Ok(chosen);
    }
    let (able, unable): (Vec<&'static Item>, Vec<&'static Item>) =
        chosen.into_iter().partition(|item| item.gpu);
    match unable.first() {
        Some(item) if !args.items.is_empty() => {
            Err(Failure::input(format!("the item '{}' does not run on a GPU", item.name))
                .hint("use --backend cpu, or leave it out"))
        }
        _ => Ok(able),
    }
}

/// The GPU, if it is to compute.
fn open(args: &Args) -> Result<Option<Gpu>, Failure> {
    match args.backend {
        Backend::Cpu if args.adapter.is_some() => {
            Err(Failure::input("--adapter is about GPUs").hint("add --backend gpu"))
        }
        Backend::Cpu => Ok(None),
        Backend::Gpu | Backend::Auto => Ok(Some(gpu::open(args.adapter.as_deref()).map_err(gpu::failure)?)),
    }
}

fn list(items: &[&Item], json: bool) -> Result<(), Failure> {
    if json {
        let entry = |i: &&Item| serde_json::json!({ "name": i.name, "description": i.description, "seconds": i.seconds, "gpu": i.gpu });
        return print_json(&items.iter().map(entry).collect::<Vec<_>>());
    }
    let row = |i: &&Item| (i.name, format!("{} (about {} s)", i.description, i.seconds));
    print_list(&items.iter().map(row).collect::<Vec<_>>())
}

fn write_figures(args: &Args, report: &Report) -> Result<(), Failure> {
    let Some(folder) = &args.out else { return Ok(()) };
    create_folder(folder)?;
    let write = |name: String, bytes: &[u8]| -> Result<(), Failure> {
        let path = folder.join(name);
        muslin_io::write_atomically(&path, |file| file.write_all(bytes))?;
        eprintln!("wrote {}", path.display());
        Ok(())
    };
    for (name, svg) in &report.figures {
        write(format!("{name}.svg"), svg.as_bytes())?;
    }
    for (name, picture) in &report.pictures {
        write(format!("{name}.png"), &picture.to_png().map_err(Failure::run)?)?;
    }
    Ok(())
}
