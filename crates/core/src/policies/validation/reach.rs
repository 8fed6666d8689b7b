// SPDX-License-Identifier: Apache-2.0
//! Whether a GardenPolicy can match any request that garden-gate judges.

use std::collections::{BTreeMap, BTreeSet};

use super::checks::{alternatives, short};
use super::contradiction::contradiction;
use super::problem::Problem;
use crate::admission::{FieldPath, Operation, Subresource};
use garden_gate_model::api::{AdmissionPolicySpec, Kind, MatchResources, ResourceRule, described};
use garden_gate_text::nearest::did_you_mean;

/// The label of each Namespace with its name, which API servers set.
const NAMESPACE_NAME: &str = "kubernetes.io/metadata.name";

/// A request that garden-gate judges.
#[derive(Clone, Copy)]
struct JudgedRequest {
    kind: Kind,
    operation: Operation,
    subresource: Subresource,
}

impl JudgedRequest {
    /// Returns all requests about objects of the garden.
    fn all() -> impl Iterator<Item = Self> {
        let kinds = Kind::judged().filter(|it| !it.is_outside_garden());
        let operations = [Operation::Create, Operation::Update, Operation::Delete];
        let requests = kinds.flat_map(move |kind| operations.map(|operation| (kind, operation)));
        requests.flat_map(|(kind, operation)| {
            let subresources = Subresource::ALL.into_iter();
            subresources
                .map(move |subresource| Self { kind, operation, subresource })
                .filter(|it| it.is_sent())
        })
    }

    fn is_sent(self) -> bool {
        match self.subresource {
            Subresource::Itself => true,
            Subresource::Binding => self.kind == Kind::Shoot && self.operation != Operation::Delete,
            Subresource::Status => {
                let described = described(self.kind.as_str());
                let has_status = described.is_some_and(|it| it.object.field("status").is_some());
                has_status && self.operation != Operation::Delete
            }
        }
    }

    fn resource(self) -> String {
        match self.subresource {
            Subresource::Itself => self.kind.resource().to_owned(),
            sub => format!("{}/{}", self.kind.resource(), sub.as_str()),
        }
    }

    fn scope(self) -> &'static str {
        if self.kind.is_namespaced() { "Namespaced" } else { "Cluster" }
    }

    fn is_of_resource(self, pattern: &str) -> bool {
        let (name, sub) = pattern.split_once('/').unwrap_or((pattern, ""));
        let is = |pattern: &str, value: &str| pattern == "*" || pattern == value;
        is(name, self.kind.resource()) && is(sub, self.subresource.as_str())
    }

    /// Reports whether a rule matches requests like this one, at least for some names.
    fn is_matched(self, rule: &ResourceRule) -> bool {
        let (group, version) = self.kind.api();
        let resource = (group, version, self.kind.resource(), self.subresource.as_str());
        rule.rule.matches(resource, self.operation.as_str())
            && rule.rule.is_in_scope(self.kind.is_namespaced())
    }
}

/// Returns the reasons why rules or selectors of a valid policy never match.
pub(super) fn problems(spec: &AdmissionPolicySpec) -> Vec<Problem> {
    let Some(constraints) = &spec.match_constraints else {
        return Vec::new();
    };
    let path = FieldPath::new("spec.matchConstraints");
    let rules = constraints.resource_rules.iter().enumerate();
    let mut problems: Vec<Problem> = rules
        .flat_map(|(index, rule)| of_rule(rule, &path.child("resourceRules").index(index)))
        .collect();
    if problems.is_empty() && !has_requests(constraints) {
        problems.push(Problem::new(
            &path.child("excludeResourceRules"),
            "excludes all requests that `resourceRules` match, so that the policy never applies",
            "remove a rule",
        ));
    }
    let selectors = [
        ("namespaceSelector", &constraints.namespace_selector, Some(NAMESPACE_NAME)),
        ("objectSelector", &constraints.object_selector, None),
    ];
    for (name, selector, existing) in selectors {
        let key = selector.as_ref().and_then(|it| contradiction(it, existing));
        problems.extend(key.map(|key| {
            let message = format!(
                "contradicts itself about the label `{}`, so that the policy never applies",
                short(key)
            );
            Problem::new(&path.child(name), message, "remove one of its requirements")
        }));
    }
    problems
}

