//! Hierarchies of arbitrary meshes: whatever the triangles, building ends, nothing panics, and
//! the promises of the documentation hold.

use glam::Vec3;
use muslin::hierarchy::{Hierarchy, HierarchyOptions, Nesting, build, quality};
use muslin::mesh::{Topology, TriMesh};
use proptest::prelude::*;

/// Any triangles on any points: doubled, degenerate, crossing, not manifold. Coordinates are
/// small integers, so that points coincide and triangles have no area.
fn soup() -> impl Strategy<Value = TriMesh> {
    (3_u32..30).prop_flat_map(|vertices| {
        let point =
            (-3_i8..3, -3_i8..3, -2_i8..2).prop_map(|(x, y, z)| Vec3::new(x.into(), y.into(), z.into()));
        let positions = proptest::collection::vec(point, vertices as usize);
        let triangles = proptest::collection::vec([0..vertices, 0..vertices, 0..vertices], 1..90);
        (positions, triangles).prop_map(|(positions, triangles)| TriMesh::new(positions, triangles))
    })
}

/// A rectangle with holes, bent in space, some triangles of which may be turned over.
fn torn_cloth() -> impl Strategy<Value = TriMesh> {
    (2_u32..14, 2_u32..14).prop_flat_map(|(columns, rows)| {
        let cells = (columns * rows) as usize;
        let kept = proptest::collection::vec(0_u8..20, 2 * cells);
        let heights = proptest::collection::vec(-0.3_f32..0.3, ((columns + 1) * (rows + 1)) as usize);
        (Just(columns), kept, heights).prop_map(|(columns, kept, heights)| {
            let stride = columns + 1;
            let point =
                |(v, &z): (usize, &f32)| Vec3::new((v as u32 % stride) as f32, (v as u32 / stride) as f32, z);
            let positions = heights.iter().enumerate().map(point).collect();
            let mut triangles = vec![[0, 1, stride]];
            for (side, &fate) in kept.iter().enumerate() {
                let cell = side as u32 / 2;
                let a = cell / columns * stride + cell % columns;
                let lower = [a, a + 1, a + stride];
                let upper = [a + 1, a + stride + 1, a + stride];
                let [p, q, r] = if side % 2 == 0 { lower } else { upper };
                match fate {
                    0 => {}
                    1 => triangles.push([p, r, q]),
                    _ => triangles.push([p, q, r]),
                }
            }
            TriMesh::new(positions, triangles)
        })
    })
}

fn request() -> impl Strategy<Value = (HierarchyOptions, u32)> {
    (1_usize..8, 0.05..0.95, any::<bool>(), 1_u32..9).prop_map(|(levels, removal, nested, every)| {
        let nesting = if nested { Nesting::Nested } else { Nesting::NonNested };
        (HierarchyOptions { levels, removal, nesting, ..HierarchyOptions::default() }, every)
    })
}

fn euler_characteristic(vertices: usize, topology: &Topology, triangles: usize) -> i64 {
    vertices as i64 - topology.edges.len() as i64 + triangles as i64
}

fn check(mesh: &TriMesh, fixed: &[bool], hierarchy: &Hierarchy) -> Result<(), TestCaseError> {
    let finest = hierarchy.finest();
    prop_assert_eq!(&finest.triangles, &mesh.triangles);
    prop_assert!(hierarchy.levels.len() <= hierarchy.requested_levels);
    prop_assert_eq!(hierarchy.transfers.len() + 1, hierarchy.levels.len());
    let topology = Topology::new(finest.positions.len(), &finest.triangles);
    let components = topology.components().1;
    let characteristic = euler_characteristic(finest.positions.len(), &topology, finest.triangles.len());

    for (l, level) in hierarchy.levels.iter().enumerate() {
        let vertices = level.positions.len();
        prop_assert!(level.positions.iter().all(|p| p.is_finite()));
        prop_assert!(level.triangles.iter().flatten().all(|&v| (v as usize) < vertices));
        let topology = Topology::new(vertices, &level.triangles);
        prop_assert_eq!(topology.components().1, components);
        prop_assert_eq!(euler_characteristic(vertices, &topology, level.triangles.len()), characteristic);
        let origin = hierarchy.finest_vertices(l);
        prop_assert!(origin.is_sorted_by(|a, b| a < b));
        let survivors = origin.iter().filter(|&&v| fixed[v as usize]).count();
        prop_assert_eq!(survivors, fixed.iter().filter(|&&fixed| fixed).count());
    }
    for (transfer, pair) in hierarchy.transfers.iter().zip(hierarchy.levels.windows(2)) {
        prop_assert!(pair[0].triangles.len() < pair[1].triangles.len());
        prop_assert_eq!(transfer.prolongation.len(), pair[1].positions.len());
        prop_assert_eq!(transfer.restriction.rows(), pair[0].positions.len());
        for row in &transfer.prolongation {
            prop_assert!(row.vertices.iter().all(|&v| (v as usize) < pair[0].positions.len()));
            prop_assert!(row.weights.iter().all(|&w| (0.0..=1.0).contains(&w)));
            prop_assert!((row.weights.iter().sum::<f32>() - 1.0).abs() <= f32::EPSILON);
        }
        for row in transfer.restriction.iter() {
            prop_assert!((row.iter().map(|&(_, w)| w).sum::<f32>() - 1.0).abs() < 1e-5);
        }
        let fine_masses = vec![1.0; pair[1].positions.len()];
        let mass: f64 = transfer.coarse_masses(&fine_masses).iter().sum();
        prop_assert!((mass - fine_masses.len() as f64).abs() < 1e-9);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_soup_of_triangles_gives_a_hierarchy(mesh in soup(), (options, every) in request()) {
        let fixed: Vec<bool> = (0..mesh.positions.len() as u32).map(|v| v.is_multiple_of(every)).collect();
        let hierarchy = build(&mesh, &fixed, &options).unwrap();
        check(&mesh, &fixed, &hierarchy)?;
        prop_assert_eq!(quality(&hierarchy).len(), hierarchy.levels.len());
    }

    #[test]
    fn torn_cloth_gives_a_hierarchy(mesh in torn_cloth(), (options, every) in request()) {
        let fixed: Vec<bool> = (0..mesh.positions.len() as u32).map(|v| v % (20 * every) == 3).collect();
        let hierarchy = build(&mesh, &fixed, &options).unwrap();
        check(&mesh, &fixed, &hierarchy)?;
        prop_assert_eq!(build(&mesh, &fixed, &options).unwrap(), hierarchy);
    }
}
