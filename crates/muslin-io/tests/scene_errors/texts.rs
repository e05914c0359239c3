//! What people see when a scene is wrong: the whole text of an error for each kind of mistake.

use crate::{CLOTH, error};

/// Compares, ignoring the indentation of the expected text.
#[track_caller]
fn expect(text: &str, expected: &str) {
    let found = error(text);
    let expected: Vec<&str> =
        expected.trim_matches('\n').lines().map(|l| l.trim_start_matches("        ")).collect();
    assert_eq!(found, expected.join("\n").trim_end(), "\n{found}\n");
}

#[test]
fn an_unknown_key_names_the_one_that_was_meant() {
    expect(
        &format!("[time]\nsubstep = 3\n{CLOTH}"),
        r#"
        error: unknown key "substep" in [time]
         --> scene.toml:2:1
          |
        2 | substep = 3
          | ^^^^^^^
          = hint: did you mean "substeps"?
        "#,
    );
}

#[test]
fn a_key_unlike_any_other_lists_all() {
    expect(
        &format!("[time]\nduration = 3\n{CLOTH}"),
        r#"
        error: unknown key "duration" in [time]
         --> scene.toml:2:1
          |
        2 | duration = 3
          | ^^^^^^^^
          = hint: known keys are fps, frames, substeps
        "#,
    );
}

#[test]
fn a_wrong_type_says_what_is_wanted() {
    expect(
        &format!("[time]\nframes = \"240\"\nfps = true\n{CLOTH}"),
        r#"
        error: frames must be a whole number, not the text "240"
         --> scene.toml:2:10
          |
        2 | frames = "240"
          |          ^^^^^
          = hint: remove the quotes: frames = 240

        error: fps must be a number, not true
         --> scene.toml:3:7
          |
        3 | fps = true
          |       ^^^^
        "#,
    );
}

#[test]
fn broken_toml_is_shown_too() {
    expect(
        "name = \"flag\n",
        r#"
        error: invalid basic string, expected `"`
         --> scene.toml:1:13
          |
        1 | name = "flag
          |             ^
        "#,
    );
}

#[test]
fn a_missing_value_and_text_without_quotes_are_told_apart() {
    expect(
        "[time]\nframes = \n",
        r#"
        error: a value is missing here
         --> scene.toml:2:10
          |
        2 | frames = 
          |          ^
        "#,
    );
    expect(
        "name = flag\n",
        r#"
        error: "flag" is not a value
         --> scene.toml:1:8
          |
        1 | name = flag
          |        ^^^^
          = hint: text must be in quotes: "flag"
        "#,
    );
}

#[test]
fn an_empty_file_is_told_how_to_begin() {
    expect(
        "",
        r#"
        error: the scene lacks the key "cloth"
         --> scene.toml:1:1
          |
        1 | 
          | ^
          = hint: add [[cloth]]
        "#,
    );
}

#[test]
fn the_mark_before_a_text_is_neither_shown_nor_counted() {
    let with_mark = format!("\u{feff}nam = \"a\"\n{CLOTH}");
    assert_eq!(error(&with_mark), error(&with_mark[3..]));
}

#[test]
fn the_underline_is_below_what_follows_wide_characters() {
    expect(
        &format!("time = {{ \"旗\" = 1, frames = 0 }} # 旗\n{CLOTH}"),
        r#"
        error: unknown key "旗" in [time]
         --> scene.toml:1:10
          |
        1 | time = { "旗" = 1, frames = 0 } # 旗
          |          ^^^^
          = hint: known keys are fps, frames, substeps

        error: frames is 0, but must be at least 1
         --> scene.toml:1:28
          |
        1 | time = { "旗" = 1, frames = 0 } # 旗
          |                             ^
        "#,
    );
}

#[test]
fn a_scale_that_flattens_a_cloth_is_pointed_at() {
    expect(
        &format!("{CLOTH}transform.scale = [1, 1e-8, 1]\n"),
        r#"
        error: this scale leaves triangles without area
         --> scene.toml:3:19
          |
        3 | transform.scale = [1, 1e-8, 1]
          |                   ^^^^^^^^^^^^
        "#,
    );
}

#[test]
fn a_negative_density_points_at_the_number() {
    expect(
        &format!("{CLOTH}material = {{ bending = 1e-5, density = -0.2 }}\n"),
        r#"
        error: density is -0.2, but must be above 0
         --> scene.toml:3:40
          |
        3 | material = { bending = 1e-5, density = -0.2 }
          |                                        ^^^^
        "#,
    );
}

