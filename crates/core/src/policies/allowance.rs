// SPDX-License-Identifier: Apache-2.0
//! Limits on the evaluation of policies, which Kubernetes does not have.

use std::cell::Cell;

use garden_gate_cel::{Activation, Deadline, ExceededLimit};

/// Maximum effort for one object, as a cost in Kubernetes: twice that of one policy.
const OBJECT: u64 = 20_000_000;
/// Maximum effort for all objects of a command together, which they share equally.
const RUN: u64 = 100_000_000;
/// The effort that an object has at least, however many there are.
const SHARE: u64 = 1_000_000;
/// Maximum effort of the search for the fields of findings about one object.
const SEARCH: u64 = 2_000_000;
/// Maximum effort of policies that are evaluated without another thread: about a millisecond.
const QUICK: u64 = 10_000;

/// The effort and the time that evaluations of policies for one object may still take.
///
/// Policies of operators do not compete with those of the garden, which a change may contain.
#[derive(Debug)]
pub struct Allowance {
    pub(super) garden: Account,
    pub(super) own: Account,
    is_quick: bool,
}

/// The effort and the time that some evaluations may still take.
#[derive(Debug)]
pub(super) struct Account {
    left: Cell<u64>,
    left_for_search: Cell<u64>,
    deadline: Deadline,
    exceeded: Cell<Option<ExceededLimit>>,
}

impl Allowance {
    /// Returns the limits for a request that must be answered by a deadline.
    pub fn of_request(deadline: &Deadline) -> Self {
        Self::of(OBJECT, SEARCH, deadline)
    }

    /// Returns the limits for one of several objects.
    ///
    /// They do not depend on the time or on the other objects, so that results can be repeated.
    pub fn of_object(objects: usize) -> Self {
        let objects = u64::try_from(objects).unwrap_or(u64::MAX).max(1);
        let share = (RUN / objects).clamp(SHARE, OBJECT);
        Self::of(share, SEARCH.min(share), &Deadline::default())
    }

    /// Returns the limits for evaluations that take about a millisecond at most.
    pub(super) fn quick() -> Self {
        Self { is_quick: true, ..Self::of(QUICK, 0, &Deadline::default()) }
    }

    fn of(effort: u64, search: u64, deadline: &Deadline) -> Self {
        let account = || Account {
            left: Cell::new(effort),
            left_for_search: Cell::new(search),
            deadline: deadline.clone(),
            exceeded: Cell::default(),
        };
        Self { garden: account(), own: account(), is_quick: false }
    }

    /// Reports whether evaluations must not take long.
    pub(super) fn is_quick(&self) -> bool {
        self.is_quick
    }
}

impl Account {
    /// Returns the exceeded limit, after which nothing is evaluated.
    pub(super) fn exceeded(&self) -> Option<ExceededLimit> {
        if self.exceeded.get().is_none() && self.deadline.is_over() {
            self.end();
        }
        self.exceeded.get()
    }

    /// Limits an activation to the remaining effort.
    pub(super) fn limit<'p>(&self, activation: Activation<'p>) -> Activation<'p> {
        activation.with_limits(self.left.get(), self.deadline.clone())
    }

    /// Limits the activation of a search for a field to the remaining effort of searches.
    pub(super) fn limit_search<'p>(&self, activation: Activation<'p>) -> Activation<'p> {
        activation.with_limits(self.left_for_search.get(), self.deadline.clone())
    }

    /// Subtracts an effort.
    pub(super) fn spend(&self, effort: u64) {
        match self.left.get().checked_sub(effort) {
            Some(left) => self.left.set(left),
            None => {
                self.left.set(0);
                self.exceeded.set(Some(ExceededLimit::Work));
            }
        }
    }

    /// Ends all evaluations, since their time is over.
    pub(super) fn end(&self) {
        self.exceeded.set(Some(ExceededLimit::Time));
    }

    /// Subtracts the effort of a search; returns `false` if the search must end.
    pub(super) fn search(&self, effort: u64) -> bool {
        let left = self.left_for_search.get().checked_sub(effort);
        self.left_for_search.set(left.unwrap_or_default());
        left.is_some()
    }
}
