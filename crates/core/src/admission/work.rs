// SPDX-License-Identifier: Apache-2.0
use std::cell::{Cell, RefCell};

use crate::garden::ObjectKey;

/// The limit on connection threads, in comparisons of list elements of request and garden.
///
/// A rule takes a few nanoseconds for each, and about ten rules search the same lists: about a millisecond.
const QUICK: usize = 100_000;

/// The estimated work of one request.
/// Lookups charge it before rules search their results.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// The remaining comparisons; `None` for no limit.
    left: Option<Cell<usize>>,
    /// The comparisons for each element of the garden.
    times: usize,
    is_exceeded: Cell<bool>,
    /// The large objects that have been charged.
    objects: RefCell<Vec<ObjectKey>>,
}

impl Work {
    /// Returns a limit of [`QUICK`] comparisons for a request with this number of list elements.
    pub(super) fn quick(elements: u64) -> Self {
        Self {
            left: Some(Cell::new(QUICK)),
            times: usize::try_from(elements).unwrap_or(usize::MAX).saturating_add(1),
            is_exceeded: Cell::new(false),
            objects: RefCell::default(),
        }
    }

    pub(super) fn is_unlimited(&self) -> bool {
        self.left.is_none()
    }

    /// Charges for elements of the garden; returns `false` above the limit.
    pub(super) fn charge(&self, elements: usize) -> bool {
        let Some(left) = &self.left else {
            return true;
        };
        match left.get().checked_sub(elements.saturating_mul(self.times)) {
            Some(rest) => left.set(rest),
            None => self.exceed(),
        }
        !self.is_exceeded()
    }

    /// Charges like [`Self::charge`], once for each object; small ones have no elements.
    pub(super) fn charge_once(&self, key: &ObjectKey, elements: usize) -> bool {
        if elements == 0 || self.is_unlimited() || self.objects.borrow().contains(key) {
            return !self.is_exceeded();
        }
        self.objects.borrow_mut().push(key.clone());
        self.charge(elements)
    }

    /// Marks the limit as exceeded.
    pub(super) fn exceed(&self) {
        self.is_exceeded.set(true);
    }

    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }
}
