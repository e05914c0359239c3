//! NumPy archives: where in a ZIP file the numbers of each array are. Nothing is compressed in those that are read.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::wrong;

/// The list of files is at the end, before a comment of at most so many bytes.
const LONGEST_END: u64 = 66_000;
const LONGEST_LIST: u64 = 1 << 20;

/// An array in an archive.
#[derive(Clone, Debug)]
pub struct Array {
    /// Of its first number in the file.
    pub offset: u64,
    /// `<f4`, `<f8` or `<i4`.
    pub kind: String,
    /// Its lengths.
    pub shape: Vec<usize>,
}

impl Array {
    /// Bytes of a number.
    pub fn size(&self) -> u64 {
        if self.kind.ends_with('8') { 8 } else { 4 }
    }

    /// How many numbers there are.
    pub fn count(&self) -> Option<u64> {
        self.shape.iter().try_fold(1u64, |count, &length| count.checked_mul(length as u64))
    }

    /// Numbers from one on. They are checked to be in the file.
    pub fn numbers(&self, file: &mut File, first: u64, count: u64) -> io::Result<Vec<f64>> {
        let all = self.count().unwrap_or(u64::MAX);
        if first.checked_add(count).is_none_or(|end| end > all) {
            return wrong("an array is shorter than it should be");
        }
        let length = file.metadata()?.len();
        let begin = self.offset + first * self.size();
        if begin.checked_add(count * self.size()).is_none_or(|end| end > length) {
            return wrong("an array reaches beyond the end of the file");
        }
        file.seek(SeekFrom::Start(begin))?;
        let mut bytes = vec![0; (count * self.size()) as usize];
        file.read_exact(&mut bytes)?;
        let four = |b: &[u8]| [b[0], b[1], b[2], b[3]];
        Ok(match self.kind.as_str() {
            "<f8" => {
                let eight = |b: &[u8]| f64::from_le_bytes(std::array::from_fn(|i| b[i]));
                bytes.chunks_exact(8).map(eight).collect()
            }
            "<i4" => bytes.chunks_exact(4).map(|b| f64::from(i32::from_le_bytes(four(b)))).collect(),
            _ => bytes.chunks_exact(4).map(|b| f64::from(f32::from_le_bytes(four(b)))).collect(),
        })
    }
}

/// The arrays of an archive by name.
pub fn arrays(path: &Path) -> io::Result<(File, BTreeMap<String, Array>)> {
    let mut file = File::open(path)?;
    let mut arrays = BTreeMap::new();
    for (name, offset) in entries(&mut file)? {
        let Some(name) = name.strip_suffix(".npy") else { continue };
        arrays.insert(name.to_owned(), array(&mut file, offset)?);
    }
    Ok((file, arrays))
}

/// Names, and where their local headers are.
fn entries(file: &mut File) -> io::Result<Vec<(String, u64)>> {
    let length = file.metadata()?.len();
    let tail_at = length.saturating_sub(LONGEST_END);
    let tail = bytes_at(file, tail_at, length - tail_at)?;
    let end = tail.windows(4).rposition(|four| four == b"PK\x05\x06");
    let Some(end) = end.filter(|end| end + 22 <= tail.len()) else {
        return wrong("this is not a NumPy archive");
    };
    let (mut at, mut size) = (u64::from(u32_at(&tail, end + 16)?), u64::from(u32_at(&tail, end + 12)?));
    if let Some(locator) = end.checked_sub(20).filter(|&at| tail[at..].starts_with(b"PK\x06\x07")) {
        let record = bytes_at(file, u64_at(&tail, locator + 8)?, 56)?;
        (size, at) = (u64_at(&record, 40)?, u64_at(&record, 48)?);
    }
    if size > LONGEST_LIST {
        return wrong("its list of arrays is too long");
    }
    let list = bytes_at(file, at, size)?;
    let (mut entries, mut at) = (Vec::new(), 0);
    while list.get(at..at + 4).is_some_and(|four| four == b"PK\x01\x02") {
        let lengths = [28, 30, 32].map(|offset| u16_at(&list, at + offset));
        let [name, extra, comment] = lengths;
        let (name, extra, comment) = (usize::from(name?), usize::from(extra?), usize::from(comment?));
        if u16_at(&list, at + 10)? != 0 {
            return wrong("its arrays are compressed; only archives that are not are read");
        }
        let text = list.get(at + 46..at + 46 + name).unwrap_or_default();
        let mut offset = u64::from(u32_at(&list, at + 42)?);
        if offset == u64::from(u32::MAX) {
            // Of 64 bits: after the two sizes where these are too.
            let extras = list.get(at + 46 + name..at + 46 + name + extra).unwrap_or_default();
            offset = u64_at(extras, usize::from(u16_at(extras, 2)?) + 4 - 8)?;
        }
        entries.push((String::from_utf8_lossy(text).into_owned(), offset));
        at += 46 + name + extra + comment;
    }
    Ok(entries)
}

/// The array behind a local header.
fn array(file: &mut File, header: u64) -> io::Result<Array> {
    let local = bytes_at(file, header, 30)?;
    let start = header + 30 + u64::from(u16_at(&local, 26)?) + u64::from(u16_at(&local, 28)?);
    let begin = bytes_at(file, start, 12)?;
    if !begin.starts_with(b"\x93NUMPY") {
        return wrong("an array has no header");
    }
    let (length, skipped) = match begin[6] {
        1 => (u64::from(u16_at(&begin, 8)?), 10),
        _ => (u64::from(u32_at(&begin, 8)?), 12),
    };
    if length > 10_000 {
        return wrong("an array has too long a header");
    }
    let text = bytes_at(file, start + skipped, length)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let after = |key: &str| text.split_once(key).map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    let kind = after("'descr': '").chars().take_while(|c| *c != '\'').collect::<String>();
    if !["<f4", "<f8", "<i4"].contains(&kind.as_str()) {
        return wrong(format!("an array has numbers of the kind {kind:?}"));
    }
    if text.contains("'fortran_order': True") {
        return wrong("an array is stored column by column");
    }
    let shape = after("'shape': (");
    let shape = shape.split(')').next().unwrap_or_default().split(',');
    let shape = shape.filter_map(|length| length.trim().parse().ok()).collect();
    Ok(Array { offset: start + skipped + length, kind, shape })
}

fn bytes_at(file: &mut File, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let all = file.metadata()?.len();
    if offset.checked_add(length).is_none_or(|end| end > all) {
        return wrong("it ends too early");
    }
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = vec![0; length as usize];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> io::Result<[u8; N]> {
    let part = bytes.get(at..).and_then(|rest| rest.first_chunk::<N>()).copied();
    part.map_or_else(|| wrong("it ends too early"), Ok)
}

fn u16_at(bytes: &[u8], at: usize) -> io::Result<u16> {
    number(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> io::Result<u32> {
    number(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> io::Result<u64> {
    number(bytes, at).map(u64::from_le_bytes)
}
