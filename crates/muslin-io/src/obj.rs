//! Reads Wavefront OBJ.
//!
//! Written here rather than taken from the `tobj` crate, because `tobj` gives errors without line
//! numbers, splits the vertices among the objects of a file, and so loses the numbering by which
//! users know their vertices. Here there is one vertex per `v` line, in the order of the file.
//!
//! Read: `v`, `vt`, `f` (any polygon, indices from the front or the back), `g`, `o`. Everything
//! else (normals, materials, curves, the extensions of research codes) is skipped.

use std::collections::BTreeMap;
use std::str::{FromStr, SplitAsciiWhitespace};

use glam::{DVec3, Vec2};
use muslin::mesh::TriMesh;

use crate::ParseError;
use crate::polygon::triangulate;

/// More names on one `g` line are refused: each face would be entered under all of them.
const MOST_GROUP_NAMES: usize = 32;

/// A face as read; indices from 0, possibly still out of range.
struct Face {
    line: usize,
    /// Its corners in [`Reader::corners`].
    corners: std::ops::Range<usize>,
    /// Its groups in [`Reader::selections`].
    selection: usize,
}

/// Vertex and texture coordinate of a corner.
#[derive(Clone, Copy)]
struct Corner {
    vertex: usize,
    uv: Option<usize>,
}

#[derive(Default)]
struct Reader {
    places: Vec<DVec3>,
    uvs: Vec<Vec2>,
    corners: Vec<Corner>,
    faces: Vec<Face>,
    /// Each combination of object and groups that was in force, as names.
    selections: Vec<Vec<String>>,
    object: Option<String>,
    groups: Vec<String>,
}

/// Reads a mesh from the content of an OBJ file. Texture coordinates are kept if every corner of
/// every face has some. Objects and groups become groups of the vertices that their faces name,
/// ascending.
pub fn parse_obj(content: &[u8]) -> Result<TriMesh, ParseError> {
    let mut reader = Reader { selections: vec![Vec::new()], ..Reader::default() };
    let text = String::from_utf8_lossy(content);
    let mut lines = text.lines().zip(1..);
    while let Some((first, number)) = lines.next() {
        // A backslash at the end joins a line with the next.
        let mut joined = String::new();
        let mut line = first;
        while let Some(start) = line.trim_end().strip_suffix('\\') {
            joined.push_str(start);
            joined.push(' ');
            line = lines.next().map_or("", |(next, _)| next);
        }
        if joined.is_empty() {
            reader.read_line(first, number)?;
        } else {
            joined.push_str(line);
            reader.read_line(&joined, number)?;
        }
    }
    reader.finish()
}

