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
use crate::solver::Weight;
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
    rest: Vec<DVec3>,
    /// Per vertex what of its mass counts in a region, kg.
    masses: Vec<f64>,
    /// Particles that count as heavier, and what their masses in a region are.
    weighed: Vec<(u32, f64)>,
}

impl<const N: usize> AveragedRegions<N> {
    pub fn new(cloth: &Cloth, elements: &[[u32; N]], stiffness: f32) -> Self {
        let slots = elements
            .iter()
            .enumerate()
            .flat_map(|(e, points)| (0..N).map(move |k| (points[k], (N * e + k) as u32)));
        let vertex_slots = Csr::from_pairs(cloth.vertex_count(), slots);
        let fixed = cloth.fixed();
        let mass = |v: usize| match fixed[v] {
            true => f64::INFINITY,
            false => cloth.masses[v] / vertex_slots.row(v).len() as f64,
        };
        let masses: Vec<f64> = (0..cloth.vertex_count()).map(mass).collect();
        let mut own = Self {
            regions: Vec::new(),
            elements: elements.to_vec(),
            stiffness,
            changes: vec![[Vec3::ZERO; N]; elements.len()],
            vertex_slots,
            rest: cloth.rest.clone(),
            masses,
            weighed: Vec::new(),
        };
        own.regions = (0..elements.len()).map(|e| own.region(e)).collect();
        own
    }

    fn region(&self, element: usize) -> Region<N> {
        let points = self.elements[element].map(|v| v as usize);
        Region::new(points.map(|v| self.rest[v]), points.map(|v| self.masses[v]))
    }

    /// From now on these particles count as heavier, and all others as they are.
    pub fn weigh(&mut self, weights: &[Weight]) {
        while let Some((v, mass)) = self.weighed.pop() {
            self.set_mass(v, mass);
        }
        for weight in weights {
            let regions = self.vertex_slots.row(weight.vertex as usize).len();
            let mass = self.masses[weight.vertex as usize];
            self.weighed.push((weight.vertex, mass));
            self.set_mass(weight.vertex, mass + weight.added / regions as f64);
        }
    }

    fn set_mass(&mut self, v: u32, mass: f64) {
        self.masses[v as usize] = mass;
        for slot in 0..self.vertex_slots.row(v as usize).len() {
            let element = self.vertex_slots.row(v as usize)[slot] as usize / N;
            self.regions[element] = self.region(element);
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
