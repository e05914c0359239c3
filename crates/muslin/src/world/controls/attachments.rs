//! Attachments: vertices of cloth that go where a collider or a rigid body goes.
//!
//! A collider goes where it is led, whatever the cloth does: a vertex that is welded to one is a pin that the collider leads, and
//! one that is held softly is held to a place that goes along. A rigid body feels what it holds: a vertex that is welded to one is
//! tied to it (`collision/respond/tie.rs`), and both give way.

use glam::DVec3;

use crate::collision::{Collider, ColliderMotion, Response, Tie};
use crate::simulation::{Hold, HoldId};
use crate::world::{AttachmentId, BodyId, ClothId, ColliderId, Handle, World};
use crate::{Error, Feature};

/// To what vertices are attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Anchor {
    /// A collider that moves as a whole.
    Collider(ColliderId),
    /// A rigid body.
    Body(BodyId),
}

impl From<Anchor> for Handle {
    fn from(anchor: Anchor) -> Self {
        match anchor {
            Anchor::Collider(id) => id.into(),
            Anchor::Body(id) => id.into(),
        }
    }
}

/// How firmly.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Strength {
    /// Vertices are where the anchor has them.
    Weld,
    /// Each vertex is drawn to its place by a spring of so many N/m. To colliders only.
    Soft(f32),
}

/// Vertices of a cloth that go along with something.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::world) struct Attachment {
    pub id: AttachmentId,
    pub cloth: ClothId,
    pub anchor: Anchor,
    points: Vec<Attached>,
}

/// An attached vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Attached {
    /// In the user's numbering.
    vertex: u32,
    /// Its place on the anchor: in the coordinates of a collider's shape; of a body in its own axes, from its centre. Metres.
    place: DVec3,
    /// If it is held softly.
    hold: Option<HoldId>,
}

impl World {
    /// Attaches vertices of a cloth (numbered as the user's mesh) where they are now to a collider or a rigid body: from the next
    /// step on they go where that goes. A vertex can be pinned, or attached, once.
    pub fn attach(
        &mut self,
        cloth: ClothId,
        vertices: &[u32],
        anchor: Anchor,
        strength: Strength,
    ) -> Result<AttachmentId, Error> {
        #[cfg(feature = "gpu")]
        self.refuse_on_device(Feature::Attachment)?;
        let number = self.cloth_ids.number(cloth)?;
        self.check_attachable(number, vertices, anchor, strength)?;
        let places: Vec<DVec3> = self.places_on(number, vertices, anchor)?;
        let simulation = &mut self.cloths[number].1;
        let hold = match (anchor, strength) {
            (Anchor::Collider(_), Strength::Weld) => {
                simulation.pin_all(vertices)?;
                None
            }
            (_, Strength::Soft(stiffness)) => Some(stiffness),
            (Anchor::Body(_), Strength::Weld) => None,
        };
        let mut points = Vec::with_capacity(vertices.len());
        for (&vertex, place) in vertices.iter().zip(places) {
            let hold = hold
                .map(|stiffness| {
                    let at = simulation.place(vertex)?;
                    simulation.hold(Hold::vertex(vertex, at, stiffness))
                })
                .transpose()?;
            points.push(Attached { vertex, place, hold });
        }
        let id = AttachmentId(self.issue.next());
        self.attachments.push(Attachment { id, cloth, anchor, points });
        Ok(id)
    }

    /// Lets attached vertices go, with the velocity that they have.
    pub fn detach(&mut self, id: AttachmentId) -> Result<(), Error> {
        let number = self.attachments.binary_search_by_key(&id, |attachment| attachment.id);
        let number = number.map_err(|_| Error::NoSuch(id.into()))?;
        let attachment = self.attachments.remove(number);
        self.let_go(&attachment)
    }

    /// Lets go of all that is attached to something.
    pub(in crate::world) fn detach_from(&mut self, anchor: Handle) -> Result<(), Error> {
        let is_gone = |attachment: &Attachment| Handle::from(attachment.anchor) == anchor;
        let (gone, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.attachments).into_iter().partition(is_gone);
        self.attachments = kept;
        gone.iter().try_for_each(|attachment| self.let_go(attachment))
    }

    fn let_go(&mut self, attachment: &Attachment) -> Result<(), Error> {
        let number = self.cloth_ids.number(attachment.cloth)?;
        let simulation = &mut self.cloths[number].1;
        let holds = attachment.points.iter().filter_map(|point| point.hold);
        let pins = attachment.points.iter().filter(|point| point.hold.is_none()).map(|point| point.vertex);
        for hold in holds {
            simulation.let_go(hold)?;
        }
        if matches!(attachment.anchor, Anchor::Collider(_)) {
            // One that somebody has released is free already.
            let pins: Vec<u32> = pins.filter(|&vertex| simulation.is_pinned(vertex)).collect();
            simulation.release_all(&pins)?;
        }
        Ok(())
    }

