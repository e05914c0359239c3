//! ZIP archives without compression, written in one pass: the checksum of a file follows it.
//!
//! Sizes are always stored in 64 bits (ZIP64), as NumPy does, so that there is one code path.
//! Written here because the `zip` crate, which reads our archives in the tests, brings more than
//! these hundred lines.

use std::io::{self, BufWriter, Write};

/// Needed to read: version 4.5, the first with ZIP64.
const VERSION: u16 = 45;
/// The checksum and sizes follow the data.
const FLAGS: u16 = 1 << 3;
/// The first of January 1980: archives of equal content are equal.
const DATE: u16 = 1 << 5 | 1;
/// "See the ZIP64 field."
const ELSEWHERE: u32 = u32::MAX;

/// A file in the archive.
struct Entry {
    name: String,
    size: u64,
    checksum: u32,
    offset: u64,
}

/// An archive being written.
pub(super) struct ZipWriter<'a> {
    out: &'a mut dyn Write,
    offset: u64,
    entries: Vec<Entry>,
}

impl<'a> ZipWriter<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, offset: 0, entries: Vec::new() }
    }

    /// Adds a file of exactly `size` bytes.
    pub(super) fn file(
        &mut self,
        name: &str,
        size: u64,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let offset = self.offset;
        let mut header = Vec::new();
        header.extend_from_slice(b"PK\x03\x04");
        append_u16(&mut header, &[VERSION, FLAGS, 0, 0, DATE]);
        append_u32(&mut header, &[0, ELSEWHERE, ELSEWHERE]);
        append_u16(&mut header, &[name.len() as u16, 20]);
        header.extend_from_slice(name.as_bytes());
        append_u16(&mut header, &[1, 16]);
        append_u64(&mut header, &[0, 0]);
        self.append(&header)?;

        // Summing up goes much faster in large pieces.
        let counter = Counter { out: self.out, written: 0, hasher: crc32fast::Hasher::new() };
        let mut buffered = BufWriter::with_capacity(1 << 16, counter);
        write(&mut buffered)?;
        let counter = buffered.into_inner()?;
        let (written, checksum) = (counter.written, counter.hasher.finalize());
        if written != size {
            return Err(io::Error::other(format!("{name}: {written} bytes written instead of {size}")));
        }
        self.offset += written;
        let mut descriptor = b"PK\x07\x08".to_vec();
        append_u32(&mut descriptor, &[checksum]);
        append_u64(&mut descriptor, &[size, size]);
        self.entries.push(Entry { name: name.to_owned(), size, checksum, offset });
        self.append(&descriptor)
    }

    /// Writes the list of files, which makes the archive readable.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let mut list = Vec::new();
        for Entry { name, size, checksum, offset } in &self.entries {
            list.extend_from_slice(b"PK\x01\x02");
            append_u16(&mut list, &[VERSION, VERSION, FLAGS, 0, 0, DATE]);
            append_u32(&mut list, &[*checksum, ELSEWHERE, ELSEWHERE]);
            append_u16(&mut list, &[name.len() as u16, 28, 0, 0, 0]);
            append_u32(&mut list, &[0, ELSEWHERE]);
            list.extend_from_slice(name.as_bytes());
            append_u16(&mut list, &[1, 24]);
            append_u64(&mut list, &[*size, *size, *offset]);
        }
        let (start, size, count) = (self.offset, list.len() as u64, self.entries.len());
        list.extend_from_slice(b"PK\x06\x06");
        append_u64(&mut list, &[44]);
        append_u16(&mut list, &[VERSION, VERSION]);
        append_u32(&mut list, &[0, 0]);
        append_u64(&mut list, &[count as u64, count as u64, size, start]);
        list.extend_from_slice(b"PK\x06\x07");
        append_u32(&mut list, &[0]);
        append_u64(&mut list, &[start + size]);
        append_u32(&mut list, &[1]);
        list.extend_from_slice(b"PK\x05\x06");
        append_u16(&mut list, &[0, 0, count as u16, count as u16]);
        append_u32(&mut list, &[ELSEWHERE, ELSEWHERE]);
        append_u16(&mut list, &[0]);
        self.append(&list)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.offset += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// Passes bytes on, counted and summed up.
struct Counter<'a> {
    out: &'a mut dyn Write,
    written: u64,
    hasher: crc32fast::Hasher,
}

impl Write for Counter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.written += count as u64;
        self.hasher.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn append_u16(out: &mut Vec<u8>, numbers: &[u16]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

fn append_u32(out: &mut Vec<u8>, numbers: &[u32]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

fn append_u64(out: &mut Vec<u8>, numbers: &[u64]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}
