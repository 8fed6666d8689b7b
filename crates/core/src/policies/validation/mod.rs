// SPDX-License-Identifier: Apache-2.0
//! Validation of policies and bindings, as by a kube-apiserver that stores them.
//!
//! Mirrors strict decoding, the defaults and `pkg/apis/admissionregistration/validation` of `k8s.io/kubernetes` 1.36, without expressions.
//! Policies of a garden are checked by the same tables, since a garden may be a directory that no API server has validated.
//! GardenPolicies must also match requests that garden-gate judges.

mod checks;
mod contradiction;
mod decoding;
mod field;
mod problem;
mod reach;
mod several;
mod tables;

pub(super) use decoding::{expected, path};

use std::collections::BTreeSet;

use super::policy_document::{PolicyDocument, PolicyError, PolicySource, title};
use super::policy_kind::PolicyKind;
use field::Field;
use garden_gate_model::api::{
    AdmissionPolicy, AdmissionPolicyBinding, MutatingPolicy, MutatingPolicyBinding,
};
use garden_gate_text::go::clip;
use garden_gate_text::yaml::Document;
use problem::Problem;
use serde::Serialize;
use serde_json::json;
use tables::{
    APPLIED, BINDING, EXTENSION, MATCH_RESOURCES, METADATA, MUTATING_BINDING, MUTATING_POLICY,
    POLICY, RULE, SHARED, SHARED_BINDING, Table,
};

/// Maximum length of an unknown field in messages, in bytes.
const LONGEST_FIELD: usize = 300;

/// Checks that all values have the types of their fields.
///
/// # Errors
/// Fails with the first value that cannot be decoded.
pub(super) fn check_types(document: &Document, kind: PolicyKind) -> Result<(), PolicyError> {
    let mut problems = decoding::undecodable(document, kind.fields()).into_iter();
    let name = document.text("/metadata/name").unwrap_or_default();
    let title = title(kind.name(), &name);
    problems.next().map_or(Ok(()), |it| Err(it.placed(document, &title)))
}

/// Errors in the fields of a policy, without those of expressions.
pub(super) struct Errors {
    problems: Vec<Problem>,
    /// The fields of the problems.
    paths: BTreeSet<String>,
}

impl Errors {
    /// Validates a policy or a binding.
    pub(super) fn of(policy: &PolicyDocument) -> Self {
        let kind = match &policy.source {
            PolicySource::Garden(_) => PolicyKind::Garden,
            PolicySource::Admission(_) => PolicyKind::Admission,
            PolicySource::Binding(_) => PolicyKind::Binding,
            PolicySource::Mutating(_) => PolicyKind::Mutating,
            PolicySource::MutatingBinding(_) => PolicyKind::MutatingBinding,
            PolicySource::Extension(_) => PolicyKind::Extension,
        };
        let mut problems = decoding::unknown_fields(&policy.document, kind.fields());
        let value = policy.document.to_value();
        let root = Field::root(&value);
        run(&root, METADATA, &mut problems);
        // The list of variables of a policy that changes objects is atomic.
        if !matches!(kind, PolicyKind::Mutating) {
            run(&root, APPLIED, &mut problems);
        }
        check_spec(&root, kind, &mut problems);
        if let PolicySource::Garden(garden) = &policy.source
            && problems.is_empty()
        {
            problems.extend(reach::problems(&garden.spec.policy));
        }
        let paths = problems.iter().map(|it| it.path.to_string()).collect();
        Self { problems, paths }
    }

    /// Reports whether a message that begins with a field in backticks is about one of these fields.
    pub(super) fn include(&self, message: &str) -> bool {
        let field = message.strip_prefix('`').and_then(|rest| rest.split_once('`'));
        field.is_some_and(|(field, _)| {
            let ends = field.match_indices(['.', '[']).map(|(end, _)| end);
            let mut parents = ends.chain([field.len()]).map(|end| &field[..end]);
            parents.any(|it| self.paths.contains(it))
        })
    }

    /// Returns the errors with positions, in order.
    pub(super) fn placed(self, policy: &PolicyDocument) -> Vec<PolicyError> {
        let (problems, title) = (self.problems.into_iter(), policy.title());
        problems.map(|it| it.placed(&policy.document, &title)).collect()
    }
}

/// The reason why a policy or a binding of a garden is not evaluated, as a sentence that begins with the field in backticks.
pub(super) enum StoredError {
    /// An API server refuses it.
    Refused(String),
    /// A field is unknown, which a later version of Kubernetes may have.
    UnknownField(String),
}

impl StoredError {
    /// Returns the reason for a binding of that name.
    fn in_binding(self, name: &str) -> String {
        match self {
            Self::Refused(why) => {
                format!("{why} in its binding `{name}`, so that an API server refuses the binding")
            }
            Self::UnknownField(why) => {
                format!("{why} of its binding `{name}`, whose effect is not known")
            }
        }
    }
}

