use json_patch::Patch;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Finding, Silenced, Undetermined};
use crate::config::Level;
use crate::model::Kinds;

/// A verdict with its reasons.
#[derive(Debug, Default)]
pub struct Review {
    /// What rules found, with levels applied; in the order phase, field, id.
    pub findings: Vec<Finding>,
    /// The warnings that the object silenced, which are not among the findings; in the order of their ids.
    pub silenced: Vec<Silenced>,
    /// What could not be judged; what refuses the request first.
    pub undetermined: Vec<Undetermined>,
    /// What the configuration exempted the request from.
    pub exempted: Exempted,
    /// What `/mutate` changes; empty when the request is refused.
    pub patch: Patch,
    /// The kinds whose objects were looked up: with others of any other kind in the garden, the verdict is the same.
    pub looked_up: Kinds,
}

/// The short form of a [`Review`].
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing speaks against the request.
    Allowed,
    /// At least one finding refuses it.
    Denied,
    /// Nothing refuses it, but something could not be judged.
    Undetermined,
}

impl Verdict {
    /// The word used in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Allowed => "allowed",
            Verdict::Denied => "denied",
            Verdict::Undetermined => "undetermined",
        }
    }
}

impl Review {
    /// That a request cannot be judged as a whole; `rule` stands for who says so.
    #[must_use]
    pub fn undetermined(rule: &'static str, message: impl Into<String>) -> Self {
        Self {
            undetermined: vec![Undetermined::new(rule, String::new(), message.into())],
            ..Self::default()
        }
    }

    /// Denied if any finding denies, else undetermined if anything is that a rule which denies wanted to know, else allowed.
    #[must_use]
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

    /// What became of the request, for who runs the gate.
    #[must_use]
    pub fn decision(&self) -> Decision {
        match self.verdict() {
            Verdict::Denied => Decision::Denied,
            Verdict::Undetermined => Decision::Undetermined,
            Verdict::Allowed if self.would_deny() => Decision::WouldDeny,
            Verdict::Allowed if self.exempted != Exempted::No => Decision::Exempt,
            Verdict::Allowed => Decision::Allowed,
        }
    }

    /// Whether the request is allowed only because the configuration lowers the levels of the profile.
    #[must_use]
    pub fn would_deny(&self) -> bool {
        let silenced = self.silenced.iter().flat_map(|it| &it.findings);
        let mut found = self.findings.iter().chain(silenced);
        let mut unknown = self.undetermined.iter();
        self.verdict() == Verdict::Allowed
            && (found.any(|it| it.would_deny) || unknown.any(|it| it.would_deny))
    }
}

/// What became of a request: a [`Verdict`], and whether the configuration had a part in an `allowed`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Decision {
    /// Nothing speaks against the request.
    Allowed,
    /// Allowed, by fewer rules than concern it.
    Exempt,
    /// Allowed, but refused by the levels of the profile.
    WouldDeny,
    /// Refused for what was found.
    Denied,
    /// Refused, since something could not be judged.
    Undetermined,
}

impl Decision {
    /// The word used in the log, in metrics and in the audit log.
    #[must_use]
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

/// What the configuration exempts a request from, of all that would judge it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Exempted {
    /// Nothing.
    #[default]
    No,
    /// The rules with these ids.
    From(Vec<&'static str>),
    /// Every rule.
    Wholly,
}

impl Exempted {
    /// The ids of the rules, `*` for all.
    #[must_use]
    pub fn ids(&self) -> &[&'static str] {
        match self {
            Exempted::No => &[],
            Exempted::From(rules) => rules,
            Exempted::Wholly => &["*"],
        }
    }
}
