//! Cache-friendly vertex order, with the permutation kept.
//!
//! Vertices are ordered by recursive bisection: split the set at the median of its longest axis,
//! lower half first, and again in each half. Neighbours in space end up neighbours in memory, as
//! with a Morton curve, and besides *every half of the array is a half of the cloth*: the solver's
//! sweeps split the array at the same medians, so the two halves share few elements and run on
//! two threads ([`solver::sweep`](crate::solver)).

use std::cmp::Ordering;

use glam::DVec3;

use super::TriMesh;

/// A renumbering of vertices. "New" is the order in memory, "old" the user's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permutation {
    /// For each new place the old index.
    pub new_to_old: Vec<u32>,
    /// For each old index the new place.
    pub old_to_new: Vec<u32>,
}

impl Permutation {
    /// The permutation whose new place `i` holds the old index `new_to_old[i]`; `None` if an index
    /// is missing or doubled.
    pub fn from_new_to_old(new_to_old: Vec<u32>) -> Option<Self> {
        let mut old_to_new = vec![u32::MAX; new_to_old.len()];
        for (new, &old) in new_to_old.iter().enumerate() {
            let slot = old_to_new.get_mut(old as usize)?;
            if *slot != u32::MAX {
                return None;
            }
            *slot = new as u32;
        }
        Some(Self { new_to_old, old_to_new })
    }

    /// How many vertices are renumbered.
    pub fn len(&self) -> usize {
        self.new_to_old.len()
    }

    /// Whether there is nothing to renumber.
    pub fn is_empty(&self) -> bool {
        self.new_to_old.is_empty()
    }

    /// Values in the old order, brought into the new one.
    ///
    /// # Panics
    /// If there are fewer values than vertices.
    pub fn to_new<T: Copy>(&self, old: &[T]) -> Vec<T> {
        self.new_to_old.iter().map(|&i| old[i as usize]).collect()
    }

    /// Values in the new order, brought back into the old one.
    ///
    /// # Panics
    /// If there are fewer values than vertices.
    pub fn to_old<T: Copy>(&self, new: &[T]) -> Vec<T> {
        self.old_to_new.iter().map(|&i| new[i as usize]).collect()
    }

    /// Elements that name old indices, renamed to new ones.
    pub fn rename<const N: usize>(&self, elements: &[[u32; N]]) -> Vec<[u32; N]> {
        elements.iter().map(|e| e.map(|v| self.old_to_new[v as usize])).collect()
    }
}

/// The order by recursive bisection. Ties go by the other axes, and by the index only for vertices at the same place:
/// so the order does not depend on how vertices are numbered.
pub fn bisection_order(positions: &[DVec3]) -> Permutation {
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    bisect(&mut order, positions);
    Permutation::from_new_to_old(order).unwrap_or_default()
}

fn bisect(order: &mut [u32], positions: &[DVec3]) {
    if order.len() < 2 {
        return;
    }
    let at = |v: &u32| positions[*v as usize];
    let (lo, hi) =
        order.iter().fold((at(&order[0]), at(&order[0])), |(lo, hi), v| (lo.min(at(v)), hi.max(at(v))));
    let size = hi - lo;
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let middle = order.len() / 2;
    let along = |v: &u32| [axis, (axis + 1) % 3, (axis + 2) % 3].map(|axis| at(v)[axis]);
    order.select_nth_unstable_by(middle, |a, b| {
        let places = along(a).into_iter().zip(along(b)).map(|(a, b)| a.total_cmp(&b));
        places.fold(Ordering::Equal, Ordering::then).then(a.cmp(b))
    });
    let (lower, upper) = order.split_at_mut(middle);
    bisect(lower, positions);
    bisect(upper, positions);
}

/// A mesh in the new order of `permutation`, triangles sorted by their vertices.
pub fn reordered(mesh: &TriMesh, permutation: &Permutation) -> TriMesh {
    let mut triangles = permutation.rename(&mesh.triangles);
    let mut triangle_order: Vec<u32> = (0..triangles.len() as u32).collect();
    triangle_order.sort_by_key(|&t| {
        let mut corners = triangles[t as usize];
        corners.sort_unstable();
        corners
    });
    triangles = triangle_order.iter().map(|&t| triangles[t as usize]).collect();
    let uvs = mesh.uvs.as_ref().map(|uvs| triangle_order.iter().map(|&t| uvs[t as usize]).collect());
    let rename_group =
        |members: &Vec<u32>| members.iter().map(|&v| permutation.old_to_new[v as usize]).collect();
    TriMesh {
        origin: mesh.origin,
        positions: permutation.to_new(&mesh.positions),
        triangles,
        quads: permutation.rename(&mesh.quads),
        uvs,
        groups: mesh.groups.iter().map(|(name, members)| (name.clone(), rename_group(members))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_the_order_are_halves_of_the_square() {
        let positions: Vec<DVec3> =
            (0..400).map(|i| DVec3::new(f64::from(i * 7 % 20), f64::from(i / 20) * 0.5, 0.0)).collect();
        let permutation = bisection_order(&positions);
        let placed = permutation.to_new(&positions);
        let highest_left = placed[..200].iter().map(|p| p.x).fold(f64::MIN, f64::max);
        let lowest_right = placed[200..].iter().map(|p| p.x).fold(f64::MAX, f64::min);
        assert!(highest_left <= lowest_right);
        assert_eq!(permutation.to_old(&placed), positions);
    }

    #[test]
    fn the_order_does_not_depend_on_the_numbering() {
        let positions: Vec<DVec3> =
            (0..90).map(|i| DVec3::new(f64::from(i % 9), f64::from(i / 9), 0.0)).collect();
        let shuffled: Vec<DVec3> = (0..90).map(|i| positions[i * 37 % 90]).collect();
        let placed = |positions: &[DVec3]| bisection_order(positions).to_new(positions);
        assert_eq!(placed(&positions), placed(&shuffled));
    }

    #[test]
    fn a_broken_permutation_is_refused() {
        assert_eq!(Permutation::from_new_to_old(vec![0, 0]), None);
        assert_eq!(Permutation::from_new_to_old(vec![0, 2]), None);
        assert!(Permutation::from_new_to_old(vec![1, 0]).is_some());
    }
}
