//! Contacts of points alone, eight at a time and on all threads.
//!
//! Input: contacts, and where points start and end. Output: ends, and what each contact has pushed.
//!
//! Contacts get colours, in their order the first one that none has with which they share a point that can move. Those of one colour move
//! different points: they are solved at once, in lanes and on threads, with the same bits in any order. Colours come one
//! after the other, so it is Gauss-Seidel in an order that depends on the contacts alone.
//!
//! Points are known by their motion since the start of the step, and what a contact demands by what is left of it there: both are small, so
//! single precision is enough for them (a contact asked for 1e-7 m before it was solved in double precision, and rounding of a motion of
//! 1 cm is a hundredth of that). Detection, which has the last word, is as precise as ever.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::{DVec3, Vec4};

use super::contact::{Contact, SMALLEST_CHANGE};
use crate::collision::points::Points;
use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, WIDTH, dispatch};
use crate::math::vec3::V3;

/// Colours for contacts that are packed together; those that find none get colours of their own behind these.
const COLOURS: usize = 64;

/// Packs that are worth a thread: they take some four microseconds, and threads meet in one to three.
const SMALLEST_PIECE: usize = 64;

/// The number of no contact.
const VACANT: u32 = u32::MAX;

/// Packs of contacts, and the points that they move. Keeps its memory between steps.
#[derive(Debug, Default)]
pub(super) struct Packs {
    /// How many contacts have been packed.
    packed: usize,
    packs: Vec<Pack>,
    /// Those of each colour, in the order in which they are solved.
    colours: Vec<Range<usize>>,
    /// Contacts of rigid bodies, which are not packed.
    pub single: Vec<u32>,
    /// The points, and their place among these: one more than the index, or 0.
    points: Vec<u32>,
    place: Vec<u32>,
    motions: Vec<Motion>,
    /// Memory for colours: contacts that have none, which ones each of the points has, and what contacts get.
    left: Vec<u32>,
    taken: Vec<u64>,
    coloured: Vec<(u32, usize)>,
}

/// Up to eight contacts of the same colour.
#[derive(Clone, Debug)]
struct Pack {
    contacts: [u32; WIDTH],
    points: [[u32; WIDTH]; 4],
    /// Whether the points are moved; a bit for each lane.
    moves: [u8; 4],
    weights: [[f32; WIDTH]; 4],
    normal: [[f32; WIDTH]; 3],
    /// What the motion along the normal has to be, metres.
    wanted: [f32; WIDTH],
    /// Of the second feature's surface along itself, beyond that of its points, metres.
    surface: [[f32; WIDTH]; 3],
    /// While sliding, at rest.
    friction: [[f32; WIDTH]; 2],
    compliance: [f32; WIDTH],
    /// Drags and, as w, pushes so far, kg·m.
    pushes: [Vec4; WIDTH],
}

impl Packs {
    /// No contacts.
    pub fn clear(&mut self) {
        let Self { packed, packs, colours, single, points, place, .. } = self;
        *packed = 0;
        packs.clear();
        colours.clear();
        single.clear();
        points.drain(..).for_each(|point| place[point as usize] = 0);
    }

    /// Packs the contacts that were appended since the last call, behind those that are there.
    pub fn pack_more(&mut self, contacts: &[Contact], points: &Points) {
        self.place.resize(points.end.len(), 0);
        let Self { packed, single, left, .. } = self;
        for (number, contact) in contacts.iter().enumerate().skip(*packed) {
            let list = if contact.rigid.is_some() { &mut *single } else { &mut *left };
            list.push(number as u32);
        }
        *packed = contacts.len();
        while !self.left.is_empty() {
            self.pack_left(contacts, points);
        }
    }

    /// Packs contacts that are left as far as colours go.
    fn pack_left(&mut self, contacts: &[Contact], points: &Points) {
        let mut counts = [0; COLOURS];
        self.taken.clear();
        self.taken.resize(self.points.len(), 0);
        self.coloured.clear();
        let left = self.left.len();
        for k in 0..left {
            let number = self.left[k];
            match self.choose_colour(&contacts[number as usize], points) {
                Some(colour) => {
                    counts[colour] += 1;
                    self.coloured.push((number, colour));
                }
                None => self.left.push(number),
            }
        }
        self.left.drain(..left);
        let mut next = [0; COLOURS];
        let mut end = self.packs.len();
        for (count, next) in counts.iter().zip(&mut next).filter(|(count, _)| **count > 0) {
            *next = end * WIDTH;
            self.colours.push(end..end + usize::div_ceil(*count, WIDTH));
            end += usize::div_ceil(*count, WIDTH);
        }
        self.packs.resize(end, Pack::VACANT);
        let Self { packs, coloured, place, .. } = self;
        for &(number, colour) in &*coloured {
            let slot = next[colour];
            next[colour] += 1;
            let place = |point: u32| place[point as usize].saturating_sub(1);
            packs[slot / WIDTH].set(slot % WIDTH, number, &contacts[number as usize], points, place);
        }
    }

