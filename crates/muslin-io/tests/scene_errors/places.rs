//! Many mistakes in scenes, each found where it is.

use crate::{CLOTH, error, expect};

#[test]
fn many_other_mistakes_are_found_where_they_are() {
    // Text, and what must be underlined and said.
    let pins = "[[cloth.pins]]\ngroup = \"top\"\n";
    let long = "a".repeat(300);
    let ball = "[[collider]]\nsphere = { radius = 0.5 }\n";
    let cases = [
        (String::new(), "", "the scene lacks the key \"cloth\""),
        (format!("time = {{ frames = 10_000_000 }}\n{CLOTH}"), "10_000_000", "the limit is 1000000"),
        (CLOTH.replace("[[cloth]]", "[cloth]"), "[cloth]", "write [[cloth]] with two brackets"),
        (format!("up = \"x\"\n{CLOTH}"), "\"x\"", "allowed are \"y\" or \"z\""),
        (format!("{CLOTH}name = \"../../etc\"\n"), "\"../../etc\"", "it names files"),
        (format!("{CLOTH}name = \"a\"\n{CLOTH}name = \"A\"\n"), "\"A\"", "two cloths are called"),
        (format!("{CLOTH}tethers = \"on\"\n"), "\"on\"", "allowed are \"auto\" or \"off\""),
        (format!("{CLOTH}tethers = 0\n"), "0", "at least 1"),
        (format!("{CLOTH}transform.scale = 0\n"), "0", "scale must not be 0"),
        (format!("{CLOTH}transform.translate = [nan, 0, 0]\n"), "nan", "translate is NaN"),
        (format!("{CLOTH}material.density = inf\n"), "inf", "density is inf, but must be at most 1e9"),
        (format!("{CLOTH}[output]\nfolder = \"{long}\"\n"), "\"aaaa", "has 300 bytes; the limit is 255"),
        (
            format!("{CLOTH}[[body]]\nconvex.tube = {{ radius = 1, height = 1, segments = 1000000, rings = 1 }}\n"),
            "1000000",
            "segments is 1000000; the limit is 16384",
        ),
        (
            "[[cloth]]\nmesh.sphere = { radius = 0.002, subdivisions = 5 }\n".to_owned(),
            "[[cloth]]",
            "the edges of 'cloth' are 0.076 mm long on average, and 2.000 mm are kept free",
        ),
        (format!("{CLOTH}transform.translate = [1, 2]\n"), "[1, 2]", "write it as [x, y, z]"),
        (format!("{CLOTH}transform.translate = [1, \"2\", 3]\n"), "\"2\"", "each component of translate"),
        (
            format!("{CLOTH}transform.rotate = {{ axis = [0, 0, 0], degrees = 3 }}\n"),
            "[0, 0, 0]",
            "an axis must have a length",
        ),
        (format!("{CLOTH}material.stretch = {{ alpha = 1, weft = 2 }}\n"), "2", "either { alpha, beta }"),
        (format!("{CLOTH}material.stretch = {{ weft = 2 }}\n"), "{ weft = 2 }", "stretch lacks \"warp\""),
        (
            format!("solver.variant = \"paper\"\n{CLOTH}fabric = \"silk\"\n"),
            "\"silk\"",
            "only the \"full_approximation\" variant",
        ),
        (
            format!("solver.method = \"radial_matching\"\n{CLOTH}fabric = \"silk\"\n"),
            "\"silk\"",
            "only the \"full_approximation\" variant",
        ),
        (
            format!("solver = {{ method = \"radial_matching\", over_relaxation = 2.0 }}\n{CLOTH}"),
            "2.0",
            "has no over-relaxation",
        ),
        (
            format!("solver = {{ method = \"position_based\", over_relaxation = 3.0 }}\n{CLOTH}"),
            "3.0",
            "use order = \"jacobi\"",
        ),
        (
            format!("{CLOTH}material.triangle_bending = {{ signed = true, printed_masses = true }}\n"),
            "true",
            "signed bends have no printed masses",
        ),
        (
            format!("collision = {{ response = \"impulses\", level = 2 }}\n{CLOTH}"),
            "2",
            "no coarser levels for impulses",
        ),
        (
            format!("{CLOTH}solver = {{ variant = \"paper\", cycle = \"sawtooth\" }}\n"),
            "\"sawtooth\"",
            "no \"sawtooth\"",
        ),
        (
            format!("{CLOTH}solver = {{ variant = \"paper\", order = \"jacobi\" }}\n"),
            "\"jacobi\"",
            "no \"jacobi\" order",
        ),
        (
            format!("solver.order = \"jacobi\"\n{CLOTH}fabric = \"silk\"\n"),
            "\"silk\"",
            "in the order \"gauss_seidel\"",
        ),
        (format!("{CLOTH}{pins}pivot = [0, 0, 0]\n"), "[0, 0, 0]", "without keyframes"),
        (format!("{CLOTH}{pins}keyframes = []\n"), "[]", "at least 1"),
        (format!("{CLOTH}{pins}keyframes = [{{ time = -1 }}]\n"), "-1", "0 or above"),
        (
            format!("{CLOTH}{pins}keyframes = [{{ time = 0 }}, {{ time = 1, rotate = [1e9, 0, 0] }}]\n"),
            "1e9",
            "at most 1e6",
        ),
        (
            format!("{CLOTH}{pins}keyframes = [{{ time = 0 }}, {{ time = 1, rotate = {{ axis = [0, 1, 0], degrees = 1e6 }} }}]\n")
                .replace("4, rows", "400, rows"),
            "[{ time = 0 }",
            "the limit for all pins of a scene is 8000000",
        ),
        (format!("{CLOTH}[output]\nformats = [\"obj\", \"fbx\"]\n"), "\"fbx\"", "allowed are \"obj\""),
        (format!("{CLOTH}[output]\npictures.frames = [10, 500]\n"), "500", "the last is 239"),
        (format!("{CLOTH}[output]\npictures.size = [640]\n"), "[640]", "at least 2"),
        (format!("{CLOTH}[camera]\neye = [0, 0, 0]\ntarget = [0, 0, 0]\n"), "[0, 0, 0]", "where it looks at"),
        (format!("{CLOTH}[camera]\neye = [0, 5, 0]\ntarget = [0, 0, 0]\n"), "[0, 5, 0]", "up direction"),
        (
            format!("{CLOTH}[check]\nbounds = {{ min = [1, 1, 1], max = [0, 2, 2] }}\n"),
            "[0, 2, 2]",
            "below min",
        ),
        (format!("{CLOTH}[solver]\nlevels = 99999999999999999999\n"), "99999999999999999999", "limit is 32"),
        ("[[cloth]]\nmesh.sphere = { radius = 1, subdivisions = 16 }\n".into(), "{", "triangles; the limit"),
        ("[[cloth]]\nmesh.file = \"/etc/passwd\"\n".into(), "\"/etc/passwd\"", "--allow-outside"),
        ("[[cloth]]\nmesh.file = \"../muslin/Cargo.toml\"\n".into(), "\"../muslin", "--allow-outside"),
        ("[[cloth]]\nmesh.file = \"Cargo.toml\"\n".into(), "\"Cargo.toml\"", "unknown mesh format"),
        ("[[cloth]]\nmesh.file = \"src\"\n".into(), "\"src\"", "is not a file"),
        (format!("{CLOTH}[output]\nfolder = \"../elsewhere\"\n"), "\"../elsewhere\"", "--allow-outside"),
        (format!("{CLOTH}[output]\nfolder = \"Cargo.toml/a\"\n"), "\"Cargo.toml/a\"", "is not a folder"),
        (format!("{CLOTH}[[collider]]\nsphere = {{ radius = 0 }}\n"), "0", "radius is 0, but must be above 0"),
        (format!("{CLOTH}[[collider]]\nbox = {{ size = [1, 0, 1] }}\n"), "0", "size is 0, but must be above 0"),
        (format!("{CLOTH}[[collider]]\nplane.normal = [0, 0, 0]\n"), "[0, 0, 0]", "must have a length"),
        (format!("{CLOTH}[[collider]]\nname = \"a\"\n"), "[[collider]]", "add one of \"plane\", \"sphere\""),
        (format!("{CLOTH}[[collider]]\nplane = {{}}\nbox.size = [1, 1, 1]\n"), "box.size", "together with"),
        (format!("{CLOTH}{ball}thickness = 0\n"), "0", "thickness is 0, but must be above 0"),
        (format!("{CLOTH}{ball}friction = -1\n"), "-1", "0 or above"),
        (format!("{CLOTH}{ball}pivot = [0, 0, 0]\n"), "[0, 0, 0]", "without keyframes"),
        (
            format!(
                "{CLOTH}{ball}keyframes = [{{ time = 0 }}, {{ time = 1, rotate = {{ axis = [0, 1, 0], degrees = 1e6 }} }}, \
                 {{ time = 2, rotate = {{ axis = [0, 1, 0], degrees = -1e6 }} }}]\n"
            ),
            "[{ time = 0 }",
            "the limit for all colliders of a scene is 1000000",
        ),
        (format!("{CLOTH}{ball}{ball}name = \"collider\"\n"), "\"collider\"", "two colliders are called"),
        (format!("{CLOTH}name = \"collider\"\n{ball}"), "[[collider]]", "a cloth and a collider are both"),
        (
            format!("{CLOTH}[[collider]]\ncapsule = {{ from = [0, 0, 0], to = [0, 1, 0], radius = 1 }}\ntransform = {{ scale = [1, 1, 2] }}\n"),
            "[1, 1, 2]",
            "a capsule can only be scaled",
        ),
        (format!("{CLOTH}[[collider]]\nmesh.file = \"Cargo.toml\"\n"), "\"Cargo.toml\"", "unknown mesh format"),
        (format!("{CLOTH}[[collider]]\nmesh.file = \"body.obj\"\n"), "\"body.obj\"", "there is no file"),
        (
            format!("{CLOTH}[[collider]]\nmesh.grid = {{ columns = 9000, rows = 9000 }}\n"),
            "{ columns = 9000",
            "the limit for a scene is 4000000",
        ),
        (format!("{CLOTH}[[collider]]\nsequence = {{ files = \"a.obj\", last = 2 }}\n"), "\"a.obj\"", "one run of '#'"),
        (format!("{CLOTH}{ball}[[contact]]\nbetween = [\"cloth\"]\n"), "[\"cloth\"]", "at least 2"),
        (
            format!("{CLOTH}{ball}[[contact]]\nbetween = [\"collider\", \"collider\"]\n"),
            "[\"collider\", \"collider\"]",
            "one must be a cloth",
        ),
        (
            format!(
                "{CLOTH}{ball}[[contact]]\nbetween = [\"cloth\", \"collider\"]\n[[contact]]\nbetween = [\"collider\", \"cloth\"]\n"
            ),
            "[\"collider\", \"cloth\"]",
            "already",
        ),
        (format!("{CLOTH}{ball}[[contact]]\nbetween = [\"cloth\", \"collider\"]\nthickness = 0\n"), "0", "above 0"),
        (format!("{CLOTH}[collision]\nself = 1\n"), "1", "self must be true or false"),
        (format!("{CLOTH}[collision]\npasses = 0\n"), "0", "at least 1"),
        (format!("{CLOTH}[collision]\nround = 3\n"), "round", "did you mean \"rounds\"?"),
        (format!("{CLOTH}material = {{ thickness = 0 }}\n"), "0", "thickness is 0, but must be above 0"),
        (format!("{CLOTH}material = {{ contact_stiffness = -1 }}\n"), "-1", "0 or above"),
        (format!("{CLOTH}[check]\nself_intersections = -1\n"), "-1", "at least 0"),
    ];
    for (text, place, said) in cases {
        expect(&text, place, said);
    }
}

#[test]
fn wind_without_air_is_refused_where_it_stands() {
    let text = format!("[forces]\nair = false\nwind = {{}}\n{CLOTH}");
    let shown = error(&text);
    assert!(shown.contains("there is no wind with air = false") && shown.contains("scene.toml:3"), "{shown}");
}
