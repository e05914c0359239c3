//! Pictures of panels, compared with those in `tests/pictures/`. `MUSLIN_WRITE_PICTURES=1` stores them anew: look at them then.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

/// How many of a thousand pixels may be visibly another: glyphs are rounded in other ways on other devices.
const OTHERS: usize = 5;
/// From which difference of a channel a pixel is another.
const VISIBLY: u8 = 24;

/// What is wrong with a picture (RGBA, row by row), or nothing. What it is like then lies in `target/`, for looking at it.
pub fn differs(name: &str, size: [u32; 2], pixels: &[u8]) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let path = folder.join(format!("{name}.png"));
    if std::env::var_os("MUSLIN_WRITE_PICTURES").is_some() {
        write(&path, size, pixels);
        return None;
    }
    let (stored_size, stored) = match read(&path) {
        Ok(read) => read,
        Err(error) => return Some(format!("{}: {error}", path.display())),
    };
    let another = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > VISIBLY);
    let others = pixels.chunks(4).zip(stored.chunks(4)).filter(|pair| another(*pair)).count();
    let allowed = pixels.len() / 4 * OTHERS / 1000;
    if stored_size == size && others <= allowed {
        return None;
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../target")
        .join(format!("other-{}.png", name.replace('/', "-")));
    write(&beside, size, pixels);
    Some(format!("{name}: {others} pixels differ, {allowed} may; see {}", beside.display()))
}

fn write(path: &Path, size: [u32; 2], pixels: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut encoder = png::Encoder::new(File::create(path).unwrap(), size[0], size[1]);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::High);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
}

fn read(path: &Path) -> Result<([u32; 2], Vec<u8>), Box<dyn std::error::Error>> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path)?)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("too large")?];
    let info = reader.next_frame(&mut pixels)?;
    Ok(([info.width, info.height], pixels))
}
