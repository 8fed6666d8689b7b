// SPDX-License-Identifier: Apache-2.0
use std::mem;

use json_patch::Patch;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Finding, Silenced, Undetermined};
use crate::config::Level;
use garden_gate_model::api::Kinds;
use garden_gate_model::gardener::extensions::Edit;

/// A verdict with its reasons.
#[derive(Debug, Default)]
pub struct Review {
    /// The findings with their levels, sorted by phase, field and id.
    pub findings: Vec<Finding>,
    /// The warnings that the object silenced, which are not in `findings`, sorted by id.
    pub silenced: Vec<Silenced>,
    /// The undetermined rules; those that deny come first.
    pub undetermined: Vec<Undetermined>,
    /// The rules that the configuration exempted the request from.
    pub exempted: Exempted,
    /// The changes of `/mutate`; empty if the request is denied.
    pub patch: Patch,
    /// The changes to an object whose request is not allowed, which `patch` omits.
    pub withheld: Patch,
    /// The changes of the mutating webhooks of registered extensions; none at the entry points of servers.
    pub extension_edits: Vec<Edit>,
    /// The kinds that were looked up.
    /// Changes to objects of other kinds do not affect the verdict.
    pub looked_up: Kinds,
}

/// The result of a review.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No finding denies the request.
    Allowed,
    /// At least one finding refuses it.
    Denied,
    /// No finding denies it, but a rule is undetermined.
    Undetermined,
}

impl Verdict {
    /// Returns the name in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Allowed => "allowed",
            Verdict::Denied => "denied",
            Verdict::Undetermined => "undetermined",
        }
    }
}

impl Review {
    /// Returns the review of a request that cannot be evaluated; `rule` is an id instead of a rule's.
    pub fn undetermined(rule: &'static str, message: impl Into<String>) -> Self {
        Self {
            undetermined: vec![Undetermined::new(rule, String::new(), message.into())],
            ..Self::default()
        }
    }

    /// Returns the changes of rules to the object, even if the request is denied.
    pub fn mutation(&self) -> &Patch {
        if self.patch.is_empty() { &self.withheld } else { &self.patch }
    }

    /// Removes the changes from the response.
    pub(crate) fn withhold(&mut self) {
        if !self.patch.is_empty() {
            self.withheld = mem::take(&mut self.patch);
        }
    }

    /// Returns denied if any finding denies, else undetermined if any rule that denies is, else allowed.
    pub fn verdict(&self) -> Verdict {
        let mut found = self.findings.iter();
        let mut unknown = self.undetermined.iter();
        if found.any(|finding| finding.level == Level::Deny) {
            Verdict::Denied
        } else if unknown.any(|it| it.level == Level::Deny) {
            Verdict::Undetermined
        } else {
            Verdict::Allowed
        }
    }

    /// Returns the outcome of the request for the operator.
    pub fn decision(&self) -> Decision {
        match self.verdict() {
            Verdict::Denied => Decision::Denied,
            Verdict::Undetermined => Decision::Undetermined,
            Verdict::Allowed if self.would_deny() => Decision::WouldDeny,
            Verdict::Allowed if self.exempted != Exempted::No => Decision::Exempt,
            Verdict::Allowed => Decision::Allowed,
        }
    }

    /// Reports whether the request is allowed only because the configuration lowers levels of the profile.
    pub fn would_deny(&self) -> bool {
        let silenced = self.silenced.iter().flat_map(|it| &it.findings);
        let mut found = self.findings.iter().chain(silenced);
        let mut unknown = self.undetermined.iter();
        self.verdict() == Verdict::Allowed
            && (found.any(|it| it.would_deny) || unknown.any(|it| it.would_deny))
    }
}

/// The outcome of a request: a [`Verdict`], and whether the configuration contributed to `allowed`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Decision {
    /// Allowed without restrictions.
    Allowed,
    /// Allowed; the configuration exempted the request from some rules.
    Exempt,
    /// Allowed; denied with the levels of the profile.
    WouldDeny,
    /// Denied because of a finding.
    Denied,
    /// Denied because a rule is undetermined.
    Undetermined,
}

impl Decision {
    /// Returns the name in the log, in metrics and in the audit log.
    pub fn as_str(self) -> &'static str {
        match self {
            Decision::Allowed => "allowed",
            Decision::Exempt => "exempt",
            Decision::WouldDeny => "would_deny",
            Decision::Denied => "denied",
            Decision::Undetermined => "undetermined",
        }
    }
}

/// The rules that the configuration exempts a request from.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Exempted {
    /// None.
    #[default]
    No,
    /// The rules with these ids.
    From(Vec<&'static str>),
    /// All rules.
    Wholly,
}

impl Exempted {
    /// Adds the exemption from a policy, or from everything.
    pub(crate) fn add(&mut self, policy: Option<&'static str>) {
        match (&mut *self, policy) {
            (Self::Wholly, _) => {}
            (_, None) => *self = Self::Wholly,
            (Self::No, Some(id)) => *self = Self::From(vec![id]),
            (Self::From(ids), Some(id)) => ids.push(id),
        }
    }

    /// Returns the ids of the rules, `*` for all.
    pub fn ids(&self) -> &[&'static str] {
        match self {
            Exempted::No => &[],
            Exempted::From(rules) => rules,
            Exempted::Wholly => &["*"],
        }
    }
}
