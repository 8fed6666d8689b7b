// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use crate::policies::compiled::{CompiledPolicy, Flaw, flaw};
use crate::policies::validation;
use garden_gate_cel::{Environment, Expression, ResultType};
use garden_gate_model::api::{MutatingPolicy, Mutation};

/// A MutatingAdmissionPolicy with compiled expressions.
pub(in crate::policies) struct CompiledMutations {
    /// Its requests, conditions and variables.
    pub(in crate::policies) policy: CompiledPolicy,
    pub(super) mutations: Vec<CompiledMutation>,
    /// Whether it is applied again after other changes.
    pub(super) is_reinvoked: bool,
}

/// A compiled mutation.
pub(super) enum CompiledMutation {
    /// It returns an object that is merged.
    Configuration(Expression),
    /// It returns the operations of a JSON patch.
    Patch(Expression),
}

/// Maximum number of mutations of a policy.
const MOST: usize = 100;

impl CompiledMutations {
    /// Compiles a policy.
    ///
    /// # Errors
    /// Fails with the first reason if it is invalid, or uses anything that is not implemented.
    pub(in crate::policies) fn of(source: &Arc<MutatingPolicy>) -> Result<Self, String> {
        if let Some(error) = validation::of_mutating(source) {
            return Err(Flaw::stored(error).in_garden());
        }
        let compiled = Self::checked(source).map_err(|flaws| flaws.into_iter().next());
        let compiled = compiled.map_err(|flaw| flaw.map(Flaw::in_garden).unwrap_or_default())?;
        match compiled.policy.unsupported_variable_of(compiled.expressions()) {
            Some(flaw) => Err(flaw.plain()),
            None => Ok(compiled),
        }
    }

    /// Compiles a policy like [`Self::of`].
    ///
    /// # Errors
    /// Fails with all reasons.
    pub(in crate::policies) fn checked(source: &Arc<MutatingPolicy>) -> Result<Self, Vec<Flaw>> {
        let mutations = &source.spec.mutations;
        if mutations.is_empty() {
            let what = "`spec.mutations` is required".to_owned();
            return Err(vec![Flaw::Invalid(what, String::new())]);
        }
        if mutations.len() > MOST {
            let count = mutations.len();
            return Err(vec![Flaw::Unsupported(format!(
                "it has {count} `spec.mutations`; at most {MOST} are evaluated"
            ))]);
        }
        let policy = CompiledPolicy::admission(&Arc::new(source.without_mutations()))?;
        let environment = policy.environment().with_patch_types();
        let (mut compiled, mut flaws) = (Vec::new(), Vec::new());
        for (index, mutation) in mutations.iter().enumerate() {
            match one(index, mutation, &environment) {
                Ok(mutation) => compiled.push(mutation),
                Err(flaw) => flaws.push(flaw),
            }
        }
        if !flaws.is_empty() {
            return Err(flaws);
        }
        let is_reinvoked = source.spec.reinvocation_policy == "IfNeeded";
        Ok(Self { policy, mutations: compiled, is_reinvoked })
    }

    /// Returns the expressions of mutations with their fields, such as `spec.mutations[0].jsonPatch.expression`.
    pub(in crate::policies) fn into_placed(self) -> Vec<(String, Expression)> {
        let placed = self.mutations.into_iter().enumerate().map(|(index, mutation)| {
            let (field, expression) = match mutation {
                CompiledMutation::Configuration(expression) => ("applyConfiguration", expression),
                CompiledMutation::Patch(expression) => ("jsonPatch", expression),
            };
            (format!("spec.mutations[{index}].{field}.expression"), expression)
        });
        placed.collect()
    }

    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.mutations.iter().map(|it| match it {
            CompiledMutation::Configuration(expression) | CompiledMutation::Patch(expression) => {
                expression
            }
        })
    }
}

/// Compiles a mutation.
fn one(
    index: usize,
    mutation: &Mutation,
    environment: &Environment,
) -> Result<CompiledMutation, Flaw> {
    let missing = |field: &str| {
        let what = format!("`spec.mutations[{index}].{field}.expression` is missing");
        Flaw::Invalid(what, String::new())
    };
    let compile = |field: &str, text: &str, wanted: ResultType| {
        let place = format!("spec.mutations[{index}].{field}.expression");
        Expression::compile_as(text, &[wanted], environment).map_err(|error| flaw(&place, &error))
    };
    match mutation.patch_type.as_str() {
        "ApplyConfiguration" => {
            let it = mutation.apply_configuration.as_ref();
            let text = &it.ok_or_else(|| missing("applyConfiguration"))?.expression;
            let expression = compile("applyConfiguration", text, ResultType::Object)?;
            Ok(CompiledMutation::Configuration(expression))
        }
        "JSONPatch" => {
            let it = mutation.json_patch.as_ref();
            let text = &it.ok_or_else(|| missing("jsonPatch"))?.expression;
            let expression = compile("jsonPatch", text, ResultType::JsonPatches)?;
            Ok(CompiledMutation::Patch(expression))
        }
        _ => Err(Flaw::Invalid(
            format!(
                "`spec.mutations[{index}].patchType` is neither `ApplyConfiguration` nor `JSONPatch`"
            ),
            String::new(),
        )),
    }
}