    /// The first colour that is free at all points of a contact that can move, which is taken there.
    fn choose_colour(&mut self, contact: &Contact, points: &Points) -> Option<usize> {
        let places = contact.points.map(|point| {
            let place = &mut self.place[point as usize];
            if *place == 0 {
                self.points.push(point);
                self.taken.push(0);
                *place = self.points.len() as u32;
            }
            (*place - 1) as usize
        });
        let moves = |&i: &usize| contact.weights[i] != 0.0 && points.end[contact.points[i] as usize].w > 0.0;
        let taken = (0..4).filter(moves).fold(0, |taken, i| taken | self.taken[places[i]]);
        let colour = taken.trailing_ones() as usize;
        (colour < COLOURS).then(|| {
            (0..4).filter(moves).for_each(|i| self.taken[places[i]] |= 1 << colour);
            colour
        })
    }

    /// Takes over where points are.
    pub fn load(&mut self, points: &Points, execution: Execution) {
        let Self { points: own, motions, .. } = self;
        motions.resize_with(own.len(), Motion::default);
        execution.for_each_chunk(motions, |first, motions| {
            for (motion, &point) in motions.iter().zip(&own[first..]) {
                let (start, end) = (points.start[point as usize], points.end[point as usize]);
                motion.set((end - start).truncate().extend(end.w));
            }
        });
    }

    /// Goes through all contacts once.
    pub fn solve(&mut self, execution: Execution) {
        let Self { packs, colours, motions, .. } = self;
        for colour in &*colours {
            let own = &mut packs[colour.clone()];
            execution.threads.for_each_piece(own, 1, SMALLEST_PIECE, |_, packs| {
                dispatch(execution.instructions, Solve { packs, motions });
            });
        }
    }

    /// Gives back where points end.
    pub fn store(&self, points: &mut Points) {
        for (&point, motion) in self.points.iter().zip(&self.motions) {
            let (start, end) = (points.start[point as usize], &mut points.end[point as usize]);
            let motion = motion.get();
            if motion != (*end - start).truncate().extend(end.w) {
                *end = (start + motion).truncate().extend(end.w);
                points.changed[point as usize] = true;
            }
        }
    }

    /// Tells contacts what they have pushed.
    pub fn tell(&self, contacts: &mut [Contact]) {
        for pack in &self.packs {
            for (lane, &contact) in pack.contacts.iter().enumerate().take_while(|(_, own)| **own != VACANT) {
                let contact = &mut contacts[contact as usize];
                let push = pack.pushes[lane];
                (contact.push, contact.drag) = (push.w.into(), push.truncate().as_dvec3());
            }
        }
    }
}

impl Pack {
    /// Demands nothing and moves nothing.
    const VACANT: Self = Self {
        contacts: [VACANT; WIDTH],
        points: [[0; WIDTH]; 4],
        moves: [0; 4],
        weights: [[0.0; WIDTH]; 4],
        normal: [[0.0; WIDTH]; 3],
        wanted: [-1.0; WIDTH],
        surface: [[0.0; WIDTH]; 3],
        friction: [[0.0; WIDTH]; 2],
        compliance: [1.0; WIDTH],
        pushes: [Vec4::ZERO; WIDTH],
    };

    fn set(
        &mut self,
        lane: usize,
        number: u32,
        contact: &Contact,
        points: &Points,
        place: impl Fn(u32) -> u32,
    ) {
        self.contacts[lane] = number;
        let mut weights = contact.weights;
        for i in 1..4 {
            // One point may stand for an edge.
            if let Some(first) = (0..i).find(|&j| contact.points[j] == contact.points[i]) {
                weights[first] += std::mem::take(&mut weights[i]);
            }
        }
        for (i, &point) in contact.points.iter().enumerate() {
            let moves = weights[i] != 0.0 && points.end[point as usize].w > 0.0;
            self.points[i][lane] = place(point);
            self.moves[i] |= u8::from(moves) << lane;
            self.weights[i][lane] = weights[i] as f32;
        }
        let start = contact.vector(&points.start);
        let write = |to: &mut [[f32; WIDTH]; 3], from: DVec3| {
            to.iter_mut().zip(from.to_array()).for_each(|(to, from)| to[lane] = from as f32);
        };
        write(&mut self.normal, contact.normal);
        write(&mut self.surface, contact.still - start);
        self.wanted[lane] = (contact.distance - contact.normal.dot(start)) as f32;
        self.friction.iter_mut().zip(contact.friction).for_each(|(to, from)| to[lane] = from as f32);
        self.compliance[lane] = contact.compliance as f32;
        self.pushes[lane] = contact.drag.as_vec3().extend(contact.push as f32);
    }
}

