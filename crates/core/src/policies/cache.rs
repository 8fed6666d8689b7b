// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::compiled::CompiledPolicy;
use super::mutating::CompiledMutations;
use super::validation;
use garden_gate_model::api::{
    AdmissionPolicy, AdmissionPolicyBinding, MutatingPolicy, MutatingPolicyBinding,
};

/// Compiled policies and validated bindings, so that this is done once for many objects.
#[derive(Default)]
pub struct PolicyCache {
    policies: Cached<AdmissionPolicy, Result<CompiledPolicy, String>>,
    bindings: Cached<AdmissionPolicyBinding, Option<String>>,
    conditions: Cached<MutatingPolicy, Result<CompiledPolicy, String>>,
    mutations: Cached<MutatingPolicy, Result<CompiledMutations, String>>,
    mutating_bindings: Cached<MutatingPolicyBinding, Option<String>>,
}

/// Results by the addresses of objects, which stay in memory so that their addresses are not reused.
type Cached<T, R> = Mutex<BTreeMap<usize, (Arc<T>, Arc<R>)>>;

impl PolicyCache {
    /// Returns a compiled policy, or the reason why it is not evaluated.
    pub(super) fn get(&self, policy: &Arc<AdmissionPolicy>) -> Arc<Result<CompiledPolicy, String>> {
        cached(&self.policies, policy, CompiledPolicy::of)
    }

    /// Returns the compiled conditions of a MutatingAdmissionPolicy, or the reason why they are not evaluated.
    pub(super) fn conditions(
        &self,
        policy: &Arc<MutatingPolicy>,
    ) -> Arc<Result<CompiledPolicy, String>> {
        cached(&self.conditions, policy, CompiledPolicy::conditions_of)
    }

    /// Returns a compiled MutatingAdmissionPolicy, or the reason why it is not evaluated.
    pub(super) fn mutations(
        &self,
        policy: &Arc<MutatingPolicy>,
    ) -> Arc<Result<CompiledMutations, String>> {
        cached(&self.mutations, policy, CompiledMutations::of)
    }

    /// Reports whether a policy matches unknown requests, since its constraints are invalid.
    pub(super) fn matches_unknown(&self, policy: &Arc<AdmissionPolicy>) -> bool {
        let compiled = self.get(policy);
        matches!(&*compiled, Err(why) if validation::is_about_requests(why))
    }

    /// Reports the same as [`Self::matches_unknown`] for a MutatingAdmissionPolicy.
    pub(super) fn changes_unknown(&self, policy: &Arc<MutatingPolicy>) -> bool {
        let compiled = self.mutations(policy);
        matches!(&*compiled, Err(why) if validation::is_about_requests(why))
    }

    /// Returns the error in the binding of a MutatingAdmissionPolicy; `None` if it is valid.
    pub(super) fn mutating_binding_error(
        &self,
        binding: &Arc<MutatingPolicyBinding>,
    ) -> Arc<Option<String>> {
        cached(&self.mutating_bindings, binding, |it| validation::of_mutating_binding(it))
    }

    /// Returns the error in a binding; `None` if it is valid.
    pub(super) fn binding_error(
        &self,
        binding: &Arc<AdmissionPolicyBinding>,
    ) -> Arc<Option<String>> {
        cached(&self.bindings, binding, |it| validation::of_binding(it))
    }
}

fn cached<T, R>(cache: &Cached<T, R>, object: &Arc<T>, of: impl Fn(&Arc<T>) -> R) -> Arc<R> {
    let mut cached = cache.lock().unwrap_or_else(PoisonError::into_inner);
    let address = Arc::as_ptr(object).addr();
    let entry = cached.entry(address).or_insert_with(|| (Arc::clone(object), Arc::new(of(object))));
    Arc::clone(&entry.1)
}

impl fmt::Debug for PolicyCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyCache").finish_non_exhaustive()
    }
}
