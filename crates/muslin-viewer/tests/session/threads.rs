//! A thread of its own, and the same without one.

use muslin_viewer::session::{Command, Doing, Session, SessionOptions, Source};

use crate::common::{open, places, steps, wait_until};

fn threaded(name: &str, plays: bool) -> Session {
    Session::open(
        Source::Gallery(name.into()),
        SessionOptions { plays, threads: 1, ..SessionOptions::default() },
    )
}

#[test]
fn a_thread_comes_to_the_same_as_a_page() {
    let mut page = open(Source::Gallery("sphere_drape".into()));
    steps(&mut page, 10);
    let session = threaded("sphere_drape", false);
    wait_until(&session, "the scene", |frame| frame.title == "sphere_drape");
    for _ in 0..10 {
        session.send(Command::Step);
    }
    let time = page.frame().clock.time;
    let frame = wait_until(&session, "ten steps", |frame| frame.clock.time >= time);
    assert_eq!(places(&frame, 0), places(&page.frame(), 0));
}

#[test]
fn it_plays_in_real_time_and_stands_still_when_told() {
    let session = threaded("dome", true);
    let first = wait_until(&session, "motion", |frame| frame.clock.time > 0.2);
    let begin = std::time::Instant::now();
    let later = wait_until(&session, "half a second", |frame| frame.clock.time > first.clock.time + 0.5);
    let passed = begin.elapsed().as_secs_f64();
    assert!((0.3..3.0).contains(&passed), "half a second took {passed} s");
    assert!(later.number > first.number && later.clock.real_time_factor > 0.1);
    session.send(Command::Pause);
    let still = wait_until(&session, "a pause", |frame| !frame.clock.is_playing);
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(session.frame().clock.time, still.clock.time);
    session.send(Command::Speed(0.05));
    session.send(Command::Play);
    std::thread::sleep(std::time::Duration::from_millis(300));
    let slowly = session.frame().clock;
    assert!(slowly.time - still.clock.time < 0.1 && slowly.speed == 0.05, "{slowly:?}");
}

#[test]
fn what_cannot_be_opened_is_said_and_what_is_open_goes_on() {
    let session = threaded("dome", true);
    wait_until(&session, "the dome", |frame| frame.title == "dome" && frame.clock.time > 0.0);
    let opened = session.frame().opened;
    session.send(Command::Open(Source::Gallery("no such scene".into())));
    let frame = wait_until(&session, "a problem", |frame| frame.problem.is_some());
    assert!(frame.problem.as_ref().unwrap().contains("no such scene") && frame.title == "dome");
    assert_eq!((frame.opened, &frame.doing), (opened, &Doing::Nothing));
    session.send(Command::Open(Source::Gallery("flag".into())));
    let frame = wait_until(&session, "the flag", |frame| frame.title == "flag");
    assert!(frame.opened != opened && frame.problem.is_none() && frame.bounds.radius > 0.5);
}

#[test]
fn nothing_to_open_is_nothing() {
    let mut session = open(Source::Empty);
    session.send(Command::Step);
    session.send(Command::GoTo(3.0));
    session.send(Command::ReleasePins);
    session.send(Command::Fan(None));
    session.advance(0.1);
    let frame = session.frame();
    assert!(frame.scenery.sheets.is_empty() && frame.clock.time == 0.0 && frame.opened == 0);
}
