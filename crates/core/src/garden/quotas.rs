// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use super::{GardenObject, ObjectKey, Snapshot};
use garden_gate_model::api::{
    BindingKey, BindingKind, Kind, ObjectMeta, ObjectReference, ShootUse,
};

/// Lookups of objects that Quotas limit.
impl Snapshot {
    /// Returns the Shoots whose binding references a Quota, including those being deleted, by name.
    ///
    /// If `within` is set, only Shoots of that namespace are returned.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known.
    pub fn shoots_of_quota(
        &self,
        (namespace, name): (&str, &str),
        within: Option<&str>,
    ) -> Result<Vec<&ShootUse>, String> {
        self.whole(Kind::SecretBinding)?;
        self.whole(Kind::CredentialsBinding)?;
        let shoots = self.shoots()?;
        let kinds = [Kind::SecretBinding, Kind::CredentialsBinding];
        let bindings = kinds
            .into_iter()
            .flat_map(|kind| self.of_kind(kind))
            .filter_map(|(_, object)| binding(object));
        let counted = bindings.filter(|(_, metadata, quotas)| {
            let own = metadata.namespace.as_str();
            within.is_none_or(|within| within == own)
                && quotas.iter().any(|it| it.name == name && it.namespace_or(own) == namespace)
        });
        let keys = counted.map(|(kind, metadata, _)| BindingKey {
            kind,
            namespace: metadata.namespace.as_str().into(),
            name: metadata.name.as_str().into(),
        });
        let names = keys.filter_map(|key| shoots.of_binding(&key)).flatten();
        let found: BTreeMap<_, _> =
            names.filter_map(|name| Some((name, shoots.get(name)?))).collect();
        Ok(found.into_values().collect())
    }

    /// Reports whether a binding references a Quota.
    pub fn has_quotas(&self, kind: Kind, (namespace, name): (&str, &str)) -> bool {
        let key = ObjectKey::new(kind, namespace, name);
        let binding = self.objects.get(&key).and_then(binding);
        binding.is_some_and(|(_, _, quotas)| !quotas.is_empty())
    }
}

fn binding(object: &GardenObject) -> Option<(BindingKind, &ObjectMeta, &[ObjectReference])> {
    match object {
        GardenObject::SecretBinding(it) => Some((BindingKind::Secret, &it.metadata, &it.quotas)),
        GardenObject::CredentialsBinding(it) => {
            Some((BindingKind::Credentials, &it.metadata, &it.quotas))
        }
        _ => None,
    }
}
