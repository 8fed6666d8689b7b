use std::fmt;

use super::{Door, Kind, Rule};
use crate::config::{Config, FeatureGates};

/// Something besides the request that a rule asks for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reading {
    /// Objects of a kind: one by its name, some, or all.
    Objects(Kind),
    /// Whether the requester has a verb, as RBAC has it.
    Verbs,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reading::Objects(kind) => kind.fmt(f),
            Reading::Verbs => f.write_str("verbs"),
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

impl Rule {
    /// Whether the rule may ask for something, as things are configured.
    #[must_use]
    pub fn reads(&self, what: Reading, config: &Config) -> bool {
        let is_open = |gate: fn(&FeatureGates) -> bool| gate(&config.feature_gates);
        let mut declared = self.reads.iter().filter(|it| it.what == what);
        declared.any(|it| it.gate.is_none_or(is_open))
    }
}

/// Whether any of `rules` that are on and run in a server asks for something: then it has to be there before they can judge.
#[must_use]
pub fn is_read(what: Reading, rules: &[&'static Rule], config: &Config) -> bool {
    let mut reading = rules.iter().filter(|rule| rule.reads(what, config));
    reading.any(|rule| rule.runs_at(Door::Validate) && rule.is_on(config))
}
