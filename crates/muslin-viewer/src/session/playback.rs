//! A recording that is played: a time, and the frame there.

use std::sync::Arc;

use glam::{Quat, Vec3};
use muslin_render::Bounds as Box3;

use super::recording::Recording;
use super::stage::looks;
use super::{Bounds, Thing, ThingKind};
use crate::draw::{Ground, Places, Pose, Scenery, Sheet, Solid};

/// A recording and where in it we are.
#[derive(Debug)]
pub struct Playback {
    /// What is played.
    pub recording: Recording,
    /// Seconds.
    pub time: f64,
    /// What there is to see at the start.
    pub bounds: Bounds,
    /// Cloths and bodies.
    pub things: Arc<[Thing]>,
    ground: Ground,
    shown: usize,
    meshes: Vec<Arc<[Vec3]>>,
}

impl Playback {
    /// From the start.
    pub fn new(mut recording: Recording) -> Result<Self, String> {
        let meshes = recording.frame(0)?;
        let mut all = meshes.iter().fold(Box3::default(), |all, mesh| all.union(Box3::of(mesh)));
        // Cloth that falls has fallen at the end.
        if let Ok(last) = recording.frame(recording.frames - 1) {
            all = last.iter().fold(all, |all, mesh| all.union(Box3::of(mesh)));
        }
        if all.is_empty() {
            all = Box3 { min: Vec3::splat(-1.0), max: Vec3::ONE };
        }
        let radius = (0.5 * (all.max - all.min).length()).max(1e-3);
        let height = all.min.dot(recording.up).min(all.max.dot(recording.up)) - 0.02 * radius;
        let things = recording.meshes.iter().map(|mesh| Thing {
            kind: if mesh.is_body { ThingKind::Body } else { ThingKind::Cloth },
            name: mesh.name.clone(),
            about: format!("{} triangles, recorded", mesh.triangles.len()),
        });
        Ok(Self {
            bounds: Bounds { center: 0.5 * (all.min + all.max), radius },
            things: things.collect(),
            ground: Ground { height, color: looks::GROUND },
            time: 0.0,
            shown: 0,
            meshes,
            recording,
        })
    }

    /// Seconds of a frame.
    pub fn step(&self) -> f64 {
        1.0 / self.recording.fps
    }

    /// When the last frame is.
    pub fn last(&self) -> f64 {
        (self.recording.frames - 1) as f64 * self.step()
    }

    /// Goes to a time.
    pub fn go_to(&mut self, time: f64) -> Result<(), String> {
        let time = if time.is_finite() { time.clamp(0.0, self.last()) } else { 0.0 };
        let frame = ((time / self.step() + 1e-6) as usize).min(self.recording.frames - 1);
        if frame != self.shown {
            self.meshes = self.recording.frame(frame)?;
            self.shown = frame;
        }
        self.time = time;
        Ok(())
    }

    /// What is seen.
    pub fn scenery(&self) -> Scenery {
        let (mut sheets, mut solids) = (Vec::new(), Vec::new());
        for (mesh, positions) in self.recording.meshes.iter().zip(&self.meshes) {
            let triangles = mesh.triangles.clone();
            if mesh.is_body {
                solids.push(Solid {
                    triangles,
                    vertices: positions.clone(),
                    pose: Pose { rotation: Quat::IDENTITY, translation: Vec3::ZERO },
                    color: looks::of_body(solids.len()),
                    is_marked: false,
                });
            } else {
                sheets.push(Sheet {
                    triangles,
                    flat: mesh.flat.clone(),
                    places: Places::Host(positions.clone()),
                    look: looks::of_cloth(sheets.len(), Some("cotton")),
                    values: None,
                });
            }
        }
        Scenery { up: self.recording.up, sheets, solids, ground: Some(self.ground), marks: Vec::new() }
    }
}
