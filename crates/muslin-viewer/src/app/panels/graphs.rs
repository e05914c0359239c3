//! Figures of the last seconds as curves, and those of now as text.

use egui::{Color32, FontId, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

use super::setting::short;
use crate::app::desk::Desk;
use crate::app::trace::Trace;
use crate::session::{Frame, Sample};

/// Colours of curves and stages; legible on light and on dark.
const COLORS: [Color32; 8] = [
    Color32::from_rgb(66, 133, 214),
    Color32::from_rgb(226, 121, 57),
    Color32::from_rgb(60, 160, 105),
    Color32::from_rgb(201, 76, 95),
    Color32::from_rgb(142, 104, 196),
    Color32::from_rgb(178, 145, 44),
    Color32::from_rgb(48, 158, 172),
    Color32::from_rgb(140, 140, 140),
];

/// Shows them.
pub fn show(ui: &mut Ui, frame: &Frame, desk: &Desk) {
    let figures = &frame.figures;
    let counts = format!(
        "{} triangles, {} vertices · {} ms a step · strain {:.1} % on average, {:.1} % at the most · {} contacts · \
         fastest {} m/s · {} MB to rewind",
        figures.triangles,
        figures.vertices,
        short(round(figures.step_ms)),
        100.0 * figures.average_strain,
        100.0 * figures.largest_strain,
        figures.contacts,
        short(round(f64::from(figures.highest_speed))),
        figures.rewind_bytes >> 20,
    );
    ui.add(egui::Label::new(egui::RichText::new(counts).small()).truncate());
    let space = ui.available_size();
    let columns = if space.x > 600.0 { 4 } else { 2 };
    let rows = 4 / columns;
    let gap = 8.0;
    let size = vec2((space.x - gap * (columns - 1) as f32) / columns as f32, space.y / rows as f32 - gap);
    let (area, _) = ui.allocate_exact_size(space, Sense::hover());
    for graph in 0..4 {
        let corner =
            area.min + vec2((graph % columns) as f32, (graph / columns) as f32) * (size + vec2(gap, gap));
        let plot = Plot::new(ui, Rect::from_min_size(corner, size));
        match graph {
            0 => stages(&plot, &desk.trace),
            1 => plot.curves(
                &frame.history,
                "strain, %",
                &[("mean", |s| 100.0 * s.average_strain), ("largest", |s| 100.0 * s.largest_strain)],
            ),
            2 => {
                plot.curves(&frame.history, "energy, J", &[("motion", |s| s.kinetic), ("all", |s| s.energy)])
            }
            _ => plot.curves(&frame.history, "contacts", &[("", |s| s.contacts as f64)]),
        }
    }
}

fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

struct Plot {
    painter: Painter,
    /// Where curves are, below the headline.
    area: Rect,
    text: Color32,
    background: Color32,
    title: Pos2,
}

type Curve<'a> = (&'a str, fn(&Sample) -> f64);

impl Plot {
    fn new(ui: &Ui, rect: Rect) -> Self {
        let painter = ui.painter_at(rect);
        let background = ui.visuals().extreme_bg_color;
        painter.rect_filled(rect, 3.0, background);
        let area = Rect::from_min_max(rect.min + vec2(4.0, 18.0), rect.max - vec2(4.0, 3.0));
        Self { painter, area, text: ui.visuals().text_color(), background, title: rect.min + vec2(5.0, 3.0) }
    }

    /// A headline of parts in their colours.
    fn headline(&self, parts: &[(String, Color32)]) {
        let mut at = self.title;
        for (text, color) in parts {
            let line = self.painter.layout_no_wrap(text.clone(), FontId::proportional(11.0), *color);
            if at.x + line.size().x > self.area.right() {
                at = pos2(self.title.x, at.y + line.size().y);
            }
            // Legible over the curves, too.
            let place = Rect::from_min_size(at, line.size());
            self.painter.rect_filled(place, 2.0, self.background.gamma_multiply(0.8));
            at.x = place.right() + 6.0;
            self.painter.galley(place.min, line, *color);
        }
    }

    fn at(&self, share: f32, height: f32) -> Pos2 {
        let area = self.area;
        pos2(area.left() + share * area.width(), area.bottom() - height.clamp(0.0, 1.0) * area.height())
    }

    fn curves(&self, history: &[Sample], title: &str, curves: &[Curve<'_>]) {
        let values = || curves.iter().flat_map(|(_, of)| history.iter().map(of)).filter(|v| v.is_finite());
        let most = values().fold(0.0, f64::max);
        let least = values().fold(0.0, f64::min);
        let height = (most - least).max(1e-12);
        let mut headline = vec![(title.to_owned(), self.text)];
        for ((name, of), color) in curves.iter().zip(COLORS) {
            let last = history.last().map_or(0.0, of);
            headline.push((format!("{name} {}", short(last)).trim().to_owned(), color));
            let count = history.len().max(2) - 1;
            let points = history.iter().enumerate().filter(|(_, sample)| of(sample).is_finite());
            let points = points.map(|(number, sample)| {
                self.at(number as f32 / count as f32, ((of(sample) - least) / height) as f32)
            });
            self.painter.add(Shape::line(points.collect(), Stroke::new(1.5, color)));
        }
        self.headline(&headline);
    }
}

/// Milliseconds of stages, one on top of the other.
fn stages(plot: &Plot, trace: &Trace) {
    let most = trace.steps().map(|step| step.iter().sum::<f32>()).fold(1e-6, f32::max);
    let mut headline = vec![("ms".to_owned(), plot.text)];
    for (stage, name) in trace.names().iter().enumerate() {
        headline.push((format!("{name} {:.2}", trace.mean(stage)), COLORS[stage % COLORS.len()]));
    }
    let width = plot.area.width() / trace.steps().len().max(1) as f32;
    for (number, step) in trace.steps().enumerate() {
        let left = plot.area.left() + number as f32 * width;
        let mut below = 0.0;
        for (stage, ms) in step.iter().enumerate() {
            let (bottom, top) = (plot.at(0.0, below / most).y, plot.at(0.0, (below + ms) / most).y);
            below += ms;
            let bar = Rect::from_min_max(pos2(left, top), pos2(left + width, bottom));
            plot.painter.rect_filled(bar, 0.0, COLORS[stage % COLORS.len()]);
        }
    }
    plot.headline(&headline);
}