impl Reader {
    fn read_line(&mut self, line: &str, number: usize) -> Result<(), ParseError> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let [x, y, z] = numbers(&mut words, number, "a vertex needs three coordinates")?;
                self.places.push(DVec3::new(x, y, z));
            }
            Some("vt") => {
                // The second coordinate may be left out in one-dimensional textures.
                let [u] = numbers(&mut words, number, "a texture coordinate needs a number")?;
                let v = if words.clone().next().is_some() { numbers(&mut words, number, "")? } else { [0.0] };
                self.uvs.push(Vec2::new(u, v[0]));
            }
            Some("f") => self.read_face(words, number)?,
            Some("o") => {
                self.object = Some(words.collect::<Vec<_>>().join(" ")).filter(|name| !name.is_empty());
                self.select();
            }
            Some("g") => {
                self.groups = words.take(MOST_GROUP_NAMES + 1).map(str::to_owned).collect();
                if self.groups.len() > MOST_GROUP_NAMES {
                    let message = format!("more than {MOST_GROUP_NAMES} groups on one line");
                    return Err(ParseError::new(number, message));
                }
                self.select();
            }
            _ => {}
        }
        Ok(())
    }

    /// Puts the present object and groups in force for the faces that follow.
    fn select(&mut self) {
        let mut names = self.groups.clone();
        names.extend(self.object.clone());
        self.selections.push(names);
    }

    fn read_face(&mut self, words: SplitAsciiWhitespace, line: usize) -> Result<(), ParseError> {
        let first = self.corners.len();
        for word in words {
            let mut parts = word.split('/');
            let vertex = resolve(parts.next().unwrap_or_default(), self.places.len(), line)?;
            let uv = match parts.next().filter(|part| !part.is_empty()) {
                Some(part) => Some(resolve(part, self.uvs.len(), line)?),
                None => None,
            };
            self.corners.push(Corner { vertex, uv });
        }
        let corners = first..self.corners.len();
        if corners.len() < 3 {
            return Err(ParseError::new(
                line,
                format!("a face needs three corners, this has {}", corners.len()),
            ));
        }
        self.faces.push(Face { line, corners, selection: self.selections.len() - 1 });
        Ok(())
    }

    fn finish(self) -> Result<TriMesh, ParseError> {
        if self.faces.is_empty() {
            return Err(ParseError::new(None, "there are no faces in this file"));
        }
        let mesh = TriMesh::at_places(&self.places, Vec::new());
        let has_uvs = self.corners.iter().all(|corner| corner.uv.is_some());
        let mut triangles = Vec::with_capacity(self.faces.len());
        let (mut uvs, mut quads) = (Vec::new(), Vec::new());
        let mut groups: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for face in &self.faces {
            let corners = &self.corners[face.corners.clone()];
            self.check_face(face, corners)?;
            let places: Vec<_> = corners.iter().map(|c| mesh.positions[c.vertex].as_dvec3()).collect();
            if let &[a, b, c, d] = corners {
                quads.push([a, b, c, d].map(|corner| corner.vertex as u32));
            }
            for triangle in triangulate(&places) {
                triangles.push(triangle.map(|k| corners[k].vertex as u32));
                if has_uvs {
                    uvs.push(triangle.map(|k| corners[k].uv.map_or(Vec2::ZERO, |uv| self.uvs[uv])));
                }
            }
            for name in &self.selections[face.selection] {
                // Not the entry API: it would copy the name for every face.
                if !groups.contains_key(name) {
                    groups.insert(name.clone(), Vec::new());
                }
                if let Some(members) = groups.get_mut(name) {
                    members.extend(corners.iter().map(|corner| corner.vertex as u32));
                }
            }
        }
        for members in groups.values_mut() {
            members.sort_unstable();
            members.dedup();
        }
        let uvs = has_uvs.then_some(uvs);
        Ok(TriMesh { triangles, quads, uvs, groups, ..mesh })
    }

    /// Only now is it known how many vertices there are: faces may come before their vertices.
    fn check_face(&self, face: &Face, corners: &[Corner]) -> Result<(), ParseError> {
        let too_large = |what: &str, index: usize, count: usize| {
            let message = format!("the face names {what} {}, but there are only {count}", index + 1);
            Err(ParseError::new(face.line, message))
        };
        for corner in corners {
            if corner.vertex >= self.places.len() || u32::try_from(corner.vertex).is_err() {
                return too_large("vertex", corner.vertex, self.places.len());
            }
            if let Some(uv) = corner.uv.filter(|&uv| uv >= self.uvs.len()) {
                return too_large("texture coordinate", uv, self.uvs.len());
            }
        }
        Ok(())
    }
}

/// The next `N` numbers of a line. Numbers that are not finite are let through: it is for the
/// validation to name them all.
fn numbers<T: FromStr + Default + Copy, const N: usize>(
    words: &mut SplitAsciiWhitespace,
    line: usize,
    needed: &str,
) -> Result<[T; N], ParseError> {
    let mut numbers = [T::default(); N];
    for number in &mut numbers {
        let word = words.next().ok_or_else(|| ParseError::new(line, needed))?;
        *number =
            word.parse().map_err(|_| ParseError::new(line, format!("'{}' is not a number", short(word))))?;
    }
    Ok(numbers)
}

/// An index from 0: the file counts from 1, or with a minus sign from the end of the list so far.
fn resolve(word: &str, so_far: usize, line: usize) -> Result<usize, ParseError> {
    let wrong = |problem: &str| ParseError::new(line, format!("'{}' {problem}", short(word)));
    let index: i64 = word.parse().map_err(|_| wrong("is not an index"))?;
    match usize::try_from(index.unsigned_abs()) {
        Ok(0) => Err(wrong("is not an index: they count from 1")),
        Ok(back) if index < 0 => {
            so_far.checked_sub(back).ok_or_else(|| wrong("reaches back before the first one"))
        }
        Ok(index) => Ok(index - 1),
        Err(_) => Err(wrong("is too large")),
    }
}

/// At most the first 40 characters of a word, for messages.
fn short(word: &str) -> String {
    word.chars().take(40).collect()
}

#[cfg(test)]
mod tests;
