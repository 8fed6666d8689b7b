use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use super::ObjectKey;
use crate::model::Kind;

/// What is known of an object that is referred to: that it is there.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Named {
    /// Whether a Secret has something under the name `kubeconfig`; `None` if nobody looked.
    pub has_kubeconfig: Option<bool>,
    /// Whether it is a Secret for managed issuers of service-account tokens, in the garden namespace.
    pub is_issuer: bool,
}

impl Named {
    /// The label by which Secrets for managed issuers are known.
    pub const ISSUER: (&'static str, &'static str) =
        ("gardener.cloud/role", "shoot-service-account-issuer");
}

/// The names of Secrets and ConfigMaps, of whose contents nothing is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectNames {
    /// What files tell of.
    pub(super) files: Arc<FileNames>,
    /// What an API server said to a question about an object, or a change brings along.
    pub(super) told: OrdMap<ObjectKey, Result<bool, String>>,
}

/// What files tell of names.
#[derive(Clone, Debug, Default)]
pub(super) struct FileNames {
    pub(super) names: OrdMap<ObjectKey, Named>,
    /// Kinds of which these are all.
    pub(super) complete: OrdSet<Kind>,
    /// Why there may be others.
    pub(super) doubt: Option<String>,
}

impl FileNames {
    /// Adds an object; of two of the same name that differ only the name is known.
    pub(super) fn add(&mut self, key: ObjectKey, named: Named) {
        let known = self.names.entry(key).or_insert(named);
        if *known != named {
            *known = Named::default();
        }
    }

    /// Whether an object that is not here is nowhere. Who dumps some of a namespace dumps all of it.
    pub(super) fn misses(&self, key: &ObjectKey) -> bool {
        let is_all = || self.complete.contains(&key.kind) || self.beside(key).next().is_some();
        self.doubt.is_none() && is_all()
    }

    /// All of a kind that are in the namespace of an object.
    pub(super) fn beside(&self, key: &ObjectKey) -> impl Iterator<Item = &Named> {
        let ObjectKey {
            kind, namespace, ..
        } = key;
        let (kind, namespace) = (*kind, namespace.clone());
        let all = self.names.range(ObjectKey::new(kind, &*namespace, "")..);
        all.take_while(move |(key, _)| key.kind == kind && key.namespace == namespace)
            .map(|(_, named)| named)
    }
}
