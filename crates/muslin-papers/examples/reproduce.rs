//! Reproduces items and writes their plots: `reproduce [--quick] [--threads N] OUT_DIR ITEM…`.
//!
//! The program `muslin reproduce` does the same with more comfort; this needs the library only.

use std::process::ExitCode;

use muslin_papers::{Options, items, reproduce_with_progress};

fn main() -> ExitCode {
    let mut options = Options::default();
    let mut words = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--threads" => options.threads = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(0),
            _ => words.push(argument),
        }
    }
    let Some((out, names)) = words.split_first().filter(|(_, names)| !names.is_empty()) else {
        eprintln!("usage: reproduce [--quick] [--threads N] OUT_DIR ITEM…\nitems:");
        for item in items() {
            eprintln!("  {}: {} (about {} s)", item.name, item.description, item.seconds);
        }
        return ExitCode::from(2);
    };
    for name in names {
        let start = std::time::Instant::now();
        let report = match reproduce_with_progress(name, &options, &mut |line| eprintln!("{name}: {line}")) {
            Ok(report) => report,
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        };
        println!("{report}(took {:.0} s)\n", start.elapsed().as_secs_f64());
        for (figure, svg) in &report.figures {
            let path = std::path::Path::new(out).join(format!("{figure}.svg"));
            if let Err(error) = std::fs::write(&path, svg) {
                eprintln!("{}: {error}", path.display());
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
