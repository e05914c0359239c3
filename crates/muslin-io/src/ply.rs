//! Reads PLY, ASCII and binary, with the `ply-rs-bw` crate.
//!
//! Read: `x y z` and texture coordinates of the element `vertex`, the vertex list and texture
//! coordinates of the element `face`. Other elements and properties are skipped.
//!
//! Limits, from the crate's grammar: ASCII numbers need digits on both sides of a decimal point,
//! and cannot be `nan` or `inf`.

mod vertex;

use glam::Vec2;
use muslin::mesh::TriMesh;
use ply_rs_bw::parser::{self, Parser, Reader};
use ply_rs_bw::ply::{
    DefaultElement, ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult,
    PropertyType, ScalarType,
};

use crate::ParseError;
use crate::polygon::triangulate;
use vertex::{U_NAMES, V_NAMES, VertexRow};

/// The names of the vertex list of a face.
const INDEX_NAMES: [&str; 2] = ["vertex_indices", "vertex_index"];

/// What is kept of an element `face`.
#[derive(Default)]
struct FaceRow {
    vertices: Vec<i64>,
    uvs: Vec<f32>,
}

impl PropertyAccess for FaceRow {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        if name == "texcoord" {
            match property {
                Property::ListFloat(list) => self.uvs = list,
                Property::ListDouble(list) => self.uvs = list.into_iter().map(|x| x as f32).collect(),
                _ => return PropertyAccessResult::UnsupportedType,
            }
        } else if INDEX_NAMES.contains(&name) {
            match property {
                Property::ListChar(list) => self.vertices = list.into_iter().map(i64::from).collect(),
                Property::ListUChar(list) => self.vertices = list.into_iter().map(i64::from).collect(),
                Property::ListShort(list) => self.vertices = list.into_iter().map(i64::from).collect(),
                Property::ListUShort(list) => self.vertices = list.into_iter().map(i64::from).collect(),
                Property::ListInt(list) => self.vertices = list.into_iter().map(i64::from).collect(),
                Property::ListUInt(list) => self.vertices = list.into_iter().map(i64::from).collect(),
                _ => return PropertyAccessResult::UnsupportedType,
            }
        } else {
            return PropertyAccessResult::Ignored;
        }
        PropertyAccessResult::Set
    }
}

/// What is kept of any other element: nothing.
struct SkippedRow;

impl PropertyAccess for SkippedRow {
    fn new() -> Self {
        Self
    }
}

/// Reads a mesh from the content of a PLY file. There are no groups in this format. Texture
/// coordinates are those of the faces, or else those of the vertices.
pub fn parse_ply(content: &[u8]) -> Result<TriMesh, ParseError> {
    let mut reader = Reader::new(content);
    let header =
        Parser::<DefaultElement>::new().read_header(&mut reader).map_err(|error| explain(&error, true))?;
    check_sizes(&header, reader.get_ref().len())?;
    let needs = |element: &str, names: &[&str]| match header.elements.get(element) {
        Some(element) if names.iter().any(|name| element.properties.contains_key(*name)) => Ok(()),
        Some(_) => {
            Err(ParseError::new(None, format!("element {element} has no property {}", names.join(" or "))))
        }
        None if element == "face" && header.elements.contains_key("tristrips") => {
            let message = "the triangles of this file are strips (element tristrips), which cannot be read; save it with \
                           faces (element face)";
            Err(ParseError::new(None, message))
        }
        None => Err(ParseError::new(None, format!("there is no element {element} in this file"))),
    };
    for axis in ["x", "y", "z"] {
        needs("vertex", &[axis])?;
    }
    needs("face", &INDEX_NAMES)?;

    let ascii = header.encoding == Encoding::Ascii;
    let explained = |error: parser::ParseError| explain(&error, ascii);
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for (name, element) in &header.elements {
        let reader = &mut reader;
        match name.as_str() {
            "vertex" => {
                vertices = Parser::<VertexRow>::new()
                    .read_payload_for_element(reader, element, &header)
                    .map_err(explained)?;
            }
            "face" => {
                faces = Parser::<FaceRow>::new()
                    .read_payload_for_element(reader, element, &header)
                    .map_err(explained)?;
            }
            _ => {
                Parser::<SkippedRow>::new()
                    .read_payload_for_element(reader, element, &header)
                    .map_err(explained)?;
            }
        }
    }
    let has_uvs =
        |names: &[&str]| names.iter().any(|name| header.elements["vertex"].properties.contains_key(*name));
    let single = PropertyType::Scalar(ScalarType::Float);
    let is_single = |axis: &str| header.elements["vertex"].properties[axis].data_type == single;
    let double = !["x", "y", "z"].into_iter().all(is_single);
    build(&vertices, &faces, double, has_uvs(&U_NAMES) && has_uvs(&V_NAMES))
}

