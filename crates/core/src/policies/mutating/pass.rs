// SPDX-License-Identifier: Apache-2.0
//! The application of policies to an object.
//!
//! Mirrors dispatchInvocations in `pkg/admission/plugin/policy/mutating/dispatcher.go` of `k8s.io/apiserver`. An API server keeps policies
//! in a map, so that their order is random.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::compiled::{CompiledMutation, CompiledMutations};
use super::invocations::{Invocation, InvocationKey, PolicyFailure};
use super::object::{Failure, MutableObject};
use crate::admission::Request;
use crate::policies::converted::{VALUES_OF_COST, weight};
use crate::policies::evaluation::{Inputs, meets_conditions, mutation};
use crate::policies::matching::Matching;
use garden_gate_cel::{EvaluationError, Value};
use garden_gate_model::api::GardenerVersion;
use garden_gate_text::json::push_step;

/// Maximum number of named fields that a policy changes; one more tells that there are others.
pub(super) const MOST_FIELDS: usize = 5;
/// Number of changed fields of a policy above which fields are not told apart.
const MOST_CHANGES: usize = 100;
/// Maximum weight of a changed object, about 2 MiB: more than etcd stores by default.
const LARGEST: u64 = 1 << 16;
const TOO_LARGE: &str = "the changed object has more than 2 MiB";
/// The effort of applying a mutation to a value: it is copied, compared, decoded and defaulted.
const EFFORT_OF_VALUE: u64 = 4;

/// The result of the application of all policies.
#[derive(Clone)]
pub(super) struct Pass {
    pub(super) object: MutableObject,
    /// Errors with the failure policy `Fail`.
    pub(super) errors: Vec<PolicyFailure>,
    /// A refusal by the API server, whatever the failure policy.
    pub(super) server_error: Option<PolicyFailure>,
    /// Policies with unknown results, with the reasons.
    pub(super) unknown: Vec<(String, String)>,
    /// JSON pointers of changed fields by policies: the first ones.
    pub(super) changed: BTreeMap<String, BTreeSet<String>>,
    /// Policies that change fields that others changed before.
    pub(super) overlapping: BTreeSet<String>,
    /// The policies that are applied again.
    pub(super) again: BTreeSet<InvocationKey>,
    /// Whether a mutation was applied, even without a change: then all conditions are evaluated again.
    is_dirty: bool,
}

/// The request whose object is changed.
pub(super) type Changing<'r, 'a> = (&'r Request<'a>, GardenerVersion);

