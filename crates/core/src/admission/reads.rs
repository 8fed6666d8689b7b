// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use super::Kind;
use crate::config::{Config, FeatureGates};

/// A type of lookup that a rule performs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reading {
    /// Objects of a kind: one by name, some, or all.
    Objects(Kind),
    /// Permissions of the requesting user, as in RBAC.
    Verbs,
    /// The existence of objects that the request references; unknown to servers of a live garden.
    Names,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reading::Objects(kind) => kind.fmt(f),
            Reading::Verbs => f.write_str("verbs"),
            Reading::Names => f.write_str("names"),
        }
    }
}

/// A declared lookup of a rule.
/// In tests, undeclared lookups fail.
#[derive(Clone, Copy, Debug)]
pub struct Reads {
    /// The type of lookup.
    pub what: Reading,
    /// The feature gate that enables the lookup, if any.
    pub gate: Option<fn(&FeatureGates) -> bool>,
    /// Whether servers do without the result, since only `review` and `audit` have it.
    pub is_offline: bool,
}

impl Reads {
    /// Whether `all` has this, as things are configured.
    pub(super) fn declare(all: &[Self], what: Reading, config: &Config) -> bool {
        let is_open = |gate: fn(&FeatureGates) -> bool| gate(&config.feature_gates);
        let mut declared = all.iter().filter(|it| it.what == what);
        declared.any(|it| it.gate.is_none_or(is_open))
    }
}
