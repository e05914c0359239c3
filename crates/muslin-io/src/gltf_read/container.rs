//! The container of a `.glb` file: a header, a chunk of JSON, perhaps a chunk of bytes.

use crate::ParseError;
use crate::gltf_read::failed;

/// The JSON and the binary chunk of a file, or all of it as JSON if it is not a GLB container.
pub(super) fn split(content: &[u8]) -> Result<(&[u8], Option<&[u8]>), ParseError> {
    if !content.starts_with(b"glTF") {
        return Ok((content, None));
    }
    let (Some(version), Some(length)) = (u32_at(content, 4), u32_at(content, 8)) else {
        return failed("the GLB header is cut short");
    };
    if version != 2 {
        return failed(format!("this is GLB version {version}; only version 2 is read"));
    }
    let Some(mut rest) = content.get(..length as usize).and_then(|content| content.get(12..)) else {
        return failed(format!("the GLB header asks for {length} bytes, but the file has {}", content.len()));
    };
    let (mut json, mut binary) = (None, None);
    while !rest.is_empty() {
        let chunk = u32_at(rest, 0).zip(u32_at(rest, 4));
        let body = chunk.and_then(|(length, _)| rest.get(8..)?.get(..length as usize));
        let (Some((_, kind)), Some(body)) = (chunk, body) else {
            return failed("a GLB chunk is longer than the file");
        };
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(body),
            b"BIN\0" if binary.is_none() => binary = Some(body),
            _ => {}
        }
        rest = &rest[8 + body.len()..];
    }
    match json {
        Some(json) => Ok((json, Some(binary.unwrap_or_default()))),
        None => failed("the GLB file has no JSON chunk"),
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..)?.get(..4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}
