//! Whether a GardenPolicy can match any request that garden-gate judges.

use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use super::checks::{alternatives, short};
use super::contradiction::contradiction;
use super::problem::Problem;
use crate::admission::{FieldPath, Operation, Subresource};
use crate::api::{AdmissionPolicySpec, Kind, MatchResources, ResourceRule, described};
use crate::config::did_you_mean;

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
        let kinds = Kind::judged().filter(|it| !it.is_of_shoot_cluster());
        let operations = [Operation::Create, Operation::Update, Operation::Delete];
        let requests = kinds.flat_map(move |kind| operations.map(|operation| (kind, operation)));
        requests.flat_map(|(kind, operation)| {
            let subresources = Subresource::ALL.into_iter();
            subresources
                .map(move |subresource| Self {
                    kind,
                    operation,
                    subresource,
                })
                .filter(Self::is_sent)
        })
    }

    fn is_sent(&self) -> bool {
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

    fn resource(&self) -> String {
        match self.subresource {
            Subresource::Itself => self.kind.resource().to_owned(),
            sub => format!("{}/{}", self.kind.resource(), sub.as_str()),
        }
    }

    fn scope(&self) -> &'static str {
        match self.kind.is_namespaced() {
            true => "Namespaced",
            false => "Cluster",
        }
    }

    fn is_of_resource(&self, pattern: &str) -> bool {
        let (name, sub) = pattern.split_once('/').unwrap_or((pattern, ""));
        let is = |pattern: &str, value: &str| pattern == "*" || pattern == value;
        is(name, self.kind.resource()) && is(sub, self.subresource.as_str())
    }

    /// Reports whether a rule matches requests like this one, at least for some names.
    fn is_matched(&self, rule: &ResourceRule) -> bool {
        let (group, version) = self.kind.api();
        let resource = (
            group,
            version,
            self.kind.resource(),
            self.subresource.as_str(),
        );
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
        (
            "namespaceSelector",
            &constraints.namespace_selector,
            Some(NAMESPACE_NAME),
        ),
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
    let (rules, excluded) = (
        &constraints.resource_rules,
        &constraints.exclude_resource_rules,
    );
    JudgedRequest::all().any(|request| {
        let is_excluded =
            |it: &ResourceRule| it.resource_names.is_empty() && request.is_matched(it);
        rules.iter().any(|it| request.is_matched(it)) && !excluded.iter().any(is_excluded)
    })
}

/// A field of a rule: whether it matches a request, its values, and that of the request.
type RuleField<'a> = (
    &'static str,
    &'a [String],
    fn(&[String], &JudgedRequest) -> bool,
    fn(&JudgedRequest) -> String,
);

/// Returns the fields because of which a resource of a rule never matches.
fn of_rule(rule: &ResourceRule, path: &FieldPath) -> Vec<Problem> {
    let mut problems: BTreeMap<String, Problem> = BTreeMap::new();
    for (index, resource) in rule.rule.resources.iter().enumerate() {
        let problem = of_resource(rule, (index, resource), path);
        problems.extend(problem.map(|it| (it.path.to_string(), it)));
    }
    problems.into_values().collect()
}

fn of_resource(
    rule: &ResourceRule,
    (index, resource): (usize, &String),
    path: &FieldPath,
) -> Option<Problem> {
    let scope: Vec<String> = rule.rule.scope.iter().cloned().collect();
    let fields: [RuleField<'_>; 5] = [
        (
            "resources",
            slice::from_ref(resource),
            |values, it| values.iter().any(|value| it.is_of_resource(value)),
            JudgedRequest::resource,
        ),
        (
            "apiGroups",
            &rule.rule.api_groups,
            |values, it| includes(values, it.kind.api().0),
            |it| it.kind.api().0.to_owned(),
        ),
        (
            "apiVersions",
            &rule.rule.api_versions,
            |values, it| includes(values, it.kind.api().1),
            |it| it.kind.api().1.to_owned(),
        ),
        (
            "operations",
            &rule.rule.operations,
            |values, it| includes(values, it.operation.as_str()),
            |it| it.operation.as_str().to_owned(),
        ),
        (
            "scope",
            &scope,
            |values, it| values.is_empty() || includes(values, it.scope()),
            |it| it.scope().to_owned(),
        ),
    ];
    let mut requests: Vec<JudgedRequest> = JudgedRequest::all().collect();
    for (name, values, matches, value) in fields {
        let allowed: BTreeSet<String> = requests.iter().map(value).collect();
        requests.retain(|it| matches(values, it));
        if requests.is_empty() {
            let path = match name {
                "resources" => path.child(name).index(index),
                name => path.child(name),
            };
            return Some(never(&path, resource, (values, &allowed)));
        }
    }
    None
}

fn includes(values: &[String], value: &str) -> bool {
    values.iter().any(|it| it == "*" || it == value)
}

fn never(
    path: &FieldPath,
    resource: &str,
    (values, allowed): (&[String], &BTreeSet<String>),
) -> Problem {
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
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
            short(&alternatives(&values)),
            short(resource)
        ),
    };
    let help = meant.unwrap_or_else(|| format!("use {}", alternatives(&allowed)));
    Problem::new(path, message, help)
}
