// SPDX-License-Identifier: Apache-2.0
//! Static checks of policies: errors, and names of fields that do not exist.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::compiled::{CompiledPolicy, Flaw};
use super::matching::concerns;
use super::mutating::CompiledMutations;
use super::names::finding_id;
use super::own::{OwnPolicy, environment};
use super::policy_document::{PolicyDocument, PolicyError, PolicySource, pointer};
use super::schema::KnownShape;
use super::validation::Errors;
use garden_gate_cel::{Environment, Expression, FieldProblem};
use garden_gate_model::api::{AdmissionPolicy, Described, GardenerVersion, Kind, described};
use garden_gate_text::yaml::Document;

/// Returns the errors in a policy or binding, by position: all that prevent its evaluation, or else fields that do not exist in a version of Gardener.
pub fn check(policy: &PolicyDocument, version: GardenerVersion) -> Vec<PolicyError> {
    let invalid = Errors::of(policy);
    let compiled = compile(policy);
    let whys = compiled.as_ref().err().into_iter().flatten().filter(|why| !invalid.include(why));
    let mut errors: Vec<PolicyError> = whys.map(|why| policy.error(why.clone())).collect();
    errors.extend(invalid.placed(policy));
    errors.sort_by_key(|it| (it.position.line, it.position.column));
    match compiled {
        Ok(Some(compiled)) if errors.is_empty() => {
            unknown_fields(&policy.document, compiled, version)
        }
        _ => errors,
    }
}

/// A policy whose expressions compile.
struct Checked {
    source: Arc<AdmissionPolicy>,
    environment: Environment,
    /// The expressions of mutations, with their fields.
    mutations: Vec<(String, Expression)>,
}

/// Compiles the expressions; returns nothing for bindings, which have none.
///
/// # Errors
/// Fails with all errors, which may begin with a field in backticks.
fn compile(policy: &PolicyDocument) -> Result<Option<Checked>, Vec<String>> {
    match &policy.source {
        PolicySource::Binding(_) | PolicySource::MutatingBinding(_) => Ok(None),
        PolicySource::Mutating(source) => {
            let compiled = CompiledMutations::checked(source)
                .map_err(|flaws| flaws.into_iter().map(Flaw::in_garden));
            let compiled = compiled.map_err(Iterator::collect::<Vec<_>>)?;
            Ok(Some(Checked {
                source: Arc::clone(&compiled.policy.source),
                environment: compiled.policy.environment(),
                mutations: compiled.into_placed(),
            }))
        }
        PolicySource::Admission(source) => {
            let compiled = CompiledPolicy::admission(source)
                .map_err(|flaws| flaws.into_iter().map(Flaw::in_garden));
            compiled.map_err(Iterator::collect::<Vec<_>>)?;
            let environment = if source.spec.param_kind.is_some() {
                Environment::admission().with_params()
            } else {
                Environment::admission()
            };
            let source = Arc::clone(source);
            Ok(Some(Checked { source, environment, mutations: Vec::new() }))
        }
        PolicySource::Extension(definition) => OwnPolicy::of_extension(definition).map(|_| None),
        PolicySource::Garden(garden) => {
            if let Some(why) = OwnPolicy::of(garden)?.excessive_cost() {
                return Err(vec![why]);
            }
            let source = AdmissionPolicy {
                metadata: garden.metadata.clone(),
                spec: garden.spec.policy.clone(),
                unknown_field: None,
            };
            let (source, environment) = (Arc::new(source), environment());
            Ok(Some(Checked { source, environment, mutations: Vec::new() }))
        }
    }
}

/// Returns the fields in expressions that do not exist in a version of Gardener.
fn unknown_fields(
    document: &Document,
    Checked { source, environment, mutations }: Checked,
    version: GardenerVersion,
) -> Vec<PolicyError> {
    let kinds = kinds(&source);
    let Some((first, others)) = kinds.split_first() else {
        return Vec::new();
    };
    let id = finding_id(&source.metadata.name);
    let Ok(policy) = CompiledPolicy::with(&source, id, environment) else {
        return Vec::new();
    };
    let problems = |kind: &&'static Described| {
        field_problems((&policy, &mutations), KnownShape::in_version(kind.object, version))
    };
    // A field that one of several kinds has exists.
    let named = |(place, problem): (String, FieldProblem)| (place, problem.path);
    let others = others.iter().map(|kind| problems(kind).into_iter().map(named).collect());
    let others: Vec<BTreeSet<(String, String)>> = others.collect();
    let is_everywhere = |found: &(String, FieldProblem)| {
        let found = named(found.clone());
        others.iter().all(|other| other.contains(&found))
    };
    let found = problems(first).into_iter().filter(is_everywhere);
    found.map(|(place, problem)| of_field(document, &place, &problem, &kinds)).collect()
}

