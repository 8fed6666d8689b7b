// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use crate::admission::{FieldPath, FindingKind, Findings};
use crate::rules::shared::lists::{one_of, use_one_of};
use garden_gate_model::api::{Capabilities, CapabilityDefinition};

const ARCHITECTURE: &str = "architecture";

/// The capabilities that a profile defines; of several definitions of one name the last is used.
pub(crate) struct Definitions<'a> {
    by_name: BTreeMap<&'a str, &'a [String]>,
}

/// Capabilities with a value for each defined one. Semantically equal ones are equal.
pub(super) type CompleteCapabilities<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

impl<'a> Definitions<'a> {
    pub(crate) fn of(definitions: &'a [CapabilityDefinition]) -> Self {
        let by_name = definitions.iter().map(|it| (it.name.as_str(), it.values.as_slice()));
        Self { by_name: by_name.collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Returns the values of each defined capability; all defined ones where none are given.
    ///
    /// Mirrors GetCapabilitiesWithAppliedDefaults in `pkg/apis/core/v1beta1/types_cloudprofile.go`.
    pub(super) fn filled<'c>(&self, capabilities: &'c Capabilities) -> CompleteCapabilities<'c>
    where
        'a: 'c,
    {
        let filled = self.by_name.iter().map(|(name, defined)| {
            let values = capabilities.get(*name).map_or(*defined, Vec::as_slice);
            (*name, values.iter().map(String::as_str).collect())
        });
        filled.collect()
    }

    /// Returns the filled capabilities of flavors; without flavors, those of one that has everything.
    ///
    /// Mirrors GetImageFlavorsWithAppliedDefaults in `pkg/api/core/v1beta1/helper/cloudprofile.go`.
    pub(super) fn filled_flavors<'c>(
        &self,
        flavors: &'c [Capabilities],
    ) -> Vec<CompleteCapabilities<'c>>
    where
        'a: 'c,
    {
        static NONE: Capabilities = Capabilities::new();
        if flavors.is_empty() {
            return vec![self.filled(&NONE)];
        }
        flavors.iter().map(|it| self.filled(it)).collect()
    }

    /// Checks capabilities of a flavor at `place`.
    ///
    /// Mirrors ValidateCapabilities in `pkg/utils/gardener/cloudprofile.go`.
    pub(super) fn check(
        &self,
        capabilities: &Capabilities,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        for (name, values) in capabilities {
            let Some(defined) = self.by_name.get(name.as_str()) else {
                let message = format!("the CloudProfile defines no capability `{name}`");
                findings
                    .unsupported(kind, place.clone(), message)
                    .value(name.as_str())
                    .help(use_one_of(self.by_name.keys()));
                continue;
            };
            for (index, value) in values.iter().enumerate() {
                if !defined.contains(value) {
                    let message = format!("the capability `{name}` has no value `{value}`");
                    let known: Vec<&str> = defined.iter().map(String::as_str).collect();
                    findings
                        .unsupported(kind, place.child_called(name).index(index), message)
                        .value(value.as_str())
                        .help(one_of(value, &known));
                }
            }
        }
        let defined = self.by_name.get(ARCHITECTURE).map_or(0, |it| it.len());
        let count = capabilities.get(ARCHITECTURE).map_or(0, Vec::len);
        if defined > 1 && count != 1 {
            let message = format!(
                "a capability flavor has {count} architectures instead of one, and the CloudProfile defines several"
            );
            findings.invalid(kind, place.child(ARCHITECTURE), message).help(
                "name one, as in `architecture: [amd64]`, and add a flavor for each other one",
            );
        }
    }
}

/// Returns the architectures of filled capabilities.
pub(super) fn architectures<'a>(capabilities: &CompleteCapabilities<'a>) -> BTreeSet<&'a str> {
    capabilities.get(ARCHITECTURE).cloned().unwrap_or_default()
}

/// Formats filled capabilities for a message.
pub(super) fn shown(capabilities: &CompleteCapabilities<'_>) -> String {
    let named = capabilities.iter().map(|(name, values)| {
        let values: Vec<&str> = values.iter().copied().collect();
        format!("{name}: [{}]", values.join(", "))
    });
    let all: Vec<String> = named.collect();
    crate::rules::shared::lists::short(&all.join(", ")).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn capabilities(value: Value) -> Capabilities {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn absent_capabilities_have_all_values_in_any_order() {
        let definitions: Vec<CapabilityDefinition> = serde_json::from_value(json!([
            {"name": "architecture", "values": ["amd64", "arm64"]}, {"name": "boot", "values": ["uefi"]},
        ]))
        .unwrap();
        let definitions = Definitions::of(&definitions);
        let whole = capabilities(json!({"architecture": ["arm64", "amd64"], "other": ["x"]}));
        let none = Capabilities::new();
        let [first, second] = [&whole, &none].map(|it| definitions.filled(it));
        assert_eq!(first, second);
        let other = capabilities(json!({"boot": []}));
        assert_ne!(first, definitions.filled(&other));
        assert_eq!(definitions.filled_flavors(&[]), [first]);
    }
}
