//! What the window remembers for itself: which panels are open, how things are shown, what was typed.

use std::collections::BTreeMap;

use super::ask::PanelName;
use super::trace::Trace;
use crate::draw::Options;
use crate::session::SettingValue;

/// Below this width panels are one at a time, at the bottom.
pub const NARROW: f32 = 760.0;

/// The state of panels; no part of the scene.
#[derive(Clone, Debug)]
pub struct Desk {
    /// Whether the scenes are shown.
    pub gallery: bool,
    /// Whether the settings are shown.
    pub settings: bool,
    /// Whether the graphs are shown.
    pub graphs: bool,
    /// Whether the list of keys is shown.
    pub shortcuts: bool,
    /// Whether a path is asked for.
    pub opener: bool,
    /// How the scene is drawn; `dark` is the theme of panels, too.
    pub options: Options,
    /// What scenes are searched for.
    pub search: String,
    /// The path that is being typed.
    pub path: String,
    /// Whether the pointer is a fan.
    pub fan: bool,
    /// The fan's speed, m/s.
    pub fan_speed: f32,
    /// Seconds of a GIF.
    pub film_seconds: f32,
    /// How much of a GIF is recorded, 0 to 1.
    pub filming: Option<f32>,
    /// What the window did: where a file went, or why not.
    pub said: Option<String>,
    /// The session's notice that was closed.
    pub closed_notice: Option<String>,
    /// Settings that are being changed, as they are shown until the session has them.
    pub edited: BTreeMap<String, SettingValue>,
    /// The number of the settings' memory for which `edited` holds.
    pub edited_for: usize,
    /// Whether the time line was playing when it was taken hold of.
    pub was_playing: Option<bool>,
    /// Figures of the last seconds.
    pub trace: Trace,
    /// Whether files can be opened by their path.
    pub has_files: bool,
    /// What draws: "Vulkan, NVIDIA …".
    pub drawn_by: String,
    /// Whether panels were arranged for a narrow window.
    was_narrow: Option<bool>,
}

impl Default for Desk {
    fn default() -> Self {
        Self {
            gallery: true,
            settings: true,
            graphs: false,
            shortcuts: false,
            opener: false,
            options: Options { wireframe: false, marks: true, dark: false, soft_light: true },
            search: String::new(),
            path: String::new(),
            fan: false,
            fan_speed: 6.0,
            film_seconds: 3.0,
            filming: None,
            said: None,
            closed_notice: None,
            edited: BTreeMap::new(),
            edited_for: 0,
            was_playing: None,
            trace: Trace::default(),
            has_files: cfg!(not(target_arch = "wasm32")),
            drawn_by: String::new(),
            was_narrow: None,
        }
    }
}

impl Desk {
    /// Opens a panel, or closes it. In a narrow window another one closes for it.
    pub fn toggle(&mut self, panel: PanelName) {
        let open = !self.is_open(panel);
        if open && self.was_narrow == Some(true) {
            (self.gallery, self.settings, self.graphs) = (false, false, false);
        }
        *self.open_mut(panel) = open;
    }

    /// Whether a panel is open.
    pub fn is_open(&self, panel: PanelName) -> bool {
        match panel {
            PanelName::Gallery => self.gallery,
            PanelName::Settings => self.settings,
            PanelName::Graphs => self.graphs,
            PanelName::Shortcuts => self.shortcuts,
            PanelName::Opener => self.opener,
        }
    }

    fn open_mut(&mut self, panel: PanelName) -> &mut bool {
        match panel {
            PanelName::Gallery => &mut self.gallery,
            PanelName::Settings => &mut self.settings,
            PanelName::Graphs => &mut self.graphs,
            PanelName::Shortcuts => &mut self.shortcuts,
            PanelName::Opener => &mut self.opener,
        }
    }

    /// Takes notice of the window's width: what is open is another when it becomes narrow or wide. Says whether it is narrow.
    pub fn arrange(&mut self, width: f32) -> bool {
        let is_narrow = width < NARROW;
        if self.was_narrow != Some(is_narrow) {
            if is_narrow {
                (self.gallery, self.settings, self.graphs) = (false, false, false);
            } else if self.was_narrow == Some(true) {
                (self.gallery, self.settings) = (true, true);
            }
            self.was_narrow = Some(is_narrow);
        }
        is_narrow
    }
}
