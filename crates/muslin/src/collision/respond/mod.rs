//! What is done about it: ends of the step at which nothing meets.
//!
//! 1. `contact`: two features push each other apart, and rub; `contacts`: all of them, by `packs` of eight; `rigid_side`: what one sees of a
//!    rigid body;
//! 2. `coupling`: contacts in turn with the cloths' solvers;
//! 3. `support`: what holds cloth under rigid bodies, by what `carrier` says of cloth that hangs on pins;
//!    `tie`: points of cloth that are held to bodies, as contacts;
//! 4. `impact_zone`: what does not settle moves as a rigid body, and bodies with it (`rigid_zone`);
//! 5. `stop`: what becomes of the momentum of rigid bodies.
//!
//! `impulses` is another, simpler response in place of all of these, which guarantees nothing.

pub(super) mod carrier;
pub(super) mod contact;
pub(super) mod contacts;
pub(super) mod coupling;
pub(super) mod impact_zone;
pub(super) mod impulses;
mod packs;
mod rigid_side;
mod rigid_zone;
pub(super) mod stop;
pub(super) mod support;
pub(super) mod tie;
