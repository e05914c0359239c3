//! What collides: cloth, colliders and rigid bodies, all as points, edges and faces.
//!
//! 1. `collider`: what a user gives, and where it goes; `surface`: how its surface and that of cloth behave;
//! 2. `sheet`: a cloth; `body`: any of them as primitives with a box hierarchy;
//! 3. `rigid`: a body of finite mass during a step;
//! 4. `all`: all of them together, and what holds between any two.

mod all;
pub(super) mod body;
pub(super) mod collider;
pub(super) mod rigid;
pub(super) mod sheet;
pub(super) mod surface;

pub(super) use all::{Bodies, ColliderBody};
