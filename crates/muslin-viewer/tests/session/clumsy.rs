//! Somebody who does everything at once, at random: nothing of it may break anything.

use glam::Vec3;
use muslin_viewer::draw::Ray;
use muslin_viewer::session::{Command, Fan, HandId, SaveKind, Session, Source, Values};

use crate::common::{open, places, settle};

/// Numbers that a seed names.
struct Dice(u64);

impl Dice {
    fn next(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    /// Between −1 and 1.
    fn number(&mut self) -> f32 {
        self.next(20_001) as f32 / 10_000.0 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }
}

/// A ray from around the scene to somewhere in it.
fn ray(dice: &mut Dice, session: &Session) -> Ray {
    let bounds = session.frame().bounds;
    let to = bounds.center + 0.6 * bounds.radius * dice.vector();
    let origin = bounds.center + 3.0 * bounds.radius * dice.vector().normalize_or(Vec3::Z);
    Ray { origin, direction: to - origin }
}

fn command(dice: &mut Dice, session: &Session) -> Command {
    let hand = HandId(dice.next(2));
    let ray = ray(dice, session);
    match dice.next(17) {
        0..=2 => Command::Grab { hand, ray, forward: ray.direction },
        3..=7 => Command::Drag { hand, ray, away: 0.3 * dice.number() },
        8 => Command::Turn { hand, axis: dice.vector(), angle: 3.0 * dice.number() },
        9 => Command::Release { hand },
        10 => Command::ReleasePinned { hand },
        11 => Command::TogglePin(ray),
        12 => {
            let place = session.frame().bounds.center + dice.vector();
            Command::Fan(Some(Fan {
                place,
                direction: dice.vector(),
                speed: 20.0 * dice.number(),
                radius: 0.2,
            }))
        }
        13 => Command::GoTo(f64::from(dice.number())),
        14 => Command::Show([Values::Strain, Values::Contact, Values::Level][dice.next(3) as usize]),
        15 => Command::Point(Some(ray)),
        _ => match dice.next(4) {
            0 => Command::ReleasePins,
            1 => Command::Reset,
            2 => Command::Fan(None),
            _ => Command::Save(SaveKind::Glb),
        },
    }
}

#[test]
fn whatever_is_done_leaves_cloth_whole() {
    let scenes = ["hammock", "bodies", "bending", "cushion", "dome", "skirt_turning", "plant", "napkin"];
    for (number, name) in scenes.into_iter().enumerate() {
        let mut session = open(Source::Gallery(name.into()));
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ number as u64);
        for action in 0..25 {
            let command = command(&mut dice, &session);
            session.send(command.clone());
            session.send(Command::Step);
            session.advance(0.0);
            settle(&mut session);
            let frame = session.frame();
            if let Some(problem) = &frame.problem {
                assert!(!problem.contains("should not be"), "{name}, {action}: {command:?}: {problem}");
                session.send(Command::Dismiss);
            }
            for sheet in 0..frame.scenery.sheets.len() {
                let finite = places(&frame, sheet).iter().all(|p| p.is_finite());
                assert!(finite, "{name}, {action}: {command:?} leads to infinity");
            }
        }
        assert!(session.frame().number > 25);
    }
}
