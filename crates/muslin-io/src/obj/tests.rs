use super::*;

fn parse(text: &str) -> TriMesh {
    parse_obj(text.as_bytes()).unwrap()
}

fn error(text: &str) -> (Option<usize>, String) {
    let error = parse_obj(text.as_bytes()).unwrap_err();
    (error.line, error.message)
}

#[test]
fn one_vertex_per_line_whatever_the_texture_coordinates() {
    let mesh = parse(
        "# a comment\nv 0 0 0\nv 1 0 0 1.0 # with w\nv 1 1 0\nv 0 1 0\nvn 0 0 1\n\
         vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.5\nusemtl x\nf 1/1/1 2/2/1 3/3/1\nf 1/4 3/3 4/1\n",
    );
    assert_eq!(mesh.positions.len(), 4);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.uvs.unwrap()[1], [Vec2::splat(0.5), Vec2::ONE, Vec2::ZERO]);
}

#[test]
fn polygons_negative_indices_and_joined_lines() {
    let mesh = parse("v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nf -4 -3 \\\r\n -2 \\\r\n -1\r\n");
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!((mesh.uvs, mesh.quads), (None, vec![[0, 1, 2, 3]]));
    assert_eq!(parse("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").triangles, [[0, 1, 2]]);
    assert_eq!(parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//1 3//1\\").triangles, [[0, 1, 2]]);
}

#[test]
fn texture_coordinates_are_kept_only_if_complete() {
    let points = "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0.25\n";
    assert_eq!(parse(&format!("{points}f 1/1 2/1 3\n")).uvs, None);
    let uvs = parse(&format!("{points}f 1/1 2/1 3/1\n")).uvs.unwrap();
    assert_eq!(uvs, [[Vec2::new(0.25, 0.0); 3]]);
}

#[test]
fn objects_and_groups_become_vertex_groups() {
    let mesh = parse(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 2 2\nf 1 2 5\no my shirt\ng front collar\nf 1 2 3\n\
         g back\nf 4 3 1\ng\nf 1 2 4\n",
    );
    let expected = [("back", vec![0, 2, 3]), ("collar", vec![0, 1, 2]), ("front", vec![0, 1, 2])];
    for (name, members) in expected {
        assert_eq!(mesh.groups[name], members);
    }
    assert_eq!(mesh.groups["my shirt"], [0, 1, 2, 3]);
    assert_eq!(mesh.groups.len(), 4);
}

#[test]
fn errors_name_the_line() {
    let points = "v 0 0 0\nv 1 0 0\nv 1 1 0\n";
    let faces = |face: &str| error(&format!("{points}{face}"));
    assert_eq!(error("v 0 0\n"), (Some(1), "a vertex needs three coordinates".into()));
    assert_eq!(error("\nv 0 x 0\n"), (Some(2), "'x' is not a number".into()));
    assert_eq!(faces("f 1 2\n"), (Some(4), "a face needs three corners, this has 2".into()));
    assert_eq!(faces("f 1 2 9\n"), (Some(4), "the face names vertex 9, but there are only 3".into()));
    assert_eq!(faces("f 1/1 2/1 3/1\n").1, "the face names texture coordinate 1, but there are only 0");
    assert_eq!(faces("f 0 1 2\n"), (Some(4), "'0' is not an index: they count from 1".into()));
    assert_eq!(faces("f -4 1 2\n").1, "'-4' reaches back before the first one");
    assert_eq!(faces("f a 1 2\n").1, "'a' is not an index");
    assert_eq!(faces("f 9223372036854775807 1 2\n").0, Some(4));
    assert_eq!(faces("f -9223372036854775808 1 2\n").0, Some(4));
    assert_eq!(faces(""), (None, "there are no faces in this file".into()));
    assert_eq!(faces(&format!("g {}\n", "a ".repeat(40))).0, Some(4));
    assert_eq!(parse_obj(&[0xff, 0x00, 0x80]).unwrap_err().line, None);
}
