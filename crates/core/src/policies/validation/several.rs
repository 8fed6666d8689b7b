// SPDX-License-Identifier: Apache-2.0
//! Checks of the [tables](super::tables) that read several fields.

use std::collections::BTreeSet;

use super::checks::short;
use super::field::Field;
use super::problem::Problem;
use garden_gate_model::api::{LabelSelectorRequirement, SeedSelector, SelectorProblem};
use garden_gate_text::go::{clip, label_value_error, qualified_name_error};

/// Maximum size of all annotations of an object, in bytes.
const ANNOTATIONS: usize = 256 * 1024;

/// Maximum length of the part of a name that is checked for each key, in bytes; a valid name is shorter.
const LONGEST_NAME: usize = 300;

type Problems = Vec<Problem>;

pub(super) fn named(metadata: &Field<'_>, problems: &mut Problems) {
    if metadata.at("name").is_empty() && metadata.at("generateName").is_empty() {
        let path = metadata.path.child("name");
        let help = "name the policy; the name is part of the id of its findings";
        problems.push(Problem::new(&path, "is required", help));
    }
}

pub(super) fn cluster_scoped(metadata: &Field<'_>, problems: &mut Problems) {
    let namespace = metadata.at("namespace");
    if !namespace.is_empty() {
        let help = "remove it; to limit the policy to namespaces, use `spec.matchConstraints.namespaceSelector`";
        problems.push(Problem::new(
            &namespace.path,
            "is not allowed: policies and bindings have no namespace",
            help,
        ));
    }
}

pub(super) fn labels(metadata: &Field<'_>, problems: &mut Problems) {
    let labels = metadata.at("labels");
    for (key, value) in labels.entries() {
        let wrong = qualified_name_error(key)
            .map(|why| (key, why))
            .or_else(|| label_value_error(value).map(|why| (value, why)));
        problems.extend(wrong.map(|(text, why)| {
            let message = format!("cannot have `{}`: {why}", short(text));
            Problem::new(&labels.path.key(key), message, "write it like `example.com/name: value`")
        }));
    }
}

pub(super) fn annotations(metadata: &Field<'_>, problems: &mut Problems) {
    let annotations = metadata.at("annotations");
    let mut bytes = 0;
    for (key, value) in annotations.entries() {
        bytes += key.len() + value.len();
        problems.extend(qualified_name_error(&key.to_lowercase()).map(|why| {
            let message = format!("cannot have the key `{}`: {why}", short(key));
            Problem::new(&annotations.path.key(key), message, "write it like `example.com/name`")
        }));
    }
    if bytes > ANNOTATIONS {
        let message = format!("has {bytes} bytes; at most {ANNOTATIONS} are allowed");
        problems.push(Problem::new(&annotations.path, message, "remove some"));
    }
}

pub(super) fn one_controller(owners: &Field<'_>, problems: &mut Problems) {
    let owners = owners.items().into_iter().map(|it| it.at("controller"));
    for second in owners.filter(Field::is_true).skip(1) {
        problems.push(Problem::new(
            &second.path,
            "is `true` for more than one owner",
            "an object has one controller; remove the others",
        ));
    }
}

pub(super) fn effect(spec: &Field<'_>, problems: &mut Problems) {
    if spec.at("validations").is_empty() && spec.at("auditAnnotations").is_empty() {
        problems.push(Problem::new(
            &spec.path.child("validations"),
            "is required, unless there are `spec.auditAnnotations`",
            "list at least one expression",
        ));
    }
}

/// Checks an operation of a policy that changes objects.
pub(super) fn write(operation: &Field<'_>, problems: &mut Problems) {
    if operation.text() == "DELETE" {
        let message = "cannot be `DELETE`, which has no new object";
        problems.push(Problem::new(&operation.path, message, "use `CREATE`, `UPDATE` or `*`"));
    }
}

/// Checks that a mutation has the expression of its type, and no other.
pub(super) fn one_patch(mutation: &Field<'_>, problems: &mut Problems) {
    let patch_type = mutation.at("patchType");
    let (wanted, other) = match patch_type.text() {
        "ApplyConfiguration" => ("applyConfiguration", "jsonPatch"),
        "JSONPatch" => ("jsonPatch", "applyConfiguration"),
        _ => return,
    };
    let (expression, other) = (mutation.at(wanted).at("expression"), mutation.at(other));
    if expression.text().trim().is_empty() {
        let example = match wanted {
            "jsonPatch" => {
                "an expression in CEL, as in `[JSONPatch{op: \"remove\", path: \"/spec/a\"}]`"
            }
            _ => "an expression in CEL, as in `Object{spec: Object.spec{purpose: \"production\"}}`",
        };
        problems.push(Problem::new(&expression.path, "is required", format!("write {example}")));
    }
    if other.exists() {
        let message = format!("is not allowed with the patch type `{}`", patch_type.text());
        problems.push(Problem::new(&other.path, message, "remove it, or change `patchType`"));
    }
}

/// Checks the keys of the audit log, which begin with the name of the policy.
pub(super) fn audit_key(policy: &Field<'_>, problems: &mut Problems) {
    let metadata = policy.at("metadata");
    let name = [metadata.at("name"), metadata.at("generateName")]
        .iter()
        .map(Field::text)
        .find(|it| !it.is_empty());
    let name = clip(name.unwrap_or_default(), LONGEST_NAME);
    for key in policy.matching("spec.auditAnnotations[].key") {
        let full = format!("{name}/{}", key.text());
        problems.extend(qualified_name_error(&full).map(|why| {
            let message = format!(
                "cannot be `{}`, since `{}` is not a valid key of the audit log: {why}",
                short(key.text()),
                short(&full)
            );
            Problem::new(&key.path, message, "write it like `purpose`")
        }));
    }
}

