// SPDX-License-Identifier: Apache-2.0
//! The objects that a validating rule evaluates.

/// A new and a stored object.
#[derive(Clone, Copy, Debug)]
pub struct Objects<New, Old> {
    /// The new object.
    pub new: New,
    /// The stored object.
    pub old: Old,
}

/// The objects of any request: the new one is absent on DELETE, and the stored one on CREATE.
pub type Change<'a, T> = Objects<Option<&'a T>, Option<&'a T>>;

/// The objects of a CREATE or UPDATE: the stored one is absent on CREATE.
pub type Write<'a, T> = Objects<&'a T, Option<&'a T>>;

/// The objects of an UPDATE.
pub type Update<'a, T> = Objects<&'a T, &'a T>;

/// The objects that a rule needs.
pub(crate) trait FromChange<'a, T>: Sized {
    /// Returns the objects of a request, or `None` if one that the rule needs is absent.
    fn from_change(change: Change<'a, T>) -> Option<Self>;
}

impl<'a, T> FromChange<'a, T> for Change<'a, T> {
    fn from_change(change: Change<'a, T>) -> Option<Self> {
        Some(change)
    }
}

impl<'a, T> FromChange<'a, T> for Write<'a, T> {
    fn from_change(Change { new, old }: Change<'a, T>) -> Option<Self> {
        Some(Self { new: new?, old })
    }
}

impl<'a, T> FromChange<'a, T> for Update<'a, T> {
    fn from_change(Change { new, old }: Change<'a, T>) -> Option<Self> {
        Some(Self { new: new?, old: old? })
    }
}

impl<'a, T> From<Update<'a, T>> for Write<'a, T> {
    fn from(Update { new, old }: Update<'a, T>) -> Self {
        let old = Some(old);
        Self { new, old }
    }
}
