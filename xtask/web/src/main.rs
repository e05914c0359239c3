//! `muslin-web IN.wasm FOLDER`: writes `NAME.js` and `NAME_bg.wasm` into the folder, for `<script type="module">`, and prints their sizes.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use flate2::{Compression, write::GzEncoder};
use wasm_bindgen_cli_support::Bindgen;

/// The most that a visitor may have to load, bytes compressed.
const MOST: usize = 8 << 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder] = arguments.as_slice() else {
        eprintln!("usage: muslin-web IN.wasm FOLDER");
        return ExitCode::from(2);
    };
    match make(Path::new(input), Path::new(folder)) {
        Ok(size) if size <= MOST => ExitCode::SUCCESS,
        Ok(_) => {
            eprintln!("web: that is more than {} MB to load", MOST >> 20);
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("web: {input}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Makes the files; the answer is how much there is to load, compressed.
fn make(input: &Path, folder: &Path) -> Result<usize, Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).web(true)?.omit_default_module_path(false).typescript(false);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(folder)?;
    let mut sum = 0;
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(std::fs::DirEntry::path);
    for file in files.iter().filter(|file| file.path().is_file()) {
        let content = std::fs::read(file.path())?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&content)?;
        let compressed = encoder.finish()?.len();
        sum += compressed;
        let megabytes = |bytes: usize| bytes as f64 / 1e6;
        let name = file.file_name();
        println!(
            "web: {:8.3} MB, {:8.3} MB gzip  {}",
            megabytes(content.len()),
            megabytes(compressed),
            name.display()
        );
    }
    Ok(sum)
}
