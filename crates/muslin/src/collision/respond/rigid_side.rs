//! The side of a contact that belongs to a rigid body.
//!
//! Input: the four points of a contact and their weights. Output: where the body's part of Σ wᵢ xᵢ is for its
//! present end, how easily a push moves it, and the push itself. `rigid` says which arm a push has and why.

use glam::{DMat3, DVec3};

use crate::collision::points::Points;

/// What a contact has to know of a rigid body.
#[derive(Clone, Debug)]
pub(crate) struct RigidSide {
    pub(crate) body: usize,
    /// Σ of the weights of the body's points: 1 if it is the first feature, −1 if it is the second.
    pub(crate) sign: f64,
    /// The nearest point of its feature, in the body's own axes.
    feature: DVec3,
    /// The place of its surface there: of a ball a radius away from its only point.
    pub(crate) surface: DVec3,
    /// From the body's reference to the cloth's side at the start, metres.
    pub arm: DVec3,
    /// From a slip along the surface, metres, to the push that takes it away, kg.
    drag_per_slip: DMat3,
    /// Where each point of cloth goes that is pushed along the normal, towards its own side: as much of a vector of
    /// length one as it is free to go (`support`).
    pub free: [DVec3; 4],
}

impl RigidSide {
    /// Takes a rigid body's part out of the weights; `None` if there is none.
    pub fn take(
        points_of: [u32; 4],
        weights: &mut [f64; 4],
        normal: DVec3,
        radius: f64,
        points: &Points,
    ) -> Option<Self> {
        if points.rigid.is_empty() {
            return None;
        }
        let number = points_of.iter().find_map(|&p| points.rigid_of(p))?;
        let body = &points.rigid[number];
        let (mut sum, mut feature, mut cloth) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for (&p, weight) in points_of.iter().zip(&mut *weights) {
            if body.points.contains(&p) {
                sum += *weight;
                feature += body.locals[(p - body.points.start) as usize] * *weight;
                *weight = 0.0;
            } else {
                cloth += points.start[p as usize].truncate().as_dvec3() * *weight;
            }
        }
        let sign = f64::signum(sum);
        let feature = feature * sign;
        let surface = body.start.undo(body.start.apply(feature) - normal * (radius * sign));
        let arm = cloth * -sign - body.reference;
        Some(Self {
            body: number,
            sign,
            feature,
            surface,
            arm,
            drag_per_slip: DMat3::ZERO,
            free: weights.map(|weight| normal * f64::signum(weight)),
        })
    }

    /// The side of a place of a body to which a point of cloth is held that starts at `start`; the cloth is the first feature.
    pub fn at(body: usize, place: DVec3, start: DVec3, normal: DVec3, points: &Points) -> Self {
        Self {
            body,
            sign: -1.0,
            feature: place,
            surface: place,
            arm: start - points.rigid[body].reference,
            drag_per_slip: DMat3::ZERO,
            free: [normal, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO],
        }
    }

    /// Adds the body's share to the compliance along the normal, and prepares friction.
    pub fn share(&mut self, of_cloth: f64, normal: DVec3, points: &Points) -> f64 {
        let mobility = self.mobility(points) + DMat3::from_diagonal(DVec3::splat(of_cloth));
        let (u, v) = normal.any_orthonormal_pair();
        let [uu, uv, vv] = [u.dot(mobility * u), u.dot(mobility * v), v.dot(mobility * v)];
        let determinant = uu * vv - uv * uv;
        // The inverse of the mobility along the surface, on both directions of it.
        let column = |x: DVec3| {
            let (a, b) = (u.dot(x), v.dot(x));
            (u * (vv * a - uv * b) + v * (uu * b - uv * a)) / determinant
        };
        self.drag_per_slip = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
        normal.dot(mobility * normal).max(of_cloth + self.response(normal, points))
    }

    /// By how much a push along the normal really moves the body's side along it, 1/kg: the arm is where the cloth
    /// starts, and the feature may be elsewhere by now. Where cloth is held there is nothing else that gives, and a push that
    /// moves the body by more than was meant would be taken back by an even larger one.
    fn response(&self, normal: DVec3, points: &Points) -> f64 {
        let body = &points.rigid[self.body];
        let lever = body.end.apply(self.feature) - body.end.center;
        let turn = body.inverse_inertia * self.arm.cross(normal);
        1.0 / body.mass + normal.dot(turn.cross(lever))
    }

    /// The motion of the body's side per push, 1/kg.
    pub fn mobility(&self, points: &Points) -> DMat3 {
        points.rigid[self.body].mobility(self.arm)
    }

    /// The number of the body.
    pub fn body(&self) -> usize {
        self.body
    }

    /// The body's part of Σ wᵢ xᵢ at its present end.
    pub fn place(&self, points: &Points) -> DVec3 {
        points.rigid[self.body].end.apply(self.feature) * self.sign
    }

    /// How far the place of its surface has moved, with the sign of its weights.
    pub fn moved(&self, points: &Points) -> DVec3 {
        let body = &points.rigid[self.body];
        (body.end.apply(self.surface) - body.start.apply(self.surface)) * self.sign
    }

