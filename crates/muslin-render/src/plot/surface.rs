//! What a plot is drawn on, whatever the format. Places and lengths in pixels from the top left.

/// How a line looks.
pub(super) struct Stroke {
    /// `#rrggbb`.
    pub colour: &'static str,
    /// Pixels.
    pub width: f64,
    /// Dashes of 6 pixels, gaps of 4.
    pub dashed: bool,
}

/// Which part of a text is at its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
    /// The middle; the text runs from below to above.
    MiddleUpwards,
}

/// A sheet to draw on.
pub(super) trait Surface {
    /// A line through points, at least one of them.
    fn line(&mut self, points: &[[f64; 2]], stroke: &Stroke);
    /// A filled circle.
    fn dot(&mut self, at: [f64; 2], radius: f64, colour: &str);
    /// A text in letters about 9 pixels high, in black; the place is on its base line.
    fn text(&mut self, at: [f64; 2], anchor: Anchor, text: &str);
}
