use std::fmt;

use super::Kind;
use crate::config::{Config, FeatureGates};

/// Something besides the request that a rule asks for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reading {
    /// Objects of a kind: one by its name, some, or all.
    Objects(Kind),
    /// Whether the requester has a verb, as RBAC has it.
    Verbs,
    /// Whether objects exist that the object of the request names, of which nothing else matters; only `review` finds out.
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

/// What a rule declares to ask for. It gets nothing else: tests fail where a rule asks for what it does not declare.
#[derive(Clone, Copy, Debug)]
pub struct Reads {
    /// What it asks for.
    pub what: Reading,
    /// The feature gate without which it does not.
    pub gate: Option<fn(&FeatureGates) -> bool>,
}

impl Reads {
    /// Whether `all` has this, as things are configured.
    pub(super) fn declare(all: &[Self], what: Reading, config: &Config) -> bool {
        let is_open = |gate: fn(&FeatureGates) -> bool| gate(&config.feature_gates);
        let mut declared = all.iter().filter(|it| it.what == what);
        declared.any(|it| it.gate.is_none_or(is_open))
    }
}