/// Refuses counts larger than the rest of the file could hold, before anything is allocated for
/// them. Elements without properties take no space, so nothing would bound their count.
fn check_sizes(header: &Header, bytes_left: usize) -> Result<(), ParseError> {
    let mut needed = 0usize;
    for element in header.elements.values() {
        let smallest = smallest_size(element, &header.encoding);
        if smallest == 0 && element.count > 0 {
            return Err(ParseError::new(None, format!("element {} has no properties", element.name)));
        }
        needed = needed.saturating_add(element.count.saturating_mul(smallest));
    }
    // The last ASCII line may do without its line break.
    if needed > bytes_left.saturating_add(1) {
        let message =
            format!("the header asks for at least {needed} bytes of data, but only {bytes_left} follow");
        return Err(ParseError::new(None, message));
    }
    Ok(())
}

/// The fewest bytes that an element can take, its lists being empty.
fn smallest_size(element: &ElementDef, encoding: &Encoding) -> usize {
    let scalar = |kind: &ScalarType| match kind {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    };
    let property = |kind: &PropertyType| match (encoding, kind) {
        (Encoding::Ascii, _) => 2, // a digit and a space or line break
        (_, PropertyType::Scalar(kind) | PropertyType::List(kind, _)) => scalar(kind),
    };
    element.properties.values().map(|definition| property(&definition.data_type)).sum()
}

/// The crate's error in our words: one line, not too long, with the line number only where the
/// file has lines.
fn explain(error: &parser::ParseError, has_lines: bool) -> ParseError {
    let text = error.to_string();
    let prefix = error.line().map(|line| format!("Line {line}: ")).unwrap_or_default();
    let words = text.strip_prefix(&prefix).unwrap_or(&text).split_whitespace().collect::<Vec<_>>().join(" ");
    ParseError::new(error.line().filter(|_| has_lines), words.chars().take(300).collect::<String>())
}

fn build(
    vertices: &[VertexRow],
    faces: &[FaceRow],
    double: bool,
    vertex_uvs: bool,
) -> Result<TriMesh, ParseError> {
    if faces.is_empty() {
        return Err(ParseError::new(None, "there are no faces in this file"));
    }
    let places: Vec<_> = vertices.iter().map(|vertex| vertex.place).collect();
    let mut mesh = match double {
        true => TriMesh::at_places(&places, Vec::new()),
        // As the file has it, so that `muslin check` can see how coarse that is there.
        false => TriMesh::new(places.iter().map(|place| place.as_vec3()).collect(), Vec::new()),
    };
    let face_uvs = faces.iter().all(|face| face.uvs.len() == 2 * face.vertices.len());
    let mut uvs = Vec::new();
    for (f, face) in faces.iter().enumerate() {
        let corners = face_vertices(f, face, vertices.len())?;
        if let &[a, b, c, d] = &*corners {
            mesh.quads.push([a, b, c, d]);
        }
        let places: Vec<_> = corners.iter().map(|&v| mesh.positions[v as usize].as_dvec3()).collect();
        for triangle in triangulate(&places) {
            mesh.triangles.push(triangle.map(|k| corners[k]));
            if face_uvs {
                uvs.push(triangle.map(|k| Vec2::new(face.uvs[2 * k], face.uvs[2 * k + 1])));
            } else if vertex_uvs {
                uvs.push(triangle.map(|k| vertices[corners[k] as usize].uv));
            }
        }
    }
    mesh.uvs = (face_uvs || vertex_uvs).then_some(uvs);
    Ok(mesh)
}

/// The vertices of a face, all in range.
fn face_vertices(index: usize, face: &FaceRow, vertices: usize) -> Result<Vec<u32>, ParseError> {
    if face.vertices.len() < 3 {
        let message = format!("face {index} has {} corners; it needs three", face.vertices.len());
        return Err(ParseError::new(None, message));
    }
    let in_range = |&vertex: &i64| {
        u32::try_from(vertex).ok().filter(|&vertex| (vertex as usize) < vertices).ok_or_else(|| {
            ParseError::new(None, format!("face {index} names vertex {vertex}, but there are {vertices}"))
        })
    };
    face.vertices.iter().map(in_range).collect()
}

#[cfg(test)]
mod tests;
