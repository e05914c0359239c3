//! Line plots, as SVG or as pixels.
//!
//! Input: named series of points. Output: the text of an SVG file or a [`Picture`], the same for the same
//! input. A plotting library would be a large dependency for a dozen line plots.

mod font;
mod raster;
mod scale;
mod surface;
mod svg;

use raster::Raster;
use scale::Scale;
use surface::{Anchor, Stroke, Surface};
use svg::Svg;

use crate::Picture;

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

impl Series {
    fn stroke(&self, width: f64) -> Stroke {
        Stroke { colour: COLOURS[self.colour % COLOURS.len()], width, dashed: self.dashed }
    }
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
        let mut svg = Svg::new(SIZE);
        self.draw(&mut svg);
        svg.finish()
    }

    /// The plot as a picture of 1600 × 840 pixels.
    pub fn picture(&self) -> Picture {
        let mut raster = Raster::new(SIZE);
        self.draw(&mut raster);
        raster.finish()
    }

    fn draw(&self, surface: &mut dyn Surface) {
        let [left, top, right, bottom] = FRAME;
        let values = |k: usize| self.series.iter().flat_map(move |s| s.points.iter().map(move |p| p[k]));
        let x = Scale::new(values(0), self.x.logarithmic, [left, right]);
        let y = Scale::new(values(1), self.y.logarithmic, [bottom, top]);
        let middle = 0.5 * (left + right);
        surface.text([middle, top - 14.0], Anchor::Middle, &self.title);
        self.axes(surface, &x, &y);
        for (row, series) in self.series.iter().enumerate() {
            line(surface, series, &x, &y);
            legend(surface, series, row);
        }
    }

    /// Grid, numbers, names and the frame.
    fn axes(&self, surface: &mut dyn Surface, x: &Scale, y: &Scale) {
        let [left, top, right, bottom] = FRAME;
        let grid = Stroke { colour: "#dddddd", width: 1.0, dashed: false };
        for tick in x.ticks() {
            let at = x.place(tick);
            surface.line(&[[at, top], [at, bottom]], &grid);
            surface.text([at, bottom + 16.0], Anchor::Middle, &x.name(tick));
        }
        for tick in y.ticks() {
            let at = y.place(tick);
            surface.line(&[[left, at], [right, at]], &grid);
            surface.text([left - 6.0, at + 4.0], Anchor::End, &y.name(tick));
        }
        let frame = Stroke { colour: "#000000", width: 1.0, dashed: false };
        surface.line(&[[left, top], [left, bottom], [right, bottom]], &frame);
        surface.text([0.5 * (left + right), bottom + 38.0], Anchor::Middle, &self.x.label);
        surface.text([16.0, 0.5 * (top + bottom)], Anchor::MiddleUpwards, &self.y.label);
    }
}

fn line(surface: &mut dyn Surface, series: &Series, x: &Scale, y: &Scale) {
    let stroke = series.stroke(1.5);
    for part in series.points.split(|p| !p.iter().all(|v| v.is_finite())).filter(|part| !part.is_empty()) {
        let places: Vec<[f64; 2]> = part.iter().map(|p| [x.place(p[0]), y.place(p[1])]).collect();
        surface.line(&places, &stroke);
        if series.points.len() <= MARKED {
            places.iter().for_each(|&place| surface.dot(place, 3.0, stroke.colour));
        }
    }
}

fn legend(surface: &mut dyn Surface, series: &Series, row: usize) {
    let [_, top, right, _] = FRAME;
    let at = top + 10.0 + 18.0 * row as f64;
    let (from, to) = (right + 12.0, right + 36.0);
    surface.line(&[[from, at], [to, at]], &series.stroke(2.0));
    surface.text([to + 6.0, at + 4.0], Anchor::Start, &series.name);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of series, told from rules by their width.
    fn lines(svg: &str) -> usize {
        svg.matches("stroke-width=\"1.5\"").count()
    }

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
        assert_eq!(lines(&svg), 2);
        assert_eq!(svg.matches("<circle").count(), 2, "only the short series is marked");
        assert!(svg.contains("a &lt; b &amp; c") && svg.ends_with("</svg>\n"));
        let corner = svg.split("stroke-width=\"1.5\" points=\"").nth(1).unwrap().split(' ').next().unwrap();
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
                assert_eq!(lines(&svg), if values.is_empty() { 0 } else { gaps + 1 });
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{values:?}: {svg}");
            }
        }
    }

    /// Pixels of a picture that are nearly of a colour, as (leftmost, rightmost, count).
    fn found(picture: &Picture, colour: [u8; 3]) -> (usize, usize, usize) {
        let near = |p: &[u8; 3]| p.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= 2);
        let columns: Vec<usize> = (picture.pixels.iter().enumerate())
            .filter(|(_, p)| near(p))
            .map(|(i, _)| i % picture.width as usize)
            .collect();
        (
            columns.iter().copied().min().unwrap_or(0),
            columns.iter().copied().max().unwrap_or(0),
            columns.len(),
        )
    }

    #[test]
    fn a_picture_shows_the_lines_where_the_svg_has_them_and_dashes_are_shorter() {
        let level = |dashed, colour| Series {
            name: String::new(),
            points: (0..99).map(|i| [f64::from(i), colour as f64]).collect(),
            dashed,
            colour,
        };
        let series = vec![level(false, 0), level(true, 1)];
        let plot = Plot { title: "t".into(), x: Axis::linear("x"), y: Axis::linear("y"), series };
        let picture = plot.picture();
        assert_eq!((picture.width, picture.height), (1600, 840));
        let (whole, dashed) = (found(&picture, [0x00, 0x72, 0xb2]), found(&picture, [0xd5, 0x5e, 0x00]));
        let ends = [66.0 + 494.0 * 0.04 / 1.08, 560.0 - 494.0 * 0.04 / 1.08].map(|x| (2.0 * x) as usize);
        assert!(whole.0.abs_diff(ends[0]) <= 2, "{whole:?} {ends:?}");
        // The legend lies to the right of the line's end.
        assert!(whole.1 > ends[1] && whole.2 > 2 * (ends[1] - ends[0]), "{whole:?} {ends:?}");
        let share = dashed.2 as f64 / whole.2 as f64;
        assert!((0.55..0.75).contains(&share), "dashes cover {share} of the line");
        assert!(found(&picture, [0; 3]).2 > 1000, "frame and text are black");
    }

    #[test]
    fn numbers_that_cannot_be_drawn_make_a_picture_all_the_same() {
        for values in [vec![1.0, f64::NAN, 2.0], vec![f64::MAX, f64::MIN], vec![1e20, 1e20], vec![]] {
            let points = values.iter().enumerate().map(|(i, &v)| [i as f64, v]).collect();
            let series = vec![Series { name: "s".into(), points, dashed: true, colour: 9 }];
            let plot = Plot { title: "é".into(), x: Axis::linear("x"), y: Axis::linear("y"), series };
            assert!(plot.picture().to_png().is_ok());
        }
    }
}
