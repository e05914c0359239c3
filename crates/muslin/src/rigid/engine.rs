//! The bodies without cloth: rapier as a pure function of states.
//!
//! Input: where bodies are and how fast, the colliders, a time. Output: where they are and how fast after it, in
//! [`MovingBody::end`], having met each other and the colliders but no cloth.
//!
//! Every substep puts a world together from our states, steps it once and reads it out; shapes are shared, so
//! that costs little. Nothing of ours lives in it: going back, halving a substep and resuming a run need nothing
//! from it. So it knows nothing of the last substep's forces, and rehearses the step instead. What rapier left alone
//! flies by `free_flight`, as cloth does; of the rest, angular momentum changes by what rapier did to the angular
//! velocity.

mod hull;
mod obstacle;
mod shape;

use glam::{DVec3, Vec3};
use obstacle::Obstacle;
use rapier3d_f64::prelude::{
    CCDSolver, CoefficientCombineRule, Collider as EngineCollider, ColliderBuilder, ColliderSet,
    DefaultBroadPhase, FrictionModel, ImpulseJointSet, IntegrationParameters, IslandManager,
    MassProperties as EngineMass, MultibodyJointSet, NarrowPhase, PhysicsPipeline, Pose as EnginePose,
    RigidBody as EngineBody, RigidBodyBuilder, RigidBodyHandle, RigidBodySet, SoftBodySet,
    SpringCoefficients,
};

pub(super) use shape::{BodyShape, convex_hull};

use super::body::MovingBody;
use super::free_flight::fly;
use super::rigid_system::RigidSystem;
use super::state::BodyState;
use crate::Error;
use crate::collision::Collider;
use crate::diagnostics::energy::Momentum;

/// Iterations of rapier's solver, twice the default: every substep starts without the last one's forces.
const ITERATIONS: usize = 8;

/// How far rapier lets a body fall in a step, relative to the squared length: it falls a little in each iteration.
const FALLEN: f64 = 0.5 * (1.0 + 1.0 / ITERATIONS as f64);

/// How often a step is rehearsed at the most. Without, a box on a slope of 0.95 μ crept by 0.8 mm in two seconds, with two by
/// less than 0.01 mm. Ten stacked boxes drift in three seconds by 6.2 mm without, 3.9 mm with 2, 1.6 with 4, 0.37 with 8,
/// 0.20 with 16 and 0.19 with 32 or 64 rehearsals. A world of rapier's own that lives on would start each step with the last
/// one's forces, but these would be part of a state, and of every checkpoint.
const MOST_REHEARSALS: usize = 32;

/// Rehearsals end when they change no velocity by more than this, m/s and rad/s: a micrometre in a second.
const SETTLED: f64 = 1e-6;

/// Moves bodies.
#[derive(Default)]
pub(crate) struct Engine {
    /// For each collider of the world what bodies meet of it.
    obstacles: Vec<Obstacle>,
}

impl Engine {
    /// The world has another collider, which has been checked.
    pub fn add_obstacle(&mut self, collider: &Collider) -> Result<(), Error> {
        let problem = "bodies cannot collide with it: its mesh is degenerate".to_owned();
        let error = || Error::Collider { name: collider.name.clone(), problem };
        self.obstacles.push(Obstacle::new(collider).ok_or_else(error)?);
        Ok(())
    }

    /// The world's collider with a number is gone.
    pub fn remove_obstacle(&mut self, number: usize) {
        self.obstacles.remove(number);
    }

    /// Sets where bodies would be at the end of a substep between two times if there were no cloth, among the colliders that
    /// it was told of.
    pub fn advance(&mut self, bodies: &mut [MovingBody], gravity: Vec3, times: [f64; 2], among: &[Collider]) {
        let dt = times[1] - times[0];
        for body in &mut *bodies {
            let velocity = body.state.velocity + gravity.as_dvec3() * dt;
            body.end = fly(body, &BodyState { velocity, ..body.state }, dt);
        }
        if bodies.is_empty() || (bodies.len() == 1 && self.obstacles.is_empty()) {
            return;
        }
        // A world counts all of its bodies from one.
        let origin = bodies[0].state.origin;
        let mut set = RigidBodySet::new();
        let mut colliders = ColliderSet::new();
        let handles: Vec<RigidBodyHandle> = bodies
            .iter()
            .map(|body| {
                let handle = set.insert(moving(body));
                colliders.insert_with_parent(surface_of(body), handle, &mut set);
                handle
            })
            .collect();
        for (obstacle, collider) in self.obstacles.iter().zip(among) {
            obstacle.insert(collider, origin, times, &mut set, &mut colliders);
        }
        step(dt, gravity.as_dvec3(), &mut set, &mut colliders);
        let mut touched = Vec::new();
        for (number, (body, handle)) in bodies.iter_mut().zip(handles).enumerate() {
            let after = &set[handle];
            let spin = body.angular_velocity();
            let (velocity, change) = (after.linvel(), after.angvel() - spin);
            let place = after.translation();
            // Rapier adds gravity in parts.
            let fallen = body.state.velocity * dt + gravity.as_dvec3() * (dt * dt * FALLEN);
            let near = |a: DVec3, b: DVec3| (a - b).length() <= 1e-9 * (1.0 + a.length());
            let free = near(place, body.state.center + fallen) && near(velocity, body.end.velocity);
            if free && change == DVec3::ZERO {
                continue;
            }
            let angular_momentum = body.state.angular_momentum + body.inertia() * change;
            let rotation = after.rotation().normalize();
            body.end = BodyState { origin, center: place, rotation, velocity, angular_momentum };
            touched.push(number);
        }
        if self.obstacles.is_empty() {
            keep_momentum(bodies, &touched, gravity.as_dvec3() * dt);
        }
    }
}

