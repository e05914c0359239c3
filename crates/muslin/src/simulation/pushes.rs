//! Changes of velocities that wait for the next step, of a cloth whose velocities are elsewhere ([`ahead`](super::ahead)).

use glam::{DQuat, DVec3, Vec3, Vec4};

/// Changes of velocities that the next step begins with. (Here they would be made at once.)
#[derive(Clone, Debug, Default)]
pub(crate) struct Pushes {
    /// What all that is free gains, m/s.
    pub to_all: Vec3,
    /// Per internal vertex what it gains, m/s; w is one where there is something, two where nothing else is left of the velocity.
    all: Vec<Vec4>,
    /// Where there is something.
    vertices: Vec<u32>,
}

impl PartialEq for Pushes {
    /// The same in the same order; whether there is memory for others makes no difference.
    fn eq(&self, other: &Self) -> bool {
        self.to_all == other.to_all && self.iter().eq(other.iter())
    }
}

impl Pushes {
    fn entry(&mut self, v: usize, vertices: usize) -> &mut Vec4 {
        self.all.resize(vertices, Vec4::ZERO);
        let own = &mut self.all[v];
        if own.w == 0.0 {
            self.vertices.push(v as u32);
            own.w = 1.0;
        }
        own
    }

    /// Adds to a velocity.
    pub fn add(&mut self, v: usize, by: DVec3, vertices: usize) {
        let own = self.entry(v, vertices);
        *own += by.as_vec3().extend(0.0);
    }

    /// Brings a vertex to rest.
    pub fn stop(&mut self, v: usize, vertices: usize) {
        *self.entry(v, vertices) = Vec4::new(0.0, 0.0, 0.0, 2.0);
    }

    /// There are none any more.
    pub fn forget(&mut self) {
        self.to_all = Vec3::ZERO;
        for v in self.vertices.drain(..) {
            self.all[v as usize] = Vec4::ZERO;
        }
    }

    /// Becomes another; its memory is used again.
    pub fn copy_from(&mut self, other: &Self) {
        self.to_all = other.to_all;
        self.all.clone_from(&other.all);
        self.vertices.clone_from(&other.vertices);
    }

    /// Takes over what another has; of a cloth of as many vertices.
    pub fn set(&mut self, other: &Self) {
        self.forget();
        self.to_all = other.to_all;
        for &v in &other.vertices {
            *self.entry(v as usize, other.all.len()) = other.all[v as usize];
        }
    }

    /// Turns all of them.
    pub fn turn(&mut self, rotation: DQuat) {
        let turned = |by: Vec3| (rotation * by.as_dvec3()).as_vec3();
        self.to_all = turned(self.to_all);
        for &v in &self.vertices {
            let own = &mut self.all[v as usize];
            *own = turned(own.truncate()).extend(own.w);
        }
    }

    /// Internal vertices with what they gain, and whether nothing else is left of their velocities.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Vec3, bool)> {
        self.vertices.iter().map(|&v| (v, self.all[v as usize].truncate(), self.all[v as usize].w == 2.0))
    }
}
