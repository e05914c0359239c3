//! Line plots as SVG.
//!
//! Input: named series of points. Output: the text of an SVG file, the same for the same input.
//! A plotting library would be a large dependency for a dozen line plots.

mod scale;

use std::fmt::Write;

use scale::Scale;

/// Whole picture, and the frame of the plot in it: left, top, right, bottom, in pixels.
const SIZE: [f64; 2] = [800.0, 420.0];
const FRAME: [f64; 4] = [66.0, 36.0, 560.0, 366.0];

/// Colours that colour-blind people can tell apart (Okabe, Ito).
const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];

/// Lines with at most this many points get a mark on each.
const MARKED: usize = 24;

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    /// Whether equal factors, not equal differences, take equal space.
    pub logarithmic: bool,
}

impl Axis {
    /// An axis on which equal differences take equal space.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), logarithmic: false }
    }

    /// An axis on which equal factors take equal space.
    pub fn logarithmic(label: impl Into<String>) -> Self {
        Self { label: label.into(), logarithmic: true }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// x and y of each point. The line has a gap where one is not finite.
    pub points: Vec<[f64; 2]>,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Which of the seven colours; they repeat.
    pub colour: usize,
}

/// A plot of lines over common axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The line above it.
    pub title: String,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The lines, the first at the top of the legend.
    pub series: Vec<Series>,
}

impl Plot {
    /// The plot as the text of an SVG file.
    pub fn svg(&self) -> String {
        let [left, top, right, bottom] = FRAME;
        let values = |k: usize| self.series.iter().flat_map(move |s| s.points.iter().map(move |p| p[k]));
        let x = Scale::new(values(0), self.x.logarithmic, [left, right]);
        let y = Scale::new(values(1), self.y.logarithmic, [bottom, top]);
        let mut svg = String::new();
        let [width, height] = SIZE;
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
        );
        let middle = 0.5 * (left + right);
        text(&mut svg, [middle, top - 14.0], "middle", &self.title);
        self.axes(&mut svg, &x, &y);
        for (row, series) in self.series.iter().enumerate() {
            line(&mut svg, series, &x, &y);
            legend(&mut svg, series, row);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Grid, numbers, names and the frame.
    fn axes(&self, svg: &mut String, x: &Scale, y: &Scale) {
        let [left, top, right, bottom] = FRAME;
        for tick in x.ticks() {
            let at = x.place(tick);
            rule(svg, [at, top], [at, bottom], "#ddd");
            text(svg, [at, bottom + 16.0], "middle", &x.name(tick));
        }
        for tick in y.ticks() {
            let at = y.place(tick);
            rule(svg, [left, at], [right, at], "#ddd");
            text(svg, [left - 6.0, at + 4.0], "end", &y.name(tick));
        }
        for [from, to] in [[[left, top], [left, bottom]], [[left, bottom], [right, bottom]]] {
            rule(svg, from, to, "#000");
        }
        text(svg, [0.5 * (left + right), bottom + 38.0], "middle", &self.x.label);
        let middle = 0.5 * (top + bottom);
        let _ = writeln!(
            svg,
            "<text x=\"16\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {middle})\">{}</text>",
            escaped(&self.y.label)
        );
    }
}

fn line(svg: &mut String, series: &Series, x: &Scale, y: &Scale) {
    let colour = COLOURS[series.colour % COLOURS.len()];
    let dash = if series.dashed { " stroke-dasharray=\"6 4\"" } else { "" };
    for part in series.points.split(|p| !p.iter().all(|v| v.is_finite())).filter(|part| !part.is_empty()) {
        let _ =
            write!(svg, "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{dash} points=\"");
        let places: Vec<[f64; 2]> = part.iter().map(|p| [x.place(p[0]), y.place(p[1])]).collect();
        for [px, py] in &places {
            let _ = write!(svg, "{px:.1},{py:.1} ");
        }
        svg.push_str("\"/>\n");
        if series.points.len() <= MARKED {
            for [px, py] in &places {
                let _ = writeln!(svg, "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3\" fill=\"{colour}\"/>");
            }
        }
    }
}

fn legend(svg: &mut String, series: &Series, row: usize) {
    let [_, top, right, _] = FRAME;
    let at = top + 10.0 + 18.0 * row as f64;
    let colour = COLOURS[series.colour % COLOURS.len()];
    let dash = if series.dashed { " stroke-dasharray=\"6 4\"" } else { "" };
    let (from, to) = (right + 12.0, right + 36.0);
    let _ = writeln!(
        svg,
        "<line x1=\"{from}\" y1=\"{at}\" x2=\"{to}\" y2=\"{at}\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>"
    );
    text(svg, [to + 6.0, at + 4.0], "start", &series.name);
}

fn rule(svg: &mut String, from: [f64; 2], to: [f64; 2], colour: &str) {
    let ([x1, y1], [x2, y2]) = (from, to);
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
    );
}

fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, text: &str) {
    let text = escaped(text);
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_draws_every_series_inside_the_frame_and_escapes_names() {
        let series = |name: &str, points| Series { name: name.into(), points, dashed: false, colour: 0 };
        let plot = Plot {
            title: "a < b & c".into(),
            x: Axis::linear("x"),
            y: Axis::logarithmic("y"),
            series: vec![
                series("one", vec![[0.0, 0.1], [10.0, 50.0]]),
                series("two", (0..99).map(|i| [f64::from(i) * 0.1, 1.0]).collect()),
            ],
        };
        let svg = plot.svg();
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 2, "only the short series is marked");
        assert!(svg.contains("a &lt; b &amp; c") && svg.ends_with("</svg>\n"));
        let corner = svg.split("points=\"").nth(1).unwrap().split(' ').next().unwrap();
        let place: Vec<f64> = corner.split(',').map(|v| v.parse().unwrap()).collect();
        assert!(place[0] >= FRAME[0] && place[0] <= FRAME[2] && place[1] >= FRAME[1] && place[1] <= FRAME[3]);
    }

    #[test]
    fn numbers_that_cannot_be_drawn_leave_gaps_and_no_such_text() {
        for values in [
            vec![1.0, f64::NAN, 2.0, f64::INFINITY, 3.0],
            vec![f64::MAX, f64::MIN],
            vec![1e20, 1e20],
            vec![-1.0, 0.0],
            vec![],
        ] {
            for y in [Axis::linear("y"), Axis::logarithmic("y")] {
                let points: Vec<[f64; 2]> = values.iter().enumerate().map(|(i, &v)| [i as f64, v]).collect();
                let gaps = values.iter().filter(|v| !v.is_finite()).count();
                let series = vec![Series { name: "s".into(), points, dashed: true, colour: 9 }];
                let svg = Plot { title: "t".into(), x: Axis::linear("x"), y, series }.svg();
                assert_eq!(svg.matches("<polyline").count(), if values.is_empty() { 0 } else { gaps + 1 });
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{values:?}: {svg}");
            }
        }
    }
}
