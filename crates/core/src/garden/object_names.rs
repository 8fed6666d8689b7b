// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use super::ObjectKey;
use garden_gate_model::api::{ConfigMapData, Kind};

/// The known properties of a referenced object of which only the existence matters.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Named {
    /// Whether a Secret has the key `kubeconfig`; `None` if unknown.
    pub has_kubeconfig: Option<bool>,
    /// Whether it is a Secret for managed issuers of service-account tokens, in the garden namespace.
    pub is_issuer: bool,
}

impl Named {
    /// The label of Secrets for managed issuers.
    pub const ISSUER: (&'static str, &'static str) =
        ("gardener.cloud/role", "shoot-service-account-issuer");
}

/// The values of a ConfigMap; `None` if they are unknown, or copies of it differ.
pub(super) type KnownData = Option<Arc<ConfigMapData>>;

/// An object of a change of which only the name matters, or the values of a ConfigMap.
#[derive(Clone, Debug)]
pub struct NamedObject {
    /// The object.
    pub key: ObjectKey,
    /// The values of a ConfigMap; `None` if they are unknown.
    pub data: Option<Arc<ConfigMapData>>,
}

/// The names of Secrets and ConfigMaps. Of Secrets, no content is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectNames {
    /// The names from files.
    pub(super) files: Arc<FileNames>,
    /// Results of API lookups, and objects that the request itself adds.
    pub(super) answers: OrdMap<ObjectKey, Result<bool, String>>,
    /// The values of ConfigMaps among `answers`.
    pub(super) data: OrdMap<ObjectKey, KnownData>,
}

/// The names from files.
#[derive(Clone, Debug, Default)]
pub struct FileNames {
    /// The names by object.
    pub names: OrdMap<ObjectKey, Named>,
    /// The values of ConfigMaps, only for reviews and audits.
    pub(super) data: OrdMap<ObjectKey, KnownData>,
    /// Kinds for which `names` is complete.
    pub complete: OrdSet<Kind>,
    /// The reason why there may be further objects.
    pub doubt: Option<String>,
}

impl FileNames {
    /// Adds an object.
    /// Duplicates that differ keep only the name.
    pub fn add(&mut self, key: ObjectKey, named: Named) {
        let known = self.names.entry(key).or_insert(named);
        if *known != named {
            *known = Named::default();
        }
    }

    /// Adds the values of a ConfigMap.
    /// Duplicates that differ are unknown.
    pub fn add_data(&mut self, key: ObjectKey, data: KnownData) {
        let known = self.data.entry(key).or_insert_with(|| data.clone());
        if *known != data {
            *known = None;
        }
    }

    /// Reports whether a missing object is certainly absent.
    ///
    /// A namespace with any object of the kind is assumed to be dumped completely.
    pub(super) fn misses(&self, key: &ObjectKey) -> bool {
        let is_all = || self.complete.contains(&key.kind) || self.beside(key).next().is_some();
        self.doubt.is_none() && is_all()
    }

    /// Returns all objects of a kind in the namespace of an object.
    pub(super) fn beside(&self, key: &ObjectKey) -> impl Iterator<Item = &Named> {
        let ObjectKey { kind, namespace, .. } = key;
        let (kind, namespace) = (*kind, namespace.clone());
        let all = self.names.range(ObjectKey::new(kind, &*namespace, "")..);
        all.take_while(move |(key, _)| key.kind == kind && key.namespace == namespace)
            .map(|(_, named)| named)
    }
}
