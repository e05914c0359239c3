use glam::Vec3;

use super::*;

const HEADER: &str = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
                      element face 1\nproperty list uchar int vertex_indices\nend_header\n";

fn ascii(body: &str) -> Vec<u8> {
    format!("ply\nformat ascii 1.0\n{HEADER}{body}").into_bytes()
}

/// The unit square as binary PLY in the given byte order.
fn binary(big_endian: bool) -> Vec<u8> {
    let order = if big_endian { "big" } else { "little" };
    let mut content = format!("ply\nformat binary_{order}_endian 1.0\n{HEADER}").into_bytes();
    let swap = |bytes: [u8; 4]| if big_endian { [bytes[3], bytes[2], bytes[1], bytes[0]] } else { bytes };
    for x in [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0] {
        content.extend(swap(x.to_le_bytes()));
    }
    content.push(4);
    for index in [0i32, 1, 2, 3] {
        content.extend(swap(index.to_le_bytes()));
    }
    content
}

fn error(content: &[u8]) -> ParseError {
    parse_ply(content).unwrap_err()
}

#[test]
fn ascii_and_both_binary_orders_give_the_same_mesh() {
    let mesh = parse_ply(&ascii("0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n")).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.quads, [[0, 1, 2, 3]]);
    assert_eq!(mesh.positions[2], Vec3::new(1.0, 1.0, 0.0));
    assert_eq!(mesh.uvs, None);
    assert_eq!(parse_ply(&binary(false)), Ok(mesh.clone()));
    assert_eq!(parse_ply(&binary(true)), Ok(mesh));
}

#[test]
fn texture_coordinates_of_vertices_and_other_elements() {
    let content = "ply\nformat ascii 1.0\ncomment made by hand\nelement material 1\nproperty list uchar float k\n\
                   element vertex 3\nproperty double x\nproperty double y\nproperty double z\n\
                   property float s\nproperty float t\nproperty uchar red\n\
                   element face 1\nproperty list uchar uint vertex_index\nproperty int flags\nend_header\n\
                   2 0.5 0.5\n0 0 0 0 0 255\n1 0 0 1 0 255\n0 1 0 0 1 255\n3 0 1 2 7\n";
    let mesh = parse_ply(content.as_bytes()).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
    assert_eq!(mesh.uvs, Some(vec![[Vec2::ZERO, Vec2::X, Vec2::Y]]));
}

#[test]
fn texture_coordinates_of_faces() {
    let content = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                   element face 1\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n\
                   end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 6 0 0 0.5 0 0 0.5\n";
    let uvs = parse_ply(content.as_bytes()).unwrap().uvs;
    assert_eq!(uvs, Some(vec![[Vec2::ZERO, Vec2::X * 0.5, Vec2::Y * 0.5]]));
}

#[test]
fn errors_name_what_is_wrong() {
    let square = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
    assert_eq!(
        error(&ascii(&format!("{square}3 0 1 9\n"))).message,
        "face 0 names vertex 9, but there are 4"
    );
    assert_eq!(
        error(&ascii(&format!("{square}3 0 1 -1\n"))).message,
        "face 0 names vertex -1, but there are 4"
    );
    assert_eq!(
        error(&ascii(&format!("{square}2 0 1      \n"))).message,
        "face 0 has 2 corners; it needs three"
    );
    // The data begins in line 10; the third vertex is in line 12.
    let bad_line = error(&ascii("0 0 0\n1 0 0\n1 x 0\n0 1 0\n3 0 1 2\n"));
    assert_eq!(bad_line.line, Some(12), "{bad_line}");
    assert_eq!(error(b"solid\n").line, Some(1));
    assert!(error(b"").message.contains("end of file"));
    let no_faces = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
                    property float z\nend_header\n0 0 0\n";
    assert_eq!(error(no_faces.as_bytes()).message, "there is no element face in this file");
    let other_list = "element face 1\nproperty list uchar int corners\nend_header\n0 0 0\n3 0 0 0\n";
    assert_eq!(
        error(no_faces.replace("end_header\n0 0 0\n", other_list).as_bytes()).message,
        "element face has no property vertex_indices or vertex_index"
    );
}

#[test]
fn triangle_strips_were_said_to_be_faces_without_a_property() {
    let strips = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                  element tristrips 1\nproperty list int int vertex_indices\nend_header\n\
                  0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let message = error(strips.as_bytes()).message;
    assert!(message.contains("tristrips") && message.contains("save it with faces"), "{message}");
}

#[test]
fn counts_beyond_the_file_are_refused_at_once() {
    for count in ["1000000", "99999999999", "18446744073709551615"] {
        for format in ["ascii", "binary_little_endian"] {
            let header = HEADER.replace("vertex 4", &format!("vertex {count}"));
            let content = format!("ply\nformat {format} 1.0\n{header}0 0 0\n");
            assert!(error(content.as_bytes()).message.contains("bytes of data, but only 6 follow"));
        }
    }
    let empty = HEADER.replace("element face", "element nothing 99999999999\nelement face");
    let message = error(format!("ply\nformat binary_little_endian 1.0\n{empty}").as_bytes()).message;
    assert_eq!(message, "element nothing has no properties");
}

#[test]
fn a_list_longer_than_the_file_is_an_error() {
    let mut content = binary(false);
    let header_end = content.len() - 17;
    content[header_end] = 255;
    assert!(error(&content).message.contains("end of file"));
    let wide = HEADER.replace("list uchar", "list uint");
    let mut content = format!("ply\nformat binary_little_endian 1.0\n{wide}").into_bytes();
    content.extend([0; 48]);
    content.extend(u32::MAX.to_le_bytes());
    assert!(error(&content).message.contains("end of file"));
}
