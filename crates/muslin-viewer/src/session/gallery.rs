//! The scenes that come with the viewer, built into the program with the meshes that they name.

use std::sync::OnceLock;

use muslin_io::MemoryFiles;

/// A scene of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GalleryEntry {
    /// Names it in [`Source::Gallery`](super::Source::Gallery), and in links.
    pub name: &'static str,
    /// What it shows, in one sentence.
    pub about: &'static str,
    /// What it belongs to: "Garments", "Bending", …
    pub group: &'static str,
    /// A small picture of it, PNG; drawn by the example `thumbnails`.
    pub thumbnail: &'static [u8],
}

/// All scenes, group by group.
pub fn gallery() -> &'static [GalleryEntry] {
    static ENTRIES: OnceLock<Vec<GalleryEntry>> = OnceLock::new();
    ENTRIES.get_or_init(|| SCENES.iter().map(|scene| scene.entry).collect())
}

/// The text of a scene.
pub(super) fn text(name: &str) -> Option<&'static str> {
    SCENES.iter().find(|scene| scene.entry.name == name).map(|scene| scene.text)
}

/// The meshes of all scenes, as they lie beside them.
pub(super) fn files() -> MemoryFiles {
    static FILES: OnceLock<MemoryFiles> = OnceLock::new();
    FILES.get_or_init(|| MESHES.iter().map(|&(name, content)| (name, content)).collect()).clone()
}

struct GalleryScene {
    entry: GalleryEntry,
    text: &'static str,
}

/// One line per scene: what it belongs to, its name, what it shows.
macro_rules! scenes {
    ($($group:literal: $($name:literal $about:literal)*;)*) => {
        const SCENES: &[GalleryScene] = &[$($(GalleryScene {
            entry: GalleryEntry {
                name: $name,
                about: $about,
                group: $group,
                thumbnail: include_bytes!(concat!("../../thumbnails/", $name, ".png")),
            },
            text: include_str!(concat!("../../../../scenes/", $name, ".toml")),
        }),*),*];
    };
}

scenes! {
    "Garments":
        "skirt_turning" "A cotton skirt on a body that turns to and fro."
        "garment_walk" "A dress on a body that walks; nothing is pinned."
        "multilevel_skirt" "A skirt of four panels, whose fine folds come from a grid of particles."
        "skirt_tube" "A skirt on a waistband that turns and lifts, without a body.";
    "Drapes":
        "sphere_drape" "A silk cloth falls over a ball."
        "tablecloth" "A cotton tablecloth falls onto a table."
        "dragon" "Silk falls over a dragon with horns and a ridge."
        "multilevel_ball" "2,592 triangles collide, 40,000 particles fold."
        "funnel" "A round cloth is pulled through a funnel by its middle.";
    "Hanging and wind":
        "flag" "A silk flag in gusts of wind."
        "curtain" "A curtain is drawn together; then there is a draught."
        "hanging" "A light cotton square swings from two corners."
        "handkerchief" "A silk handkerchief, whose corners come together.";
    "Folds and layers":
        "floor_fold" "A strip of cotton is let down onto the floor and folds."
        "twist" "The ends of a cloth make three turns against each other."
        "stack" "Ten cloths fall onto a ball, one on top of the other.";
    "Bodies":
        "bodies" "Balls, boxes and a cow fall into cloth that does not stretch."
        "hammock" "Balls and boxes fall into a hammock, and a heavy ball after them."
        "cushion" "A box of cloth is blown up to a cushion, and loses air again.";
    "Bending":
        "bending" "The same cloth over the same ball, bent by four models."
        "dome" "Two domes that were pushed in: one stays so, the other pops out."
        "rigid_fabric" "A crumpled fabric three times: only one of three models comes flat."
        "plant" "Two plants of cloth whose feet are shaken."
        "iterations" "Three cows that differ in nothing but the solver's iterations."
        "collapse" "A cow of cloth collapses, and comes back.";
    "Papers":
        "inextensible_ball" "Inextensible cloth falls over a ball, as in Bender and Bayer 2009."
        "napkin" "Radial shape matching with impulses: a napkin falls over a ball.";
}

/// Files beside the scenes.
macro_rules! meshes {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../../../../scenes/", $name)))),*]
    };
}

const MESHES: &[(&str, &[u8])] = meshes! {
    "dome/dome.obj" "dome/pushed.obj" "dragon/dragon.ply" "funnel/funnel.obj" "rigid_fabric/crumpled.obj" "spot/spot.obj"
    "body/dress.obj"
    "body/0001.obj" "body/0002.obj" "body/0003.obj" "body/0004.obj" "body/0005.obj" "body/0006.obj" "body/0007.obj"
    "body/0008.obj" "body/0009.obj" "body/0010.obj" "body/0011.obj" "body/0012.obj" "body/0013.obj" "body/0014.obj"
    "body/0015.obj" "body/0016.obj" "body/0017.obj" "body/0018.obj" "body/0019.obj" "body/0020.obj" "body/0021.obj"
    "body/0022.obj" "body/0023.obj" "body/0024.obj" "body/0025.obj" "body/0026.obj" "body/0027.obj" "body/0028.obj"
    "body/0029.obj" "body/0030.obj" "body/0031.obj" "body/0032.obj" "body/0033.obj" "body/0034.obj" "body/0035.obj"
    "body/0036.obj" "body/0037.obj" "body/0038.obj" "body/0039.obj" "body/0040.obj" "body/0041.obj" "body/0042.obj"
    "body/0043.obj" "body/0044.obj" "body/0045.obj" "body/0046.obj"
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_of_the_repository_is_in_the_gallery() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let mut missing = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            if path.extension().is_some_and(|extension| extension == "toml") && text(&stem).is_none() {
                missing.push(stem);
            }
        }
        assert!(missing.is_empty(), "{missing:?}");
    }
}
