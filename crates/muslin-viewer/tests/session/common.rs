//! Sessions without a thread, and what is seen of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::Vec3;
use muslin_viewer::draw::Places;
use muslin_viewer::session::{Command, Doing, Frame, Session, SessionOptions, Source};

/// A session that stands still and steps when it is told to.
pub fn open(source: Source) -> Session {
    let options = SessionOptions { plays: false, has_thread: false, threads: 1, ..SessionOptions::default() };
    let mut session = Session::open(source, options);
    settle(&mut session);
    session
}

/// The same with a scene that can have no problem.
pub fn open_text(text: &str) -> Session {
    let session = open(Source::Text { name: "scene".into(), text: text.into() });
    assert_eq!(session.frame().problem, None);
    session
}

/// Lets nothing pass until nothing is being loaded or built.
pub fn settle(session: &mut Session) {
    session.advance(0.0);
    while session.frame().doing != Doing::Nothing {
        session.advance(0.0);
    }
}

/// Asks, and lets it be done.
pub fn ask(session: &mut Session, command: Command) {
    session.send(command);
    settle(session);
}

/// So many steps.
pub fn steps(session: &mut Session, count: usize) {
    for _ in 0..count {
        session.send(Command::Step);
        session.advance(0.0);
    }
}

/// Where the vertices of a sheet are.
pub fn places(frame: &Frame, sheet: usize) -> Arc<[Vec3]> {
    match &frame.scenery.sheets[sheet].places {
        Places::Host(places) => places.clone(),
        Places::Device { .. } => panic!("they are on a device"),
    }
}

/// Waits until something holds of a session with a thread.
pub fn wait_until(session: &Session, what: &str, holds: impl Fn(&Frame) -> bool) -> Arc<Frame> {
    let begin = Instant::now();
    loop {
        let frame = session.frame();
        if holds(&frame) {
            return frame;
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "waited in vain: {what}; {:?}", frame.problem);
        std::thread::sleep(Duration::from_millis(2));
    }
}
