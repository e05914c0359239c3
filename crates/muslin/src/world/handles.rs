//! Names of what a world holds, by which programs drive it.
//!
//! A handle is a number that its world has given once and never gives again: what was removed stays removed, and no handle
//! ever comes to mean something else.

use std::fmt;

use crate::Error;

macro_rules! handle {
    ($name:ident, $what:literal, $kind:ident) => {
        #[doc = concat!("A ", $what, " of a [`World`](crate::World).")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(super) u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($what, " {}"), self.0)
            }
        }

        impl From<$name> for Handle {
            fn from(id: $name) -> Self {
                Self::$kind(id)
            }
        }
    };
}

handle!(ClothId, "cloth", Cloth);
handle!(ColliderId, "collider", Collider);
handle!(BodyId, "rigid body", Body);
handle!(AttachmentId, "attachment", Attachment);

/// Anything that a world holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Handle {
    /// A cloth.
    Cloth(ClothId),
    /// A collider.
    Collider(ColliderId),
    /// A rigid body.
    Body(BodyId),
    /// An attachment.
    Attachment(AttachmentId),
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cloth(id) => id.fmt(f),
            Self::Collider(id) => id.fmt(f),
            Self::Body(id) => id.fmt(f),
            Self::Attachment(id) => id.fmt(f),
        }
    }
}

/// Gives handles out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Issue(u32);

impl Issue {
    /// A number that was never given.
    pub fn next(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }
}

/// The handles of all things of a kind, in the order in which they were added, which is that of their numbers.
#[derive(Clone, Debug)]
pub(super) struct Ids<T>(Vec<T>);

impl<T> Default for Ids<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy + Ord + Into<Handle>> Ids<T> {
    pub fn push(&mut self, id: T) {
        self.0.push(id);
    }

    /// Forgets a handle; at which place it was.
    pub fn remove(&mut self, id: T) -> Result<usize, Error> {
        let number = self.number(id)?;
        self.0.remove(number);
        Ok(number)
    }

    /// At which place something is.
    pub fn number(&self, id: T) -> Result<usize, Error> {
        self.0.binary_search(&id).map_err(|_| Error::NoSuch(id.into()))
    }

    /// What is at a place.
    pub fn at(&self, number: usize) -> T {
        self.0[number]
    }

    pub fn all(&self) -> &[T] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_removed_never_means_something_else() {
        let (mut issue, mut ids) = (Issue::default(), Ids::default());
        let [first, second] = [ClothId(issue.next()), ClothId(issue.next())];
        [first, second].into_iter().for_each(|id| ids.push(id));
        assert_eq!(ids.remove(first), Ok(0));
        assert_eq!((ids.number(second), ids.at(0)), (Ok(0), second));
        assert_eq!(ids.number(first), Err(Error::NoSuch(first.into())));
        let third = ClothId(issue.next());
        ids.push(third);
        assert!(third != first && ids.number(third) == Ok(1));
        let message = ids.remove(first).unwrap_err().to_string();
        assert_eq!(message, "cloth 1 is not in this world: it was removed, or belongs to another");
    }
}
