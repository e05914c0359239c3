//! All regions of one kind, averaged per vertex: the 1/|R_i| of [Anonymous] eq. 11 and 15.
//!
//! Input: points. Output: per vertex the mean of what its regions ask for. Every region looks at the same points,
//! every vertex sums its regions in a fixed order: the same bits for any number of threads.
//!
//! A vertex that takes the |R_i|-th part of what a region asks for counts there with the |R_i|-th part of its mass.
//! Otherwise regions of vertices with unlike |R| would create momentum (the same as errata 8 of
//! [Bender2013]). The paper does not say which masses it uses.

use glam::{DVec3, Vec3};

use super::region::Region;
use crate::cloth::Cloth;
use crate::execution::Execution;
use crate::math::csr::Csr;
use crate::state::Point;

/// Triangles or edges with what they are at rest.
#[derive(Clone, Debug)]
pub(super) struct AveragedRegions<const N: usize> {
    elements: Vec<[u32; N]>,
    regions: Vec<Region<N>>,
    /// The fraction of each region's deformation that is undone per pass.
    stiffness: f32,
    /// Per vertex: number of the element times N plus which of its points it is.
    vertex_slots: Csr,
    changes: Vec<[Vec3; N]>,
}

impl<const N: usize> AveragedRegions<N> {
    pub fn new(cloth: &Cloth, elements: &[[u32; N]], stiffness: f32) -> Self {
        let slots = elements
            .iter()
            .enumerate()
            .flat_map(|(e, points)| (0..N).map(move |k| (points[k], (N * e + k) as u32)));
        let vertex_slots = Csr::from_pairs(cloth.vertex_count(), slots);
        let fixed = cloth.fixed();
        let mass = |v: u32| match fixed[v as usize] {
            true => f64::INFINITY,
            false => cloth.masses[v as usize] / vertex_slots.row(v as usize).len() as f64,
        };
        let rest = |v: u32| -> DVec3 { cloth.rest[v as usize] };
        let regions = elements.iter().map(|points| Region::new(points.map(rest), points.map(mass)));
        Self {
            regions: regions.collect(),
            elements: elements.to_vec(),
            stiffness,
            changes: vec![[Vec3::ZERO; N]; elements.len()],
            vertex_slots,
        }
    }

    /// Has every region look at the points.
    pub fn measure<P: Point>(&mut self, points: &[P], execution: Execution) {
        let Self { elements, regions, changes, .. } = self;
        let (elements, regions): (&[_], &[Region<N>]) = (elements, regions);
        execution.for_each_chunk(changes, |first, chunk| {
            let here = elements[first..].iter().zip(&regions[first..]);
            for (change, (element, region)) in chunk.iter_mut().zip(here) {
                let x = element.map(|v| points[v as usize]);
                let seen = P::seen(x.map(P::place)).map(Vec3::from);
                *change = region.correction(seen, x.map(|point| point.w() > 0.0));
            }
        });
    }

    /// Adds `factor` times the stiffness times what the regions asked for, on average, to each value.
    pub fn add_to<P: Point>(&self, values: &mut [P], factor: f32, execution: Execution) {
        let Self { vertex_slots, changes, stiffness, .. } = self;
        execution.for_each_chunk(values, |first, chunk| {
            for (offset, value) in chunk.iter_mut().enumerate() {
                let row = vertex_slots.row(first + offset);
                let sum: Vec3 = row.iter().map(|&slot| changes[slot as usize / N][slot as usize % N]).sum();
                let mean = sum * (factor * stiffness / row.len().max(1) as f32);
                *value = value.plus(mean.extend(0.0));
            }
        });
    }
}
