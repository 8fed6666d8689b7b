use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use super::{Lookup, ObjectKey, Snapshot};
use crate::model::{GARDEN_NAMESPACE, Kind, Known};

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
    files: Arc<Filed>,
    /// What an API server said to a question about an object, or a change brings along.
    told: OrdMap<ObjectKey, Result<bool, String>>,
}

/// What files tell of names.
#[derive(Clone, Debug, Default)]
pub(super) struct Filed {
    pub(super) names: OrdMap<ObjectKey, Named>,
    /// Kinds of which these are all.
    pub(super) complete: OrdSet<Kind>,
    /// Why there may be others.
    pub(super) doubt: Option<String>,
}

impl Filed {
    /// Adds an object; of two of the same name that differ only the name is known.
    pub(super) fn add(&mut self, key: ObjectKey, named: Named) {
        let known = self.names.entry(key).or_insert(named);
        if *known != named {
            *known = Named::default();
        }
    }

    /// Whether an object that is not here is nowhere. Who dumps some of a namespace dumps all of it.
    fn misses(&self, key: &ObjectKey) -> bool {
        let is_all = || self.complete.contains(&key.kind) || self.beside(key).next().is_some();
        self.doubt.is_none() && is_all()
    }

    /// All of a kind that are in the namespace of an object.
    fn beside(&self, key: &ObjectKey) -> impl Iterator<Item = &Named> {
        let ObjectKey {
            kind, namespace, ..
        } = key;
        let (kind, namespace) = (*kind, namespace.clone());
        let all = self.names.range(ObjectKey::new(kind, &*namespace, "")..);
        all.take_while(move |(key, _)| key.kind == kind && key.namespace == namespace)
            .map(|(_, named)| named)
    }
}

impl Snapshot {
    /// Whether there is an object that is referred to. Never to be taken for absent only because a garden was written down without
    /// Secrets or ConfigMaps.
    #[must_use]
    pub fn named(&self, key: &ObjectKey) -> Lookup<Named> {
        if let Some(told) = self.names.told.get(key) {
            return match told {
                Ok(true) => Lookup::Found(Named::default()),
                Ok(false) => Lookup::Absent,
                Err(why) => Lookup::Unknown(why.clone()),
            };
        }
        if let Some(named) = self.names.files.names.get(key) {
            return Lookup::Found(*named);
        }
        if self.objects.contains_key(key) {
            return Lookup::Found(Named::default());
        }
        let is_missed = match key.kind.known() {
            Known::Labelled { .. } => self.names.files.misses(key),
            _ => self.tells_of_in(key.kind, &key.namespace) && self.knows_all(key.kind),
        };
        match is_missed {
            true => Lookup::Absent,
            false => Lookup::Unknown(self.why_unnamed(key)),
        }
    }

    /// Whether the landscape offers managed issuers of service-account tokens.
    #[must_use]
    pub fn issuer(&self) -> Lookup<Named> {
        let anybody = ObjectKey::new(Kind::Secret, GARDEN_NAMESPACE, "");
        let files = &self.names.files;
        match files.beside(&anybody).find(|it| it.is_issuer) {
            Some(issuer) => Lookup::Found(*issuer),
            None if files.misses(&anybody) => Lookup::Absent,
            None => Lookup::Unknown(self.why_unnamed(&anybody)),
        }
    }

    fn why_unnamed(&self, key: &ObjectKey) -> String {
        let doubt = self.names.files.doubt.clone();
        let gap = || self.gap(key.kind).map(str::to_owned);
        doubt.or_else(gap).unwrap_or_else(|| {
            format!(
                "the garden tells of no {} of namespace `{}`",
                key.kind, key.namespace
            )
        })
    }

    /// This garden, with objects of which only the names matter. Costs O(log n) for each.
    #[must_use]
    pub fn with_named(&self, keys: impl IntoIterator<Item = ObjectKey>) -> Self {
        let mut garden = self.clone();
        let told = keys.into_iter().map(|key| (key, Ok(true)));
        garden.names.told.extend(told);
        garden
    }

    /// Tells whether an object is there that is referred to, or why nobody knows.
    pub fn tell_named(&mut self, key: ObjectKey, answer: Result<bool, String>) {
        self.names.told.insert(key, answer);
    }

    /// Makes these the names that files tell of.
    pub(super) fn file_names(&mut self, filed: Filed) {
        self.names.files = Arc::new(filed);
    }
}
