// SPDX-License-Identifier: Apache-2.0
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Fix, Operation};
pub use crate::config::POLICY_PREFIX;
use crate::config::{Config, Level, Levels};
use garden_gate_model::api::Kind;
use garden_gate_model::api::Versions;

/// A kind of violation that a rule can report.
#[derive(Debug)]
pub struct FindingKind {
    /// The stable id.
    pub id: &'static str,
    /// The violation in one line.
    pub summary: &'static str,
    /// The versions of Gardener that report it.
    pub versions: Versions,
}

/// The phase of a request in which Gardener makes a decision; variants are in order.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// While the request is decoded: refused with 400.
    Decoding,
    /// During mutation: refused with 403.
    Mutating,
    /// During validation of the object alone: refused with 422.
    Static,
    /// During admission plugins, which also read other objects: refused with 403.
    Admission,
}

impl Phase {
    /// Returns the HTTP status code of a refusal.
    pub fn code(self) -> u16 {
        match self {
            Phase::Decoding => 400,
            Phase::Static => 422,
            Phase::Mutating | Phase::Admission => 403,
        }
    }
}

/// The part of a [`Rule`](super::Rule) that determines its findings.
#[derive(Clone, Copy, Debug)]
pub struct RuleHeader {
    /// The id in configuration, metrics and documentation, as in `shoot/toleration-not-whitelisted`.
    pub id: &'static str,
    /// The phase in which Gardener makes the decision.
    pub phase: Phase,
    /// The level in each profile.
    pub levels: Levels,
    /// The findings that the rule can report; none if it only mutates objects.
    pub findings: &'static [&'static FindingKind],
    /// The requests that the rule evaluates.
    pub scopes: &'static [Scope],
}

/// The requests that a rule evaluates: one kind, some operations, some subresources.
#[derive(Debug)]
pub struct Scope {
    /// The kind of the object.
    pub kind: Kind,
    /// The operations.
    pub operations: &'static [Operation],
    /// The subresources that are written.
    pub subresources: &'static [Subresource],
}

/// A subresource of an object, or the object itself.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Subresource {
    /// The object itself.
    Itself,
    /// The Seed of a Shoot's control plane.
    Binding,
    /// The status, which controllers write.
    Status,
}

impl Subresource {
    /// All subresources.
    pub const ALL: [Self; 3] = [Self::Itself, Self::Binding, Self::Status];

    /// Returns the subresource with this name; `None` if no rule evaluates it.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "" => Some(Self::Itself),
            "binding" => Some(Self::Binding),
            "status" => Some(Self::Status),
            _ => None,
        }
    }

    /// Returns the name in requests and webhook rules; empty for the object itself.
    pub fn as_str(self) -> &'static str {
        match self {
            Subresource::Itself => "",
            Subresource::Binding => "binding",
            Subresource::Status => "status",
        }
    }
}

impl RuleHeader {
    /// Reports whether the rule can report a finding with this id.
    pub fn reports(&self, finding: &str) -> bool {
        self.findings.iter().any(|kind| kind.id == finding)
    }

    /// Returns the kinds in its scopes.
    pub fn kinds(&self) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = self.scopes.iter().map(|scope| scope.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Reports whether the rule evaluates such requests.
    pub fn applies_to(&self, kind: Kind, operation: Operation, subresource: Subresource) -> bool {
        self.scopes.iter().any(|scope| {
            scope.kind == kind
                && scope.operations.contains(&operation)
                && scope.subresources.contains(&subresource)
        })
    }

    /// Returns the highest level of the rule's possible findings.
    pub fn level(&self, config: &Config) -> Level {
        let findings = self.findings.iter();
        let levels = findings.map(|finding| config.level(self.id, finding.id, self.levels));
        let highest = levels.max();
        highest.unwrap_or_else(|| config.level(self.id, self.id, self.levels))
    }
}

/// The type of a field error, as in Kubernetes.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
pub enum ErrorType {
    /// A required value is missing.
    Required,
    /// The value is malformed or contradicts another one.
    Invalid,
    /// The value is not one of the supported values.
    NotSupported,
    /// The value is a duplicate.
    Duplicate,
    /// The value is well-formed but not permitted here.
    Forbidden,
    /// The value refers to a nonexistent object.
    NotFound,
    /// The value has the wrong JSON type.
    TypeInvalid,
    /// The value has more bytes than it may have.
    TooLong,
    /// The list has more items than it may have.
    TooMany,
    /// The component that judges the value fails.
    InternalError,
    /// The configuration of an extension cannot be decoded.
    Decode,
    /// A component refuses the object without naming a field.
    Denied,
    /// The component that judges the object panics.
    Panic,
}

impl ErrorType {
    /// Returns the `reason` of a status cause, as in `k8s.io/apimachinery`.
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
            ErrorType::TooMany => "FieldValueTooMany",
            ErrorType::InternalError | ErrorType::Decode | ErrorType::Denied | ErrorType::Panic => {
                "InternalError"
            }
        }
    }
}

