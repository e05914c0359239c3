//! Reset, rewind, and going on from there.

use muslin_viewer::session::{Command, Session, Source};

use crate::common::{ask, open, open_text, places, steps};
use crate::touch::HANGING;

fn flag() -> Session {
    open(Source::Gallery("flag".into()))
}

#[test]
fn reset_is_the_start_bit_by_bit() {
    let mut session = flag();
    let start = places(&session.frame(), 0);
    steps(&mut session, 6);
    let first = places(&session.frame(), 0);
    ask(&mut session, Command::Reset);
    assert_eq!(places(&session.frame(), 0), start);
    assert_eq!(session.frame().clock.time, 0.0);
    steps(&mut session, 6);
    assert_eq!(places(&session.frame(), 0), first, "another way the second time");
}

#[test]
fn who_goes_back_and_on_again_gets_the_same_bits() {
    let mut session = flag();
    steps(&mut session, 12);
    let (end, clock) = (places(&session.frame(), 0), session.frame().clock);
    ask(&mut session, Command::GoTo(5.0 * clock.step));
    let back = session.frame();
    assert!((back.clock.time - 5.0 * clock.step).abs() < 1e-9 && !back.clock.is_playing);
    assert_ne!(places(&back, 0), end);
    assert_eq!((back.clock.first, back.clock.last), (0.0, clock.time));
    // And to the end again without a step.
    ask(&mut session, Command::GoTo(1e9));
    assert_eq!(places(&session.frame(), 0), end);
    ask(&mut session, Command::GoTo(5.0 * clock.step));
    steps(&mut session, 1);
    let forgotten = session.frame();
    assert!(
        forgotten.notice.as_ref().is_some_and(|notice| notice.contains("forgotten")),
        "{:?}",
        forgotten.notice
    );
    assert!((forgotten.clock.last - 6.0 * clock.step).abs() < 1e-9, "{:?}", forgotten.clock);
    steps(&mut session, 6);
    assert_eq!(places(&session.frame(), 0), end);
}

#[test]
fn a_setting_that_was_changed_stays_so_in_the_past() {
    let mut session = open_text(HANGING);
    steps(&mut session, 4);
    let ahead = muslin_viewer::session::SettingValue::Vector([0.0, 0.0, 9.81]);
    ask(&mut session, Command::Set { key: "forces.gravity".into(), value: ahead });
    ask(&mut session, Command::Reset);
    steps(&mut session, 20);
    let farthest = places(&session.frame(), 0).iter().map(|p| p.z).fold(0.0, f32::max);
    assert!(farthest > 0.2, "it fell as before: {farthest}");
}

#[test]
fn memory_is_bounded() {
    let options = muslin_viewer::session::SessionOptions {
        plays: false,
        has_thread: false,
        threads: 1,
        rewind_bytes: 1 << 20,
        ..Default::default()
    };
    let mut session = Session::open(Source::Text { name: "a".into(), text: HANGING.into() }, options);
    crate::common::settle(&mut session);
    steps(&mut session, 400);
    let frame = session.frame();
    assert!(frame.figures.rewind_bytes <= 1 << 20, "{}", frame.figures.rewind_bytes);
    let reach = frame.clock.last - frame.clock.first;
    assert!(reach > 3.0, "{reach} s");
    ask(&mut session, Command::GoTo(frame.clock.first));
    assert!(session.frame().clock.time < frame.clock.time - 3.0);
}
