//! Plots as the text of an SVG file, the same for the same input.

use std::fmt::Write;

use super::surface::{Anchor, Stroke, Surface};

/// The text, without its end.
pub(super) struct Svg(String);

impl Svg {
    /// A white sheet.
    pub fn new([width, height]: [f64; 2]) -> Self {
        let mut svg = String::new();
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
        );
        Self(svg)
    }

    /// The whole file.
    pub fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}

impl Surface for Svg {
    fn line(&mut self, points: &[[f64; 2]], stroke: &Stroke) {
        let Stroke { colour, width, dashed } = stroke;
        let dash = if *dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let _ = write!(
            self.0,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash} points=\""
        );
        for [x, y] in points {
            let _ = write!(self.0, "{x:.1},{y:.1} ");
        }
        self.0.push_str("\"/>\n");
    }

    fn dot(&mut self, [x, y]: [f64; 2], radius: f64, colour: &str) {
        let _ = writeln!(self.0, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"/>");
    }

    fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, text: &str) {
        let text = escaped(text);
        let (anchor, turn) = match anchor {
            Anchor::Start => ("start", String::new()),
            Anchor::Middle => ("middle", String::new()),
            Anchor::End => ("end", String::new()),
            Anchor::MiddleUpwards => ("middle", format!(" transform=\"rotate(-90 {x:.1} {y:.1})\"")),
        };
        let _ =
            writeln!(self.0, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{turn}>{text}</text>");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
