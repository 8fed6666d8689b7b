// SPDX-License-Identifier: Apache-2.0
use std::fmt;

/// The results of a run.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) hash: u64,
    pub(super) trace: String,
    pub(super) allowed: u64,
    pub(super) denied: u64,
    pub(super) undetermined: u64,
    pub(super) not_ready: u64,
    /// Answers that are not compared, because too many are possible.
    pub(super) unchecked: u64,
    /// Replaced serving certificates.
    pub(super) rotations: u64,
    /// Events of a month, and runs of maintenance with changes.
    pub(super) events: u64,
    pub(super) maintained: u64,
}

/// A violation, with the last lines of the trace.
pub(super) struct Failure {
    /// The name of the test that repeats the run.
    pub(super) test: &'static str,
    pub(super) seed: u64,
    pub(super) violation: String,
    pub(super) trace: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { test, seed, violation, trace } = self;
        write!(
            f,
            "seed {seed}: {violation}\n\nthe last events:\n{trace}\n\nrepeat with: SIMULATION_SEED={seed} cargo test --lib simulation::{test} -- --nocapture"
        )
    }
}

impl fmt::Debug for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            allowed,
            denied,
            undetermined,
            not_ready,
            unchecked,
            rotations,
            events,
            maintained,
            ..
        } = self;
        write!(
            f,
            "{allowed} allowed, {denied} denied, {undetermined} undetermined, {not_ready} while not ready, {unchecked} not compared, {rotations} certificates, {events} events, {maintained} maintained"
        )
    }
}

impl Summary {
    /// Adds the counts of another run.
    pub(super) fn add(&mut self, other: &Self) {
        self.allowed += other.allowed;
        self.denied += other.denied;
        self.undetermined += other.undetermined;
        self.not_ready += other.not_ready;
        self.unchecked += other.unchecked;
        self.rotations += other.rotations;
    }
}