/// The motion of a point, and its inverse mass: four floats that all threads may read and write, as two halves. No two of
/// them write the same one between two colours, so it does not matter in which order they do.
#[derive(Debug, Default)]
struct Motion([AtomicU64; 2]);

impl Motion {
    #[inline(always)]
    fn get(&self) -> Vec4 {
        let halves: [u64; 2] = [self.0[0].load(Ordering::Relaxed), self.0[1].load(Ordering::Relaxed)];
        bytemuck::cast(halves)
    }

    #[inline(always)]
    fn set(&self, motion: Vec4) {
        let [low, high] = halves(motion);
        self.0[0].store(low, Ordering::Relaxed);
        self.0[1].store(high, Ordering::Relaxed);
    }
}

#[inline(always)]
fn halves(motion: Vec4) -> [u64; 2] {
    bytemuck::cast(motion)
}

/// Solves packs of one colour.
struct Solve<'a> {
    packs: &'a mut [Pack],
    motions: &'a [Motion],
}

impl Kernel for Solve<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for pack in self.packs {
            solve::<L>(pack, self.motions);
        }
    }
}

/// As [`Contact::solve`], of contacts without rigid bodies.
#[inline(always)]
fn solve<L: Lanes>(pack: &mut Pack, motions: &[Motion]) {
    let zero = L::splat(0.0);
    let (a, b) = (load_motions(&pack.points[0], motions), load_motions(&pack.points[1], motions));
    let (c, d) = (load_motions(&pack.points[2], motions), load_motions(&pack.points[3], motions));
    let weights = [
        L::load(&pack.weights[0]),
        L::load(&pack.weights[1]),
        L::load(&pack.weights[2]),
        L::load(&pack.weights[3]),
    ];
    let motion: V3<L> = V3::without_w(a) * weights[0]
        + V3::without_w(b) * weights[1]
        + V3::without_w(c) * weights[2]
        + V3::without_w(d) * weights[3];
    let normal: V3<L> = load(&pack.normal);
    let compliance = L::load(&pack.compliance);
    let before = L::load_points(pack.pushes);
    let (drag_before, push_before) = (V3::without_w(before), before[3]);
    let missing = L::load(&pack.wanted) - normal.dot(motion);
    let push = (push_before + missing / compliance).max(zero);
    if !zero.any_lt(push + push_before) {
        return;
    }
    let slip = motion - load(&pack.surface);
    let along = slip - normal * normal.dot(slip);
    let wanted = drag_before - along * (L::splat(1.0) / compliance);
    let size = wanted.dot(wanted).sqrt();
    let sliding = L::load(&pack.friction[0]) * push / size;
    let drag = (wanted * sliding).if_lt(L::load(&pack.friction[1]) * push, size, wanted);
    let change = normal * (push - push_before) + (drag - drag_before);
    let moved = change.dot(change) * compliance * compliance;
    let least = L::splat((SMALLEST_CHANGE * SMALLEST_CHANGE) as f32);
    if !least.any_lt(moved) {
        return;
    }
    let push = least.select_lt(moved, push, push_before);
    pack.pushes = L::to_points(drag.if_lt(least, moved, drag_before).with_w(push));
    let change = change.if_lt(least, moved, V3::new(zero, zero, zero));
    shift(a, change, weights[0], &pack.points[0], pack.moves[0], motions);
    shift(b, change, weights[1], &pack.points[1], pack.moves[1], motions);
    shift(c, change, weights[2], &pack.points[2], pack.moves[2], motions);
    shift(d, change, weights[3], &pack.points[3], pack.moves[3], motions);
}

#[inline(always)]
fn load<L: Lanes>(values: &[[f32; WIDTH]; 3]) -> V3<L> {
    V3::new(L::load(&values[0]), L::load(&values[1]), L::load(&values[2]))
}

#[inline(always)]
fn load_motions<L: Lanes>(points: &[u32; WIDTH], motions: &[Motion]) -> [L; 4] {
    let mut motion = [Vec4::ZERO; WIDTH];
    for (motion, &point) in motion.iter_mut().zip(points) {
        *motion = motions[point as usize].get();
    }
    L::load_points(motion)
}

/// Moves points by their shares of a push.
#[inline(always)]
fn shift<L: Lanes>(
    motion: [L; 4],
    push: V3<L>,
    weight: L,
    points: &[u32; WIDTH],
    moves: u8,
    motions: &[Motion],
) {
    let moved = V3::without_w(motion) + push * (weight * motion[3]);
    let moved = L::to_points(moved.with_w(motion[3]));
    for lane in 0..WIDTH {
        if moves >> lane & 1 == 1 {
            motions[points[lane] as usize].set(moved[lane]);
        }
    }
}
