//! Files that come out: written beside where the viewer was started, or downloaded by a page. What happened is said in a sentence.

use crate::session::SavedFile;

/// Stores a file under a name that is not taken yet.
#[cfg(not(target_arch = "wasm32"))]
pub fn keep(file: &SavedFile) -> String {
    use std::io::Write;
    let folder = std::env::current_dir().unwrap_or_default();
    let (stem, extension) = file.name.rsplit_once('.').unwrap_or((&file.name, ""));
    for number in 1..1000 {
        let name = if number == 1 { file.name.clone() } else { format!("{stem}-{number}.{extension}") };
        let path = folder.join(&name);
        // Made only if it is new, so that nothing is ever written over.
        match std::fs::File::create_new(&path).and_then(|mut made| made.write_all(&file.content)) {
            Ok(()) => return format!("Saved as {}", path.display()),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return format!("{} cannot be written: {error}", path.display()),
        }
    }
    format!("{} is there a thousand times already", file.name)
}

/// Lets the browser download a file.
#[cfg(target_arch = "wasm32")]
pub fn keep(file: &SavedFile) -> String {
    match crate::web::download(file) {
        Ok(()) => format!("Downloaded as {}", file.name),
        Err(_) => format!("The browser does not take {}", file.name),
    }
}
