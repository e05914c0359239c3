//! A level as plain arrays, behind those of the finer ones.

use glam::Vec4;

use super::fans::{Fans, NO_TRIANGLE, fans};
use super::sliced::{Sliced, by_length, padded};
use super::{LevelRange, Model};
use crate::bending::gather::GatherBending;
use crate::bending::hinges::Hinges;
use crate::math::csr::Csr;
use crate::solver::shape_matching::plan::LevelPlan;
use crate::solver::shape_matching::restriction::Restriction;

impl Model {
    /// Adds a level and returns where its vertices stand. `finer` is where those of the next finer one do, and what means of
    /// them the level begins at.
    pub(super) fn push_level(
        &mut self,
        plan: &LevelPlan,
        hinges: Option<&Hinges>,
        finer: Option<(&[u32], &Restriction)>,
    ) -> Vec<u32> {
        let level = &plan.level;
        let first = self.points.len() as u32;
        let fans = fans(&plan.rest, &level.triangles, &plan.topology, &plan.rest_lengths);
        let order = by_length(&fans);
        let mut places = vec![0u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            places[old as usize] = first + new as u32;
        }
        let edges = |v: usize| plan.topology.vertex_edges.row(v).len() as f32;
        let room = first as usize + padded(order.len());
        for &old in &order {
            let (old, position) = (old as usize, plan.rest[old as usize].as_vec3());
            self.points.push(position.extend(plan.inverse_masses[old] * edges(old)));
            self.rest.push(position.extend(0.0));
        }
        self.points.resize(room, Vec4::ZERO);
        self.rest.resize(room, Vec4::ZERO);
        self.push_fans(&fans, &order, &places, first);
        self.push_means(finer, &order);
        let first_hinge = self.hinges.len() as u32;
        self.push_bending(plan, hinges, &order, &places);
        self.levels.push(LevelRange {
            first,
            count: order.len() as u32,
            triangles: level.triangles.len() as u32,
            match_edges: plan.edges,
            match_triangles: plan.triangles,
            only_stretched: plan.only_stretched,
            passes: plan.passes,
            edge_factors: plan.edge_factors.clone(),
            alpha: plan.alphas.first().copied().unwrap_or(0.0),
            beta: plan.betas.first().copied().unwrap_or(0.0),
            bends: hinges.is_some(),
            first_hinge,
            hinges: self.hinges.len() as u32 - first_hinge,
        });
        places
    }

    fn push_fans(&mut self, fans: &Fans, order: &[u32], places: &[u32], first: u32) {
        self.fans.push_rows(fans, order, [first, 0], |spoke| {
            [places[spoke.vertex as usize], spoke.length.to_bits()]
        });
        let mut half_angles = Sliced::default();
        half_angles.push_rows(fans, order, NO_TRIANGLE, |spoke| spoke.half_angle);
        self.half_angles.extend(half_angles.values);
    }

    fn push_bending(&mut self, plan: &LevelPlan, hinges: Option<&Hinges>, order: &[u32], places: &[u32]) {
        let bending = match hinges {
            Some(hinges) => GatherBending::new(&plan.inverse_masses, hinges),
            None => GatherBending::none(order.len()),
        };
        let place = |v: u32| places[v as usize];
        self.bending.push_rows(&bending.rows, order, [place(0), 0], |(u, k)| [place(u), k.to_bits()]);
        let first_hinge = self.hinges.len() as u32;
        let nothing = GatherBending::none(order.len()).rows;
        let rows = bending.curved.as_ref().map_or(&nothing, |curved| &curved.rows);
        self.curved.push_rows(rows, order, [first_hinge, 0], |(h, k)| [first_hinge + h, k.to_bits()]);
        if let Some(curved) = &bending.curved {
            self.hinges.extend(curved.vertices.iter().map(|vs| vs.map(place)));
            self.hinge_weights.extend(&curved.weights);
            self.hinge_bends.extend(curved.bends.iter().zip(&curved.edge_scales).map(|(&b, &s)| [b, s]));
        }
    }

    fn push_means(&mut self, finer: Option<(&[u32], &Restriction)>, order: &[u32]) {
        let (places, means) = match finer {
            Some((places, restriction)) => {
                let own = restriction.own.iter().enumerate().map(|(c, &v)| (c as u32, (v, 0.0)));
                let others = (0..order.len())
                    .flat_map(|c| restriction.others.row(c).iter().map(move |&other| (c as u32, other)));
                (places, Csr::from_pairs(order.len(), own.chain(others)))
            }
            None => (&[0u32] as &[u32], Csr::from_pairs(order.len(), [].into_iter())),
        };
        let value = |(v, weight): (u32, f32)| [places[v as usize], weight.to_bits()];
        self.means.push_rows(&means, order, value((0, 0.0)), value);
    }
}
