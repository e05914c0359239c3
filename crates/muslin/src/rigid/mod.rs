//! Rigid bodies: balls, boxes, convex bodies and closed meshes of finite mass, which fall into cloth.
//!
//! Input: [`RigidBody`], what a user says of a body. Output: [`MovingBody`], the body in a
//! [`World`](crate::World), with its [`BodyState`] after every step.
//!
//! Two stages move a body in a substep, in this order:
//!
//! 1. `engine`: rapier moves all bodies as if there were no cloth, off each other and off the colliders. It is
//!    used as a pure function, from states to states: nothing of ours lives in it.
//! 2. `collision`: cloth and body push each other (`collision/bodies/rigid.rs`), as any two things that have mass.
//!
//! `mass` has volume, centre and inertia of shapes, `free_flight` the motion of what nothing touches.
//! Needs the cargo feature `rigid-bodies`; without it a world refuses bodies.

mod body;
mod description;
#[cfg_attr(not(feature = "rigid-bodies"), path = "no_engine.rs")]
mod engine;
mod free_flight;
mod mass;
mod rigid_system;
mod state;

pub use body::MovingBody;
pub use description::{Mass, RigidBody, RigidShape};
pub(crate) use engine::Engine;
pub(crate) use rigid_system::{RigidSystem, RigidVelocity};
pub use state::BodyState;