/// Gives bodies that have hit each other, and nothing else, what rapier has lost of their momentum: its contacts act
/// where bodies were a little before or after, and move bodies out of each other.
fn keep_momentum(bodies: &mut [MovingBody], touched: &[usize], fall: DVec3) {
    let mut missing = Momentum::default();
    let mut system = RigidSystem::EMPTY;
    for body in touched.iter().map(|&number| &bodies[number]) {
        let free = BodyState { velocity: body.state.velocity + fall, ..body.state };
        missing = missing + body.momentum_of(&free) - body.momentum_of(&body.end);
        system.add(body.mass(), body.end.center, body.inertia_of(&body.end));
    }
    let Some(motion) = system.velocity_with(missing) else { return };
    for &number in touched {
        let body = &mut bodies[number];
        body.end.velocity += motion.at(body.end.center);
        body.end.angular_momentum += body.inertia_of(&body.end) * motion.spin;
    }
}

/// A body as it starts, with gravity in its velocity already.
fn moving(body: &MovingBody) -> RigidBodyBuilder {
    let BodyState { center, rotation, .. } = body.state;
    let mass = body.mass_properties();
    RigidBodyBuilder::dynamic()
        .pose(EnginePose::from_parts(center, rotation))
        .linvel(body.state.velocity)
        .angvel(body.angular_velocity())
        .additional_mass_properties(EngineMass::with_inertia_matrix(DVec3::ZERO, mass.mass, mass.inertia))
        .gyroscopic_forces_enabled(false)
        .allow_fast_rotation(true)
        .ccd_enabled(true)
        .can_sleep(false)
}

fn surface_of(body: &MovingBody) -> EngineCollider {
    let surface = body.surface();
    ColliderBuilder::new(body.shape.0.clone())
        .density(0.0)
        .friction(surface.friction.into())
        .friction_combine_rule(CoefficientCombineRule::GeometricMean)
        .restitution(body.description().restitution)
        .restitution_combine_rule(CoefficientCombineRule::Max)
        .build()
}

/// One step of a world that exists for it only, rehearsed from the same start until the forces between bodies are known.
fn step(dt: f64, gravity: DVec3, bodies: &mut RigidBodySet, colliders: &mut ColliderSet) {
    // As stiff as iterations of this length can be. The usual stiffness is for steps of a sixtieth of a second.
    let stiff = |spring: SpringCoefficients<f64>| SpringCoefficients {
        natural_frequency: 0.25 * ITERATIONS as f64 / dt,
        ..spring
    };
    let usual = IntegrationParameters::default();
    let parameters = IntegrationParameters {
        dt,
        num_solver_iterations: ITERATIONS,
        normalized_max_linear_velocity: f64::MAX,
        contact_softness: stiff(usual.contact_softness),
        static_contact_softness: stiff(usual.static_contact_softness),
        // The other one, `Coulomb`, let boxes slide as if μ were 0.35 where it was 0.4.
        friction_model: FrictionModel::Simplified,
        ..usual
    };
    let starts: Vec<(RigidBodyHandle, EngineBody)> =
        bodies.iter().map(|(handle, body)| (handle, body.clone())).collect();
    let (mut islands, mut broad_phase) = (IslandManager::new(), DefaultBroadPhase::default());
    let (mut narrow_phase, mut pipeline) = (NarrowPhase::new(), PhysicsPipeline::new());
    let mut velocities: Vec<[DVec3; 2]> = Vec::new();
    for round in 0..=MOST_REHEARSALS {
        if round > 0 {
            starts.iter().for_each(|(handle, start)| put_back(&mut bodies[*handle], start));
        }
        pipeline.step(
            gravity,
            &parameters,
            &mut islands,
            &mut broad_phase,
            &mut narrow_phase,
            bodies,
            colliders,
            &mut ImpulseJointSet::new(),
            &mut MultibodyJointSet::new(),
            &mut SoftBodySet::new(),
            &mut CCDSolver::new(),
            &(),
            &(),
        );
        let now: Vec<[DVec3; 2]> = bodies.iter().map(|(_, body)| [body.linvel(), body.angvel()]).collect();
        let change = |(a, b): (&[DVec3; 2], &[DVec3; 2])| (a[0] - b[0]).length().max((a[1] - b[1]).length());
        if round > 0 && now.iter().zip(&velocities).map(change).fold(0.0, f64::max) <= SETTLED {
            return;
        }
        velocities = now;
    }
}

fn put_back(body: &mut EngineBody, start: &EngineBody) {
    body.set_position(*start.position(), true);
    if body.is_dynamic() {
        body.set_linvel(start.linvel(), true);
        body.set_angvel(start.angvel(), true);
    } else if body.is_kinematic() {
        body.set_next_kinematic_position(*start.next_position());
    }
}
