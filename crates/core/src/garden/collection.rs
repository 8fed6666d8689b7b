// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use imbl::{HashMap, OrdMap, OrdSet};

use garden_gate_model::api::{Confirmation, Kind};

/// The objects of a kind in a namespace, grouped by whether their deletion is confirmed.
///
/// Used for DELETE of a collection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collection {
    unconfirmed: OrdSet<Arc<str>>,
    confirmed: OrdMap<Arc<str>, Arc<Confirmation>>,
}

impl Collection {
    /// Returns the number of objects.
    pub fn count(&self) -> usize {
        self.unconfirmed.len() + self.confirmed.len()
    }

    /// Inserts an object, or replaces the object with the same name.
    pub fn apply(&mut self, name: Arc<str>, confirmation: Option<Confirmation>) {
        match confirmation {
            None => {
                self.confirmed.remove(&name);
                self.unconfirmed.insert(name);
            }
            Some(confirmation) => {
                self.unconfirmed.remove(&name);
                self.confirmed.insert(name, Arc::new(confirmation));
            }
        }
    }

    /// Returns the names of objects whose deletion is not confirmed, in order.
    pub fn unconfirmed(&self) -> impl Iterator<Item = &str> + Clone {
        self.unconfirmed.iter().map(AsRef::as_ref)
    }

    /// Returns the names of objects whose deletion is confirmed, in order.
    pub fn confirmed(&self) -> impl Iterator<Item = (&str, &Confirmation)> + Clone {
        self.confirmed.iter().map(|(name, confirmation)| (&**name, &**confirmation))
    }

    fn remove(&mut self, name: &str) {
        self.unconfirmed.remove(name);
        self.confirmed.remove(name);
    }

    fn is_empty(&self) -> bool {
        self.unconfirmed.is_empty() && self.confirmed.is_empty()
    }
}

/// All [`Collection`]s by kind and namespace; the namespace of cluster-scoped kinds is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Collections(HashMap<(Kind, String), Collection>);

impl Collections {
    pub(super) fn apply(
        &mut self,
        kind: Kind,
        namespace: &str,
        name: Arc<str>,
        confirmation: Option<Confirmation>,
    ) {
        let collection = self.0.entry((kind, namespace.to_owned())).or_default();
        collection.apply(name, confirmation);
    }

    pub(super) fn remove(&mut self, kind: Kind, namespace: &str, name: &str) {
        let key = (kind, namespace.to_owned());
        if let Some(collection) = self.0.get_mut(&key) {
            collection.remove(name);
            if collection.is_empty() {
                self.0.remove(&key);
            }
        }
    }

    pub(super) fn of(&self, kind: Kind, namespace: &str) -> Collection {
        let collection = self.0.get(&(kind, namespace.to_owned()));
        collection.cloned().unwrap_or_default()
    }
}