/// Reports whether requests match that are not all excluded.
fn has_requests(constraints: &MatchResources) -> bool {
    let (rules, excluded) = (&constraints.resource_rules, &constraints.exclude_resource_rules);
    JudgedRequest::all().any(|request| {
        let is_excluded =
            |it: &ResourceRule| it.resource_names.is_empty() && request.is_matched(it);
        rules.iter().any(|it| request.is_matched(it)) && !excluded.iter().any(is_excluded)
    })
}

/// A field of a rule: its values, whether a value matches a request, and that of the request.
struct RuleField<'a> {
    name: &'static str,
    values: Values<'a>,
    matches: fn(&Values<'_>, &JudgedRequest) -> bool,
    value: fn(&JudgedRequest) -> String,
}

/// The values of a field of a rule; none of an absent field.
struct Values<'a> {
    first: Vec<&'a str>,
    all: BTreeSet<&'a str>,
}

impl<'a> Values<'a> {
    /// Maximum number of values in a message.
    const LISTED: usize = 30;

    fn of(values: impl IntoIterator<Item = &'a String>) -> Self {
        let values: Vec<&str> = values.into_iter().map(String::as_str).collect();
        Self {
            all: values.iter().copied().collect(),
            first: values.into_iter().take(Self::LISTED).collect(),
        }
    }

    fn include(&self, value: &str) -> bool {
        self.all.contains("*") || self.all.contains(value)
    }
}

/// Returns the fields because of which a resource of a rule never matches.
fn of_rule(rule: &ResourceRule, path: &FieldPath) -> Vec<Problem> {
    let fields = common_fields(rule);
    let mut problems: BTreeMap<String, Problem> = BTreeMap::new();
    for (index, resource) in rule.rule.resources.iter().enumerate() {
        let problem = of_resource(&fields, (index, resource), path);
        problems.extend(problem.map(|it| (it.path.to_string(), it)));
    }
    problems.into_values().collect()
}

/// Returns the fields that all resources of a rule have in common.
fn common_fields(rule: &ResourceRule) -> [RuleField<'_>; 4] {
    [
        RuleField {
            name: "apiGroups",
            values: Values::of(&rule.rule.api_groups),
            matches: |values, it| values.include(it.kind.api().0),
            value: |it| it.kind.api().0.to_owned(),
        },
        RuleField {
            name: "apiVersions",
            values: Values::of(&rule.rule.api_versions),
            matches: |values, it| values.include(it.kind.api().1),
            value: |it| it.kind.api().1.to_owned(),
        },
        RuleField {
            name: "operations",
            values: Values::of(&rule.rule.operations),
            matches: |values, it| values.include(it.operation.as_str()),
            value: |it| it.operation.as_str().to_owned(),
        },
        RuleField {
            name: "scope",
            values: Values::of(&rule.rule.scope),
            matches: |values, it| values.all.is_empty() || values.include(it.scope()),
            value: |it| it.scope().to_owned(),
        },
    ]
}

fn of_resource(
    common: &[RuleField<'_>],
    (index, resource): (usize, &String),
    path: &FieldPath,
) -> Option<Problem> {
    let of_resource = RuleField {
        name: "resources",
        values: Values::of([resource]),
        matches: |values, it| values.all.iter().any(|value| it.is_of_resource(value)),
        value: |it| it.resource(),
    };
    let mut requests: Vec<JudgedRequest> = JudgedRequest::all().collect();
    for field in [&of_resource].into_iter().chain(common) {
        let allowed: BTreeSet<String> = requests.iter().map(field.value).collect();
        requests.retain(|it| (field.matches)(&field.values, it));
        if requests.is_empty() {
            let path = match field.name {
                "resources" => path.child("resources").index(index),
                name => path.child(name),
            };
            return Some(never(&path, resource, (&field.values.first, &allowed)));
        }
    }
    None
}

fn never(
    path: &FieldPath,
    resource: &str,
    (values, allowed): (&[&str], &BTreeSet<String>),
) -> Problem {
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    let meant = match values[..] {
        [value] => did_you_mean(value, &allowed),
        _ => None,
    };
    let message = match values[..] {
        [value] if value == resource => format!(
            "is `{}`, which is not a resource that garden-gate judges, so that the rule never applies",
            short(value)
        ),
        _ => format!(
            "is {}, so that the rule never applies to `{}`",
            short(&alternatives(values)),
            short(resource)
        ),
    };
    let help = meant.unwrap_or_else(|| format!("use {}", alternatives(&allowed)));
    Problem::new(path, message, help)
}
