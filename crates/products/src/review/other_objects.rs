// SPDX-License-Identifier: Apache-2.0
//! Objects that are not under review, and affect verdicts about those that are.

use std::mem::take;

use super::parameters::ChangedParameters;
use super::subject::FileObjects;
use garden_gate_core::garden::{GardenObject, NamedObject, Snapshot};
use garden_gate_core::policies::why_unjudged;

/// Objects after a change that are not under review, and that affect verdicts.
#[derive(Clone, Debug, Default)]
pub struct OtherObjects {
    /// Objects of which only the names matter.
    named: Vec<NamedObject>,
    /// Policies, their bindings, and Namespaces.
    policies: Vec<GardenObject>,
    /// Objects that policies may use as parameters.
    pub parameters: ChangedParameters,
}

impl OtherObjects {
    /// Returns a garden with the objects, but without parameters.
    pub fn applied_to(&self, garden: &Snapshot) -> Snapshot {
        let garden = garden.with_named(self.named.clone());
        if self.policies.is_empty() { garden } else { garden.with(self.policies.clone()) }
    }

    /// Adds the objects of a file that are not judged.
    pub fn add(&mut self, held: &FileObjects) {
        self.named.extend(held.named.iter().cloned());
        let policies = held.policies.iter();
        self.policies.extend(policies.map(|(_, it)| it.clone()));
        self.parameters.add(held.parameters.clone());
    }

    /// Takes the objects of a file that are not judged, and returns warnings about policies that are not evaluated.
    pub fn take(&mut self, held: &mut FileObjects) -> Vec<String> {
        self.named.append(&mut held.named);
        self.parameters.add(take(&mut held.parameters));
        let mut warnings = Vec::new();
        for (file, object) in take(&mut held.policies) {
            if let Some(why) = why_unjudged(&object) {
                let key = object.key();
                warnings.push(format!("`{file}`: {key} is not evaluated: {why}"));
            }
            self.policies.push(object);
        }
        warnings
    }

    /// Sets the namespace of objects without one.
    pub fn set_namespace(&mut self, namespace: &str) {
        let named = self.named.iter_mut().map(|it| &mut it.key);
        let without = named.filter(|it| it.kind.is_namespaced() && it.namespace.is_empty());
        without.for_each(|it| namespace.clone_into(&mut it.namespace));
        self.parameters.set_namespace(namespace);
    }
}
