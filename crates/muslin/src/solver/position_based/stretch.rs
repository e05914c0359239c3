//! Which pairs of vertices keep their distance, and how strongly.
//!
//! Input: a cloth, the solver's options. Output: a list of distance constraints: the edges of the mesh, less or more
//! the diagonals of quads.
//!
//! Physical stiffness. A spring of constant k along an edge of length l and direction (c, s) with respect to weft and
//! warp stores ½ k l² (c² ε_u + s² ε_v + c s γ)² under a uniform strain. The three springs of a triangle of area A
//! store what the cloth does, ½ A (K_u ε_u² + K_v ε_v² + G γ²), if
//!
//!   Σ k l² c⁴ = A K_u,  Σ k l² s⁴ = A K_v,  Σ k l² c² s² = A G
//!
//! Three equations for three springs; an edge adds up those of its triangles, and its compliance is 1/k. Springs cannot
//! do more: their mixed term ε_u ε_v has the factor Σ k l² c² s², so pulling one way narrows the cloth by G/K (Cauchy's
//! relation), where the material model narrows it by nothing. And where all diagonals run in one direction, stretch and
//! shear have a mixed term too: a free strip shears as it is pulled, and is softer by G. Both diagonals do not. Where a spring would have to push (obtuse triangles, or G
//! above K) a triangle takes k = A K(c, s)/l² instead, K(c, s) = K_u c⁴ + K_v s⁴ + 4 G c² s² being the stiffness along
//! the edge. On an irregular sheet whose G is a tenth of K that leaves K within 11 % and makes G 2.3 times too large
//! (`springs_of_irregular_cloth_are_of_the_right_order`): a quad grid along the threads is the better mesh.

use glam::{DMat3, DVec3};

use super::{Diagonals, PositionBased};
use crate::cloth::threads::weft_directions;
use crate::cloth::{Cloth, Stiffness, Stretch};
use crate::mesh::quads;
use crate::solver::constraint::{ConstraintList, Enforcement};

/// The distance constraints of a cloth.
pub(crate) fn stretch_list(
    cloth: &Cloth,
    options: &PositionBased,
    enforcement: Enforcement,
) -> ConstraintList<2, 1> {
    let of_edges = match (options.stretch, cloth.material.stretch) {
        (Some(stiffness), _) => vec![stiffness; cloth.topology.edges.len()],
        (None, Stretch::Coefficients { beta, .. }) => {
            vec![Stiffness::Fraction(beta); cloth.topology.edges.len()]
        }
        (None, Stretch::Physical { weft, warp, shear }) => {
            let springs = springs(cloth, [weft.into(), warp.into(), shear.into()]);
            springs.into_iter().map(|k| Stiffness::Compliance((1.0 / k) as f32)).collect()
        }
    };
    let mut list = ConstraintList { vertices: vec![], rest: vec![], fractions: vec![], compliances: vec![] };
    let mut add = |[a, b]: [u32; 2], stiffness: Stiffness| {
        let (fraction, compliance) = enforcement.numbers(stiffness);
        // What resists nothing (no shear stiffness, say) is no constraint.
        if fraction == 0.0 || !compliance.is_finite() {
            return;
        }
        list.vertices.push([a, b]);
        list.rest.push([cloth.rest[a as usize].distance(cloth.rest[b as usize]) as f32]);
        list.fractions.push(fraction);
        list.compliances.push(compliance);
    };
    let found = quads::Diagonals::new(&cloth.topology, &cloth.mesh.quads);
    for (e, &edge) in cloth.topology.edges.iter().enumerate() {
        match options.diagonals {
            Diagonals::None if found.is_diagonal[e] => {}
            Diagonals::Both if found.is_diagonal[e] => add(edge, shared(of_edges[e])),
            _ => add(edge, of_edges[e]),
        }
    }
    if options.diagonals == Diagonals::Both {
        found.crossed.iter().for_each(|&(e, other)| add(other, shared(of_edges[e as usize])));
    }
    list
}

/// What each of two diagonals has of a stiffness. A fraction is not shared out: it says how rigid, not how strong.
fn shared(stiffness: Stiffness) -> Stiffness {
    match stiffness {
        Stiffness::Compliance(compliance) => Stiffness::Compliance(2.0 * compliance),
        fraction => fraction,
    }
}

/// Spring constants of the edges in N/m, for stiffness [K_u, K_v, G] in N/m.
fn springs(cloth: &Cloth, stiffness: [f64; 3]) -> Vec<f64> {
    let wefts = weft_directions(&cloth.mesh);
    let mut springs = vec![0.0; cloth.topology.edges.len()];
    for (t, corners) in cloth.mesh.triangles.iter().enumerate() {
        let x = corners.map(|v| cloth.rest[v as usize]);
        let constants = triangle_springs(x, wefts[t], stiffness);
        for (k, &edge) in constants.iter().zip(&cloth.topology.triangle_edges[t]) {
            springs[edge as usize] += k;
        }
    }
    springs
}

/// A triangle's share in the springs of its edges.
fn triangle_springs(x: [DVec3; 3], weft: DVec3, [along, across, shear]: [f64; 3]) -> [f64; 3] {
    let edges: [DVec3; 3] = std::array::from_fn(|k| x[(k + 1) % 3] - x[k]);
    let normal = edges[0].cross(edges[1]);
    let area = 0.5 * normal.length();
    let warp = normal.normalize_or_zero().cross(weft);
    // Per edge: l² c⁴, l² s⁴, l² c² s².
    let columns = edges.map(|edge| {
        let (u, v) = (edge.dot(weft), edge.dot(warp));
        DVec3::new(u.powi(4), v.powi(4), u * u * v * v) / edge.length_squared()
    });
    let matrix = DMat3::from_cols(columns[0], columns[1], columns[2]);
    let wanted = area * DVec3::new(along, across, shear);
    let exact = matrix.inverse() * wanted;
    if exact.is_finite() && exact.min_element() >= -1e-9 * exact.max_element() {
        return exact.max(DVec3::ZERO).to_array();
    }
    // k = A K(c, s)/l², and l² c⁴ = columns.x and so on.
    std::array::from_fn(|k| {
        let stiffness = columns[k].dot(DVec3::new(along, across, 4.0 * shear));
        area * stiffness / edges[k].length_squared().powi(2)
    })
}

#[cfg(test)]
mod tests;