/// Reports whether an error from [`of_policy`] or [`of_mutating`] is about the requests that a policy matches.
pub(super) fn is_about_requests(error: &str) -> bool {
    error.starts_with("`spec.matchConstraints")
}

/// Returns the first error in a policy of a garden, without those of expressions.
///
/// Errors about the requests that it matches precede others. Fields that no evaluation reads, such as its labels, are not checked.
pub(super) fn of_policy(policy: &AdmissionPolicy) -> Option<StoredError> {
    let parts = (policy.metadata.name.as_str(), &policy.spec);
    of_stored(parts, policy.unknown_field.as_deref(), PolicyKind::Admission)
}

/// Returns the first error in a MutatingAdmissionPolicy of a garden, like [`of_policy`].
pub(super) fn of_mutating(policy: &MutatingPolicy) -> Option<StoredError> {
    let parts = (policy.metadata.name.as_str(), &policy.spec);
    of_stored(parts, policy.unknown_field.as_deref(), PolicyKind::Mutating)
}

/// Returns the first error in a binding of a garden, like [`of_policy`].
pub(super) fn of_binding(binding: &AdmissionPolicyBinding) -> Option<String> {
    let name = binding.metadata.name.as_str();
    let unknown = binding.unknown_field.as_deref();
    let error = of_stored((name, &binding.spec), unknown, PolicyKind::Binding);
    error.map(|it| it.in_binding(name))
}

/// Returns the first error in the binding of a MutatingAdmissionPolicy of a garden, like [`of_policy`].
pub(super) fn of_mutating_binding(binding: &MutatingPolicyBinding) -> Option<String> {
    let name = binding.metadata.name.as_str();
    let unknown = binding.unknown_field.as_deref();
    let error = of_stored((name, &binding.spec), unknown, PolicyKind::MutatingBinding);
    error.map(|it| it.in_binding(name))
}

fn of_stored(
    (name, spec): (&str, &impl Serialize),
    unknown_field: Option<&str>,
    kind: PolicyKind,
) -> Option<StoredError> {
    let spec = match serde_json::to_value(spec) {
        Ok(spec) => spec,
        Err(error) => {
            return Some(StoredError::Refused(format!("`spec` cannot be represented: {error}")));
        }
    };
    let value = json!({"metadata": {"name": name}, "spec": spec});
    let mut problems = Vec::new();
    check_spec(&Field::root(&value), kind, &mut problems);
    let refused = problems.first().map(|it| StoredError::Refused(it.sentence()));
    refused.or_else(|| {
        let field = clip(unknown_field?.to_owned(), LONGEST_FIELD);
        Some(StoredError::UnknownField(format!("`{field}` is an unknown field")))
    })
}

/// Adds the errors of everything that garden-gate evaluates.
fn check_spec(root: &Field<'_>, kind: PolicyKind, problems: &mut Vec<Problem>) {
    let (constraints, resources) = ("spec.matchConstraints", "spec.matchResources");
    let (table, shared, resources) = match kind {
        PolicyKind::Garden | PolicyKind::Admission => (POLICY, SHARED, constraints),
        PolicyKind::Mutating => (MUTATING_POLICY, SHARED, constraints),
        PolicyKind::Binding => (BINDING, SHARED_BINDING, resources),
        PolicyKind::MutatingBinding => (MUTATING_BINDING, SHARED_BINDING, resources),
        PolicyKind::Extension => return run(root, EXTENSION, problems),
    };
    let is_required = resources == constraints;
    for resources in root.matching(resources).iter().filter(|it| it.exists()) {
        check_resources(resources, is_required, problems);
    }
    run(root, shared, problems);
    run(root, table, problems);
}

fn check_resources(resources: &Field<'_>, is_required: bool, problems: &mut Vec<Problem>) {
    run(resources, MATCH_RESOURCES, problems);
    let rules = resources.at("resourceRules");
    if is_required && rules.is_empty() {
        let help =
            "list at least one rule with `apiGroups`, `apiVersions`, `operations` and `resources`";
        problems.push(Problem::new(&rules.path, "is required", help));
    }
    for rule in resources.matching("resourceRules[]") {
        run(&rule, RULE, problems);
    }
    for rule in resources.matching("excludeResourceRules[]") {
        run(&rule, RULE, problems);
    }
}

/// Runs the checks of a table.
fn run(object: &Field<'_>, table: Table, problems: &mut Vec<Problem>) {
    for (pattern, checks) in table {
        for field in object.matching(pattern) {
            checks.iter().for_each(|check| check.run(&field, problems));
        }
    }
}
