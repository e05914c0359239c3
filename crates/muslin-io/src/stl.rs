//! Reads STL, ASCII and binary.
//!
//! The format has no vertices, only triangles with three positions each. Positions that are equal
//! in all bits become one vertex, numbered in the order of the file. Positions that differ by
//! rounding stay apart; [`repair`](muslin::mesh::repair) welds within a tolerance. Normals and
//! the attribute bytes of binary files are skipped. STL has no units: numbers are taken as metres.

use std::collections::BTreeMap;
use std::str::SplitAsciiWhitespace;

use glam::{DVec3, Vec3};
use muslin::mesh::TriMesh;

use crate::ParseError;
use crate::weld::Welder;

/// Bytes before the triangles of a binary file: 80 of comment, 4 of count.
const HEADER: usize = 84;
/// Bytes of a triangle in a binary file: normal, three corners, two attribute bytes.
const FACET: usize = 50;

/// Reads a mesh from the content of an STL file. The names of the solids of an ASCII file become
/// groups of their vertices.
pub fn parse_stl(content: &[u8]) -> Result<TriMesh, ParseError> {
    let count = content.get(HEADER - 4..HEADER).map(|bytes| u32_at(bytes, 0) as usize);
    let binary_size = count.map(|count| HEADER.saturating_add(count.saturating_mul(FACET)));
    // Many binary files begin with "solid" too, so that the size decides where it can.
    let says_solid =
        content.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    match binary_size {
        Some(size) if size == content.len() => parse_binary(&content[HEADER..]),
        _ if says_solid => parse_ascii(&String::from_utf8_lossy(content)),
        Some(size) if size < content.len() => parse_binary(&content[HEADER..size]),
        Some(size) => {
            let message = format!("the header asks for {size} bytes, but the file has {}", content.len());
            Err(ParseError::new(None, message))
        }
        None => Err(ParseError::new(None, "this is neither an ASCII nor a binary STL file")),
    }
}

fn parse_binary(facets: &[u8]) -> Result<TriMesh, ParseError> {
    let mut welder = Welder::default();
    let mut triangles = Vec::with_capacity(facets.len() / FACET);
    for facet in facets.chunks_exact(FACET) {
        let mut corners = [0; 3];
        for (k, corner) in corners.iter_mut().enumerate() {
            let number = |axis: usize| f32::from_bits(u32_at(facet, 12 + 12 * k + 4 * axis));
            let position = Vec3::new(number(0), number(1), number(2));
            *corner = welder.vertex(position.as_dvec3()).ok_or_else(too_many)?;
        }
        triangles.push(corners);
    }
    // In single precision as the file has it, so that `muslin check` can see how coarse that is there.
    let positions = welder.places.iter().map(|place| place.as_vec3()).collect();
    finish(TriMesh::new(positions, triangles), BTreeMap::new())
}

/// A little-endian number. The caller has checked that it lies within.
fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    let mut number = [0; 4];
    number.copy_from_slice(&bytes[offset..offset + 4]);
    u32::from_le_bytes(number)
}

fn parse_ascii(text: &str) -> Result<TriMesh, ParseError> {
    let mut welder = Welder::default();
    let (mut triangles, mut groups) = (Vec::new(), BTreeMap::<String, Vec<u32>>::new());
    let (mut solid, mut loop_corners, mut last_line) = (String::new(), Vec::new(), 0);
    for (line, number) in text.lines().zip(1..) {
        last_line = number;
        let mut words = line.split_ascii_whitespace();
        match words.next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "solid" => solid = words.collect::<Vec<_>>().join(" "),
            "vertex" => {
                let position = position(&mut words, number)?;
                loop_corners.push(welder.vertex(position).ok_or_else(too_many)?);
            }
            "endloop" => {
                let corners: [u32; 3] = loop_corners.as_slice().try_into().map_err(|_| {
                    let message = format!("a facet has three vertices, this has {}", loop_corners.len());
                    ParseError::new(number, message)
                })?;
                triangles.push(corners);
                loop_corners.clear();
                if !solid.is_empty() {
                    // Not the entry API: it would copy the name for every facet.
                    match groups.get_mut(&solid) {
                        Some(members) => members.extend(corners),
                        None => drop(groups.insert(solid.clone(), corners.to_vec())),
                    }
                }
            }
            _ => {}
        }
    }
    if !loop_corners.is_empty() {
        return Err(ParseError::new(last_line, "the file ends within a facet"));
    }
    finish(TriMesh::at_places(&welder.places, triangles), groups)
}

fn position(words: &mut SplitAsciiWhitespace, line: usize) -> Result<DVec3, ParseError> {
    let mut position = [0.0; 3];
    for number in &mut position {
        let word = words.next().ok_or_else(|| ParseError::new(line, "a vertex needs three coordinates"))?;
        *number = word.parse().map_err(|_| {
            ParseError::new(line, format!("'{}' is not a number", word.chars().take(40).collect::<String>()))
        })?;
    }
    Ok(position.into())
}

fn finish(mesh: TriMesh, mut groups: BTreeMap<String, Vec<u32>>) -> Result<TriMesh, ParseError> {
    if mesh.triangles.is_empty() {
        return Err(ParseError::new(None, "there are no triangles in this file"));
    }
    for members in groups.values_mut() {
        members.sort_unstable();
        members.dedup();
    }
    Ok(TriMesh { groups, ..mesh })
}

fn too_many() -> ParseError {
    ParseError::new(None, "more than 2^31 vertices")
}

#[cfg(test)]
mod tests;
