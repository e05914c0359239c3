//! What comes out of a reproduction: the paper's figures beside ours.

use std::fmt;

use muslin_render::Picture;
use muslin_render::plot::{Axis, Plot, Series};
use serde::Serialize;

/// One figure of the paper and ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Column and row in words, for example `5 ms, 2D+1D, average`.
    pub label: String,
    /// The paper's figure, where it prints one.
    pub paper: Option<f64>,
    /// Our figure.
    pub ours: f64,
    /// The unit of both, as in the paper.
    pub unit: String,
}

/// A table or figure, reproduced. Serialises to the JSON of `muslin reproduce --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The item's name.
    pub item: String,
    /// The paper, as one would cite it.
    pub paper: String,
    /// The figures.
    pub rows: Vec<Row>,
    /// What a reader must know to compare them.
    pub notes: Vec<String>,
    /// Plots: name (without extension) and SVG text.
    #[serde(skip)]
    pub figures: Vec<(String, String)>,
    /// Pictures: name (without extension) and pixels.
    #[serde(skip)]
    pub pictures: Vec<(String, Picture)>,
}

impl Report {
    /// An empty report.
    pub(crate) fn new(item: &str, paper: &str) -> Self {
        Self {
            item: item.into(),
            paper: paper.into(),
            rows: Vec::new(),
            notes: Vec::new(),
            figures: Vec::new(),
            pictures: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, label: impl Into<String>, paper: Option<f64>, ours: f64, unit: &str) {
        self.rows.push(Row { label: label.into(), paper, ours, unit: unit.into() });
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// A plot under the item's name and a suffix.
    pub(crate) fn plot(&mut self, suffix: &str, title: &str, [x, y]: [Axis; 2], series: Vec<Series>) {
        let plot = Plot { title: title.into(), x, y, series };
        self.figures.push((format!("{}{suffix}", self.item), plot.svg()));
    }

    /// The item's picture.
    pub(crate) fn picture(&mut self, picture: Picture) {
        self.pictures.push((self.item.clone(), picture));
    }

    /// Our figure under a label.
    pub fn ours(&self, label: &str) -> Option<f64> {
        self.rows.iter().find(|row| row.label == label).map(|row| row.ours)
    }

    /// The row that is farthest from the paper, and how far: |ours/paper − 1|.
    pub fn largest_deviation(&self) -> Option<(&Row, f64)> {
        let deviation = |row: &Row| row.paper.map(|paper| (row.ours / paper - 1.0).abs());
        let rows = self.rows.iter().filter_map(|row| Some((row, deviation(row)?)));
        rows.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

impl fmt::Display for Report {
    /// A table for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.item, self.paper)?;
        let cells: Vec<[String; 4]> = self.rows.iter().map(cells).collect();
        let head = ["", "paper", "ours", "unit"].map(String::from);
        let width = |column: usize| {
            let lengths = cells.iter().chain([&head]).map(|row| row[column].chars().count());
            lengths.max().unwrap_or(0)
        };
        let widths: [usize; 4] = std::array::from_fn(width);
        for [label, paper, ours, unit] in [&head].into_iter().chain(&cells) {
            let line = format!(
                "{label:<0$}  {paper:>1$}  {ours:>2$}  {unit:<3$}",
                widths[0], widths[1], widths[2], widths[3]
            );
            writeln!(f, "  {}", line.trim_end())?;
        }
        for note in &self.notes {
            writeln!(f, "- {note}")?;
        }
        Ok(())
    }
}

fn cells(row: &Row) -> [String; 4] {
    // The paper's digits, no more and no fewer.
    let paper = row.paper.map_or("–".into(), |value| value.to_string());
    [row.label.clone(), paper, significant(row.ours), row.unit.clone()]
}

/// A number with four significant digits, without an exponent unless it is very small.
fn significant(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude == 0.0 || value.fract() == 0.0 && magnitude < 1e9 {
        format!("{value:.0}")
    } else if magnitude < 1e-3 {
        format!("{value:.2e}")
    } else {
        let decimals = (3 - magnitude.log10().floor() as i32).max(0) as usize;
        format!("{value:.decimals$}")
    }
}

/// Pictures of one size in rows of `columns`.
pub(crate) fn side_by_side(pictures: &[Picture], columns: usize) -> Picture {
    let (width, height) = (pictures[0].width as usize, pictures[0].height as usize);
    let rows = pictures.len().div_ceil(columns);
    let mut pixels = Vec::with_capacity(columns * width * rows * height);
    for row in pictures.chunks(columns) {
        for y in 0..height {
            for picture in row {
                pixels.extend(&picture.pixels[y * width..(y + 1) * width]);
            }
        }
    }
    Picture { width: (columns * width) as u32, height: (rows * height) as u32, pixels }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_significant_digits() {
        let shown = [0.0, 25.0, 0.14455, 2.1936, 102.74, 1234.56, 0.00014, -0.7].map(significant);
        assert_eq!(shown, ["0", "25", "0.1446", "2.194", "102.7", "1235", "1.40e-4", "-0.7000"]);
    }

    #[test]
    fn the_farthest_row_is_found_and_rows_without_a_paper_figure_are_not_counted() {
        let mut report = Report::new("item", "paper");
        assert!(report.largest_deviation().is_none());
        report.row("near", Some(2.0), 2.1, "ms");
        report.row("far", Some(4.0), 3.0, "ms");
        report.row("ours only", None, 1e6, "ms");
        let (row, deviation) = report.largest_deviation().unwrap();
        assert_eq!((row.label.as_str(), deviation), ("far", 0.25));
        assert_eq!(report.ours("near"), Some(2.1));
    }
}
