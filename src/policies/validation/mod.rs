//! Validation of policies and bindings, as by a kube-apiserver that stores them.
//!
//! Mirrors strict decoding, the defaults and `pkg/apis/admissionregistration/validation` of `k8s.io/kubernetes` 1.36, without expressions.
//! GardenPolicies must also match requests that garden-gate judges.

mod checks;
mod contradiction;
mod decoding;
mod field;
mod problem;
mod reach;
mod several;
mod tables;

use std::collections::BTreeSet;

use super::policy_document::{PolicyDocument, PolicyError, PolicySource, title};
use super::policy_kind::PolicyKind;
use crate::yaml::Document;
use field::Field;
use problem::Problem;
use tables::{BINDING, MATCH_RESOURCES, METADATA, POLICY, RULE, Table};

/// Checks that all values have the types of their fields.
///
/// # Errors
/// Fails with the first value that cannot be decoded.
pub(super) fn check_types(document: &Document, kind: PolicyKind) -> Result<(), PolicyError> {
    let mut problems = decoding::undecodable(document, kind.fields()).into_iter();
    let name = document.text("/metadata/name").unwrap_or_default();
    let title = title(kind.name(), &name);
    problems
        .next()
        .map_or(Ok(()), |it| Err(it.placed(document, &title)))
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
        let (kind, table, resources) = match &policy.source {
            PolicySource::Garden(_) => (PolicyKind::Garden, POLICY, "spec.matchConstraints"),
            PolicySource::Admission(_) => (PolicyKind::Admission, POLICY, "spec.matchConstraints"),
            PolicySource::Binding(_) => (PolicyKind::Binding, BINDING, "spec.matchResources"),
        };
        let mut problems = decoding::unknown_fields(&policy.document, kind.fields());
        let value = policy.document.to_value();
        let root = Field::root(&value);
        run(&root, METADATA, &mut problems);
        run(&root, table, &mut problems);
        for resources in root.matching(resources).iter().filter(|it| it.exists()) {
            let is_required = !matches!(policy.source, PolicySource::Binding(_));
            check_resources(resources, is_required, &mut problems);
        }
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
        let field = message
            .strip_prefix('`')
            .and_then(|rest| rest.split_once('`'));
        field.is_some_and(|(field, _)| {
            let ends = field.match_indices(['.', '[']).map(|(end, _)| end);
            let mut parents = ends.chain([field.len()]).map(|end| &field[..end]);
            parents.any(|it| self.paths.contains(it))
        })
    }

    /// Returns the errors with positions, in order.
    pub(super) fn placed(self, policy: &PolicyDocument) -> Vec<PolicyError> {
        let (problems, title) = (self.problems.into_iter(), policy.title());
        problems
            .map(|it| it.placed(&policy.document, &title))
            .collect()
    }
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