    fn check_attachable(
        &self,
        cloth: usize,
        vertices: &[u32],
        anchor: Anchor,
        strength: Strength,
    ) -> Result<(), Error> {
        let simulation = &self.cloths[cloth].1;
        let wrong = |problem: String| Err(Error::State { what: "attached vertices", problem });
        if let Strength::Soft(stiffness) = strength
            && !(stiffness.is_finite() && stiffness > 0.0)
        {
            let (field, must_be) = ("stiffness of an attachment", "finite and above 0");
            return Err(Error::Setting { field, value: stiffness.into(), must_be });
        }
        let mut sorted = vertices.to_vec();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return wrong(format!("vertex {} is named twice", pair[0]));
        }
        let count = simulation.cloth().vertex_count();
        if let Some(vertex) = vertices.iter().find(|v| **v as usize >= count) {
            return wrong(format!("there is no vertex {vertex}, only {count} vertices"));
        }
        if let Some(vertex) = vertices.iter().find(|v| simulation.is_pinned(**v)) {
            return wrong(format!("vertex {vertex} is pinned, or attached to a collider, already"));
        }
        let tied = self.attachments.iter().filter(|other| other.cloth == self.cloth_ids.at(cloth));
        let mut tied = tied.flat_map(|other| &other.points).map(|point| point.vertex);
        if let Some(vertex) = tied.find(|vertex| sorted.binary_search(vertex).is_ok()) {
            return wrong(format!("vertex {vertex} is attached already"));
        }
        let refused = |what| Error::Unsupported { by: "an attachment", feature: Feature::Attachment, what };
        match anchor {
            Anchor::Collider(id) if matches!(self.collider(id)?.motion, ColliderMotion::Sequence { .. }) => {
                Err(refused("colliders that move vertex by vertex"))
            }
            Anchor::Body(_) if strength != Strength::Weld => Err(refused("holding softly to rigid bodies")),
            Anchor::Body(_) if matches!(self.collision_settings.response, Response::Impulses(_)) => {
                Err(refused("rigid bodies where the response is by impulses"))
            }
            _ => Ok(()),
        }
    }

    /// The places of vertices on what they are attached to.
    fn places_on(&self, cloth: usize, vertices: &[u32], anchor: Anchor) -> Result<Vec<DVec3>, Error> {
        let simulation = &self.cloths[cloth].1;
        let place = |vertex: &u32| simulation.place(*vertex);
        match anchor {
            Anchor::Collider(id) => {
                let pose = self.collider(id)?.pose_from(DVec3::ZERO, self.time());
                vertices.iter().map(|vertex| Ok(pose.undo(place(vertex)?))).collect()
            }
            Anchor::Body(id) => {
                let body = self.body(id)?;
                let turn = body.state().rotation.inverse();
                vertices
                    .iter()
                    .map(|vertex| {
                        let away: DVec3 = place(vertex)? - body.center();
                        Ok(turn * away)
                    })
                    .collect()
            }
        }
    }

    /// Leads what is attached to colliders to where these are at the end of a substep.
    pub(in crate::world) fn lead_attached(&mut self, end: f64) {
        let Self { attachments, cloths, cloth_ids, colliders, collider_ids, .. } = self;
        for attachment in attachments.iter() {
            let Anchor::Collider(id) = attachment.anchor else { continue };
            let (Ok(cloth), Ok(collider)) = (cloth_ids.number(attachment.cloth), collider_ids.number(id))
            else {
                continue;
            };
            let simulation = &mut cloths[cloth].1;
            let collider: &Collider = &colliders[collider];
            let pose = collider.pose_from(DVec3::ZERO, end);
            for point in &attachment.points {
                let place = pose.apply(point.place);
                match point.hold {
                    Some(hold) => simulation.lead_hold(hold, place),
                    None => simulation.lead_pin(point.vertex, place),
                }
            }
        }
    }

    /// Ties what is attached to rigid bodies to them, before a step.
    pub(in crate::world) fn tie_attached(&mut self) {
        let Self { attachments, cloths, cloth_ids, body_ids, collisions, .. } = self;
        let Some(collisions) = collisions else { return };
        let tied = attachments.iter().filter_map(|attachment| {
            let Anchor::Body(id) = attachment.anchor else { return None };
            Some((attachment, cloth_ids.number(attachment.cloth).ok()?, body_ids.number(id).ok()?))
        });
        collisions.set_ties(tied.flat_map(|(attachment, cloth, body)| {
            // Points of cloths come first, in their order.
            let before = cloths[..cloth].iter().map(|(_, before)| before.cloth().vertex_count());
            let (first, own) = (before.sum::<usize>() as u32, &cloths[cloth].1.cloth().permutation);
            let point = move |point: &Attached| first + own.old_to_new[point.vertex as usize];
            attachment.points.iter().map(move |at| Tie { point: point(at), body, place: at.place })
        }));
    }
}
