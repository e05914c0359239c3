//! The conformal map of least squares: where flattening starts.
//!
//! A map (u, v) is conformal where ∇v is ∇u turned by a quarter. Minimised is Σ A |turned ∇u − ∇v|², with two distant
//! places held, which fixes position, turn and size.

use glam::DVec2;

use super::Element;
use super::system::System;

/// The places of a patch under the map, with the area they have at rest; `None` if there is no solution.
pub(super) fn start(elements: &[Element], count: usize) -> Option<Vec<DVec2>> {
    let held = distant_pair(elements, count);
    // Unknowns u, v of the free places in turn.
    let mut unknown = vec![usize::MAX; count];
    let free = (0..count).filter(|place| !held.contains(place));
    free.enumerate().for_each(|(number, place)| unknown[place] = number);
    let mut system = System::new(2 * (count - 2));
    let mut right = vec![0.0; 2 * (count - 2)];
    let value = |place: usize| if place == held[1] { [1.0, 0.0] } else { [0.0, 0.0] };
    for element in elements {
        for (&i, gi) in element.corners.iter().zip(element.gradients) {
            if unknown[i] == usize::MAX {
                continue;
            }
            for (&j, gj) in element.corners.iter().zip(element.gradients) {
                // The rows of a pair of places: [[gi·gj, −ĝi·gj], [−gi·ĝj, gi·gj]], a hat for the quarter turn.
                let along = element.area * gi.dot(gj);
                let across = -element.area * gi.perp().dot(gj);
                let block = [[along, across], [-across, along]];
                for (row, elements_of_row) in block.iter().enumerate() {
                    for (column, &part) in elements_of_row.iter().enumerate() {
                        if unknown[j] == usize::MAX {
                            right[2 * unknown[i] + row] -= part * value(j)[column];
                        } else {
                            system.add(2 * unknown[i] + row, 2 * unknown[j] + column, part);
                        }
                    }
                }
            }
        }
    }
    let solution = if count > 2 { system.factorise()?.solve(&right) } else { Vec::new() };
    let place = |place: usize| match unknown[place] {
        usize::MAX => DVec2::from(value(place)),
        k => DVec2::new(solution[2 * k], solution[2 * k + 1]),
    };
    let map: Vec<DVec2> = (0..count).map(place).collect();
    let (mut rest, mut mapped) = (0.0, 0.0);
    for element in elements {
        let [a, b, c] = element.corners.map(|k| map[k]);
        rest += element.area;
        mapped += 0.5 * (b - a).perp_dot(c - a);
    }
    (mapped > 0.0).then(|| map.iter().map(|&p| p * (rest / mapped).sqrt()).collect())
}

/// Two places with many triangles between them: the last that a search over neighbours reaches, twice.
fn distant_pair(elements: &[Element], count: usize) -> [usize; 2] {
    let farthest = |from: usize| {
        let mut distance = vec![f64::INFINITY; count];
        distance[from] = 0.0;
        // Lengths along edges, relaxed until nothing changes; patches are small and this happens twice.
        loop {
            let mut changed = false;
            for element in elements {
                for k in 0..3 {
                    let (a, b) = (element.corners[k], element.corners[(k + 1) % 3]);
                    let length = element.frame[k].distance(element.frame[(k + 1) % 3]);
                    for (a, b) in [(a, b), (b, a)] {
                        if distance[a] + length < distance[b] {
                            distance[b] = distance[a] + length;
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        (0..count).fold(from, |best, place| if distance[place] > distance[best] { place } else { best })
    };
    let first = farthest(0);
    [first, farthest(first)]
}
