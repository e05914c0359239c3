//! What panels, keys and pointers ask for: of the session, or of the window itself.

use crate::session::Command;

/// Something that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Of the session.
    Command(Command),
    /// Of the window.
    Do(Action),
}

impl From<Command> for Ask {
    fn from(command: Command) -> Self {
        Self::Command(command)
    }
}

impl From<Action> for Ask {
    fn from(action: Action) -> Self {
        Self::Do(action)
    }
}

/// What the window does: all that has a key, and what menus offer beside that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Plays if it stands still, and the other way round.
    PlayOrPause,
    /// One step.
    Step,
    /// Back to the start.
    Reset,
    /// Half a second back in time.
    Back,
    /// Half a second on in time.
    Forward,
    /// Twice as slow.
    Slower,
    /// Twice as fast.
    Faster,
    /// Everything in the picture.
    Frame,
    /// A view along an axis.
    Look(Side),
    /// Pins or releases what the pointer is over.
    TogglePin,
    /// Releases all pins that were set by hand.
    ReleasePins,
    /// Puts a fan at the pointer, or away.
    Fan,
    /// Edges of triangles.
    Wireframe,
    /// Pins and contacts.
    Marks,
    /// Soft shadows.
    SoftLight,
    /// Light or dark.
    Theme,
    /// Opens or closes a panel.
    Toggle(PanelName),
    /// Saves what is seen as PNG.
    SavePicture,
    /// Records some seconds as GIF.
    SaveGif,
    /// Closes the window.
    Quit,
    /// Closes what is in front: the shortcuts, the opener, the problem.
    Close,
}

/// From where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// From the front.
    Front,
    /// From the right.
    Right,
    /// From above.
    Top,
}

/// What can be opened and closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PanelName {
    /// The scenes.
    Gallery,
    /// The settings.
    Settings,
    /// The graphs.
    Graphs,
    /// The window with shortcuts.
    Shortcuts,
    /// The window that asks for a path.
    Opener,
}
