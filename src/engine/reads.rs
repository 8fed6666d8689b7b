use std::collections::BTreeSet;
use std::fmt;

use super::{EntryPoint, Kind, Operation, Rule};
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
    reading.any(|rule| rule.runs_at(EntryPoint::Validate) && rule.is_on(config))
}

/// The kinds of which one needs the objects to judge such requests at a door, about whatever subresource: what rules that are on look up.
#[must_use]
pub fn kinds_read(
    rules: &[&'static Rule],
    (door, config): (EntryPoint, &Config),
    requests: &BTreeSet<(Kind, Operation)>,
) -> BTreeSet<Kind> {
    let judges = |rule: &Rule| {
        let mut requests = requests.iter();
        requests.any(|(kind, operation)| {
            let scopes = rule.scopes.iter().filter(|scope| scope.kind == *kind);
            let mut operations = scopes.flat_map(|scope| scope.operations);
            operations.any(|it| it == operation)
        })
    };
    let rules = rules.iter().filter(|rule| judges(rule));
    let rules = rules.filter(|rule| rule.runs_at(door) && rule.is_on(config));
    let rules: Vec<_> = rules.collect();
    let kinds = Kind::ALL.iter().copied();
    let is_read = |kind: &Kind| {
        let mut rules = rules.iter();
        rules.any(|rule| rule.reads(Reading::Objects(*kind), config))
    };
    kinds.filter(is_read).collect()
}