/// Returns the kinds with declared fields that a policy applies to.
fn kinds(policy: &AdmissionPolicy) -> Vec<&'static Described> {
    let Some(constraints) = &policy.spec.match_constraints else {
        return Vec::new();
    };
    let kinds = Kind::judged().filter(|kind| concerns(constraints, *kind));
    kinds.filter_map(|kind| described(kind.as_str())).collect()
}

/// Returns the fields that do not exist, with the expressions that name them.
fn field_problems(
    (policy, mutations): (&CompiledPolicy, &[(String, Expression)]),
    schema: KnownShape,
) -> Vec<(String, FieldProblem)> {
    let mutations = mutations.iter().map(|(place, expression)| (place.clone(), expression));
    let placed = policy.placed().into_iter().chain(mutations);
    let problems = placed.flat_map(|(place, expression)| {
        let problems = expression.field_problems(schema).into_iter();
        problems.map(move |problem| (place.clone(), problem))
    });
    problems.collect()
}

fn of_field(
    document: &Document,
    place: &str,
    problem: &FieldProblem,
    kinds: &[&Described],
) -> PolicyError {
    let kinds: Vec<&str> = kinds.iter().map(|it| it.kind).collect();
    let FieldProblem { path, line, column, .. } = problem;
    PolicyError {
        position: document.position(&pointer(place)),
        message: format!(
            "`{place}` names the field `{path}`, which {} does not have, in line {line}, column {column} of the expression",
            kinds.join(" or ")
        ),
        help: problem.suggestion.clone().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::policies::policies_in;
    use garden_gate_model::api::GardenerVersion;

    /// Returns the errors of a GardenPolicy for Shoots, with their lines.
    fn errors(expression: &str) -> Vec<(usize, String, String)> {
        let text = format!(
            "apiVersion: garden-gate.dev/v1alpha1\nkind: GardenPolicy\nmetadata: {{name: p}}\nspec:\n  matchConstraints:\n    resourceRules:\n    - {{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [shoots]}}\n  validations:\n  - expression: \"{expression}\"\n"
        );
        let policies = policies_in(&text).unwrap();
        let errors = policies.iter().flat_map(|it| check(it, GardenerVersion::default()));
        errors.map(|it| (it.position.line, it.message, it.help)).collect()
    }

    #[test]
    fn unknown_field_has_a_suggestion() {
        let errors = errors("object.spec.provider.worker.all(it, it.maximum < 5)");
        let [(line, message, help)] = &errors[..] else {
            unreachable!("{errors:?}");
        };
        assert_eq!(*line, 9);
        assert!(
            message.contains("`object.spec.provider.worker`, which Shoot does not have"),
            "{message}"
        );
        assert!(help.contains("`workers`"), "{help}");
    }

    #[test]
    fn valid_policy_has_no_errors() {
        assert!(
            errors(
                "object.spec.provider.workers.all(it, it.maximum < 5) && garden.project != null"
            )
            .is_empty()
        );
    }

    #[test]
    fn type_error_is_at_its_expression() {
        let errors = errors("1 + 'a' == 2");
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].0, 9);
    }

    #[test]
    fn every_invalid_expression_is_an_error() {
        let text = "1 + 'a' == 2\"\n  - expression: \"true\"\n    reason: Never\n    messageExpression: \"1\"\n  - expression: \"variables.size\"\n  - expression: \"object.\"\n  matchConditions:\n  - {name: a, expression: 'unknown'}\n  variables:\n  - name: size\n    expression: \"size(1)\"\n  - name: b\n    expression: \"variables.size";
        let errors = errors(text);
        let lines: Vec<usize> = errors.iter().map(|it| it.0).collect();
        assert_eq!(lines, [9, 11, 12, 14, 16, 19], "{errors:?}");
    }

    #[test]
    fn excessive_cost_is_an_error() {
        let list = "object.spec.provider.workers";
        let nested = ["a", "b", "c", "d"].map(|it| format!("{list}.all({it}, "));
        let errors = errors(&format!("{}true))))", nested.concat()));
        let [(_, message, _)] = &errors[..] else {
            unreachable!("{errors:?}");
        };
        assert!(message.contains("above the limit of 10000000"), "{message}");
    }
}
