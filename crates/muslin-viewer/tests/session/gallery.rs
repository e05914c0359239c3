//! Every scene of the gallery opens, steps, and looks like something.

use muslin_viewer::session::{Source, gallery};

use crate::common::{open, places, steps};

#[test]
fn every_scene_opens_and_moves() {
    for entry in gallery() {
        let begin = std::time::Instant::now();
        let mut session = open(Source::Gallery(entry.name.into()));
        let first = session.frame();
        assert_eq!(first.problem, None, "{}", entry.name);
        assert_eq!(first.title, entry.name);
        assert!(!first.scenery.sheets.is_empty() && first.scenery.ground.is_some(), "{}", entry.name);
        assert!(
            first.bounds.radius > 0.05 && first.bounds.radius < 20.0,
            "{}: {:?}",
            entry.name,
            first.bounds
        );
        let built = begin.elapsed();
        steps(&mut session, 2);
        let frame = session.frame();
        assert_eq!(frame.problem, None, "{}", entry.name);
        assert!(
            (frame.clock.time - 2.0 * frame.clock.step).abs() < 1e-9,
            "{}: {:?}",
            entry.name,
            frame.clock
        );
        let (before, after) = (places(&first, 0), places(&frame, 0));
        assert!(after.iter().all(|p| p.is_finite()), "{}", entry.name);
        assert_ne!(before, after, "{} stands still", entry.name);
        assert!(frame.figures.triangles > 0 && frame.figures.step_ms > 0.0, "{}", entry.name);
        println!(
            "{}: {built:.1?}, then {:.1?}; {}",
            entry.name,
            begin.elapsed() - built,
            frame.things[0].about
        );
    }
}