#[test]
fn an_unknown_fabric_lists_those_there_are() {
    expect(
        &format!("{CLOTH}fabric = \"wool\"\n"),
        r#"
        error: unknown fabric "wool"
         --> scene.toml:3:10
          |
        3 | fabric = "wool"
          |          ^^^^^^
          = hint: allowed are "silk", "cotton", "denim", "leather" or "jersey"
        "#,
    );
}

#[test]
fn pins_that_select_nothing_say_where_the_cloth_is() {
    expect(
        &format!("{CLOTH}[[cloth.pins]]\nbox = {{ min = [0, 2, 0], max = [1, 3, 0] }}\n"),
        r#"
        error: no vertex lies in this box
         --> scene.toml:4:7
          |
        4 | box = { min = [0, 2, 0], max = [1, 3, 0] }
          |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          = hint: at the start the cloth reaches from [0.000, 0.000, 0.000] to [1.000, 1.000, 0.000]
        "#,
    );
}

#[test]
fn a_vertex_out_of_range_is_pointed_at_within_its_list() {
    expect(
        &format!("{CLOTH}[[cloth.pins]]\nvertices = [3, 25, 4]\n"),
        r#"
        error: there is no vertex 25: the mesh has 25
         --> scene.toml:4:16
          |
        4 | vertices = [3, 25, 4]
          |                ^^
          = hint: they are counted from 0 to 24
        "#,
    );
}

#[test]
fn all_groups_that_do_not_exist_are_reported() {
    expect(
        &format!("{CLOTH}[[cloth.pins]]\ngroup = \"topp\"\n[[cloth.pins]]\ngroup = \"waist\"\n"),
        r#"
        error: the mesh has no group "topp"
         --> scene.toml:4:9
          |
        4 | group = "topp"
          |         ^^^^^^
          = hint: did you mean "top"?

        error: the mesh has no group "waist"
         --> scene.toml:6:9
          |
        6 | group = "waist"
          |         ^^^^^^^
          = hint: its groups are "bottom", "boundary", "corners", "left", "right", "top"
        "#,
    );
}

#[test]
fn keyframes_out_of_order_point_at_the_time() {
    let keyframes = "keyframes = [\n  { time = 1.0 },\n  { time = 0.5, translate = [0, 1, 0] },\n]\n";
    expect(
        &format!("{CLOTH}[[cloth.pins]]\ngroup = \"top\"\n{keyframes}"),
        r#"
        error: a keyframe at 0.5 s comes after one at 1 s
         --> scene.toml:7:12
          |
        7 |   { time = 0.5, translate = [0, 1, 0] },
          |            ^^^
          = hint: times must increase
        "#,
    );
}

#[test]
fn a_grid_too_large_names_the_limit() {
    expect(
        "[[cloth]]\nmesh.grid = { columns = 10_000, rows = 1000 }\n",
        r#"
        error: this mesh would have 20000000 triangles; the limit for a scene is 4000000
         --> scene.toml:2:13
          |
        2 | mesh.grid = { columns = 10_000, rows = 1000 }
          |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        "#,
    );
}

#[test]
fn a_missing_file_names_one_that_is_there() {
    expect(
        "[[cloth]]\nmesh = { file = \"Crago.toml\" }\n",
        r#"
        error: there is no file "Crago.toml"
         --> scene.toml:2:17
          |
        2 | mesh = { file = "Crago.toml" }
          |                 ^^^^^^^^^^^^
          = hint: did you mean "Cargo.toml"?
        "#,
    );
}

#[test]
fn an_incomplete_cloth_says_what_is_missing() {
    expect(
        "[[cloth]]\nname = \"a\"\n\n[[cloth]]\nmesh = { repair = true }\n",
        r#"
        error: [[cloth]] lacks the key "mesh"
         --> scene.toml:1:1
          |
        1 | [[cloth]]
          | ^^^^^^^^^
          = hint: add mesh = … (a table)

        error: mesh is not complete
         --> scene.toml:5:8
          |
        5 | mesh = { repair = true }
          |        ^^^^^^^^^^^^^^^^^
          = hint: add one of "file", "grid", "alternating_grid", "delaunay", "disk", "tube", "sphere", "box" or "plant"
        "#,
    );
}

#[test]
fn selectors_exclude_each_other() {
    expect(
        &format!("{CLOTH}[[cloth.pins]]\ngroup = \"top\"\nnearest = [0, 0, 0]\n"),
        r#"
        error: "nearest" cannot be given together with "group"
         --> scene.toml:5:11
          |
        5 | nearest = [0, 0, 0]
          |           ^^^^^^^^^
          = hint: give one of "vertices", "group", "box", "sphere" or "nearest"
        "#,
    );
}

