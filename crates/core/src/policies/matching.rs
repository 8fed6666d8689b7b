// SPDX-License-Identifier: Apache-2.0
//! Whether the constraints of a policy or of a binding match a request.
//!
//! Mirrors `pkg/admission/plugin/policy/matching` and `pkg/admission/plugin/webhook/predicates` of `k8s.io/apiserver`.

use std::collections::BTreeMap;

use super::objects::AdmittedObjects;
use crate::admission::{Operation, Request};
use crate::garden::Snapshot;
use garden_gate_model::api::{Kind, LabelSelector, MatchResources, ResourceRule};
use garden_gate_text::go::Selector;

/// The label of each Namespace with its name, which API servers set.
const NAMESPACE_NAME: &str = "kubernetes.io/metadata.name";

/// The operations on objects that policies can match.
const WRITES: [Operation; 3] = [Operation::Create, Operation::Update, Operation::Delete];

/// The result of matching a request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Matching {
    Yes,
    No,
    /// It is not known, for this reason.
    Unknown(String),
    /// The constraints are invalid.
    Failed(String),
}

/// Matches the operation, the resource and the name of a request, without selectors.
pub(super) fn matches_rules(resources: &MatchResources, request: &Request<'_>) -> bool {
    resources.include(|rule| matches_rule(rule, request))
}

/// Matches a request.
pub(super) fn matches(
    resources: &MatchResources,
    request: &Request<'_>,
    (objects, garden): (&AdmittedObjects, &Snapshot),
) -> Matching {
    if !matches_rules(resources, request) {
        return Matching::No;
    }
    let namespace = in_namespace(resources.namespace_selector.as_ref(), request, garden);
    if namespace == Matching::No {
        return namespace;
    }
    match on_object(resources.object_selector.as_ref(), objects) {
        Matching::Yes => namespace,
        object if object == Matching::No || namespace == Matching::Yes => object,
        _ => namespace,
    }
}

/// Reports whether any operation on objects of a kind matches.
pub(super) fn concerns(resources: &MatchResources, kind: Kind) -> bool {
    operations(resources, kind).next().is_some()
}

/// Returns the operations on objects of a kind that match.
pub(super) fn operations(
    resources: &MatchResources,
    kind: Kind,
) -> impl Iterator<Item = Operation> {
    let (group, version) = kind.api();
    let resource = (group, version, kind.resource(), "");
    let is_matched = move |operation: &Operation| {
        resources.include(|it| it.rule.matches(resource, operation.as_str()))
    };
    WRITES.into_iter().filter(is_matched)
}

/// Reports whether the constraints select namespaces by more than the name.
pub(super) fn needs_namespace(resources: &MatchResources) -> bool {
    let selector = resources.namespace_selector.as_ref();
    selector.is_some_and(|it| !is_empty(it) && !is_about_name(it))
}

fn matches_rule(rule: &ResourceRule, request: &Request<'_>) -> bool {
    let resource = &request.resource;
    let resource = (
        resource.group.as_str(),
        resource.version.as_str(),
        resource.resource.as_str(),
        request.sub_resource.as_str(),
    );
    // No judged kind is a Namespace, whose scope is special.
    let is_in_scope = rule.rule.is_in_scope(!request.namespace.is_empty());
    let is_named = rule.resource_names.is_empty() || rule.resource_names.contains(&request.name);
    is_in_scope && is_named && rule.rule.matches(resource, request.operation.as_str())
}

/// Matches the labels of the namespace; cluster-scoped objects always match.
fn in_namespace(
    selector: Option<&LabelSelector>,
    request: &Request<'_>,
    garden: &Snapshot,
) -> Matching {
    let Some(selector) = selector.filter(|_| !request.namespace.is_empty()) else {
        return Matching::Yes;
    };
    let compiled = match compile(selector) {
        Ok(compiled) => compiled,
        Err(why) => return Matching::Failed(why),
    };
    if is_empty(selector) {
        return Matching::Yes;
    }
    let name = request.namespace.as_str();
    let known = garden.namespace(name).map(|it| &it.labels);
    let own = (NAMESPACE_NAME.to_owned(), name.to_owned());
    if known.is_none() && !is_about_name(selector) {
        return Matching::Unknown(super::objects::no_namespace(name, garden));
    }
    let mut labels = known.cloned().unwrap_or_default();
    labels.extend([own]);
    of(compiled.matches(&labels))
}

/// Matches the labels of the new or of the stored object.
fn on_object(selector: Option<&LabelSelector>, objects: &AdmittedObjects) -> Matching {
    let Some(selector) = selector else {
        return Matching::Yes;
    };
    let compiled = match compile(selector) {
        Ok(compiled) => compiled,
        Err(why) => return Matching::Failed(why),
    };
    if is_empty(selector) {
        return Matching::Yes;
    }
    let labels = objects.labels();
    let is_matched = |it: &BTreeMap<String, String>| compiled.matches(it);
    match labels.iter().find_map(|it| it.as_ref().err()) {
        _ if labels.iter().flatten().any(is_matched) => Matching::Yes,
        Some(why) => Matching::Unknown(why.to_string()),
        None => Matching::No,
    }
}

fn compile(selector: &LabelSelector) -> Result<Selector<'_>, String> {
    Selector::compile(&selector.match_labels, selector.expressions())
}

fn is_empty(selector: &LabelSelector) -> bool {
    selector.match_labels.is_empty() && selector.expressions().next().is_none()
}

/// Reports whether a selector only uses the label with the name of the Namespace.
fn is_about_name(selector: &LabelSelector) -> bool {
    let expressions = selector.expressions().map(|(key, ..)| key);
    let mut keys = expressions.chain(selector.match_labels.keys().map(String::as_str));
    keys.all(|key| key == NAMESPACE_NAME)
}

fn of(is_matched: bool) -> Matching {
    if is_matched { Matching::Yes } else { Matching::No }
}