    /// The push that takes a slip along the surface away.
    pub fn drag_against(&self, slip: DVec3) -> DVec3 {
        self.drag_per_slip * slip
    }

    /// Moves the body by the contact's push.
    pub fn push(&self, push: DVec3, points: &mut Points) {
        points.rigid[self.body].push(push * self.sign, self.arm);
    }

    /// Takes a push, which only made up for a gap, out of its momentum. `cloth` is the cloth's part of Σ wᵢ xᵢ at
    /// the end.
    pub fn recover(&self, push: DVec3, cloth: DVec3, points: &mut Points) {
        let body = &mut points.rigid[self.body];
        let arm = cloth * -self.sign - body.reference;
        body.book(push * -self.sign, arm);
    }
}

#[cfg(all(test, feature = "rigid-bodies"))]
mod tests {
    use glam::{Vec3, Vec4};

    use super::*;
    use crate::collision::bodies::rigid::RigidEnd;
    use crate::collision::bodies::surface::{Between, Side, Surface};
    use crate::collision::respond::contact::{Contact, Features};
    use crate::diagnostics::energy::Momentum;
    use crate::rigid::{Mass, MovingBody, RigidBody, RigidShape};

    const DT: f64 = 0.01;

    /// The momentum of three particles and a body, times the length of the step. Velocities are counted from starts that moved
    /// along with what was only recovered.
    fn momentum(points: &Points, body: &MovingBody) -> Momentum {
        let mut sum = body.momentum_of(&body.end);
        (sum.linear, sum.angular) = (sum.linear * DT, sum.angular * DT);
        for p in 0..3 {
            let (mass, end) = (1.0 / points.inverse_mass(p as u32), points.end[p].truncate().as_dvec3());
            let start = points.start[p].truncate().as_dvec3() + points.recovered[p].as_dvec3();
            sum = sum + Momentum { linear: (end - start) * mass, angular: start.cross(end) * mass };
        }
        sum
    }

    /// No correction hides anything here: a contact by itself keeps linear and angular momentum, with a gap between
    /// the features, a radius, friction and recovery.
    #[test]
    fn contacts_with_bodies_keep_momentum() {
        for shape in [RigidShape::Sphere { radius: 0.2 }, RigidShape::Box { size: Vec3::new(0.2, 0.4, 0.6) }]
        {
            let is_ball = matches!(shape, RigidShape::Sphere { .. });
            let mut description = RigidBody::new("body", shape).at(DVec3::new(0.1, 0.5, -0.1));
            description.mass = Mass::Total(2.0);
            (description.velocity, description.angular_velocity) =
                (DVec3::new(1.0, -9.0, 0.5), DVec3::new(3.0, -2.0, 5.0));
            let mut body = MovingBody::new(description).unwrap();
            body.end.center += body.state.velocity * DT;
            let mut points = Points::default();
            for (place, mass) in [(Vec3::ZERO, 0.5), (Vec3::X, 1.0), (Vec3::new(0.2, 0.1, -0.8), 0.25)] {
                points.start.push(place.extend(1.0 / mass));
                points.end.push((place + Vec3::new(-0.01, 0.03, 0.02) * place.length()).extend(1.0 / mass));
            }
            points.start.resize(3 + body.points.len(), Vec4::ZERO);
            points.end.resize(3 + body.points.len(), Vec4::ZERO);
            points.changed = vec![false; points.start.len()];
            points.recovered = vec![Vec3::ZERO; points.start.len()];
            points.rigid.push(RigidEnd::new(&body, 3));
            points.load_rigid(0, &body, DT);
            let before = momentum(&points, &body);

            let radius = if is_ball { 0.2 } else { 0.0 };
            let side = Side { surface: Surface::COLLIDER, offset: 0.05, radius };
            let between = Between::new(&side, &Side { radius: 0.0, ..side }, None);
            let normal = DVec3::new(0.1, 1.0, 0.2).normalize();
            let contact = |weights: [f64; 4]| {
                let wanted = [f64::from(radius) + 0.6, 0.02];
                Contact::new(
                    Features { points: [3, 0, 1, 2], bodies: [1, 0] },
                    weights,
                    normal,
                    wanted,
                    &between,
                    DVec3::ZERO,
                    &points,
                )
                .unwrap()
            };
            let mut contacts = [contact([1.0, -0.2, -0.3, -0.5]), contact([1.0, -0.7, -0.1, -0.2])];
            for _ in 0..4 {
                contacts.iter_mut().for_each(|contact| contact.solve(&mut points));
            }
            assert!(contacts.iter().any(Contact::is_loaded));
            let pushed = (points.rigid[0].momentum - body.end.velocity * (2.0 * DT)).length();
            contacts.iter().for_each(|contact| contact.book_recovery(&mut points));
            points.rigid[0].store(&mut body);
            let change = momentum(&points, &body) - before;
            assert!(pushed > 0.01, "{pushed}");
            assert!(change.linear.length() < 1e-6, "{change:?} after {pushed}");
            assert!(change.angular.length() < 1e-6, "{change:?} after {pushed}");
        }
    }
}
