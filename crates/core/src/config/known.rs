// SPDX-License-Identifier: Apache-2.0
use garden_gate_model::api::extensions::ExtensionVersion;
use serde_json::{Map, Value};

/// The ids that a configuration may contain.
#[derive(Clone, Debug, Default)]
pub struct KnownIds {
    /// The ids of rules.
    pub rules: Vec<&'static str>,
    /// The ids of findings; a finding may have the id of its rule.
    pub findings: Vec<&'static str>,
    /// The ids of policies of operators, `policy/` and a name; `None` if the policies are not known.
    pub policies: Option<Vec<&'static str>>,
    /// The extensions that operators define.
    pub extensions: Vec<KnownExtension>,
}

/// An extension that a definition of operators describes.
#[derive(Clone, Debug)]
pub struct KnownExtension {
    /// The name.
    pub name: &'static str,
    /// The newest version that the definition describes.
    pub newest: ExtensionVersion,
    /// The names of its settings with their defaults.
    pub settings: Map<String, Value>,
}

/// Prefix of the ids of findings of policies; the name of the policy follows.
pub const POLICY_PREFIX: &str = "policy/";
/// The pattern for all policies.
pub(super) const ALL_POLICIES: &str = "policy/*";

impl KnownIds {
    /// Reports whether an id may be that of a policy, because the policies are not known.
    pub(super) fn may_be_policy(&self, id: &str) -> bool {
        let name = id.strip_prefix(POLICY_PREFIX);
        self.policies.is_none() && name.is_some_and(|it| !it.is_empty())
    }

    /// Returns the ids of rules and policies.
    pub(super) fn with_exemptions(&self) -> Vec<&'static str> {
        let policies = self.policies.as_deref().unwrap_or_default();
        [self.rules.as_slice(), policies].concat()
    }

    /// Returns the ids of rules, findings and policies, sorted and without duplicates.
    pub fn all(&self) -> Vec<&'static str> {
        let policies = self.policies.as_deref().unwrap_or_default();
        let mut ids = [self.rules.as_slice(), &self.findings, policies].concat();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}
