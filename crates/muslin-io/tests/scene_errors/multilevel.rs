//! Mistakes in scenes with multilevel cloth lead to the key that they are about.

use crate::{CLOTH, error, expect};

const METHOD: &str = "method = \"multilevel\"\n";
const TUBE: &str = "[[cloth]]\nmesh.tube = { radius = 0.3, height = 0.5, segments = 12, rings = 4 }\n";

#[test]
fn a_shape_that_is_not_flat_leads_to_the_parameterisation_or_the_mesh() {
    let flat = format!("[solver]\n{METHOD}parameterisation = \"flat\"\n{TUBE}");
    expect(&flat, "\"flat\"", "the rest shape is not flat at triangle");
    // What a cloth says itself comes first.
    let own = format!("{flat}[cloth.solver]\nparameterisation = \"flat\"\n");
    let line = error(&own).lines().nth(1).unwrap().to_owned();
    assert!(line.contains("scene.toml:7:"), "{line}");
    let closed = format!("[solver]\n{METHOD}[[cloth]]\nmesh.sphere = {{ radius = 0.3, subdivisions = 2 }}\n");
    expect(&closed, "mesh.sphere", "it must be cut open");
}

#[test]
fn a_grid_that_cannot_be_leads_to_its_size() {
    let grid = |keys: &str| format!("[solver]\n{METHOD}{keys}{CLOTH}");
    expect(&grid("spacing = 5.0\n"), "5.0", "too coarse");
    expect(&grid("spacing = 1e-6\n"), "1e-6", "texels are supported");
    expect(&grid("particles = 4000000000\n"), "4000000000", "texels are supported");
    expect(&grid("spacing = 0.01\nparticles = 99\n"), "99", "together with \"spacing\"");
    expect(&grid("coarsest = 1\n"), "1", "at least 2");
    expect(&grid("strain_limit = 0\n"), "0", "above 0");
    expect(&grid("shear = 1.5\n"), "1.5", "at most 1");
    expect(&grid("over_relaxation = 2\n"), "2", "must be below 2");
    expect(&grid("bending_weft = 1e-5\n"), "1e-5", "bending_weft needs bending_warp");
    expect(&grid("plan = [{ relaxation = \"sor\", iterations = 2 }]\n"), "\"sor\"", "unknown relaxation");
}

#[test]
fn what_the_grid_does_not_know_is_pointed_at() {
    let with = |keys: &str| format!("[solver]\n{METHOD}{CLOTH}{keys}\n");
    expect(
        &with("material = { bending = 1e-6, bending_form = \"explicit\" }"),
        "\"explicit\"",
        "explicit bending",
    );
    expect(&with("material = { triangle_bending = {} }"), "{}", "other bending models");
    expect(
        &with("material = { damping = 0.1, damping_form = \"printed\" }"),
        "\"printed\"",
        "damping as printed",
    );
}

#[test]
fn keys_of_multilevel_cloth_belong_to_it() {
    expect(&format!("[solver]\nsnap = true\n{CLOTH}"), "true", "belongs to the method \"multilevel\"");
    expect(
        &format!("[solver]\n{METHOD}removal = 0.5\n{CLOTH}"),
        "0.5",
        "belongs to the method \"shape_matching\"",
    );
    expect(
        &format!("[solver]\nmost_iterations = 5\n{CLOTH}"),
        "5",
        "the methods \"impulses\" and \"multilevel\"",
    );
}

#[test]
fn panels_that_would_not_be_equal_are_refused() {
    let tube =
        "[[cloth]]\nmesh.tube = { radius = 0.3, height = 0.5, segments = 10, rings = 4, panels = 4 }\n";
    expect(tube, "4 }", "4 equal panels need a multiple of 4 segments, not 10");
}