impl Pass {
    /// Applies policies in an order; the second time only those of `again`.
    pub(super) fn of<'i>(
        invocations: impl IntoIterator<Item = &'i Invocation>,
        (object, again): (&MutableObject, Option<&BTreeSet<InvocationKey>>),
        inputs: &mut Inputs<'_>,
        changing: Changing<'_, '_>,
    ) -> Self {
        let mut pass = Self {
            object: object.clone(),
            errors: Vec::new(),
            server_error: None,
            unknown: Vec::new(),
            changed: BTreeMap::new(),
            overlapping: BTreeSet::new(),
            again: BTreeSet::new(),
            is_dirty: false,
        };
        let mut invoked = BTreeSet::new();
        let mut written = BTreeMap::new();
        inputs.object = object.value();
        for invocation in invocations {
            let Ok(compiled) = &*invocation.compiled else { continue };
            if !pass.is_met(invocation, compiled, inputs) {
                continue;
            }
            if again.is_some_and(|it| !it.contains(&invocation.key)) {
                continue;
            }
            let before = pass.object.clone();
            pass.is_dirty |= pass.apply(invocation, compiled, inputs, changing);
            if pass.is_over() {
                return pass;
            }
            if before.tree != pass.object.tree {
                let (request, gardener) = changing;
                // Defaults are no change of a policy.
                let before = before.with_defaults(request, gardener);
                pass.note_changes(&invocation.key.policy, &before.tree, &mut written);
                pass.again.append(&mut invoked);
            }
            if compiled.is_reinvoked {
                invoked.insert(invocation.key.clone());
            }
        }
        if pass.is_dirty {
            pass.again.append(&mut invoked);
        }
        pass
    }

    /// Applies the policies that are applied again, without changes of other plugins before.
    pub(super) fn repeated<'i>(
        self,
        invocations: impl IntoIterator<Item = &'i Invocation>,
        inputs: &mut Inputs<'_>,
        changing: Changing<'_, '_>,
    ) -> Self {
        // The conditions, which are evaluated again, have the same result in any order.
        if self.again.is_empty() || self.is_over() || !self.errors.is_empty() {
            return self;
        }
        let start = (&self.object, Some(&self.again));
        let mut repeated = Self::of(invocations, start, inputs, changing);
        repeated.changed.extend(self.changed);
        repeated.overlapping.extend(self.overlapping);
        repeated
    }

    /// Reports whether two results are equal for the user.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let is_refused = |it: &Self| !it.errors.is_empty() || it.server_error.is_some();
        is_refused(self) == is_refused(other)
            && self.unknown.is_empty() == other.unknown.is_empty()
            && (is_refused(self) || self.object.tree == other.object.tree)
    }

    fn is_over(&self) -> bool {
        self.server_error.is_some() || !self.unknown.is_empty()
    }

    /// Evaluates the conditions of a policy.
    fn is_met(
        &mut self,
        invocation: &Invocation,
        compiled: &CompiledMutations,
        inputs: &mut Inputs<'_>,
    ) -> bool {
        inputs.params = invocation.params.as_deref().map_or(Value::Null, Value::from_json);
        inputs.account.spend(weight(&inputs.params) / VALUES_OF_COST);
        match meets_conditions(&compiled.policy, inputs) {
            Matching::Yes => true,
            Matching::No => false,
            Matching::Failed(why) => {
                self.fail(invocation, compiled, why);
                false
            }
            Matching::Unknown(why) => {
                self.unknown.push((invocation.key.policy.clone(), why));
                false
            }
        }
    }

    /// Applies all mutations of a policy in order, and reports whether one was applied.
    fn apply(
        &mut self,
        invocation: &Invocation,
        compiled: &CompiledMutations,
        inputs: &mut Inputs<'_>,
        changing: Changing<'_, '_>,
    ) -> bool {
        let mut is_applied = false;
        for mutation in &compiled.mutations {
            match self.mutated(compiled, mutation, inputs, changing) {
                Ok(object) => {
                    is_applied = true;
                    inputs.object = object.value();
                    self.object = object;
                    let weight = weight(&inputs.object);
                    inputs.account.spend(weight.saturating_mul(EFFORT_OF_VALUE));
                    let exceeded = inputs.account.exceeded().map(|it| it.to_string());
                    let too_large = (weight > LARGEST).then(|| TOO_LARGE.to_owned());
                    if let Some(why) = exceeded.or(too_large) {
                        self.unknown.push((invocation.key.policy.clone(), why));
                        return is_applied;
                    }
                }
                Err(Failure::Policy(why)) => self.fail(invocation, compiled, why),
                Err(Failure::Server(why)) => {
                    self.server_error = Some(of(invocation, why));
                    return is_applied;
                }
                Err(Failure::Unknown(why)) => {
                    self.unknown.push((invocation.key.policy.clone(), why));
                    return is_applied;
                }
            }
        }
        is_applied
    }

    fn mutated(
        &self,
        compiled: &CompiledMutations,
        it: &CompiledMutation,
        inputs: &Inputs<'_>,
        changing: Changing<'_, '_>,
    ) -> Result<MutableObject, Failure> {
        match it {
            CompiledMutation::Configuration(expression) => {
                let value = mutation((&compiled.policy, expression), inputs).map_err(failure)?;
                let configuration = value.to_configuration().map_err(failure)?;
                self.object.configured(&configuration, changing)
            }
            CompiledMutation::Patch(expression) => {
                let value = mutation((&compiled.policy, expression), inputs).map_err(failure)?;
                let operations = value.to_operations().map_err(failure)?;
                self.object.patched(&operations, changing)
            }
        }
    }

    /// Adds an error of a policy, which only counts with the failure policy `Fail`.
    fn fail(&mut self, invocation: &Invocation, compiled: &CompiledMutations, why: String) {
        if compiled.policy.fails() {
            self.errors.push(of(invocation, why));
        }
    }

    /// Adds the fields that a policy changes; `written` has those of policies before, with their names.
    fn note_changes(
        &mut self,
        policy: &str,
        before: &Json,
        written: &mut BTreeMap<String, String>,
    ) {
        let mut fields = BTreeSet::new();
        changed_fields(before, &self.object.tree, &mut String::new(), &mut fields);
        let is_overlapping = |it: &str| fields.iter().any(|field| is_within(it, field));
        let others = written.iter().filter(|(it, _)| is_overlapping(it));
        let others: Vec<String> = others.map(|(_, other)| other.clone()).collect();
        if !others.is_empty() {
            self.overlapping.insert(policy.to_owned());
            self.overlapping.extend(others);
        }
        let changed = self.changed.entry(policy.to_owned()).or_default();
        changed.extend(fields.iter().take(MOST_FIELDS + 1).cloned());
        written.extend(fields.into_iter().map(|it| (it, policy.to_owned())));
    }
}

fn of(invocation: &Invocation, message: String) -> PolicyFailure {
    let InvocationKey { policy, binding, .. } = &invocation.key;
    PolicyFailure { policy: policy.clone(), binding: Some(binding.clone()), message }
}

fn failure(error: EvaluationError) -> Failure {
    match error {
        EvaluationError::Undetermined(why) => Failure::Unknown(why),
        EvaluationError::Exceeded(limit) => Failure::Unknown(limit.to_string()),
        error => Failure::Policy(error.to_string()),
    }
}

/// Reports whether one of two JSON pointers leads to the value at the other.
fn is_within(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Collects the JSON pointers of fields with another value; of many, that of the field with them.
fn changed_fields(before: &Json, after: &Json, path: &mut String, found: &mut BTreeSet<String>) {
    if before == after {
        return;
    }
    let length = path.len();
    let none = Json::Null;
    match (before, after) {
        (Json::Object(before), Json::Object(after)) if found.len() < MOST_CHANGES => {
            for name in before.keys().chain(after.keys().filter(|it| !before.contains_key(*it))) {
                push_step(path, name);
                let [old, new] = [before, after].map(|it| it.get(name).unwrap_or(&none));
                changed_fields(old, new, path, found);
                path.truncate(length);
            }
        }
        (Json::Array(before), Json::Array(after))
            if before.len() == after.len() && found.len() < MOST_CHANGES =>
        {
            for (index, (old, new)) in before.iter().zip(after).enumerate() {
                push_step(path, &index.to_string());
                changed_fields(old, new, path, found);
                path.truncate(length);
            }
        }
        _ => _ = found.insert(path.clone()),
    }
}
