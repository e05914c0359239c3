//! A frame of what there is.

use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::super::{Bounds, Clock, Frame, ThingKind};
use super::{Content, Engine};
use crate::draw::Scenery;

impl Engine {
    /// The present moment.
    pub fn publish(&mut self) -> Frame {
        self.number += 1;
        self.is_dirty = false;
        let frame = Frame {
            number: self.number,
            opened: self.opened,
            title: String::new(),
            text: self.wanted.as_ref().map_or_else(|| "".into(), |wanted| wanted.text.clone()),
            scenery: Scenery {
                up: Vec3::Y,
                sheets: Vec::new(),
                solids: Vec::new(),
                ground: None,
                marks: Vec::new(),
            },
            origin: DVec3::ZERO,
            bounds: Bounds { center: Vec3::ZERO, radius: 1.0 },
            view: None,
            clock: self.clock(),
            doing: self.doing.clone(),
            problem: self.problem.clone(),
            notice: self.notice.clone(),
            figures: self.measured.figures.clone(),
            history: self.history.as_slice().into(),
            things: [].into(),
            settings: self.settings.clone(),
            held: Vec::new(),
            pointed: self.pointed,
            fan: None,
            values: self.values,
            runs_on: String::new(),
        };
        match &mut self.content {
            Content::Nothing => frame,
            Content::Stage(stage) => Frame {
                title: stage.opened.title.clone(),
                scenery: stage.scenery(self.values, self.pointed),
                origin: stage.origin,
                bounds: stage.bounds,
                view: stage.view,
                things: stage.things.clone(),
                held: stage.held(),
                fan: stage.fan(),
                runs_on: stage.runs_on.clone(),
                ..frame
            },
            Content::Playback(playback) => Frame {
                title: playback.recording.title.clone(),
                scenery: playback.scenery(),
                origin: playback.recording.origin,
                bounds: playback.bounds,
                things: playback.things.clone(),
                figures: {
                    let mut figures = frame.figures.clone();
                    let cloths = playback.things.iter().zip(&playback.recording.meshes);
                    let cloths = cloths.filter(|(thing, _)| thing.kind == ThingKind::Cloth);
                    figures.triangles = cloths.map(|(_, mesh)| mesh.triangles.len()).sum();
                    figures
                },
                runs_on: "a recording".to_owned(),
                ..frame
            },
        }
    }

    fn clock(&self) -> Clock {
        let clock = Clock {
            is_playing: self.is_playing,
            speed: self.pace.speed(),
            real_time_factor: self.pace.factor(),
            is_slow: self.is_playing && self.pace.is_slow(),
            repeats: self.repeats,
            time: self.now(),
            ..Clock::default()
        };
        match &self.content {
            Content::Nothing => clock,
            Content::Stage(stage) => {
                let [first, last] = stage.reach();
                let time = stage.opened.scene.time;
                let length = Some(f64::from(time.frames.saturating_sub(1)) / time.fps);
                Clock { step: stage.world.settings().time_step, first, last, length, ..clock }
            }
            Content::Playback(playback) => {
                let last = playback.last();
                Clock { step: playback.step(), last, length: Some(last), is_recording: true, ..clock }
            }
        }
    }

    /// The same, to be shared.
    pub fn publish_shared(&mut self) -> Arc<Frame> {
        Arc::new(self.publish())
    }
}