#[test]
fn a_contact_of_an_unknown_body_names_the_one_that_was_meant() {
    let bodies =
        format!("{CLOTH}name = \"shirt\"\n[[collider]]\nname = \"body\"\nsphere = {{ radius = 0.5 }}\n");
    expect(
        &format!("{bodies}[[contact]]\nbetween = [\"shirt\", \"boddy\"]\n"),
        r#"
        error: there is no cloth, collider or body named "boddy"
         --> scene.toml:8:21
          |
        8 | between = ["shirt", "boddy"]
          |                     ^^^^^^^
          = hint: did you mean "body"?
        "#,
    );
    expect(
        &format!("{bodies}[[contact]]\nbetween = [\"table\", \"shirt\"]\n"),
        r#"
        error: there is no cloth, collider or body named "table"
         --> scene.toml:8:12
          |
        8 | between = ["table", "shirt"]
          |            ^^^^^^^
          = hint: there are "shirt", "body"
        "#,
    );
}

#[test]
fn a_cloth_and_a_collider_cannot_share_a_name() {
    expect(
        &format!("{CLOTH}name = \"shirt\"\n[[collider]]\nname = \"Shirt\"\nplane = {{}}\n"),
        r#"
        error: a cloth and a collider are both called "Shirt"
         --> scene.toml:5:8
          |
        5 | name = "Shirt"
          |        ^^^^^^^
          = hint: give them different names: they name files, and bodies in [[contact]]
        "#,
    );
}

#[test]
fn round_colliders_are_scaled_in_all_directions_alike() {
    expect(
        &format!("{CLOTH}[[collider]]\nsphere = {{ radius = 0.5 }}\ntransform.scale = [1, 2, 1]\n"),
        r#"
        error: a sphere can only be scaled in all directions alike
         --> scene.toml:5:19
          |
        5 | transform.scale = [1, 2, 1]
          |                   ^^^^^^^^^
          = hint: give a mesh in its place: mesh.sphere = { radius = 1.0, subdivisions = 4 }
        "#,
    );
}

#[test]
fn keys_of_another_method_are_pointed_at() {
    expect(
        &format!("[solver]\nmethod = \"position_based\"\nlevels = 3\n{CLOTH}"),
        r#"
        error: "levels" belongs to the methods "shape_matching" and "multilevel"
         --> scene.toml:3:10
          |
        3 | levels = 3
          |          ^
          = hint: leave it out, or use method = "shape_matching" or "multilevel"
        "#,
    );
    expect(
        &format!("[solver]\niterations = 3\n{CLOTH}"),
        r#"
        error: "iterations" belongs to the methods "position_based" and "multilevel"
         --> scene.toml:2:14
          |
        2 | iterations = 3
          |              ^
          = hint: leave it out, or use method = "position_based" or "multilevel"
        "#,
    );
    expect(
        &format!("[solver]\nmethod = \"position_based\"\nover_relaxation = 1.5\n{CLOTH}"),
        r#"
        error: over_relaxation is for constraints that are averaged
         --> scene.toml:3:19
          |
        3 | over_relaxation = 1.5
          |                   ^^^
          = hint: use order = "jacobi", or leave it out
        "#,
    );
}

#[test]
fn one_bending_model_at_a_time() {
    expect(
        &format!("{CLOTH}material = {{ bending = 1e-5, triangle_bending = {{}} }}\n"),
        r#"
        error: "bending" belongs to the quadratic model, which "triangle_bending" takes the place of
         --> scene.toml:3:24
          |
        3 | material = { bending = 1e-5, triangle_bending = {} }
          |                        ^^^^
          = hint: leave one of the two out
        "#,
    );
    let both = error(&format!("{CLOTH}material = {{ stick_bending = {{}}, triangle_bending = {{}} }}\n"));
    assert!(both.contains("stick_bending") && both.contains("triangle_bending"), "{both}");
    let stiffness = error(&format!(
        "{CLOTH}material.triangle_bending = {{ stiffness = 0.5, compliance = 0.1, kappa = -1.0 }}\n"
    ));
    assert!(stiffness.contains("compliance") && stiffness.contains("kappa"), "{stiffness}");
}

#[test]
fn curves_go_forward_in_time() {
    let text =
        error(&format!("{CLOTH}pressure = [{{ time = 1.0, value = 1.0 }}, {{ time = 0.5, value = 1.5 }}]\n"));
    assert!(
        text.contains("a keyframe at 0.5 s comes after one at 1 s") && text.contains("times must increase"),
        "{text}"
    );
}
