//! Stretch that no cloth shows: the sign of a run that has exploded although all its numbers are finite.

use std::fmt;

use glam::Vec3;

use crate::simulation::Simulation;
use crate::solver::resistance::Resistance;

/// An edge of more than this many times its rest length is absurd. Woven cloth tears at 1.2 to 1.4 times, knits at about 2.5,
/// rubber at 8; solvers that are given too little time have stretched single edges at pins and below heavy bodies to 8.
const EDGE: f64 = 10.0;

/// So are many edges (this share of all, but at least so many) that are more than so many times as long. Too little time
/// stretches few edges as much, those at pins: one in a thousand, or those around two or three particles of a small mesh.
const MANY: f64 = 0.01;
const LEAST: f64 = 16.0;
const LONG: f64 = 2.0;

/// Edges that are stretched beyond all reason.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Overstretched {
    /// The ends of the worst of them, in the user's numbering.
    pub edge: [u32; 2],
    /// Its middle, metres.
    pub place: Vec3,
    /// Its length over that at rest.
    pub stretch: f64,
    /// How many edges are more than twice as long as at rest, or as what is so soft may be.
    pub edges: usize,
    /// How many there are in all.
    pub of: usize,
}

impl fmt::Display for Overstretched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([a, b], Vec3 { x, y, z }) = (self.edge, self.place);
        write!(
            f,
            "the edge of vertices {a} and {b} is {:.3e} times as long as at rest, at ({x:.3}, {y:.3}, {z:.3}); {} of {} edges \
             are far too long",
            self.stretch, self.edges, self.of
        )
    }
}

impl Simulation {
    /// Looks for stretch that no cloth shows: an edge of ten times its length, or many edges, a
    /// hundredth of all and at least 16, twice as long.
    /// Costs about as much as [`Simulation::strain`].
    ///
    /// Cloth that is put together so, as a start may be, is found too: who runs a scene should look whether it was not so
    /// before. Cloth that is soft may stretch accordingly further, cloth that nothing holds together as far as it likes,
    /// and any by the way that its pins were led in the last step.
    pub fn overstretched(&self) -> Option<Overstretched> {
        let softness = self.softness()?;
        let led = self.pins_led();
        let (mut worst, mut edges) = ((0.0, [0; 2], 0.0), 0);
        for &[a, b] in &self.cloth.topology.edges {
            let rest = self.cloth.rest[a as usize].distance(self.cloth.rest[b as usize]);
            let length = self.state.position(a as usize).distance(self.state.position(b as usize));
            let share = (length - led) / (rest * softness);
            // What is not a number is caught elsewhere, before a step ends.
            edges += usize::from(share > LONG);
            if share > worst.0 {
                worst = (share, [a, b], length / rest);
            }
        }
        let of = self.cloth.topology.edges.len();
        let (share, [a, b], stretch) = worst;
        let many = edges as f64 > (MANY * of as f64).max(LEAST);
        (share > EDGE || many).then(|| Overstretched {
            edge: [a, b].map(|v| self.user_vertex(v)),
            place: (0.5 * (self.state.position(a as usize) + self.state.position(b as usize))).as_vec3(),
            stretch,
            edges,
            of,
        })
    }

    /// By how much the bounds are wider, from 1, because cloth is soft; `None` where nothing resists.
    fn softness(&self) -> Option<f64> {
        let material = &self.cloth.material;
        let resistance = Resistance::of(&self.settings.solver, material);
        (!resistance.is_none()).then(|| match resistance {
            Resistance::Fraction(fraction) => 1.0 / fraction,
            // Strained by this much where its whole length hangs on it.
            Resistance::Stiffness(stiffness) => {
                let first = self.cloth.rest[0];
                let size = self.cloth.rest.iter().map(|p| p.distance(first)).fold(0.0, f64::max);
                let weight = f64::from(material.density) * f64::from(self.settings.gravity.length()) * size;
                (weight / stiffness).max(1.0)
            }
        })
    }

    /// The longest way of a pin in the last step, metres.
    fn pins_led(&self) -> f64 {
        let (now, step) = (self.state.time, self.settings.time_step);
        let ways = self.cloth.pins.iter().filter_map(|pin| {
            let (from, to) = (pin.motion.position(now - step)?, pin.motion.position(now)?);
            Some(from.distance(to))
        });
        ways.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::{Cloth, Material, Stretch};
    use crate::mesh::generate;
    use crate::simulation::Settings;

    fn simulation(stretch: Stretch) -> Simulation {
        let mesh = generate::grid(10, 10, 1.0, 1.0).unwrap();
        let cloth =
            Cloth::builder(mesh).material(Material { stretch, ..Material::default() }).build().unwrap();
        Simulation::new(cloth, Settings::default()).unwrap()
    }

    /// A grid with its middle (and, with a share, every vertex) moved away.
    fn stretched(stretch: Stretch, middle: f32, all: f32) -> Option<Overstretched> {
        let mut simulation = simulation(stretch);
        let mut positions: Vec<Vec3> = simulation.positions().iter().map(|p| *p * all).collect();
        positions[60].z += middle;
        simulation.set_state(&positions, &vec![Vec3::ZERO; 121]).unwrap();
        simulation.overstretched()
    }

    #[test]
    fn one_edge_is_named_with_its_place() {
        assert_eq!(stretched(Stretch::STIFF, 0.1, 1.0), None);
        // Edges are 0.1 m long, so the six or eight of one particle that are 0.8 m are bad, and of 1.2 m absurd.
        assert_eq!(stretched(Stretch::STIFF, 0.8, 1.0), None);
        let found = stretched(Stretch::STIFF, 1.2, 1.0).unwrap();
        assert!(found.edge.contains(&60) && (found.place.z - 0.6).abs() < 1e-6, "{found:?}");
        assert!(found.stretch > 11.9 && found.of == 320, "{found:?}");
    }

    #[test]
    fn many_edges_of_twice_their_length_are_absurd_and_of_less_are_not() {
        assert_eq!(stretched(Stretch::STIFF, 0.0, 1.9), None);
        let found = stretched(Stretch::STIFF, 0.0, 2.1).unwrap();
        assert_eq!((found.edges, found.of), (320, 320));
        assert!((found.stretch - 2.1).abs() < 1e-5);
    }

    #[test]
    fn soft_cloth_may_stretch_further_and_loose_points_as_they_like() {
        let soft = Stretch::Coefficients { alpha: 0.1, beta: 0.1 };
        assert_eq!(stretched(soft, 0.0, 10.0), None);
        assert!(stretched(soft, 0.0, 21.0).is_some());
        let loose = Stretch::Coefficients { alpha: 0.0, beta: 0.0 };
        assert_eq!(stretched(loose, 0.0, 1000.0), None);
        // 0.2 kg/m² of 1.41 m on 0.1 N/m: 28 times its length.
        let rubber = |all| stretched(Stretch::Physical { weft: 0.1, warp: 1.0, shear: 1.0 }, 0.0, all);
        assert!(rubber(50.0).is_none() && rubber(60.0).is_some());
    }
}
