//! Elements into packs of eight that share no vertex.
//!
//! Input: elements (tuples of vertices) in cache-friendly order. Output: packs of element numbers.
//! Within a pack no vertex occurs twice, so its eight lanes can be read, changed and written at
//! once and the result is that of Gauss-Seidel. Vertices written by one of the last few packs are
//! avoided too where possible: reading them back at once would stall the CPU on its own stores.

use crate::math::lanes::WIDTH;

/// How many unplaced elements are looked at to fill a pack.
const WINDOW: usize = 192;

/// A vertex should rest for this many packs before it is used again.
const REST: u32 = 3;

/// Eight element numbers. A pack that could not be filled repeats its first element: the lane then
/// computes and writes the same bits once more, which changes nothing.
pub(super) type Pack = [u32; WIDTH];

/// Packs the elements `members` (numbers into `elements`), given in cache-friendly order.
/// `last_used` is scratch of one entry per vertex, all zero at first.
pub(super) fn pack<const N: usize>(
    elements: &[[u32; N]],
    members: &[u32],
    last_used: &mut [u32],
) -> Vec<Pack> {
    let mut packs = Vec::with_capacity(members.len() / WIDTH + 1);
    let mut waiting: Vec<u32> = Vec::with_capacity(WINDOW + WIDTH);
    let mut rest = members.iter().copied();
    // Pack numbers start above REST so that an untouched vertex (0) always counts as rested.
    let mut number = REST + 1;
    loop {
        waiting.extend(rest.by_ref().take(WINDOW.saturating_sub(waiting.len())));
        if waiting.is_empty() {
            break;
        }
        let mut chosen: Vec<u32> = Vec::with_capacity(WIDTH);
        // First the rested vertices, then, to fill the pack, any that is not in the pack itself.
        for needed_rest in [REST, 0] {
            waiting.retain(|&element| {
                let vertices = &elements[element as usize];
                let free = |v: &u32| last_used[*v as usize] + needed_rest < number;
                if chosen.len() == WIDTH || !vertices.iter().all(free) {
                    return true;
                }
                for &v in vertices {
                    last_used[v as usize] = number;
                }
                chosen.push(element);
                false
            });
        }
        let first = chosen[0];
        packs.push(std::array::from_fn(|lane| chosen.get(lane).copied().unwrap_or(first)));
        number += 1;
    }
    for &element in members {
        for &v in &elements[element as usize] {
            last_used[v as usize] = 0;
        }
    }
    packs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_packed_once_and_no_pack_shares_a_vertex() {
        // A band of triangles: each shares vertices with the four around it.
        let elements: Vec<[u32; 3]> = (0..1003).map(|i| [i, i + 1, i + 2]).collect();
        let members: Vec<u32> = (0..1003).collect();
        let mut last_used = vec![0; 1005];
        let packs = pack(&elements, &members, &mut last_used);
        let mut seen = vec![0; elements.len()];
        for pack in &packs {
            let mut distinct = pack.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            let mut vertices: Vec<u32> = distinct.iter().flat_map(|&e| elements[e as usize]).collect();
            vertices.sort_unstable();
            let count = vertices.len();
            vertices.dedup();
            assert_eq!(vertices.len(), count);
            distinct.iter().for_each(|&e| seen[e as usize] += 1);
        }
        assert!(seen.iter().all(|&n| n == 1));
        assert!(packs.len() <= 1003 / 8 + 4, "{} packs", packs.len());
        assert!(last_used.iter().all(|&n| n == 0));
    }

    #[test]
    fn a_fan_whose_elements_all_share_a_vertex_gives_one_pack_each() {
        let elements: Vec<[u32; 3]> = (0..10).map(|i| [0, i + 1, i + 2]).collect();
        let packs = pack(&elements, &(0..10).collect::<Vec<_>>(), &mut [0; 12]);
        assert_eq!(packs.len(), 10);
        assert!(packs.iter().all(|p| p.iter().all(|&e| e == p[0])));
    }
}
