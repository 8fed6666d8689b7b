// SPDX-License-Identifier: Apache-2.0
//! Results of checks.

use super::{ObjectName, UnreadObject};
use crate::admission::{FindingKind, Rule};

/// The results of all checks of a workload.
#[derive(Clone, Debug, Default)]
pub struct Readiness {
    /// The results of each check.
    pub checks: Vec<CheckReport>,
    /// The checks that the configuration disables.
    pub disabled: Vec<&'static Rule>,
    /// The checks of drains, for a change that drains no node.
    pub not_needed: Vec<&'static Rule>,
    /// The input that could not be read.
    pub unread: Vec<UnreadObject>,
}

/// The results of a check.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// The rule that declares the check.
    pub rule: &'static Rule,
    /// The number of objects without a problem.
    pub passed: usize,
    /// The problems, in the order of the objects.
    pub problems: Vec<Problem>,
    /// The objects and facts that could not be checked.
    pub unknown: Vec<UncheckedObject>,
}

/// The severity of a problem.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Severity {
    /// Someone must act before the change.
    Error,
    /// The change disrupts the workload, or may do so.
    Warning,
}

/// A problem of an object.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The severity.
    pub severity: Severity,
    /// The finding of the rule.
    pub finding: &'static FindingKind,
    /// The object.
    pub object: ObjectName,
    /// The problem as a phrase about the object.
    pub message: String,
    /// The remedy.
    pub fix: String,
}

/// An object or a fact that could not be checked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UncheckedObject {
    /// The object; `None` if the fact concerns several objects.
    pub object: Option<ObjectName>,
    /// The unknown fact.
    pub why: String,
}

impl Readiness {
    /// Returns the number of problems of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        let problems = self.checks.iter().flat_map(|it| &it.problems);
        problems.filter(|it| it.severity == severity).count()
    }

    /// Returns the number of unknown facts and unreadable documents.
    pub fn count_unknown(&self) -> usize {
        let unknown: usize = self.checks.iter().map(|it| it.unknown.len()).sum();
        unknown + self.unread.len()
    }

    /// Reports whether anything is unknown.
    pub fn is_undetermined(&self) -> bool {
        self.count_unknown() > 0
    }
}

impl CheckReport {
    /// Returns a report without results.
    pub(crate) fn new(rule: &'static Rule) -> Self {
        Self { rule, passed: 0, problems: Vec::new(), unknown: Vec::new() }
    }

    /// Counts an object without a problem.
    pub(crate) fn pass(&mut self) {
        self.passed += 1;
    }

    /// Adds a problem that someone must solve before the change.
    pub(crate) fn error(
        &mut self,
        finding: &'static FindingKind,
        object: &ObjectName,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.add(Severity::Error, finding, object, (message.into(), fix.into()));
    }

    /// Adds a problem that may disrupt the workload.
    pub(crate) fn warn(
        &mut self,
        finding: &'static FindingKind,
        object: &ObjectName,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.add(Severity::Warning, finding, object, (message.into(), fix.into()));
    }

    fn add(
        &mut self,
        severity: Severity,
        finding: &'static FindingKind,
        object: &ObjectName,
        (message, fix): (String, String),
    ) {
        let problem = Problem { severity, finding, object: object.clone(), message, fix };
        // Several parts of an object may have the same problem.
        let is_equal = |it: &Problem| (&it.object, &it.message) == (object, &problem.message);
        if !self.problems.last().is_some_and(is_equal) {
            self.problems.push(problem);
        }
    }

    /// Adds an unknown fact about an object.
    pub(crate) fn unknown(&mut self, object: &ObjectName, why: impl Into<String>) {
        self.unknown.push(UncheckedObject { object: Some(object.clone()), why: why.into() });
    }

    /// Adds an unknown fact about several objects.
    pub(crate) fn unknown_fact(&mut self, why: impl Into<String>) {
        self.unknown.push(UncheckedObject { object: None, why: why.into() });
    }
}
