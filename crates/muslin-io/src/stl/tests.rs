use super::*;

const ASCII: &str = "solid my cloth\n\
    facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 1 1 0\n endloop\nendfacet\n\
    FACET NORMAL 0 0 1\n OUTER LOOP\n  VERTEX -0 0 0\n  VERTEX 1 1.0 0e0\n  VERTEX 0 1 0\n ENDLOOP\nENDFACET\n\
    endsolid my cloth\n";

/// A binary file with these triangles.
fn binary(comment: &[u8], triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut content = comment.to_vec();
    content.resize(80, b' ');
    content.extend((triangles.len() as u32).to_le_bytes());
    for corners in triangles {
        content.extend([0; 12]);
        content.extend(corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        content.extend([7, 7]);
    }
    content
}

const SQUARE: [[[f32; 3]; 3]; 2] = [
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
    [[-0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
];

#[test]
fn equal_corners_become_one_vertex_in_the_order_of_the_file() {
    let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    let ascii = parse_stl(ASCII.as_bytes()).unwrap();
    let plain = parse_stl(&binary(b"made by hand", &SQUARE)).unwrap();
    for mesh in [&ascii, &plain] {
        assert_eq!(mesh.positions, square);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    }
    assert_eq!(ascii.groups["my cloth"], [0, 1, 2, 3]);
    assert!(plain.groups.is_empty());
}

#[test]
fn a_binary_file_may_call_itself_solid_or_carry_more_bytes() {
    assert_eq!(parse_stl(&binary(b"solid lie", &SQUARE)).unwrap().triangles.len(), 2);
    let mut longer = binary(b"made by hand", &SQUARE);
    longer.extend([0; 9]);
    assert_eq!(parse_stl(&longer).unwrap().triangles.len(), 2);
}

#[test]
fn errors_say_what_and_where() {
    let error = |content: &[u8]| {
        let error = parse_stl(content).unwrap_err();
        (error.line, error.message)
    };
    assert_eq!(error(b""), (None, "this is neither an ASCII nor a binary STL file".into()));
    let mut cut = binary(b"", &SQUARE);
    cut.pop();
    assert_eq!(error(&cut), (None, "the header asks for 184 bytes, but the file has 183".into()));
    let mut huge = binary(b"", &[]);
    huge[80..].fill(0xff);
    assert!(error(&huge).1.starts_with("the header asks for 214748364834 bytes"));
    assert_eq!(error(b"solid\nendsolid").1, "there are no triangles in this file");
    assert_eq!(error(&binary(b"", &[])).1, "there are no triangles in this file");
    assert_eq!(error(b"solid\nvertex 1 2\n"), (Some(2), "a vertex needs three coordinates".into()));
    assert_eq!(error(b"solid\nvertex 1 2 x\n"), (Some(2), "'x' is not a number".into()));
    assert_eq!(
        error(b"solid\nvertex 1 2 3\nendloop"),
        (Some(3), "a facet has three vertices, this has 1".into())
    );
    assert_eq!(error(b"solid\nvertex 1 2 3\n"), (Some(2), "the file ends within a facet".into()));
}
