//! The contacts of a step together.

use super::carrier::Carrier;
use super::contact::Contact;
use super::packs::Packs;
use super::tie::Tie;
use crate::collision::points::Points;
use crate::execution::Execution;

/// All contacts, in the order of the pairs, and what they rest on.
pub(crate) struct Contacts {
    pub all: Vec<Contact>,
    /// What is held together; each becomes a contact.
    pub ties: Vec<Tie>,
    /// What carries rigid bodies in each cloth to its pins.
    pub carriers: Vec<Option<Carrier>>,
    /// How often they are gone through at a time.
    pub passes: u32,
    packs: Packs,
}

impl Contacts {
    /// None yet.
    pub fn new(carriers: Vec<Option<Carrier>>, passes: u32) -> Self {
        Self { all: Vec::new(), ties: Vec::new(), carriers, passes, packs: Packs::default() }
    }

    /// Appends contacts of what is held together.
    pub fn tie(&mut self, points: &Points) {
        let Self { all, ties, .. } = self;
        all.extend(ties.iter().filter_map(|tie| tie.contact(points)));
    }

    /// Begins anew: the list, which is empty then.
    pub fn renew(&mut self) -> &mut Vec<Contact> {
        self.packs.clear();
        self.all.clear();
        &mut self.all
    }

    /// Corrects the ends of the step. What contacts have pushed is [told](Self::tell) to them if there are any with rigid
    /// bodies: these want to know it of all.
    pub fn solve(&mut self, points: &mut Points, execution: Execution) {
        let Self { all, packs, passes, .. } = self;
        packs.pack_more(all, points);
        if packs.single.is_empty() {
            packs.load(points, execution);
            (0..*passes).for_each(|_| packs.solve(execution));
            return packs.store(points);
        }
        for _ in 0..*passes {
            packs.load(points, execution);
            packs.solve(execution);
            packs.store(points);
            packs.single.iter().for_each(|&contact| all[contact as usize].solve(points));
        }
        points.write_rigid();
        self.tell();
    }

    /// Tells contacts what they have pushed.
    pub fn tell(&mut self) {
        self.packs.tell(&mut self.all);
    }

    /// How many have pushed.
    pub fn active(&self) -> usize {
        self.all.iter().filter_map(Contact::apart).count()
    }

    /// Books what was moved only to make up for gaps.
    pub fn book_recovery(&self, points: &mut Points) {
        self.all.iter().for_each(|contact| contact.book_recovery(points));
    }
}
