use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::config::{Config, Level, Levels};

/// An offence that a rule can report.
#[derive(Debug)]
pub struct FindingKind {
    /// The stable id.
    pub id: &'static str,
    /// What it says, in one line.
    pub summary: &'static str,
}

/// When in the life of a request Gardener decides something; phases are in that order.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// While the text becomes an object: refused with 400.
    Decoding,
    /// While the object is changed: refused with 403.
    Mutating,
    /// By validation of the object alone: refused with 422.
    Static,
    /// By admission plugins, which look at other objects too: refused with 403.
    Admission,
}

impl Phase {
    /// The HTTP status code of a refusal.
    #[must_use]
    pub fn code(self) -> u16 {
        match self {
            Phase::Decoding => 400,
            Phase::Static => 422,
            Phase::Mutating | Phase::Admission => 403,
        }
    }
}

/// What the findings of a rule have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleHeader {
    pub(super) id: &'static str,
    pub(super) phase: Phase,
    pub(super) levels: Levels,
    pub(super) findings: &'static [&'static FindingKind],
}

impl RuleHeader {
    /// The highest level of what the rule can report.
    pub(super) fn level(&self, config: &Config) -> Level {
        let findings = self.findings.iter();
        let levels = findings.map(|finding| config.level(self.id, finding.id, self.levels));
        let highest = levels.max();
        highest.unwrap_or_else(|| config.level(self.id, self.id, self.levels))
    }
}

/// What is wrong with a field, in Kubernetes' terms.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
pub enum ErrorType {
    /// A value that must be there is missing.
    Required,
    /// The value is malformed or contradicts something.
    Invalid,
    /// The value is not one of those allowed.
    NotSupported,
    /// The value stands twice where it may stand once.
    Duplicate,
    /// The value is well-formed but not permitted here.
    Forbidden,
    /// What the value refers to does not exist.
    NotFound,
    /// The value has the wrong JSON type.
    TypeInvalid,
    /// The value has more bytes than it may have.
    TooLong,
}

impl ErrorType {
    /// The `reason` of a status cause, as `k8s.io/apimachinery` names it.
    #[must_use]
    pub fn cause_reason(self) -> &'static str {
        match self {
            ErrorType::Required => "FieldValueRequired",
            ErrorType::Invalid => "FieldValueInvalid",
            ErrorType::NotSupported => "FieldValueNotSupported",
            ErrorType::Duplicate => "FieldValueDuplicate",
            ErrorType::Forbidden => "FieldValueForbidden",
            ErrorType::NotFound => "FieldValueNotFound",
            ErrorType::TypeInvalid => "FieldValueTypeInvalid",
            ErrorType::TooLong => "FieldValueTooLong",
        }
    }
}

/// Who decides what a finding reports.
#[derive(Clone, Copy, Debug, Default, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Gardener decides the same.
    #[default]
    Gardener,
    /// Only garden-gate: Gardener accepts the request, and does not warn.
    GardenGate,
}

impl Origin {
    /// The origin of a finding of this level, by rules with these levels.
    pub(super) fn of(level: Level, levels: Levels) -> Self {
        match level > levels.gardener {
            true => Self::GardenGate,
            false => Self::Gardener,
        }
    }
}

/// Something that a rule has against a request.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// The id of the offence.
    pub finding: &'static str,
    /// What it means for the request.
    pub level: Level,
    /// Whether it would refuse the request if the configuration did not lower the level of the profile.
    #[serde(rename = "wouldDeny", skip_serializing_if = "std::ops::Not::not")]
    pub would_deny: bool,
    /// Who decides it.
    pub origin: Origin,
    /// What is wrong, in Kubernetes' terms.
    #[serde(rename = "type")]
    pub error: ErrorType,
    /// The field, as Gardener reports it.
    pub field: String,
    /// The field's place in the object, as a JSON pointer.
    pub pointer: String,
    /// The offending value; `null` where there is none.
    pub value: Value,
    /// One sentence: what is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// When in the life of a request Gardener would report it; decides the status code.
    #[serde(skip)]
    pub phase: Phase,
}

impl Finding {
    /// What it means for the request, in a word of log, metrics and audit log: its level, or `would_deny`.
    #[must_use]
    pub fn weight(&self) -> &'static str {
        match self.would_deny {
            true => "would_deny",
            false => self.level.as_str(),
        }
    }

    /// Who refuses the request, or would if the configuration did not lower the level, if that is not Gardener.
    #[must_use]
    pub fn own_refusal(&self) -> Option<&'static str> {
        let is_refusal = self.level == Level::Deny || self.would_deny;
        let is_own = self.origin == Origin::GardenGate && is_refusal;
        is_own.then_some("refused by garden-gate, Gardener accepts it")
    }
}

/// A question that a rule could not answer, so that the request can be neither allowed nor judged wrong, if the rule would refuse it.
#[derive(Clone, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Undetermined {
    /// The rule that could not judge.
    pub rule: &'static str,
    /// The field it looked at.
    pub field: String,
    /// What is missing, and how to provide it.
    pub message: String,
    /// What it means for the request: the highest level of what the rule could have found.
    pub level: Level,
    /// Whether it would refuse the request if the configuration did not lower the level of the profile.
    #[serde(rename = "wouldDeny", skip_serializing_if = "std::ops::Not::not")]
    pub would_deny: bool,
}

impl Undetermined {
    /// What keeps a request from being allowed, of a rule whose level is not known to be lower.
    #[must_use]
    pub fn new(rule: &'static str, field: String, message: String) -> Self {
        Self {
            rule,
            field,
            message,
            level: Level::Deny,
            would_deny: false,
        }
    }

    /// Sets the level to that of the rule.
    pub(super) fn set_level(&mut self, rule: RuleHeader, config: &Config) {
        self.level = rule.level(config);
        self.would_deny = config.is_lowered(self.level, rule.levels);
    }
}
