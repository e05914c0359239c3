//! Signs on buttons, drawn: fonts with them would be most of what a page has to load.

use egui::{Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, accesskit::Role, pos2, vec2};

use super::named;

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// A triangle to the right.
    Play,
    /// Two bars.
    Pause,
    /// A triangle to the right, and a bar.
    Step,
    /// A bar, and a triangle to the left.
    Start,
    /// Three lines.
    List,
    /// Sliders.
    Settings,
    /// Axes with a curve.
    Graph,
    /// A question mark.
    Question,
    /// A sun.
    Sun,
    /// A moon.
    Moon,
    /// A cross.
    Cross,
    /// An arrow that turns back.
    Back,
}

/// A button with a sign, which has a name for whoever cannot see it and for tests.
pub fn button(ui: &mut Ui, icon: Icon, name: &str, help: &str, is_on: bool) -> Response {
    sized(ui, icon, 24.0, name, is_on).on_hover_text(help)
}

/// A small one, within a line of text.
pub fn small(ui: &mut Ui, icon: Icon, name: &str, help: &str) -> Response {
    sized(ui, icon, 16.0, name, false).on_hover_text(help)
}

fn sized(ui: &mut Ui, icon: Icon, size: f32, name: &str, is_on: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(size, size.min(22.0)), Sense::click());
    let visuals = ui.style().interact_selectable(&response, is_on);
    let is_framed = is_on || response.hovered() || response.has_focus() || size > 20.0;
    if is_framed {
        ui.painter().rect(
            rect,
            visuals.corner_radius,
            visuals.weak_bg_fill,
            visuals.bg_stroke,
            egui::StrokeKind::Inside,
        );
    }
    let side = 0.6 * rect.size().min_elem();
    draw(ui.painter(), icon, Rect::from_center_size(rect.center(), vec2(side, side)), visuals.text_color());
    named(response, Role::Button, name)
}

/// Draws a sign into a square.
fn draw(painter: &Painter, icon: Icon, square: Rect, color: Color32) {
    let at = |x: f32, y: f32| pos2(square.left() + x * square.width(), square.top() + y * square.height());
    let stroke = Stroke::new((0.13 * square.width()).max(1.0), color);
    let line = |points: &[[f32; 2]]| {
        let points: Vec<Pos2> = points.iter().map(|[x, y]| at(*x, *y)).collect();
        painter.add(Shape::line(points, stroke));
    };
    let fill = |points: &[[f32; 2]]| {
        let points = points.iter().map(|[x, y]| at(*x, *y)).collect();
        painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    };
    let bar = |left: f32, right: f32| fill(&[[left, 0.05], [right, 0.05], [right, 0.95], [left, 0.95]]);
    let arc = |radius: f32, from: f32, to: f32| {
        let steps = (0..=16).map(|step| (from + (to - from) * step as f32 / 16.0).to_radians());
        let points: Vec<[f32; 2]> =
            steps.map(|angle| [0.5 + radius * angle.cos(), 0.5 + radius * angle.sin()]).collect();
        line(&points);
    };
    match icon {
        Icon::Play => fill(&[[0.12, 0.02], [0.98, 0.5], [0.12, 0.98]]),
        Icon::Pause => [(0.1, 0.38), (0.62, 0.9)].into_iter().for_each(|(left, right)| bar(left, right)),
        Icon::Step => {
            fill(&[[0.05, 0.05], [0.7, 0.5], [0.05, 0.95]]);
            bar(0.75, 0.95);
        }
        Icon::Start => {
            fill(&[[0.95, 0.05], [0.3, 0.5], [0.95, 0.95]]);
            bar(0.05, 0.25);
        }
        Icon::List => [0.15, 0.5, 0.85].into_iter().for_each(|y| line(&[[0.0, y], [1.0, y]])),
        Icon::Settings => {
            for (y, x) in [(0.15, 0.7), (0.5, 0.25), (0.85, 0.6)] {
                line(&[[0.0, y], [1.0, y]]);
                painter.circle_filled(at(x, y), 0.17 * square.width(), color);
            }
        }
        Icon::Graph => {
            line(&[[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
            line(&[[0.15, 0.75], [0.4, 0.35], [0.6, 0.6], [0.95, 0.1]]);
        }
        Icon::Question => {
            let font = egui::FontId::proportional(1.3 * square.height());
            painter.text(square.center(), egui::Align2::CENTER_CENTER, "?", font, color);
        }
        Icon::Sun => {
            painter.circle_filled(square.center(), 0.24 * square.width(), color);
            for step in 0..8 {
                let (y, x) = (step as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
                line(&[[0.5 + 0.36 * x, 0.5 + 0.36 * y], [0.5 + 0.52 * x, 0.5 + 0.52 * y]]);
            }
        }
        Icon::Moon => {
            arc(0.48, 60.0, 330.0);
            line(&[[0.74, 0.91], [0.55, 0.6], [0.6, 0.4], [0.92, 0.26]]);
        }
        Icon::Cross => {
            line(&[[0.1, 0.1], [0.9, 0.9]]);
            line(&[[0.9, 0.1], [0.1, 0.9]]);
        }
        Icon::Back => {
            arc(0.42, -150.0, 120.0);
            fill(&[[0.0, 0.42], [0.02, 0.02], [0.38, 0.2]]);
        }
    }
}
