//! The scenes that come with the viewer.

/// A scene of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GalleryEntry {
    /// Names it in [`Source::Gallery`](super::Source::Gallery), and in links.
    pub name: &'static str,
    /// What it shows, in one sentence.
    pub about: &'static str,
    /// What it belongs to: "Garments", "Bending", …
    pub group: &'static str,
}

/// All scenes, group by group.
pub fn gallery() -> &'static [GalleryEntry] {
    &[]
}