/// The component that makes a decision.
#[derive(Clone, Copy, Debug, Default, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Gardener makes the same decision.
    #[default]
    Gardener,
    /// Only garden-gate decides so: Gardener accepts the request, and does not warn.
    GardenGate,
}

impl Origin {
    /// Returns the origin of a finding with this level, for a rule with these levels.
    pub(super) fn of(level: Level, levels: Levels) -> Self {
        if level > levels.gardener { Self::GardenGate } else { Self::Gardener }
    }
}

/// Worker pools whose machines a change replaces or removes.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AffectedMachines {
    /// Whether the machines are removed; otherwise they are replaced.
    pub are_removed: bool,
    /// The number of worker pools.
    pub pools: usize,
    /// The maximum number of their machines.
    pub at_most: u64,
}

/// A violation that a rule reports.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// The id of the finding.
    pub finding: &'static str,
    /// The effect on the request.
    pub level: Level,
    /// Whether it would deny the request if the configuration did not lower the level of the profile.
    #[serde(rename = "wouldDeny", skip_serializing_if = "std::ops::Not::not")]
    pub would_deny: bool,
    /// The component that makes the decision.
    pub origin: Origin,
    /// The type of the error, as in Kubernetes.
    #[serde(rename = "type")]
    pub error: ErrorType,
    /// The field, as Gardener reports it.
    pub field: String,
    /// The position of the field in the object, as a JSON pointer.
    pub pointer: String,
    /// The invalid value; `null` if there is none.
    pub value: Value,
    /// The violation in one sentence.
    pub message: String,
    /// The remedy; may be empty.
    pub help: String,
    /// The machines that the change replaces or removes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machines: Option<AffectedMachines>,
    /// Edits of the object that remove the cause; only collected for `review`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix>,
    /// The phase in which Gardener would report it; determines the status code.
    #[serde(skip)]
    pub phase: Phase,
}

impl Finding {
    /// Returns the effect on the request for logs, metrics and the audit log: the level, or `would_deny`.
    pub fn weight(&self) -> &'static str {
        if self.would_deny { "would_deny" } else { self.level.as_str() }
    }

    /// Returns a note if only garden-gate denies the request, or would without a lowered level.
    pub fn own_refusal(&self) -> Option<&'static str> {
        let is_refusal = self.level == Level::Deny || self.would_deny;
        let is_own = self.origin == Origin::GardenGate && is_refusal;
        is_own.then_some("beyond Gardener: it accepts this today")
    }
}

/// A question that a rule could not answer.
///
/// If the rule can deny, the request is neither allowed nor invalid.
#[derive(Clone, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Undetermined {
    /// The rule that could not decide.
    pub rule: &'static str,
    /// The field in question.
    pub field: String,
    /// The missing information, and how to provide it.
    pub message: String,
    /// The effect on the request: the highest level of the rule's possible findings.
    pub level: Level,
    /// Whether it would deny the request if the configuration did not lower the level of the profile.
    #[serde(rename = "wouldDeny", skip_serializing_if = "std::ops::Not::not")]
    pub would_deny: bool,
}

impl Undetermined {
    /// Creates an undetermined result with the level of a rule that denies.
    pub fn new(rule: &'static str, field: String, message: String) -> Self {
        Self { rule, field, message, level: Level::Deny, would_deny: false }
    }

    /// Sets the level to that of the rule.
    pub(super) fn set_level(&mut self, rule: RuleHeader, config: &Config) {
        self.level = rule.level(config);
        self.would_deny = config.is_lowered(self.level, rule.levels);
    }
}