pub(super) fn deny_and_warn(actions: &Field<'_>, problems: &mut Problems) {
    let texts = actions.texts();
    if texts.contains(&"Deny") && texts.contains(&"Warn") {
        problems.push(Problem::new(
            &actions.path,
            "has both `Deny` and `Warn`",
            "keep one of them: a refusal has the same message as the warning",
        ));
    }
}

pub(super) fn param_ref(reference: &Field<'_>, problems: &mut Problems) {
    let (name, selector) = (reference.at("name"), reference.at("selector"));
    let has_name = !name.is_empty();
    if has_name && selector.exists() {
        let help = "keep one of them";
        problems.push(Problem::new(&name.path, "cannot be set together with `selector`", help));
        problems.push(Problem::new(&selector.path, "cannot be set together with `name`", help));
    }
    if reference.exists() && !has_name && !selector.exists() {
        let help = "set one of them, or remove `paramRef`";
        problems.push(Problem::new(&reference.path, "has neither `name` nor `selector`", help));
    }
}

/// Checks which resources and subresources exclude others.
///
/// Mirrors `validateResources` in Kubernetes' validation.
pub(super) fn resources(resources: &Field<'_>, problems: &mut Problems) {
    let items = resources.items();
    let (mut with_all_subs, mut of_all): (BTreeSet<&str>, BTreeSet<&str>) = Default::default();
    for item in &items {
        let Some((resource, sub)) = item.text().split_once('/') else {
            continue;
        };
        let included = [
            with_all_subs.contains(resource).then(|| format!("{resource}/*")),
            of_all.contains(sub).then(|| format!("*/{sub}")),
        ];
        for wide in included.into_iter().flatten() {
            let message = format!(
                "cannot be `{}` next to `{}`, which includes it",
                short(item.text()),
                short(&wide)
            );
            problems.push(Problem::new(&item.path, message, "remove it"));
        }
        if sub == "*" {
            with_all_subs.insert(resource);
        }
        if resource == "*" {
            of_all.insert(sub);
        }
    }
    let texts = resources.texts();
    if texts.len() > 1 && texts.contains(&"*/*") {
        let help = "write `*/*` alone, which includes all resources";
        problems.push(Problem::new(&resources.path, "has `*/*` and other resources", help));
    }
    // Only the last resource without a subresource counts, as in Kubernetes.
    let last = texts.iter().rfind(|it| !it.is_empty() && !it.contains('/'));
    if texts.contains(&"*") && last.is_some_and(|it| *it != "*") {
        let help = "remove the others: `*` includes all resources without subresources";
        problems.push(Problem::new(&resources.path, "has `*` and other resources", help));
    }
}

pub(super) fn selector(selector: &Field<'_>, problems: &mut Problems) {
    let found = label_selector(selector).problems().into_iter();
    problems.extend(found.map(|it| selector_problem(selector, it)));
}

/// Decodes a label selector; values of wrong types are reported elsewhere.
pub(super) fn label_selector(selector: &Field<'_>) -> SeedSelector {
    let labels = selector.at("matchLabels").entries().into_iter();
    let requirement = |it: Field<'_>| LabelSelectorRequirement {
        key: it.at("key").text().to_owned(),
        operator: it.at("operator").text().to_owned(),
        values: it.at("values").texts().into_iter().map(str::to_owned).collect(),
    };
    let requirements = selector.at("matchExpressions").items().into_iter();
    SeedSelector {
        match_labels: labels.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
        match_expressions: requirements.map(requirement).collect(),
        ..SeedSelector::default()
    }
}

fn selector_problem(selector: &Field<'_>, problem: SelectorProblem) -> Problem {
    const KEY: &str = "write the key like `example.com/name`";
    const VALUE: &str = "write the value like `my-value`";
    let label = |key: &str| selector.at("matchLabels").path.key(key);
    let requirements = selector.at("matchExpressions");
    let at = |index: usize, name: &str| requirements.item(index).at(name);
    match problem {
        SelectorProblem::LabelKey(name, why) => {
            Problem::new(&label(&name), format!("is not a valid label: {why}"), KEY)
        }
        SelectorProblem::LabelValue(name, why) => {
            Problem::new(&label(&name), format!("is not a valid label value: {why}"), VALUE)
        }
        SelectorProblem::Key(index, why) => wrong(&at(index, "key"), why, KEY),
        SelectorProblem::Operator(index) => wrong(
            &at(index, "operator"),
            "it is not an operator",
            "use `In`, `NotIn`, `Exists` or `DoesNotExist`",
        ),
        SelectorProblem::ValuesMissing(index) => Problem::new(
            &at(index, "values").path,
            "is required for the operators `In` and `NotIn`",
            "list values, as in `values: [my-value]`",
        ),
        SelectorProblem::ValuesSuperfluous(index) => Problem::new(
            &at(index, "values").path,
            "is not allowed for the operators `Exists` and `DoesNotExist`",
            "remove it, or use `In` or `NotIn`",
        ),
        SelectorProblem::Value(index, position, why) => {
            wrong(&at(index, "values").item(position), why, VALUE)
        }
    }
}

fn wrong(field: &Field<'_>, why: &str, help: &str) -> Problem {
    let message = format!("cannot be `{}`: {why}", short(field.text()));
    Problem::new(&field.path, message, help)
}
