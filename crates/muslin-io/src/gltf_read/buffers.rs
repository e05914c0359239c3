//! The bytes of the buffers: from the GLB container, from the text itself, or from files in the
//! same folder.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::ParseError;
use crate::gltf_read::failed;
use crate::gltf_read::schema::Root;
use crate::regular;

/// Loads every buffer, at least as long as the document says. What is read from other files is taken off
/// `bytes_left`, before memory is taken.
pub(super) fn load<'a>(
    root: &Root,
    binary: Option<&'a [u8]>,
    folder: Option<&Path>,
    bytes_left: &mut u64,
) -> Result<Vec<Cow<'a, [u8]>>, ParseError> {
    let mut buffers = Vec::new();
    for (b, buffer) in root.buffers.iter().enumerate() {
        let wrong = |problem: String| ParseError::new(None, format!("buffers[{b}]: {problem}"));
        let bytes: Cow<[u8]> = match (&buffer.uri, binary) {
            (None, Some(binary)) if b == 0 => Cow::Borrowed(binary),
            (None, _) => return failed(format!("buffers[{b}] has no data in this file and no uri")),
            (Some(uri), _) => match uri.strip_prefix("data:") {
                Some(data) => Cow::Owned(decode_data(data).map_err(wrong)?),
                None => {
                    let length = buffer.byte_length as u64;
                    *bytes_left = bytes_left.checked_sub(length).ok_or_else(|| {
                        let left = *bytes_left;
                        wrong(format!("{length} bytes in another file, but only {left} more may be read"))
                    })?;
                    Cow::Owned(read_file(uri, buffer.byte_length, folder).map_err(wrong)?)
                }
            },
        };
        if bytes.len() < buffer.byte_length {
            let (has, needs) = (bytes.len(), buffer.byte_length);
            return Err(wrong(format!("{needs} bytes are announced, but there are {has}")));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// The bytes of a `data:` address, without that prefix.
fn decode_data(data: &str) -> Result<Vec<u8>, String> {
    let Some((_, text)) = data.split_once(";base64,") else {
        return Err("the data is not in base64".to_owned());
    };
    STANDARD.decode(text).map_err(|error| format!("the data is not in base64: {error}"))
}

/// The first `length` bytes of a file in the folder of the document.
fn read_file(uri: &str, length: usize, folder: Option<&Path>) -> Result<Vec<u8>, String> {
    let shown: String = uri.chars().take(100).collect();
    let outside = || format!("'{shown}' is not a file in the folder of the glTF file");
    let path = PathBuf::from(percent_decoded(uri).ok_or_else(outside)?);
    // On every system, whatever its own rules: no scheme, no drive, no way up.
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let folder = folder.filter(|_| plain && !uri.contains([':', '\\', '\0'])).ok_or_else(outside)?;
    // A link could still lead away.
    let says = |error: std::io::Error| format!("'{shown}': {error}");
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let full = folder.join(path).canonicalize().map_err(says)?;
    if !full.starts_with(folder.canonicalize().map_err(says)?) {
        return Err(outside());
    }
    let size = regular::size(&full).map_err(says)?;
    if size < length as u64 {
        return Err(format!("'{shown}' has {size} bytes, {length} are needed"));
    }
    let file = File::open(full).map_err(says)?;
    let mut bytes = Vec::with_capacity(length);
    file.take(length as u64).read_to_end(&mut bytes).map_err(says)?;
    Ok(bytes)
}

/// Text with `%20` and the like replaced by what they stand for.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first == b'%' {
            let (code, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_codes() {
        assert_eq!(percent_decoded("a%20b%C3%A9").as_deref(), Some("a bé"));
        assert_eq!(percent_decoded("%2"), None);
        assert_eq!(percent_decoded("%é"), None);
        assert_eq!(percent_decoded("%ff"), None);
    }

    #[test]
    fn ways_out_of_the_folder_are_refused() {
        let folder = std::env::temp_dir();
        let encoded = ["../x", "/etc/passwd", "a/../../x", "%2e%2e/x", "file:///x", "C:\\x", "..\\x", "a\0"];
        for uri in encoded {
            let error = read_file(uri, 0, Some(&folder)).unwrap_err();
            assert!(error.ends_with("is not a file in the folder of the glTF file"), "{uri}: {error}");
        }
        assert!(read_file("x", 0, None).is_err());
    }
}
