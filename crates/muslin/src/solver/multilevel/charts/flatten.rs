//! Charts of a curved rest shape: each patch flattened as rigidly as possible.
//!
//! Input: the rest mesh. Output: chart positions. The energy Σ A |J − R|² over triangles (A area at rest, J the map of
//! the triangle into the plane, R the nearest rotation) is lowered in turns: R for given positions (local), positions
//! for given R (global: one sparse symmetric matrix, factorised once); Liu et al. 2008. The start is the conformal map
//! of least squares (Lévy et al. 2002), which is exact already where the cloth is developable.

use glam::{DMat2, DVec2};

use super::distortion::local_frame;
use super::patches::Connections;
use super::uvs::{self, checked_area};
use super::{ChartError, Charts, NONE};
use crate::cloth::threads::weft_directions;
use crate::mesh::{Topology, TriMesh};

mod conformal;
mod system;

use system::System;

/// Turns of the local and the global step at the most, and the share of the size below which a move ends them.
const TURNS: usize = 500;
const SETTLED: f64 = 1e-9;

/// A triangle of a patch.
pub(super) struct Element {
    /// Its corners among the patch's places.
    pub corners: [usize; 3],
    /// At rest in its own plane.
    pub frame: [DVec2; 3],
    /// m².
    pub area: f64,
    /// The gradients of the weights of the corners in that plane.
    pub gradients: [DVec2; 3],
}

/// Flattens every patch, cut where texture coordinates are.
pub(super) fn charts(mesh: &TriMesh, topology: &Topology) -> Result<Charts, ChartError> {
    let connections = match mesh.uvs {
        Some(_) => uvs::connections(mesh, topology)?,
        None => Connections::new(mesh, topology, |_, _| true),
    };
    let weft = weft_directions(mesh);
    let mut members = vec![Vec::new(); connections.patch_count];
    for (t, &patch) in connections.patch_of.iter().enumerate() {
        members[patch as usize].push(t);
    }
    let mut local = vec![usize::MAX; connections.place_vertex.len()];
    let mut uvs = vec![[DVec2::ZERO; 3]; mesh.triangles.len()];
    for triangles in &members {
        let count = number_places(&connections, triangles, &mut local);
        check_disk(&connections, triangles, count)?;
        let corners = |t: usize| connections.places[t].map(|place| local[place as usize]);
        let elements: Result<Vec<Element>, ChartError> =
            triangles.iter().map(|&t| element(mesh, t, corners(t))).collect();
        let elements = elements?;
        let mut flat = flatten(&elements, count).ok_or(ChartError::NotADisk { triangle: triangles[0] })?;
        let frames = triangles.iter().map(|&t| in_frame(mesh, t, weft[t]));
        turn_to_weft(&elements, frames, &mut flat);
        for (element, &triangle) in elements.iter().zip(triangles) {
            uvs[triangle] = element.corners.map(|k| flat[k]);
            if checked_area(&uvs[triangle]).is_none_or(|area| area < 0.0) {
                return Err(ChartError::Flipped { triangle });
            }
        }
    }
    Ok(Charts::assembled(mesh, uvs, connections))
}

/// Numbers the places of a patch in the order of its triangles; returns how many there are.
fn number_places(connections: &Connections, triangles: &[usize], local: &mut [usize]) -> usize {
    let mut count = 0;
    for &place in triangles.iter().flat_map(|&t| &connections.places[t]) {
        let number = &mut local[place as usize];
        if *number == usize::MAX {
            *number = count;
            count += 1;
        }
    }
    count
}

/// Refuses a patch that is no disk with holes: with b loops of outline it must have Euler number 2 − b, and b ≥ 1.
fn check_disk(connections: &Connections, triangles: &[usize], places: usize) -> Result<(), ChartError> {
    let mut next = std::collections::BTreeMap::new();
    for &t in triangles {
        for k in (0..3).filter(|&k| connections.neighbours[t][k] == NONE) {
            next.insert(connections.places[t][k], connections.places[t][(k + 1) % 3]);
        }
    }
    let outline = next.len();
    let mut loops = 0;
    while let Some((start, mut here)) = next.pop_first() {
        while here != start {
            // Triangles that are not turned the same way: the outline does not run on.
            here = next.remove(&here).ok_or(ChartError::NotADisk { triangle: triangles[0] })?;
        }
        loops += 1;
    }
    let edges = (3 * triangles.len() + outline) / 2;
    // V − E + F = 2 − b
    if loops == 0 || places + triangles.len() + loops != 2 + edges {
        return Err(ChartError::NotADisk { triangle: triangles[0] });
    }
    Ok(())
}

