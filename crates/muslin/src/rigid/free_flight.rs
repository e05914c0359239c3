//! The motion of a body that nothing touches.
//!
//! Input: a state whose velocity already has gravity in it. Output: the state after a time. The centre moves as
//! particles of cloth do (symplectic Euler); angular momentum stays, bit for bit; the rotation takes the angular
//! velocity that goes with it half-way (midpoint rule), since that changes while the body turns.

use glam::DQuat;

use super::body::MovingBody;
use super::state::BodyState;

pub(super) fn fly(body: &MovingBody, start: &BodyState, dt: f64) -> BodyState {
    let turned = |state: &BodyState, dt: f64| {
        let turn = body.inverse_inertia_of(state) * start.angular_momentum * dt;
        (DQuat::from_scaled_axis(turn) * start.rotation).normalize()
    };
    let half_way = BodyState { rotation: turned(start, 0.5 * dt), ..*start };
    BodyState { center: start.center + start.velocity * dt, rotation: turned(&half_way, dt), ..*start }
}
