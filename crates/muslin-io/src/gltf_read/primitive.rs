//! One primitive of a mesh: its triangles and what belongs to its vertices.

use glam::{Vec2, Vec3};

use crate::ParseError;
use crate::gltf_read::MOST_ELEMENTS;
use crate::gltf_read::accessor::Source;
use crate::gltf_read::schema::Primitive;

/// From this weight on a vertex belongs to a group.
const MEMBER: f32 = 0.5;

/// What is read of a primitive. Indices are in range.
pub(super) struct Geometry {
    pub(super) positions: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) uvs: Option<Vec<Vec2>>,
    /// The vertices that are marked to be pinned.
    pub(super) pinned: Vec<u32>,
    /// Vertices and the numbers of the joints of the skin that they belong to.
    pub(super) joints: Vec<(u32, u32)>,
}

/// Reads a primitive; `None` if it has no triangles (points, lines). `budget` is how many elements
/// may still be read, and is lowered.
pub(super) fn read(
    source: &Source,
    primitive: &Primitive,
    skinned: bool,
    budget: &mut usize,
) -> Result<Option<Geometry>, ParseError> {
    let mode = primitive.mode.unwrap_or(4);
    let Some(&position) = primitive.attributes.get("POSITION").filter(|_| matches!(mode, 4..=6)) else {
        return Ok(None);
    };
    let vertices = source.accessor(position)?.count;
    let corners = primitive.indices.map_or(Ok(vertices), |index| Ok(source.accessor(index)?.count))?;
    let spent = vertices.saturating_add(corners.saturating_mul(3));
    let too_many = || ParseError::new(None, format!("more than {MOST_ELEMENTS} vertices and corners"));
    *budget = budget.checked_sub(spent).ok_or_else(too_many)?;

    let positions: Vec<Vec3> =
        source.numbers::<3>(position, &["VEC3"])?.into_iter().map(Vec3::from).collect();
    let indices = match primitive.indices {
        Some(index) => source.indices(index)?,
        None => (0..vertices as u32).collect(),
    };
    if let Some(index) = indices.iter().find(|&&index| index as usize >= vertices) {
        let message = format!("a primitive names vertex {index}, but it has {vertices}");
        return Err(ParseError::new(None, message));
    }
    let uvs = match primitive.attributes.get("TEXCOORD_0") {
        // glTF counts v from the top of the picture.
        Some(&index) => {
            let uvs = source.numbers::<2>(index, &["VEC2"])?;
            Some(same_count(uvs, vertices)?.into_iter().map(|[u, v]| Vec2::new(u, 1.0 - v)).collect())
        }
        None => None,
    };
    let pinned = read_pins(source, primitive, vertices)?;
    let joints = if skinned { read_joints(source, primitive, vertices)? } else { Vec::new() };
    Ok(Some(Geometry { positions, triangles: assemble(&indices, mode), uvs, pinned, joints }))
}

/// The triangles of a list (4), a strip (5) or a fan (6). Strips are continued through triangles
/// without area, which are left out.
fn assemble(indices: &[u32], mode: u32) -> Vec<[u32; 3]> {
    let mut triangles: Vec<[u32; 3]> = match mode {
        5 => {
            let turned =
                |(k, w): (usize, &[u32])| if k % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] };
            indices.windows(3).enumerate().map(turned).collect()
        }
        6 => match indices {
            [centre, rim @ ..] => rim.windows(2).map(|pair| [*centre, pair[0], pair[1]]).collect(),
            [] => Vec::new(),
        },
        _ => return indices.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]).collect(),
    };
    triangles.retain(|[a, b, c]| a != b && b != c && c != a);
    triangles
}

fn read_pins(source: &Source, primitive: &Primitive, vertices: usize) -> Result<Vec<u32>, ParseError> {
    let marked =
        |marks: Vec<bool>| marks.iter().zip(0..).filter(|(mark, _)| **mark).map(|(_, v)| v).collect();
    if let Some(&index) = primitive.attributes.get("_PIN") {
        let weights = source.numbers::<1>(index, &["SCALAR"])?;
        let marks = weights.into_iter().map(|[weight]| weight >= MEMBER).collect();
        return Ok(marked(same_count(marks, vertices)?));
    }
    if let Some(&index) = primitive.attributes.get("COLOR_0") {
        let colours = source.numbers::<3>(index, &["VEC3", "VEC4"])?;
        let red = |[r, g, b]: [f32; 3]| r >= MEMBER && g < MEMBER && b < MEMBER;
        return Ok(marked(same_count(colours.into_iter().map(red).collect(), vertices)?));
    }
    Ok(Vec::new())
}

fn read_joints(
    source: &Source,
    primitive: &Primitive,
    vertices: usize,
) -> Result<Vec<(u32, u32)>, ParseError> {
    let (Some(&joints), Some(&weights)) =
        (primitive.attributes.get("JOINTS_0"), primitive.attributes.get("WEIGHTS_0"))
    else {
        return Ok(Vec::new());
    };
    let joints = same_count(source.numbers::<4>(joints, &["VEC4"])?, vertices)?;
    let weights = same_count(source.numbers::<4>(weights, &["VEC4"])?, vertices)?;
    let mut members = Vec::new();
    for (vertex, (joints, weights)) in (0..).zip(joints.iter().zip(&weights)) {
        let strong = joints.iter().zip(weights).filter(|(_, weight)| **weight >= MEMBER);
        members.extend(strong.map(|(joint, _)| (vertex, *joint as u32)));
    }
    Ok(members)
}

/// Refuses an attribute that has not one element per vertex.
fn same_count<T>(elements: Vec<T>, vertices: usize) -> Result<Vec<T>, ParseError> {
    if elements.len() == vertices {
        return Ok(elements);
    }
    let message = format!("an attribute has {} elements for {vertices} vertices", elements.len());
    Err(ParseError::new(None, message))
}