fn element(mesh: &TriMesh, triangle: usize, corners: [usize; 3]) -> Result<Element, ChartError> {
    let frame = local_frame(mesh, triangle);
    let twice =
        checked_area(&frame).filter(|area| area.is_finite()).ok_or(ChartError::NoArea { triangle })?;
    let [a, b, c] = frame;
    // The weight of a corner grows at right angles to the opposite side.
    let gradients = [c - b, a - c, b - a].map(|side| side.perp() / twice);
    Ok(Element { corners, frame, area: 0.5 * twice, gradients })
}

/// The places of a patch in the plane; `None` if there is no solution.
fn flatten(elements: &[Element], count: usize) -> Option<Vec<DVec2>> {
    let mut flat = conformal::start(elements, count)?;
    let mut matrix = System::new(count);
    for element in elements {
        for (i, gi) in element.corners.iter().zip(element.gradients) {
            for (j, gj) in element.corners.iter().zip(element.gradients) {
                matrix.add(*i, *j, element.area * gi.dot(gj));
            }
        }
    }
    // Where the patch lies is free: place 0 stays at the origin, which costs no energy.
    let area: f64 = elements.iter().map(|element| element.area).sum();
    matrix.add(0, 0, 1.0);
    let factor = matrix.factorise()?;
    for _ in 0..TURNS {
        let mut right = vec![DVec2::ZERO; count];
        for element in elements {
            let rotation = rotation(jacobian(element, &flat));
            for (&i, gradient) in element.corners.iter().zip(element.gradients) {
                right[i] += element.area * (rotation * gradient);
            }
        }
        let [x, y] = [0, 1].map(|axis| factor.solve(&right.iter().map(|r| r[axis]).collect::<Vec<f64>>()));
        let next: Vec<DVec2> = x.into_iter().zip(y).map(|(x, y)| DVec2::new(x, y)).collect();
        let moved = next.iter().zip(&flat).map(|(a, b)| a.distance_squared(*b)).fold(0.0, f64::max);
        flat = next;
        if moved <= SETTLED * SETTLED * area {
            break;
        }
    }
    flat.iter().all(|p| p.is_finite()).then_some(flat)
}

/// The map of a triangle from its own plane into the chart.
fn jacobian(element: &Element, flat: &[DVec2]) -> DMat2 {
    let mut map = DMat2::ZERO;
    for (&k, g) in element.corners.iter().zip(element.gradients) {
        map += DMat2::from_cols(flat[k] * g.x, flat[k] * g.y);
    }
    map
}

/// The rotation nearest to a matrix.
fn rotation(m: DMat2) -> DMat2 {
    let (cos, sin) = (m.x_axis.x + m.y_axis.y, m.x_axis.y - m.y_axis.x);
    let first = DVec2::new(cos, sin).normalize_or(DVec2::X);
    DMat2::from_cols(first, first.perp())
}

/// A direction in space as seen in a triangle's own plane.
fn in_frame(mesh: &TriMesh, triangle: usize, direction: glam::DVec3) -> DVec2 {
    let [a, b, c] = mesh.corners(triangle);
    let x = (b - a).normalize_or_zero();
    let y = (c - a).reject_from(b - a).normalize_or_zero();
    DVec2::new(direction.dot(x), direction.dot(y))
}

/// Turns a patch so that its weft, in the mean over the area, runs along u.
fn turn_to_weft(elements: &[Element], weft: impl Iterator<Item = DVec2>, flat: &mut [DVec2]) {
    let images = elements.iter().zip(weft).map(|(element, w)| element.area * (jacobian(element, flat) * w));
    let mean = images.fold(DVec2::ZERO, |sum, image| sum + image).normalize_or(DVec2::X);
    flat.iter_mut().for_each(|p| *p = DVec2::new(mean.dot(*p), mean.perp_dot(*p)));
}
